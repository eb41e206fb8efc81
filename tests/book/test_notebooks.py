"""What every notebook of the book keeps to, read from the stored files."""

import ast
import itertools
import re
from pathlib import Path

import contents
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
PATHS = contents.notebooks()
CODE, MARKDOWN = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell


def cells(notebook, kind):
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def tags(cell):
    return cell.metadata.get("tags", [])


def never_run(notebook):
    """Cells must have been run, once and in order."""
    counts = [cell.execution_count for cell in cells(notebook, "code")]
    return [] if counts == list(range(1, len(counts) + 1)) else [f"the cells were run as {counts}: run make notebooks"]


def definitions(notebook):
    """Functions and classes live in the package; a chapter defines one only where the reader is asked to."""
    found = []
    for cell in cells(notebook, "code"):
        if "exercise" in tags(cell):
            continue
        source = re.sub(r"^\s*[%!].*$", "", cell.source, flags=re.MULTILINE)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.append(f"defines {node.name} outside a cell tagged exercise")
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                found.append(f"defines {ast.unparse(node.targets[0])} outside a cell tagged exercise")
    return found


def complaints(notebook):
    """No stored output is an error or a warning, unless the cell says that it raises."""
    found = []
    for cell in cells(notebook, "code"):
        for output in cell.outputs:
            if output.output_type == "error" and "raises-exception" not in tags(cell):
                found.append(f"cell [{cell.execution_count}] stored the error {output.ename}: {output.evalue}")
            if output.output_type == "stream" and output.name == "stderr":
                found.append(f"cell [{cell.execution_count}] wrote to stderr: {output.text.strip()[:200]}")
    return found


def without_alt_text(notebook):
    """Every figure says in words what it shows."""
    found = []
    for cell in cells(notebook, "code"):
        images = [o for o in cell.outputs if any(kind.startswith("image/") for kind in o.get("data", {}))]
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        if images and len(alt) < 20:
            found.append(f"the figure of cell [{cell.execution_count}] has no alt text (metadata mystnb.image.alt)")
    return found


def without_caption(notebook):
    """Right below each figure of a chapter, explorables included, stand its name, its number and its caption."""
    if not re.match(r"# \d", notebook.cells[0].source):
        return []
    found = []
    for cell, after in itertools.pairwise([*notebook.cells, MARKDOWN("")]):
        kinds = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})}
        drawn = any(kind.startswith("image/") for kind in kinds) or "explore" in tags(cell)
        caption = re.match(r'<a id="fig-[a-z0-9-]+"></a>\n\n\*\*Figure \d+\.\d+\.\*\* (.+)', after.source)
        if drawn and not (after.cell_type == "markdown" and caption and len(caption[1].split()) > 5):
            found.append(f'below cell [{cell.execution_count}] there should be <a id="fig-…"></a> and **Figure ?.** …')
    return found


def beyond_lab(notebook):
    """Plain JupyterLab shows it: no MyST directive or role, no mathematics in a summary."""
    found = []
    for cell in cells(notebook, "markdown"):
        found += [f"MyST syntax that Lab shows raw: {m}" for m in re.findall(r"(?:```|:::)\{[\w:-]+\}", cell.source)]
        found += [f"MyST role that Lab shows raw: {m}" for m in re.findall(r"(?<!\S)\{[\w:-]+\}`[^`]", cell.source)]
        found += [f"mathematics in {m}" for m in re.findall(r"<summary>[^<]*\$[^<]*</summary>", cell.source)]
    return found


def unfinished(notebook):
    """No trace of drafting."""
    text = "\n".join(cell.source for cell in notebook.cells)
    return [f"a trace of drafting: {word}" for word in re.findall(r"\b(?:TODO|FIXME|XXX|lorem ipsum)\b", text)]


def wrong_headings(notebook):
    """One title, first; then no level is skipped."""
    text = re.sub(r"(?ms)^```.*?^```", "", "\n\n".join(cell.source for cell in cells(notebook, "markdown")))
    levels = [len(marks) for marks in re.findall(r"^(#{1,6}) ", text, flags=re.MULTILINE)]
    found = [] if levels[:1] == [1] and levels.count(1) == 1 else ["there should be one title (# …), at the top"]
    jumps = [(a, b) for a, b in itertools.pairwise(levels) if b > a + 1]
    return found + [f"a heading of level {b} follows one of level {a}" for a, b in jumps]


