"""Right solutions in other styles earn everything; wrong ones are caught, most of them by name."""

import importlib.util
from pathlib import Path

import pytest

from linclass.assignments import checking
from linclass.assignments.topics import TOPICS

RIGHT = sorted(Path(__file__).with_name("right").glob("*.py"))


def wrong_solutions():
    """The table in wrong.py, which is no test module."""
    spec = importlib.util.spec_from_file_location("wrong", Path(__file__).with_name("wrong.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.WRONG


WRONG = wrong_solutions()


def topic_of(path):
    """The topic a file's name begins with."""
    return TOPICS[path.stem.partition("_")[0]]


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_right_solutions_in_other_styles_earn_full_marks(path, seeds):
    for seed in seeds:
        result = checking.check_source(path.read_text(), topic_of(path), seed=seed)
        assert result.complete, str(result)


def test_there_is_a_right_solution_in_another_style_for_every_topic():
    without = set(TOPICS) - {topic_of(path).name for path in RIGHT}
    assert not without, "no solution in tests/assignments/right/ for these topics"
    assert len(RIGHT) >= 10


@pytest.fixture(scope="module")
def verdicts():
    """{name: (caught, what was said)} of each wrong solution."""
    found = {}
    for name, (topic, function, text) in WRONG.items():
        source = "import math\nimport numpy as np\n" + text
        result = checking.check_source(source, TOPICS[topic], seed=7, only=[function]).functions[0]
        found[name] = not all(check.passed for check in result.checks), result.findings
    return found


def test_wrong_solutions_in_other_styles_are_caught_and_explained(verdicts):
    named = [name for name, (_, findings) in verdicts.items() if any("-" in label for label, _ in findings)]
    explained = [name for name, (_, findings) in verdicts.items() if findings]
    caught = [name for name, (is_caught, _) in verdicts.items() if is_caught]
    print(f"\n{len(WRONG)} wrong solutions: {len(caught)} caught, {len(named)} named, {len(explained)} explained")
    for name, (is_caught, findings) in verdicts.items():
        print(f"{name:48} {'caught' if is_caught else 'MISSED':8} {'; '.join(label for label, _ in findings)}")
    assert len(WRONG) == len(caught) == len(explained) == 47
    # Whole numbers, and arrays where one number is asked for, are explained for every function, without the catalogue.
    assert len(named) == 45


def test_a_change_of_the_input_does_not_hide_another_mistake():
    source = """
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) < 0:
        theta += y * x
        theta_0 += y
    return theta, theta_0
"""
    only = ["perceptron_step"]
    result = checking.check_source(source, TOPICS["perceptron"], only=only).functions[0]
    assert [label for label, _ in result.findings] == ["changed", "perceptron-2"]


def test_a_function_that_fails_through_another_says_so():
    source = """
import numpy as np

def scores(theta, theta_0, X):
    return X @ theta

def helper(theta, theta_0, X):
    return scores(theta, theta_0, X)

def margins(theta, theta_0, X, y):
    return y * helper(theta, theta_0, X)

def predict(theta, theta_0, X):
    return np.where(X @ theta + theta_0 > 0, 1, -1)
"""
    functions = checking.check_source(source, TOPICS["margins"]).functions
    said = {f.task.function: dict(f.findings).get("uses") for f in functions if f.written}
    assert said == {
        "scores": None,
        "margins": "it uses scores, which fails itself: fix that first.",
        "predict": None,
    }
