"""The book on paper: every number of the pages, links that stay inside, full pages, fonts; and as EPUB.

Three chapters are printed for these tests. With PAPER_LONG=1 they are asked of the whole book as `make pdf` and
`make epub` made it (make paper-long).
"""

import copy
import json
import os
import posixpath
import re
import subprocess
import sys
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from lxml import etree
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]
LONG = bool(os.environ.get("PAPER_LONG"))
CHAPTERS = ["02-perceptron", "03-separability", "10-representer-theorem"]
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
MEGABYTES = 15
COMMAND = 120  # columns: a line of code has less, a longer one is a command and may be broken
HALF, FIFTH, SHARE = 0.5, 0.2, 0.05  # pages below half full: at most this share; none below a fifth
DOTS = 20  # per inch, to see how far down a page is printed
LIGHTEST = 252  # a grey that is still print; the ground of a box is darker


class Book:
    """A PDF with what the tests ask of it."""

    def __init__(self, path, only, program):
        import pikepdf
        from paper import merged, pdf

        self.path, self.pdf = path, pikepdf.open(path)
        self.height, self.margins = pdf.SIZES["Letter" if "letter" in path.name else "A4"][1], pdf.MARGINS
        self.pages = merged.pages(only=only)
        self.lost = merged.link(self.pages, lambda page, label: f"#{pdf.identity(page, label)}")
        self.places = pdf.destinations(path)
        text = subprocess.run([program("pdftotext"), "-layout", path, "-"], capture_output=True, text=True, check=True)
        self.sheets = text.stdout.split("\f")[:-1]
        starts = [self.places[pdf.identity(page, page.body.get("id"))] for page in self.pages]
        self.starts = dict(zip((page.name for page in self.pages), starts, strict=True))
        self.ends = {start - 1 for start in starts} | {1, len(self.sheets)}  # and the page of the title

    def text(self, name):
        """All that stands on the sheets of one page of the site, blanks made one."""
        start = self.starts[name]
        end = min((later for later in self.starts.values() if later > start), default=len(self.sheets) + 1)
        return " ".join("\n".join(self.sheets[start - 1 : end - 1]).split())


@pytest.fixture(scope="session", params=["A4", "Letter"] if LONG else ["A4"])
def book(request, site, program, tmp_path_factory):
    from paper import merged, pdf

    if LONG:
        return Book(merged.SHELF / f"linear-classification-{request.param.lower()}.pdf", None, program)
    program("pdftotext")  # before the work
    request.getfixturevalue("chromium")
    with ThreadPoolExecutor(1) as apart:  # this thread may hold the browser of other tests, and can hold one only
        folder = tmp_path_factory.mktemp("paper")
        target, _ = apart.submit(pdf.make, site, folder, request.param, CHAPTERS).result()
    return Book(target, CHAPTERS, program)


@pytest.fixture(scope="session")
def epub(site, tmp_path_factory):
    from paper import epub, merged

    return merged.SHELF / epub.NAME if LONG else epub.make(site, tmp_path_factory.mktemp("epub"), CHAPTERS)


@cache
def labels():
    import ledger

    return ledger.read(ROOT)


def printed_by(name):
    """Every number that the cells of a chapter print, as often as they print it."""
    import execute

    path = ROOT / "book" / f"{name}.ipynb"
    kept = execute.kept_run(path)
    cells = json.loads((kept if kept.exists() else path).read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells if cell["cell_type"] == "code" for output in cell["outputs"]]
    return Counter(NUMBER.findall("\n".join("".join(output.get("text", "")) for output in outputs)))


def test_every_equation_and_theorem_has_its_number(book):
    entries = [entry for entry in labels() if Path(entry.page).stem in book.starts]
    assert len(entries) > 10
    for entry in entries:
        assert entry.spoken in book.text(Path(entry.page).stem), f"{entry.spoken} ({entry.label}) is not on paper"


def test_every_number_that_a_notebook_prints_is_there(book):
    for name in book.starts:
        if (ROOT / "book" / f"{name}.ipynb").exists():
            gone = printed_by(name) - Counter(NUMBER.findall(book.text(name)))
            assert not gone, f"{name} prints numbers that are not on paper: {gone}"


def test_code_breaks_between_lines_never_in_one(book):
    for page in book.pages:
        lines = {" ".join(line.split()) for sheet in book.sheets for line in sheet.splitlines()}
        wide = [
            line
            for code in page.body.cssselect("pre")
            for line in code.text_content().splitlines()
            if 60 < len(line) < COMMAND
        ]
        broken = [line for line in wide if " ".join(line.split()) not in lines]
        assert not broken, f"{page.name}: lines of code that are not one line on paper: {broken[:5]}"


def links(pdf):
    for number, sheet in enumerate(pdf.pages, 1):
        for note in sheet.get("/Annots", []):
            if note.get("/Subtype") == "/Link":
                action = note.get("/A") or {}
                yield number, str(note.get("/Dest") or action.get("/D") or "")[1:], str(action.get("/URI") or "")


