"""The site around the text: what the theme's pages are told, how tables and pictures are written, the root's files."""

import html
import re
import textwrap
from pathlib import Path

import live_assets
import search_index
import site_assets
import take_along
from docutils import nodes
from paper import shelf
from sphinx.writers.html5 import HTML5Translator


class Translator(HTML5Translator):
    """Tables scroll in boxes of their own; pictures say their size, and come when they come near."""

    tables = pictures = 0

    def visit_table(self, node):
        self.tables += 1
        self.body.append('<div class="scroll">')
        super().visit_table(node)

    def depart_table(self, node):
        super().depart_table(node)
        self.body.append("</div>\n")
        self.tables -= 1

    def visit_Text(self, node):
        start = len(self.body)
        super().visit_Text(node)
        if self.tables and self.protect_literal_text:  # a name of code may break after an underscore or a slash
            self.body[start:] = [re.sub(r"(?<=[_/])(?=[^<>]+<)", "<wbr>", piece) for piece in self.body[start:]]

    def visit_image(self, node):
        svg = (Path(self.builder.srcdir) / node["uri"]).read_text(encoding="utf-8")
        sides = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
        width, height = (round(float(side) * 4 / 3) for side in sides)  # a figure is drawn in points
        super().visit_image(node)
        lazy = 'loading="lazy" ' if self.pictures else ""
        self.pictures += 1
        self.body[-1] = self.body[-1].replace("<img", f'<img width="{width}" height="{height}" {lazy}decoding="async"')
        if width > 640:  # on a phone a wide figure keeps a size at which its words can be read, and scrolls
            self.body[-1] = f'<span class="scroll">{self.body[-1].strip()}</span>\n'


def configure(app, config):
    """What the style sheet begins with, and pictures for those who share a link, once the site has an address."""
    katex = site_assets.install() / "katex" / "katex.min.css"
    config.html_context["katex_css"] = katex.read_text(encoding="utf-8")
    config.ogp_social_cards = config.ogp_social_cards | {"enable": bool(config.html_baseurl)}


def page_context(app, pagename, templatename, context, doctree):
    """What a page with formulas says of itself; it is described by its first paragraph of plain words."""
    if doctree:
        plain = (one.astext() for one in doctree.findall(nodes.paragraph) if not one.next_node(nodes.math))
        context["description"] = textwrap.shorten(next(text for text in plain if len(text) > 50), 158, placeholder=" …")
        context["meta"] |= {"og:description": context["description"], "og:image:alt": context["title"]}
        context["formulas"] = sum(isinstance(node, nodes.math | nodes.math_block) for node in doctree.findall())
        # Names and signs of code have the colour of the text around them, and need no elements: a tenth of a page.
        context["body"] = re.sub(r'<span class="(?:nn?|pm?|nx|w)">([^<]*)</span>', r"\1", context["body"])


def root_page(first):
    """The first page once more at the site's root, its addresses taken from there."""
    below = re.sub(r'\b((?:href|src|action|data-content_root)=")(?!#|\w+:)', r"\1book/", first)
    return below.replace('"book/../', '"')


def write_map(site, base, names):
    """Where the site's address is known, a sitemap."""
    if base:
        (site / "sitemap.txt").write_text("".join(f"{base}/{name}.html\n" for name in names))
        (site / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.txt\n")


def finish(app, error):
    """What stands beside the pages."""
    if error:
        return
    site = Path(app.outdir)
    search_index.write(site, app.env)
    if app.config.live:
        live_assets.write(site / "_static" / "live", app.config.live_distribution)
    first = (site / f"{app.config.root_doc}.html").read_text(encoding="utf-8")
    (site / "index.html").write_text(root_page(first), encoding="utf-8")
    shown = [*site.rglob("*.html"), site / "_static" / "search-index.js"]
    letters = set(map(chr, range(32, 127))).union(*(html.unescape(path.read_text(encoding="utf-8")) for path in shown))
    site_assets.write_fonts(site / "_static" / "fonts", site.parent / ".fonts", "".join(sorted(letters)))
    take_along.write(site, site.parent / ".wheel")
    shelf.put(site, site.parent / "paper")
    write_map(site, app.config.html_baseurl.rstrip("/"), sorted(app.env.found_docs))


def setup(app):
    app.add_config_value("comments_config", {}, "")  # Jupyter Book sets it for an extension that the book does not load
    app.set_translator("html", Translator)
    app.connect("config-inited", configure)
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))  # the book's is search_index
    app.connect("html-page-context", page_context, priority=400)  # before Open Graph tags are made of it
    app.connect("build-finished", finish)
