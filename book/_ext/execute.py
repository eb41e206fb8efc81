"""Run notebooks in place and store what they print: `python book/_ext/execute.py book`.

A second run changes no byte: no timestamps, no machine's language version, cells counted from 1.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def execute(path):
    """Run one notebook in its own folder and write it back with its outputs."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, kernel_name="python3", timeout=300, record_timing=False, resources={"metadata": {"path": path.parent}}
    ).execute()
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
