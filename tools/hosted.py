"""Notebooks for a hosted service, where nothing is installed yet: `python tools/hosted.py FOLDER ADDRESS`.

Each is the book's notebook, with a first cell that installs the package from the repository's address. The workflow
that publishes the site puts the folder on the branch `hosted`, to which the pages' links lead.
"""

import sys
from pathlib import Path

import nbformat
from contents import ROOT, notebooks
from take_along import with_installation


def write(folder, address):
    """All notebooks of the book into a folder, and what Binder needs beside them."""
    source = f'%pip install --quiet "linclass[run] @ git+{address}"'
    for path in notebooks():
        target = Path(folder) / path.relative_to(ROOT / "book")
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(with_installation(nbformat.read(path, as_version=4), source), target)
    (Path(folder) / "requirements.txt").write_text(f"linclass[run] @ git+{address}\n")


if __name__ == "__main__":
    write(*sys.argv[1:])
