"""The book's Markdown, which plain JupyterLab shows as well, understood by Sphinx.

* `<a id="eq-margin"></a>` names what follows it; `[(1.1)](#eq-margin)` links to it, and from another page
  `[(1.1)](01-margins.ipynb#eq-margin)`.
* A block quote that begins with a bold **Theorem …**, **Proof.**, **Exercise …** becomes a box of that kind.
* `references.md#key` is the entry of that key in `references.bib`.
A doubled equation number or label is a warning, and warnings fail the build.
"""

import re

from docutils import nodes
from docutils.transforms import Transform
from katex_math import TAG
from sphinx.util import logging

logger = logging.getLogger(__name__)
ANCHOR = re.compile(r'<a\s+(?:id|name)="([^"]+)"\s*/?>$')
# How a box begins -> the class that draws it.
BOXES = {
    "theorem": "theorem",
    "proposition": "theorem",
    "lemma": "theorem",
    "corollary": "theorem",
    "definition": "definition",
    "algorithm": "definition",
    "proof": "proof",
    "exercise": "exercise",
    "try it": "exercise",
    "check yourself": "check",
    "question": "check",
    "in short": "summary",
    "what to conclude": "summary",
    "you will be able to": "summary",
    "wrong belief": "belief",
    "a wrong belief": "belief",
    "careful": "belief",
    "warning": "belief",
    "example": "note",
    "remark": "note",
    "note": "note",
    "aside": "note",
}
BOX = re.compile("(" + "|".join(sorted(BOXES, key=len, reverse=True)) + r")\b", re.IGNORECASE)


def anchor_of(node):
    """The id, if the node is the raw HTML of an anchor's opening tag."""
    match = isinstance(node, nodes.raw) and node.get("format") == "html" and ANCHOR.match(node.astext().strip())
    return match[1] if match else None


def following(node):
    """The next element after node that shows something, or None."""
    while node.parent is not None:
        siblings = node.parent.children[node.parent.index(node) + 1 :]
        for sibling in siblings:
            if isinstance(sibling, nodes.Element) and not isinstance(sibling, nodes.comment | nodes.target):
                return sibling
        node = node.parent
        if isinstance(node, nodes.section | nodes.document):
            return None
    return None


class NameAnchors(Transform):
    """Give an anchor's id to the formula, theorem or paragraph it stands before, as an explicit name."""

    default_priority = 500  # before MyST resolves links (879) and Sphinx collects labels

    def apply(self):
        for raw in [node for node in self.document.findall(nodes.raw) if anchor_of(node)]:
            label, holder = anchor_of(raw), raw.parent
            target = raw
            alone = isinstance(holder, nodes.paragraph) and all(
                anchor_of(child) or child.astext().strip() in ("", "</a>") for child in holder.children
            )
            if alone and following(holder) is not None:
                target = following(holder)
            else:
                target = nodes.inline(ids=[], names=[], classes=["anchor"])
                raw.replace_self(target)
            if label in self.document.ids:
                logger.warning("the id %r is given twice", label, location=holder)
                continue
            target["ids"].insert(0, label)
            target["names"].append(label)
            self.document.ids[label] = target
            self.document.note_explicit_target(target)
            self.register(label)
            if alone and target not in holder:
                raw.parent.remove(raw)
                if not any(anchor_of(child) for child in holder.children):
                    holder.parent.remove(holder)
        # What is left of inline anchors: their closing tags.
        for raw in list(self.document.findall(nodes.raw)):
            before = previous(raw)
            if raw.astext().strip() == "</a>" and isinstance(before, nodes.inline) and "anchor" in before["classes"]:
                raw.parent.remove(raw)

    def register(self, label):
        """Let `page.md#label` find it: MyST looks such targets up among the page's heading slugs."""
        env = self.document.settings.env
        env.metadata[env.docname].setdefault("myst_slugs", {})[label] = (0, label, label)


def previous(node):
    position = node.parent.index(node)
    return node.parent[position - 1] if position else None


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
            shown = [part for part in parts if isinstance(part, nodes.math_block) or part.astext().strip()]
            paragraph.replace_self(shown)


class Boxes(Transform):
    """Block quotes that begin with one of the bold words become boxes."""

    default_priority = 501

    def apply(self):
        for quote in list(self.document.findall(nodes.block_quote)):
            if not quote.children or not isinstance(quote[0], nodes.paragraph):
                continue
            head = next((child for child in quote[0].children if child.astext().strip()), None)
            match = isinstance(head, nodes.strong) and BOX.match(head.astext())
            if not match:
                continue
            head["classes"].append("box-title")
            box = nodes.container("", *quote.children, classes=["box", f"box-{BOXES[match[1].lower()]}"])
            for attribute in ("ids", "names"):
                box[attribute] = quote[attribute]
            for name in box["ids"]:
                self.document.ids[name] = box
            quote.replace_self(box)


def collect_numbers(app, doctree):
    """Remember each equation's number and each label, with where it stands."""
    env = app.env
    found = env.book_numbers = getattr(env, "book_numbers", {})
    found[env.docname] = [
        (f"equation number ({match[1]})", node.line)
        for node in doctree.findall(nodes.math_block)
        if (match := TAG.search(node.astext()))
    ] + [
        (f"label {name!r}", node.line)
        for node in doctree.findall(nodes.Element)
        for name in node.get("ids", ())
        if name.startswith(("eq-", "thm-"))
    ]


def forget_numbers(app, env, docname):
    getattr(env, "book_numbers", {}).pop(docname, None)


def merge_numbers(app, env, docnames, other):
    env.book_numbers = getattr(env, "book_numbers", {}) | {
        docname: numbers for docname, numbers in getattr(other, "book_numbers", {}).items() if docname in docnames
    }


def check_numbers(app, env):
    """No number and no label twice in the book."""
    seen = {}
    for docname, numbers in sorted(getattr(env, "book_numbers", {}).items()):
        for what, line in numbers:
            if what in seen:
                logger.warning("the %s is already used in %s", what, seen[what], location=(docname, line))
            seen.setdefault(what, docname)


def register_references(app, env):
    """Each key of the bibliography is a target of the references page."""
    page = "book/references"
    if page in env.all_docs and "cite" in env.domains:
        keys = env.get_domain("cite").bibdata.data.entries
        env.metadata[page].setdefault("myst_slugs", {}).update({key: (0, key, key) for key in keys})


def setup(app):
    app.add_transform(DisplayApart)
    app.add_transform(NameAnchors)
    app.add_transform(Boxes)
    app.connect("doctree-read", collect_numbers)
    app.connect("env-purge-doc", forget_numbers)
    app.connect("env-merge-info", merge_numbers)
    app.connect("env-updated", register_references)
    app.connect("env-check-consistency", check_numbers)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
