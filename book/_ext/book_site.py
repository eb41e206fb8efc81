"""The site around the text: what each page's head and edges say, one style sheet, fonts cut to the letters used.

The templates in `book/_theme` stand in place of sphinx-book-theme's, so a page loads one style sheet, one small
script and the fonts it shows, all from the site itself.
"""

import hashlib
import html
import logging
import re
import shutil
import struct
from functools import cache
from pathlib import Path

import cards
import site_assets
from docutils import nodes
from execute import ROOT
from fontTools import subset
from pygments.formatters import HtmlFormatter

# What a page can ask of _static; the theme's other files are not published.
STATIC = {"documentation_options.js", "doctools.js", "language_data.js", "searchtools.js", "sphinx_highlight.js"}
STATIC |= {path.name for path in (ROOT / "book").glob("_*/**/*.*") if path.name != "book.css.jinja"}
logging.getLogger("fontTools").setLevel(logging.ERROR)
ASSIGNMENTS = {
    "01-margins": "margins",
    "02-perceptron": "perceptron",
    "03-surrogate-losses": "losses",
    "04-logistic-regression": "logistic",
    "05-separable-data": "logistic",
    "06-descent": "descent",
    "07-support-vector-machines": "svm",
    "08-representer-theorem": "kernels",
    "09-kernels": "kernels",
    "10-kernel-sgd": "kernels",
    "11-softmax": "softmax",
    "12-newton": "newton",
}
DARK = re.compile(r':root\[data-theme="dark"\] (\{[^}]*\})')


# --- each page -------------------------------------------------------------------------------------------------------


def describe(doctree, title):
    """A sentence or two for search engines and previews: the page's first plain paragraph."""
    for paragraph in doctree.findall(nodes.paragraph) if doctree else []:
        text = " ".join(paragraph.astext().split())
        if len(text) > 50 and not any(paragraph.findall(nodes.math)) and not any(paragraph.findall(nodes.raw)):
            return text if len(text) <= 158 else text[:157].rsplit(" ", 1)[0].rstrip(",;:") + "…"
    return f"{title}: a page of a book on linear classification, with the code that computes what it shows."


def image_size(path):
    """Width and height in pixels of an SVG or PNG file, as it should be shown; None for another."""
    if path.suffix == ".svg":
        head = path.read_text(encoding="utf-8")[:2000]
        match = re.search(
            r'<svg[^>]*?width="([\d.]+)pt" height="([\d.]+)pt"|<svg[^>]*?height="([\d.]+)pt"[^>]*?width="([\d.]+)pt"',
            head,
        )
        if match:
            width, height = (match[1], match[2]) if match[1] else (match[4], match[3])
            return round(float(width) * 4 / 3), round(float(height) * 4 / 3)
        match = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"', head)
        return (round(float(match[1])), round(float(match[2]))) if match else None
    if path.suffix == ".png":
        return struct.unpack(">II", path.read_bytes()[16:24])
    return None


def sized_images(body, files):
    """Images with their size, so that nothing moves when they arrive, and fetched when they come near."""
    seen = 0

    def mend(match):
        nonlocal seen
        tag = match[0]
        path = files.get(Path(re.search(r'src="([^"]+)"', tag)[1]).name)
        size = path and path.exists() and image_size(path)
        shown = re.search(r'style="width: (\d+)px; height: (\d+)px', tag)
        if shown:
            size = shown.groups()
        tag = tag.rstrip("/> \n")
        if size:
            tag = re.sub(r'\s(?:style|width|height)="[^"]*"', "", tag) + f' width="{size[0]}" height="{size[1]}"'
        seen += 1
        tag += ' loading="lazy" decoding="async">' if seen > 1 else ' decoding="async">'
        # A wide figure keeps a size at which its words can be read, on a phone by scrolling.
        return f'<span class="scroll">{tag}</span>' if size and int(size[0]) > 640 and "_images" in tag else tag

    return re.sub(r"<img [^>]*>", mend, body)


def keep_punctuation(body):
    """A full stop or comma goes into the formula before it: no line ends between them."""
    formula = r'(<span class="math">(?:(?!<span class="math").)*?</span></span></span>)</span>([.,;:!?)\]’”]+)'
    return re.sub(formula, r"\1\2</span>", body, flags=re.DOTALL)


def scrolling_tables(body):
    """Tables in boxes that scroll, the names of code in them free to break after an underscore or a slash."""

    def mend(table):
        names = re.compile(r'(?<=<span class="pre">)[^<]*')
        return f'<div class="scroll">{names.sub(lambda name: re.sub(r"(?<=[_/])", "<wbr>", name[0]), table[0])}</div>'

    return re.sub(r"<table.*?</table>", mend, body, flags=re.DOTALL)


