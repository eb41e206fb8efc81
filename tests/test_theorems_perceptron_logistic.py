"""Theorems of chapters 2, 3, 5 and 6 that are about more than one function."""

import numpy as np
import pytest
from scipy.optimize import linprog

from linclass import datasets, logistic, losses, margins, perceptron, risk, separability


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


@pytest.mark.ledger("thm-overlap-maximiser")
@pytest.mark.parametrize("seed", range(5))
def test_overlapping_data_have_one_maximiser_and_it_is_where_the_proof_says(seed):
    rng = np.random.default_rng(seed)
    X, y = datasets.two_gaussians(30, rng, scale=1.5)
    assert separability.find_separator(X, y).kind == "none"
    fit = logistic.fit_logistic(X, y)
    assert fit.converged
    A = y[:, None] * np.column_stack([X, np.ones(30)])
    directions = rng.normal(size=(20_000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    kappa = -np.max(np.min(directions @ A.T, axis=1))
    assert kappa > 0
    assert np.linalg.norm(np.append(fit.model.theta, fit.model.theta_0)) <= 30 * np.log(2) / kappa
    elsewhere = np.append(fit.model.theta, fit.model.theta_0) + 0.1 * directions[:200]
    values = [logistic.log_likelihood(w[:2], w[2], X, y) for w in elsewhere]
    assert max(values) < fit.log_likelihood


@pytest.mark.ledger("thm-descent-infimum")
@pytest.mark.parametrize("overlap", [False, True])
def test_gradient_descent_stays_below_its_bound_whether_the_infimum_is_attained_or_not(overlap):
    rng = np.random.default_rng(3)
    X, y = datasets.two_gaussians(40, rng) if overlap else datasets.separable(40, rng, 0.3)
    eta = 4 / np.mean(np.sum(X**2, axis=1) + 1)
    separator = separability.find_separator(X, y)
    directions = [rng.normal(size=3) for _ in range(20)]
    if not overlap:
        unit = np.append(separator.theta, separator.theta_0)
        unit /= np.linalg.norm(unit)
        gamma = margins.margins(unit[:2], unit[2], X, y).min()
        directions += [c * unit for c in (1.0, 5.0, 25.0)]
    w, before = np.zeros(3), np.inf
    for k in range(1, 1001):
        w = w - eta * np.append(*risk.risk_grad(w[:2], w[2], X, y, losses.LOGISTIC))
        now = risk.risk(w[:2], w[2], X, y, losses.LOGISTIC)
        assert now <= before
        before = now
        if k in (1, 10, 100, 1000):
            for u in directions:
                assert now <= risk.risk(u[:2], u[2], X, y, losses.LOGISTIC) + u @ u / (2 * eta * k)
            if not overlap:
                assert now <= 1 / k + np.log(k) ** 2 / (2 * eta * gamma**2 * k)
