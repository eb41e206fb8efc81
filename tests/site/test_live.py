"""Python in the page, in a browser that reaches no other host: run, stop, check, come back."""

import ast
import hashlib
import json
import os
import re
import shutil
import zipfile

import contents
import live_assets
import pytest

from linclass.assignments import mistakes
from linclass.assignments.checking import check_source
from linclass.assignments.report import as_data
from linclass.assignments.starter import cut, module_text
from linclass.assignments.topics import TOPICS

PATIENT = 120_000  # milliseconds: a busy machine loads Python slowly
LOSSES = "book/assignments/losses.html"


@pytest.fixture(scope="module")
def context(browser, address):
    """A browser with a store of its own; whatever leaves for another host is noted and stopped."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.asked = []

    def route(request):
        context.asked.append(request.request.url)
        if request.request.url.startswith((address, "blob:", "data:")):
            request.continue_()
        else:
            request.abort()

    context.route("**/*", route)
    yield context
    assert not [url for url in context.asked if not url.startswith((address, "blob:", "data:"))]
    context.close()


@pytest.fixture
def page(context):
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    yield page
    page.close()


@pytest.fixture(scope="module")
def a_chapter(site):
    """A chapter with many cells and an exercise to be checked."""
    return "book/" + next(path.name for path in sorted((site / "book").glob("*surrogate-losses.html")))


@pytest.fixture(scope="module")
def lesson(context, address, a_chapter):
    """That chapter, on which Python runs from the first test to the last."""
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    page.goto(address + a_chapter)
    yield page
    page.close()


@pytest.fixture
def box(lesson):
    """A cell of it that prints, as it stands in the book."""
    box = cell(lesson, PRINTS)
    yield box
    if box.get_by_role("button", name="Reset").is_visible():
        box.get_by_role("button", name="Reset").click()


PRINTS = "written as it stands"
PRINTED = "4.248e-18"


def cell(page, words):
    """The cell that has these words in its code."""
    return page.locator(".cell", has=page.locator("pre", has_text=words)).first


def done(box):
    """What a cell gives, once it has run."""
    box.page.wait_for_function(
        "box => !/Stop/.test(box.querySelector('.live-run').textContent)", arg=box.element_handle()
    )
    return box.locator(".live-output")


def run(box):
    box.locator(".live-run").click()
    return done(box)


def part_of(page, function):
    """The part of an assignment's page in which a function is written."""
    return page.locator(".live-part", has=page.locator(f"h3 > code:text-is('{function}')"))


def write(box, text):
    """Put text in the place of what an editor holds."""
    box.locator(".cm-content").wait_for()
    box.locator(".cm-content").click()
    box.page.keyboard.press("Control+a")
    box.page.keyboard.insert_text(text)


def test_nothing_of_python_is_fetched_before_the_first_click(page, address, a_chapter, context):
    context.asked.clear()
    page.goto(address + a_chapter, wait_until="networkidle")
    assert page.locator(".live-run").count() > 10
    assert not [url for url in context.asked if re.search(r"pyodide|numpy|linclass\.zip|editor|worker", url)]


def test_a_cell_runs_after_those_above_it_and_can_be_changed(box):
    built = box.locator(".cell_output").text_content()
    assert run(box).inner_text().strip() == built.strip()
    write(box, "print(losses.hinge_loss(-1.0))\n1 / 0\nprint('never')")
    output = run(box).inner_text()
    assert "2.0" in output and "Line 2: ZeroDivisionError" in output and "never" not in output
    assert box.locator(".cm-line.faulty").inner_text() == "1 / 0"
    box.get_by_role("button", name="Reset").click()
    assert box.locator(".live-output").inner_text() == "" and box.locator(".cell_output").is_visible()


def test_a_figure_is_drawn_with_the_changed_number(lesson):
    box = lesson.locator(".cell:has(img)").first
    box.locator("summary").first.click()
    run(box)
    assert box.locator(".live-picture svg path").count() > 5
    assert not box.locator(".cell_output").is_visible()


def test_a_megabyte_of_prints_has_an_end(box, lesson):
    run(box)
    write(box, "for k in range(20_000):\n    print(k, 50 * 'x')")
    text = run(box).inner_text()
    assert 100_000 < len(text) < 101_000 and "nothing more is shown" in text
    assert lesson.evaluate("performance.now()") > 0


