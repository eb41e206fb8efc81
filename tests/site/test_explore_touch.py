"""A finger on the explorables: every handle follows it and the page stays; beside a handle the page scrolls.

The touches are the browser's own (CDP), which scroll and cancel as on a phone. Two things hold the page under a handle,
touch-action and a touchmove that is cancelled, since not every browser heeds the first inside an SVG: each is tested
without the other.
"""

import functools
import os

import explorables
import pytest

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
FREE = {
    "losses": "x",
    "newton": "x",
    "kernel_sgd": "x",
    "softmax": "y",
}  # handles that move along one axis; the others move along both
REACH = 50  # of a drag, in pixels
SWIPE = 200  # of a swipe
LONG = os.environ.get("ASSIGNMENTS_LONG")  # set by make site-long: every handle, not two of each look
TARGET = 44  # the least width and height of what a finger finds, in pixels
PAGE = """<!doctype html><html lang=en><title>t</title><meta name=viewport content="width=device-width,initial-scale=1">
<body><div style="height:600px"></div><main>{}</main><div style="height:2000px"></div><script>{}</script></body>"""
ALONE = {
    "touch-action alone": "addEventListener('touchmove', (event) => event.stopPropagation(), true)",
    "touchmove alone": "document.head.appendChild(document.createElement('style')).textContent = "
    "'figure * { touch-action: auto !important }'",
}
each_figure = pytest.mark.parametrize("kind", explorables.FIGURES)

# The figure has stood still for some frames.
RESTED = """() => new Promise((done) => {
    let last, calm = 0;
    const look = () => {
        const { top } = document.querySelector("figure.lcx").getBoundingClientRect();
        calm = top === last ? calm + 1 : 0;
        last = top;
        calm > 8 ? done() : requestAnimationFrame(look);
    };
    look();
})"""
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Where each handle's centre is, the middle of its panel, and its look.
HANDLES = """() => [...document.querySelectorAll("figure.lcx .drag")].map((handle) => {
    const panel = handle.closest(".lcx-svg").getBoundingClientRect(), at = handle.getScreenCTM();
    const middle = { x: panel.x + panel.width / 2, y: panel.y + panel.height / 2 };
    return { look: handle.getAttribute("class").replace(" chosen", ""), x: at.e, y: at.f, middle };
})"""
# In each panel that has handles, the place nearest to a handle that belongs to none. It is 40 pixels off, since a touch
# a little beside something is to Chromium a touch of it.
BESIDE = """() => [...document.querySelectorAll("figure.lcx .lcx-svg:has(.drag)")].map((panel) => {
    const box = panel.getBoundingClientRect(), places = [];
    const handles = [...panel.querySelectorAll(".drag")].map((handle) => handle.getScreenCTM());
    for (let x = box.left + 3; x < box.right; x += 5) for (let y = box.top + 3; y < box.bottom; y += 5)
        places.push({ x, y, far: Math.min(...handles.map((at) => Math.hypot(at.e - x, at.f - y))) });
    return places.filter(({ far }) => far > 40).sort((a, b) => a.far - b.far).find(({ x, y }) => {
        const on = document.elementFromPoint(x, y); // which takes its time in a long page
        return on && panel.contains(on) && !on.closest(".drag");
    });
})"""
# How far from each handle's centre a finger still finds a handle, in the directions that the plot's edge does not cut.
TARGETS = """() => [...document.querySelectorAll("figure.lcx .drag")].flatMap((handle) => {
    const at = handle.getScreenCTM(), corner = handle.parentNode.getScreenCTM(), plot = handle.ownerSVGElement;
    const [wide, tall] = [plot.width.baseVal.value * corner.a, plot.height.baseVal.value * corner.d];
    const [left, top] = [at.e - corner.e, at.f - corner.f];
    const room = [[1, 0, wide - left], [-1, 0, left], [0, 1, tall - top], [0, -1, top]];
    return room.filter(([, , r]) => r > 24).map(([u, v]) => {
        let r = 0;
        while (r < 60 && document.elementFromPoint(at.e + r * u, at.f + r * v)?.closest(".drag")) r += 0.5;
        return r;
    });
})"""


@functools.cache
def finger_on(page):
    return Finger(page)


