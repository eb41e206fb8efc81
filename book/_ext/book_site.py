"""The site around the text: what the theme's pages are told, how tables and pictures are written, the root's files."""

import html
import re
from pathlib import Path
from urllib.parse import urlsplit

import site_assets
import take_along
from docutils import nodes
from lab_markdown import permalink
from paper import shelf
from sphinx.writers.html5 import HTML5Translator

ROOT = Path(__file__).resolve().parents[2]


class Translator(HTML5Translator):
    """Tables scroll in boxes of their own; pictures say their size, and come when they come near."""

    tables = pictures = figures = 0

    def visit_table(self, node):
        self.tables += 1
        self.body.append('<div class="scroll">')
        super().visit_table(node)

    def depart_table(self, node):
        super().depart_table(node)
        self.body.append("</div>\n")
        self.tables -= 1

    def visit_figure(self, node):
        self.figures += 1
        super().visit_figure(node)

    def depart_figure(self, node):
        super().depart_figure(node)
        self.figures -= 1

    def add_permalink_ref(self, node, title):
        super().add_permalink_ref(node, "Link to this figure" if isinstance(node, nodes.figure) else title)

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
        if self.figures:  # which has a name of its own
            return
        label = f"figure-{self.pictures}"
        self.body[-1] = f'<span class="figure" id="{label}">{self.body[-1]}{permalink(label, "figure")}</span>\n'


def describe(doctree, title):
    """A sentence or two for search engines and previews: the page's first plain paragraph."""
    for paragraph in doctree.findall(nodes.paragraph) if doctree else []:
        text = " ".join(paragraph.astext().split())
        if len(text) > 50 and not any(paragraph.findall(nodes.math)) and not any(paragraph.findall(nodes.raw)):
            return text if len(text) <= 158 else text[:157].rsplit(" ", 1)[0].rstrip(",;:") + "…"
    return f"{title}: a page of a book on linear classification, with the code that computes what it shows."


def assignments():
    """The assignment of each chapter, as the table of assignments pairs them."""
    rows = (ROOT / "book" / "assignments" / "index.md").read_text(encoding="utf-8").splitlines()
    pairs = [(re.findall(r"\.\./([\w-]+)\.ipynb", row), re.search(r"\((\w+)\.md\)", row)) for row in rows]
    return {chapter: f"book/assignments/{name[1]}" for chapters, name in pairs if name for chapter in chapters}


def configure(app, config):
    """What the style sheet begins with, and pictures for those who share a link, once the site has an address."""
    config.html_context["katex_css"] = (site_assets.install() / "katex" / "katex.min.css").read_text(encoding="utf-8")
    config.ogp_site_url = config.html_baseurl
    config.ogp_social_cards = config.ogp_social_cards | {"enable": bool(config.html_baseurl)}


def page_context(app, pagename, templatename, context, doctree):
    """What the templates ask for beyond what Sphinx tells them."""
    path = Path(app.env.doc2path(pagename)) if doctree else Path()
    label = f"ledger-{path.stem}"
    context["author"] = app.config.author
    context["description"] = describe(doctree, app.env.titles[pagename].astext() if doctree else "Search")
    every = doctree.findall() if doctree else ()
    context["formulas"] = sum(isinstance(node, nodes.math | nodes.math_block) for node in every)
    tags = {"og:description": context["description"], "og:image:alt": context.get("title", "")}
    context["meta"] = {**(context.get("meta") or {}), **tags}
    context["notebook"] = path.relative_to(ROOT / "book").as_posix() if path.suffix == ".ipynb" else None
    context["assignment"] = assignments().get(path.stem)
    context["in_ledger"] = label if label in app.env.get_domain("std").anonlabels else None
    context["site_root"] = urlsplit(app.config.html_baseurl).path.rstrip("/") + "/"


def root_page(first):
    """The first page once more at the site's root, its addresses taken from there."""

    def moved(match):
        name, address = match.groups()
        if address.startswith(("#", "http:", "https:", "mailto:", "data:")):
            return match[0]
        return f'{name}="{address[3:] if address.startswith("../") else "book/" + address}"'

    return re.sub(r'\b(href|src|action|data-content_root)="([^"]*)"', moved, first)


def write_map(site, base, names):
    """robots.txt, and where the site's address is known, a sitemap."""
    lines = ["User-agent: *", "Allow: /"]
    if base:
        pages = "".join(f"<url><loc>{base.rstrip('/')}/{name}.html</loc></url>\n" for name in sorted(names))
        head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        (site / "sitemap.xml").write_text(f"{head}{pages}</urlset>\n")
        lines.append(f"Sitemap: {base.rstrip('/')}/sitemap.xml")
    (site / "robots.txt").write_text("\n".join(lines) + "\n")


def finish(app, error):
    site, first = Path(app.outdir), Path(app.outdir) / f"{app.config.root_doc}.html"
    if error or app.builder.name != "html":
        return
    (site / "index.html").write_text(root_page(first.read_text(encoding="utf-8")), encoding="utf-8")
    texts = (html.unescape(path.read_text(encoding="utf-8")) for path in site.rglob("*.html"))
    letters = set(map(chr, range(32, 127))).union(*texts)
    letters |= set((site / "_static" / "search-index.js").read_text(encoding="utf-8"))  # what results show
    site_assets.write_fonts(site / "_static" / "fonts", site.parent / ".fonts", "".join(sorted(letters)))
    take_along.write(site, site.parent / ".wheel")
    shelf.put(site, site.parent / "paper")
    write_map(site, app.config.html_baseurl, app.env.found_docs)


def setup(app):
    app.add_config_value("comments_config", {}, "")  # Jupyter Book sets it for an extension that the book does not load
    app.set_translator("html", Translator)
    app.connect("config-inited", configure)
    app.connect("html-page-context", page_context, priority=400)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