def test_python_has_no_more_than_a_gigabyte(box):
    run(box)
    write(box, "import numpy as np\nkept = []\nwhile True:\n    kept.append(np.ones(4_000_000))")
    assert "Line 4: MemoryError" in run(box).inner_text()
    write(box, "print(len(kept) * 32 < 1100)\ndel kept")  # megabytes
    assert run(box).inner_text().strip() == "True"
    write(box, "print(np.ones(4_000_000).sum())")
    assert "4000000.0" in run(box).inner_text()


def test_a_singular_matrix_is_refused_as_elsewhere(box):
    run(box)
    write(
        box,
        """import numpy as np
for function in (np.linalg.inv, np.linalg.cholesky, lambda A: np.linalg.solve(A, [1.0, 1.0])):
    try:
        print(function(np.array([[0.0, 0.0], [0.0, 0.0]])))
    except np.linalg.LinAlgError as error:
        print(error)""",
    )
    assert run(box).inner_text().splitlines() == [
        "Singular matrix",
        "Matrix is not positive definite",
        "Singular matrix",
    ]


def test_stop_ends_a_loop_and_the_next_run_begins_anew(box, lesson):
    run(box)
    write(box, "while True: pass")
    box.locator(".live-run").click()
    lesson.wait_for_function("document.querySelector('.live-status')")
    box.get_by_role("button", name="Stop").click()
    lesson.wait_for_function(
        "box => box.querySelector('.live-status').textContent === 'Stopped.'", arg=box.element_handle()
    )
    box.get_by_role("button", name="Reset").click()
    assert PRINTED in run(box).inner_text()


def test_by_keys_alone(box, lesson):
    """To the button, into the editor, a run from there, and out of it again."""
    box.locator(".live-run").focus()
    lesson.keyboard.press("Enter")
    done(box)
    lesson.keyboard.press("Shift+Tab")
    while not lesson.evaluate("document.activeElement.matches('.cm-content')"):
        lesson.keyboard.press("Shift+Tab")
    lesson.keyboard.press("Control+a")
    lesson.keyboard.type("for k in range(2):")
    lesson.keyboard.press("Enter")
    lesson.keyboard.type("print(k + 40)")  # the editor has indented it
    lesson.keyboard.press("Shift+Enter")
    lesson.wait_for_function(
        "box => box.querySelector('.live-output').textContent.trim() === '40\\n41'", arg=box.element_handle()
    )
    lesson.keyboard.press("Escape")
    lesson.keyboard.press("Tab")
    assert lesson.evaluate("document.activeElement.className") == "live-run"


def test_an_exercise_is_checked_in_place_and_kept(lesson):
    box = lesson.locator(".cell.tag_exercise").first
    name = re.search(r"def (\w+)", box.text_content())[1]
    assert "write it in the cell above" in run(box).inner_text()
    write(box, f"def {name}(z):\n    return np.where(z < 1, 2.0 * (z - 1), 0.0)")
    assert f"{name}: right" in run(box).inner_text()
    lesson.reload()
    assert "np.where(z < 1" in lesson.locator(".cell.tag_exercise").first.locator(".cm-content").inner_text()


def test_without_a_network_python_starts_again(box, context):
    context.set_offline(True)
    try:
        assert PRINTED in run(box).inner_text()
    finally:
        context.set_offline(False)


NO_STORAGE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
)
NO_CACHES = "CacheStorage.prototype.open = () => Promise.reject(new DOMException('no', 'SecurityError'));"


def test_on_a_phone_by_finger_in_a_window_that_keeps_nothing(browser, address, a_chapter, site):
    context = browser.new_context(viewport={"width": 390, "height": 788}, has_touch=True, is_mobile=True)
    page, errors = context.new_page(), []
    page.set_default_timeout(PATIENT)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(NO_STORAGE + NO_CACHES)
    worker = NO_CACHES + (site / "_static" / "live" / "worker.js").read_text(encoding="utf-8")
    page.route("**/live/worker.js", lambda route: route.fulfill(body=worker, content_type="text/javascript"))
    page.goto(address + a_chapter)
    box = cell(page, PRINTS)
    box.locator(".live-run").tap()
    assert PRINTED in done(box).inner_text()
    box.locator(".cm-content").tap()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("print(6 * 7)")
    box.locator(".live-run").tap()
    assert done(box).inner_text().strip() == "42"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert box.locator(".live-run").bounding_box()["height"] >= 24
    page.goto(address + LOSSES)
    part = part_of(page, "hinge_loss")
    part.get_by_role("button", name="Write hinge_loss").tap()
    part.locator(".cm-content:focus").wait_for()
    page.keyboard.type("x")
    page.locator(".live-status", has_text="This browser keeps nothing").wait_for()
    assert errors == []
    context.close()