def copy_buttons(body):
    """A button on each piece of code to take along; the style sheet writes its word, so that no search finds it."""
    button = '<button class="copy" type="button" aria-label="Copy this code"></button>'
    return re.sub(r'<div class="highlight-(?:python|bash) [^"]*"><div class="highlight">', rf"\g<0>{button}", body)


def reserved_heights(body):
    """Each section says about how high it will be, for the browser lays it out only when it comes near."""
    depth, parts, start = 0, [], 0
    for tag in re.finditer(r"<section\b|</section>", body):
        depth += 1 if tag[0] == "<section" else -1
        if (tag[0], depth) in (("<section", 2), ("</section>", 1)):
            parts.append(body[start : tag.start()])
            start = tag.start()
    parts.append(body[start:])
    return parts[0] + "".join(with_heights(part) if part.startswith("<section") else part for part in parts[1:])


def with_heights(section):
    narrow, wide = heights(section)
    return section.replace("<section", f'<section style="--narrow:{narrow:.0f}rem;--wide:{wide:.0f}rem"', 1)


def heights(section):
    """(on a phone, on a desk) in rem, from letters, lines of code, figures and blocks: rather too much than too little.

    What is higher than it said overlaps, for tools that measure, what comes after it.
    """
    folded = re.sub(r"<details.*?</details>", "<p>Answer</p><p></p>", section, flags=re.DOTALL)
    seen = re.sub(r'<span class="katex-mathml">.*?</math></span>|<script.*?</script>', "", folded, flags=re.DOTALL)
    code, rest = re.findall(r"<pre.*?</pre>", seen, re.DOTALL), re.sub(r"<pre.*?</pre>", "", seen, flags=re.DOTALL)
    lines = 1.3 * sum(block.count("\n") + 3 for block in code)
    blocks = 1.6 * len(re.findall(r"<(?:p|li|h\d|tr|dd)\b", rest))
    blocks += 5 * rest.count("math-scroll") + 16 * rest.count("<figure")
    letters = 1.8 * len(re.sub(r"<[^>]+>|\s+", " ", rest))
    pictures = [(int(w), int(h)) for w, h in re.findall(r'width="(\d+)" height="(\d+)"', rest)]
    narrow = letters / 34 + lines + blocks + sum(h * min(1, 330 / w) for w, h in pictures) / 16
    wide = letters / 75 + lines + blocks + sum(h for _, h in pictures) / 16
    return 1.05 * narrow, 1.15 * wide


def early_fonts(body):
    """The fonts that the top of a page is set in; named in its head, they come with the style sheet, not after it."""
    top = body.split("<h2", 1)[0]
    fonts = ["source-serif-4-latin-400-normal", "source-sans-3-latin-wght-normal"]
    fonts += ["source-serif-4-latin-600-normal"] * ("<strong" in top)
    fonts += ["source-serif-4-latin-400-italic"] * ("<em>" in top)
    fonts += ["KaTeX_Main-Regular"] * ('class="katex"' in body)
    return fonts + ["KaTeX_Math-Italic"] * ("mathnormal" in body)


def plain_contents(contents):
    """The list of pages, its captions no headings, the current page marked for every reader."""
    contents = re.sub(r'<p class="caption" role="heading">', '<p class="caption">', contents)
    return re.sub(r'class="current reference internal"', 'class="current" aria-current="page"', contents)


def partner(env, pagename):
    """The assignment that belongs to a chapter, if there is one."""
    name = f"book/assignments/{ASSIGNMENTS.get(Path(pagename).name)}"
    return name if name in env.found_docs else None


def tools(app, pagename, pathto):
    """The links below a chapter's title: (text, address, further attributes)."""
    path = Path(app.env.doc2path(pagename))
    if path.suffix != ".ipynb":
        return []
    links = [("Download this notebook", pathto(f"_sources/{pagename}.ipynb", 1), " download")]
    if (assignment := partner(app.env, pagename)) is not None:
        links.append(("Its assignment", pathto(assignment), ""))
    if f"ledger-{path.stem}" in app.env.get_domain("std").anonlabels:
        links.append(("Its place in the ledger", pathto("book/ledger") + f"#ledger-{path.stem}", ""))
    repository = app.config.html_theme_options.get("repository_url", "").rstrip("/")
    if repository:
        owner = "/".join(repository.split("/")[-2:])
        relative = path.relative_to(ROOT / "book").as_posix()
        links.append(("Open in Colab", f"https://colab.research.google.com/github/{owner}/blob/hosted/{relative}", ""))
        links.append(("Open in Binder", f"https://mybinder.org/v2/gh/{owner}/hosted?labpath={relative}", ""))
    return links


