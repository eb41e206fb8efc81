"""For nbval: draw figures as the book's build does, and keep each notebook's run for the pages.

`make test` loads this with `-p record_runs`. A notebook is then run once: nbval compares what it gives with what is
stored, and the build that follows shows it.
"""

import os
import tempfile

import execute

SCRATCH = tempfile.TemporaryDirectory()


def is_cell(item):
    return hasattr(item, "test_outputs")


def pytest_configure(config):
    os.environ.update(execute.page_settings(SCRATCH.name))


def pytest_unconfigure(config):
    SCRATCH.cleanup()


def pytest_itemcollected(item):
    if is_cell(item):
        item.parent.skip_compare = (*item.parent.skip_compare, "image/svg+xml")  # stored as PNG, which nbval skips too


def pytest_runtest_teardown(item, nextitem):
    """After a notebook's last cell: keep the run, if every cell has run."""
    if not is_cell(item):
        return
    item.cell.ran = item.test_outputs
    if nextitem is not None and nextitem.parent is item.parent:
        return
    cells = [cell for cell in item.parent.nb.cells if cell.cell_type == "code"]
    if all(cell.get("ran") is not None for cell in cells):
        for count, cell in enumerate(cells, 1):
            cell.outputs, cell.execution_count = cell.pop("ran"), count
        execute.keep(item.parent.nb, execute.kept_run(item.path))
