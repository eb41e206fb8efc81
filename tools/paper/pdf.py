"""The book as one PDF for each size of paper, printed by Chromium: `python -m paper.pdf` (make pdf).

Chromium cannot write the page of a target beside a link, so the book is printed, the pages of all targets are read from
the file, written beside the links, and it is printed again, until no number changes.
"""

import argparse
import shutil
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pikepdf
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from lxml import html

from paper import merged, shelf
from paper.merged import SHELF, SITE, element

HERE = Path(__file__).parent
SIZES = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}  # millimetres
MARGINS = (20.0, 20.0, 20.0, 22.0)  # top, right, bottom, left
PIXELS = 96 / 25.4  # of a browser, in a millimetre
WEIGHTS = {400: "200 500", 650: "501 900"}  # of the sans serif: each stands for a range
LINES, LETTERS = 8, 600  # a listing or a box of less is not cut in two
PASSES = 5  # numbers of pages settle after two or three
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --allow-file-access-from-files"
).split()
FORMULA = "Formula: "  # marks a formula among the pictures until it has a tag of its own


def identity(page, label):
    """What an id is called where all pages are one."""
    return f"{page.slug}.{label}"


def prepare(book):
    """The pages as parts of one document: ids that are its own, headings one level down, formulas with words."""
    for page in book:
        for node in page.body.iter():
            if node.get("id"):
                node.set("id", identity(page, node.get("id")))
            if node.tag in ("h1", "h2", "h3", "h4", "h5"):
                node.tag = f"h{int(node.tag[1]) + 1}"
        for formula in page.body.cssselect(".katex"):
            words = formula.cssselect("annotation")[0].text
            formula.cssselect(".katex-mathml")[0].drop_tree()
            formula.cssselect(".katex-html")[0].attrib.pop("aria-hidden")  # or its words would be hidden along with it
            formula.set("role", "img")
            formula.set("aria-label", FORMULA + " ".join(words.split()))
        for heading in page.body.cssselect("h2")[:1]:
            heading.set("class", "chapter-title")
        for block in page.body.cssselect(".highlight, .box"):
            words = block.text_content().strip()
            if words.count("\n") < LINES and len(words) < LETTERS:
                block.classes.add("whole")


def place_for_number(anchor):
    """After a link, where the number of its page will stand; a paragraph says each page once."""
    spot = element("span", class_="at", data_to=anchor.get("href")[1:])
    spot.tail, anchor.tail = anchor.tail, None
    anchor.addnext(spot)


def places_for_numbers(page):
    for block in page.body.cssselect("p, td, dd, dt, li, figcaption"):
        said = set()
        for anchor in block.cssselect("a[data-page]"):
            nearest = next(parent for parent in anchor.iterancestors("p", "td", "dd", "dt", "li", "figcaption"))
            if nearest is block and (anchor.get("href") not in said or anchor.get("data-page") == "always"):
                said.add(anchor.get("href"))
                place_for_number(anchor)


def title_page(site, book):
    """The title, what the book is about, its picture, and who may do what with it."""
    title, settings = element("section", class_="title-page"), merged.config()
    title.append(element("p", settings["title"], class_="title"))
    title.extend(book[0].body.cssselect(".lead, .hero") if book[0].name == merged.FIRST else [])
    made = datetime.fromtimestamp((site / "index.html").stat().st_mtime, UTC)
    imprint = element("div", class_="imprint")
    imprint.append(element("p", f"By {settings['author']}. Built on {made.day} {made:%B %Y}."))
    imprint.append(element("p", merged.IMPRINT))
    title.append(imprint)
    return title