def tools_list(links):
    items = "".join(f'<li><a href="{address}"{more}>{text}</a></li>' for text, address, more in links)
    return f'<ul class="tools">{items}</ul>' if items else ""


def page_context(app, pagename, templatename, context, doctree):
    context["title"] = context.get("title") or "Search"
    title = re.sub(r"<[^>]+>", "", context["title"])
    files = {name: Path(app.srcdir) / source for source, name in app.builder.images.items()}
    pathto, base = context["pathto"], app.config.html_baseurl
    context["project_title"] = app.config.html_title
    context["author"] = app.config.author
    context["style_version"] = style_version()
    context["description"] = html.escape(describe(doctree, html.unescape(title)), quote=True)
    contents = context["toctree"](includehidden=True, titles_only=True, maxdepth=1, collapse=False) or ""
    context["contents"] = plain_contents(contents)
    toc = context.get("toc") or ""
    context["outline"] = toc if toc.count("<li>") > 2 else ""
    context["canonical"] = f"{base.rstrip('/')}/{pagename}.html" if base else ""
    context["picture"] = f"{base.rstrip('/')}/_static/cards/{Path(pagename).name}.png" if base and doctree else ""
    repository = app.config.html_theme_options.get("repository_url", "").rstrip("/")
    context["report"] = f"{repository}/issues/new?title=Mistake%20in%20{pagename}" if repository else ""
    context["formulas"] = 0
    context["fonts"] = early_fonts(context.get("body", ""))
    if doctree is not None:
        context["formulas"] = sum(1 for kind in (nodes.math, nodes.math_block) for _ in doctree.findall(kind))
        body = copy_buttons(keep_punctuation(scrolling_tables(sized_images(context["body"], files))))
        body = reserved_heights(body)
        links = tools_list(tools(app, pagename, pathto))
        context["body"] = body.replace("</h1>", f"</h1>{links}", 1)


# --- the whole site --------------------------------------------------------------------------------------------------


@cache
def style_sheet():
    """The book's style, the colours of code in both themes, and KaTeX's, in one sheet."""
    book = (ROOT / "book" / "_theme" / "static" / "book.css.jinja").read_text(encoding="utf-8")
    dark = DARK.search(book)[1]
    system = ':root:not([data-theme="light"])'
    book = book.replace(
        "/* the system's choice: the build repeats the block above here */",
        f"@media screen and (prefers-color-scheme: dark) {{ {system} {dark} }}",
    )
    light, night = HtmlFormatter(style="a11y-high-contrast-light"), HtmlFormatter(style="a11y-high-contrast-dark")
    colours = [
        code_colours(light, ".highlight"),
        code_colours(night, ':root[data-theme="dark"] .highlight'),
        f"@media screen and (prefers-color-scheme: dark) {{ {code_colours(night, system + ' .highlight')} }}",
    ]
    katex = (site_assets.install() / "katex" / "katex.min.css").read_text(encoding="utf-8")
    katex = re.sub(r",url\([^)]*\.(?:woff|ttf)\) format\(\"[^\"]*\"\)", "", katex)
    return minified("\n".join([katex, *colours, book]))


def code_colours(formatter, prefix):
    """Pygments' rules for tokens, without its backgrounds: those are the book's."""
    rules = [rule for rule in formatter.get_style_defs(prefix).splitlines() if f"{prefix} ." in rule]
    return "\n".join(re.sub(r"background-color: [^;}]*;?", "", rule) for rule in rules if " .hll" not in rule)


def minified(css):
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    css = re.sub(r"\s+", " ", css)
    return re.sub(r"\s*([{};,])\s*", r"\1", css).replace(";}", "}")


@cache
def style_version():
    script = (ROOT / "book" / "_theme" / "static" / "book.js").read_text(encoding="utf-8")
    return hashlib.sha256((style_sheet() + script).encode()).hexdigest()[:8]


