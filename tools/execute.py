"""Run notebooks in place and store what they print: `python tools/execute.py` runs all, or those that it is given.

A second run changes no byte: no timestamps, no machine's language version, cells counted from 1. A cell tagged
`measured` shows how long something took; it keeps the output it has: clear it to measure anew.

The book's build runs notebooks too, for the pages. Such a run, figures drawn as SVG, is kept under `_build` and used
again only while the notebook's code, the whole package, the lock and Python are the same.
"""

import hashlib
import os
import re
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import nbformat
from contents import ROOT, notebooks
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def settings(folder, formats=("png",), style=""):
    """The environment of a kernel whose IPython and Matplotlib are set as given here, not as the user's."""
    profile = Path(folder) / "profile_default"
    profile.mkdir(exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(f"c.InlineBackend.figure_formats = {set(formats)!r}")
    (Path(folder) / "matplotlibrc").write_text(style)
    return {
        "IPYTHONDIR": str(folder),
        "MATPLOTLIBRC": str(Path(folder) / "matplotlibrc"),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def page_settings(folder):
    """Settings for the pages: SVG, sharp on any screen, on a transparent ground, for both themes."""
    style = "figure.facecolor: none\naxes.facecolor: none\nsvg.hashsalt: linclass\n"
    return settings(folder, ["svg"], style) | {"LINCLASS_FIGURES": "kernel"}


def run(notebook, folder, environment=settings):
    """Run a notebook's cells in a folder, in place."""
    with tempfile.TemporaryDirectory() as scratch:
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=300,
            record_timing=False,
            coalesce_streams=True,
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(folder)}},
        )
        client.execute(env=os.environ | environment(scratch))
    return notebook


def execute(path):
    """Run one notebook in its own folder and write it back with its outputs."""
    before = nbformat.read(path, as_version=4)
    notebook = run(nbformat.read(path, as_version=4), path.parent)
    for old, new in zip(before.cells, notebook.cells, strict=True):
        if "measured" in new.metadata.get("tags", []) and old.outputs:
            new.outputs = old.outputs
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(notebook, path)
    return path


# --- runs for the pages, kept -----------------------------------------------------------------------------------------


@cache
def package_digest():
    """A digest of everything but a notebook's own code that its outputs can depend on."""
    package = sorted(p for p in (ROOT / "linclass").rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    digest = hashlib.sha256(sys.version.encode())
    for path in [*package, ROOT / "requirements.txt", Path(__file__)]:
        digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def kept_run(path, folder=ROOT / "_build" / ".runs"):
    """The file of the run that a notebook, as it is now, would have."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    code = hashlib.sha256(repr([(cell.source, cell.metadata.get("tags", [])) for cell in cells]).encode()).hexdigest()
    return Path(folder) / f"{Path(path).stem}-{package_digest()[:16]}-{code[:16]}.ipynb"


def keep(notebook, kept):
    """Write a run, in place of older ones of the same notebook."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    for old in kept.parent.glob(f"{kept.stem[:-34]}-{'?' * 16}-{'?' * 16}.ipynb"):
        old.unlink()
    nbformat.write(notebook, kept)


def run_and_keep(path, kept):
    """Run a notebook for its page and keep the run; the error's text if a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    try:
        keep(run(notebook, path.parent, page_settings), kept)
    except CellExecutionError as error:
        return re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
    return None


if __name__ == "__main__":
    paths = list(map(Path, sys.argv[1:])) or notebooks()
    with ProcessPoolExecutor(max_workers=2) as pool:
        for done in pool.map(execute, paths):
            print(done)
