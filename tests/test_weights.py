"""Weights: sum w loss / sum w. Weight 2 is the row twice, weight 0 the row absent, in every learner and certificate."""

import functools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linclass
from linclass import (
    _plug,
    conventions,
    descent,
    gradcheck,
    kernels,
    logistic,
    losses,
    perceptron,
    representer,
    risk,
    separability,
    softmax,
    svm,
)
from linclass._rows import pieces

RBF = functools.partial(kernels.rbf_kernel, tau=1.5)
LEARNERS = {
    "logistic": lambda X, y, **more: logistic.fit_logistic(X, y, lam=0.01, **more),
    "likelihood": lambda X, y, **more: logistic.fit_logistic(X, y, **more),
    "softmax": lambda X, y, **more: softmax.fit_softmax(X, (y > 0).astype(int), lam=0.01, **more),
    "svm": lambda X, y, **more: svm.fit_svm(X, y, lam=0.05, **more),
    "kernel_svm": lambda X, y, **more: representer.fit_kernel_svm(X, y, RBF, lam=0.05, **more),
    "kernel_logistic": lambda X, y, **more: representer.fit_kernel_logistic(X, y, RBF, lam=0.05, **more),
}


def drawn(seed, n=40, heaviest=4):
    """Rows that no line separates, and whole weights, some of them 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = np.where(X[:, 0] + 1.5 * rng.logistic(size=n) > 0, 1.0, -1.0)
    w = rng.integers(0, heaviest + 1, n).astype(float)
    X[:8], y[:8], w[:8] = np.tile([[2.0, 1.0, -1.0], [-2.0, 1.0, 1.0]], (4, 1)), [1, 1, 1, 1, -1, -1, -1, -1], 1.0
    return X, y, w


def scores(fit, X):
    """Scores, one per row, whatever the model."""
    s = fit.model.scores(X)
    return s if s.ndim == 1 else s[:, 1] - s[:, 0]


@pytest.mark.parametrize("plain", [False, True], ids=["fast", "plain"])
@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("learner", LEARNERS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), unit=st.sampled_from([1.0, 0.125, 1e-6, 1e9]))
def test_a_whole_weight_repeats_the_row(learner, offset, plain, seed, unit):
    X, y, w = drawn(seed)
    fit, rows = LEARNERS[learner], np.repeat(np.arange(len(y)), w.astype(int))
    with _plug.plain_path() if plain else _plug.contextlib.nullcontext():
        repeated = fit(X[rows], y[rows], offset=offset)
        weighted = fit(X, y, offset=offset, sample_weight=unit * w)
    assert weighted.converged == repeated.converged
    assert weighted.history[-1] == pytest.approx(repeated.history[-1], rel=1e-6)
    if repeated.converged:
        np.testing.assert_allclose(scores(weighted, X), scores(repeated, X), atol=2e-4)
    if learner == "likelihood" and repeated.converged:  # in units of the weights
        assert weighted.log_likelihood == pytest.approx(unit * repeated.log_likelihood, rel=1e-6)
        np.testing.assert_allclose(weighted.standard_errors * unit**0.5, repeated.standard_errors, rtol=1e-4)


@pytest.mark.parametrize("learner", LEARNERS)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_weight_of_zero_is_a_row_that_is_not_there(learner, seed):
    X, y, w = drawn(seed)
    w *= np.random.default_rng(seed).uniform(0.1, 3.0, len(w))
    one, other = LEARNERS[learner](X, y, sample_weight=w), LEARNERS[learner](X[w > 0], y[w > 0], sample_weight=w[w > 0])
    np.testing.assert_array_equal(scores(one, X), scores(other, X))
    assert one.message == other.message
    if "svm" in learner:
        np.testing.assert_array_equal(one.dual[w > 0], other.dual)
        assert (one.dual[w == 0] == 0).all() and (w[one.support] > 0).all()
        assert (one.dual <= w * conventions.C_from_lam(0.05, w.sum()) * (1 + 1e-12)).all()


@pytest.mark.parametrize("learner", ["svm", "kernel_svm"])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), spread=st.sampled_from([1.0, 4.0, 12.0]))
def test_the_gap_of_a_weighted_machine_is_that_of_its_own_objectives(learner, seed, spread):
    X, y, _ = drawn(seed)
    w = np.exp(np.random.default_rng(seed).uniform(-spread, spread, len(y)))
    fit = LEARNERS[learner](X, y, sample_weight=w)
    K = RBF(X, X) if learner == "kernel_svm" else kernels.linear_kernel(X, X)
    alpha = fit.dual * y
    square = fit.model.theta @ fit.model.theta if learner == "svm" else alpha @ K @ alpha
    upper = np.average(losses.hinge_loss(y * fit.model.scores(X)), weights=w) + 0.05 / 2 * square
    lower = 0.05 * svm.dual_objective(fit.dual, K, y)
    assert fit.converged and abs(alpha.sum()) < 1e-9
    assert fit.history[-1] == pytest.approx(upper, rel=1e-7) and upper - lower <= 2e-8 * upper


@pytest.mark.ledger("eq-weighted-risk")
@pytest.mark.parametrize("loss", [losses.LOGISTIC, losses.SQUARED, losses.MODIFIED_SQUARED], ids=lambda loss: loss.name)
def test_the_weighted_risk_is_a_weighted_mean_and_has_its_derivatives(loss):
    X, y, w = drawn(0)
    weighted, u = losses.weighted(loss, w), np.array([0.3, -0.2, 0.5, 0.1])
    z = y * (X @ u[:3] + u[3])
    mean = np.average(loss.value(z), weights=w)
    assert risk.risk(u[:3], u[3], X, y, weighted, 0.1) == pytest.approx(mean + 0.05 * u[:3] @ u[:3], rel=1e-12)
    value, grad, hess = risk.as_functions(X, y, weighted, 0.1)
    assert gradcheck.grad_error(value, grad, u) < 1e-6
    np.testing.assert_allclose(gradcheck.numeric_hess(grad, u), hess(u), atol=1e-5)
    rows = np.repeat(np.arange(len(y)), w.astype(int))
    assert risk.risk(u[:3], u[3], X[rows], y[rows], loss, 0.1) == pytest.approx(value(u), rel=1e-12)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), spread=st.sampled_from([0.0, 1.0, 6.0]), ties=st.booleans())
def test_the_best_offset_counts_weights(seed, spread, ties):
    rng = np.random.default_rng(seed)
    s, y = rng.normal(size=30), np.where(rng.random(30) < 0.4, 1.0, -1.0)
    y[:2], s = [1, -1], np.round(s) if ties else s
    w = np.exp(rng.uniform(-spread, spread, 30)) if spread else rng.integers(1, 4, 30).astype(float)

    def loss(theta_0):
        return w @ losses.hinge_loss(y * (s + theta_0))

    best = svm.best_offset(s, y, w)
    assert loss(best) <= min(map(loss, y - s)) * (1 + 1e-12)
    if not spread:
        rows = np.repeat(np.arange(30), w.astype(int))
        assert best == svm.best_offset(s[rows], y[rows])


@pytest.mark.parametrize("offset", [True, False])
def test_weights_from_anywhere_give_the_same(offset, monkeypatch, tmp_path):
    monkeypatch.setattr(pieces, "PIECE", 1000)
    X, y, w = drawn(3, n=2000)
    k = (X[:, 1] + y > 0) * 1 + (y > 0)
    X.tofile(tmp_path / "X")
    mapped = np.memmap(tmp_path / "X", dtype=float, mode="r", shape=X.shape)

    def blocks(y):
        return lambda: ((X[i : i + 300], y[i : i + 300], w[i : i + 300]) for i in range(0, len(X), 300))

    for lam in (0.0, 0.01):
        one = logistic.fit_logistic(X, y, lam=lam, offset=offset, sample_weight=w)
        many = softmax.fit_softmax(X, k, lam=lam, offset=offset, sample_weight=w)
        for source in ((blocks, {}), (lambda y: mapped, {"sample_weight": w})):
            given = [(source[0](y), *([y] if source[1] else [])), (source[0](k), *([k] if source[1] else []))]
            other = logistic.fit_logistic(*given[0], lam=lam, offset=offset, **source[1])
            assert one.converged and other.converged
            np.testing.assert_allclose(other.model.theta, one.model.theta, atol=1e-8)
            assert other.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-10)
            if lam == 0:
                np.testing.assert_allclose(other.standard_errors, one.standard_errors, rtol=1e-6)
            other = softmax.fit_softmax(*given[1], lam=lam, offset=offset, **source[1])
            assert many.converged and other.converged
            np.testing.assert_allclose(other.model.Theta, many.model.Theta, atol=1e-7)


def test_weights_on_dask_give_the_same():
    da = pytest.importorskip("dask.array")
    X, y, w = drawn(3, n=2000)
    one = logistic.fit_logistic(X, y, sample_weight=w)
    parts = (da.from_array(part, chunks=(300, *part.shape[1:])) for part in (X, y, w))
    other = logistic.fit_logistic(*(given := list(parts))[:2], sample_weight=given[2])
    assert one.converged and other.converged
    np.testing.assert_allclose(other.model.theta, one.model.theta, atol=1e-8)
    assert other.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-10)
    with pytest.raises(ValueError, match="sample_weight must be of Dask"):
        logistic.fit_logistic(*given[:2], sample_weight=w)


@pytest.mark.parametrize("batch", [1, 7])
@pytest.mark.parametrize("keep", ["best", "average"])
def test_weighted_steps_are_the_plain_ones_and_drop_rows_of_weight_zero(batch, keep):
    X, y, w = drawn(1)

    def walk(X, y, w):
        rng = np.random.default_rng(0)
        return descent.fit_sgd(
            X, y, losses.LOGISTIC, eta=0.1, epochs=5, lam=0.01, rng=rng, batch=batch, keep=keep, sample_weight=w
        )

    fast = walk(X, y, w)
    with _plug.plain_path():
        plain = walk(X, y, w)
    np.testing.assert_allclose(fast.model.theta, plain.model.theta, rtol=1e-9)
    np.testing.assert_array_equal(
        walk(X[w > 0], y[w > 0], 5 * w[w > 0]).model.theta.round(9), fast.model.theta.round(9)
    )
    assert not np.allclose(walk(X, y, None).model.theta, fast.model.theta, atol=1e-3)
    mean = np.average(losses.logistic_loss(y * fast.model.scores(X)), weights=w)
    assert min(fast.history) == pytest.approx(mean + 0.005 * fast.model.theta @ fast.model.theta, rel=1e-9)


@pytest.mark.ledger("thm-ln2-separates")
def test_a_light_row_on_the_wrong_side_is_no_separation():
    """n times the risk is far below ln 2, but by weight alone: the margin of the light row is negative."""
    X, y = np.array([[-2.0], [-1.0], [1.0], [2.0], [1.5]]), np.array([-1.0, -1.0, 1.0, 1.0, -1.0])
    w = np.array([1.0, 1.0, 1.0, 1.0, 1e-7])
    fit = logistic.fit_logistic(X, y, sample_weight=w)
    assert fit.converged and fit.history[-1] < np.log(2) / 5
    with _plug.plain_path():
        assert (
            "separable" not in logistic.fit_logistic(X, y, sample_weight=w).message.replace("nothing proves", "")[:30]
        )
    w[-1] = 0.0
    assert "completely" in logistic.fit_logistic(X, y, sample_weight=w).message
    assert "completely" in logistic.fit_logistic([(X, y, w)]).message
    k = (y > 0).astype(int)
    assert softmax.fit_softmax(X, k, sample_weight=w + 1e-7).converged
    assert "completely" in softmax.fit_softmax(X, k, sample_weight=w).message


BAD = {
    "negative": ([1.0, -1.0], "sample_weight must be finite weights >= 0; got -1 at index 1"),
    "nan": ([1.0, np.nan], "sample_weight must be finite weights >= 0; got nan at index 1"),
    "infinite": ([np.inf, 1.0], "sample_weight must be finite weights >= 0; got inf at index 0"),
    "zero": ([0.0, 0.0], "weights that are not all zero; got 40 weights of 0"),
    "length": ([1.0] * 5, "sample_weight must be of length 40; got length"),
    "one class": ([1.0, 0.0], "labels of both classes|two classes|at least once"),
}


@pytest.mark.parametrize("learner", [*LEARNERS, "sgd"])
@pytest.mark.parametrize("case", BAD)
def test_bad_weights_are_refused(learner, case):
    X, y, _ = drawn(0)
    y[::2], y[1::2] = 1.0, -1.0
    start, message = BAD[case]
    w = np.resize(start, 40) if case not in ("length",) else np.ones(5)
    w = np.where(np.arange(40) > 1, 1.0, w) if case in ("negative", "nan", "infinite") else w
    rng = {"eta": 0.1, "epochs": 1, "rng": np.random.default_rng(0)}
    fit = LEARNERS.get(learner) or (lambda X, y, **more: descent.fit_sgd(X, y, losses.HINGE, **rng, **more))
    with pytest.raises(ValueError, match=message):
        fit(X, y, sample_weight=w)


def test_blocks_have_weights_all_or_none():
    X, y, w = drawn(0)
    with pytest.raises(ValueError, match="block 1 must be with weights only if all blocks have them"):
        logistic.fit_logistic([(X, y, w), (X, y)])
    with pytest.raises(ValueError, match=r"sample_weight must be in the blocks"):
        logistic.fit_logistic([(X, y)], sample_weight=w)
    with pytest.raises(ValueError, match="sample_weight of block 0 must be finite weights >= 0"):
        logistic.fit_logistic([(X, y, -w)])
    with pytest.raises(ValueError, match="positive and finite sum"):
        logistic.fit_logistic([(X, y, 0 * w)])


def test_what_has_no_risk_refuses_weights_with_the_reason():
    X, y, w = drawn(0)
    K = kernels.linear_kernel(X, X)
    more = {"lam": 0.1, "eta": 0.1, "steps": 5, "rng": np.random.default_rng(0)}
    for refused in (
        lambda: perceptron.fit_perceptron(X, y, sample_weight=w),
        lambda: separability.find_separator(X, y, sample_weight=w),
        lambda: representer.kernel_sgd(K, y, losses.on_scores(losses.HINGE), sample_weight=w, **more),
    ):
        with pytest.raises(ValueError, match="sample_weight must be None, since"):
            refused()


def test_a_students_functions_need_not_know_of_weights():
    """Right ones that loop over the examples: they see those of one weight at a time."""
    X, y, w = drawn(5)
    k = (y > 0).astype(int)

    def fits():
        return (
            logistic.fit_logistic(X, y, lam=0.01, sample_weight=w).model.theta,
            softmax.fit_softmax(X, k, lam=0.01, sample_weight=w).model.Theta,
            svm.fit_svm(X, y, lam=0.1, sample_weight=w).model.theta,
        )

    own = fits()
    try:
        linclass.use(Path(__file__).parent / "assignments" / "right")
        for mine, theirs in zip(own, fits(), strict=True):
            np.testing.assert_allclose(theirs, mine, atol=1e-5)
        with pytest.raises(ValueError, match="z must be the margins of all 40 weighted examples"):
            losses.weighted(losses.HINGE, w).slope(0.5)
    finally:
        linclass.use(None)
