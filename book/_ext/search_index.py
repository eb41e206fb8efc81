"""What the search knows: each chapter, section, theorem, equation, figure, exercise, glossary term and public function.

It is read from the built pages. `search-index.js` is a script and not data, because a page read from a disk can load a
script and nothing else. The engine is MiniSearch: it forgives typos, finds beginnings of words, and takes weights and
synonyms; Lunr is no longer maintained, and Pagefind neither forgives typos nor runs from a disk.
"""

import json
import re
import textwrap

import lxml.html
import site_assets

# The kinds of entries, in the order of their worth, and where they stand.
KINDS = {
    "chapter": "article > section",
    "section": "section section",
    "theorem": ".box-theorem[id], .box-definition[id]",
    "equation": ".math-numbered[id]",
    "figure": "figure.numbered",
    "exercise": ".box-exercise[id]",
    "term": "dt[id^=term-]",
    "function": "dt.sig[id]",
}
# Answers, proofs and what a cell shows are not searched, nor what only helps to read the page.
UNSAID = "details:not(.hide), summary, .box-proof, .text_html, .headerlink, .tools, .solve, .letters, li[id]"
SYNONYM = re.compile(r"(?i)another (?:word|name) for (?:the |an? )?([\w -]+)|also called ([\w, -]+)")
FUNCTION = re.compile(r"\b[a-z]+_[a-z_]+\b")  # for the most part
AROUND = 60  # characters on each side of an equation
LEADING = 110  # characters of what the reference says of a function
# Tables of what stands elsewhere, and what is for those who grade: their headings are enough.
UNREAD = {"book/ledger", "book/notes-map", "book/rubrics", "book/instructors"}
SOURCES = "Where the notes say it"  # the map of the notes and the references say it again
SPACED = set("=<>≤≥≠+−⋅×∈→←≈≪≫∼⇔⇒↦∣,")
ACCENTS = {"^": "\u0302", "~": "\u0303", "ˉ": "\u0304", "˙": "\u0307"}
SMALL = {
    "_": str.maketrans("0123456789+−-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"),
    "^": str.maketrans("0123456789+−-=()in⊤′∗", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿᵀ′*"),
}


def script(sign, text):
    """An index or exponent in the small letters that Unicode has, else in brackets."""
    small = text.replace(" ", "").translate(SMALL[sign])
    if all(ord(letter) in SMALL[sign].values() for letter in small):
        return small
    return sign + (text if len(text) == 1 else f"({text})")


def bracketed(text):
    return text if re.fullmatch(r"[\w₀-₉ₐ-ₜᵢ-ᵥ]+", text) else f"({text})"


# What stands in a line of text for an element of MathML, from the texts of its parts.
IN_LINE = {
    "mspace": lambda: " ",
    "mfrac": lambda top, bottom: f"{bracketed(top)}/{bracketed(bottom)}",
    "msqrt": lambda inside: "√" + bracketed(inside),
    "msub": lambda base, index, *_: base + script("_", index),
    "msup": lambda base, above, *_: base + (ACCENTS.get(above) or script("^", above)),
    "msubsup": lambda base, index, above, *_: base + script("_", index) + script("^", above),
    "mtable": lambda *rows: "; ".join(rows),
    "mtr": lambda *cells: " ".join(cells),
}


def readable(math):
    """A formula as a line of text, from its MathML."""
    tag, parts = math.tag.replace("under", "sub").replace("over", "sup"), map(readable, math)
    if tag in IN_LINE:
        return IN_LINE[tag](*(part.strip() for part in parts))
    text = (math.text or "") + "".join(parts)
    return f" {text} " if tag == "mo" and text in SPACED else text


def said(node):
    return " ".join(node.text_content().split()) if node is not None else ""


def entry(node, kind):
    """Anchor, kind, title, text and further names of one entry; the text of an equation is what stands around it."""
    anchor, text, names = node.get("id"), said(node), ""
    match kind:
        case "chapter" | "section":
            title = said(next(node.iter("h1", "h2", "h3", "h4")))
            kind = kind if title[0].isdigit() else "section"
            names = " ".join(sorted(set(FUNCTION.findall(node.get("code", "")))))
            text = "" if title.endswith(SOURCES) else text
        case "equation":
            title = " ".join(said(part) for part in reversed(node))
            before, after = said(node.getprevious())[-AROUND:], said(node.getnext())[:AROUND]
            text = f"{before} … {after}".partition(" ")[2].rpartition(" ")[0]
        case "figure":
            title, text = said(node.find("figcaption")).split(". ")[:2]  # its first sentence
        case "term":
            title, text = said(node), said(node.getnext())
        case "function":
            title = anchor.removeprefix("linclass.")
            text = textwrap.shorten(said(node.getnext()), LEADING, placeholder=" …")
        case _:
            title = said(node.find_class("box-title")[0])
    if kind in ("equation", "theorem"):
        names = re.sub("^(eq|thm)-", "", anchor).replace("-", " ")
    return [anchor, [*KINDS].index(kind), title, text.removeprefix(title).strip(), names]


def entries(page):
    """The entries of a page. Each is read from behind and taken out, so that what it stands in does not say it too."""
    for unsaid in page.cssselect(UNSAID):
        unsaid.drop_tree()
    for block in page.xpath("//section//pre"):
        section = next(block.iterancestors("section"))
        section.set("code", section.get("code", "") + block.text_content())
        block.drop_tree()
    for formula in page.find_class("katex"):
        line = re.sub(r"[\s\u2061\u200b]+", " ", readable(formula.find(".//semantics")[0])).strip(" .,;")
        formula.clear(keep_tail=True)
        formula.text = line
    kinds = {node: kind for kind, place in KINDS.items() for node in page.cssselect(place)}
    found = []
    for node in reversed([node for node in page.iter() if node in kinds]):
        found.insert(0, entry(node, kinds[node]))
        for part in [node, node.getnext()] if node.tag == "dt" else [node]:
            part.drop_tree()
    return found


def synonyms(entries):
    """What people call things, and what the glossary says they are called here."""
    found = []
    for _, _, title, text, _ in entries:
        for other, called in SYNONYM.findall(text):
            pairs = [(title, other)] if other else [(name, title) for name in re.split(r",\s*(?:or )?|\s+or ", called)]
            found += [[name.strip(), word.strip()] for name, word in pairs]
    return found


def write(site, env):
    """The index and the engine, beside the pages."""
    pages = {}
    for name in env.collect_relations():
        pages[name] = entries(lxml.html.parse(site / f"{name}.html").getroot())
        if name in UNREAD:
            pages[name] = [[*one[:3], "", ""] for one in pages[name]]
    index = {
        "kinds": [*KINDS],
        "pages": [[f"{name}.html", env.titles[name].astext()] for name in pages],
        "entries": [[place, *one] for place, found in enumerate(pages.values()) for one in found],
        "synonyms": synonyms(pages["book/glossary"]),
    }
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (site / "_static" / "search-index.js").write_text(f"linclassSearch.take({text})\n", encoding="utf-8")
    engine = (site_assets.install() / "minisearch" / "index.js").read_text(encoding="utf-8")
    bare = re.sub(r"(?ms)^\s*/\*\*.*?\*/\n|^//# .*?$", "", engine)  # its comments are half of it
    (site / "_static" / "minisearch.js").write_text(bare, encoding="utf-8")
