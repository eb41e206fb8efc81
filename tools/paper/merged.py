"""The built pages, made ready for paper: without what only a screen can do, and with links that stay inside the book.

What is folded on a page stands at the back of its chapter, with links both ways; the code that draws a figure is left
out; an explorable is its still picture and a line that says where to play with it. Numbers are those of the pages.
"""

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import yaml
from contents import ROOT
from lxml import etree, html

SITE = ROOT / "_build" / "html"
SHELF = ROOT / "_build" / "paper"  # where the files are made
FIRST = "index"
SCREEN_ONLY = ".headerlink, .tools, .doors, .to-keep, .solve, .letters, script"
IMPRINT = (
    "Text CC BY 4.0, code BSD-3-Clause. Every number and figure was computed when the book was built; numbers of "
    "equations, theorems, exercises and sections are those of the site. Answers stand at the end of their chapter. The "
    "code that draws a figure is left out here: it is on the site and in the notebooks."
)
ANSWERS = ("Answer", "Solution", "What to see")
UNWRITTEN = "write it in the cell above"  # what a check says of an exercise that nobody has solved yet
DARK = re.compile(r"@media\s*\(prefers-color-scheme:\s*dark\)\s*\{[^{}]*\{[^{}]*\}\s*\}")
DEFINED = re.compile(r"(--[\w-]+):\s*((?:[^;{}()]|\([^()]*\))+);?")
USED = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
WHITE = {"--paper": "#ffffff"}  # the site's paper is a little yellow


@dataclass
class Page:
    """A page of the book: its name below book/, the chapter it belongs to, the part it begins, and what it shows."""

    name: str
    chapter: str
    part: str
    body: html.HtmlElement
    title: str
    pictures: dict = field(default_factory=dict)

    @property
    def slug(self):
        return self.name.replace("/", "-")

    @property
    def is_chapter(self):
        return self.name[:1].isdigit()


def toc(root=ROOT):
    """The names of the pages in order, each with that of its chapter and the caption of the part it begins, or none."""
    table = yaml.safe_load((Path(root) / "_toc.yml").read_text(encoding="utf-8"))
    listed = [(table["root"], table["root"], "")]
    for part in table["parts"]:
        caption = part["caption"]
        for chapter in part["chapters"]:
            for page in (chapter, *chapter.get("sections", ())):
                listed.append((page["file"], chapter["file"], caption))
                caption = ""
    return [(name.removeprefix("book/"), chapter.removeprefix("book/"), caption) for name, chapter, caption in listed]


def config(root=ROOT):
    """The book's title, author and address, as its configuration has them."""
    return yaml.safe_load((Path(root) / "_config.yml").read_text(encoding="utf-8"))


def pages(site=SITE, only=None):
    """The pages of the book, or only those named, ready but for their links."""
    address = config().get("html", {}).get("baseurl") or ""
    found = []
    for name, chapter, part in toc():
        if only is None or name in only:
            page = read(site, name, chapter, part)
            for step in (unfold_code, still_pictures, answers_at_the_back, light_pictures):
                step(page, site=site, address=address)
            found.append(page)
    return found


def read(site, name, chapter, part):
    """One page, without what only a screen shows."""
    text = (site / "book" / f"{name}.html").read_text(encoding="utf-8")
    body = html.fromstring(text).cssselect("article > section")[0]
    for extra in body.cssselect(SCREEN_ONLY):
        extra.drop_tree()
    if name == FIRST:  # the title has a page of its own
        body.cssselect("h1")[0].text = "About this book"
    return Page(name, chapter, part, body, " ".join(body.cssselect("h1")[0].text_content().split()))


def element(tag, text="", **attributes):
    """A new element; an attribute's name is written with _ for what follows it or stands for -."""
    new = html.Element(tag, {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()})
    new.text = text
    return new


def unfold_code(page, **_):
    """Folded code is left out, unless it prints something; `show(…)` is what it shows."""
    for fold in page.body.cssselect("details.hide"):
        cell, output = fold.getparent(), fold.cssselect(".cell_output")
        if "tag_hide-cell" not in cell.get("class"):
            fold.drop_tree()
        elif not output or UNWRITTEN in output[0].text_content():
            cell.drop_tree()
        else:  # the code of a solution, which goes where solutions go
            fold.attrib.pop("class")
            fold.cssselect("summary")[0].clear(keep_tail=True)
            fold.cssselect("summary")[0].text = "Solution"
            cell.drop_tag()
    for shown in page.body.cssselect(".source > .cell_input"):
        shown.drop_tree()
    for cell in page.body.cssselect(".cell"):
        if not cell.text_content().strip() and not cell.cssselect("img"):
            cell.drop_tree()


def section_of(node):
    """The number of the section that a node stands in, or the words of its heading where sections have none."""
    headings = [section.cssselect("h1, h2, h3, h4")[0] for section in node.iterancestors("section")]
    numbers = [number.text for heading in headings for number in heading.cssselect(".secno")]
    return f"section {numbers[0]}" if numbers else f"“{headings[0].text_content().strip()}”"