def too_wide(notebook):
    """Source quoted from the package fits the page as the chapter's own code does (that is ruff's to check)."""
    quoted = [output.get("data", {}).get("text/markdown", "") for c in cells(notebook, "code") for output in c.outputs]
    lines = [line for text in quoted if text.startswith("```python") for line in text.splitlines()]
    return [f"scrolls on the page, with more than 84 columns: {line}" for line in lines if len(line) > 84]


def too_long(notebook):
    """A chapter has at most 3,500 words outside its folds, fills at most 90 minutes, and says how many.

    A first reading takes a minute for 200 words; each exercise says its own time.
    """
    text = "\n\n".join(cell.source for cell in cells(notebook, "markdown"))
    if not re.match(r"# \d", text):
        return []
    text = re.sub(r"<details>.*?</details>", " ", text, flags=re.DOTALL)
    untimed = re.findall(r"> \*\*(Exercise \S+ \(\w+\))", text)
    solving = sum(map(int, re.findall(r"> \*\*Exercise \S+ \(\w+, (\d+) min\)", text)))
    prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|<[^>]+>", " ", text, flags=re.DOTALL)
    words = len(re.findall(r"[A-Za-z’'-]{2,}", prose))
    reading = round(words / 200)
    time = f"**Time** about {reading + solving} minutes: {reading} for a first reading, {solving} for the exercises."
    found = [f"no time is given for {exercise}" for exercise in untimed]
    found += [f"{words} words, and 3,500 are allowed"] if words > 3500 else []
    found += [f"{reading + solving} minutes, and 90 are allowed"] if reading + solving > 90 else []
    return found + ([] if time in text else [f"it should say: {time}"])


def without_parts(notebook):
    """A chapter stands on its own: picture first, then what it is for; at its end a summary and the way on."""
    texts = [cell.source for cell in notebook.cells]
    if not re.match(r"# \d+ .*\n\n\*.*\?\*\n", texts[0] + "\n"):
        return ["it should begin with a question below its title"] if re.match(r"# \d", texts[0]) else []
    aims = next((i for i, text in enumerate(texts) if "**After this chapter you can**" in text), len(texts))
    shown = [cell for cell in notebook.cells[:aims] if cell.cell_type == "code" and cell.outputs]
    found = [] if shown else ["its aims come before a picture or an explorable"]
    parts = ["**You need first**", "## In short\n\n> ", "> **Wrong belief.**", "## Check yourself", "## Exercises"]
    parts += ["## Where the notes say it", "**Further reading.**", "**Next.**"]
    return found + [f"it has no {part}" for part in parts if not any(part in text for text in texts)]


def names(node, context):
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, context)}


def needs_a_drawing(notebook):
    """Drawing stands in cells of its own: what computes runs without them."""
    found, drawn = [], set()  # names whose last value came from a cell that draws
    for cell in cells(notebook, "code"):
        tree = ast.parse(re.sub(r"^\s*[%!].*$", "", cell.source, flags=re.MULTILINE))
        draws, own = "plt.show()" in cell.source, set()
        for statement in tree.body:
            loop = isinstance(statement, ast.For | ast.While | ast.With)
            needed = names(statement, ast.Load) - own - (names(statement, ast.Store) if loop else set())
            inner = [node for node in ast.walk(statement) if isinstance(node, ast.comprehension | ast.Lambda)]
            for node in inner:
                bound = node.args if isinstance(node, ast.Lambda) else node.target
                needed -= names(bound, ast.Store) | {arg.arg for arg in ast.walk(bound) if isinstance(arg, ast.arg)}
            if not draws and needed & drawn:
                found.append(f"cell [{cell.execution_count}] needs what a drawing made: {sorted(needed & drawn)}")
            own |= names(statement, ast.Store)
        drawn = drawn | own if draws else drawn - own
    return found


RULES = [never_run, definitions, complaints, without_alt_text, without_caption, beyond_lab, unfinished]
RULES += [wrong_headings, too_wide, too_long, without_parts, needs_a_drawing]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(ROOT / "book").as_posix())
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_notebook(path, rule):
    found = rule(nbformat.read(path, as_version=4))
    assert not found, f"{path.relative_to(ROOT)}:\n" + "\n".join(found)


def test_every_notebook_is_in_the_contents():
    there = {path for path in (ROOT / "book").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts}
    assert there == set(PATHS), "_toc.yml and the files in book/ differ"


