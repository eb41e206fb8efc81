"""The book's Markdown, which plain JupyterLab shows as well, understood by Sphinx.

* `<a id="eq-margin"></a>` names what follows it; `[(1.1)](#eq-margin)` links to it, and from another page
  `[(1.1)](01-margins.ipynb#eq-margin)`.
* A block quote that begins with a bold **Theorem …**, **Proof.**, **Exercise …** becomes a box of that kind.
* The quotation below the heading "In short" is the chapter's summary.
* A paragraph with an anchor `fig-…` that begins with a bold **Figure 7.2.**, below the cell that draws, is its caption.
* `references.md#key` is the entry of that key in `references.bib`.
"""

import itertools
import re

from docutils import nodes
from docutils.transforms import Transform
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)
ANCHOR = re.compile(r'<a\s+(?:id|name)="([^"]+)"\s*/?>$')
SUMMARY = "In short"
# The class that draws a box: how such a box begins.
BOXES = {
    "theorem": "theorem|proposition|lemma|corollary",
    "definition": "definition|algorithm",
    "proof": "proof",
    "exercise": "exercise|try it",
    "check": "check yourself|question",
    "summary": "what to conclude|you will be able to",
    "belief": "(?:a )?wrong belief|careful|warning",
    "note": "example|remark|note|aside",
}


def anchor_of(node):
    """The id, if the node is the raw HTML of an anchor's opening tag."""
    match = isinstance(node, nodes.raw) and node.get("format") == "html" and ANCHOR.match(node.astext().strip())
    return match[1] if match else None


def following(node):
    """The next element after node that shows something, be it a whole section, or None."""
    passed = nodes.Text | nodes.comment | nodes.target
    return node.next_node(lambda one: not isinstance(one, passed), descend=False, ascend=True)


class NameAnchors(Transform):
    """Give an anchor's id to the formula, theorem or paragraph it stands before, as an explicit name."""

    default_priority = 500  # before MyST resolves links (879) and Sphinx collects labels

    def apply(self):
        for raw in [node for node in self.document.findall(nodes.raw) if anchor_of(node)]:
            label, holder = anchor_of(raw), raw.parent
            alone = isinstance(holder, nodes.paragraph) and not shown(holder) and following(holder) is not None
            if label in self.document.ids:
                logger.warning("the id %r is given twice", label, location=holder)
            elif alone:
                self.name(following(holder), label)
            else:
                holder.insert(holder.index(raw), here := nodes.inline())
                self.name(here, label)
            end = raw.next_node(nodes.raw, descend=False, siblings=True)
            for tag in [raw, end] if end is not None and end.astext().strip() == "</a>" else [raw]:
                holder.remove(tag)
            if alone and not holder.astext().strip():
                holder.parent.remove(holder)

    def name(self, target, label):
        target["ids"].insert(0, label)
        target["names"].append(label)
        self.document.ids[label] = target
        self.document.note_explicit_target(target)
        # MyST looks the targets of `page.md#label` up among the page's heading slugs.
        env = self.document.settings.env
        env.metadata[env.docname].setdefault("myst_slugs", {})[label] = (0, label, label)


def shown(paragraph):
    """What a paragraph shows besides anchors."""
    return "".join(child.astext() for child in paragraph.children if not isinstance(child, nodes.raw)).strip()


def opening(paragraph):
    """What a paragraph shows first, or None."""
    return next((child for child in paragraph.children if child.astext().strip()), None)


class DisplayApart(Transform):
    """A displayed formula inside a paragraph stands between two paragraphs: HTML allows no block within one."""

    default_priority = 499

    def apply(self):
        for paragraph in list(self.document.findall(nodes.paragraph)):
            if not any(isinstance(child, nodes.math_block) for child in paragraph.children):
                continue
            parts = [paragraph.copy()]
            for child in paragraph.children:
                if isinstance(child, nodes.math_block):
                    parts += [child, nodes.paragraph()]
                else:
                    parts[-1] += child
            paragraph.replace_self([part for part in parts if part.astext().strip()])


def permalink(label, what):
    """A sign that leads to where it stands, for those who want the address."""
    return f'<a class="headerlink" href="#{label}" title="Link to this {what}">#</a>'


class Boxes(Transform):
    """Block quotes that begin with one of the bold words become boxes."""

    default_priority = 501

    def apply(self):
        for quote in list(self.document.findall(nodes.block_quote)):
            if not quote.children or not isinstance(quote[0], nodes.paragraph):
                continue
            head = opening(quote[0])
            title = head.astext() if isinstance(head, nodes.strong) else ""
            kind = next((kind for kind, words in BOXES.items() if re.match(rf"(?i:{words})\b", title)), None)
            if kind is None:
                continue
            head["classes"].append("box-title")
            if (exercise := re.match(r"Exercise (\d+)\.(\d+)", title)) and not quote["ids"]:
                quote["ids"] = [f"exercise-{exercise[1]}-{exercise[2]}"]
            names = {attribute: quote[attribute] for attribute in ("ids", "names")}
            box = nodes.container("", *quote.children, classes=["box", f"box-{kind}"], **names)
            self.document.ids.update(dict.fromkeys(box["ids"], box))
            if box["ids"]:
                box.insert(0, nodes.raw("", permalink(box["ids"][0], "statement"), format="html"))
            quote.replace_self(box)


