"""The ledger: which function is an equation of the book, and which test holds it to that.

Three places name a label: the chapter (`<a id="eq-margin"></a>` before the formula and its `\\tag{1.1}`), the docstring
of the function that is the formula (`Book: eq-margin.`), and the test of it (`@pytest.mark.ledger("eq-margin")`).
This module reads all three from the files, without importing or running anything.
"""

import ast
import itertools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

ANCHOR = re.compile(r'<a\s+id="((?:eq|thm)-[^"]+)"\s*>\s*</a>')
TAG = re.compile(r"\\tag\{([^}]*)\}")
STATEMENT = re.compile(r"\*\*(Theorem|Proposition|Lemma|Corollary)\s+([0-9A-Z]+\.\d+)\s*(?:\(([^*]*)\))?[.:]?\s*\*\*")
PROOF = re.compile(r"\*\*Proof\b")
BOOK_LINE = re.compile(r"^\s*Book:\s*((?:eq|thm)-[\w-]+(?:,\s*(?:eq|thm)-[\w-]+)*)\.?\s*$", re.MULTILINE)


@dataclass
class Entry:
    """One label of the book, with what was found for it."""

    label: str
    page: str  # the notebook's path under book/, as a link from the ledger page
    number: str = ""
    name: str = ""
    proved: bool = False
    functions: list = field(default_factory=list)
    tests: list = field(default_factory=list)

    @property
    def is_equation(self):
        return self.label.startswith("eq-")


def prose(notebook):
    """The text of a notebook's Markdown cells, in order."""
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def title(notebook):
    """A notebook's title: its first heading."""
    return re.search(r"^# (.+)$", prose(notebook), re.MULTILINE)[1]


def notebooks(root):
    book = Path(root) / "book"
    return sorted(path for path in book.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)


def entries_of(text, page):
    """The labels in a chapter's text, each with the number, name and proof that follow it."""
    anchors = list(ANCHOR.finditer(text))
    found = []
    for here, after in itertools.zip_longest(anchors, anchors[1:]):
        entry = Entry(here[1], page)
        block = text[here.end() : after.start() if after else len(text)]
        if entry.is_equation:
            if match := TAG.search(block):
                entry.number = match[1]
        else:
            if match := STATEMENT.search(block):
                entry.number, entry.name = match[2], f"{match[1]}: {match[3]}" if match[3] else match[1]
            later = [anchor.start() for anchor in anchors if anchor.start() > here.start() and anchor[1][:4] == "thm-"]
            entry.proved = bool(PROOF.search(text[here.end() : later[0] if later else len(text)]))
        found.append(entry)
    return found


def docstring_labels(root):
    """(function, label) for every `Book:` line in the package, the function by its full name."""
    package = Path(root) / "linclass"
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
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
        where = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                for call in (call for mark in node.decorator_list for call in ast.walk(mark)):
                    if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("mark.ledger"):
                        for argument in call.args:
                            yield f"{where}::{node.name}", ast.literal_eval(argument)


def read(root):
    """All entries of the book, in its order."""
    book = Path(root) / "book"
    entries = [
        entry for path in notebooks(root) for entry in entries_of(prose(path), path.relative_to(book).as_posix())
    ]
    functions, tests = list(docstring_labels(root)), list(test_labels(root))
    for entry in entries:
        entry.functions = [name for name, label in functions if label == entry.label]
        entry.tests = list(dict.fromkeys(name for name, label in tests if label == entry.label))
    return entries


def numbers_out_of_order(numbers, page):
    """What is wrong with a chapter's numbers, which should count 3.1, 3.2, … in the chapter's own number."""
    head = re.match(r"0*(\d+)-", Path(page).name)
    for position, number in enumerate(numbers, 1):
        chapter = head[1] if head else number.split(".")[0]
        if number != f"{chapter}.{position}":
            return f"{page}: the number ({number}) stands where ({chapter}.{position}) is due"
    return None


def problems(root):
    """Every way in which the ledger does not close, one sentence each; empty when it does."""
    root, found = Path(root), []
    entries = read(root)
    labels = [entry.label for entry in entries]
    for entry in entries:
        where = f"{entry.page}: {entry.label}"
        if labels.count(entry.label) > 1:
            found.append(f"{where} is the label of {labels.count(entry.label)} places")
        if not entry.number:
            due = "a \\tag{…}" if entry.is_equation else "a bold Theorem n.m, Lemma n.m …"
            found.append(f"{where} is not followed by {due}")
        if not entry.functions and not entry.proved:
            missing = "no function names it in its docstring (Book: …)"
            found.append(f"{where}: {missing}" + ("" if entry.is_equation else ", and no Proof follows it"))
        if not entry.tests:
            found.append(f"{where}: no test is marked @pytest.mark.ledger({entry.label!r})")
    for name, label in docstring_labels(root):
        if label not in labels:
            found.append(f"{name}: its docstring names {label}, a label of no chapter")
    for name, label in test_labels(root):
        if label not in labels:
            found.append(f"{name}: its marker names {label}, a label of no chapter")
    for path in notebooks(root):
        page, text = path.relative_to(root / "book").as_posix(), prose(path)
        tags, statements = TAG.findall(text), [match[2] for match in STATEMENT.finditer(text)]
        found += filter(None, [numbers_out_of_order(tags, page), numbers_out_of_order(statements, page)])
        labelled = [entry.number for entry in entries if entry.page == page]
        found += [
            f"{page}: {number} has no label before it" for number in [*tags, *statements] if number not in labelled
        ]
    return found