class Finger:
    """One finger on a page."""

    def __init__(self, page):
        self.page, self.client = page, page.context.new_cdp_session(page)

    def send(self, kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        self.client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def slide(self, start, end, steps=3):
        """From start to end without a pause."""
        for k in range(1, steps + 1):
            self.send("touchMove", tuple(a + (b - a) * k / steps for a, b in zip(start, end, strict=True)))

    def swipe(self, start, end):
        """Down, along and up; it rests before it leaves, so that the page does not run on."""
        self.send("touchStart", start)
        self.slide(start, end, steps=5)
        self.page.wait_for_timeout(120)
        self.send("touchEnd")


@pytest.fixture
def phone(window):
    return lambda: window(**PHONE)


def show(page):
    """Bring the figure to life and its first panel into the middle of the window."""
    # Sections are laid out as they come near, which may move the figure: a reader would scroll on, and so does this.
    for _ in range(20):
        page.evaluate("document.querySelector('figure.lcx').scrollIntoView({ block: 'center', behavior: 'instant' })")
        page.evaluate(RESTED)
        if page.locator("figure.lcx-on .lcx-controls").count():
            break
    page.locator("figure.lcx-on .lcx-controls").wait_for(state="attached")
    page.evaluate(RESTED)
    page.evaluate("document.querySelector('figure.lcx .drag').scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.evaluate(RESTED)


def alone(page, kind, script=""):
    """The figure in a page of its own, between much that can be scrolled, with a script to run."""
    text = PAGE.format(explorables.FIGURES[kind]()._repr_html_(), script)
    page.route("http://figure.test/", lambda route: route.fulfill(body=text, content_type="text/html"))
    page.goto("http://figure.test/")
    show(page)
    return page


def in_the_book(page, kind, address):
    """The figure in its chapter."""
    page.goto(f"{address}book/{explorables.CHAPTERS[kind]}.html")
    show(page)
    return page


def state(page):
    """Where the page is, and what the figure shows, after the frame that is due."""
    page.evaluate(SETTLED)
    return page.evaluate("[scrollY, JSON.stringify(document.querySelector('figure.lcx').lcx.numbers)]")


def follows(page, kind, k, axis):
    """Drag handle k along an axis, towards the middle, and back: what went wrong, as sentences."""
    finger, before = finger_on(page), page.evaluate(HANDLES)[k]
    if not 80 < before["y"] < 760:  # in the other panel, further down
        page.locator("figure.lcx .drag").nth(k).evaluate("handle => handle.scrollIntoView({ block: 'center' })")
        page.evaluate(RESTED)
        before = page.evaluate(HANDLES)[k]
    step = {"x": 0, "y": 0, axis: REACH if before[axis] < before["middle"][axis] else -REACH}
    here = (before["x"], before["y"])
    there = (here[0] + step["x"], here[1] + step["y"])
    scroll, numbers = state(page)
    finger.send("touchStart", here)
    finger.slide(here, there)
    moved_scroll, moved_numbers = state(page)
    after = page.evaluate(HANDLES)[k]
    finger.slide(there, here)
    finger.send("touchEnd")
    free = axis in FREE.get(kind, "xy")
    wanted = {a: before[a] + (step[a] if free else 0) for a in "xy"}
    if moved_scroll != scroll or state(page)[0] != scroll:
        yield f"the page scrolled by {moved_scroll - scroll} under handle {k} along {axis}"
    if any(abs(after[a] - wanted[a]) > 1.5 for a in "xy"):
        yield f"handle {k} went to {after['x']:.0f}, {after['y']:.0f} along {axis}, not to {wanted}"
    if (moved_numbers != numbers) != free:
        yield f"the numbers {'stay' if free else 'change'} under handle {k} along {axis}"


def check_handles(page, kind, of_each=2):
    looks = [handle["look"] for handle in page.evaluate(HANDLES)]
    assert looks, "no handle"
    some = [k for k, look in enumerate(looks) if LONG or looks[:k].count(look) < of_each]
    wrong = [line for k in some for axis in "xy" for line in follows(page, kind, k, axis)]
    assert not wrong, "\n".join(wrong)


def check_swipes(page, ways=(SWIPE, -SWIPE)):
    """Beside its handles, a figure lets the page scroll up and down, and does not change."""
    for k in range(page.locator("figure.lcx .lcx-svg:has(.drag)").count()):
        for way in ways:
            panel = page.locator("figure.lcx .lcx-svg:has(.drag)").nth(k)  # in a chapter one of two may be out of sight
            panel.evaluate("panel => panel.scrollIntoView({ block: 'center' })")
            page.evaluate(RESTED)
            place, (scroll, numbers) = page.evaluate(BESIDE)[k], state(page)
            finger_on(page).swipe((place["x"], place["y"]), (place["x"], place["y"] - way))
            moved, after = state(page)
            assert abs(moved - scroll - way) < 0.3 * SWIPE, f"a swipe of {way} scrolled from {scroll} to {moved}"
            assert after == numbers


@each_figure
@pytest.mark.parametrize("mechanism", ALONE)
def test_a_handle_follows_the_finger_and_the_page_stays(phone, kind, mechanism):
    check_handles(alone(phone(), kind, ALONE[mechanism]), kind)


@each_figure
def test_a_finger_finds_the_handle_and_beside_it_the_page_scrolls(phone, kind):
    page = alone(phone(), kind)
    assert min(page.evaluate(TARGETS)) >= TARGET / 2
    check_swipes(page)


@each_figure
def test_in_the_book(phone, address, kind):
    page = in_the_book(phone(), kind, address)
    check_handles(page, kind, of_each=1)
    check_swipes(page, ways=(SWIPE,))
