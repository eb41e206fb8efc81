"""The pages that the build writes: the ledger, the map of the notes, the package's reference from its docstrings."""

import re
from functools import cache
from pathlib import Path

import ledger
import yaml
from contents import ROOT
from docutils import nodes
from docutils.transforms import Transform
from sphinx import addnodes

SHOWN = re.compile(r"(?:show\.)?show\((\w+)\.([a-zA-Z]\w*)\)")
HERE = "<!-- the build writes here -->"


@cache
def modules():
    """The public modules, from what stands on nothing to what stands on the rest, as a test holds them to."""
    layers = (ROOT / "tests" / "test_layers.py").read_text(encoding="utf-8")
    order = re.search(r'ORDER = """(.*?)"""', layers, re.DOTALL)[1]
    return [name for name in order.split() if not name.startswith("_")]


def reference():
    """Markdown of the reference page: a section a module."""
    automodule = "```{{eval-rst}}\n.. automodule:: linclass.{0}\n   :members:\n   :member-order: bysource\n```\n"
    return "\n".join(("## `linclass.{0}`\n\n" + automodule).format(name) for name in modules())


@cache
def entries():
    return ledger.read(ROOT)


def ledger_table():
    """Markdown of the ledger page: the counts, then for each chapter its labels, functions and tests."""
    equations = sum(entry.is_equation for entry in entries())
    functions, tests = ({x for entry in entries() for x in getattr(entry, kind)} for kind in ("functions", "tests"))
    lines = [f"**{equations}** equations and **{len(entries()) - equations}** theorems, "]
    lines[0] += f"**{len(functions)}** functions, **{len(tests)}** tests.\n"
    for page in dict.fromkeys(entry.page for entry in entries()):
        title = ledger.prose(ROOT / "book" / page).split("\n", 1)[0].removeprefix("# ")
        lines += [f"(ledger-{Path(page).stem})=\n## [{title}]({page})\n", "| label | function | test |\n|---|---|---|"]
        lines += [*(ledger_row(entry) for entry in entries() if entry.page == page), ""]
    return "\n".join(lines)


def ledger_row(entry):
    # A public function leads to the reference, where private ones do not stand.
    functions = [f"`{name}`" if "._" in name else f"{{py:obj}}`~{name}`" for name in entry.functions]
    functions, tests = functions or (["by its proof"] if entry.proved else ["missing"]), []
    for file in dict.fromkeys(name.split("::")[0] for name in entry.tests):
        tests += [f"`{name.split('::')[1]}`" for name in entry.tests if name.startswith(f"{file}::")] + [f"in `{file}`"]
    label = f'<a id="row-{entry.label}"></a>[{entry.spoken}]({entry.page}#{entry.label}) `{entry.label}`'
    return f"| {label} | {'<br>'.join(functions)} | {'<br>'.join(tests) or 'missing'} |"


def notes_map():
    """Markdown: each note's sections with the claims that stand there and links to where they are treated."""
    table = yaml.safe_load((ROOT / "book" / "notes_map.yml").read_text(encoding="utf-8"))
    lines = [f"**{len(table['rows'])}** claims and slips, in **{len(table['notes'])}** notes.\n"]
    for name, note in table["notes"].items():
        lines += [f"## {name}: {note['title']}\n", "| section | claim | treated in |", "|---|---|---|"]
        for section in note["sections"]:
            rows = [row for row in table["rows"] if section in row["notes"].get(name, [])]
            for k, row in enumerate(rows):
                links = "<br>".join(f"[{link_text(target)}]({target})" for target in row["in"])
                lines.append(f"| {section if k == 0 else ''} | {row['claim']} | {links} |")
        lines.append("")
    return "\n".join(lines)


def link_text(target):
    """What a link shows: the chapter or the page, and in it the statement, equation or section, in words."""
    path, _, label = target.partition("#")
    text = ledger.prose(ROOT / "book" / path)
    spoken = {entry.label: entry.spoken for entry in entries()}
    headings = {
        re.sub(r"\W+", "-", line.lower()).strip("-"): line for line in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }
    title, stem = text.split("\n", 1)[0].removeprefix("# "), Path(path).stem
    name = f"chapter {int(stem[:2])}" if stem[:2].isdigit() else title.lower()
    place = spoken.get(label) or headings.get(label) or label.replace("-", " ")
    return f"{name}, {place}" if label else name