def test_links_lead_into_the_file_or_to_what_the_book_cites(book):
    cited = {unquote(a.get("href")) for page in book.pages for a in page.body.cssselect("a[rel=external]")}
    inside = 0
    for number, name, address in links(book.pdf):
        assert name in book.places if name else unquote(address).rstrip("/") in {one.rstrip("/") for one in cited}, (
            f"page {number}: a link to {name or address}"
        )
        inside += bool(name)
    assert inside > 100
    if LONG:  # nothing but files to download has lost its link
        assert [words for words in book.lost if "downloads/" not in words] == []


def test_numbers_of_pages_are_right(book):
    contents = " ".join(" ".join(book.sheets[: min(book.starts.values()) - 1]).split())
    for page in book.pages:
        assert f"{page.title} {book.starts[page.name]}" in contents, f"{page.title} is not in the contents"


def test_answers_and_questions_lead_to_each_other(book):
    for page in book.pages:
        for answer in page.body.cssselect(".answer"):
            there, back = (f"{page.slug}.{kind}-{answer.get('id').split('-')[1]}" for kind in ("answer", "question"))
            assert book.places[back] <= book.places[there]
            assert f"p. {book.places[there]}" in re.sub(r"\s+", " ", book.sheets[book.places[back] - 1])


def fullness(book, program, folder):
    """How far down each page is printed, as a share of the room between its margins."""
    command = [program("pdftoppm"), "-r", str(DOTS), "-gray", str(book.path), str(folder / "sheet")]
    subprocess.run(command, check=True)
    for file in sorted(folder.glob("sheet*")):
        grey = np.asarray(Image.open(file))
        top, bottom = (
            round(len(grey) * side / book.height) for side in (book.margins[0], book.height - book.margins[2])
        )
        rows = np.flatnonzero((grey[top:bottom] < LIGHTEST).any(axis=1))
        yield (rows[-1] + 1) / (bottom - top) if len(rows) else 0.0


def test_pages_are_full(book, program, tmp_path):
    share = {
        number: full for number, full in enumerate(fullness(book, program, tmp_path), 1) if number not in book.ends
    }
    half = [number for number, full in share.items() if full < HALF]
    print(f"{book.path.name}: {len(book.sheets)} pages, {len(half)} less than half full {half}, ends of chapters apart")
    assert len(half) <= SHARE * len(book.sheets), f"less than half full: {half}"
    assert not (bare := {number: full for number, full in share.items() if full < FIFTH}), f"nearly empty: {bare}"


def test_the_file_is_small_and_has_its_fonts(book, program):
    size = book.path.stat().st_size / 1e6
    print(f"{book.path.name}: {size:.1f} MB")
    assert size <= MEGABYTES
    fonts = subprocess.run(
        [program("pdffonts"), book.path], capture_output=True, text=True, check=True
    ).stdout.splitlines()[2:]
    assert fonts and not [line for line in fonts if line.split()[-5] != "yes"]


def test_it_can_be_heard_and_leafed_through(book):
    import pikepdf

    assert book.pdf.Root.MarkInfo.Marked and str(book.pdf.Root.Lang) == "en"
    with book.pdf.open_metadata() as meta:
        assert meta["dc:title"] == "Linear classification" and meta["dc:language"] == {"en"}
    parts = [thing for thing in book.pdf.objects if isinstance(thing, pikepdf.Dictionary) and "/S" in thing]
    kinds = Counter(str(part.S) for part in parts)
    formulas = sum(len(page.body.cssselect(".katex")) for page in book.pages)
    assert kinds["/Formula"] == formulas and not [part for part in parts if part.S == "/Figure" and "/Alt" not in part]
    assert kinds["/Figure"] >= sum(len(page.body.cssselect("img")) for page in book.pages) - 1
    with book.pdf.open_outline() as outline:
        titles = [chapter.title for part in outline.root for chapter in part.children]
    assert [page.title for page in book.pages if page.is_chapter] == [title for title in titles if title[:1].isdigit()]


def with_fault(book, **changed):
    fault = copy.copy(book)
    vars(fault).update(changed)
    return fault


@pytest.mark.parametrize(
    "gate, spoilt, message",
    [
        (test_every_equation_and_theorem_has_its_number, (r"\(2\.1\)", "(2.l)"), "is not on paper"),
        (test_every_number_that_a_notebook_prints_is_there, (r"\d+\.\d\d\b", ""), "numbers that are not on paper"),
        (test_code_breaks_between_lines_never_in_one, (r"(?<=\w\()", "\n"), "not one line on paper"),
        (test_numbers_of_pages_are_right, (r"(?<=\s)(\d+)(?=\s)", r"1\1"), "is not in the contents"),
    ],
)
def test_a_fault_in_the_text_is_seen(book, gate, spoilt, message):
    with pytest.raises(AssertionError, match=message):
        gate(with_fault(book, sheets=[re.sub(*spoilt, sheet) for sheet in book.sheets]))


