"""At lam = 0 a fit converges exactly when a linear program says that a maximiser exists."""

import numpy as np
import pytest

from linclass import logistic, risk, separability, softmax
from linclass._fast import certificates, smooth_by_shape
from linclass.losses import LOGISTIC


def draw(rng, shape, k):
    """Noisy classes; by `shape` one direction separates off a class but for rows on the boundary, or columns depend."""
    n, d = int(rng.integers(6, 150)), int(rng.integers(2, 5))
    X = rng.normal(size=(n, d))
    scores = X @ rng.normal(size=(d, k)) + rng.choice([0.5, 2, 5]) * rng.gumbel(size=(n, k))
    y = np.argmax(scores, axis=1)
    y[:k] = np.arange(k)
    if shape in ("on the boundary", "turned"):
        boundary = rng.random(n) < rng.choice([0.5, 0.9])
        X[:, 0] = np.where(boundary, 0, np.where(y == 0, 1, -1) * np.abs(X[:, 0])) * 10.0 ** rng.integers(-3, 4)
    X = np.round(X * 2**20) / 2**20  # so that what follows is exact
    if shape == "turned":
        X = X @ rng.integers(-9, 10, size=(d, d))
    if shape == "dependent":
        X = np.column_stack([X, 2 * X[:, 0] + 1])
    return X, y


@pytest.mark.long
@pytest.mark.parametrize("in_memory", [True, False])
@pytest.mark.parametrize("shape", ["plain", "on the boundary", "turned", "dependent"])
def test_the_linear_program_agrees(shape, in_memory):
    rng = np.random.default_rng(0)
    kinds = set()
    for k in 10 * [2, 3, 4]:
        X, y = draw(rng, shape, k)
        try:
            kind, _, _ = separability.separate_rows(smooth_by_shape.signed_rows(X, y, True, k))
        except ArithmeticError:  # too close to call
            continue
        kinds.add(kind)
        half = len(X) // 2
        data = (X, y) if in_memory else ([(X[:half], y[:half]), (X[half:], y[half:])],)
        fit = softmax.fit_softmax(*data, progress=False)
        assert fit.converged == (kind == "none"), (kind, fit.message)
        if k == 2:
            signs = 2 * y - 1
            data = (X, signs) if in_memory else ([(X[:half], signs[:half]), (X[half:], signs[half:])],)
            fit = logistic.fit_logistic(*data, progress=False)
            assert fit.converged == (kind == "none"), (kind, fit.message)
    assert ("quasi" if shape in ("on the boundary", "turned") else "none") in kinds


@pytest.mark.parametrize("theta, proved", [(0.0, False), (0.5, True), (0.69, True), (30.0, False)])
def test_a_minimum_is_proved_only_from_near(theta, proved):
    """Twice +1 at x = 1 and once -1: the minimum is at ln 2. From afar the curvature there says too little."""
    X, y = np.ones((3, 1)), np.array([1, 1, -1])
    g, _ = risk.risk_grad(np.array([theta]), 0.0, X, y, LOGISTIC)
    H = risk.risk_hess(np.array([theta]), 0.0, X, y, LOGISTIC)[:1, :1]
    assert (certificates.excess(g, np.zeros(1), H, np.ones(1)) < np.inf) == proved


@pytest.mark.parametrize("theta", [0.0, 1.0, 10.0, 30.0])
def test_nothing_is_proved_on_the_way_to_infinity(theta):
    """One class only: the risk log(1 + exp(-theta)) falls for ever."""
    X, y = np.ones((3, 1)), np.ones(3)
    g, _ = risk.risk_grad(np.array([theta]), 0.0, X, y, LOGISTIC)
    H = risk.risk_hess(np.array([theta]), 0.0, X, y, LOGISTIC)[:1, :1]
    assert certificates.excess(g, np.zeros(1), H, np.ones(1)) == np.inf
