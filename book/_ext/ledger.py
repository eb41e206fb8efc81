"""The ledger: which function is an equation of the book, and which test holds it to that.

Three places name a label: the chapter (`<a id="eq-margin"></a>` before the formula and its `\\tag{1.1}`), the docstring
of the function that is the formula (`Book: eq-margin.`), and the test of it (`@pytest.mark.ledger("eq-margin")`).
This module reads all three from the files, without importing or running anything.
"""

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

from contents import notebooks, prose

ANCHOR = re.compile(r'<a id="((?:eq|thm)-[^"]+)"></a>')
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
    """The labels in a chapter's text, each with its number; a theorem's proof may come after equations."""
    found, theorem = [], None
    _, *pieces = ANCHOR.split(text)
    for label, block in zip(pieces[::2], pieces[1::2], strict=True):
        found.append(entry := Entry(label, page))
        if entry.is_equation:
            entry.spoken = "".join(f"({number})" for number in TAG.findall(block)[:1])
        else:
            theorem, entry.spoken = entry, "".join(" ".join(words) for words in STATEMENT.findall(block)[:1])
        if theorem:
            theorem.proved |= "**Proof" in block
    return found


def docstring_labels(root):
    """(function, label) for every `Book:` line in the package, the function by its full name."""
    for path in sorted((Path(root) / "linclass").rglob("*.py")):
        nodes = [(".".join(path.relative_to(root).with_suffix("").parts), ast.parse(path.read_text(encoding="utf-8")))]
        for name, node in nodes:  # which grows
            inner = (child for child in node.body if isinstance(child, ast.FunctionDef | ast.ClassDef))
            nodes += [(f"{name}.{child.name}", child) for child in inner]
            for labels in BOOK_LINE.findall(ast.get_docstring(node) or ""):
                yield from ((name, label) for label in re.split(r",\s*", labels))


def test_labels(root):
    """((file, test), label) for every ledger marker in the tests."""
    for path in sorted((Path(root) / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for call in (call for mark in getattr(node, "decorator_list", ()) for call in ast.walk(mark)):
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("mark.ledger"):
                    test = path.relative_to(root).as_posix(), node.name
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