def test_two_tabs_write_the_same(context, address):
    """What is written in one tab stands in the other, and neither takes the other's away."""
    one, two = context.new_page(), context.new_page()
    for page in (one, two):
        page.goto(address + LOSSES)
        for name in ("hinge_loss", "squared_loss"):
            part_of(page, name).get_by_role("button", name=f"Write {name}").click()
    write(part_of(one, "hinge_loss"), "def hinge_loss(z):\n    return 'one'")
    part_of(two, "hinge_loss").locator(".cm-content", has_text="one").wait_for()
    write(part_of(two, "squared_loss"), "def squared_loss(z):\n    return 'two'")
    part_of(one, "squared_loss").locator(".cm-content", has_text="two").wait_for()
    assert "one" in part_of(one, "hinge_loss").locator(".cm-content").inner_text()
    one.evaluate("localStorage.clear()")
    for page in (one, two):
        page.close()


def test_an_assignment_is_solved_on_its_page(page, address):
    page.goto(address + LOSSES)
    part = part_of(page, "hinge_loss")
    part.get_by_role("button", name="Write hinge_loss").click()
    write(part, "def hinge_loss(z):\n    return np.maximum(0.0,")
    page.reload()  # half written
    assert "np.maximum(0.0," in part.inner_text()
    part.get_by_role("button", name="Check hinge_loss").click()
    page.locator(".live-part .live-error, .live-output pre").first.wait_for()
    assert re.search("SyntaxError|never closed", page.locator(".solve").inner_text())
    write(part, "def hinge_loss(z):\n    return np.maximum(0.0, 1.0 + z)")
    part.get_by_role("button", name="Check hinge_loss").click()
    part.locator(".live-output", has_text="z has the wrong sign").wait_for()
    write(part, "def hinge_loss(z):\n    return np.maximum(0.0, 1.0 - z)")
    part.get_by_role("button", name="Check hinge_loss").click()
    part.locator(".live-right").wait_for()
    assert "2 of 2 points" in part.inner_text()
    page.reload()
    assert "1.0 - z" in part_of(page, "hinge_loss").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download losses.py").click()
    assert "return np.maximum(0.0, 1.0 - z)" in download.value.path().read_text()
    page.locator(".live-book a").first.click()
    assert "your functions (losses)" in page.locator(".live-note").first.inner_text()
    box = cell(page, "written as it stands")
    assert "4.248e-18" in run(box).inner_text()
    page.get_by_role("button", name="Use the book's own").click()


SOME = [m for m in mistakes.CATALOGUE if m.module == "losses" and not m.where][:10]


def test_mistakes_get_the_same_words_as_on_the_command_line(page, address):
    """Ten of the catalogue, each a whole file, by the page's own Python and by this one."""
    page.goto(address + LOSSES)
    topic = TOPICS["losses"]
    page.get_by_role("button", name="Check all").click()
    page.locator(".live-score", has_text="points").wait_for()
    for mistake in SOME:
        tree = ast.parse(mistakes.mutated_text(mistake))
        wrong = next(node for node in tree.body if getattr(node, "name", "") == mistake.function)
        wrong.decorator_list = []
        source = module_text(topic).replace(cut(topic.task(mistake.function)), ast.unparse(wrong) + "\n")
        there = as_data(check_source(source, topic))
        assert mistake.name in {name for function in there["functions"] for name in function["mistakes"]}
        page.locator("input[type=file]").set_input_files(
            {"name": "losses.py", "mimeType": "text/x-python", "buffer": source.encode()}
        )
        page.locator(".live-status", has_text="found in losses.py").wait_for()
        page.get_by_role("button", name="Check all").click()
        page.wait_for_function("!document.querySelector('.solve > .live-bar').textContent.includes('Stop')")
        for function in there["functions"]:
            part = part_of(page, function["name"])
            assert part.locator(".live-points").inner_text() == f"{function['earned']:g} of {function['points']} points"
            shown = part.locator(".live-output").inner_text().split()
            assert shown == (" ".join(function["lines"]).split() or ["right"]), mistake.name


STAND_IN = {  # what a full distribution would bring along, as far as this test looks
    "matplotlib/__init__.py": "def use(backend): ...",
    "matplotlib/pyplot.py": """
class Figure:
    def savefig(self, file, **_):
        file.write('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">')
        file.write('<path stroke="#222222" d="M0 0h9"/></svg>')

def figure(number): return Figure()
def get_fignums(): return [1]
def close(which): ...
""",
    "scipy/__init__.py": "__version__ = 'of the stand-in'",
}