def test_every_chapter_has_its_row_on_the_first_page():
    index = (ROOT / "book" / "index.md").read_text("utf-8")
    missing = [path.name for path in (ROOT / "book").glob("[0-9]*.ipynb") if f"({path.name})" not in index]
    assert not missing, "no row in book/index.md"


PICTURE = nbformat.v4.new_output("display_data", {"image/png": ""})
ERROR = nbformat.v4.new_output("error", ename="ValueError", evalue="no")
QUOTED = nbformat.v4.new_output("display_data", {"text/markdown": "```python\n" + 85 * "x" + "\n```"})
WARNING = nbformat.v4.new_output("stream", name="stderr", text="a warning")


@pytest.mark.parametrize(
    "rule, cell, message",
    [
        (never_run, CODE("1"), "run as [None]"),
        (never_run, CODE("1", execution_count=2), "run as [2]"),
        (definitions, CODE("def loss(z): ..."), "defines loss"),
        (definitions, CODE("loss = lambda z: z"), "defines loss"),
        (complaints, CODE("1", outputs=[ERROR]), "ValueError"),
        (complaints, CODE("1", outputs=[WARNING]), "stderr"),
        (without_alt_text, CODE("1", outputs=[PICTURE]), "no alt text"),
        (beyond_lab, MARKDOWN("```{note}\nx\n```"), "MyST"),
        (beyond_lab, MARKDOWN("see {eq}`x`"), "role"),
        (unfinished, MARKDOWN("TODO"), "drafting"),
        (too_wide, CODE("1", outputs=[QUOTED]), "scrolls"),
        (wrong_headings, MARKDOWN("# A\n\n### B"), "level 3 follows"),
        (wrong_headings, MARKDOWN("## B"), "one title"),
        (too_long, MARKDOWN("# 1 A\n\n" + 3501 * "word "), "3501 words, and 3,500"),
        (too_long, MARKDOWN("# 1 A\n\n> **Exercise 1.1 (hard, 91 min).**"), "91 minutes, and 90"),
        (too_long, MARKDOWN("# 1 A\n\n> **Exercise 1.1 (hard).**"), "no time is given for Exercise 1.1"),
        (too_long, MARKDOWN("# 1 A\n\n**Time** about an hour."), "about 0 minutes: 0 for"),
        (without_parts, MARKDOWN("# 1 A\n\nText"), "a question"),
        (without_parts, MARKDOWN("# 1 A\n\n*Why?*\n"), "before a picture"),
        (without_parts, MARKDOWN("# 1 A\n\n*Why?*\n"), "no ## In short"),
    ],
)
def test_a_fault_is_named(rule, cell, message):
    assert message in "\n".join(rule(nbformat.v4.new_notebook(cells=[cell])))


CAPTION = '<a id="fig-x"></a>\n\n**Figure 1.1.** Six words are enough for it.\n\nMore.'


@pytest.mark.parametrize(
    "below, right",
    [
        (CAPTION, True),
        (CAPTION.replace("fig-x", "x"), False),
        (CAPTION.replace("1.1", "?"), False),
        (CAPTION.replace("Six words are enough for it", "Too short"), False),
        ("Text.\n\n" + CAPTION, False),
    ],
)
@pytest.mark.parametrize(
    "figure", [CODE("1", outputs=[PICTURE]), CODE("1", metadata={"tags": ["explore"]})], ids=["picture", "explorable"]
)
def test_a_figure_has_its_caption(figure, below, right):
    notebook = nbformat.v4.new_notebook(cells=[MARKDOWN("# 1 A"), figure, MARKDOWN(below)])
    assert bool(without_caption(notebook)) != right
    assert without_caption(nbformat.v4.new_notebook(cells=[MARKDOWN("# 1 A"), figure]))
    assert not without_caption(nbformat.v4.new_notebook(cells=[MARKDOWN("# An appendix"), figure]))


def test_what_a_drawing_made_is_not_needed_elsewhere():
    draw, compute = CODE("x = 1\nplt.show()"), CODE("print(x)", execution_count=2)
    found = needs_a_drawing(nbformat.v4.new_notebook(cells=[draw, compute]))
    assert found == ["cell [2] needs what a drawing made: ['x']"]
    assert not needs_a_drawing(nbformat.v4.new_notebook(cells=[draw, CODE("x = 2"), compute]))
