"""The files for paper on the site's first page, with their sizes and dates, where they were made from this very text.

The build calls `put`, and so do `paper.pdf` and `paper.epub` when they are done. A file that was made from another
state of the text is not shown.
"""

import hashlib
import json
import re
import shutil
from datetime import datetime

PLACE = re.compile(r'<p class="to-keep"[^>]*>.*?</p>', re.DOTALL)
NAMES = {
    "linear-classification-a4.pdf": "PDF for A4",
    "linear-classification-letter.pdf": "PDF for Letter",
    "linear-classification.epub": "EPUB",
}
RECORD = "made-from.json"


def digest(site):
    """What tells one state of the text from another."""
    texts = (path.read_text(encoding="utf-8") for path in sorted((site / "book").rglob("*.html")))
    articles = (text.partition("<article")[2].partition("</article>")[0] for text in texts)
    return hashlib.sha256("".join(PLACE.sub("", article) for article in articles).encode()).hexdigest()


def record(site, file):
    """Remember beside a file the text that it was made from."""
    book = file.parent / RECORD
    known = json.loads(book.read_text()) if book.exists() else {}
    book.write_text(json.dumps(known | {file.name: digest(site)}, indent=1))


def offered(site, shelf):
    """The files that were made from the site as it is."""
    known = json.loads((shelf / RECORD).read_text()) if (shelf / RECORD).exists() else {}
    now = digest(site) if known else ""
    return [shelf / name for name in NAMES if known.get(name) == now and (shelf / name).exists()]


def words(files, folder):
    """The sentence with the links, or the empty place for it."""
    links = []
    for file in files:
        made = datetime.fromtimestamp(file.stat().st_mtime)
        about = f"{file.stat().st_size / 1e6:.1f} MB, {made.day} {made:%B %Y}"
        links.append(f'<a href="{folder}{file.name}" download>{NAMES[file.name]}</a> ({about})')
    if not links:
        return '<p class="to-keep" hidden></p>'
    return f'<p class="to-keep">The whole book to keep, print and annotate: {", ".join(links)}.</p>'


def put(site, shelf):
    """Copy the files into the site and name them on its first page, or take them away."""
    files, folder = offered(site, shelf), site / "paper"
    shutil.rmtree(folder, ignore_errors=True)
    if files:
        folder.mkdir()
    for file in files:
        shutil.copy2(file, folder)
    for page, where in ((site / "book" / "index.html", "../paper/"), (site / "index.html", "paper/")):
        if page.exists():
            text = page.read_text(encoding="utf-8")
            page.write_text(PLACE.sub(words(files, where), text), encoding="utf-8")
