"""The book's Markdown, which plain JupyterLab shows as well, understood by Sphinx.

* `<a id="eq-margin"></a>` names what follows it; `[(1.1)](#eq-margin)` links to it, and from another page
  `[(1.1)](01-margins.ipynb#eq-margin)`.
* A block quote that begins with a bold **Theorem …**, **Proof.**, **Exercise …** becomes a box of that kind.
* The quotation below the heading "In short" is the chapter's summary.
* A paragraph with an anchor `fig-…` that begins with a bold **Figure 7.2.**, below the cell that draws, is its caption.
"""

import re

from docutils import nodes
from docutils.transforms import Transform
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.util import logging

logger = logging.getLogger(__name__)
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
PROMPTS = {"prompt_show": "Show the code that draws this", "prompt_hide": "Hide the code that draws this"}
# The class that draws a box: how such a box begins, or what the heading above it says.
BOXES = {
    "theorem": "theorem|proposition|lemma|corollary",
    "definition": "definition|algorithm",
    "proof": "proof",
    "exercise": "exercise|try it",
    "check": "check yourself|question",
    "summary": "what to conclude|you will be able to|in short$",
    "belief": "(?:a )?wrong belief|careful|warning",
    "note": "example|remark|note|aside",
}


def display_apart(document):
    """A displayed formula inside a paragraph stands between two paragraphs: HTML allows no block within one."""
    for paragraph in {formula.parent for formula in document.findall(nodes.math_block)}:
        if isinstance(paragraph, nodes.paragraph):
            parts = [paragraph.copy()]
            for child in paragraph.children:
                if isinstance(child, nodes.math_block):
                    parts += [child, nodes.paragraph()]
                else:
                    parts[-1] += child
            paragraph.replace_self([part for part in parts if part.astext().strip()])


def glossary_terms(document):
    """Each word of the glossary is a target, `glossary.md#term-margin`, and letters lead to where theirs begin."""
    if document.settings.env.docname != "book/glossary":
        return
    words, letters = document.next_node(nodes.definition_list), {}
    for term in words.findall(nodes.term):
        term["ids"] = [f"term-{nodes.make_id(term.astext())}"]
        document.set_id(term)
        letters.setdefault(term.astext()[0].upper(), term["ids"][0])
    line = nodes.paragraph(classes=["letters"])
    for letter, label in letters.items():
        line += [nodes.reference("", letter, refid=label, internal=True), nodes.Text(" ")]
    words.parent.insert(words.parent.index(words), line)


def name_anchors(document):
    """An anchor gives its name to the formula, theorem, section or paragraph that it stands before."""
    for anchor in list(document.findall(nodes.paragraph)):
        if match := ANCHOR.fullmatch(anchor.astext()):
            named = anchor.next_node(nodes.Element, descend=False, ascend=True)
            anchor.parent.remove(anchor)
            if named is None or match[1] in document.ids:
                logger.warning("the id %r is given twice, or to nothing", match[1], location=named)
            else:
                named["ids"].insert(0, match[1])
                named["names"].append(match[1])
                document.note_explicit_target(named)
    # MyST looks `page.md#label` up among the headings of that page: every name that the page gives is put there.
    env, slugs = document.settings.env, document.myst_slugs
    slugs |= {label: (0, label, label) for label in document.ids if label not in slugs}
    env.metadata[env.docname]["myst_slugs"] = slugs


def opening(paragraph):
    """What a paragraph shows first, if that is bold."""
    first = next((child for child in paragraph.children if child.astext().strip()), None)
    return first if isinstance(first, nodes.strong) else None


def boxes(document):
    """Block quotes that begin with one of the bold words, or stand below "In short", become boxes."""
    for quote in list(document.findall(nodes.block_quote)):
        bold, above = opening(quote[0]), quote.previous_sibling()
        title = (bold or above).astext() if bold or isinstance(above, nodes.title) else ""
        kind = next((kind for kind, begins in BOXES.items() if re.match(rf"(?i:{begins})\b", title)), None)
        if kind is None:
            continue
        if bold:
            bold["classes"].append("box-title")
        if not quote["ids"] and (exercise := re.match(r"Exercise \d+\.\d+", title)):
            quote["ids"] = [nodes.make_id(exercise[0])]
        box = nodes.container("", *quote.children, classes=["box", f"box-{kind}"])
        for label in quote["ids"][:1]:
            link = f'<a class="headerlink" href="#{label}" title="Link to this statement">#</a>'
            box.insert(0, nodes.raw("", link, format="html"))
        quote.replace_self(box)


def figures(document):
    """What a cell shows and the caption below it are one figure, of the caption's name; folded code stands below it."""
    for caption in list(document.findall(nodes.paragraph)):
        if not any(label.startswith("fig-") for label in caption["ids"]):
            continue
        cell, bold = caption.previous_sibling(), opening(caption)
        output = cell[-1] if isinstance(cell, nodes.container) else nodes.container()
        if output.get("nb_element") != "cell_code_output" or not (bold and bold.astext().startswith("Figure")):
            logger.warning("%r should name a bold Figure, below a cell that draws", caption["ids"][0], location=caption)
            continue
        bold["classes"].append("box-title")
        caption.parent.remove(caption)
        figure = nodes.figure("", output, nodes.caption("", "", *caption.children), classes=["numbered"])
        figure.update_basic_atts(caption)
        if cell.get("hide_mode"):
            cell[:] = [figure, HideCodeCellNode("", *cell[:-1], classes=["above-input"], **PROMPTS)]
        else:
            cell[-1] = figure


def section_numbers(document):
    """The sections of a chapter are numbered after it, by the build: nobody types these numbers."""
    chapter = document.next_node(nodes.section)
    number = chapter and re.match(r"\d+(?= )", chapter[0].astext())
    sections = [child for child in chapter.children if isinstance(child, nodes.section)] if number else []
    for count, section in enumerate(sections, 1):
        section[0].insert(0, [nodes.inline("", f"{number[0]}.{count}", classes=["secno"]), nodes.Text(" ")])


class LabMarkdown(Transform):
    """All of it, in this order."""

    default_priority = 500  # before MyST resolves links (879) and Sphinx collects labels

    def apply(self):
        for habit in (display_apart, glossary_terms, name_anchors, boxes, figures, section_numbers):
            habit(self.document)


def setup(app):
    app.add_transform(LabMarkdown)
    return {"env_version": 5}
