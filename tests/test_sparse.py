"""Sparse rows: the same answers as from dense ones, with certificates of their own, and never made dense."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from linclass import _plug, descent, kernels, logistic, losses, perceptron, representer, separability, softmax, svm
from linclass._fast import block_pivoting, svm_by_shape
from linclass.estimators import LogisticEstimator, SoftmaxEstimator, StochasticEstimator, SVMEstimator

FORMATS = {
    "csr": sparse.csr_array,
    "csr matrix": sparse.csr_matrix,
    "csc": sparse.csc_array,
    "coo": sparse.coo_array,
    "int64": lambda X: with_indices(sparse.csr_array(X), np.int64),
    "unsorted and repeated": lambda X: unsorted(sparse.csr_array(X)),
    "explicit zeros": lambda X: with_zeros(sparse.csr_array(X)),
}


def with_indices(X, dtype):
    made = sparse.csr_array(X.shape)
    made.data, made.indices, made.indptr = X.data, X.indices.astype(dtype), X.indptr.astype(dtype)
    return made


def unsorted(X):
    """Every entry twice, as halves, in the wrong order."""
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    order = np.argsort(np.r_[rows, rows], kind="stable")[::-1]
    order = order[np.argsort(np.r_[rows, rows][order], kind="stable")]
    return sparse.csr_array(
        (np.r_[X.data, X.data][order] / 2, np.r_[X.indices, X.indices][order], 2 * X.indptr), shape=X.shape
    )


def with_zeros(X):
    zeros = sparse.coo_array((np.zeros(50), (np.arange(50), np.arange(50) % X.shape[1])), shape=X.shape).tocsr()
    kept = X.tocoo()
    rows, columns = np.r_[kept.row, zeros.tocoo().row], np.r_[kept.col, zeros.tocoo().col]
    order = np.argsort(rows, kind="stable")
    counts = np.bincount(rows, minlength=X.shape[0])
    data = np.r_[kept.data, np.zeros(len(rows) - X.nnz)][order]
    return sparse.csr_array((data, columns[order], np.r_[0, np.cumsum(counts)]), shape=X.shape)


def drawn(seed=0, n=300, d=20, share=0.2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < share)
    y = np.where(X[:, 0] - X[:, 1] + 0.7 * rng.logistic(size=n) > 0, 1.0, -1.0)
    return X, y, (X[:, 2] + 0.5 * rng.normal(size=n) > 0) * 1 + (y > 0), rng.integers(0, 4, n).astype(float)


def walk(X, y, **more):
    rng = np.random.default_rng(1)
    return descent.fit_sgd(X, y, losses.LOGISTIC, lam=0.01, eta=0.05, epochs=3, rng=rng, **more)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_dense_answer(name):
    weighted, offset = list(FORMATS).index(name) % 2 == 0, list(FORMATS).index(name) % 3 > 0
    X, y, k, w = drawn()
    S, more = FORMATS[name](X), {"offset": offset} | ({"sample_weight": w} if weighted else {})
    for lam in (0.0, 0.01):
        one, other = logistic.fit_logistic(X, y, lam=lam, **more), logistic.fit_logistic(S, y, lam=lam, **more)
        assert one.converged and other.converged
        np.testing.assert_allclose(other.model.theta, one.model.theta, atol=1e-6)
        np.testing.assert_allclose(other.model.probabilities(S), one.model.probabilities(X), atol=1e-6)
        assert other.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-7)
        if lam == 0:
            np.testing.assert_allclose(other.standard_errors, one.standard_errors, rtol=1e-3)
        one, other = softmax.fit_softmax(X, k, lam=lam, **more), softmax.fit_softmax(S, k, lam=lam, **more)
        assert one.converged and other.converged
        np.testing.assert_allclose(other.model.scores(S), one.model.scores(X), atol=1e-5)
        assert (other.model.predict(S) == one.model.predict(X)).all()
    one, other = svm.fit_svm(X, y, lam=0.01, **more), svm.fit_svm(S, y, lam=0.01, **more)
    assert one.converged and other.converged
    np.testing.assert_allclose(other.model.theta, one.model.theta, atol=1e-3)
    assert other.history[-1] == pytest.approx(one.history[-1], rel=1e-7)
    for keep in ("best", "last", "average"):
        one, other = walk(X, y, keep=keep, **more), walk(S, y, keep=keep, **more)
        np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(other.history, one.history, rtol=1e-9)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), lam=st.sampled_from([1e-4, 1e-2, 1.0]), offset=st.booleans())
def test_a_wide_certificate_holds(seed, lam, offset):
    """More columns than a Hessian is made of: the penalty alone proves it, and Newton's method on dense rows agrees."""
    X, y, _, w = drawn(seed, n=60, d=1200, share=0.02)
    X[:2, 0], y[:2], w[:2] = 1.0, [1, -1], 1.0
    fit = logistic.fit_logistic(sparse.csr_array(X), y, lam=lam, offset=offset, sample_weight=w)
    best = logistic.fit_logistic(X, y, lam=lam, offset=offset, sample_weight=w)
    assert fit.converged and best.converged
    assert fit.history[-1] <= best.history[-1] * (1 + 1e-7) + 5e-13


