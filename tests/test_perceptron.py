"""The perceptron's walk, its bound, and what stopping proves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import rounds, two_class_data
from sklearn.linear_model import Perceptron

from linclass import datasets, losses, margins, perceptron, separability


def literal(X, y, max_epochs, offset=True):
    """The perceptron as one would write it on a board: (theta, theta_0, mistakes by epoch)."""
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        mistakes = 0
        for t in range(len(X)):
            if y[t] * (theta @ X[t] + theta_0) <= 0:
                theta = theta + y[t] * X[t]
                theta_0 += y[t] * offset
                mistakes += 1
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, history


@pytest.mark.ledger("eq-perceptron-step")
def test_a_mistake_moves_the_line_and_raises_its_margin():
    rng = np.random.default_rng(0)
    for _ in range(50):
        theta, x, theta_0, y = rng.normal(size=3), rng.normal(size=3), rng.normal(), rng.choice([-1.0, 1.0])
        z = y * (theta @ x + theta_0)
        moved, moved_0 = perceptron.perceptron_step(theta, theta_0, x, y)
        growth = y * (moved @ x + moved_0) - z
        np.testing.assert_allclose(growth, (x @ x + 1) if z <= 0 else 0.0, atol=1e-12)
    moved, moved_0 = perceptron.perceptron_step(np.zeros(2), 0.0, [1.0, 2.0], -1)  # a margin of 0 is a mistake
    assert moved.tolist() == [-1.0, -2.0] and moved_0 == -1.0


@pytest.mark.ledger("eq-threshold-step")
def test_the_binary_form_is_the_same_walk_but_at_ties():
    rng = np.random.default_rng(1)
    for _ in range(200):
        theta, x, theta_0 = rng.normal(size=2), rng.normal(size=2), rng.normal()
        y = rng.choice([-1.0, 1.0])
        ours = perceptron.perceptron_step(theta, theta_0, x, y)
        binary = perceptron.threshold_step(theta, theta_0, x, (y + 1) / 2)
        np.testing.assert_array_equal(ours[0], binary[0])
        assert ours[1] == binary[1]
    x = np.array([1.0, 2.0])
    assert perceptron.threshold_step(np.zeros(2), 0.0, x, 0)[0].tolist() == [-1.0, -2.0]  # the same at a tie for 0,
    assert perceptron.threshold_step(np.zeros(2), 0.0, x, 1)[0].tolist() == [0.0, 0.0]  # but for 1 it stays,
    assert perceptron.perceptron_step(np.zeros(2), 0.0, x, 1)[0].tolist() == [1.0, 2.0]  # where the other moves


@pytest.mark.ledger("thm-perceptron-is-sgd")
@pytest.mark.parametrize("offset", [True, False])
def test_the_perceptron_is_cyclic_sgd_on_the_perceptron_loss_with_step_1(offset):
    X, y = datasets.two_gaussians(60, np.random.default_rng(2))
    theta, theta_0 = np.zeros(2), 0.0
    for _ in range(5):
        for t in range(len(X)):
            slope = losses.perceptron_slope(y[t] * (theta @ X[t] + theta_0))  # -1 at 0
            theta, theta_0 = theta - slope * y[t] * X[t], theta_0 - slope * y[t] * offset
    fit = perceptron.fit_perceptron(X, y, max_epochs=5, offset=offset)
    np.testing.assert_array_equal(fit.model.theta, theta)
    assert fit.model.theta_0 == theta_0


@pytest.mark.ledger("thm-novikoff")
@pytest.mark.ledger("eq-mistake-bound")
@pytest.mark.parametrize("seed", range(20))
def test_novikoffs_bound_holds(seed):
    rng = np.random.default_rng(seed)
    d, margin = int(rng.integers(1, 8)), float(rng.uniform(0.05, 1.0))
    theta, theta_0 = rng.normal(size=d), rng.normal()
    X, y = datasets.separable(80, rng, margin, theta=theta, theta_0=theta_0)
    fit = perceptron.fit_perceptron(X, y, max_epochs=100_000)
    assert fit.converged and (margins.margins(fit.model.theta, fit.model.theta_0, X, y) > 0).all()
    assert fit.mistakes == fit.steps == fit.history.sum() <= fit.mistake_bound(theta, theta_0)
    # The bound by hand, with the offset as a feature that is always 1.
    A, w = np.column_stack([X, np.ones(80)]), np.append(theta, theta_0)
    gamma = np.min(y * (A @ w)) / np.linalg.norm(w)
    assert fit.mistake_bound(theta, theta_0) == pytest.approx(np.max(np.sum(A**2, axis=1)) / gamma**2)
    assert fit.mistake_bound(7 * theta, 7 * theta_0) == pytest.approx(fit.mistake_bound(theta, theta_0))


def test_the_bound_of_small_integers_is_that_of_the_numbers_they_hold():
    X, y, theta = np.array([[100, 100], [-100, -90]]), np.array([1, -1]), np.array([100, 100])
    bound = perceptron.mistake_bound(theta, 0, X, y)
    assert bound == perceptron.mistake_bound(theta.astype(np.int8), np.int8(0), X.astype(np.int8), y.astype(np.int8))
    assert bound == perceptron.fit_perceptron(X, y, offset=2).mistake_bound(theta)  # any offset is one offset


def test_the_bound_without_an_offset():
    X, y = datasets.separable(80, np.random.default_rng(0), 0.2)
    fit = perceptron.fit_perceptron(X, y, offset=False)
    assert fit.converged and fit.model.theta_0 == 0 and fit.mistakes <= fit.mistake_bound([1.0, 1.0])
    with pytest.raises(ValueError, match="theta_0"):
        fit.mistake_bound([1.0, 1.0], 0.01)
    with pytest.raises(ValueError, match="separator"):
        fit.mistake_bound([1.0, -1.0])


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("name", ["iris 0/1", "iris 1/2", "linnerud", "spector", "diabetes", "heart"])
def test_the_walk_is_the_literal_loop_on_real_data(name, offset):
    X, y = two_class_data()[name]
    fit = perceptron.fit_perceptron(X, y, max_epochs=20, offset=offset)
    theta, theta_0, history = literal(X, y, 20, offset)
    assert fit.history.tolist() == history
    np.testing.assert_allclose(fit.model.theta, theta, rtol=1e-12, atol=1e-12)
    assert fit.model.theta_0 == pytest.approx(theta_0)


@settings(max_examples=rounds(25), deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(2, 60), st.integers(1, 6), st.sampled_from(["normal", "integer", "scaled"]))
def test_the_walk_is_the_literal_loop_on_any_data(seed, n, d, kind):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) if kind != "integer" else rng.integers(-2, 3, (n, d)).astype(float)
    X = X * 10.0 ** rng.integers(-6, 7, d) if kind == "scaled" else X
    y = rng.permutation(np.where(np.arange(n) % 2, 1.0, -1.0))
    fit = perceptron.fit_perceptron(X, y, max_epochs=15)
    assert fit.history.tolist() == literal(X, y, 15)[2]


def test_it_agrees_with_scikit_learn_on_separable_data():
    X, y = two_class_data()["iris 0/1"]
    theirs = Perceptron(shuffle=False, tol=None, max_iter=1000).fit(X, y)
    ours = perceptron.fit_perceptron(X, y)
    assert ours.converged and (ours.model.predict(X) == theirs.predict(X)).all()


def test_data_that_are_not_separable_end_with_a_message():
    X, y = two_class_data()["iris 1/2"]
    fit = perceptron.fit_perceptron(X, y, max_epochs=30)
    assert not fit.converged and len(fit.history) == 30 and "find_separator" in fit.message
    assert separability.find_separator(X, y).kind == "none"


def test_two_fits_give_the_same_bytes_and_leave_the_data_alone():
    X, y = datasets.two_gaussians(50, np.random.default_rng(0))
    before = X.copy()
    first, second = (perceptron.fit_perceptron(X, y, max_epochs=9) for _ in range(2))
    assert first.model.theta.tobytes() == second.model.theta.tobytes()
    np.testing.assert_array_equal(X, before)
