"""Checks from inside a notebook in which the functions themselves are written, as nbgrader and otter have it.

The cells run so far are put together to a file, which is checked in a process of its own as any other file is.
"""

import ast
import functools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

KEPT = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign)


def source_of(cells):
    """Imports, definitions and assignments of constants from a notebook's cells; the rest is left out."""
    kept = []
    for text in cells:
        try:
            tree = ast.parse(text)
        except SyntaxError:  # magics, or a cell that is not Python
            continue
        for node in tree.body:
            if isinstance(node, KEPT) and not _is_ours(node):
                kept.append(ast.unparse(node))
    return "\n\n".join(kept) + "\n"


def _is_ours(node):
    """Belongs to the grader, or computes something: neither goes into the file."""
    if isinstance(node, ast.Assign):
        return any(isinstance(part, (ast.Call, ast.Await)) for part in ast.walk(node.value))
    names = [getattr(node, "module", None) or ""] + [alias.name for alias in getattr(node, "names", [])]
    return any(name.startswith(("linclass.assignments", "otter")) for name in names)


@functools.lru_cache(maxsize=64)
def _check(source, topic, function, seed):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{topic}.py"
        file.write_text(source, encoding="utf-8")
        command = [sys.executable, "-m", "linclass.assignments", "check", str(file), "--json", "--only", function]
        command += ["--seed-file", "-"] if seed is not None else []
        run = subprocess.run(command, capture_output=True, text=True, check=False, input=str(seed or ""))
    return json.loads(run.stdout)["functions"][0]


def _result(topic, function, namespace, seed):
    result = _check(source_of(namespace.get("In", [])), topic, function, seed)
    if result["lines"]:
        print("\n".join(result["lines"]))
    return result


def points(topic, function, namespace, seed=None):
    """The points that a function written in this notebook earns."""
    return _result(topic, function, namespace, seed)["earned"]


def passed(topic, function, check, namespace, seed=None):
    """Does a function written in this notebook earn the points of one check? Its first check must hold for any."""
    source = source_of(namespace.get("In", []))
    result = _check(source, topic, function, seed)
    mine = [c for c in result["checks"] if c["hidden"] == (seed is not None)]
    return mine[0]["passed"] and next(c["passed"] for c in mine if c["name"] == check)
