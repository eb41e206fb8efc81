"""How the pages are set: lines, faces, numbers, permalinks, the theme's button, and the lists at the back."""

import re
import statistics

import pytest
from fontTools.ttLib import TTFont

# The number of characters of each full line of the paragraphs that are plain text.
LINES = """() => [...document.querySelectorAll('article section > p')]
    .filter(p => !p.querySelector('.katex, code') && p.textContent.length > 200).flatMap(p => {
        const words = document.createTreeWalker(p, NodeFilter.SHOW_TEXT), lines = new Map();
        while (words.nextNode()) for (let i = 0; i < words.currentNode.length; i++) {
            const range = new Range();
            range.setStart(words.currentNode, i);
            range.setEnd(words.currentNode, i + 1);
            const { bottom, height } = range.getBoundingClientRect(), line = Math.round(bottom / 8);
            if (height) lines.set(line, (lines.get(line) || 0) + 1);
        }
        return [...lines.values()].slice(0, -1);
    })"""


@pytest.fixture
def visit(window, address):
    def go(name, width=1440, **options):
        page = window(viewport={"width": width, "height": 900}, **options)
        page.goto(f"{address}{name}.html")
        page.evaluate("() => document.fonts.ready.then(() => 0)")
        return page

    return go


@pytest.mark.parametrize("width", [1024, 1440])
def test_lines_have_75_to_80_characters(visit, chapters, width):
    lines = []
    for name in chapters[:3]:
        page = visit(f"book/{name}", width)
        page.reload()  # on a busy machine the fonts of a first visit may come too late
        lines += page.evaluate(LINES)
    assert len(lines) > 15 and 75 <= statistics.median(lines) <= 80, statistics.median(lines)


def test_bold_is_there_at_the_first_visit(browser, address, site):
    """On every page that has bold text its face has come, each page being the first that a browser sees."""
    bold = """[...document.querySelectorAll('article :is(strong, b, dt, th, h1, h2, h3)')].some(part =>
        +getComputedStyle(part).fontWeight >= 600 &&
        getComputedStyle(part).fontFamily.startsWith('"Source Serif') &&
        [...part.childNodes].some(node => node.data?.trim()))"""
    loaded = """[...document.fonts].some(face => /Serif/.test(face.family) && /^600/.test(face.weight) &&
        !/370/.test(face.unicodeRange) && face.status === 'loaded')"""
    with_bold, without = [], []
    page = browser.new_page()
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    for path in sorted(site.glob("book/*.html")):
        page.goto(f"{address}book/{path.name}")
        page.evaluate("() => document.fonts.ready.then(() => 0)")
        if page.evaluate(bold):
            (with_bold if page.evaluate(loaded) else without).append(path.name)
    page.close()
    assert len(with_bold) > 10 and not without, without


def test_greek_and_signs_are_in_the_fonts(site):
    """Every letter that results of the search show is in a face of the page's own."""
    fonts = site / "_static" / "fonts"
    latin, greek = "source-serif-4-latin-400-normal", "source-serif-4-greek-400-normal"
    names = [latin, greek, "KaTeX_Main-Regular"]
    known = set().union(*(TTFont(fonts / f"{name}.woff2").getBestCmap() for name in names))
    used = set((site / "_static" / "search-index.js").read_text(encoding="utf-8"))
    letters = {ord(sign) for sign in used if "α" <= sign <= "ω"}
    assert len(letters) > 12 and letters <= known
    assert {ord(sign) for sign in "≤≥∈−√∇→⋅"} <= known


def test_a_greek_letter_in_the_text_is_set_in_the_books_face(visit, chapters):
    page = visit(f"book/{chapters[0]}")
    page.evaluate("document.querySelector('article p').textContent = 'θ and λ'")
    page.wait_for_function(
        "[...document.fonts].some(face => /370/.test(face.unicodeRange) && face.status === 'loaded')"
    )


