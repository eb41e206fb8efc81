"""Theorems of chapters 2, 4 and 5 that are about more than one function."""

import numpy as np
import pytest
from scipy.optimize import linprog

from linclass import logistic, losses, perceptron, separability


@pytest.mark.ledger("thm-same-walk")
def test_the_two_label_forms_take_the_same_step_but_for_positive_examples_at_score_zero():
    rng = np.random.default_rng(0)
    theta, theta_0 = np.array([1.0, -1.0]), 0.0
    points = np.vstack([rng.normal(size=(50, 2)), [[2.0, 2.0], [0.0, 0.0]]])  # the last two have score 0
    for x in points:
        for y in (-1.0, 1.0):
            signed = np.append(*perceptron.perceptron_step(theta, theta_0, x, y))
            binary = np.append(*perceptron.threshold_step(theta, theta_0, x, (1 + y) / 2))
            if theta @ x == 0 and y > 0:
                assert np.array_equal(signed - binary, np.append(x, 1.0))
            else:
                assert np.array_equal(signed, binary)


@pytest.mark.ledger("thm-perceptron-no-likelihood")
def test_the_perceptron_loss_is_no_negative_log_likelihood_and_the_logistic_loss_is_one():
    s = np.linspace(-3, -0.1, 30)
    # A likelihood with these slopes at s < 0 has P(+1) growing and P(-1) = 1 - P(+1) constant.
    assert (-losses.perceptron_slope(s) > 0).all() and (losses.perceptron_slope(-s) == 0).all()
    total = np.exp(-losses.perceptron_loss(s)) + np.exp(-losses.perceptron_loss(-s))
    assert np.ptp(total) > 0.5
    assert np.allclose(np.exp(-losses.logistic_loss(s)) + np.exp(-losses.logistic_loss(-s)), 1)


@pytest.mark.ledger("thm-separator-program")
@pytest.mark.parametrize("seed", range(6))
def test_the_program_collects_one_point_for_every_example_that_a_weak_separator_gets_right(seed):
    rng = np.random.default_rng(seed)
    # Small integers often are quasi-separable; the last sets are strict and overlapping.
    X = rng.integers(-1, 2, size=(7, 2)).astype(float)
    y = np.where(X @ [1.0, 1.0] + (rng.random(7) - 0.5) * (seed % 3) > 0, 1.0, -1.0)
    if abs(y.sum()) == 7:
        y[0] = -y[0]
    A = y[:, None] * np.column_stack([X, np.ones(7)])
    best = linprog(
        np.append(np.zeros(3), -np.ones(7)),
        A_ub=np.hstack([-A, np.eye(7)]),
        b_ub=np.zeros(7),
        bounds=[(None, None)] * 3 + [(0, 1)] * 7,
    )
    s = best.x[3:]
    assert np.allclose(s, np.round(s), atol=1e-7)
    kind = {7: "strict", 0: "none"}.get(round(s.sum()), "quasi")
    found = separability.find_separator(X, y)
    assert found.kind == kind
    if kind != "strict":
        assert np.array_equal(found.weights > 0, s < 0.5)


@pytest.mark.ledger("eq-binary-likelihood")
@pytest.mark.ledger("thm-two-label-forms")
def test_the_likelihood_is_the_same_with_labels_zero_and_one():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    for theta, theta_0 in ((rng.normal(size=3), rng.normal()), (np.zeros(3), 0.0), (np.full(3, 300.0), 1.0)):
        binary = logistic.binary_log_likelihood(theta, theta_0, X, y)
        assert np.isclose(binary, logistic.log_likelihood(theta, theta_0, X, 2 * y - 1), rtol=1e-12)
    p = logistic.sigmoid(X @ [1.0, 2.0, -1.0] + 0.5)
    switch = np.sum(y * np.log(p) + (1 - y) * np.log(1 - p))
    assert np.isclose(logistic.binary_log_likelihood([1.0, 2.0, -1.0], 0.5, X, y), switch)
    with pytest.raises(ValueError, match="y"):
        logistic.binary_log_likelihood(np.zeros(3), 0.0, X, 2 * y - 1)
