"""Right programs that add in another order agree with the package on every check: at ties the numbers are exact."""

import functools
import importlib
import os
from fractions import Fraction

import numpy as np
import pytest

from linclass.assignments import cases, compare, plain
from linclass.assignments.topics import TOPICS

TASKS = {task.key: task for topic in TOPICS.values() for task in topic.tasks}
SEEDS = 1000 if os.environ.get("ASSIGNMENTS_LONG") else 40


def score(theta, theta_0, x):
    """theta . x + theta_0, the offset first and the inputs from the last to the first."""
    total = theta_0
    for weight, value in zip(theta[::-1], x[::-1], strict=True):
        total = total + weight * value
    return total


def exact_score(theta, theta_0, x):
    """The same with one rounding, at the end. No library is asked: in which order it adds depends on the processor."""
    products = (Fraction(weight) * Fraction(value) for weight, value in zip(theta, x, strict=True))
    return float(sum(products, Fraction(theta_0)))


def walk(X, y, max_epochs, offset, score=score):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    while len(history) < max_epochs and 0 not in history[-1:]:
        history.append(0)
        for x, label in zip(X, y, strict=True):
            if label * score(theta, theta_0, x) <= 0:
                theta, theta_0, history[-1] = theta + label * x, theta_0 + label * offset, history[-1] + 1
    return theta, theta_0, np.array(history)


def step(theta, theta_0, x, y):
    return (theta + y * x, theta_0 + y) if y * score(theta, theta_0, x) <= 0 else (theta, theta_0)


def threshold(theta, theta_0, x, y):
    error = y - (score(theta, theta_0, x) >= 0)
    return theta + error * x, theta_0 + error


def batch_step(theta, theta_0, X, y, loss, lam, eta):
    slopes = [loss.slope(label * score(theta, theta_0, x)) * label for x, label in zip(X, y, strict=True)]
    push = sum(slope * x for slope, x in zip(slopes, X, strict=True)) / len(y)
    return (1 - eta * lam) * theta - eta * push, theta_0 - eta * sum(slopes) / len(y)


def descent(*args, **kwargs):
    """The plain text, with a step that shrinks theta first and a margin that is added up in another order."""
    text = plain.TEXTS["descent.fit_sgd"]
    for old, new in (
        ("(X[rows] @ theta + theta_0)", "np.array([score(theta, theta_0, x) for x in X[rows]])"),
        ("grad = X[rows].T @ slope / len(rows) + lam * theta\n", "push = X[rows].T @ slope / len(rows)\n"),
        ("theta = theta - rate * grad\n", "theta = (1 - rate * lam) * theta - rate * push\n"),
    ):  # fmt: skip
        assert text.count(old) == 1
        text = text.replace(old, new)
    space = dict(vars(importlib.import_module("linclass.descent"))) | {kind.__name__: kind for kind in plain.RESULTS}
    space["score"] = score
    exec(text, space)
    return space["fit_sgd"](*args, **kwargs)


OTHERWISE = {
    "margins.predict": lambda t, t0, X: np.array([1.0 if score(t, t0, x) > 0 else -1.0 for x in X]),
    "margins.zero_one_error": lambda t, t0, X, y: (
        sum(label * score(t, t0, x) <= 0 for x, label in zip(X, y, strict=True)) / len(y)
    ),
    "perceptron.perceptron_step": step,
    "perceptron.threshold_step": threshold,
    "perceptron.perceptron_walk": walk,
    "descent.sgd_step": batch_step,
    "descent.fit_sgd": descent,
}


def parts_ways(key, seed, reference=None):
    """The calls of a seed on which the two orders give different answers."""
    task, found = TASKS[key], []
    for check in cases.CHECKS[key]:
        for call in check.draw(key, seed):
            came, expected = call.make(OTHERWISE[key]), call.make(reference or task.reference)
            found += [call] * bool(compare.gaps(came, expected, task.parts, task.gap))
    return found


@pytest.mark.parametrize("key", OTHERWISE)
def test_the_order_of_a_sum_costs_nobody_a_point(key):
    seeds = SEEDS // 4 if key == "descent.fit_sgd" else SEEDS
    assert not [seed for seed in range(seeds) if parts_ways(key, f"hidden {seed}")]


def test_with_tenths_it_would(monkeypatch):
    """So the test above looks where programs do part: with one digit after the point a walk soon meets such a tie."""
    monkeypatch.setattr(cases, "QUARTER", cases.TENTH)
    exactly = functools.partial(walk, score=exact_score)
    assert any(parts_ways("perceptron.perceptron_walk", f"hidden {seed}", exactly) for seed in range(300))
