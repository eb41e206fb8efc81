"""The ledger closes: every label has its function or proof, and its test; nothing names a label that is not there."""

import json
import textwrap
from pathlib import Path

import ledger
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_ledger_closes():
    assert not (found := ledger.problems(ROOT)), "the ledger does not close:\n" + "\n".join(found)


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

    def problems(chapter=CHAPTER, package=PACKAGE, tests=TESTS):
        for folder in ("book", "linclass", "tests"):
            (tmp_path / folder).mkdir(exist_ok=True)
        cells = [{"cell_type": "markdown", "source": textwrap.dedent(chapter).splitlines(keepends=True)}]
        (tmp_path / "book" / "01-margins.ipynb").write_text(json.dumps({"cells": cells}))
        (tmp_path / "linclass" / "margins.py").write_text(package)
        (tmp_path / "tests" / "test_margins.py").write_text(tests)
        return "\n".join(ledger.problems(tmp_path))

    return problems


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
        ({"chapter": CHAPTER.replace("tag{1.1}", "tag{1.2}")}, "(1.2) stands where (1.1) is due"),
        ({"chapter": CHAPTER.replace("tag{1.1}", "tag{2.1}")}, "(2.1) stands where (1.1) is due"),
        ({"chapter": CHAPTER.replace(r"\tag{1.1}", "")}, r"eq-margin is not followed by a \tag"),
        ({"chapter": CHAPTER + "\n$$ 1 \\tag{1.2} $$"}, "1.2 has no label before it"),
        ({"chapter": CHAPTER + '\n<a id="eq-margin"></a>\n'}, "eq-margin is the label of 2 places"),
    ],
)
def test_a_fault_is_named(book, fault, message):
    assert message in book(**fault)
