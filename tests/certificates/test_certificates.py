"""No certificate may be false: a short drawing, cases by name, and the judge itself put to the test.

`make certificates` is the long drawing.
"""

from dataclasses import replace

import numpy as np
import pytest
from certificates import families, judge
from certificates.families import Problem

SEED = 20
EACH = 16  # problems of a family


def certificate_of(problem):
    """What became of it, if no certificate was false and nothing raised."""
    verdict = judge.examine(problem)
    assert verdict.kind in ("held", "honest", "refused"), f"{verdict.kind}: {problem}: {verdict.detail}"
    return verdict


@pytest.mark.parametrize("family", families.FAMILIES)
def test_a_short_drawing(family):
    verdicts = [(index, judge.examine(families.draw(SEED, index, family))) for index in range(EACH)]
    wrong = [
        f"families.draw({SEED}, {index}, {family!r}) {verdict.kind}: {verdict.detail}"
        for index, verdict in verdicts
        if verdict.kind in ("false", "raised")
    ]
    assert not wrong, "\n".join(wrong)
    assert sum(verdict.kind == "not judged" for _, verdict in verdicts) <= 1


def test_a_drawing_comes_again():
    one, again = (families.draw(3, 7) for _ in range(2))
    assert str(one) == str(again) and (one.X == again.X).all() and (one.y == again.y).all()


def test_a_decrement_of_0_raises_nothing():
    """Drawn once: sparse softmax on extreme scales, whose decrement underflows."""
    assert judge.examine(families.draw(1118064201, 1732)).kind == "honest"


def test_a_risk_of_0_raises_nothing():
    """Likewise, where the risk itself underflows."""
    assert judge.examine(families.draw(77, 3406)).kind == "honest"


def signs(condition):
    return np.where(condition, 1.0, -1.0)


def one_row_far_away():
    r = np.random.default_rng(0)
    X = r.normal(size=(1000, 3))
    y = signs(X[:, 1] + r.logistic(size=1000) > 0)
    X[0] = 1e9
    return X, y


def start_and_end(latest):
    r = np.random.default_rng(1)
    t, duration = r.uniform(0, latest, 300), r.exponential(size=300)
    return np.c_[t, t + duration], signs(duration + r.logistic(size=300) > 1)


def far_columns():
    r = np.random.default_rng(2)
    Z = r.normal(size=(200, 3))
    return 4e7 + Z, signs(Z[:, 0] - Z[:, 2] + r.logistic(size=200) > 0)


def wide_scales():
    r = np.random.default_rng(3)
    X = r.normal(size=(10, 25)) * 10.0 ** r.uniform(-20, 20, 25)
    return X, signs(np.arange(10) % 2)


def two_columns_nearly_equal(step):
    r = np.random.default_rng(4)
    Z = r.normal(size=(200, 2))
    return np.c_[Z[:, 0], Z[:, 0] + step * Z[:, 1]], signs(Z[:, 1] + r.logistic(size=200) > 0)


def one_column_of(scale):
    r = np.random.default_rng(5)
    Z = r.normal(size=(100, 2))
    return Z * [1.0, scale], signs(Z.sum(axis=1) + r.logistic(size=100) > 0)


def separable(shift):
    r = np.random.default_rng(0)
    Z = r.normal(size=(12, 3))
    return Z + shift, signs(Z[:, 0] > 0)