@pytest.mark.parametrize("batch", [1, 16])
def test_a_penalty_that_shrinks_theta_to_nothing(batch):
    X, y, *_ = drawn()
    more = {"lam": 0.9, "eta": 1.0, "epochs": 3, "batch": batch, "keep": "last"}
    one, other = (
        descent.fit_sgd(S, y, losses.LOGISTIC, rng=np.random.default_rng(0), **more) for S in (X, sparse.csr_array(X))
    )
    np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("lam", [0.0, 0.1])
def test_one_column(lam):
    X, y, classes, _ = drawn(d=20)
    one = X[:, :1]
    for fit, labels in ((logistic.fit_logistic, y), (softmax.fit_softmax, classes)):
        dense, thin = fit(one, labels, lam=lam, offset=False), fit(sparse.csr_array(one), labels, lam=lam, offset=False)
        assert thin.converged and thin.history[-1] == pytest.approx(dense.history[-1], rel=1e-7)


def test_separable_rows_are_said_to_be():
    X, y, k, _ = drawn(n=50, d=200)
    X[:, 0], X[:, 1] = y, k
    for d in (200, 5000):  # with and without a Hessian
        S = sparse.csr_array(
            (sparse.csr_array(X).data, sparse.csr_array(X).indices, sparse.csr_array(X).indptr), (50, d)
        )
        assert "completely" in logistic.fit_logistic(S, y).message
        assert "completely" in softmax.fit_softmax(S, k).message