def table_of_contents(book):
    """Parts, chapters and, of the chapters, sections, each with its page."""
    contents = element("nav", class_="toc", aria_label="Contents")
    contents.append(element("h1", "Contents", id="contents"))
    for page in book:
        if page.part:
            contents.append(element("p", page.part, class_="toc-part"))
        headings = [("chapter", page.body, page.title)]
        if page.is_chapter:
            sections = page.body.cssselect("section section")
            headings += [
                ("section", one, " ".join(one.cssselect("h3")[0].text_content().split()))
                for one in sections
                if one.getparent() is page.body and one.cssselect("h3")
            ]
        for kind, section, words in headings:
            line = element("p", class_=f"toc-{kind}")
            line.append(anchor := element("a", words, href=f"#{section.get('id')}"))
            anchor.append(element("span", class_="leader"))
            anchor.append(element("span", class_="at", data_to=section.get("id")))
            contents.append(line)
    return contents


def steady_fonts(site, folder):
    """The sans serif in two weights: a font of all weights at once would become a drawing of each letter."""
    folder.mkdir(parents=True, exist_ok=True)
    rules = []
    for source in sorted((site / "_static" / "fonts").glob("source-sans-3-*-wght-normal.woff2")):
        for weight, range_ in WEIGHTS.items():
            font = instancer.instantiateVariableFont(TTFont(source), {"wght": weight}, updateFontNames=False)
            font.save(target := folder / f"{source.stem}-{weight}.woff2")
            signs = "unicode-range: U+370-3FF; " if "greek" in source.name else ""
            rules.append(
                f"@font-face {{ font-family: Sans; font-weight: {range_}; {signs}src: url({target.as_uri()}) }}"
            )
    return "\n".join(rules)


def sheet_name(chapter):
    return f"s-{chapter.replace('/', '-')}"


def heads(book):
    """Each chapter has a kind of sheets of its own, so that their heads can say where one is."""
    quoted = [(sheet_name(page.name), page.title.replace('"', '\\"')) for page in book if page.name == page.chapter]
    return "\n".join(f'@page {name} {{ @top-right {{ content: "{title}" }} }}' for name, title in quoted)


def styles(site, book, size):
    """The site's style sheet, what paper changes in it, the size of the paper and the heads of its pages."""
    (width, height), (top, right, bottom, left) = SIZES[size], MARGINS
    of_site = (site / "_static" / "book.css").read_text(encoding="utf-8").replace("font-display: optional", "")
    return "\n".join(
        (
            of_site.replace("url(fonts/", f"url({(site / '_static' / 'fonts').as_uri()}/"),
            steady_fonts(site, SHELF / "fonts"),
            (site / "_static" / "print.css").read_text(encoding="utf-8"),
            (HERE / "paper.css").read_text(encoding="utf-8"),
            f"@page {{ size: {width}mm {height}mm; margin: {top}mm {right}mm {bottom}mm {left}mm }}",
            heads(book),
        )
    )


def document(site, book, size):
    """The whole book as one HTML document."""
    root = html.fromstring(
        '<html lang="en"><head><meta charset="utf-8"></head><body class="formulas paper"></body></html>'
    )
    head, body = root
    head.append(element("title", merged.config()["title"]))
    head.append(element("style", styles(site, book, size)))
    body.append(title_page(site, book))
    body.append(table_of_contents(book))
    for page in book:
        kind = "chapter" if page.name == page.chapter else "section"  # of a chapter, which goes on the same sheet
        sheet = element("article", class_=f"{kind} page-{page.slug}", style=f"page: {sheet_name(page.chapter)}")
        if page.part:
            sheet.append(element("h1", page.part, class_="part"))
        sheet.append(page.body)
        body.append(sheet)
    return "<!DOCTYPE html>\n" + html.tostring(root, encoding="unicode")


def printed(page, target, tagged=True):
    page.pdf(path=target, prefer_css_page_size=True, print_background=True, tagged=tagged, outline=tagged)


def destinations(path):
    """The page, from 1, of every target that a link of the file leads to."""
    with pikepdf.open(path) as pdf:
        numbers = {one.objgen: count for count, one in enumerate(pdf.pages, 1)}
        return {str(name)[1:]: numbers[place[0].objgen] for name, place in (pdf.Root.get("/Dests") or {}).items()}