RBF, LINEAR = ("rbf", {"tau": 3.0}), ("linear", {})
CASES = {
    "one row of 1e9": ("logistic", one_row_far_away(), 1e-4, {}),
    "one row of 1e9, no penalty": ("logistic", one_row_far_away(), 0.0, {}),
    "one row of 1e9, in blocks": ("logistic", one_row_far_away(), 1e-4, {"blocks": 3}),
    "one row of 1e9, softmax": ("softmax", one_row_far_away(), 1e-4, {}),
    "one row of 1e9, SVM": ("svm", one_row_far_away(), 1e-4, {}),
    "times of a year": ("logistic", start_and_end(3e7), 1e-6, {}),
    "times of a year, no penalty": ("logistic", start_and_end(3e7), 0.0, {}),
    "times of a year, in blocks": ("logistic", start_and_end(3e7), 1e-6, {"blocks": 3}),
    "times since 1970": ("logistic", start_and_end(1.7e9), 1e-6, {}),
    "times since 1970, softmax": ("softmax", start_and_end(1.7e9), 0.0, {}),
    "times since 1970, SVM": ("svm", start_and_end(1.7e9), 1e-6, {}),
    "columns near 4e7": ("logistic", far_columns(), 1e-6, {}),
    "columns near 4e7 without an offset": ("logistic", far_columns(), 1e-6, {"offset": False}),
    "columns near 4e7 without an offset or a penalty": ("logistic", far_columns(), 0.0, {"offset": False}),
    "columns near 4e7 without an offset, softmax": ("softmax", far_columns(), 1e-6, {"offset": False}),
    "columns near 4e7 without an offset, SVM": ("svm", far_columns(), 1e-8, {"offset": False}),
    "wide, of many scales": ("logistic", wide_scales(), 1e-3, {}),
    "wide, of many scales, in blocks": ("logistic", wide_scales(), 1e-3, {"blocks": 2}),
    "wide, of many scales, SVM": ("svm", wide_scales(), 1e-3, {}),
    "columns 1e-8 apart": ("logistic", two_columns_nearly_equal(1e-8), 0.0, {"offset": False}),
    "columns 1e-8 apart, in blocks": ("logistic", two_columns_nearly_equal(1e-8), 0.0, {"blocks": 2}),
    "SVM at lam = 1e-8": ("svm", two_columns_nearly_equal(1e-4), 1e-8, {}),
    "SVM at lam = 1e-8, separable, columns near 4e7": ("svm", separable(4e7), 1e-8, {}),
    "SVM at lam = 1e-8, separable, columns far away": ("svm", separable([1e6, 1e10, 1e12]), 1e-8, {}),
    "SVM at lam = 1e-8, columns near 4e7": ("svm", far_columns(), 1e-8, {}),
    "kernel SVM at lam = 1e-12": ("kernel_svm", far_columns(), 1e-12, {"kernel": LINEAR}),
    "kernel SVM at lam = 1e-12, RBF": ("kernel_svm", two_columns_nearly_equal(1.0), 1e-12, {"kernel": RBF}),
    "kernel logistic at lam = 1e-8": ("kernel_logistic", far_columns(), 1e-8, {"kernel": LINEAR}),
    "a column of 1e-310": ("logistic", one_column_of(1e-310), 0.0, {}),
    "a column of 1e-310, softmax": ("softmax", one_column_of(1e-310), 0.0, {}),
    "a column of 1e300": ("logistic", one_column_of(1e300), 0.0, {}),
    "a column of 1e300, softmax": ("softmax", one_column_of(1e300), 0.0, {}),
    "a column of 1e300, in blocks": ("logistic", one_column_of(1e300), 0.0, {"blocks": 2}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_case_by_name(name):
    learner, (X, y), lam, more = CASES[name]
    X, y = (X[:60], y[:60]) if learner.startswith("kernel") else (X, y)
    certificate_of(Problem(name, learner, X, (y > 0).astype(int) if learner == "softmax" else y, lam, **more))


def easy(learner, lam=0.1, **more):
    """A problem on which every learner finds the minimum."""
    r = np.random.default_rng(6)
    X = r.normal(size=(40, 3))
    y = r.integers(3, size=40) if learner == "softmax" else signs(X[:, 0] + 0.5 * r.normal(size=40) > 0)
    return Problem("easy", learner, X, y, lam, kernel=LINEAR if learner.startswith("kernel") else None, **more)


def moved(fit, share):
    """The fit with parameters longer by a share, and its certificate."""
    name = next(name for name in ("theta", "Theta", "alpha") if hasattr(fit.model, name))
    model = replace(fit.model, **{name: getattr(fit.model, name) * (1 + share)})
    return replace(fit, model=model, converged=True)


LINEAR_AND_KERNEL = ("logistic", "softmax", "svm", "kernel_svm", "kernel_logistic")


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("learner", LINEAR_AND_KERNEL)
def test_the_judge_tells_the_minimum_from_what_is_near(learner, offset):
    problem = easy(learner, offset=offset)
    verdict = certificate_of(problem)
    assert verdict.kind == "held"
    assert judge.judge(problem, moved(verdict.fit, 1e-8))[0] == "held"
    for share in (0.02, -0.02, 1.0, 1e9):
        assert judge.judge(problem, moved(verdict.fit, share))[0] == "false"


@pytest.mark.parametrize("learner", ["svm", "kernel_svm"])
def test_the_judge_needs_no_multipliers(learner):
    problem = easy(learner)
    fit = judge.learn(problem)
    for dual in (None, np.zeros(40), np.full(40, np.nan)):
        assert judge.judge(problem, replace(fit, dual=dual))[0] == "held"


@pytest.mark.parametrize("learner", ["logistic", "softmax"])
@pytest.mark.parametrize("quasi", [False, True])
def test_without_a_minimum_every_certificate_is_false(learner, quasi):
    X, y = np.arange(-3.0, 3.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    X, y = (np.r_[X, [[0.0]]], np.r_[y, 0]) if quasi else (X, y)
    problem = Problem("separable", learner, X, y if learner == "softmax" else 2.0 * y - 1, 0.0)
    verdict = certificate_of(problem)
    assert verdict.kind == "honest"
    kind, detail = judge.judge(problem, replace(verdict.fit, converged=True))
    assert kind == "false" and detail


def test_a_margin_of_zero_is_no_separation():
    problem = Problem("line", "perceptron", np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]))
    verdict = certificate_of(problem)
    assert verdict.kind == "held"
    assert judge.judge(problem, moved(verdict.fit, -1.0))[0] == "false"