def test_rows_are_never_made_dense():
    """2,000 x 200,000 would be 3.2 GB."""
    rng = np.random.default_rng(0)
    n, d = 2000, 200_000
    S = sparse.csr_array(
        (rng.random(n * 40), (np.repeat(np.arange(n), 40), rng.integers(0, d, n * 40))), shape=(n, d)
    ).tocsc()
    y = np.where(S[:, [5]].toarray()[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    k = (y > 0) * 1 + (rng.random(n) < 0.3)
    tracemalloc.start()
    fits = [
        logistic.fit_logistic(S, y, lam=0.01),
        logistic.fit_logistic(S, y),
        softmax.fit_softmax(S, k, lam=0.01),
        svm.fit_svm(S, y, lam=0.01),
        descent.fit_sgd(S, y, losses.HINGE, eta=0.1, epochs=1, rng=rng),
        LogisticEstimator(lam=0.01).fit(S, y).fit_,
    ]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [fit.converged for fit in fits] == [True, False, True, True, False, True]
    assert peak < 4e8


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_bad_entry_is_named(bad):
    X, y, k, _ = drawn()
    X[7, 3] = bad
    for fit in (
        lambda S: logistic.fit_logistic(S, y),
        lambda S: softmax.fit_softmax(S, k),
        lambda S: svm.fit_svm(S, y, lam=0.1),
        lambda S: walk(S, y),
    ):
        with pytest.raises(ValueError, match=r"X must be finite; got NaN or infinity at index \(7, 3\)"):
            fit(sparse.csc_array(X))


def words(n, d, count, rng):
    """`count` words a row, some far more frequent than others, rows of length 1, and noisy labels."""
    columns = (d * rng.random((n, count)) ** 3).astype(int)
    X = sparse.csr_array((np.ones(columns.size), columns.ravel(), np.arange(0, columns.size + 1, count)), shape=(n, d))
    X.sum_duplicates()
    X.data /= np.repeat(np.sqrt((X * X).sum(axis=1)), np.diff(X.indptr))
    score = X @ rng.standard_normal(d)
    return X, np.where(score + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
def test_block_pivoting_by_products_finds_what_the_dense_machine_finds(C, offset):
    rng = np.random.default_rng(3)
    X, y = words(400, 3000, 30, rng)
    w = rng.uniform(0.5, 2.0, len(y))
    box = w / w.mean() * C
    alpha, rounds = block_pivoting.by_products(X, y, box, offset)
    assert rounds < block_pivoting.ROUNDS and (alpha * y >= 0).all() and (alpha * y <= box).all()
    dense = svm.fit_svm(X.toarray(), y, lam=1 / (C * len(y)), offset=offset, sample_weight=w)
    np.testing.assert_allclose(X.T @ alpha, dense.model.theta, atol=1e-7)


def test_many_wide_sparse_rows_have_a_support_vector_machine(monkeypatch):
    monkeypatch.setattr(svm_by_shape, "MOST", 100)  # beyond which no products of all pairs are made
    X, y = words(500, 5000, 20, np.random.default_rng(4))
    fit = svm.fit_svm(X, y, lam=0.01)
    assert fit.converged and fit.gap <= 1e-8
    dense = svm.fit_svm(X.toarray(), y, lam=0.01)
    np.testing.assert_allclose(fit.model.theta, dense.model.theta, atol=1e-7)


def test_sparse_rows_that_depend_on_each_other_are_left_to_pairs():
    """More rows than columns cannot all be on the margin, so the first guess is far off."""
    rng = np.random.default_rng(5)
    X = sparse.csr_array(rng.standard_normal((300, 8)) * (rng.random((300, 8)) < 0.4))
    y = np.resize([1.0, -1.0], 300)
    fit = svm.fit_svm(X, y, lam=0.01)
    assert fit.converged
    np.testing.assert_allclose(fit.model.theta, svm.fit_svm(X.toarray(), y, lam=0.01).model.theta, atol=1e-6)


def test_what_cannot_take_sparse_rows_says_so():
    X, y, _, _ = drawn()
    S = sparse.csr_array(X)
    for refused in (
        lambda: perceptron.fit_perceptron(S, y),
        lambda: separability.find_separator(S, y),
        lambda: representer.fit_kernel_svm(S, y, kernels.linear_kernel, lam=0.1),
        lambda: kernels.rbf_kernel(S, S, 1.0),
    ):
        with pytest.raises(ValueError, match="must be a dense array"):
            refused()
    with _plug.plain_path(), pytest.raises(ValueError, match="X must be dense while a function of yours is plugged in"):
        logistic.fit_logistic(S, y)
    with pytest.raises(ValueError, match="at most 10000 sparse rows"):
        svm.fit_svm(sparse.csr_array(np.ones((10_001, 1))), np.resize([1.0, -1.0], 10_001), lam=0.1)
    with pytest.raises(ValueError, match="20 columns"):
        logistic.fit_logistic(S, y, lam=0.1).model.scores(S[:, :5])


@pytest.mark.parametrize(
    "estimator", [LogisticEstimator(0.01), SoftmaxEstimator(0.01), SVMEstimator(), StochasticEstimator()]
)
def test_estimators_take_sparse_rows(estimator):
    X, y, k, w = drawn()
    for labels in (y, k):
        dense = estimator.fit(X, labels, sample_weight=w)
        coef, answer = dense.coef_, dense.predict(X)
        again = estimator.fit(sparse.csc_matrix(X), labels, sample_weight=w)
        np.testing.assert_allclose(again.coef_, coef, atol=2e-3)
        assert (again.predict(sparse.csr_array(X)) == answer).mean() > 0.99


def test_what_is_not_known_is_not_said():
    """Start and end in seconds: sparse rows have no coordinates that tell them apart; the data are not separable."""
    rng = np.random.default_rng(0)
    start, duration = rng.uniform(0, 3e7, 150), rng.exponential(size=150)
    y = np.where(duration - 1 + 0.3 * rng.logistic(size=150) > 0, 1.0, -1.0)
    fit = logistic.fit_logistic(sparse.csr_array(np.column_stack([start, start + duration])), y)
    assert not fit.converged and "may be separable" in fit.message and "too alike" in fit.message