def still_pictures(page, address, **_):
    """Below an explorable, where to play with it."""
    for figure in page.body.cssselect("figure.lcx"):
        caption = figure.cssselect("figcaption")[0]
        for extra in caption.cssselect(".lcx-off"):
            extra.drop_tree()
        where = f"{section_of(figure)} on the book’s site"
        play = element("span", "To play with this figure, open ", class_="play")
        play.append(element("a", where, href=f"{address}book/{page.name}.html") if address else element("span", where))
        play[0].tail = ". There: "
        play.tail, caption.text = caption.text, None
        caption.insert(0, play)


def asked(fold, words):
    """What a folded answer answers: an exercise, a numbered question, or what its section asks."""
    if words.startswith("Self-test"):
        return words
    if "lcx-see" in (fold.get("class") or ""):
        return f"The figure in {section_of(fold)}"
    for before in fold.itersiblings(preceding=True):
        bold = before.cssselect("strong")
        if (before.tag == "p" or "box" in (before.get("class") or "")) and bold:
            words = re.match(r"Exercise [\d.]*\d|\d+(?=\.)|[^.:(]+", bold[0].text_content().strip())[0]
            if words.startswith("Exercise "):
                return words
            return f"Question {words}" if words.isdigit() else f"{words}, {section_of(fold)}"
    return f"Question in {section_of(fold)}"


def answers_at_the_back(page, **_):
    """Each folded answer goes to the end of its page; a link stands in its place, and one leads back."""
    back = element("section", class_="answers", id="answers")
    back.append(element("h2", "Answers"))
    for fold in page.body.cssselect("details"):
        summary = fold.cssselect("summary")[0]
        words = summary.text_content().strip()
        if words in ANSWERS or words.startswith("Self-test"):
            summary.drop_tree()
            back.append(moved(fold, asked(fold, words), words, len(back)))
        else:
            fold.tag, summary.tag, summary.attrib["class"] = "div", "p", "unfolded"
    if len(back) > 1:
        page.body.append(back)


def moved(fold, question, words, number):
    """The answer of a fold as it stands at the back; the fold becomes a line that leads there."""
    answer = element("div", class_="answer", id=f"answer-{number}")
    title = element("p", class_="answer-title")
    title.append(element("a", question, href=f"#question-{number}", data_page="always"))
    answer.append(title)
    fold.text = None
    answer.extend(list(fold))
    fold.tag, fold.attrib["class"], fold.attrib["id"] = "p", "to-answer", f"question-{number}"
    if words.startswith("Self-test"):
        fold.text, words = f"{words} ", "Answer"
    fold.append(element("a", words, href=f"#answer-{number}", data_page="always"))
    for caption in fold.getparent().iterchildren("figcaption"):  # nothing stands below a caption
        fold.tag = "span"
        caption.append(fold)
    return answer


def light(svg):
    """A picture for white paper, its colours written out: no variables, nothing that asks for the page's theme."""
    svg = DARK.sub("", svg)
    styles = "".join(re.findall(r"<style[^>]*>(.*?)</style>", svg, re.DOTALL))
    colours = dict(DEFINED.findall(styles)) | WHITE
    svg = re.sub(r"<style[^>]*>.*?</style>", lambda style: DEFINED.sub("", style[0]), svg, flags=re.DOTALL)
    while USED.search(svg):
        svg = USED.sub(lambda use: colours.get(use[1], use[2] or "inherit"), svg)
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<!DOCTYPE[^>]*>", "", svg, flags=re.DOTALL)
    return re.sub(r"<path (?![^>]*\bd=)", '<path d="M0 0" ', svg)  # a blank, which has no outline


def light_pictures(page, site, **_):
    """Pictures as files of their own, named by what they show: `page.pictures` has their bytes."""
    for image in page.body.cssselect("img"):
        source = image.get("src")
        if source.startswith("data:image/svg+xml,"):
            content, kind = light(unquote(source.partition(",")[2])).encode(), "svg"
        else:
            file = (site / "book" / page.name).parent / unquote(source)
            kind = file.suffix[1:]
            content = light(file.read_text(encoding="utf-8")).encode() if kind == "svg" else file.read_bytes()
        name = f"images/{hashlib.sha256(content).hexdigest()[:16]}.{kind}"
        page.pictures[name] = content
        image.set("src", name)
        for attribute in ("loading", "decoding"):
            image.attrib.pop(attribute, None)


def write_pictures(book, folder):
    """All pictures of the pages, as files below a folder."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    for page in book:
        for name, content in page.pictures.items():
            (folder / name).write_bytes(content)


def link(book, address):
    """Every link that stays in the book leads to `address(page, id)`; one that leads to a file of the site is words."""
    known = {page.name: page for page in book}
    ids = {page.name: {node.get("id") for node in page.body.iter() if node.get("id")} for page in book}
    lost = []
    for page in book:
        for anchor in page.body.cssselect("a[href]"):
            parts = urlsplit(urljoin(f"book/{page.name}.html", anchor.get("href")))
            target = known.get(parts.path.removeprefix("book/").removesuffix(".html"))
            label = unquote(parts.fragment) or (target.body.get("id") if target else "")
            if parts.scheme in ("http", "https"):
                anchor.set("rel", "external")
            elif target and label in ids[target.name]:
                anchor.set("href", address(target, label))
                if target is not page:
                    anchor.set("data-page", "other")
            else:
                lost.append(f"{page.name}: {anchor.get('href')}")
                anchor.drop_tag()
    return lost


def as_xml(node):
    return etree.tostring(node, encoding="unicode", method="xml", with_tail=False)
