"""Every build runs the notebooks, two at a time, so that a page shows what this commit computes.

A run that was kept is used again only while the notebook's code, the whole package, the lock and Python are the same:
an edit of prose costs no run, an edit of the package outdates every notebook. `make test` keeps the runs that it has
compared with what is stored.
"""

import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import execute
import nbformat
from sphinx.util import logging

logger = logging.getLogger(__name__)
# Ink, grey and paper of a figure, as Matplotlib writes them, and what they are on a light and on a dark page.
OURS = {"#222222": "ink", "#000000": "ink", "#8a8a8a": "soft", "#ffffff": "paper"}
THEMES = (
    "svg{fill:var(--ink);--ink:#1d2330;--soft:#6b7180;--paper:#fdfcf9}"
    "@media(prefers-color-scheme:dark){svg{--ink:#e4e6eb;--soft:#a7afbd;--paper:#14171d}}"
)
# What Matplotlib writes into an SVG that nobody sees: metadata, comments, names of groups, indentation.
UNSEEN = re.compile(r'<metadata>.*?</metadata>|<!--.*?-->|(?<=<g) id="[a-zA-Z]\w*_\d+"|(?<=\n)[ \n]+', re.DOTALL)


def themed(svg):
    """A figure in the colours of the page: for an SVG shown as an image, the scheme that holds is that of its page."""
    own = re.sub("|".join(OURS), lambda found: f"var(--{OURS[found[0]]})", svg)
    return re.sub(r"(<style[^>]*>)", rf"\1{THEMES}", own, count=1)


def lighter(svg):
    """A figure without what nobody sees, and with its places to a tenth of a point (near 0, to a hundredth)."""

    def short(places):
        near = re.sub(r"-?\d+\.\d{2,}", lambda at: f"{float(at[0]):.{1 if abs(float(at[0])) >= 10 else 2}f}", places[0])
        return re.sub(r"\s*([A-Za-z])\s*", r"\1", re.sub(r"\.0+(?!\d)", "", near))

    return re.sub(r'(?<=\b[dxy]=")[^"]*', short, UNSEEN.sub("", svg))


def kept_run(app, docname):
    """The file of the run that a page would have, if it is a notebook's."""
    path = Path(app.env.doc2path(docname))
    return execute.kept_run(path, Path(app.outdir).parent / ".runs") if path.suffix == ".ipynb" else None


def run_all(app, env, docnames):
    """Run those of the pages to be read that are notebooks and have no run to be used again."""
    jobs = {name: kept for name in sorted(docnames) if (kept := kept_run(app, name)) and not kept.exists()}
    logger.info("running %d notebooks", len(jobs))
    with ProcessPoolExecutor(max_workers=2) as pool:
        errors = pool.map(execute.run_and_keep, [Path(env.doc2path(name)) for name in jobs], jobs.values())
        for name, error in zip(jobs, errors, strict=True):
            if error:
                logger.warning("a cell failed:\n%s", error, location=name)


def take_outputs(app, docname, source):
    """Put what the run gave into the notebook that is about to be read."""
    if not (kept := kept_run(app, docname)) or not kept.exists():
        return
    notebook, ran = nbformat.reads(source[0], as_version=4), nbformat.read(kept, as_version=4)
    cells, done = ([cell for cell in book.cells if cell.cell_type == "code"] for book in (notebook, ran))
    for cell, run in zip(cells, done, strict=True):
        cell.outputs, cell.execution_count = run.outputs, run.execution_count
        for output in cell.outputs:
            if "image/svg+xml" in output.get("data", {}):
                output.data["image/svg+xml"] = themed(lighter(output.data["image/svg+xml"]))
    source[0] = nbformat.writes(notebook)


def setup(app):
    app.add_config_value("package_digest", execute.package_digest(), "env")  # which, changed, outdates every page
    app.connect("env-before-read-docs", run_all)
    app.connect("source-read", take_outputs)
