"""What a reader does: unfold, go by keyboard, change the theme, read without JavaScript or from a disk."""

import pytest


@pytest.fixture
def page(window):
    page = window(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(media="screen")
    return page


@pytest.fixture
def chapter(page, address):
    page.goto(address + "book/01-margins.html")
    return page


def test_a_folded_answer_opens_by_keyboard(chapter):
    answer = chapter.locator("article details").first
    assert not answer.evaluate("e => e.open")
    answer.locator("summary").focus()
    chapter.keyboard.press("Enter")
    assert answer.evaluate("e => e.open")


def test_the_keyboard_reaches_everything(chapter):
    """The first press reaches the skip link, which leads to the text; nothing that can be clicked is left out."""
    chapter.keyboard.press("Tab")
    assert chapter.evaluate("document.activeElement.className") == "skip"
    chapter.keyboard.press("Enter")
    chapter.keyboard.press("Tab")
    assert chapter.evaluate("document.activeElement.closest('main') !== null")
    unreachable = "[...document.querySelectorAll('a[href], button, summary, input')].filter(e => e.tabIndex < 0).length"
    assert chapter.evaluate(unreachable) == 0


def test_what_scrolls_can_be_reached(chapter):
    chapter.set_viewport_size({"width": 390, "height": 844})
    chapter.keyboard.press("Tab")
    stuck = """[...document.querySelectorAll('.math-scroll, .scroll, pre')]
        .filter(e => e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0).length"""
    assert chapter.evaluate(stuck) == 0


def test_code_is_copied(chapter):
    chapter.context.grant_permissions(["clipboard-read", "clipboard-write"])
    code = chapter.locator(".cell_input .highlight:visible").first  # those of folded cells are not seen
    code.hover()
    code.get_by_role("button", name="Copy").click()
    chapter.wait_for_selector(".copied")
    assert chapter.evaluate("navigator.clipboard.readText()") == code.locator("pre").inner_text()


def test_the_theme_changes_and_stays(chapter):
    colour = "getComputedStyle(document.body).backgroundColor"
    light = chapter.evaluate(colour)
    chapter.locator(".theme").click()
    dark = chapter.evaluate(colour)
    assert dark != light
    chapter.reload()
    assert chapter.evaluate(colour) == dark


def test_the_contents_open_on_a_phone(chapter):
    chapter.set_viewport_size({"width": 390, "height": 844})
    assert not chapter.locator("#contents").is_visible()
    chapter.locator(".menu").click()
    assert chapter.locator("#contents").is_visible()
    chapter.keyboard.press("Escape")
    assert not chapter.locator("#contents").is_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_a_link_within_the_page_leads_there(chapter, width):
    chapter.set_viewport_size({"width": width, "height": 844})
    for links in (".outline a[href^='#']", "article a[href^='#eq-']:not(.eqno)"):
        link = chapter.locator(links).last
        link.evaluate("link => link.click()")
        chapter.wait_for_timeout(400)
        assert 50 < chapter.locator(link.get_attribute("href")).bounding_box()["y"] < 600


def test_motion_is_reduced_on_request(browser, address):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(address + "book/index.html")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    context.close()


def test_without_javascript(browser, address):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(address + "book/01-margins.html")
    formula = page.locator(".math-scroll .katex-html").first
    assert formula.is_visible() and formula.bounding_box()["width"] > 40
    page.locator(".menu").click()
    assert page.locator("#contents").is_visible()
    page.goto(address + "book/01-margins.html")
    page.locator("article details summary").first.click()
    assert page.locator("article details").first.get_attribute("open") is not None
    context.close()


def test_from_a_disk(page, site):
    failed = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.on("console", lambda message: failed.append(message.text) if message.type in ("error", "warning") else None)
    page.goto((site / "index.html").as_uri())
    page.locator("article a[href*='01-margins']").first.click()
    page.wait_for_selector(".math-scroll .katex-html")
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px KaTeX_Main'))")
    page.goto((site / "search.html").as_uri() + "?q=margin")
    page.wait_for_selector(".find-list a", timeout=10_000)
    assert not failed


def test_in_print_the_text_is_alone(chapter):
    chapter.emulate_media(media="print")
    assert not chapter.locator(".bar").is_visible() and not chapter.locator("#contents").is_visible()
    assert chapter.locator("h1").is_visible()


@pytest.mark.parametrize("page_name", ["book/01-margins.html", "book/index.html", "book/ledger.html"])
def test_targets_are_large_enough(browser, address, page_name):
    """On a phone every button and every link of the frame is at least 24 by 24 pixels."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(address + page_name)
    small = """[...document.querySelectorAll('.bar a, .bar button, .turn a, .tools a, summary')]
        .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([html]) => html)"""
    assert page.evaluate(small) == []
    context.close()
