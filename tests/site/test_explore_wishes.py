"""What a reader may expect of every explorable: reset, a link that shows the same, nothing lost, a phone's screen."""

import json
import re

import explorables
import pytest

from linclass.explore.frame import LEFT, SIZE, TOP, WIDTH

FIGURES = {kind: figure() for kind, figure in explorables.FIGURES.items()}
each_figure = pytest.mark.parametrize("kind", FIGURES)
PHONE = {"width": 390, "height": 788}
BARS = 100  # pixels that the book's own bars take from a phone's screen


@pytest.fixture
def opened(window):
    """A figure in a page of its own, alive; as a page of the book, if asked for."""

    def opened(kind, book=False, query="", **options):
        page = window(**({"viewport": {"width": 760, "height": 900}} | options))
        root = ' data-content_root="./"' if book else ""
        body = f"<!doctype html><html lang=en{root}><meta name=viewport content='width=device-width'><title>t</title>"
        text = body + FIGURES[kind]._repr_html_()
        page.route("**/page.html*", lambda route: route.fulfill(body=text, content_type="text/html; charset=utf-8"))
        page.goto("http://book.test/page.html" + query)
        page.evaluate("dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }))")
        return page

    return opened


def numbers(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate("document.querySelector('figure.lcx').lcx.numbers")


def plot(page):
    """Left, top, right and bottom of the first plot, in pixels; a part of an SVG that clips does not say them."""
    box = page.locator(".lcx-panels > svg").first.bounding_box()
    unit = box["width"] / WIDTH
    left, top = box["x"] + LEFT * unit, box["y"] + TOP * unit
    return left, top, left + SIZE[0] * unit, top + SIZE[1] * unit


def change(page):
    """Move the last handle with the keys, and the first slider; what the figure says then."""
    handle = page.locator("[role=slider][tabindex='0']").last
    handle.focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    slider = page.locator("input[type=range]").first
    if slider.count():
        slider.focus()
        page.keyboard.press("ArrowLeft")
    return numbers(page)


def nearly(a, b):
    """Equal but for the four decimals that an address holds."""
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        a, b = list(a.values()), list(b.values())
    if isinstance(a, list):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            nearly(one, other)
    elif isinstance(a, int | float) and not isinstance(a, bool):
        assert a == pytest.approx(b, rel=0.02, abs=0.02, nan_ok=True)
    else:
        assert a == b


@each_figure
def test_reset(opened, kind):
    page = opened(kind)
    first = numbers(page)
    assert change(page) != first
    page.get_by_role("button", name="Reset").click()
    assert numbers(page) == first
    assert page.evaluate("document.activeElement.textContent") == "Reset"


@each_figure
def test_a_link_shows_what_one_sees(opened, kind):
    page = opened(kind, book=True)
    first = numbers(page)
    after = change(page)
    page.wait_for_function("location.search.length > 1")
    other = opened(kind, book=True, query=page.evaluate("location.search"))
    nearly(numbers(other), after)
    assert numbers(other) != first
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function("location.search.length < 2")


@pytest.mark.parametrize("kind", ["perceptron", "margins", "svm"])
def test_a_link_keeps_points_that_were_added(opened, kind):
    page = opened(kind, book=True)
    page.get_by_role("button", name="Add −1").click()
    page.get_by_role("button", name="Flip chosen point").click()
    after = numbers(page)
    page.wait_for_function("location.search.length > 1")
    nearly(numbers(opened(kind, book=True, query=page.evaluate("location.search"))), after)


@each_figure
def test_an_address_that_is_none_does_no_harm(opened, kind):
    page = opened(kind, book=True, query=f"?explore-{kind}=nonsense")
    assert numbers(page) == numbers(opened(kind))


def test_outside_the_book_the_address_stays(opened):
    page = opened("margins")
    change(page)
    page.wait_for_timeout(700)
    assert page.url.endswith("page.html")


def test_doubling_loses_no_handle(opened):
    """However long theta is, its tip can be seen and taken, and an arrow says where it is."""
    page = opened("margins")
    for _ in range(8):
        page.get_by_role("button", name="Double").click()
    before = numbers(page)["theta"]
    tip = page.get_by_role("slider", name=re.compile("Tip of theta"))
    assert tip.locator(".way").count() == 1
    box, (left, top, right, bottom) = tip.locator("circle").last.bounding_box(), plot(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert left < x < right and top < y < bottom
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y + 30, steps=3)
    page.mouse.up()
    assert abs(numbers(page)["theta"][0]) < abs(before[0]) / 10 and tip.locator(".way").count() == 0


def test_a_point_with_a_large_negative_margin_is_still_seen(opened):
    page = opened("svm")
    slider = page.locator("input[type=range]").first
    slider.fill("3")
    handle = page.locator("[role=slider][tabindex='0']").first
    handle.focus()
    while min(numbers(page)["margins"]) > -6:
        before = min(numbers(page)["margins"])
        for key in ("ArrowLeft", "ArrowDown"):
            for _ in range(6):
                page.keyboard.press(key)
        if min(numbers(page)["margins"]) == before:
            break
    inside = """([width, height]) => [...document.querySelectorAll('.lcx-panels > svg')[1]
        .querySelectorAll('[data-layer=pts] .pt')].every(mark => {
            const [x, y] = mark.getAttribute('transform').match(/-?[\\d.]+/g).map(Number);
            return x >= 0 && x <= width && y >= 0 && y <= height;
        })"""
    assert page.evaluate(inside, list(SIZE))


@pytest.mark.parametrize("kind, slider", [("sgd", "updates"), ("newton", "steps"), ("kernel_sgd", "steps")])
def test_motion(opened, kind, slider):
    """Play goes on by itself, Pause ends it, Step goes on by one; who wants no motion sees the end at once."""
    page = opened(kind)
    value = page.locator("label", has_text=slider).locator("input").first
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("input => +input.value >= 3 && +input.value < +input.max", arg=value.element_handle())
    page.get_by_role("button", name="Pause").click()
    at = int(value.input_value())
    page.wait_for_timeout(900)
    assert int(value.input_value()) == at < int(value.get_attribute("max"))
    page.get_by_role("button", name="Step").click()
    assert int(value.input_value()) == at + 1
    still = opened(kind, reduced_motion="reduce")
    value = still.locator("label", has_text=slider).locator("input").first
    value.fill(value.get_attribute("min"))
    still.get_by_role("button", name="Play").click()
    assert value.input_value() == value.get_attribute("max")


def test_what_the_mouse_is_over_is_marked_in_both_plots(opened):
    page = opened("svm")
    panels = page.locator(".lcx-panels > svg")
    for one, other in ((0, 1), (1, 0)):
        panels.nth(one).locator(".pt").last.hover()
        assert panels.nth(other).locator(".twin").count() == 1
        page.mouse.move(1, 1)
    page = opened("perceptron")
    panels = page.locator(".lcx-panels > svg")
    erred = page.evaluate("document.querySelector('.lcx').lcx.numbers.at")
    assert erred
    bar = panels.nth(1).locator(".stem").first.bounding_box()
    page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + 5)
    assert panels.nth(0).locator(".twin").count() >= 1


