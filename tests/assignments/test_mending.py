"""Changes to a submission's own text that mend it, and facts about wrong answers, where nothing is named."""

import inspect

import pytest

from linclass.assignments import cell, checking, diagnose
from linclass.assignments.topics import TOPICS

# A program that is written quite otherwise than the package, a part of what is said of it, and the label.
SAID = {
    "a count that is never set back": (
        "perceptron",
        "perceptron_walk",
        """theta, theta_0, history, count = np.zeros(X.shape[1]), 0.0, [], 0
    while len(history) < max_epochs:
        for k in range(len(y)):
            if not y[k] * (X[k] @ theta + theta_0) > 0:
                theta = theta + X[k] * y[k]
                if offset:
                    theta_0 = theta_0 + y[k]
                count = count + 1
        history.append(count)
        if count == 0:
            break
    return theta, theta_0, np.array(history)""",
        "`mistakes` is not set back to `0`",
        "change",
    ),
    "the wrong axis": (
        "margins",
        "scores",
        "return np.sum(theta * X) + theta_0",
        "with `np.sum(theta * X, axis=1) + theta_0` in place of `np.sum(theta * X) + theta_0` in line 3, every public",
        "mend",
    ),
    "a step repeated": (
        "perceptron",
        "perceptron_step",
        """while y * (theta @ x + theta_0) <= 0:
        theta, theta_0 = theta + y * x, theta_0 + y
    return theta, theta_0""",
        "with `if` for `while` in line 3",
        "mend",
    ),
    "an option that is not looked at": (
        "descent",
        "inverse_step",
        "return lambda t: scale / (t + 0.0)",
        "left out",
        "change",
    ),
    "a row for a column": (
        "margins",
        "affine_features",
        "return np.vstack([np.ones(X.shape[1]), X])",
        "the answer has the shape (n + 1, d) and should have (n, d + 1)",
        "fact",
    ),
    "half a mistake at 0": (
        "margins",
        "zero_one_error",
        "return np.mean(np.abs(np.sign(X @ theta + theta_0) - y) / 2)",
        "it is wrong whenever a score is exactly 0, and right otherwise",
        "fact",
    ),
    "for the plane only": (
        "svm",
        "margin_width",
        "return 2 / np.hypot(theta[0], theta[-1])",
        "it is wrong whenever theta has not 2 entries",
        "fact",
    ),
    "products in another order": (
        "margins",
        "quadratic_features",
        """i, j = np.tril_indices(X.shape[1])
    return np.column_stack([X, X[:, i] * X[:, j]])""",
        "the columns of the answer are right ones, in another order",
        "fact",
    ),
}


def written(topic, function, body):
    """A submission with that one function."""
    signature = inspect.signature(TOPICS[topic].task(function).reference)
    return f"import numpy as np\ndef {function}{signature}:\n    {body}\n"


def findings(topic, function, body, open_cell=None, seed=None):
    source = written(topic, function, body)
    result = checking.check_source(source, TOPICS[topic], seed=seed, only=[function], open_cell=open_cell)
    return result.functions[0].findings


@pytest.fixture
def no_catalogue(monkeypatch):
    monkeypatch.setattr(diagnose, "_catalogued", lambda task, runs: [])


@pytest.mark.parametrize("name", SAID)
def test_it_is_said_the_same_in_a_cell_and_here(name, no_catalogue):
    topic, function, body, said, label = SAID[name]
    here = findings(topic, function, body, cell.Here)
    assert any(said in sentence for kind, sentence in here if kind == label), here
    assert here == findings(topic, function, body)


def test_changed_programs_are_told_public_inputs_only(no_catalogue):
    heard = []

    class Overheard(cell.Here):
        """Notes what the programs that run in it are told."""

        def run(self, function, calls):
            heard.extend((function, call) for call in calls)
            return super().run(function, calls)

    topic, function, body, _, _ = SAID["the wrong axis"]
    findings(topic, function, body, Overheard, seed="hidden numbers")
    asked = [call for name, call in heard if name == function]
    tried = [call for name, call in heard if name == "trial"]
    public = {call.args[2].tobytes() for call in asked[: len(asked) // 2]}
    hidden = {call.args[2].tobytes() for call in asked[len(asked) // 2 :]}
    told = {call.args[4].tobytes() for call in tried}
    assert told and told <= public and not told & hidden


def test_programs_that_do_not_end_or_spoil_their_input_mend_nothing(no_catalogue):
    endless = "while y * (theta @ x + theta_0) != 7.123:\n        theta_0 = theta_0\n    return theta, theta_0"
    assert findings("perceptron", "perceptron_step", endless)[0][0] == "ended"
    spoilt = "theta += y * x\n    return theta, theta_0 + y"
    assert "mend" not in [label for label, _ in findings("perceptron", "perceptron_step", spoilt, cell.Here)]


def test_a_right_program_is_not_talked_about():
    body = "return np.einsum('ij,j->i', X, theta) + theta_0"
    assert findings("margins", "scores", body, cell.Here) == []
