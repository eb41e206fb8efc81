"""Numbers follow from labels and order: the tool that sets them would change nothing, and follows what is moved."""

import json
import shutil
from pathlib import Path

import pytest
import renumber

ROOT = Path(__file__).resolve().parents[2]
FIRST = r"""# 1 Lines

## One

See [(1.1)](#eq-a), [(1.2)](#eq-b), [Theorem 2.1](02-walks.ipynb#thm-t) and exercise 1.1; $f(1.1)$ and `x(1.2)` stay.

<a id="eq-a"></a>

$$ a \tag{1.1} $$

## Two

<a id="fig-p"></a>

**Figure 1.1.** A picture.

By (1.2), as [Someone (1999)](references.md#someone1999), chapter 9, says.

<a id="eq-b"></a>

$$ b \tag{1.2} $$

> **Exercise 1.1 (routine).** Do (1.1).
"""
SECOND = r"""# 2 Walks

After [chapter 1](01-lines.ipynb), of part I, and [the next](03-ends.ipynb): [(1.2)](01-lines.ipynb#eq-b).

<a id="thm-t"></a>

> **Theorem 2.1 (name).** By (2.1).

<a id="eq-c"></a>

$$ c \tag{2.1} $$

Chapters 1 and 3 agree with Theorem 2.1, as [figure 1.1](01-lines.ipynb#fig-p) shows; see figure 1.1.
"""
THIRD = """# 3 Ends

In [chapter 2](02-walks.ipynb), [Theorem 2.1](02-walks.ipynb#thm-t); [chapters 1](01-lines.ipynb) too.
"""
CONTENTS = """parts:
  - caption: I Part
    chapters:
      - file: book/01-lines
      - file: book/02-walks
  - caption: II Other
    chapters:
      - file: book/03-ends
      - file: book/glossary
"""
GLOSSARY = """# Words

[1 Lines](01-lines.ipynb), [(2.1)](02-walks.ipynb#eq-c), [why](02-walks.ipynb#thm-t), [3](03-ends.ipynb).
"""
PACKAGE = '"""As in chapter 3, by Theorem 2.1."""\nCHAPTER = "02-walks"\n'


def notebook(text):
    """A file as Jupyter writes it, with odd spacing and escapes in what is not text, which must stay as they are."""
    lines = ",\n".join("    " + json.dumps(line, ensure_ascii=False) for line in text.splitlines(keepends=True))
    return (
        '{"cells": [\n  {"cell_type": "markdown", "id": "a", "metadata": {},\n   "source": [\n' + lines + "\n   ]},\n"
        '  {"cell_type": "code", "execution_count":1, "outputs": [{"data": {"x": ["caf\\u00e9 (1.1) \\"source\\": [",'
        '\n "Theorem 2.1"]}}], "metadata": {}, "source": "plot()  # Theorem 2.1"},\n'
        '  {"cell_type": "code", "source": []}\n ], "nbformat": 4 }\n'
    )


@pytest.fixture
def book(tmp_path):
    """A small book, all its numbers right."""
    (tmp_path / "book").mkdir()
    (tmp_path / "linclass").mkdir()
    for name, text in {"01-lines": FIRST, "02-walks": SECOND, "03-ends": THIRD}.items():
        (tmp_path / "book" / f"{name}.ipynb").write_text(notebook(text))
    (tmp_path / "book" / "glossary.md").write_text(GLOSSARY)
    (tmp_path / "_toc.yml").write_text(CONTENTS)
    (tmp_path / "linclass" / "walks.py").write_text(PACKAGE)
    return tmp_path


def text(book, name):
    path = next(path for path in (book / "book").glob(f"*{name}*"))
    return next(renumber.cells(path))[0]


def edit(book, name, *replacements):
    """Replace pieces of a chapter's text."""
    path = next(path for path in (book / "book").glob(f"*{name}*"))
    now = text(book, name)
    for old, new in replacements:
        assert old in now
        now = now.replace(old, new)
    path.write_text(notebook(now))


def test_the_book_is_numbered():
    texts, names, problems = renumber.changes(ROOT)
    wrong = [path.relative_to(ROOT).as_posix() for path in [*texts, *names]]
    assert not problems and not wrong, "run make renumber"


def test_right_numbers_stay(book):
    assert renumber.changes(book) == ({}, {}, [])


