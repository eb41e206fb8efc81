"""The fast paths give the answers of the plain ones, whatever the shape of the data and the order of their rows."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linclass import _plug, descent, logistic, losses, newton, perceptron, risk, softmax
from linclass._fast import block_sums, compiled_loops, kept_hessian, logistic_by_shape, sgd_epochs, softmax_by_shape
from linclass._rows import in_memory, pieces

SHAPES = [(30, 2), (400, 5), (9000, 20), (20_000, 10), (300, 120), (150, 400), (1500, 130)]


def sample(n, d, seed=0, n_classes=2):
    """Gaussian rows, labels from a softmax model: in {-1, +1} for two classes, else 0 .. n_classes-1."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    S = X @ rng.standard_normal((d, n_classes)) / np.sqrt(d) * 2 + rng.gumbel(size=(n, n_classes))
    y = S.argmax(axis=1)
    return X, (2.0 * y - 1.0 if n_classes == 2 else y)


def both_logistic(X, y, lam, offset=True):
    """(the fast twin's fit, the plain one)."""
    return (fit(X, y, lam=lam, offset=offset) for fit in (logistic.fit_logistic, logistic.fit_logistic.plain))


def same_logistic(fast, plain, X, tol=1e-5):
    """Scores and risk agree; where the plain way proves nothing, the twin is no higher, or both say separable.

    A risk near 0 is known to what a certificate admits and no better, and the scores hardly at all.
    """
    assert fast.converged >= plain.converged, (fast.message, plain.message)
    if plain.converged and plain.history[-1] < 1e-4:
        assert abs(fast.history[-1] - plain.history[-1]) <= newton.near_enough(plain.history[-1])
    elif plain.converged:
        s, expected = fast.model.scores(X), plain.model.scores(X)
        assert np.abs(s - expected).max() <= tol * (1 + np.abs(expected).max())
        assert fast.history[-1] == pytest.approx(plain.history[-1], rel=1e-9)
        assert fast.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-5)
    elif fast.converged:
        assert fast.history[-1] <= plain.history[-1] * (1 + 1e-7)
    else:
        assert "separable" in fast.message and "separable" in plain.message


@pytest.mark.parametrize("hess", [True, False])
@pytest.mark.parametrize("offset", [True, False])
def test_sums_over_blocks_are_the_formulas(offset, hess):
    X, y = sample(3000, 60)
    w = np.random.default_rng(1).normal(size=60 + offset)
    theta, theta_0 = w[:60], w[60] if offset else 0.0
    total, g, H = block_sums.logistic_sums(X, y, 1.0, w, offset, hess)
    assert total / 3000 == pytest.approx(risk.risk(theta, theta_0, X, y, losses.LOGISTIC), rel=1e-13)
    np.testing.assert_allclose(
        g / 3000, np.append(*risk.risk_grad(theta, theta_0, X, y, losses.LOGISTIC))[: 60 + offset], atol=1e-14
    )
    if hess:
        expected = risk.risk_hess(theta, theta_0, X, y, losses.LOGISTIC)[: 60 + offset, : 60 + offset]
        np.testing.assert_allclose(H / 3000, expected, atol=1e-14)


def test_margins_far_below_zero_do_not_overflow():
    X, y = np.array([[1.0], [-2.0], [1e-3]]), np.array([-1.0, 1.0, 1.0])
    total, g, _ = block_sums.logistic_sums(X, y, 1.0, np.array([1e4]), False, True)
    exact = np.logaddexp(0, -1e4 * y * X[:, 0]).sum()
    assert total == pytest.approx(exact, rel=1e-14) and g[0] == pytest.approx(3.0, rel=1e-4)