def write_numbers(page, numbers):
    page.evaluate(
        """(numbers) => document.querySelectorAll(".at").forEach((spot) => {
            spot.textContent = numbers[spot.dataset.to] ?? "000";
        })""",
        numbers,
    )


def settle(page, target):
    """Print until the pages of all targets are those that are written beside the links."""
    write_numbers(page, {})
    printed(page, target, tagged=False)  # only to see where things are
    numbers = destinations(target)
    for _ in range(PASSES):
        write_numbers(page, numbers)
        printed(page, target)
        before, numbers = numbers, destinations(target)
        if before == numbers:
            return
    sys.exit(f"the numbers of pages did not settle in {PASSES} prints")


def chromium():
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    return program or sys.exit("Chromium prints the book, and none was found: install the package chromium")


def print_book(text, target, size):
    """The document printed by Chromium on paper of this size."""
    from playwright.sync_api import sync_playwright

    source = target.with_suffix(".html")
    source.write_text(text, encoding="utf-8")
    (width, height), (top, right, bottom, left) = SIZES[size], MARGINS
    room = {"width": round((width - left - right) * PIXELS), "height": round((height - top - bottom) * PIXELS)}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport=room, color_scheme="light")
        page.set_default_timeout(0)
        page.emulate_media(media="print")
        page.goto(source.as_uri())
        page.evaluate("() => Promise.all([...document.fonts].map((face) => face.load()))")
        page.evaluate((HERE / "fit.js").read_text(encoding="utf-8"))
        settle(page, target)
        browser.close()
    source.unlink()


def finish(path):
    """What Chromium leaves out: who wrote the book, formulas tagged as such; and the file packed tightly."""
    settings = merged.config()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.Root.Lang = "en"
        pdf.Root.PageMode = pikepdf.Name.UseOutlines
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        for thing in pdf.objects:
            if not isinstance(thing, pikepdf.Dictionary) or thing.get("/S") != "/Figure":
                continue
            words = str(thing.get("/Alt", ""))
            if not words:  # around a picture and its caption
                thing.S = pikepdf.Name.Div
            elif words.startswith(FORMULA):
                thing.S, thing.Alt = pikepdf.Name.Formula, pikepdf.String(words.removeprefix(FORMULA))
        with pdf.open_metadata() as meta:
            meta["dc:title"], meta["dc:creator"] = settings["title"], [settings["author"]]
            meta["dc:language"], meta["dc:rights"] = {"en"}, "Text CC BY 4.0, code BSD-3-Clause"
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)


def make(site, folder, size, only=None):
    """The PDF for one size of paper, from the built site; `only` some of its pages."""
    book = merged.pages(site, only)
    lost = merged.link(book, lambda page, label: f"#{identity(page, label)}")
    prepare(book)
    for page in book:
        places_for_numbers(page)
    merged.write_pictures(book, folder)
    target = folder / f"linear-classification-{size.lower()}.pdf"
    print_book(document(site, book, size), target, size)
    finish(target)
    return target, lost


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="PAGE", help="these pages alone, such as 01-margins")
    parser.add_argument("--size", choices=SIZES, action="append", help="A4 or Letter; both if not given")
    asked = parser.parse_args()
    if not (SITE / "index.html").exists():
        sys.exit("the book is not built: run make book")
    SHELF.mkdir(exist_ok=True)
    for size in asked.size or SIZES:
        start = time.perf_counter()
        target, _ = make(SITE, SHELF, size, asked.only)
        with pikepdf.open(target) as pdf:
            count = len(pdf.pages)
        print(f"{target}: {count} pages, {target.stat().st_size / 1e6:.1f} MB, {time.perf_counter() - start:.0f} s")
        if not asked.only:
            shelf.record(SITE, target)
    shelf.put(SITE, SHELF)


if __name__ == "__main__":
    main()
