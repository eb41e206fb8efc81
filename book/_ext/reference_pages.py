"""The pages that the build writes: the ledger, and the reference of the package from its docstrings."""

import ast
import re
from functools import cache
from pathlib import Path

import ledger
import notes_map
from docutils import nodes
from docutils.transforms import Transform
from execute import ROOT
from sphinx import addnodes
from sphinx.util import logging

logger = logging.getLogger(__name__)
# The reference's order: from what stands on nothing to what stands on the rest.
MODULES = (
    "margins losses kernels conventions risk fit descent newton perceptron separability logistic svm representer "
    "softmax gradcheck datasets plots show explore assignments estimators"
).split()
SHOWN = re.compile(r"(?:show\.)?show\(([\w.]+)\)")
HERE = "<!-- the build writes here -->"
BIBLIOGRAPHY = "```{bibliography}\n:all:\n:list: bullet\n```"


def modules():
    """The public modules of the package, in the reference's order; one not listed above comes last."""
    package = ROOT / "linclass"
    there = {p.stem for p in package.glob("*.py")} | {p.parent.name for p in package.glob("*/__init__.py")}
    public = sorted(name for name in there if not name.startswith("_"))
    return [name for name in MODULES if name in public] + [name for name in public if name not in MODULES]


def reference():
    """Markdown of the reference page: a section a module."""
    section = """## `linclass.{name}`

```{{eval-rst}}
.. automodule:: linclass.{name}
   :members:
   :member-order: bysource
```
"""
    return "\n".join(section.format(name=name) for name in modules())


def ledger_table(pages):
    """Markdown of the ledger page: the counts, then for each chapter its labels, functions and tests."""
    entries = [entry for entry in ledger.read(ROOT) if entry.page in pages]
    equations = sum(entry.is_equation for entry in entries)
    functions = {name for entry in entries for name in entry.functions}
    tests = {name for entry in entries for name in entry.tests}
    lines = [
        f"**{equations}** equations and **{len(entries) - equations}** theorems, "
        f"**{len(functions)}** functions, **{len(tests)}** tests.\n"
    ]
    for page in dict.fromkeys(entry.page for entry in entries):
        lines += [
            f"(ledger-{Path(page).stem})=",
            f"## [{ledger.title(ROOT / 'book' / page)}]({page})\n",
            "| label | function | test |",
            "|---|---|---|",
        ]
        lines += [ledger_row(entry) for entry in entries if entry.page == page]
        lines.append("")
    return "\n".join(lines)


def ledger_row(entry):
    functions = [function_link(name) for name in entry.functions] or (["by its proof"] if entry.proved else ["missing"])
    tests = []
    for file in dict.fromkeys(name.split("::")[0] for name in entry.tests):
        tests += [f"`{name.split('::')[1]}`" for name in entry.tests if name.startswith(f"{file}::")] + [f"in `{file}`"]
    label = f'<a id="row-{entry.label}"></a>[{spoken(entry)}]({entry.page}#{entry.label}) `{entry.label}`'
    return f"| {label} | {'<br>'.join(functions)} | {'<br>'.join(tests) or 'missing'} |"


def function_link(name):
    """A public function leads to the reference, where private ones do not stand."""
    return f"`{name}`" if any(part.startswith("_") for part in name.split(".")) else f"{{py:obj}}`~{name}`"


def write_page(app, docname, source):
    if docname == "book/api":
        source[0] = source[0].replace(HERE, reference())
    if docname == "book/ledger":
        paths = [Path(app.env.doc2path(name)) for name in app.env.found_docs]
        pages = {path.relative_to(ROOT / "book").as_posix() for path in paths if path.is_relative_to(ROOT / "book")}
        source[0] = source[0].replace(HERE, ledger_table(pages))
    if docname == "book/notes-map":
        source[0] = source[0].replace(HERE, notes_map.page(ROOT))
    if docname == "book/references":
        source[0] = source[0].replace(HERE, BIBLIOGRAPHY)


def always_outdated(app, env, added, changed, removed):
    """What these pages show lies in other files; writing them anew is cheap."""
    return [name for name in ("book/api", "book/ledger", "book/notes-map") if name in env.found_docs]


