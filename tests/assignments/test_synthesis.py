"""Wrong versions made from a function's own text: they are many, they end, they differ, and they are caught."""

import importlib
import inspect
import os
import re
from collections import Counter

import numpy as np
import pytest
from assignments.same_function import SAME

from linclass import _plug
from linclass.assignments import cases, cell, checking, compare, diagnose, mistakes, plain, synthesis
from linclass.assignments.topics import TOPICS

TASKS = {task.key: (topic, task) for topic in TOPICS.values() for task in topic.tasks}
LONG = os.environ.get("ASSIGNMENTS_LONG")
# Functions so short that there is little to change.
FEW = {"margins.scores", "margins.affine_features", "kernels.linear_kernel", "softmax.one_hot"}
FEW |= {"descent.inverse_sqrt_step", "kernels.min_kernel", "losses.exponential_loss"}


def plain_function(key):
    """The function of a text in plain.py."""
    _, task = TASKS[key]
    space = dict(vars(importlib.import_module(f"linclass.{task.module}")))
    space |= {kind.__name__: kind for kind in plain.RESULTS}
    exec(plain.TEXTS[key], space)
    return space[task.function]


@pytest.mark.parametrize("key", plain.TEXTS)
def test_a_plain_text_passes_every_check(key, seeds, in_process):
    topic, task = TASKS[key]
    for seed in seeds:
        source = f"def {task.function}(): return 1"
        only = [task.function]
        result = checking.check_source(source, topic, seed=seed, only=only, open_cell=in_process(plain_function(key)))
        assert result.complete, str(result)


@pytest.mark.parametrize("key", TASKS)
def test_every_function_has_wrong_versions_and_they_are_in_a_fixed_order(key):
    _, task = TASKS[key]
    sentences = [words for words, _ in synthesis.versions(task)]
    synthesis._versions.cache_clear()
    assert sentences == [words for words, _ in synthesis.versions(task)]
    assert len(sentences) <= synthesis.MOST and (key in FEW or len(sentences) >= 5)
    assert not [words for words in sentences if "_losses_" in words or "_tick_" in words]


# What a student may write, and a part of the sentence that is to be said of it. No entry of the catalogue fits.
SAID = {
    "a penalty that rewards": (
        "logistic",
        "risk_grad",
        "w = loss.slope(y * (X @ theta + theta_0)) * y / len(y)\n"
        "    return X.T @ w - lam * theta, w.sum()",
        "`lam * theta` has the wrong sign, in the gradient in theta",
    ),
    "a step uphill": (
        "descent",
        "sgd_step",
        "w = loss.slope(y * (X @ theta + theta_0)) * y / len(y)\n"
        "    return theta + eta * (X.T @ w + 2 * lam * theta), theta_0 + eta * w.sum()",
        None,
    ),
    "a third power": ("losses", "squared_loss", "return (1 - z) ** 3", "has the power 3"),
    "a half too many": (
        "svm",
        "dual_objective",
        "return dual.sum() / 2 - (dual * y) @ K @ (dual * y) / 2",
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_a_change_is_named_or_nothing_is_said(name):
    topic, function, body, said = SAID[name]
    task = TOPICS[topic].task(function)
    source = f"import numpy as np\ndef {function}{inspect.signature(task.reference)}:\n    {body}\n"
    result = checking.check_source(source, TOPICS[topic], only=[function]).functions[0]
    sentences = [sentence for label, sentence in result.findings if label == "change"]
    assert len(sentences) <= 1 and not all(check.passed for check in result.checks)
    if said is not None:
        assert said in sentences[0]


def test_a_version_that_does_not_end_is_ended():
    task = TOPICS["perceptron"].task("perceptron_walk")
    call = cases.CHECKS[task.key][0].draw(task.key, "public")[0]
    for _, function in synthesis.versions(task):
        with _plug.plain_path():
            cell.trusted_answer(function, call)  # comes back, whatever it is


def fails(task, function, seed):
    """Does a version fail the checks drawn with this seed?"""
    for check in cases.CHECKS[task.key]:
        for call in check.draw(task.key, seed):
            with _plug.plain_path():
                came = cell.trusted_answer(function, call)
            allowed = check.allowed(call) if check.allowed else None
            parts = check.parts or task.parts
            if came.error or compare.gaps(came.value, call.make(task.reference), parts, task.gap, allowed):
                return True
            arrays = [a for a in call.args if isinstance(a, np.ndarray)]
            if not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(came.args, arrays, strict=False)):
                return True
    return False


def listed(key):
    """The versions of a function that same_function.py lists, with how often."""
    found = Counter()
    for line in "".join(SAME.values()).split("\n"):
        times, _, rest = line.partition(" x ") if re.match(r"\d+ x ", line) else ("1", "", line)
        if rest.startswith(f"{key}: "):
            found[rest.removeprefix(f"{key}: ")] += int(times)
    return found


@pytest.mark.skipif(not LONG, reason="minutes: make assignments-long")
@pytest.mark.parametrize("key", TASKS)
def test_a_version_fails_in_public_and_with_every_seed_or_is_the_same_function(key):
    """Each is caught in public and with every hidden seed, but for those that are listed with the reason."""
    _, task = TASKS[key]
    seeds, passing = ["public", *(f"hidden {k}" for k in range(4))], Counter()
    for words, function in synthesis.versions(task):
        caught = [fails(task, function, seed) for seed in seeds]
        assert all(caught) or not any(caught), (words, caught)
        passing[words] += not any(caught)
    assert +passing == listed(key), "versions that pass are not those in same_function.py"


def test_the_list_of_versions_that_are_the_same_names_functions_of_the_assignments():
    lines = [line for line in "".join(SAME.values()).split("\n") if line]
    assert sum(listed(key).total() for key in TASKS) >= len(lines) > 100


@pytest.mark.skipif(not LONG, reason="a minute: make assignments-long")
def test_a_third_of_the_catalogue_is_named_without_it(in_process, monkeypatch):
    """What the instructors' page says."""
    monkeypatch.setattr(diagnose, "_catalogued", lambda task, runs: [])
    named = 0
    for mistake in mistakes.CATALOGUE:
        source, only = f"def {mistake.function}(): return 1", [mistake.function]
        wrong = in_process(mistakes.load(mistake))
        result = checking.check_source(source, TOPICS[mistake.topic], seed=1, only=only, open_cell=wrong)
        named += any(label == "change" for label, _ in result.functions[0].findings)
    print(f"{named} of {len(mistakes.CATALOGUE)} catalogued mistakes are named without the catalogue")
    assert named >= len(mistakes.CATALOGUE) / 3
