"""Run notebooks in place and store what they print: `python tools/execute.py book`.

A second run changes no byte: no timestamps, no machine's language version, cells counted from 1. A cell tagged
`measured` shows how long something took; it keeps the output it has: clear it to measure anew.
"""

import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]


def run(notebook, folder, formats=("png",), style="", **environment):
    """Run a notebook's cells in a folder, its figures in these formats and this Matplotlib style, in place.

    The settings of IPython and Matplotlib are those given here, not the user's.
    """
    with tempfile.TemporaryDirectory() as settings:
        profile = Path(settings) / "profile_default"
        profile.mkdir()
        (profile / "ipython_kernel_config.py").write_text(f"c.InlineBackend.figure_formats = {set(formats)!r}")
        (Path(settings) / "matplotlibrc").write_text(style)
        environment |= {
            **os.environ,
            "IPYTHONDIR": settings,
            "MATPLOTLIBRC": str(Path(settings) / "matplotlibrc"),
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=300,
            record_timing=False,
            coalesce_streams=True,
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": str(folder)}},
        )
        client.execute(env=environment)
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


def notebooks(arguments):
    """The notebooks named, and those in the folders named."""
    for argument in map(Path, arguments):
        yield from sorted(argument.rglob("*.ipynb")) if argument.is_dir() else [argument]


if __name__ == "__main__":
    paths = [p for p in notebooks(sys.argv[1:]) if ".ipynb_checkpoints" not in p.parts]
    with ProcessPoolExecutor(max_workers=2) as pool:
        for done in pool.map(execute, paths):
            print(done)