def plain_docstring(app, what, name, obj, options, lines):
    """Docstrings are plain text with `code`; as reStructuredText every |theta| or x_ in them would mean something."""
    text = "\n".join(lines)
    out, paragraphs = [], re.split(r"\n\s*\n", text.strip("\n"))
    for paragraph in paragraphs:
        rows = paragraph.split("\n")
        if match := ledger.BOOK_LINE.fullmatch(paragraph):
            links = [f"`{label} <ledger:{label}>`__" for label in re.split(r",\s*", match[1])]
            out += ["Book: " + ", ".join(links) + ".", ""]
        elif rows[0].lstrip().startswith(">>>"):
            out += [*rows, ""]
        elif all(row.startswith((" ", "\t")) for row in rows):
            out += ["::", "", *rows, ""]
        else:
            out += as_paragraph(rows)
    lines[:] = out


def not_ours(app, what, name, obj, skip, options):
    """scikit-learn writes methods into a class, set_…_request, that are no part of the package."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def as_paragraph(rows):
    """A paragraph's rows, escaped; indented rows below a first one are kept as they stand."""
    out, literal = [], False
    for row in rows:
        if row.startswith((" ", "\t")):
            if not literal:
                out += ["", "::", ""]
            literal = True
            out.append("    " + row.strip())
        else:
            if literal:
                out.append("")
            literal = False
            if match := ledger.BOOK_LINE.fullmatch(row):
                links = [f"`{label} <ledger:{label}>`__" for label in re.split(r",\s*", match[1])]
                out += ["", "Book: " + ", ".join(links) + "."]
            else:
                out.append(escape(row))
    return [*out, ""]


def escape(row):
    """Text for reStructuredText, `code` and ``code`` kept."""
    parts = re.split(r"(``[^`]+``|`[^`]+`)", row)
    return "".join(
        f"``{part.strip('`')}``" if part.startswith("`") else re.sub(r"([\\*_|`])", r"\\\1", part) for part in parts
    )


def spoken(entry):
    """How the text speaks of an entry: (1.1), or Theorem 2.1."""
    return f"({entry.number})" if entry.is_equation else f"{entry.name.split(':')[0]} {entry.number}"


def link_labels(app, doctree):
    """`ledger:eq-margin` in a docstring leads to the equation."""
    if app.env.docname != "book/api":
        return
    entries = {entry.label: entry for entry in ledger.read(ROOT)}
    for link in list(doctree.findall(nodes.reference)):
        if not link.get("refuri", "").startswith("ledger:"):
            continue
        label = link["refuri"].removeprefix("ledger:")
        page = f"book/{entries[label].page.removesuffix('.ipynb')}" if label in entries else None
        if page in app.env.found_docs:
            link["refuri"] = app.builder.get_relative_uri(app.env.docname, page) + "#" + label
            link["internal"] = True
            link.children = [nodes.Text(spoken(entries[label]))]
        else:
            link.replace_self(nodes.literal(label, label))


class LinkSources(Transform):
    """Below a function that a chapter shows from the package (`show(margins.scores)`), a link to its reference."""

    default_priority = 502

    def apply(self):
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") != "cell_code":
                continue
            code = next(iter(cell.findall(nodes.literal_block)), None)
            shown = code and SHOWN.fullmatch(code.astext().strip())
            if shown and (name := full_name(shown[1])):
                cell["classes"].append("source")
                target = addnodes.pending_xref(
                    "", nodes.literal(name, name), refdomain="py", reftype="obj", reftarget=name, refexplicit=True
                )
                target["refdoc"] = self.document.settings.env.docname
                cell += nodes.paragraph("", "", target, nodes.Text(" in the reference"), classes=["source-link"])


def full_name(shown):
    """`margins.scores` or `scores`, as a chapter writes it, to `linclass.margins.scores`; None if nothing fits."""
    names = public_names()
    matches = [name for name in names if name == f"linclass.{shown}" or name.endswith(f".{shown}")]
    return matches[0] if len(matches) == 1 or f"linclass.{shown}" in matches else None


@cache
def public_names():
    """Every function and class of the package's modules, by its full name."""
    found = []
    for name in modules():
        path = ROOT / "linclass" / f"{name}.py"
        path = path if path.exists() else ROOT / "linclass" / name / "__init__.py"
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                found.append(f"linclass.{name}.{node.name}")
    return found


def setup(app):
    app.add_transform(LinkSources)
    app.connect("source-read", write_page)
    app.connect("env-get-outdated", always_outdated)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("autodoc-skip-member", not_ours)
    app.connect("doctree-read", link_labels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
