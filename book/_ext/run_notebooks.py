"""Every build runs the notebooks, two at a time, so that a page shows what this commit computes.

What a run gave is kept under `_build` and used again only while the notebook's code, the whole package, the lock and
Python are the same: an edit of prose costs no run, an edit of the package outdates every notebook.
Figures are drawn as SVG, sharp on any screen, on a transparent ground, for both themes.
"""

import hashlib
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from execute import ROOT, run
from nbclient.exceptions import CellExecutionError
from sphinx.util import logging

logger = logging.getLogger(__name__)
TRANSPARENT = "figure.facecolor: none\naxes.facecolor: none\nsvg.hashsalt: linclass\n"


def package_digest():
    """A digest of everything but a notebook's own code that its outputs can depend on."""
    package = sorted(p for p in (ROOT / "linclass").rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    files = [*package, ROOT / "requirements.txt", Path(__file__)]
    digest = hashlib.sha256(sys.version.encode())
    for path in files:
        digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def code_digest(notebook):
    cells = [(cell.source, cell.metadata.get("tags", [])) for cell in notebook.cells if cell.cell_type == "code"]
    return hashlib.sha256(repr(cells).encode()).hexdigest()


def run_one(path, cached):
    """Run the notebook at path and keep its outputs in the file `cached`; the error's text if a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    try:
        run(notebook, path.parent, formats=["svg"], style=TRANSPARENT, LINCLASS_FIGURES="kernel")
    except CellExecutionError as error:
        return re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
    cached.parent.mkdir(parents=True, exist_ok=True)
    for old in cached.parent.glob(f"{path.stem}-????????????????-????????????????.ipynb"):
        old.unlink()
    nbformat.write(notebook, cached)
    return None


def leave_to_us(app, config):
    """MyST-NB would run the notebooks one after the other; it gets them already run."""
    config.nb_execution_mode = "off"


def is_notebook(env, docname):
    return str(env.doc2path(docname)).endswith(".ipynb")


def outdated(app, env, added, changed, removed):
    if getattr(env, "book_package_digest", None) != package_digest():
        env.book_package_digest = package_digest()
        return [docname for docname in env.found_docs if is_notebook(env, docname)]
    return []


def run_all(app, env, docnames):
    """Run those of the pages to be read that are notebooks and have no run to be used again."""
    app.book_runs = {}
    jobs = []
    for docname in sorted(filter(lambda name: is_notebook(env, name), docnames)):
        path = Path(env.doc2path(docname))
        notebook = nbformat.read(path, as_version=4)
        if not any(cell.cell_type == "code" for cell in notebook.cells):
            continue
        name = f"{path.stem}-{env.book_package_digest[:16]}-{code_digest(notebook)[:16]}.ipynb"
        app.book_runs[docname] = Path(app.outdir).parent / ".runs" / name
        if not app.book_runs[docname].exists():
            jobs.append((docname, path, app.book_runs[docname]))
    if not jobs:
        return
    logger.info("running %d notebooks", len(jobs))
    with ProcessPoolExecutor(max_workers=2) as pool:
        errors = pool.map(run_one, [path for _, path, _ in jobs], [cached for _, _, cached in jobs])
        for (docname, _, _), error in zip(jobs, errors, strict=True):
            if error:
                logger.warning("a cell failed:\n%s", error, location=docname)


def take_outputs(app, docname, source):
    """Put what the run gave into the notebook that is about to be read."""
    cached = getattr(app, "book_runs", {}).get(docname)
    if cached is None or not cached.exists():
        return
    notebook = nbformat.reads(source[0], as_version=4)
    ran = [cell for cell in nbformat.read(cached, as_version=4).cells if cell.cell_type == "code"]
    for cell, done in zip([cell for cell in notebook.cells if cell.cell_type == "code"], ran, strict=True):
        cell.outputs, cell.execution_count = done.outputs, done.execution_count
    source[0] = nbformat.writes(notebook)


def setup(app):
    app.connect("config-inited", leave_to_us, priority=100)
    app.connect("env-get-outdated", outdated)
    app.connect("env-before-read-docs", run_all)
    app.connect("source-read", take_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
