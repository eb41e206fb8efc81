"""The package and the notebooks as files of the site, for readers who have no copy of the project.

The build calls `write`. Below `downloads/` it puts the package as a wheel, each notebook with a first cell that
installs the wheel lying beside it, and one zip of all of these.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
from contents import ROOT, notebooks

ZIP = "linclass-notebooks.zip"
INSTALL = """\
# Where linclass is missing, this installs it from the file {name}, which must lie beside this notebook.
import importlib.util
from pathlib import Path

if importlib.util.find_spec("linclass") is None:
    wheel = Path("{name}")
    if not wheel.exists():
        raise FileNotFoundError(f"{{wheel}} is not beside this notebook: it is on the same site, in downloads/{zip}")
    %pip install --quiet "{{wheel}}[run]"
"""
README = """\
Linear classification: the notebooks of the book, and the package they run on.

With Python 3.11 or newer:

    pip install jupyterlab
    jupyter lab

and open a notebook. Its first cell installs the package from {name}.
"""


def wheel(kept):
    """The package as a wheel, built once for each state of the package."""
    import execute  # with what runs notebooks, which `hosted` can do without

    folder = Path(kept) / execute.package_digest()[:16]
    if not list(folder.glob("*.whl")):
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
        subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def with_installation(notebook, source):
    """The notebook with a first cell that installs the package."""
    cell = nbformat.v4.new_code_cell(source, id="install", metadata={"tags": ["remove-cell"]})
    notebook.cells.insert(0, cell)
    return notebook


def write(site, kept):
    """The wheel, the notebooks and the zip of them, into the site's folder `downloads`."""
    folder, built = Path(site) / "downloads", wheel(kept)
    folder.mkdir(exist_ok=True)
    shutil.copy(built, folder)
    source = INSTALL.format(name=built.name, zip=ZIP)
    for path in notebooks():
        notebook = with_installation(nbformat.read(path, as_version=4), source)
        nbformat.write(notebook, folder / path.name)
    (folder / "README.txt").write_text(README.format(name=built.name), encoding="utf-8")
    with zipfile.ZipFile(folder / ZIP, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            if path.name != ZIP:
                archive.write(path, Path("linclass-notebooks") / path.name)
    (folder / "README.txt").unlink()
