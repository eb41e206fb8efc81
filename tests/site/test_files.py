"""What the built files say, without a browser: links, anchors, pictures, heads, other hosts."""

import itertools
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")) if SITE.exists() else []
each_page = pytest.mark.parametrize("page", [name for name in PAGES if name != "404.html"])


@cache
def soup(page):
    return BeautifulSoup((SITE / page).read_text(encoding="utf-8"), "html.parser")


@cache
def ids(page):
    return {tag["id"] for tag in soup(page).find_all(id=True)}


def test_there_is_a_site(site):
    assert len(PAGES) > 3


@each_page
def test_internal_links_resolve(page):
    broken = []
    for tag in soup(page).find_all(["a", "link", "img", "script", "form"]):
        target = tag.get("href") or tag.get("src") or tag.get("action") or ""
        parts = urlsplit(target)
        if parts.scheme or target.startswith("//") or not (parts.path or parts.fragment):
            continue
        path = (SITE / page).parent.joinpath(unquote(parts.path)).resolve() if parts.path else SITE / page
        if not path.is_file():
            broken.append(f"{target}: no such file")
        elif parts.fragment and path.suffix == ".html":
            if unquote(parts.fragment) not in ids(path.relative_to(SITE.resolve()).as_posix()):
                broken.append(f"{target}: no such anchor")
    assert not broken, f"{page}:\n" + "\n".join(sorted(set(broken)))


@each_page
def test_nothing_comes_from_another_host(page):
    foreign = [
        str(tag)[:200]
        for tag in soup(page).find_all(True)
        for name in ("src", "srcset", "href", "data", "poster", "action")
        if tag.name != "a" and re.match(r"(https?:)?//", tag.get(name, ""))
        if tag.get("rel") != ["canonical"]
    ]
    assert not foreign, f"{page} asks another host:\n" + "\n".join(foreign)


def test_styles_and_scripts_name_no_other_host(site):
    for path in [*site.rglob("*.css"), *site.rglob("*.js")]:
        found = re.findall(
            r"(?:url\(|@import\s+|fetch\()[\"']?((?:https?:)?//[^\"')]+)", path.read_text(encoding="utf-8")
        )
        assert not found, f"{path.name} asks another host: {found}"


@each_page
def test_pictures_have_words(page):
    silent = [str(image)[:160] for image in soup(page).select("article img") if len(image.get("alt", "")) < 15]
    paths = [str(i)[:160] for i in soup(page).find_all("img") if re.search(r"_images|\.(svg|png)$", i.get("alt", ""))]
    assert not silent + paths, f"{page}: pictures without alt text:\n" + "\n".join(silent + paths)
    unsized = [str(image)[:160] for image in soup(page).select("article img") if not image.get("width")]
    assert not unsized, f"{page}: pictures without their size:\n" + "\n".join(unsized)


@each_page
def test_ids_are_unique(page):
    found = [tag["id"] for tag in soup(page).find_all(id=True)]
    assert not (twice := sorted({name for name in found if found.count(name) > 1})), f"{page}: ids used twice: {twice}"


@each_page
def test_the_head_says_what_the_page_is(page):
    head = soup(page).head
    assert soup(page).html["lang"] == "en"
    assert head.title.string.strip()
    assert 50 <= len(head.find("meta", attrs={"name": "description"})["content"]) <= 170
    assert head.find("link", rel="icon")
    assert page == "search.html" or head.find("meta", attrs={"property": "og:title"})["content"]


@each_page
def test_headings_are_in_order(page):
    levels = [int(tag.name[1]) for tag in soup(page).find_all(["h1", "h2", "h3", "h4", "h5", "h6"])]
    assert levels.count(1) == 1 and levels[0] == 1, f"{page}: one h1, first, but {levels}"
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels)), f"{page}: a level is skipped: {levels}"


@each_page
def test_every_formula_is_rendered(page):
    article = soup(page).article
    sources = int(article.get("data-formulas", 0))
    rendered = len(article.select(".math .katex"))
    assert rendered == sources, f"{page}: {sources} formulas in the text, {rendered} rendered"
    assert len(article.select("math annotation")) >= rendered
    assert not article.select(".katex-error")


@each_page
def test_a_full_stop_stays_with_its_formula(page):
    after = [str(formula.next_sibling)[:20] for formula in soup(page).select("article span.math")]
    loose = [text for text in after if re.match(r"[.,;:!?)\]’”]", text)]
    assert not loose, f"{page}: a line may end between a formula and what follows it: {loose}"


@each_page
def test_no_markup_is_left_raw(page):
    text = BeautifulSoup(str(soup(page).article), "html.parser")
    for tag in text.select("pre, code, .katex, script, style"):
        tag.decompose()
    raw = re.findall(
        r"\$[^$\n]{1,60}\$|\\[a-z]+\{|\*\*\w[^*\n]*\*\*|```|\]\([^)]*\)|<a id|:::|\{[a-z]+\}`", text.get_text(" ")
    )
    assert not raw, f"{page}: raw markup on the page: {raw[:5]}"


def test_the_site_has_its_side_pages(site):
    assert "first page" in (site / "404.html").read_text()
    assert (site / "index.html").exists() and (site / "search.html").exists()


def test_the_site_carries_only_what_it_uses(site):
    assert not list(site.rglob("*.map")) + list(site.rglob("fontawesome*")) + list(site.rglob("bootstrap*"))


@pytest.mark.parametrize(
    "planted, gate, message",
    [
        ('<link rel="stylesheet" href="https://cdn.example/x.css">', test_nothing_comes_from_another_host, "cdn.exam"),
        ('<script src="//cdn.example/x.js"></script>', test_nothing_comes_from_another_host, "cdn.example"),
        ('<a href="ledger.html#nowhere">x</a>', test_internal_links_resolve, "ledger.html#nowhere: no such anchor"),
        ('<a href="gone.html">x</a>', test_internal_links_resolve, "gone.html: no such file"),
        ('<img src="../_static/hero.svg" width="9" height="9">', test_pictures_have_words, "without alt text"),
        ('<img src="../_static/hero.svg" alt="A line and points">', test_pictures_have_words, "without their size"),
        ('<p id="text">twice</p>', test_ids_are_unique, "text"),
        ("<h4>too deep</h4>", test_headings_are_in_order, "a level is skipped"),
        ('<span class="math"><span class="katex">x</span></span>', test_every_formula_is_rendered, "rendered"),
        ('<p><span class="math">x</span>, so</p>', test_a_full_stop_stays_with_its_formula, "', so'"),
        ("<p>some $x$ unset</p>", test_no_markup_is_left_raw, "raw markup"),
    ],
)
def test_a_planted_fault_is_found(site, monkeypatch, planted, gate, message):
    page = "book/index.html"
    text = (SITE / page).read_text(encoding="utf-8").replace("</article>", planted + "</article>")
    faulty = BeautifulSoup(text, "html.parser")
    monkeypatch.setattr(f"{__name__}.soup", lambda name, whole=soup: faulty if name == page else whole(name))
    with pytest.raises(AssertionError, match=message):
        gate(page)
