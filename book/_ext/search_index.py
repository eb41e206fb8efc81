"""What the search knows: each chapter, section, theorem, equation, figure, exercise, glossary term and public function.

Entries are gathered while pages are read and kept with them, so that a build of one page keeps those of the others.
`search-index.js` is a script and not data, because a page read from a disk can load a script and nothing else.
The engine is MiniSearch: it forgives typos, finds beginnings of words, and takes weights and synonyms; Lunr is no
longer maintained, and Pagefind neither forgives typos nor runs from a disk.
"""

import json
import re
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

import katex_math
import site_assets
from docutils import nodes
from sphinx import addnodes
from sphinx.environment.collectors import EnvironmentCollector

# In the order of their worth.
KINDS = ["chapter", "section", "theorem", "equation", "figure", "exercise", "term", "function"]
APART = nodes.section | addnodes.desc | nodes.definition_list_item  # have entries of their own
SILENT = nodes.title | nodes.literal_block | nodes.image | nodes.comment | nodes.target
SYNONYM = re.compile(r"(?i)another (?:word|name) for (?:the |an? )?([\w -]+)|also called ([\w, -]+)")
SCRIPTS = {
    "msub": str.maketrans("0123456789+−-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"),
    "msup": str.maketrans("0123456789+−-=()in⊤′∗", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿᵀ′*"),
}
AROUND = 60  # characters on each side of an equation
# Tables of what stands elsewhere, and what is for those who grade: their headings are enough.
UNREAD = {"book/ledger", "book/notes-map", "book/rubrics", "book/instructors"}
SOURCES = "Where the notes say it"  # the map of the notes and the references say it again
LEADING = 110  # characters of what the reference says of a function
ACCENTS = {"^": "\u0302", "~": "\u0303", "ˉ": "\u0304", "˙": "\u0307"}


def script(kind, text):
    """An index or exponent in the small letters that Unicode has, else in brackets."""
    small = text.replace(" ", "").translate(SCRIPTS[kind])
    if all(ord(letter) in SCRIPTS[kind].values() for letter in small):
        return small
    return ("_" if kind == "msub" else "^") + (text if len(text) == 1 else f"({text})")


def bracketed(text):
    return text if re.fullmatch(r"[\w₀-₉ₐ-ₜᵢ-ᵥ]+", text) else f"({text})"


def readable(math):
    """A formula as a line of text, from its MathML."""
    tag, parts = math.tag.split("}")[-1], list(math)
    if tag == "semantics":
        return readable(parts[0])
    if tag == "mspace":
        return " "
    if tag == "mo":
        sign = math.text or ""
        return f" {sign} " if sign in set("=<>≤≥≠+−⋅×∈→←≈≪≫∼⇔⇒↦∣,") else sign
    if not parts:
        return math.text or ""
    texts = [readable(part).strip() for part in parts]
    if tag == "mfrac":
        return f"{bracketed(texts[0])}/{bracketed(texts[1])}"
    if tag == "msqrt":
        return "√" + bracketed(texts[0])
    if tag == "mover" and texts[1] in ACCENTS:
        return texts[0] + ACCENTS[texts[1]]
    if tag in ("msub", "munder"):
        return texts[0] + script("msub", texts[1])
    if tag in ("msup", "mover"):
        return texts[0] + script("msup", texts[1])
    if tag in ("msubsup", "munderover"):
        return texts[0] + script("msub", texts[1]) + script("msup", texts[2])
    if tag in ("mtable", "mtr"):
        return ("; " if tag == "mtable" else " ").join(texts)
    return "".join(readable(part) for part in parts)


def formula(node):
    """The text of a formula, as it reads on the page."""
    markup = re.search(
        r"<math.*?</math>",
        katex_math.html(node, katex_math.TAG.sub("", node.astext()), isinstance(node, nodes.math_block)),
        re.DOTALL,
    )
    line = readable(ET.fromstring(markup[0])) if markup else node.astext()
    return re.sub(r"[\s\u2061\u200b]+", " ", line).strip(" .,;") + node.get("after", "")


def words(node, apart):
    """The text of a node, formulas made readable, without what is `apart`, shows code, proves or answers."""
    if isinstance(node, nodes.math | nodes.math_block):
        return formula(node)
    if isinstance(node, nodes.Text):
        return str(node)
    texts, folded = [], False
    for child in node.children:
        if isinstance(child, nodes.raw):  # the tags of a fold are nodes of their own, on both sides of what they hold
            folded = (folded or "<details" in child.astext()) and "</details" not in child.astext()
        elif not folded and not isinstance(child, SILENT) and child not in apart and not proof(child):
            texts.append(words(child, apart))
    return ("" if isinstance(node, nodes.TextElement) else " ").join(texts)


def proof(node):
    return isinstance(node, nodes.container) and "box-proof" in node["classes"]


def kind_of(node):
    """Which kind of entry a node is, or None."""
    if isinstance(node, nodes.section):
        whole = isinstance(node.parent, nodes.document)
        return "chapter" if whole and node.next_node(nodes.title).astext()[:1].isdigit() else "section"
    if isinstance(node, nodes.math_block):
        return "equation" if node["ids"] and katex_math.TAG.search(node.astext()) else None
    if isinstance(node, nodes.figure):
        return "figure" if node["ids"] else None
    if isinstance(node, nodes.definition_list_item):
        return "term" if node[0]["ids"] else None
    if isinstance(node, addnodes.desc):
        return "function" if node[0]["ids"] else None
    boxes = {"box-theorem": "theorem", "box-definition": "theorem", "box-exercise": "exercise"}
    if isinstance(node, nodes.container) and node["ids"]:
        return next((kind for name, kind in boxes.items() if name in node["classes"]), None)
    return None


def functions_used(section, apart):
    """The names with an underscore in a section's code: those of the package, for the most part."""
    code = (
        block.astext()
        for child in section.children
        if child not in apart
        for block in child.findall(nodes.literal_block)
    )
    return " ".join(sorted(set(re.findall(r"\b[a-z]+_[a-z_]+\b", " ".join(code)))))


def beside(equation, apart):
    """The words that lead to an equation, and those that follow it."""
    place, parent = equation.parent.index(equation), equation.parent
    before, after = (" ".join(words(near, apart) for near in parent[k : k + 1]) for k in (max(place - 1, 0), place + 1))
    return f"{before[-AROUND:]} … {after[:AROUND]}".partition(" ")[2].rpartition(" ")[0]


def entry(node, kind, apart):
    """Anchor, kind, title, text and further names of one entry; the text of an equation is what stands around it."""
    anchor = (node["ids"] or [""])[0]
    text, names = words(node, apart - {node}), ""
    if isinstance(node, nodes.section):
        title, names = words(node.next_node(nodes.title), set()), functions_used(node, apart)
        text = "" if title.endswith(SOURCES) else text
    elif kind == "equation":
        names = anchor.removeprefix("eq-").replace("-", " ")
        title = f"({katex_math.TAG.search(node.astext())[1]}) {formula(node)}"
        text = beside(node, apart)
    elif kind == "figure":
        title, text = re.sub(r"\s+", " ", words(node[-1], set())).split(". ")[:2]  # its first sentence
    elif kind == "term":
        anchor, title = node[0]["ids"][0], words(node[0], set())
        text = words(node[1], apart)
    elif kind == "function":
        anchor, title = node[0]["ids"][0], node[0]["ids"][0].removeprefix("linclass.")
        text = textwrap.shorten(" ".join(words(part, apart) for part in node[1:]), LEADING, placeholder=" …")
    else:
        names = anchor.removeprefix("thm-").replace("-", " ") if kind == "theorem" else ""
        title = words(next(part for part in node.findall(nodes.strong) if "box-title" in part["classes"]), set())
        text = text.removeprefix(title)
    return [anchor, KINDS.index(kind), *(re.sub(r"\s+", " ", line).strip() for line in (title, text, names))]


class Entries(EnvironmentCollector):
    """Keeps, with each page, its entries."""

    def clear_doc(self, app, env, docname):
        getattr(env, "search_entries", {}).pop(docname, None)

    def merge_other(self, app, env, docnames, other):
        found = getattr(other, "search_entries", {})
        env.__dict__.setdefault("search_entries", {}).update({name: found[name] for name in docnames if name in found})

    def process_doc(self, app, doctree):
        kinds = {node: kind for node in doctree.findall() if (kind := kind_of(node))}
        entries = [entry(node, kind, set(kinds)) for node, kind in kinds.items()]
        if app.env.docname in UNREAD:
            entries = [[*one[:3], "", ""] for one in entries]
        app.env.__dict__.setdefault("search_entries", {})[app.env.docname] = entries


def synonyms(entries):
    """What people call things, and what the glossary says they are called here."""
    found = []
    for _, _, title, text, _ in entries:
        for other, called in SYNONYM.findall(text):
            pairs = [(title, other)] if other else [(name, title) for name in re.split(r",\s*(?:or )?|\s+or ", called)]
            found += [[name.strip(), word.strip()] for name, word in pairs]
    return found


def write(app, error):
    """The index and the engine, beside the pages."""
    if error or app.builder.name != "html":
        return
    site, env = Path(app.outdir), app.env
    pages = [name for name in reading_order(env) if env.search_entries.get(name)]
    index = {
        "kinds": KINDS,
        "pages": [[f"{name}.html", env.titles[name].astext()] for name in pages],
        "entries": [[place, *one] for place, name in enumerate(pages) for one in env.search_entries[name]],
        "synonyms": synonyms(env.search_entries.get("book/glossary", [])),
    }
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (site / "_static" / "search-index.js").write_text(f"linclassSearch.take({text})\n", encoding="utf-8")
    engine = (site_assets.install() / "minisearch" / "index.js").read_text(encoding="utf-8")
    bare = re.sub(
        r"^\s*/\*\*.*?\*/\n|^//# .*$", "", engine, flags=re.MULTILINE | re.DOTALL
    )  # its comments are half of it
    (site / "_static" / "minisearch.js").write_text(bare, encoding="utf-8")


def reading_order(env):
    """Every page, in the book's order."""
    seen, waiting = [], [env.config.root_doc]
    while waiting:
        name = waiting.pop(0)
        seen.append(name)
        waiting = env.toctree_includes.get(name, []) + waiting
    return seen


def setup(app):
    app.add_env_collector(Entries)
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))  # in place of Sphinx's own
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 3}