def test_sections_are_numbered(visit, chapters):
    for name in chapters[:2]:
        page = visit(f"book/{name}")
        chapter = page.locator("h1").inner_text().split()[0]
        numbers = page.locator("article > section > section > h2 > .secno").all_text_contents()
        assert numbers == [f"{chapter}.{k + 1}" for k in range(page.locator("article > section > section").count())]


KINDS = {
    "section": "h2 > .headerlink",
    "statement": ".box-theorem > .headerlink",
    "equation": ".eqno",
    "figure": "figcaption .headerlink",
}


@pytest.mark.parametrize("kind", KINDS)
def test_permalinks(visit, chapters, kind):
    """The keyboard reaches and shows them, a finger sees them, and they lead to what they stand at."""
    page = visit(f"book/{chapters[0]}")
    links = page.locator(f"article {KINDS[kind]}:visible")
    assert links.count() >= 3
    link = links.nth(1)
    page.keyboard.press("Shift")
    link.focus()
    assert link.evaluate("link => link === document.activeElement && +getComputedStyle(link).opacity") == 1
    page.keyboard.press("Enter")
    target = page.url.partition("#")[2]
    assert link.evaluate("(link, id) => document.getElementById(id).contains(link)", target)
    finger = visit(f"book/{chapters[0]}", 390, has_touch=True, is_mobile=True)
    assert finger.locator(KINDS[kind]).nth(1).evaluate("link => +getComputedStyle(link).opacity") >= 0.5


def test_a_finger_copies_code(visit, chapters):
    page = visit(f"book/{chapters[0]}", 390, has_touch=True, is_mobile=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.locator(".copy:visible").first
    assert button.evaluate("button => +getComputedStyle(button).opacity") == 1
    button.tap()
    page.wait_for_selector(".copied")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_button_says_its_state_and_changes_at_once(visit, scheme):
    page = visit("book/index", color_scheme=scheme)
    colour, button = "getComputedStyle(document.body).backgroundColor", page.locator(".theme")
    seen = [page.evaluate(colour)]
    assert button.inner_text() == "Auto" and "as the system" in button.get_attribute("aria-label")
    other = "dark" if scheme == "light" else "light"
    for state in (other, scheme):
        button.click()
        seen.append(page.evaluate(colour))
        assert button.inner_text().lower() == state and state in button.get_attribute("aria-label")
    assert seen[0] != seen[1] != seen[2] == seen[0]
    page.reload()
    assert button.inner_text().lower() == scheme
    button.click()
    assert button.inner_text() == "Auto"


def test_references_have_their_doi_and_where_they_are_cited(visit, site):
    page = visit("book/references")
    dois = re.findall(
        r"doi\s*=\s*[{\"]([^}\"]+)", (site.parents[1] / "book" / "references.bib").read_text(encoding="utf-8")
    )
    links = page.locator("article a[href*='doi.org']").evaluate_all("links => links.map(link => link.href)")
    assert len(dois) > 30 and len(set(links)) >= len(set(dois)) - 1
    entries = page.locator("article li[id]")
    cited = page.locator("article li[id] > .cited")
    assert entries.count() == cited.count() > 50
    first = cited.locator("a").first
    key = first.evaluate("link => link.closest('li').id")
    first.click()
    assert page.locator(f"article a[href='references.html#{key}']").count()


def test_the_glossary_goes_from_a_to_z(visit):
    page = visit("book/glossary")
    for link in page.locator(".letters a").all():
        letter, target = link.inner_text(), link.get_attribute("href")
        assert page.locator(target).inner_text().upper().startswith(letter)
    letters = page.locator(".letters a").all_inner_texts()
    assert letters == sorted(letters) and len(letters) > 15
    terms = [term.lower() for term in page.locator("article dt").all_inner_texts()]
    assert terms == sorted(terms)


def test_the_map_of_the_notes_speaks_in_words(visit):
    text = visit("book/notes-map").locator("article").inner_text()
    assert not re.findall(r"\b(?:thm|eq)-[\w-]+", text)
    assert re.search(r"chapter \d+, (?:Theorem|Proposition) \d+\.\d+", text)
