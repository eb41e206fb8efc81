"""Every explorable is in a chapter, with what to try, a question and its folded answer, and as the package draws it."""

import itertools
import re
from pathlib import Path

import nbformat
import pytest
from explorables import CHAPTERS

from linclass.explore.frame import script

BOOK = Path(__file__).resolve().parents[2] / "book"


@pytest.mark.parametrize("kind", CHAPTERS)
def test_each_explorable_has_its_place_its_hint_and_its_question(kind):
    cells = nbformat.read(BOOK / f"{CHAPTERS[kind]}.ipynb", as_version=4).cells
    at = [k for k, cell in enumerate(cells) if cell.cell_type == "code" and f"explore.{kind}(" in cell.source]
    assert len(at) == 1
    cell, below = cells[at[0]], itertools.takewhile(lambda one: one.cell_type == "markdown", cells[at[0] + 1 :])
    after = "\n\n".join(one.source for one in below)
    assert "explore" in cell.metadata.get("tags", [])
    assert re.search(r"^> \*\*Try it\.\*\*", after, re.MULTILINE)
    assert "?" in after.split("<details>")[0] and "<details>" in after
    markup = cell.outputs[-1].data["text/html"]
    assert script(kind) in markup, "the stored figure is of an older script: run the notebook again"
