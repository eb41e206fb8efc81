"""The book as EPUB 3: `python -m paper.epub` (make epub).

Formulas are MathML, figures are for light pages, and nothing needs a script.
"""

import re
import sys
import time
import uuid
import zipfile
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from paper import merged, shelf
from paper.merged import SHELF, SITE, as_xml, element

HERE = Path(__file__).parent
NAME = "linear-classification.epub"
APPLIED = "\u2061"  # the sign, unseen, between a function and what it is applied to
UNUSED = ("style", "data-page", "data-kind", "role", "border")  # attributes
KINDS = {"svg": "image/svg+xml", "png": "image/png"}
CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
SHEET = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><title>{title}</title><link rel="stylesheet" type="text/css" href="epub.css"/></head>
<body>
{body}
</body>
</html>
"""
PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:{identifier}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator>
<dc:language>en</dc:language>
<dc:rights>Text CC BY 4.0, code BSD-3-Clause</dc:rights>
<dc:description>{about}</dc:description>
<meta property="dcterms:modified">{modified}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessMode">visual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">MathML</meta>
<meta property="schema:accessibilityFeature">alternativeText</meta>
<meta property="schema:accessibilityFeature">structuralNavigation</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">Formulas are MathML, and every picture has a description.</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="epub.css" media-type="text/css"/>
{items}
</manifest>
<spine>
<itemref idref="title"/>
<itemref idref="nav"/>
{spine}
</spine>
</package>
"""


def mathml(page):
    """Each formula as its MathML alone; a displayed one keeps its number beside it."""
    for formula in page.body.cssselect(".katex"):
        math = formula.cssselect("math")[0]
        for source in math.cssselect("annotation"):
            math.set("alttext", " ".join(source.text.split()))
            source.drop_tree()
        math.cssselect("semantics")[0].drop_tag()
        for extra in math.xpath(".//msub/mo | .//msup/mo | .//msubsup/mo"):
            if extra.text == APPLIED:  # KaTeX writes it after a function's name, be it an index
                extra.drop_tree()
        for bar in math.xpath(".//mo[@stretchy='false' and (text()='∣' or text()='∥')]"):
            bar.attrib.update({"lspace": "0em", "rspace": "0em"})  # it encloses; without a word it would be a relation
        if formula.getparent().get("class") == "katex-display":
            math.set("display", "block")
            formula = formula.getparent()
        math.tail, formula.tail = formula.tail, None
        formula.getparent().replace(formula, math)


def tidy(page):
    """What XHTML does not allow, or a reader's own style does better."""
    for node in page.body.iter():
        for name in UNUSED:
            node.attrib.pop(name, None)
    for figure in page.body.cssselect("span.figure, span.scroll"):
        figure.tag = "div"
    for extra in page.body.cssselect("wbr, colgroup"):
        extra.drop_tree()


def sheet(page):
    """A page of the site as a file of the EPUB."""
    part = f'<p class="part">{escape(page.part)}</p>\n' if page.part else ""
    return SHEET.format(title=escape(page.title), body=part + as_xml(page.body))


def title_sheet(book):
    """The first file: the title, what the book is about, its picture, and who may do what with it."""
    settings, first = merged.config(), book[0].body
    parts = [as_xml(part) for part in first.cssselect(".lead, .hero")]
    words = f"By {settings['author']}. {merged.IMPRINT}"
    body = f'<h1 class="title">{settings["title"]}</h1>{"".join(parts)}<p class="imprint">{words}</p>'
    for part in first.cssselect(".lead, .hero"):
        part.drop_tree()
    return SHEET.format(title=settings["title"], body=body)


def navigation(book):
    """Contents: parts, chapters and their sections."""
    nav, groups = element("nav", epub_type="toc", id="toc"), []
    nav.append(element("h1", "Contents"))
    nav.append(top := element("ol"))
    current = top
    for page in book:
        if page.part:
            top.append(group := element("li"))
            group.extend([element("span", page.part), current := element("ol")])
            groups.append(group)
        current.append(entry := element("li"))
        entry.append(element("a", page.title, href=f"{page.slug}.xhtml"))
        sections = [one for one in page.body.iterchildren("section") if page.is_chapter and one.get("id")]
        if sections:
            entry.append(inner := element("ol"))
        for section in sections:
            words = " ".join(section.cssselect("h2")[0].text_content().split())
            inner.append(item := element("li"))
            item.append(element("a", words, href=f"{page.slug}.xhtml#{section.get('id')}"))
    return SHEET.format(title="Contents", body=as_xml(nav).replace("epub-type=", "epub:type="))


def package(site, book, texts, pictures):
    """The list of all files, and in which order they are read."""
    settings, items = merged.config(), []
    for name, text in texts.items():
        properties = ' properties="mathml"' if "<math" in text else ""
        items.append(f'<item id="{identifier(name)}" href="{name}" media-type="application/xhtml+xml"{properties}/>')
    for name in pictures:
        items.append(f'<item id="{identifier(name)}" href="{name}" media-type="{KINDS[name.rpartition(".")[2]]}"/>')
    spine = "\n".join(f'<itemref idref="{identifier(name)}"/>' for name in texts if name != "title.xhtml")
    about = " ".join(book[0].body.cssselect("p")[0].text_content().split()) if book[0].body.cssselect("p") else ""
    return PACKAGE.format(
        identifier=uuid.uuid5(uuid.NAMESPACE_URL, f"linclass {shelf.digest(site)}"),
        title=settings["title"],
        author=settings["author"],
        about=escape(about),
        modified=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        items="\n".join(items),
        spine=spine,
    )


def identifier(name):
    """A file's name as an id of XML."""
    return "title" if name == "title.xhtml" else "f-" + re.sub(r"\W", "-", name)


def make(site, folder, only=None):
    """The EPUB, from the built site; `only` some of its pages."""
    book = merged.pages(site, only)
    merged.link(book, lambda page, label: f"{page.slug}.xhtml#{label}")
    for page in book:
        mathml(page)
        tidy(page)
    pictures = {name: content for page in book for name, content in page.pictures.items()}
    texts = {"title.xhtml": title_sheet(book)} | {f"{page.slug}.xhtml": sheet(page) for page in book}
    target = folder / NAME
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("book/book.opf", package(site, book, texts, pictures))
        archive.writestr("book/nav.xhtml", navigation(book))
        archive.write(HERE / "epub.css", "book/epub.css")
        for name, content in (texts | pictures).items():
            archive.writestr(f"book/{name}", content)
    return target


def main():
    if not (SITE / "index.html").exists():
        sys.exit("the book is not built: run make book")
    SHELF.mkdir(exist_ok=True)
    start = time.perf_counter()
    target = make(SITE, SHELF)
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB, {time.perf_counter() - start:.0f} s")
    shelf.record(SITE, target)
    shelf.put(SITE, SHELF)


if __name__ == "__main__":
    main()