def test_softmax_sums_over_blocks_are_the_formulas():
    X, y = sample(3000, 7, n_classes=4)
    rng = np.random.default_rng(2)
    W = rng.normal(size=(4, 8))
    total, g, H = block_sums.softmax_sums(X, 1.0, W, True, True)
    counts, own = block_sums.class_sums(X, y, 1.0, 4)
    right = np.column_stack([own, counts])
    value = (total - np.vdot(right, W)) / 3000
    assert value == pytest.approx(softmax.softmax_risk(W[:, :-1], W[:, -1], X, y), rel=1e-12)
    grad = np.column_stack(softmax.softmax_risk_grad(W[:, :-1], W[:, -1], X, y))
    np.testing.assert_allclose((g - right) / 3000, grad, atol=1e-13)
    np.testing.assert_allclose(H / 3000, softmax.softmax_risk_hess(W[:, :-1], W[:, -1], X, y), atol=1e-13)


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("lam", [1e-4, 0.1])
@pytest.mark.parametrize("shape", SHAPES)
def test_logistic_fast_equals_plain(shape, lam, offset):
    X, y = sample(*shape)
    fast, plain = both_logistic(X, y, lam, offset)
    same_logistic(fast, plain, X, 3e-5)


@pytest.mark.parametrize("shape", SHAPES[:4])
def test_maximum_likelihood_fast_equals_plain(shape):
    X, y = sample(*shape)
    fast, plain = both_logistic(X, y, 0.0)
    same_logistic(fast, plain, X)
    np.testing.assert_allclose(fast.standard_errors, plain.standard_errors, rtol=1e-5)


ORDERS = {
    "sorted by class": lambda X, y: (X[np.argsort(y, kind="stable")], np.sort(y)),
    "sorted by a feature": lambda X, y: (X[np.argsort(X[:, 0])], y[np.argsort(X[:, 0])]),
    "periodic": lambda X, y: (X, oracles.signs(np.arange(len(y)) % 16 == 3)),
    "one class rare": lambda X, y: (X + 0.3 * (np.arange(len(y)) < 30)[:, None], oracles.signs(np.arange(len(y)) < 30)),
    "three of a class": lambda X, y: (X, oracles.signs(np.arange(len(y)) < 3)),
    "duplicated columns": lambda X, y: (np.column_stack([X, X[:, :2]]), y),
    "a constant column": lambda X, y: (np.column_stack([X, np.full(len(X), 7.0)]), y),
    "scales of 1e6": lambda X, y: (X * 10.0 ** np.linspace(-6, 6, X.shape[1]), y),
    "shifted far": lambda X, y: (X + 1e6, y),
    "one row huge": lambda X, y: (np.where(np.arange(len(X))[:, None] == 17, 1e4, 1.0) * X, y),
    "separable": lambda X, y: (X, oracles.signs(X[:, 0] + X[:, 1] > 0.1)),
}


@pytest.mark.parametrize("lam", [0.0, 1e-4])
@pytest.mark.parametrize("order", ORDERS)
def test_no_order_of_the_rows_fools_it(order, lam):
    X, y = ORDERS[order](*sample(17_000, 12))
    same_logistic(*both_logistic(X, y, lam), X, 3e-5)


@pytest.mark.parametrize("lam", [1e-4, 0.1])
@pytest.mark.parametrize(("n", "d", "k"), [(60, 3, 3), (4000, 6, 4), (40_000, 5, 3), (400, 30, 8), (50, 100, 4)])
@pytest.mark.parametrize("offset", [True, False])
def test_softmax_fast_equals_plain(n, d, k, lam, offset):
    X, y = sample(n, d, n_classes=k)
    fast, plain = (fit(X, y, lam=lam, offset=offset) for fit in (softmax.fit_softmax, softmax.fit_softmax.plain))
    assert fast.converged and plain.converged
    np.testing.assert_allclose(fast.model.Theta, plain.model.Theta, atol=3e-5 * np.abs(plain.model.Theta).max())
    np.testing.assert_allclose(fast.model.theta_0, plain.model.theta_0, atol=3e-5 * np.abs(plain.model.Theta).max())
    assert fast.history[-1] == pytest.approx(plain.history[-1], rel=1e-9)