def cited_in(app, doctree, docname):
    """Below each entry of the bibliography, the pages that cite it."""
    if docname != "book/references":
        return
    order = [name for name in app.env.found_docs if name != docname]
    texts = {name: ledger.prose(app.env.doc2path(name)) for name in sorted(order)}
    for item in doctree.findall(lambda node: isinstance(node, nodes.list_item) and node["ids"]):
        pages = [name for name, text in texts.items() if f"references.md#{item['ids'][0]})" in text]
        line = nodes.paragraph("", "Cited in " if pages else "Not cited in the text.", classes=["cited"])
        for name in pages:
            title = app.env.titles[name].astext()
            words = f"chapter {title.split()[0]}" if title[:1].isdigit() else title.lower()
            uri = app.builder.get_relative_uri(docname, name)
            line += [
                nodes.reference("", words, refuri=uri, internal=True),
                nodes.Text("." if name == pages[-1] else ", "),
            ]
        item += line


PAGES = {
    "book/api": reference,
    "book/ledger": ledger_table,
    "book/notes-map": notes_map,
    "book/references": lambda: "```{bibliography}\n:all:\n:list: bullet\n```",
}


def write_page(app, docname, source):
    if docname in PAGES:
        source[0] = source[0].replace(HERE, PAGES[docname]())


def always_outdated(app, env, added, changed, removed):
    """What these pages show lies in other files; writing them anew is cheap."""
    return [name for name in PAGES if name in env.found_docs]


def plain_docstring(app, what, name, obj, options, lines):
    """Docstrings are plain text with `code`; as reStructuredText every |theta| or x_ in them would mean something.

    Indented lines are shown as they stand, examples too, and a line `Book: eq-margin.` leads to the equation.
    """
    out, before, spoken = [], "", {entry.label: entry.spoken for entry in entries()}
    for line in re.sub(r",\n(?=eq-|thm-)", ", ", "\n".join(lines)).split("\n"):
        if match := ledger.BOOK_LINE.fullmatch(line):
            links = [f":ref:`{spoken.get(label, label)} <{label}>`" for label in re.split(r",\s*", match[1])]
            out += ["", "Book: " + ", ".join(links) + ".", ""]
        elif (before == "example" and line.strip()) or line.startswith(">>>"):
            out.append(line)
        elif line.startswith(" "):
            out += [*([] if before == "indented" else ["", "::", ""]), "    " + line.strip()]
        else:
            out += [*([""] if before == "indented" else []), escape(line)]
        if line.strip():
            before = "indented" if line.startswith(" ") else "example" if out[-1] == line and ">>>" in line else "text"
    lines[:] = [*out, ""]


def escape(row):
    """Text for reStructuredText, `code` and ``code`` kept."""
    parts = re.split(r"(``[^`]+``|`[^`]+`)", row)
    return "".join(
        f"``{part.strip('`')}``" if part.startswith("`") else re.sub(r"([\\*_|`])", r"\\\1", part) for part in parts
    )


def not_ours(app, what, name, obj, skip, options):
    """scikit-learn writes methods into a class, set_…_request, that are no part of the package."""
    return True if name.startswith("set_") and name.endswith("_request") else None


class LinkSources(Transform):
    """Below a function that a chapter shows from the package (`show(margins.scores)`), a link to its reference."""

    default_priority = 502

    def apply(self):
        for cell in self.document.findall(nodes.container):
            code = next(iter(cell.findall(nodes.literal_block)), None)
            shown = cell.get("nb_element") == "cell_code" and code and SHOWN.fullmatch(code.astext().strip())
            if shown and shown[1] in modules():
                name = f"linclass.{shown[1]}.{shown[2]}"
                cell["classes"].append("source")
                options = {"refdomain": "py", "reftype": "obj", "reftarget": name, "refexplicit": True}
                target = addnodes.pending_xref("", nodes.literal(name, name), **options)
                target["refdoc"] = self.document.settings.env.docname
                cell += nodes.paragraph("", "", target, nodes.Text(" in the reference"), classes=["source-link"])


def setup(app):
    app.add_transform(LinkSources)
    app.connect("source-read", write_page)
    app.connect("env-get-outdated", always_outdated)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("autodoc-skip-member", not_ours)
    app.connect("doctree-resolved", cited_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