CORNER = 6, 6  # pixels from the upper left corner of a plot, where nothing is


@pytest.mark.parametrize("hand", ["mouse", "finger"])
@pytest.mark.parametrize("kind", ["perceptron", "margins", "svm"])
def test_a_press_on_empty_ground_adds_a_point(opened, kind, hand):
    page = opened(kind, has_touch=hand == "finger")
    count = len(numbers(page)["y"])
    left, top, *_ = plot(page)
    press = page.mouse.click if hand == "mouse" else page.touchscreen.tap
    press(left + CORNER[0], top + CORNER[1])
    state = numbers(page)
    assert len(state["y"]) == len(state["X"]) == count + 1 and state["y"][-1] == 1
    page.get_by_role("button", name="Flip chosen point").click()
    assert numbers(page)["y"][-1] == -1
    page.get_by_role("button", name="Remove it").click()
    assert len(numbers(page)["y"]) == count


@pytest.mark.parametrize("kind", ["perceptron", "margins", "svm"])
def test_by_keys_points_are_added_flipped_and_removed_but_no_label_dies_out(opened, kind):
    page = opened(kind)
    page.get_by_role("button", name="Add −1").press("Enter")
    state = numbers(page)
    assert state["y"][-1] == -1
    page.locator("[role=slider][tabindex='0']").first.focus()
    page.keyboard.press("Enter")
    assert numbers(page)["y"][-1] == 1
    for _ in state["y"]:
        page.keyboard.press("Delete")
    assert sorted(set(numbers(page)["y"])) == [-1, 1]