@settings(max_examples=oracles.rounds(25), deadline=None, derandomize=True)
@given(st.integers(0, 9**6), st.integers(2, 80), st.integers(1, 30), st.sampled_from([0, 1e-5, 0.1]), st.integers(0, 4))
def test_logistic_fast_equals_plain_on_any_data(seed, n, d, lam, power):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-power, power + 1, d)
    y = rng.permutation(np.where(np.arange(n) % 3, 1.0, -1.0))
    same_logistic(*both_logistic(X, y, lam, bool(seed % 2)), X, 1e-4)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("shape", [(50, 2), (20_000, 10), (150, 400), (1500, 130)])
def test_a_number_that_is_not_finite_is_found_wherever_it_hides(shape, bad):
    X, y = sample(*shape)
    X[shape[0] // 3, shape[1] // 2] = bad
    for lam in (0.0, 0.1):
        with pytest.raises(ValueError, match="X must be finite"):
            logistic.fit_logistic(X, y, lam=lam)
        with pytest.raises(ValueError, match="X must be finite"):
            softmax.fit_softmax(X, (y > 0).astype(int), lam=lam)


@pytest.mark.parametrize("seed", range(40))
def test_fewer_rows_than_unknowns_are_separable(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 9))
    X = rng.integers(-7, 8, (n, n)).astype(float)
    y = rng.permutation(np.where(np.arange(n) % 2, 1.0, -1.0))
    if np.linalg.matrix_rank(np.column_stack([X, np.ones(n)])) == n:
        fit = logistic.fit_logistic(X, y)
        assert not fit.converged and "separable" in fit.message


def test_what_is_plugged_in_is_what_computes(monkeypatch):
    X, y = sample(50, 2)
    calls = []
    monkeypatch.setitem(_plug.replaced, ("losses", "logistic_loss"), losses.logistic_loss)
    monkeypatch.setattr(losses, "logistic_loss", lambda z: calls.append(1) or np.logaddexp(0, -z))
    monkeypatch.setattr(perceptron, "perceptron_step", lambda *a: calls.append(2) or (a[0], a[1]))
    logistic.fit_logistic(X, y, lam=0.1)
    perceptron.fit_perceptron(X, y, max_epochs=2)
    assert 1 in calls and 2 in calls


@pytest.mark.parametrize("learner", ["logistic", "softmax", "sgd"])
def test_what_is_plugged_in_computes_on_blocks_as_in_memory(learner, monkeypatch):
    X, y = sample(300, 3)
    classes = (y > 0).astype(int)
    calls = []

    def counted(module, name):
        own = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, **k: calls.append(name) or own(*a, **k))

    fits = {
        "logistic": lambda *data: logistic.fit_logistic(*data, lam=0.1).model.theta,
        "softmax": lambda *data: softmax.fit_softmax(*data, lam=0.1).model.Theta,
        "sgd": lambda X, y=None: (
            descent.fit_sgd(
                X, y, losses.LOGISTIC, eta=0.1, epochs=2, sampling="cycle", rng=np.random.default_rng(0)
            ).model.theta
        ),
    }
    labels = classes if learner == "softmax" else y
    halves = [(X[:150], labels[:150]), (X[150:], labels[150:])]
    fast = fits[learner](X, labels)
    counted(softmax if learner == "softmax" else risk, "softmax_risk_grad" if learner == "softmax" else "risk_grad")
    monkeypatch.setattr(pieces, "PIECE", 1)
    fits[learner](halves)
    assert not calls  # with nothing plugged in, the twin computes
    monkeypatch.setitem(_plug.replaced, ("risk", "risk_grad"), None)
    for data in ((X, labels), (halves,)):
        calls.clear()
        np.testing.assert_allclose(fits[learner](*data), fast, atol=1e-6)
        assert calls


def test_a_large_fit_needs_little_memory():
    import tracemalloc

    X, y = sample(200_000, 20)
    tracemalloc.start()
    fit = logistic.fit_logistic(X, y, lam=1e-5)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    assert fit.converged and peak < 15, f"{peak:.1f} MiB"