def test_a_lost_target_and_an_empty_page_are_seen(book, program, tmp_path):
    import pikepdf

    lost = next(name for _, name, _ in links(book.pdf) if name)
    with pytest.raises(AssertionError, match="a link to"):
        known = {name: number for name, number in book.places.items() if name != lost}
        test_links_lead_into_the_file_or_to_what_the_book_cites(with_fault(book, places=known))
    blank = pikepdf.new()
    blank.add_blank_page()
    blank.save(tmp_path / "blank.pdf")
    with pytest.raises(AssertionError, match="less than half full"):
        test_pages_are_full(with_fault(book, path=tmp_path / "blank.pdf", ends=set(), sheets=[""]), program, tmp_path)


def test_the_epub_holds_together(epub):
    with zipfile.ZipFile(epub) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert next(iter(files)) == "mimetype"
    trees = {name: etree.fromstring(text) for name, text in files.items() if name.endswith((".xhtml", ".svg", ".opf"))}
    ids = {name: set(tree.xpath("//@id")) for name, tree in trees.items()}
    for name, tree in trees.items():
        assert not tree.xpath("//*[local-name()='script']")
        assert b"var(--" not in files[name] and b"prefers-color-scheme" not in files[name]
        for target in tree.xpath(
            "//*[local-name()='a' or local-name()='img' or local-name()='item']/@*[name()='href' or name()='src']"
        ):
            path, _, label = target.partition("#")
            if not target.startswith("http"):
                file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
                assert file in files and (not label or label in ids[file]), f"{name}: {target}"
    assert all(
        tree.xpath("count(//*[local-name()='math'])") > 50 for name, tree in trees.items() if CHAPTERS[0] in name
    )


def test_the_epub_has_the_numbers(epub):
    with zipfile.ZipFile(epub) as archive:
        texts = {
            Path(name).stem: "".join(etree.fromstring(archive.read(name)).itertext())
            for name in archive.namelist()
            if name.endswith(".xhtml")
        }
    entries = [entry for entry in labels() if Path(entry.page).stem in texts]
    assert len(entries) > 10 and not [
        entry.spoken for entry in entries if entry.spoken not in texts[Path(entry.page).stem]
    ]
    for name in texts:
        if (ROOT / "book" / f"{name}.ipynb").exists():
            assert not printed_by(name) - Counter(NUMBER.findall(texts[name]))


@pytest.mark.skipif(not LONG, reason="epubcheck judges the whole book: make paper-long")
def test_epubcheck_finds_no_error(epub, program):
    command = [program("java"), "-jar", Path(program("epubcheck")).resolve(), epub]
    said = subprocess.run(command, capture_output=True, text=True)
    print(said.stdout + said.stderr)
    assert said.returncode == 0 and " 0 errors" in said.stdout


def test_a_chapter_alone_has_its_answers_and_not_the_code_of_its_figures(browser, address, program, tmp_path):
    page = browser.new_page()
    page.add_init_script("window.print = () => { window.asked = true; };")
    page.goto(f"{address}book/{CHAPTERS[1]}.html")
    page.get_by_role("button", name="Print this chapter").click()
    page.wait_for_function("window.asked")  # once the fonts for paper are there
    page.pdf(path=tmp_path / "chapter.pdf", prefer_css_page_size=True)
    page.close()
    text = subprocess.run([program("pdftotext"), tmp_path / "chapter.pdf", "-"], capture_output=True, text=True).stdout
    hidden = [word for fold in answers(CHAPTERS[1]) if (word := fold.text_content().split()[1]).isalpha()]
    assert hidden and all(word in text for word in hidden)
    assert "code cell" not in text and "plots.figure" not in text and "Search" not in text


def answers(name):
    from lxml import html
    from paper import merged

    return html.parse(merged.SITE / "book" / f"{name}.html").getroot().cssselect("article details:not(.hide)")


def test_the_first_page_offers_what_was_made_from_this_text(tmp_path):
    from paper import shelf

    site, made = tmp_path / "html", tmp_path / "paper"
    page = '<article><p class="to-keep" hidden></p><p>One state of the text.</p></article>'
    for folder in (site / "book", made):
        folder.mkdir(parents=True)
    for file in (site / "index.html", site / "book" / "index.html"):
        file.write_text(page)
    shelf.put(site, made)
    assert (site / "index.html").read_text() == page
    (made / "linear-classification.epub").write_bytes(b"0" * 1_200_000)
    shelf.record(site, made / "linear-classification.epub")
    for _ in range(2):  # a second time changes nothing
        shelf.put(site, made)
        assert (
            '<a href="paper/linear-classification.epub" download>EPUB</a> (1.2 MB, '
            in (site / "index.html").read_text()
        )
        assert '"../paper/linear-classification.epub"' in (site / "book" / "index.html").read_text()
    assert (site / "paper" / "linear-classification.epub").stat().st_size == 1_200_000
    (site / "book" / "01-margins.html").write_text("<article>Another chapter.</article>")
    shelf.put(site, made)
    assert "epub" not in (site / "index.html").read_text() and not (site / "paper").exists()
