"""The reference earns everything, the untouched starter nothing, and nothing a student gets holds a solution."""

import ast
import inspect
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from linclass.assignments import cases, check, checking, export, starter
from linclass.assignments.__main__ import main
from linclass.assignments.cell import Cell
from linclass.assignments.topics import TOPICS


def test_every_function_has_checks_and_every_check_a_function():
    asked = {task.key for topic in TOPICS.values() for task in topic.tasks}
    without, idle = asked - set(cases.CHECKS), set(cases.CHECKS) - asked
    assert not without, "topics.py asks for these, but cases.CHECKS has no check of them"
    assert not idle, "cases.CHECKS has checks of these, but topics.py does not ask for them"


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_the_reference_earns_all_points(topic, seeds):
    for seed in seeds:
        result = checking.check_reference(topic, seed=seed)
        assert result.complete, str(result)
        assert result.earned == topic.points


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_the_untouched_starter_earns_none(topic):
    result = checking.check_source(starter.module_text(topic), topic, seed=1)
    assert result.earned == 0
    assert all(f.checks and not any(c.passed for c in f.checks) for f in result.functions)


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_an_empty_body_in_disguise_fails_every_check(topic):
    text = starter.module_text(topic).replace("...  # your code here", "x = 1")
    result = checking.check_source(text, topic, seed=1)
    assert result.earned == 0
    assert not any(c.passed for f in result.functions for c in f.checks)


def body_lines(task):
    """The lines of a function's body that say something: no docstring, nothing shorter than 12 characters."""
    node = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(task.reference)))).body[0]
    statements = node.body[1:] if ast.get_docstring(node) else node.body
    lines = [line.strip() for s in statements for line in ast.unparse(s).splitlines()]
    return [line for line in lines if len(line) >= 12]


def solution_lines():
    """Every line of every function that any assignment asks for."""
    return {line for topic in TOPICS.values() for task in topic.tasks for line in body_lines(task)}


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_no_solution_line_is_handed_out(topic, tmp_path):
    solutions = solution_lines()
    assert len(solutions) > 80
    paths = starter.write_starter(topic, tmp_path)
    for form in ("nbgrader", "otter"):
        paths += export.EXPORTS[form](topic, tmp_path / form, None)
    for path in paths:
        text = path.read_text()
        assert not [line for line in solutions if line in text], path.name


def test_no_generated_file_was_ever_committed():
    """Starters are made when asked for, so that no older one, with its history, holds what a newer one does not."""
    root = Path(__file__).parents[2]
    command = ["git", "-C", str(root), "log", "--all", "--pretty=", "--name-only"]
    try:
        paths = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git repository")
    generated = {f"{name}{ending}" for name in TOPICS for ending in (".py", ".ipynb", "-README.md")}
    ours = ("linclass/", "tests/assignments/")  # the package, and solutions, right and wrong, that test the checks
    assert not [path for path in paths if Path(path).name in generated and not path.startswith(ours)]


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_signatures_and_docstrings_are_those_of_the_package(topic):
    tree = ast.parse(starter.module_text(topic))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert list(functions) == [task.function for task in topic.tasks]
    for task in topic.tasks:
        original = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(task.reference)))).body[0]
        asked = re.sub(r", (sample_weight|start)=None", "", ast.unparse(original.args))
        assert ast.unparse(functions[task.function].args) == asked
        assert ast.get_docstring(functions[task.function]) == starter.docstring(task)


def test_a_starter_that_exists_is_not_overwritten(tmp_path):
    starter.write_starter(TOPICS["losses"], tmp_path)
    (tmp_path / "losses.py").write_text("mine")
    with pytest.raises(FileExistsError, match="exists already"):
        starter.write_starter(TOPICS["losses"], tmp_path)
    assert (tmp_path / "losses.py").read_text() == "mine"


@pytest.mark.parametrize(
    "text, said",
    [
        ("def hinge_loss(z):\n    return max(0, 1 - z)", "np.maximum"),
        ("def hinge_loss(z):\n    return z\nexit()", "the file raised SystemExit (line 3)"),
        ("def hingeloss(z):\n    return z", "hinge_loss      0 / 2   not in the file"),
        ("def hinge_loss(z):\n    ...", "hinge_loss      0 / 2   not written"),
        ("def hinge_loss(z:\n    return z", "in or before line 1: def hinge_loss(z:"),
        ('{"cells": [], "nbformat": 4}', "the file is a notebook: write the functions in losses.py"),
    ],
)
def test_what_often_goes_wrong_is_said(text, said):
    assert said in str(checking.check_source(text, TOPICS["losses"], only=["hinge_loss"]))


def test_a_loop_outside_the_functions_is_said_to_be_there():
    source = "def hinge_loss(z):\n    return z\nwhile True: pass"
    result = checking.check_source(
        source, TOPICS["losses"], only=["hinge_loss"], open_cell=lambda text, name: Cell(text, name, seconds=1)
    )
    assert "more than 1 second, before any function was called" in str(result)


def test_a_file_that_is_not_there_is_said_with_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=f"there is no 'losses.py' in {tmp_path}"):
        check("losses.py")
    with pytest.raises(ValueError, match="got a folder"):
        check(tmp_path)


@pytest.mark.parametrize(
    "started, said",
    [
        ("/somewhere/bin/linclass", "usage: linclass "),
        ("/somewhere/linclass.exe", "usage: linclass "),
        ("/somewhere/linclass/assignments/__main__.py", "usage: python -m linclass.assignments "),
    ],
)
def test_the_usage_line_says_how_it_was_called(started, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [started, "--help"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.startswith(said)