def test_an_equation_is_inserted(book):
    new = '<a id="eq-new"></a>\n\n$$ n \\tag{?} $$\n\nSee [(?)](#eq-new).\n\n## Two'
    edit(book, "lines", ("## Two", new))
    before = (book / "book" / "01-lines.ipynb").read_text()
    assert renumber.main(book) == 0
    now = text(book, "lines")
    assert r"$$ n \tag{1.2} $$" in now and "See [(1.2)](#eq-new)" in now
    assert r"$$ b \tag{1.3} $$" in now and "[(1.3)](#eq-b)" in now and "By (1.3), as" in now
    assert "Do (1.1)" in now and "$f(1.1)$ and `x(1.2)` stay" in now and "chapter 9, says" in now
    assert "[(1.3)](01-lines.ipynb#eq-b)" in text(book, "walks")
    after = (book / "book" / "01-lines.ipynb").read_text()
    changed = [a for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
    assert len(changed) == 5 and "\\u00e9 (1.1)" in after  # only lines with a number to change
    assert renumber.changes(book) == ({}, {}, [])


def test_a_figure_is_inserted(book):
    edit(book, "lines", ("## Two", '<a id="fig-n"></a>\n\n**Figure ?.** New; not [figure ?](#fig-p).\n\n## Two'))
    assert renumber.main(book) == 0
    assert "**Figure 1.1.** New; not [figure 1.2](#fig-p)." in text(book, "lines")
    assert "**Figure 1.2.** A picture." in text(book, "lines")
    assert "[figure 1.2](01-lines.ipynb#fig-p) shows; see figure 1.2." in text(book, "walks")
    assert renumber.changes(book) == ({}, {}, [])


def test_a_section_moves_to_another_chapter(book):
    section = FIRST[FIRST.index("## Two") :]
    edit(book, "lines", (section, ""))
    edit(book, "walks", ("After [chapter 1]", section + "\nAfter [chapter 1]"))
    assert renumber.main(book) == 0
    lines, walks = text(book, "lines"), text(book, "walks")
    assert "[(2.1)](02-walks.ipynb#eq-b)" in lines and "and exercise 2.1;" in lines
    assert r"b \tag{2.1}" in walks and r"c \tag{2.2}" in walks and "**Exercise 2.1 (routine).** Do (1.1)" in walks
    assert "[(2.1)](#eq-b)" in walks and "By (2.1), as" in walks and "**Theorem 2.1 (name).** By (2.2)." in walks
    assert "[(2.2)](02-walks.ipynb#eq-c)" in text(book, "glossary")
    assert renumber.changes(book) == ({}, {}, [])


def test_a_chapter_is_split(book):
    """A new file, named with a letter, takes the theorem; those after it are renamed, and everything follows."""
    theorem = SECOND[SECOND.index('<a id="thm-t">') :]
    edit(book, "walks", (theorem, ""))
    (book / "book" / "02b-bounds.ipynb").write_text(notebook("# ? Bounds\n\n" + theorem))
    (book / "_toc.yml").write_text(CONTENTS.replace("02-walks\n", "02-walks\n      - file: book/02b-bounds\n"))
    assert renumber.main(book) == 0
    assert {path.stem for path in book.glob("book/*.ipynb")} == {"01-lines", "02-walks", "03-bounds", "04-ends"}
    contents = (book / "_toc.yml").read_text()
    assert contents.index("02-walks") < contents.index("03-bounds") < contents.index("04-ends")
    bounds = text(book, "bounds")
    assert bounds.startswith("# 3 Bounds") and "**Theorem 3.1 (name).** By (3.1)" in bounds
    assert "Chapters 1 and 4 agree with Theorem 3.1, as [figure 1.1]" in bounds
    assert text(book, "ends").startswith("# 4 Ends")
    assert "[chapter 2](02-walks.ipynb), [Theorem 3.1](03-bounds.ipynb#thm-t)" in text(book, "ends")
    assert "[why](03-bounds.ipynb#thm-t), [4](04-ends.ipynb)" in text(book, "glossary")
    assert "[the next](04-ends.ipynb)" in text(book, "walks")
    assert (book / "linclass" / "walks.py").read_text() == PACKAGE.replace("chapter 3", "chapter 4").replace(
        "2.1", "3.1"
    )
    assert "plot()  # Theorem 3.1" in (book / "book" / "02-walks.ipynb").read_text()
    assert renumber.changes(book) == ({}, {}, [])


def test_chapters_change_places(book):
    swapped = CONTENTS.replace("01-lines", "x").replace("02-walks", "01-lines").replace("x", "02-walks")
    (book / "_toc.yml").write_text(swapped)
    assert renumber.main(book) == 0
    assert "After [chapter 2](02-lines.ipynb)" in text(book, "walks") and "Theorem 1.1" in text(book, "walks")
    (book / "_toc.yml").write_text((book / "_toc.yml").read_text().replace("I Part", "? Part"))
    assert renumber.changes(book)[2] == ["book/01-walks.ipynb: there is nothing of that number: part I"]


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("Chapters 1 and 3", "Chapters 1 and 8", "there is nothing of that number: chapter 8"),
        (r"c \tag{2.1}", r"c \tag{1.2}", "there is 2 things of that number: equation 1.2"),
        ("eq-c", "eq-a", "eq-a is on two pages, 01-lines.ipynb and 02-walks.ipynb"),
    ],
)
def test_what_cannot_be_decided_is_said_and_nothing_changes(book, capsys, old, new, message):
    edit(book, "walks", (old, new))
    before = {path: path.read_text() for path in book.rglob("*.*") if path.is_file()}
    assert renumber.main(book) == 1
    assert message in capsys.readouterr().err
    assert before == {path: path.read_text() for path in before}


def test_there_and_back_in_the_real_book(tmp_path):
    """A chapter put between others and taken out again leaves every byte as it was."""
    for folder in ("book", "linclass", "tests"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "test_renumber.py")
        )
    shutil.copyfile(ROOT / "_toc.yml", tmp_path / "_toc.yml")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    new, contents = tmp_path / "book" / "03b-between.ipynb", tmp_path / "_toc.yml"
    new.write_text(notebook('# ? Between\n\n<a id="eq-between"></a>\n\n$$ 1 \\tag{?} $$\n'))
    line = "      - file: book/{}\n"
    contents.write_text(contents.read_text().replace("-losses\n", "-losses\n" + line.format(new.stem)))
    assert renumber.main(tmp_path) == 0
    assert renumber.changes(tmp_path) == ({}, {}, [])
    (moved,) = tmp_path.glob("book/*-representer-theorem.ipynb")
    number = int(moved.name[:2])
    assert rf"\\tag{{{number}.1}}" in moved.read_text() and rf"\\tag{{{number - 1}." not in moved.read_text()
    (between,) = tmp_path.glob("book/*-between.ipynb")
    contents.write_text(contents.read_text().replace(line.format(between.stem), ""))
    between.unlink()
    assert renumber.main(tmp_path) == 0
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
