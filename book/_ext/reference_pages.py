"""Pages made of other files, as templates: the ledger, the map of the notes, the reference. Links to and from them."""

import re
from functools import cache
from itertools import groupby
from pathlib import Path

import jinja2
import ledger
import yaml
from contents import ROOT, prose
from docutils import nodes
from sphinx.util.nodes import make_refnode

PAGES = {"book/api", "book/ledger", "book/notes-map"}
TEMPLATES = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
SHOWN = re.compile(r"(?:show\.)?show\((\w+)\.([a-zA-Z]\w*)\)")
SPECIAL = re.compile(r"``?([^`]+)``?|([\\*_|])")  # what means something in reStructuredText


@cache
def modules():
    """The public modules, from what stands on nothing to what stands on the rest, as a test holds them to."""
    layers = (ROOT / "tests" / "test_layers.py").read_text(encoding="utf-8")
    order = re.search(r'ORDER = """(.*?)"""', layers, re.DOTALL)[1]
    return [name for name in order.split() if not name.startswith("_")]


@cache
def entries():
    return {entry.label: entry for entry in ledger.read(ROOT)}


def title(path):
    return prose(ROOT / "book" / path).split("\n", 1)[0].removeprefix("# ")


def link_text(target):
    """What a link shows: the chapter or the page, and in it the statement or equation, or the anchor in words."""
    path, _, label = target.partition("#")
    name = f"chapter {int(path[:2])}" if path[:2].isdigit() else title(path).lower()
    place = entries()[label].spoken if label in entries() else label.replace("-", " ")
    return f"{name}, {place}" if label else name


def write_page(app, docname, source):
    if docname in PAGES:
        notes = yaml.safe_load((ROOT / "book" / "notes_map.yml").read_text(encoding="utf-8"))
        given = {"modules": modules(), "entries": [*entries().values()], "title": title, "link_text": link_text}
        source[0] = TEMPLATES.from_string(source[0]).render(**given, **notes)
        app.env.note_reread()


def cited_in(app, doctree, docname):
    """Below each entry of the bibliography, the pages that cite it."""
    if docname != "book/references":
        return
    texts = {name: prose(app.env.doc2path(name)) for name in sorted(app.env.found_docs) if name != docname}
    for item in doctree.findall(lambda node: isinstance(node, nodes.list_item) and node["ids"]):
        pages = [name for name, text in texts.items() if f"references.md#{item['ids'][0]})" in text]
        item += (line := nodes.paragraph("", "Cited in " if pages else "Not cited in the text.", classes=["cited"]))
        for name in pages:
            words = nodes.Text(link_text(Path(app.env.doc2path(name)).name))
            line += make_refnode(app.builder, docname, name, "", words)
            line += nodes.Text("." if name == pages[-1] else ", ")


def restructured(paragraph):
    """A paragraph of a docstring: `code` kept, an indented one as it stands, of `Book: eq-margin.` a link."""
    if paragraph.startswith(" "):
        return "::\n\n" + paragraph
    if book := ledger.BOOK_LINE.fullmatch(paragraph):
        links = [f":ref:`{entries()[label].spoken} <{label}>`" for label in re.split(r",\s*", book[1])]
        return f"Book: {', '.join(links)}."
    return SPECIAL.sub(lambda found: f"``{found[1]}``" if found[1] else "\\" + found[2], paragraph)


def plain_docstring(app, what, name, obj, options, lines):
    """Docstrings are plain text; as reStructuredText every |theta| or x_ in them would mean something."""
    blocks = ("\n".join(block) for _, block in groupby(lines, lambda line: line.startswith(" ")))
    paragraphs = [paragraph for block in blocks for paragraph in block.split("\n\n")]
    lines[:] = "\n\n".join(map(restructured, paragraphs)).split("\n")


def not_ours(app, what, name, obj, skip, options):
    """scikit-learn writes methods into a class, set_…_request, that are no part of the package."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def link_sources(app, doctree, docname):
    """Below a function that a chapter shows from the package (`show(margins.scores)`), a link to its reference."""
    for code in list(doctree.findall(nodes.literal_block)):
        shown, cell = SHOWN.fullmatch(code.astext().strip()), code.parent.parent
        if shown and shown[1] in modules():
            name = f"linclass.{shown[1]}.{shown[2]}"
            link = make_refnode(app.builder, docname, "book/api", name, nodes.literal(name, name), name)
            cell["classes"].append("source")
            cell += nodes.paragraph("", "", link, nodes.Text(" in the reference"), classes=["source-link"])


def setup(app):
    app.connect("source-read", write_page)
    app.connect("doctree-resolved", link_sources)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("autodoc-skip-member", not_ours)
    app.connect("doctree-resolved", cited_in)