@pytest.mark.parametrize("hand", ["mouse", "finger"])
@pytest.mark.parametrize("kind", ["logistic", "probabilities", "kernels", "sgd", "newton", "kernel_sgd", "losses"])
def test_a_press_on_empty_ground_brings_the_handle_there(opened, kind, hand):
    page = opened(kind, has_touch=hand == "finger")
    left, top, *_ = plot(page)
    press = page.mouse.click if hand == "mouse" else page.touchscreen.tap
    press(left + 40, top + CORNER[1])
    numbers(page)
    place = "handle => handle.getScreenCTM().e"
    assert page.locator("figure .drag").first.evaluate(place) == pytest.approx(left + 40, abs=1.5)


def test_a_press_in_the_triangle_gives_these_probabilities(opened):
    page = opened("softmax")
    mean = sum(numbers(page)["logits"])
    page.locator(".lcx-panels > svg").nth(1).scroll_into_view_if_needed()
    middle = """document.querySelectorAll('.lcx-panels > svg')[1].querySelector('[data-layer=fixed] path')
        .getBoundingClientRect().toJSON()"""
    box = page.evaluate(middle)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 2 / 3)  # where all three are alike
    state = numbers(page)
    assert state["probabilities"] == pytest.approx([1 / 3] * 3, abs=0.02)
    assert sum(state["logits"]) == pytest.approx(mean, abs=0.02)


@pytest.mark.parametrize("kind", ["margins", "logistic", "kernels", "softmax", "probabilities", "perceptron"])
def test_fields_are_filled(opened, kind):
    page = opened(kind)
    fields = page.locator(".lcx-panels [data-layer=back] :is(.area, .shade)")
    assert fields.count() >= 2
    colours = fields.evaluate_all(
        "all => all.map(one => getComputedStyle(one).fill + getComputedStyle(one).fillOpacity)"
    )
    assert all(colour.startswith("rgb(") and not colour.endswith(")0") for colour in colours)


@each_figure
def test_on_a_phone_the_plot_and_its_control_are_seen_together(opened, kind):
    page = opened(kind, viewport=PHONE, has_touch=True, is_mobile=True)
    plot = page.locator(".lcx-panels > svg").first.bounding_box()
    control = page.locator(".lcx-controls > *").first.bounding_box()
    assert control["y"] + control["height"] - plot["y"] <= PHONE["height"] - BARS
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@each_figure
def test_a_question_before_and_what_to_see_after(opened, kind):
    page = opened(kind)
    ask, see = page.locator(".lcx-ask"), page.locator(".lcx-see")
    assert ask.inner_text().endswith("?")
    assert ask.bounding_box()["y"] < page.locator(".lcx-panels").bounding_box()["y"]
    assert not see.locator("p").is_visible()
    see.locator("summary").click()
    assert len(see.locator("p").inner_text()) > 60


@each_figure
def test_ranges_are_announced(opened, kind):
    page = opened(kind)
    for handle in page.locator("[role=slider]").all():
        least, now, most = (float(handle.get_attribute(f"aria-value{name}")) for name in ("min", "now", "max"))
        assert least < most and (least <= now <= most or handle.get_attribute("tabindex") == "-1")


def test_the_probe_of_the_kernels_starts_clear_of_the_points():
    text = re.search(r"<script type=.application/json.>(.*?)</script>", FIGURES["kernels"]._repr_html_(), re.S)[1]
    data = json.loads(text)
    distances = [((x - data["probe"][0]) ** 2 + (y - data["probe"][1]) ** 2) ** 0.5 for x, y in data["X"]]
    assert min(distances) > 0.25
