"""The build says so when the text is wrong. One small book with every fault in it, built once."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
FIRST = r"""# First

<a id="eq-one"></a>

$$ z = y s \tag{1.1} $$

<a id="eq-two"></a>

$$ z = y s \tag{1.1} $$

<a id="eq-one"></a>

$$ 1 \tag{1.3} $$

$$ \notamacro{x} $$

$$ \frac{1}{ $$

Links: [(1.1)](#eq-one), [(9.9)](#eq-gone), [far](second.md#eq-lost), [good](second.md#eq-far).

Twice: $a$. And [a link](second.md). And $b$. And so on.

> **Theorem 1.1 (A bound).** It holds.

<a id="fig-lost"></a>

**Figure 1.1.** No cell stands above this.

## In short

> All of it.

> Just a quotation
> $$ q = 1 $$
> goes on.
"""
CONFIGURATION = """
extensions = ["myst_nb", "katex_math", "lab_markdown", "run_notebooks"]
html_math_renderer = "katex"
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = True
"""
SECOND = r"""# Second

<a id="eq-far"></a>

$$ a = b \tag{2.1} $$

<a id="eq-last"></a>
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """(what the build complained of, the first page)."""
    source = tmp_path_factory.mktemp("book")
    cells = [nbformat.v4.new_markdown_cell(FIRST), nbformat.v4.new_code_cell("1 / 0")]
    shown = nbformat.v4.new_output("stream", name="stdout", text="a drawing")
    cells.append(nbformat.v4.new_code_cell("draw()", outputs=[shown], metadata={"tags": ["hide-input"]}))
    cells.append(nbformat.v4.new_markdown_cell('<a id="fig-good"></a>\n\n**Figure 1.2.** It *shows*.\n\nAfter it.'))
    nbformat.write(nbformat.v4.new_notebook(cells=cells), source / "index.ipynb")
    (source / "second.md").write_text(SECOND)
    (source / "conf.py").write_text(CONFIGURATION)
    path = os.pathsep.join(map(str, [ROOT / "book" / "_ext", ROOT / "tools", ROOT]))
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-n", "-W", "--keep-going", "-q", str(source), str(source / "html")],
        env=os.environ | {"PYTHONPATH": path, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    return done, (source / "html" / "index.html").read_text()


@pytest.mark.parametrize(
    "message",
    [
        r"Undefined control sequence: \notamacro",
        "expected '}'",
        "the id 'eq-one' is given twice",
        "the id 'eq-last' is given twice, or to nothing",
        "target not found: 'eq-gone'",
        "local id not found in doc 'second': 'eq-lost'",
        "ZeroDivisionError: division by zero",
        "'fig-lost' should name a bold Figure, below a cell that draws",
    ],
)
def test_a_fault_fails_the_build(build, message):
    done, _ = build
    assert done.returncode != 0
    assert message in done.stderr


def test_what_is_right_is_built(build):
    done, page = build
    assert '<div class="math math-numbered" id="eq-one">' in page
    assert 'href="second.html#eq-far"' in page and "eq-far" not in done.stderr
    assert "box box-theorem" in page
    assert page.count("<blockquote>") == 1
    squeezed = re.sub(r"\s*(</?p>)\s*", r"\1", page)
    assert "Just a quotation</p>" in squeezed and "<p>goes on.</p>" in squeezed
    assert "$" not in page.split("<body")[1]
    assert '<annotation encoding="application/x-tex"> z = y s  </annotation>' in page


def test_a_figure_is_what_its_cell_shows_with_a_caption(build):
    done, page = build
    (figure,) = BeautifulSoup(page, "html.parser").find_all("figure")
    assert figure["id"] == "fig-good" and "fig-good" not in done.stderr
    assert figure.select_one(".cell_output").text.strip() == "a drawing"
    assert "draw()" in figure.find_next_sibling("details").text  # its code, folded, below it
    assert figure.figcaption.text.split("It")[0].strip() == "Figure 1.2." and figure.figcaption.em.text == "shows"
    assert figure.select_one("a.headerlink")["href"] == "#fig-good"
    assert "After it." not in figure.text and page.count("Figure 1.2.") == 1


def test_the_summary_is_a_box_below_its_heading(build):
    _, page = build
    section = BeautifulSoup(page, "html.parser").select_one("section#in-short")
    assert section.h2 and section.select_one(".box-summary").text.strip() == "All of it."


def test_a_full_stop_goes_into_its_formula_and_nothing_else_changes(build):
    _, page = build
    paragraph = next(p for p in BeautifulSoup(page, "html.parser").find_all("p") if "Twice" in p.text)
    for unseen in paragraph.select(".katex-mathml"):
        unseen.decompose()
    assert [formula.text for formula in paragraph.select(".math")] == ["a.", "b."]
    assert paragraph.text == "Twice: a. And a link. And b. And so on."
