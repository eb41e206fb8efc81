"""Every answer about separability carries a certificate, and the certificate is checked here in exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import odd_data, rounds, two_class_data

from linclass import datasets, logistic, losses, perceptron, risk, separability, svm


def exact_margins(theta, theta_0, X, y):
    """Margins without rounding: floats are fractions."""
    theta = [Fraction(v) for v in theta.tolist()]
    return [
        int(label) * (sum((a * Fraction(v) for a, v in zip(theta, x, strict=True)), Fraction(0)) + Fraction(theta_0))
        for x, label in zip(X.tolist(), y, strict=True)
    ]


def check(X, y, answer):
    """The certificate proves the answer."""
    spread = np.abs(X - X.mean(axis=0)).max(axis=0)
    if answer.kind == "strict":
        assert min(exact_margins(answer.theta, answer.theta_0, X, y)) > 0 and answer.weights is None
        return
    mu = answer.weights
    assert (mu >= 0).all() and mu.max() > 0
    # The weighted sum of y is 0, and so is that of y x, which may then be taken about any centre.
    assert abs(mu @ y) <= 1e-9 * mu.sum()
    assert (np.abs((mu * y) @ (X - X.mean(axis=0))) <= 1e-9 * mu.sum() * spread + 1e-300).all()
    if answer.kind == "none":
        assert (mu > 0).all() and answer.theta is None and answer.theta_0 is None
    else:
        z = y * (X @ answer.theta + answer.theta_0)
        assert z.min() >= -1e-8 and z.max() > 0.25 and (z[mu > 0] <= 1e-8).all()


@pytest.mark.ledger("thm-separation-certificate")
@pytest.mark.ledger("eq-separator-lp")
@pytest.mark.parametrize("name", two_class_data())
def test_real_data(name):
    X, y = two_class_data()[name]
    if len(X) > 3000:
        X, y = X[:3000], y[:3000]
    check(X, y, separability.find_separator(X, y))


KINDS = {"iris 0/1": "strict", "iris 1/2": "none", "breast cancer": "strict", "spector": "none"}


@pytest.mark.parametrize("name", KINDS)
def test_what_is_known_of_them(name):
    assert separability.find_separator(*two_class_data()[name]).kind == KINDS[name]


@pytest.mark.ledger("thm-separation-certificate")
@pytest.mark.parametrize("seed", range(20))
def test_odd_data(seed):
    _, X, y = odd_data(seed)
    check(X, y, separability.find_separator(X, y))


@pytest.mark.parametrize(
    ("x", "y", "kind"),
    [
        ([0, 1], [1, -1], "strict"),
        ([1, 1], [1, -1], "none"),
        ([0, 1, 1, 2], [-1, -1, 1, 1], "quasi"),  # they touch at 1
        ([0, 1, 2], [-1, 1, -1], "none"),
        ([0, 0, 1], [-1, 1, 1], "quasi"),
    ],
)
def test_small_cases_by_hand(x, y, kind):
    X, y = np.array(x, float)[:, None], np.array(y, float)
    answer = separability.find_separator(X, y)
    check(X, y, answer)
    assert answer.kind == kind


@pytest.mark.ledger("thm-separation-certificate")
@settings(max_examples=rounds(40), deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(2, 25), st.integers(1, 4), st.integers(0, 6))
def test_integer_data_of_every_kind(seed, n, d, power):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n, d)) * 10.0 ** rng.integers(-power, power + 1, d)
    y = rng.permutation(np.where(np.arange(n) % 2, 1.0, -1.0))
    if seed % 2:
        X = X[np.lexsort(X.T)]
        y = np.sort(y)  # sorted together, they touch at most along an edge
    check(X, y, separability.find_separator(X, y))


@pytest.mark.parametrize("margin", [1.0, 1e-3, 1e-6])
@pytest.mark.parametrize("scales", [0, 6])
def test_thin_margins_and_wide_scales(margin, scales):
    d = 7
    X, y = datasets.separable(200, np.random.default_rng(0), margin, theta=np.ones(d), theta_0=0.5)
    X = X * 10.0 ** np.linspace(-scales, scales, d)
    answer = separability.find_separator(X, y)
    assert answer.kind == "strict"
    check(X, y, answer)


@pytest.mark.ledger("eq-separator-lp")
@pytest.mark.parametrize("kind", ["strict", "quasi", "none"])
def test_the_program_and_its_dual_agree(kind):
    rng = np.random.default_rng(1)
    X = rng.integers(-3, 4, (40, 2)).astype(float)
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    if kind == "quasi":
        X, y = np.vstack([X, [[0.5, 0.0]] * 2]), np.append(y, [1.0, -1.0])
    if kind == "none":
        y = rng.permutation(y)
    A = separability.signed_rows(X, y)
    for w, s, mu in (separability.separator_program(A), separability.separator_program.plain(A)):
        np.testing.assert_allclose(s, np.clip(A @ w, 0, 1), atol=1e-8)
        assert (A @ w >= -1e-8).all() and (mu >= -1e-8).all() and (np.isclose(s, 0) | np.isclose(s, 1)).all()
        np.testing.assert_allclose(A.T @ mu, 0, atol=1e-8)
        np.testing.assert_allclose(s.sum(), np.maximum(1 - mu, 0).sum(), atol=1e-7)  # no gap between the two
        assert {"strict": s.all(), "quasi": 0 < np.round(s).sum() < len(s), "none": not np.round(s).any()}[kind]


def test_a_perceptron_that_stops_is_a_proof():
    X, y = datasets.separable(60, np.random.default_rng(3), 0.2)
    assert perceptron.fit_perceptron(X, y).converged and separability.find_separator(X, y).kind == "strict"


@pytest.mark.ledger("thm-ln2-separates")
@pytest.mark.parametrize("seed", range(10))
def test_a_summed_risk_below_ln_2_proves_separation(seed):
    rng = np.random.default_rng(seed)
    X, y = datasets.two_gaussians(int(rng.integers(4, 60)), rng, scale=rng.uniform(0.2, 1.5))
    model = logistic.fit_logistic(X, y).model
    total = len(X) * risk.risk(model.theta, model.theta_0, X, y, losses.LOGISTIC)
    kind = separability.find_separator(X, y).kind
    if total < np.log(2):
        assert kind == "strict" and (y * model.scores(X) > 0).all()
    assert (kind == "strict") == (total < np.log(2))  # the fit runs until it is below, if it can be


@pytest.mark.ledger("thm-ln2-separates")
@pytest.mark.parametrize("seed", range(10))
def test_residuals_bound_every_margin_and_balance_at_the_minimum(seed):
    rng = np.random.default_rng(seed)
    X, y = datasets.two_gaussians(30, rng, scale=rng.uniform(0.2, 1.5))
    a = y[:, None] * np.column_stack([X, np.ones(len(y))])
    fit = logistic.fit_logistic(X, y)
    w = rng.normal(size=3) * rng.exponential(3)
    mu = logistic.sigmoid(-a @ w)
    ceiling = np.linalg.norm(mu @ a) / mu.sum()
    grad = np.append(*risk.risk_grad(w[:2], w[2], X, y, losses.LOGISTIC))
    np.testing.assert_allclose(ceiling, np.linalg.norm(grad) / mu.mean())
    units = rng.normal(size=(5000, 3))
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    assert (units @ a.T).min(axis=1).max() <= ceiling
    if fit.converged:
        residuals = 1 - logistic.sigmoid(y * fit.model.scores(X))
        assert (residuals > 0).all() and separability.find_separator(X, y).kind == "none"
        np.testing.assert_allclose(residuals @ a, 0, atol=1e-4)


def test_without_scipy_the_package_imports(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(ImportError):
        separability.find_separator([[0.0], [1.0]], [-1, 1])
    X, y = np.array([[0.0], [1.0], [1.0], [2.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    fit = logistic.fit_logistic(X, y)
    assert not fit.converged and "SciPy" in fit.message and "separable" in fit.message


@pytest.mark.parametrize("offset", [True, False])
def test_scaled_columns_have_mean_square_1_about_their_centre(problem, offset):
    X = np.column_stack([problem[0], np.full(40, 7.0)])
    centre, scale = separability.column_scaling(X, offset)
    np.testing.assert_allclose(centre, X.mean(axis=0) if offset else 0.0)
    Z = (X - centre) / scale
    np.testing.assert_allclose(np.mean(Z**2, axis=0), [1, 1, 1, 0 if offset else 1], atol=1e-15)
    assert scale[3] == (1.0 if offset else 7.0)  # nothing to scale in a column without spread
    low = separability.column_scaling(np.array([[-3.0], [1.0], [2.0]]))[1]
    assert low == pytest.approx(np.sqrt(14 / 3))  # the largest deviation is a negative one


@pytest.mark.ledger("thm-gap-weights")
@pytest.mark.parametrize("seed", range(10))
def test_weights_are_a_ceiling_over_every_margin_and_the_shortest_sum_reaches_it(seed):
    rng = np.random.default_rng(seed)
    X, y = datasets.separable(30, rng, margin=10.0 ** rng.uniform(-2, 0), theta=[1.0, 0.6], theta_0=rng.normal())
    rows = y[:, None] * np.column_stack([X, np.ones(len(y))])
    # The support vector machine without an offset, on rows with their constant, has the widest gap and its weights.
    hard = svm.fit_svm(y[:, None] * rows, y, lam=1e-9, offset=False)
    widest, mu = 1 / np.linalg.norm(hard.model.theta), hard.dual / hard.dual.sum()
    assert np.min(rows @ hard.model.theta) * widest == pytest.approx(widest, rel=1e-5)
    assert np.linalg.norm(mu @ rows) == pytest.approx(widest, rel=1e-5)
    for weights in rng.dirichlet(np.full(len(y), 0.1), size=50):
        assert widest <= np.linalg.norm(weights @ rows) * (1 + 1e-5)


@pytest.mark.ledger("thm-gap-weights")
@pytest.mark.parametrize("scale", [0.3, 1.5])
def test_a_running_perceptron_carries_a_ceiling_with_it(scale):
    X, y = datasets.two_gaussians(60, np.random.default_rng(3), scale=scale)
    rows = y[:, None] * np.column_stack([X, np.ones(len(y))])
    R = np.linalg.norm(rows, axis=1).max()
    found = separability.find_separator(X, y)
    w = np.zeros(3) if found.theta is None else np.append(found.theta, found.theta_0)
    margin = np.min(rows @ w) / max(np.linalg.norm(w), 1)
    for epochs in (1, 3, 30):
        theta, theta_0, history = perceptron.perceptron_walk(X, y, epochs, True)
        mistakes, length = history.sum(), np.hypot(np.linalg.norm(theta), theta_0)
        assert margin <= length / mistakes <= R / np.sqrt(mistakes)