@pytest.fixture
def distribution(tmp_path):
    """A folder like a full Pyodide distribution: an interpreter, a lock, and NumPy, Matplotlib and SciPy as wheels."""
    folder, modules = tmp_path / "pyodide", live_assets.install()
    shutil.copytree(modules / "pyodide", folder)
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    files = dict(live_assets.numpy_files(modules)) | STAND_IN
    for name in live_assets.PACKAGES:
        wheel = f"{name}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(folder / wheel, "w") as archive:
            for path in [path for path in files if path.startswith(f"{name}/")]:
                archive.writestr(path, files[path])
            archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            archive.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
        lock["packages"][name] = {
            "name": name, "version": "1.0", "file_name": wheel, "install_dir": "site", "package_type": "package",
            "sha256": hashlib.sha256((folder / wheel).read_bytes()).hexdigest(), "unvendored_tests": False,
            "imports": [name], "depends": [] if name == "numpy" else ["numpy"],
        }  # fmt: skip
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    return folder


def test_with_a_full_distribution_matplotlib_draws(browser, site, tmp_path, distribution, serve, a_chapter):
    """The site as its owner would build it with `live_distribution`: all as it is, but for what runs Python."""
    here = tmp_path / "html"
    (here / "_static").mkdir(parents=True)
    for entry in [*site.iterdir(), *(site / "_static").iterdir()]:
        if entry.name not in ("_static", "live"):
            (here / entry.relative_to(site)).symlink_to(entry)
    live_assets.write(here / "_static" / "live", str(distribution))
    page = browser.new_page()
    page.set_default_timeout(PATIENT)
    page.goto(serve(here) + a_chapter)
    box = page.locator(".cell:not(.tag_explore)").first
    box.locator("details").first.evaluate("fold => { fold.open = true; }")
    run(box)
    write(box, "import numpy, scipy\nprint(numpy.arange(4).sum(), scipy.__version__)")
    assert run(box).inner_text().strip() == "6 of the stand-in"
    assert box.locator(".live-picture svg path[stroke='var(--ink)']").count() == 1
    page.close()


def test_from_a_disk_the_page_says_what_to_do(browser, site, a_chapter):
    page = browser.new_page()
    page.goto((site / a_chapter).as_uri())
    box = cell(page, "written as it stands")
    box.locator(".live-run").click()
    box.locator(".live-status", has_text="make serve").wait_for()
    page.close()


STORED = """() => [...document.querySelectorAll('.cell')].filter(cell => !cell.matches('.tag_explore'))
    .map(cell => [...cell.querySelectorAll('.cell_output .stream pre')].map(pre => pre.textContent).join(''))"""
LIVE = """() => [...document.querySelectorAll('.cell')].filter(cell => !cell.matches('.tag_explore')).map(cell => [
    [...cell.querySelectorAll('.live-output > pre:not([class])')].map(pre => pre.textContent).join(''),
    cell.querySelector('.live-error')?.textContent || ''])"""
# Why a cell gives something else in a page: a package that browsers do not run, what such a cell defines, the clock.
REASONS = r"does not run in a browser|NameError|nothing proves that the likelihood|seconds|milliseconds| ns\b| µs\b"


@pytest.mark.skipif(
    not os.environ.get("ASSIGNMENTS_LONG"), reason="every cell of the book in a browser: make test-long"
)
@pytest.mark.parametrize("name", [path.stem for path in contents.notebooks() if path.stem != "speed"])
def test_every_cell_prints_in_the_page_what_is_stored(page, address, name):
    page.set_default_timeout(600_000)
    page.goto(f"{address}book/{name}.html")
    stored = page.evaluate(STORED)
    last = page.locator(".cell:not(.tag_explore)").last
    last.evaluate(
        "cell => { for (let box = cell; box; box = box.parentElement) if (box.open === false) box.open = true; }"
    )
    for fold in last.locator("details").all():
        fold.evaluate("fold => { fold.open = true; }")
    last.get_by_role("button", name="Run all above").click()
    last.locator(".live-status", has_text="The cells above have run.").wait_for()
    came = page.evaluate(LIVE)[:-1]
    ran = [text == before for before, (text, error) in zip(stored, came, strict=False)]
    odd = [
        (k + 1, error or text)
        for k, (before, (text, error)) in enumerate(zip(stored, came, strict=False))
        if text != before and not re.search(REASONS, error + before + text)
    ]
    print(f"{name}: {sum(ran)} of {len(ran)} cells as stored")
    assert not odd
