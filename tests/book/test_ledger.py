"""The ledger closes: every label has its function or proof, and its test; nothing names a label that is not there."""

import json
import textwrap
from pathlib import Path

import contents
import ledger
import pytest

ROOT = Path(__file__).resolve().parents[2]


def problems(root):
    """Every way in which the ledger does not close, one sentence each; empty when it does."""
    root, found = Path(root), []
    entries = ledger.read(root)
    labels = [entry.label for entry in entries]
    for entry in entries:
        where = f"{entry.page}: {entry.label}"
        if labels.count(entry.label) > 1:
            found.append(f"{where} is the label of {labels.count(entry.label)} places")
        if not entry.spoken:
            due = "a \\tag{…}" if entry.is_equation else "a bold Theorem n.m, Lemma n.m …"
            found.append(f"{where} is not followed by {due}")
        if not entry.functions and not entry.proved:
            missing = "no function names it in its docstring (Book: …)"
            found.append(f"{where}: {missing}" + ("" if entry.is_equation else ", and no Proof follows it"))
        if not entry.tests:
            found.append(f"{where}: no test is marked @pytest.mark.ledger({entry.label!r})")
    for name, label in ledger.docstring_labels(root):
        if label not in labels:
            found.append(f"{name}: its docstring names {label}, a label of no chapter")
    for name, label in ledger.test_labels(root):
        if label not in labels:
            found.append(f"{'::'.join(name)}: its marker names {label}, a label of no chapter")
    spoken = {entry.spoken for entry in entries}
    for path in contents.notebooks(root):
        text = contents.prose(path)
        numbers = [f"({tag})" for tag in ledger.TAG.findall(text)]
        numbers += [f"{match[1]} {match[2]}" for match in ledger.STATEMENT.finditer(text)]
        found += [f"{path.name}: {number} has no label before it" for number in numbers if number not in spoken]
    return found


def test_the_ledger_closes():
    assert not (found := problems(ROOT)), "the ledger does not close:\n" + "\n".join(found)


CHAPTER = r"""
<a id="eq-margin"></a>

$$ z = y s \tag{1.1} $$

<a id="thm-bound"></a>

> **Theorem 1.1 (A bound).** It holds.

> **Proof.** Clear. ∎
"""
PACKAGE = '''
def margins(s, y):
    """Agreement.

    Book: eq-margin.
    """
'''
TESTS = """
@pytest.mark.ledger("eq-margin")
def test_margins(): ...


@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.ledger("thm-bound"))])
def test_bound(n): ...
"""


@pytest.fixture
def book(tmp_path):
    """A function that writes a small book and says what is wrong with its ledger."""

    def found(chapter=CHAPTER, package=PACKAGE, tests=TESTS):
        for folder in ("book", "linclass", "tests"):
            (tmp_path / folder).mkdir(exist_ok=True)
        cells = [{"cell_type": "markdown", "source": textwrap.dedent(chapter).splitlines(keepends=True)}]
        (tmp_path / "book" / "01-margins.ipynb").write_text(json.dumps({"cells": cells}))
        (tmp_path / "linclass" / "margins.py").write_text(package)
        (tmp_path / "tests" / "test_margins.py").write_text(tests)
        (tmp_path / "_toc.yml").write_text("  - file: book/01-margins\n")
        return "\n".join(problems(tmp_path))

    return found


def test_a_whole_ledger_has_no_problem(book):
    assert book() == ""


@pytest.mark.parametrize(
    "fault, message",
    [
        ({"package": "def margins(): ..."}, "eq-margin: no function names it"),
        ({"chapter": CHAPTER.replace("Proof.", "Idea.")}, "thm-bound: no function names it in its docstring"),
        ({"tests": TESTS.replace('"eq-margin"', '"thm-bound"')}, "eq-margin: no test is marked"),
        ({"tests": TESTS.replace('"eq-margin"', '"eq-margin", "eq-gone"')}, "marker names eq-gone, a label of no"),
        ({"package": PACKAGE.replace("eq-margin", "eq-margin, eq-gone")}, "docstring names eq-gone, a label of no"),
        ({"chapter": CHAPTER.replace(r"\tag{1.1}", "")}, r"eq-margin is not followed by a \tag"),
        ({"chapter": CHAPTER + "\n$$ 1 \\tag{1.2} $$"}, "(1.2) has no label before it"),
        ({"chapter": CHAPTER + '\n<a id="eq-margin"></a>\n'}, "eq-margin is the label of 2 places"),
    ],
)
def test_a_fault_is_named(book, fault, message):
    assert message in book(**fault)
