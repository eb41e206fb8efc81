"""A reader never loses the place: contents, outline, Tab, back and forward, heights that hold."""

import pytest

PHONE, TABLET, DESK = {"width": 390, "height": 788}, {"width": 1024, "height": 800}, {"width": 1440, "height": 900}


@pytest.fixture
def visit(window, address):
    """A page of the book in a window of a given size, scrolled to the section with a number."""

    def go(name, size, section=None):
        page = window(viewport=size)
        page.goto(f"{address}book/{name}.html", wait_until="load")
        if section is not None:
            read(page, section)
        return page

    return go


def read(page, number):
    """Scroll so that the section with this number begins just below the bars."""
    page.evaluate(
        """number => {
        const section = document.querySelectorAll('article > section > section')[number];
        scrollTo(0, scrollY + section.getBoundingClientRect().top - 120);
    }""",
        number,
    )
    page.wait_for_timeout(150)
    return page.evaluate("n => document.querySelectorAll('article > section > section')[n].id", number)


@pytest.fixture
def chapter(chapters):
    return chapters[0]


@pytest.mark.parametrize("leave", ["Escape", "button", "beside"])
def test_the_contents_give_the_place_back(visit, chapter, leave):
    page = visit(chapter, PHONE, 4)
    before = page.evaluate("scrollY")
    page.locator(".menu").evaluate("menu => { menu.focus(); menu.click() }")
    assert page.get_by_role("dialog", name="Contents").is_visible()
    assert page.locator("#contents [aria-current]").bounding_box()["y"] < PHONE["height"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    if leave == "Escape":
        page.keyboard.press("Escape")
    elif leave == "button":
        page.get_by_role("link", name="Close the contents").click()
    else:
        page.mouse.click(389, 400)
    page.wait_for_timeout(100)
    assert not page.locator("#contents").is_visible()
    assert page.evaluate("scrollY") == before and "#contents" not in page.url
    assert page.evaluate("document.activeElement.className") == "button menu"


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_tab_goes_on_from_where_one_clicked(visit, chapter, size):
    page = visit(chapter, size, 5)
    page.evaluate("getSelection().removeAllRanges()")
    words = page.locator("article > section > section").nth(5).locator("p").first
    words.click(position={"x": 3, "y": 8})
    at = page.evaluate("scrollY")
    page.keyboard.press("Tab")
    page.wait_for_timeout(100)
    focused = page.evaluate("document.activeElement.getBoundingClientRect().top + scrollY")
    assert focused > at, "Tab after a click in the text went back to the top of the page"
    assert abs(page.evaluate("scrollY") - at) < 2000


SECTIONS = "[...document.querySelectorAll('article > section > section')]"
HEIGHTS = f"{SECTIONS}.map(section => [section.id, section.getBoundingClientRect().height])"
WAITING = f"{SECTIONS}.map(section => !section.firstElementChild.checkVisibility({{ contentVisibilityAuto: true }}))"
ALL_OF_IT = "* { content-visibility: visible !important }"


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_heights_hold_before_anything_moves(window, address, site, chapters, size):
    """What a section says its height is, is within a tenth of what it is when all is laid out, explorables alive."""
    lies, page = [], window(viewport=size)
    patient = (site / "_static" / "book.css").read_text(encoding="utf-8").replace(": optional", ": block")
    page.route("**/book.css*", lambda route: route.fulfill(body=patient, content_type="text/css"))  # with its fonts
    for name in chapters:
        page.goto(f"{address}book/{name}.html", wait_until="load")
        claimed = page.evaluate(HEIGHTS)
        page.add_style_tag(content=ALL_OF_IT)
        page.evaluate("() => document.fonts.ready.then(() => 0)")
        page.evaluate("dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }))")
        for (section, said), (_, true) in zip(claimed, page.evaluate(HEIGHTS), strict=True):
            if abs(said - true) > 0.1 * true:
                lies.append(f"{name}, {section}: {said:.0f} pixels said, {true:.0f} pixels high")
    assert not lies, "run make heights, then make book:\n" + "\n".join(lies)


def test_what_is_far_off_waits(visit, chapters):
    """While a chapter loads, most of its sections are not laid out."""
    for name in chapters:
        waiting = visit(name, PHONE).evaluate(WAITING)
        assert sum(waiting) > len(waiting) / 2, f"{name}: run make heights, then make book"


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
def test_the_outline_marks_what_one_reads(visit, chapter, size):
    """Going down and going up, and with its name in sight wherever one is."""
    page = visit(chapter, size)
    current = page.locator(".outline nav [aria-current]")
    for number in (2, 6, 9, 8, 3, 1):
        anchor = read(page, number)
        assert current.evaluate_all("links => links.map(link => link.hash)") == [f"#{anchor}"]
        box = page.locator(".outline summary").bounding_box()
        assert 0 <= box["y"] < 150
        if size is not DESK:
            assert page.locator(".outline summary").inner_text() == current.evaluate("link => link.textContent")


def test_the_outline_opens_over_the_text(visit, chapter):
    page = visit(chapter, PHONE, 6)
    where = "document.querySelector('article > section > section:nth-of-type(7)').getBoundingClientRect().top"
    before = page.evaluate(where)
    page.locator(".outline summary").click()
    links = page.locator(".outline nav a:visible")
    assert links.count() > 5 and page.evaluate(where) == before
    page.keyboard.press("Escape")
    assert not page.locator(".outline nav").is_visible() and page.evaluate(where) == before
    page.locator(".outline summary").click()
    target = links.nth(3).get_attribute("href")
    links.nth(3).click()
    assert not page.locator(".outline nav").is_visible()
    assert 80 < page.locator(target).bounding_box()["y"] < 200


def test_a_line_shows_how_far_one_is(visit, chapter):
    page = visit(chapter, PHONE)
    width = "new DOMMatrix(getComputedStyle(document.querySelector('.bar'), '::after').transform).a"
    assert page.evaluate(width) == 0
    page.evaluate("scrollTo(0, (document.documentElement.scrollHeight - innerHeight) / 2)")
    page.wait_for_timeout(150)
    assert 0.45 < page.evaluate(width) < 0.55


def test_the_sidebar_shows_this_page_and_the_assignments(visit, chapters):
    page = visit("assignments/newton", DESK)
    listed = page.locator("#contents a").evaluate_all("links => links.map(link => link.href)")
    assert sum("/assignments/" in link for link in listed) >= 10
    for name in ("assignments/newton", "references", chapters[-1]):
        page = visit(name, {"width": 1440, "height": 500})
        box = page.locator("#contents [aria-current='page']").bounding_box()
        assert 56 <= box["y"] < 500, f"{name}: its line in the contents is out of sight"


LINES_OFF = 200  # pixels, six lines


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_back_and_forward_restore_the_place(visit, chapter, size):
    """Within a few lines: what is not laid out yet counts with the height that was measured, whichever font came."""
    page = visit(chapter, size, 7)
    first = page.evaluate("scrollY")
    with page.expect_navigation(wait_until="load"):
        page.locator("nav.turn a").last.evaluate("link => link.click()")
    read(page, 3)
    second = page.evaluate("scrollY")
    page.go_back(wait_until="load")
    page.wait_for_timeout(400)
    assert abs(page.evaluate("scrollY") - first) < LINES_OFF
    page.go_forward(wait_until="load")
    page.wait_for_timeout(400)
    assert abs(page.evaluate("scrollY") - second) < LINES_OFF
