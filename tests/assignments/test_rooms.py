"""The rooms of linclass.assignments: imports go one way, and no function is too long to read."""

import ast
import graphlib
from pathlib import Path

import pytest

import linclass.assignments

FILES = sorted(Path(linclass.assignments.__file__).parent.glob("*.py"))


def imported(path):
    """The rooms that a file imports, wherever in the text."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "linclass.assignments":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("linclass.assignments."):
            yield node.module.split(".")[2]


def test_imports_go_one_way():
    rooms = {path.stem: set(imported(path)) & {other.stem for other in FILES} for path in FILES}
    assert len(rooms) > 15
    list(graphlib.TopologicalSorter(rooms).static_order())  # raises on a circle


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_functions_are_short(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            assert node.end_lineno - node.lineno < 40, f"{path.name}: {node.name} is longer than 40 lines"
            assert len(taken) <= 7, f"{path.name}: {node.name} takes more than 7 arguments"