def test_a_small_fit_is_a_few_dozen_calls():
    X, y = sample(100, 2)
    _, history, *_ = logistic_by_shape.minimise(in_memory.Rows(X, y), 0.01, True)
    assert len(history) <= 7


LOOPED = [losses.Loss(name) for name in sgd_epochs.SLOPES]


def without_numba(monkeypatch, fit):
    """What `fit` gives while Numba is not there."""
    with monkeypatch.context() as patch:
        patch.setattr(compiled_loops, "available", lambda examples: False)
        return fit()


@pytest.mark.parametrize("loss", LOOPED, ids=lambda loss: loss.name)
@pytest.mark.parametrize(
    ("lam", "offset", "keep"), [(0.0, True, "last"), (0.01, False, "average"), (0.01, True, "best")]
)
def test_the_compiled_steps_of_sgd_are_those_of_the_loop(loss, lam, offset, keep, monkeypatch):
    pytest.importorskip("numba")
    X, y = sample(compiled_loops.MANY, 5)

    def fit():
        rng, eta = np.random.default_rng(3), descent.inverse_step(1.0, 100.0)
        return descent.fit_sgd(X, y, loss, lam=lam, eta=eta, epochs=2, keep=keep, rng=rng, offset=offset)

    plain, fast = without_numba(monkeypatch, fit), fit()
    np.testing.assert_allclose(fast.model.theta, plain.model.theta, rtol=1e-9)
    np.testing.assert_allclose([fast.model.theta_0, *fast.history], [plain.model.theta_0, *plain.history], rtol=1e-9)


@pytest.mark.parametrize("offset", [True, False])
def test_the_compiled_perceptron_makes_the_same_mistakes(offset, monkeypatch):
    pytest.importorskip("numba")
    X, y = sample(compiled_loops.MANY, 4)
    X = np.round(X, 1)  # margins of exactly 0 among them

    def fit():
        return perceptron.fit_perceptron(X, y, max_epochs=3, offset=offset)

    plain, fast = without_numba(monkeypatch, fit), fit()
    np.testing.assert_array_equal(fast.history, plain.history)
    np.testing.assert_array_equal(fast.model.theta, plain.model.theta)


@pytest.mark.parametrize("rule", [descent.constant_step(0.1), descent.inverse_step(2.0, 3.0), lambda t: 1.0 / t])
def test_step_sizes_all_at_once_are_those_one_by_one(rule):
    expected = [rule(t) for t in range(8, 13)]
    np.testing.assert_array_equal(sgd_epochs.step_sizes(rule, 7, 5), expected)


@pytest.mark.parametrize("lam", [0.0, 1e-3])
def test_softmax_with_many_columns_is_certified_without_a_hessian(lam, monkeypatch):
    X, y = sample(3000, 60, n_classes=4)
    X[:, 7] = 0.0
    plain = softmax.fit_softmax(X, y, lam=lam)
    monkeypatch.setattr(softmax_by_shape, "LARGE", 100)
    monkeypatch.setattr(softmax_by_shape, "MOST", 100)
    monkeypatch.setattr(kept_hessian, "inverse", small_only(kept_hessian.inverse, 61))
    fast = softmax.fit_softmax(X, y, lam=lam)
    assert fast.converged and fast.history[-1] == pytest.approx(plain.history[-1], rel=1e-7)


def small_only(inverse, most):
    """`inverse`, which refuses what is larger than one class's matrix."""

    def checked(H):
        assert len(H) <= most
        return inverse(H)

    return checked


def test_wide_separable_data_are_answered_at_once_and_equal_rows_of_two_classes_are_not():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 200)), oracles.signs(np.arange(60) % 2 == 0)
    fit = logistic.fit_logistic(X, y)
    assert not fit.converged and "completely" in fit.message and fit.steps == 1
    assert (y * fit.model.scores(X) > 0).all() and 60 * fit.history[-1] < np.log(2)
    X[1] = X[0]
    fit = logistic.fit_logistic(X, y)
    assert "(completely)" not in fit.message
