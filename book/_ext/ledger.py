"""The ledger: which function is an equation of the book, and which test holds it to that.

Three places name a label: the chapter (`<a id="eq-margin"></a>` before the formula and its `\\tag{1.1}`), the docstring
of the function that is the formula (`Book: eq-margin.`), and the test of it (`@pytest.mark.ledger("eq-margin")`).
This module reads all three from the files, without importing or running anything.
"""

import ast
import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

from contents import notebooks, prose

ANCHOR = re.compile(r'<a\s+id="((eq|thm)-[^"]+)"\s*>\s*</a>')
TAG = re.compile(r"\\tag\{([^}]*)\}")
STATEMENT = re.compile(r"\*\*(Theorem|Proposition|Lemma|Corollary)\s+(\d+\.\d+)\s*(?:\([^*]*\))?[.:]?\s*\*\*")
BOOK_LINE = re.compile(r"^\s*Book:\s*((?:eq|thm)-[\w-]+(?:,\s*(?:eq|thm)-[\w-]+)*)\.?\s*$", re.MULTILINE)


@dataclass
class Entry:
    """One label of the book, with what was found for it."""

    label: str
    page: str  # the notebook's path under book/, as a link from the ledger page
    spoken: str = ""  # how the text speaks of it: (1.1), or Theorem 2.1
    proved: bool = False
    functions: list = field(default_factory=list)
    tests: list = field(default_factory=list)

    @property
    def is_equation(self):
        return self.label.startswith("eq-")


def entries_of(text, page):
    """The labels in a chapter's text, each with the number and the proof that follow it."""
    anchors = list(ANCHOR.finditer(text))
    theorems = [anchor.start() for anchor in anchors if anchor[2] == "thm"]
    for here, after in itertools.zip_longest(anchors, anchors[1:]):
        block = text[here.end() : after.start() if after else None]
        if here[2] == "eq":
            match = TAG.search(block)
            yield Entry(here[1], page, f"({match[1]})" if match else "")
        else:
            match = STATEMENT.search(block)
            proof = text[here.end() : next((start for start in theorems if start > here.start()), None)]
            yield Entry(here[1], page, f"{match[1]} {match[2]}" if match else "", "**Proof" in proof)


def docstring_labels(root):
    """(function, label) for every `Book:` line in the package, the function by its full name."""
    for path in sorted((Path(root) / "linclass").rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        yield from labels_below(ast.parse(path.read_text(encoding="utf-8")), module)


def labels_below(node, name):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            full = f"{name}.{child.name}"
            for labels in BOOK_LINE.findall(ast.get_docstring(child) or ""):
                yield from ((full, label) for label in re.split(r",\s*", labels))
            yield from labels_below(child, full)


def test_labels(root):
    """(test, label) for every ledger marker in the tests, the test as pytest names it."""
    for path in sorted((Path(root) / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for call in (call for mark in getattr(node, "decorator_list", ()) for call in ast.walk(mark)):
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("mark.ledger"):
                    test = f"{path.relative_to(root).as_posix()}::{node.name}"
                    yield from ((test, ast.literal_eval(argument)) for argument in call.args)


def read(root):
    """All entries of the book, in its order."""
    functions, tests, entries = list(docstring_labels(root)), list(test_labels(root)), []
    for path in notebooks(root):
        entries += entries_of(prose(path), path.relative_to(Path(root) / "book").as_posix())
    for entry in entries:
        entry.functions = [name for name, label in functions if label == entry.label]
        entry.tests = list(dict.fromkeys(name for name, label in tests if label == entry.label))
    return entries
