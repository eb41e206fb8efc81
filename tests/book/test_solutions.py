"""The solutions in the book pass the checks in the book: what a right reader sees is "right"."""

import ast
import itertools
import re
import textwrap

import contents
import nbformat
import pytest

SOLUTION = re.compile(r"<details><summary>Solution</summary>(.*?)</details>", re.DOTALL)


def names(source, context):
    tree = ast.parse(source)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, context)}


def exercises():
    """(notebook, place of the exercise among its cells) for each that `check_answer` checks."""
    for path in contents.notebooks():
        cells = nbformat.read(path, as_version=4).cells
        for at, (cell, after) in enumerate(itertools.pairwise(cells)):
            if "exercise" in cell.metadata.get("tags", []) and "check_answer(" in after.source:
                name = ast.parse(cell.source).body[0].name
                yield pytest.param(cells, at, id=f"{path.stem}-{name}")


def solved(cells, at):
    """The exercise's function with the body that the solution below it shows."""
    shown = SOLUTION.search("".join(cell.source for cell in cells[at:] if cell.cell_type == "markdown"))[1]
    block = re.search(r"```python\n(.*?)```", shown, re.DOTALL)
    body = block[1] if block else re.search(r"`([^`]*return [^`]*)`", shown)[1].replace("; ", "\n")
    return re.search(r"^def .*:$", cells[at].source, re.MULTILINE)[0] + "\n" + textwrap.indent(body, "    ")


def what_it_needs(cells, wanted):
    """The cells, first to last, that make the values of these names; none of them draws."""
    chosen = []
    for cell in (cell for cell in reversed(cells) if cell.cell_type == "code" and "plt.show()" not in cell.source):
        if names(cell.source, ast.Store) & wanted:
            chosen.insert(0, cell.source)
            wanted = wanted | names(cell.source, ast.Load)
    return chosen


@pytest.mark.parametrize(("cells", "at"), list(exercises()))
def test_the_solution_passes_the_check(cells, at, capsys, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    function, check = solved(cells, at), cells[at + 1].source
    wanted = names(function, ast.Load) | names(check, ast.Load)
    imports = next(cell.source for cell in cells if cell.cell_type == "code")
    values = {}
    for source in [imports, *what_it_needs(cells[:at], wanted), function, check]:
        exec(source, values)
    assert ": right\n" in capsys.readouterr().out