class Summaries(Transform):
    """What is quoted below the heading "In short" is a box; the heading is its title."""

    default_priority = 502

    def apply(self):
        for quote in list(self.document.findall(nodes.block_quote)):
            before = quote.previous_sibling()
            if isinstance(before, nodes.title) and before.astext() == SUMMARY:
                quote.replace_self(nodes.container("", *quote.children, classes=["box", "box-summary"]))


class Figures(Transform):
    """What a cell shows and the caption below it are one figure, of the caption's name."""

    default_priority = 502

    def apply(self):
        for words in list(self.document.findall(nodes.paragraph)):
            label = next((one for one in words["ids"] if one.startswith("fig-")), None)
            if label is None:
                continue
            cell, head = shown_above(words), opening(words)
            if cell is None or not (isinstance(head, nodes.strong) and head.astext().startswith("Figure")):
                logger.warning("%r should name a bold Figure, below a cell that draws", label, location=words)
                continue
            names = {attribute: words[attribute] for attribute in ("ids", "names")}
            words.parent.remove(words)
            head["classes"].append("box-title")
            output = cell[-1]
            cell[-1] = figure = nodes.figure("", classes=["numbered"], **names)
            figure += [output, nodes.caption("", "", *words.children)]
            self.document.ids[label] = figure


def shown_above(node):
    """The cell with an output that stands right above, or None."""
    cell = node.previous_sibling()
    drawn = isinstance(cell, nodes.container) and cell.get("nb_element") == "cell_code" and len(cell) > 0
    return cell if drawn and cell[-1].get("nb_element") == "cell_code_output" else None


class CodeBelow(SphinxPostTransform):
    """The folded code of a figure stands below it."""

    default_priority = 200  # once MyST-NB has folded it

    def run(self, **kwargs):
        for figure in self.document.findall(nodes.figure):
            cell = figure.parent
            if isinstance(cell[0], HideCodeCellNode):
                cell.append(cell.pop(0))


class SectionNumbers(Transform):
    """The sections of a chapter are numbered after it, by the build: nobody types these numbers."""

    default_priority = 503

    def apply(self):
        chapter = next(iter(self.document.findall(nodes.section)), None)
        number = chapter is not None and re.match(r"\d+(?= )", chapter.next_node(nodes.title).astext())
        sections = [child for child in chapter.children if isinstance(child, nodes.section)] if number else []
        for count, section in enumerate(sections, 1):
            words = f"{number[0]}.{count}"
            section.next_node(nodes.title).insert(0, [nodes.inline("", words, classes=["secno"]), nodes.Text(" ")])


class GlossaryTerms(Transform):
    """Each word of the glossary is a target, `glossary.md#term-margin`, and letters lead to where theirs begin."""

    default_priority = 500

    def apply(self):
        env = self.document.settings.env
        if env.docname != "book/glossary":
            return
        slugs, first = env.metadata[env.docname].setdefault("myst_slugs", {}), {}
        for item in self.document.findall(nodes.definition_list_item):
            label = f"term-{nodes.make_id(item[0].astext())}"
            item[0]["ids"].append(label)
            self.document.ids[label] = item[0]
            slugs[label] = (0, label, item[0].astext())
            first.setdefault(item[0].astext()[0].upper(), label)
        letters = [nodes.reference("", letter, refid=label, internal=True) for letter, label in first.items()]
        line = nodes.paragraph("", "", *itertools.chain(*((letter, nodes.Text(" ")) for letter in letters)))
        line["classes"].append("letters")
        words = next(iter(self.document.findall(nodes.definition_list)))
        words.parent.insert(words.parent.index(words), line)


def register_references(app, env):
    """Each key of the bibliography is a target of the references page."""
    page = "book/references"
    if page in env.all_docs and "cite" in env.domains:
        keys = env.get_domain("cite").bibdata.data.entries
        env.metadata[page].setdefault("myst_slugs", {}).update({key: (0, key, key) for key in keys})


def setup(app):
    for transform in (DisplayApart, NameAnchors, Boxes, Summaries, Figures, SectionNumbers, GlossaryTerms):
        app.add_transform(transform)
    app.add_post_transform(CodeBelow)
    app.connect("env-updated", register_references)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 4}
