"""Mathematics set while building: KaTeX, run in-process, so that a formula is there at first paint.

The page carries HTML for the eye and MathML for screen readers; no script runs in the reader's browser.
A formula that KaTeX does not understand, an unknown macro included, is a warning, and warnings fail the build.
"""

import json
import re
from functools import cache

import quickjs
import site_assets
from docutils import nodes
from sphinx.util import logging

# The book uses standard LaTeX, so that plain JupyterLab shows the same; a macro would be defined here and nowhere else.
MACROS = {}
TAG = re.compile(r"\\tag\{([^}]*)\}")

logger = logging.getLogger(__name__)


@cache
def engine():
    """KaTeX's renderToString as a Python function of two strings."""
    context = quickjs.Context()
    context.eval((site_assets.install() / "katex" / "katex.min.js").read_text(encoding="utf-8"))
    # Through JSON: a JavaScript string of its own does not survive the way back.
    context.eval("const render = (tex, options) => JSON.stringify(katex.renderToString(tex, JSON.parse(options)))")
    return context.eval("render"), context


@cache
def render(tex, display=False):
    """HTML and MathML of a formula; quickjs.JSException if KaTeX objects."""
    options = {"displayMode": display, "throwOnError": True, "strict": "error", "macros": MACROS}
    return json.loads(engine()[0](tex, json.dumps(options)))


def html(node, tex, display=False):
    """The rendered formula, or its source in red and a warning that names the place."""
    try:
        return render(tex, display)
    except quickjs.JSException as error:
        message = str(error).splitlines()[0].removeprefix("ParseError: ")
        logger.warning("%s, in the formula %s", message, tex.strip(), location=node)
        return f'<code class="katex-error">{nodes.unescape(tex)}</code>'


def visit_inline(translator, node):
    """A formula in the line. It may end a line only where KaTeX would let it, so that what follows can stay with it."""
    pieces = html(node, node.astext()).replace('</span><span class="base">', '</span><wbr><span class="base">')
    translator.body.append(translator.starttag(node, "span", "", CLASS="math") + pieces + "</span>")
    raise nodes.SkipNode


def visit_display(translator, node):
    """A displayed formula in a box of its own that scrolls, its number beside it, out of the scrolling."""
    tex = node.astext()
    number = TAG.search(tex)
    kind = "math math-numbered" if number else "math"
    translator.body.append(translator.starttag(node, "div", CLASS=kind))
    translator.body.append(f'<div class="math-scroll">{html(node, TAG.sub("", tex), display=True)}</div>')
    if number and node["ids"]:
        translator.body.append(
            f'<a class="eqno" href="#{node["ids"][0]}" title="Link to this equation">({number[1]})</a>'
        )
    elif number:
        translator.body.append(f'<span class="eqno">({number[1]})</span>')
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
