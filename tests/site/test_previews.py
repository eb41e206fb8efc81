"""References show what they lead to: by mouse, keyboard and finger, from a server and from a disk."""

import re

import pytest

# A kind of reference, how its address begins or goes on, and what must be in its preview.
KINDS = {
    "equation": (r"#eq-", ".math .katex"),
    "equation elsewhere": (r"[\w-]+\.html#eq-", ".math .katex"),
    "statement elsewhere": (r"[\w-]+\.html#thm-", ".box-theorem .box-title"),
    "citation": (r"references\.html#", "em"),
    "chapter": (r"\d[\w-]+\.html$", "h1"),
    "term": (r"#term-", "dt"),
}


@pytest.fixture(scope="module")
def places(site, chapters):
    """For each kind, the first chapter (or the glossary) with such a reference outside a fold, and its address."""
    found = {}
    for name in [*chapters, "glossary"]:
        text = (site / "book" / f"{name}.html").read_text(encoding="utf-8").partition("<article")[2]
        text = re.sub(r"<details.*?</details>", "", text.partition("</article>")[0], flags=re.DOTALL)
        addresses = re.findall(r'<a class="reference internal" href="([^"]+)"', text)
        for kind, (begins, _) in KINDS.items():
            if here := [one for one in addresses if re.match(begins, one)]:
                found.setdefault(kind, (name, here[0]))
    return found


@pytest.fixture
def open_at(window, address, places):
    def go(kind, **options):
        page, (name, href) = window(viewport={"width": 1280, "height": 900}, **options), places[kind]
        page.goto(f"{address}book/{name}.html", wait_until="load")
        link = page.locator(f"article a[href='{href}']:visible:not(.eqno, .headerlink)").first
        link.evaluate("link => link.scrollIntoView({ block: 'center' })")
        page.evaluate("document.fonts.ready")
        page.wait_for_load_state("networkidle")  # pictures that come when they come near
        page.wait_for_timeout(300)
        return page, link

    return go


# Where everything is.
WHERE = """() => [scrollY, document.documentElement.scrollHeight,
    ...[...document.querySelectorAll('article h2, article p')].map(part => part.getBoundingClientRect().top)]"""


@pytest.mark.parametrize("kind", KINDS)
def test_the_mouse_shows_it(open_at, kind):
    page, link = open_at(kind)
    before = page.evaluate(WHERE)
    link.hover()
    card = page.locator(".preview:popover-open")
    card.wait_for()
    assert card.locator(KINDS[kind][1]).count()
    box = card.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 1280 and box["y"] >= 0 and box["y"] + box["height"] <= 900
    assert page.evaluate(WHERE) == before, "something moved"
    assert page.locator("#preview [id]").count() == 0
    page.mouse.move(box["x"] + 20, box["y"] + 10, steps=3)  # onto the card, where it stays
    page.wait_for_timeout(400)
    assert card.count() == 1
    page.keyboard.press("Escape")
    assert card.count() == 0


def test_a_figure_is_shown_with_its_caption(browser, address, site, chapters):
    """Planted at the head of a chapter, as the build writes it: a picture, its caption, and a reference to it."""
    text = (site / "book" / f"{chapters[0]}.html").read_text(encoding="utf-8")
    picture = re.search(r'<img[^>]*src="../_images[^>]*>', text)[0].replace('loading="lazy"', "")
    planted = f"""<p><a class="reference internal" href="#fig-planted">the figure</a></p>
        <div style="height: 2000px"></div><figure class="numbered" id="fig-planted">
        <div class="cell_output"><span class="figure" id="figure-planted">{picture}</span></div>
        <figcaption><strong class="box-title">Figure.</strong> A line.</figcaption></figure>"""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    body = text.replace("</h1>", f"</h1>{planted}", 1)
    page.route(
        f"**/{chapters[0]}.html", lambda route: route.fulfill(body=body, content_type="text/html; charset=utf-8")
    )
    page.goto(f"{address}book/{chapters[0]}.html")
    page.locator("a[href='#fig-planted']").first.hover()
    card = page.locator(".preview:popover-open")
    card.locator("img").wait_for()
    page.wait_for_function("document.querySelector('.preview img').naturalWidth")
    assert card.locator("img").bounding_box()["height"] > 100
    assert card.locator("figcaption").inner_text() == "Figure. A line."
    assert page.locator("#preview [id]").count() == 0
    page.close()


@pytest.mark.parametrize("kind", ["equation", "statement elsewhere"])
def test_the_keyboard_shows_it(open_at, kind):
    page, link = open_at(kind)
    page.keyboard.press("Shift")  # a hand on the keyboard
    link.focus()
    card = page.locator(".preview:popover-open")
    card.wait_for()
    assert link.get_attribute("aria-describedby") == "preview"
    page.keyboard.press("Escape")
    assert card.count() == 0 and link.get_attribute("aria-describedby") is None
    assert link.evaluate("link => link === document.activeElement")
    href = link.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_function("hash => location.href.endsWith(hash)", arg=href.split("/")[-1])


@pytest.mark.parametrize("kind", ["equation", "citation"])
def test_a_finger_shows_it_and_then_follows(open_at, kind):
    page, link = open_at(kind, has_touch=True)
    before, card, href = page.url, page.locator(".preview:popover-open"), link.get_attribute("href")
    link.tap()
    card.wait_for()
    assert page.url == before
    page.touchscreen.tap(5, 400)
    page.wait_for_timeout(100)
    assert card.count() == 0 and page.url == before
    link.tap()
    card.wait_for()
    link.tap()
    page.wait_for_function("hash => location.href.endsWith(hash)", arg=href)


def test_without_a_script_the_link_is_followed(open_at):
    page, link = open_at("statement elsewhere", java_script_enabled=False)
    href = link.get_attribute("href")
    link.click()
    assert page.url.endswith(href)


def test_from_a_disk_it_is_shown_in_words(browser, site, places):
    page = browser.new_page()
    name, href = places["statement elsewhere"]
    page.goto((site / "book" / f"{name}.html").as_uri())
    page.locator(f"article a[href='{href}']:visible").first.hover()
    page.locator(".preview:popover-open .find-title").wait_for()
    page.close()