def used_fonts(css, pages):
    """The font files of the style sheet that some page can show: those of a class that occurs."""
    classes = set(re.findall(r"[\w-]+", " ".join(re.findall(r'class="([^"]*)"', pages))))
    families = {"Source Serif 4", "Source Sans 3", "KaTeX_Main"}
    faces, rest = re.findall(r"@font-face\{([^}]*)\}", css), re.sub(r"@font-face\{[^}]*\}", "", css)
    for selectors, family in re.findall(r"([^{}]+)\{[^{}]*?font(?:-family)?:[^;}]*?(KaTeX_\w+)", rest):
        if any(set(re.findall(r"\.([\w-]+)", one)) - {"katex"} <= classes for one in selectors.split(",")):
            families.add(family)
    named = {re.search(r"fonts/([^)]+)", face)[1]: re.search(r'font-family:\s*"?([^;"]+)', face)[1] for face in faces}
    return {file for file, family in named.items() if family in families}


def write_fonts(folder, kept, css, pages):
    """Each font cut to the characters of the site; one cut is kept for the next build that needs the same."""
    letters = "".join(sorted(set(html.unescape(re.sub(r"<[^>]+>", "", pages))) | set(map(chr, range(32, 127)))))
    sources = {path.name: path for path in site_assets.install().rglob("*.woff2")}
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(used_fonts(css, pages)):
        digest = hashlib.sha256(letters.encode() + sources[name].read_bytes()).hexdigest()[:16]
        cut = kept / f"{digest}-{name}"
        if not cut.exists():
            kept.mkdir(parents=True, exist_ok=True)
            options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False, notdef_outline=True)
            font = subset.load_font(sources[name], options)
            cutter = subset.Subsetter(options)
            cutter.populate(text=letters)
            cutter.subset(font)
            subset.save_font(font, cut, options)
        shutil.copyfile(cut, folder / name)


def prune(static):
    """Leave in _static what pages use."""
    for path in sorted(static.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.parent != static or path.name not in STATIC:
            path.unlink()


def root_page(first):
    """The first page once more at the site's root, its addresses taken from there."""

    def moved(match):
        name, address = match.groups()
        if address.startswith(("#", "http:", "https:", "mailto:", "data:")):
            return match[0]
        return f'{name}="{address[3:] if address.startswith("../") else "book/" + address}"'

    return re.sub(r'\b(href|src|action|data-content_root)="([^"]*)"', moved, first)


def write_cards(folder, kept, titles, book):
    """A picture for every page, to be shown with a link to it; drawn once for a title."""
    folder.mkdir(parents=True, exist_ok=True)
    kept.mkdir(parents=True, exist_ok=True)
    for name, title in titles.items():
        drawn = kept / (hashlib.sha256(f"{book}|{title}".encode()).hexdigest()[:16] + ".png")
        if not drawn.exists():
            drawn.write_bytes(cards.card(title, book))
        shutil.copyfile(drawn, folder / f"{Path(name).name}.png")


def write_map(site, base, names):
    """robots.txt, and where the site's address is known, a sitemap."""
    lines = ["User-agent: *", "Allow: /"]
    if base:
        addresses = "".join(f"<url><loc>{base.rstrip('/')}/{name}.html</loc></url>\n" for name in sorted(names))
        (site / "sitemap.xml").write_text(
            '<?xml version="1.0" encoding="utf-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{addresses}</urlset>\n'
        )
        lines.append(f"Sitemap: {base.rstrip('/')}/sitemap.xml")
    (site / "robots.txt").write_text("\n".join(lines) + "\n")


def finish(app, error):
    if error or app.builder.name != "html":
        return
    site = Path(app.outdir)
    static, css = site / "_static", style_sheet()
    first = site / f"{app.config.root_doc}.html"
    prune(static)
    (static / "site.css").write_text(css, encoding="utf-8")
    if first.exists() and first.parent != site:
        (site / "index.html").write_text(root_page(first.read_text(encoding="utf-8")), encoding="utf-8")
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted(site.glob("**/*.html")))
    write_fonts(static / "fonts", site.parent / ".fonts", css, pages)
    titles = {name: node.astext() for name, node in app.env.titles.items()}
    write_cards(static / "cards", site.parent / ".cards", titles, app.config.html_title)
    write_map(site, app.config.html_baseurl, app.env.found_docs)
    root = re.sub(r"^https?://[^/]+", "", app.config.html_baseurl).rstrip("/") + "/"
    missing = app.builder.templates.render("404.html", {"root": root, "title": app.config.html_title})
    (site / "404.html").write_text(missing, encoding="utf-8")
    for name in ("genindex.html", "py-modindex.html", "objects.inv"):
        (site / name).unlink(missing_ok=True)


def setup(app):
    # Jupyter Book sets this for an extension that the book does not load.
    app.add_config_value("comments_config", {}, "")
    app.connect("html-page-context", page_context, priority=900)
    app.connect("build-finished", finish, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
