"""Data beyond memory: the same answer from an array, a mapped file, a stream of blocks, Parquet and CSV."""

import io
import itertools
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from linclass import datasets, descent, gradcheck, logistic, losses, representer, risk, softmax, svm
from linclass._fast import block_sums
from linclass._rows import mapped as mapped_file
from linclass._rows import pieces


@pytest.fixture(scope="module")
def data():
    """20000 examples, 6 inputs, two labels and three classes, neither separable."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 6)) * [1, 2, 0.5, 1, 1, 3] + [0, 1, 0, 0, -1, 0]
    s = X @ [1.0, -0.5, 0.5, 0.0, 0.2, 0.1] + rng.logistic(size=len(X))
    return X, np.where(s > 0, 1.0, -1.0), (s > -1).astype(int) + (s > 1)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Pieces so small that nothing here is thought to fit in memory."""
    monkeypatch.setattr(pieces, "PIECE", 6 * 1500)


def blocks(X, y, length):
    """A function that makes a fresh iterator over blocks of that length."""
    return lambda: ((X[i : i + length], y[i : i + length]) for i in range(0, len(X), length))


class Restartable:
    """Blocks as an object whose __iter__ starts anew, with an empty block among them."""

    def __init__(self, X, y, length):
        self.blocks = blocks(X, y, length)

    def __iter__(self):
        for X, y in self.blocks():
            yield X, y
            yield X[:0], y[:0]


def mapped(X, folder):
    X.tofile(folder / "X.bin")
    return np.memmap(folder / "X.bin", dtype=X.dtype, mode="r", shape=X.shape)


def table(X, y):
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]).assign(label=y)


def parquet(X, y, folder):
    table(X, y).to_parquet(folder / "t.parquet", row_group_size=4096)
    return datasets.parquet_blocks(folder / "t.parquet", "label", rows=3000)


def csv(X, y, folder):
    table(X, y).to_csv(folder / "t.csv", index=False)
    return datasets.csv_blocks(folder / "t.csv", "label", rows=7000)


SOURCES = {
    "list": lambda X, y, folder: (list(blocks(X, y, 6000)()),),
    "function": lambda X, y, folder: (blocks(X, y, 999),),
    "object": lambda X, y, folder: (Restartable(X, y, 4001),),
    "memmap": lambda X, y, folder: (mapped(X, folder), y),
    "parquet": lambda X, y, folder: (parquet(X, y, folder),),
    "csv": lambda X, y, folder: (csv(X, y, folder),),
}


@pytest.mark.ledger("eq-block-sums")
@pytest.mark.parametrize("m", [1, 3, 17])
def test_sums_over_blocks_are_n_times_the_risk_and_its_derivatives(data, m):
    X, y, _ = (part[:2000] for part in data)
    w = np.random.default_rng(1).normal(size=7)
    cut = list(blocks(X, y, -(-2000 // m))())
    parts = [risk.block_sums(w[:6], w[6], *part, losses.LOGISTIC) for part in cut]
    total, g, H = (sum(part) for part in zip(*parts, strict=True))
    fast = [block_sums.logistic_sums(*part, 1.0, w, True, True) for part in cut]
    for mine, quick in zip((total, g, H), (sum(part) for part in zip(*fast, strict=True)), strict=True):
        np.testing.assert_allclose(quick, mine, rtol=1e-10)
    value, grad, hess = risk.as_functions(X, y, losses.LOGISTIC)
    assert total == pytest.approx(2000 * value(w), rel=1e-12)
    np.testing.assert_allclose(g, 2000 * grad(w), rtol=1e-10)
    np.testing.assert_allclose(H, 2000 * hess(w), rtol=1e-10)
    assert gradcheck.grad_error(value, lambda w: g / 2000, w) < 1e-6


@pytest.mark.ledger("thm-any-blocks")
@pytest.mark.parametrize("m", [2, 3, 17, 500])
def test_two_ways_to_cut_differ_by_no_more_than_the_bound(data, m):
    X, y, _ = data
    w = np.random.default_rng(1).normal(size=7)
    z = y * (X @ w[:6] + w[6])
    one = block_sums.logistic_sums(X, y, 1.0, w, True, False)
    parts = [block_sums.logistic_sums(*part, 1.0, w, True, False) for part in blocks(X, y, -(-len(X) // m))()]
    nu = (len(X) - 1) * np.finfo(float).eps / 2
    bound = 2 * nu / (1 - nu)
    assert abs(one[0] - sum(part[0] for part in parts)) <= bound * losses.logistic_loss(z).sum()
    terms = np.abs(losses.logistic_slope(z)) @ np.abs(np.column_stack([X, np.ones(len(X))]))
    assert (np.abs(one[1] - sum(part[1] for part in parts)) <= bound * terms).all()


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("lam, offset", [(0.0, True), (0.01, True), (0.01, False)])
def test_logistic_regression_is_the_same_from_anywhere(data, tmp_path, source, lam, offset):
    X, y, _ = data
    one = logistic.fit_logistic(X, y, lam=lam, offset=offset)
    other = logistic.fit_logistic(*SOURCES[source](X, y, tmp_path), lam=lam, offset=offset)
    assert one.converged and other.converged
    np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=0, atol=1e-8)
    assert other.model.theta_0 == pytest.approx(one.model.theta_0, abs=1e-8)
    assert other.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-12)
    if lam == 0:
        np.testing.assert_allclose(other.standard_errors, one.standard_errors, rtol=1e-6)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("lam", [0.0, 0.01])
def test_softmax_is_the_same_from_anywhere(data, tmp_path, source, lam):
    X, _, y = data
    one = softmax.fit_softmax(X, y, lam=lam)
    other = softmax.fit_softmax(*SOURCES[source](X, y, tmp_path), lam=lam)
    assert one.converged and other.converged
    np.testing.assert_allclose(other.model.Theta, one.model.Theta, rtol=0, atol=1e-8)
    np.testing.assert_allclose(other.model.theta_0, one.model.theta_0, rtol=0, atol=1e-8)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("keep", ["best", "average"])
def test_sgd_is_the_same_from_anywhere(data, tmp_path, source, keep):
    X, y, _ = (part[:3000] for part in data)
    arguments = {"lam": 0.01, "eta": descent.inverse_sqrt_step(0.1), "epochs": 2, "sampling": "cycle", "keep": keep}
    one = descent.fit_sgd(X, y, losses.HINGE, rng=np.random.default_rng(0), **arguments)
    X, y = (*SOURCES[source](X, y, tmp_path), None)[:2]
    other = descent.fit_sgd(X, y, losses.HINGE, rng=np.random.default_rng(0), **arguments)
    np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=0, atol=1e-8)
    np.testing.assert_allclose(other.history, one.history, rtol=1e-10)
    assert other.steps == one.steps


def test_sgd_shuffles_within_blocks(data):
    X, y, _ = data
    rng = np.random.default_rng(0)
    fit = descent.fit_sgd(blocks(X, y, 5000), None, losses.LOGISTIC, eta=0.01, epochs=1, batch=64, rng=rng)
    assert fit.steps == 4 * 79  # a batch ends with its block
    assert fit.history[0] < 1.1 * logistic.fit_logistic(X, y).history[-1]
    drawn = np.random.default_rng(0)
    for _ in range(4):
        drawn.permutation(5000)
    assert rng.integers(1000) == drawn.integers(1000)
    with pytest.raises(ValueError, match="sampling must be one of 'shuffle', 'cycle'"):
        descent.fit_sgd(blocks(X, y, 5000), None, losses.HINGE, eta=1, epochs=1, sampling="uniform", rng=rng)


def test_small_blocks_are_taken_into_memory(problem, monkeypatch):
    X, y = problem
    one, other = logistic.fit_logistic(X, y), logistic.fit_logistic(blocks(X, y, 7))
    np.testing.assert_array_equal(one.model.theta, other.model.theta)


def test_many_columns_and_few_rows(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 130))
    y = np.where(X[:, 0] + rng.normal(size=1500) > 0, 1.0, -1.0)
    one = logistic.fit_logistic(X, y, lam=0.1)
    for source in ("function", "memmap"):
        other = logistic.fit_logistic(*SOURCES[source](X, y, tmp_path), lam=0.1)
        np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=0, atol=1e-8)
    k = (y > 0).astype(int) + (X[:, 1] > 1)
    one, other = softmax.fit_softmax(X, k, lam=0.1), softmax.fit_softmax(blocks(X, k, 400), lam=0.1)
    np.testing.assert_allclose(other.model.Theta, one.model.Theta, rtol=0, atol=1e-8)


@pytest.mark.parametrize("source", ["function", "memmap"])
def test_separable_data_are_said_to_be(data, tmp_path, source):
    X, _, _ = data
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    X = X + 0.1 * y[:, None] * [1, 0, 0, 0, 0, 0]
    fit = logistic.fit_logistic(*SOURCES[source](X, y, tmp_path))
    assert not fit.converged and "separable" in fit.message
    fit = softmax.fit_softmax(*SOURCES[source](X, (y > 0).astype(int), tmp_path))
    assert not fit.converged and "separable" in fit.message


@pytest.mark.parametrize("source", ["function", "memmap"])
def test_data_that_are_separable_but_for_ties_are_said_to_be(data, tmp_path, source):
    X, y = data[0][::5].copy(), data[1][::5]
    X[:, 0] = np.where(np.arange(len(X)) < len(X) // 10, 0.0, y)  # a tenth of the rows on the boundary
    for fit, labels in ((logistic.fit_logistic, y), (softmax.fit_softmax, (y > 0).astype(int))):
        for found in (fit(*SOURCES[source](X, labels, tmp_path)), fit(X, labels)):
            assert not found.converged and "separable" in found.message


@pytest.mark.parametrize("source", ["function", "memmap"])
def test_dependent_columns_still_have_a_minimum(data, tmp_path, source):
    X, y, k = data
    X = np.column_stack([X, X[:, 0]])
    one, other = logistic.fit_logistic(X, y), logistic.fit_logistic(*SOURCES[source](X, y, tmp_path))
    assert other.converged and other.standard_errors is None
    assert other.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-9)
    one, other = softmax.fit_softmax(X, k), softmax.fit_softmax(*SOURCES[source](X, k, tmp_path))
    assert other.converged
    assert other.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-9)


# --- What is wrong with a block, and which ------------------------------------------------------------------------


def spoilt(data, what):
    """Blocks of 1000 rows, of which number 3 is spoilt."""
    X, y, _ = data
    for k, (X_k, y_k) in enumerate(blocks(X[:10_000], y[:10_000], 1000)()):
        yield what(X_k.copy(), y_k.copy()) if k == 3 else (X_k, y_k)


def with_nan(X, y):
    X[7, 2] = np.nan
    return X, y


def with_a_third_label(X, y):
    y[5] = 3
    return X, y


@pytest.mark.parametrize(
    "what, message",
    [
        (with_nan, r"X of block 3 must be finite; got NaN or infinity at index \(7, 2\)"),
        (with_a_third_label, "y of block 3 must be a vector of labels -1 and .1; got"),
        (lambda X, y: (X[:, :4], y), "X of block 3 must be a matrix with 6 columns, as block 0 is; got 4 columns"),
        (lambda X, y: (X, y[:-1]), "y of block 3 must be of length 1000, one label per example; got length 999"),
        (
            lambda X, y: X,
            r"block 3 must be a pair \(X, y\), or \(X, y, sample_weight\); got an array of shape \(1000, 6\)",
        ),
        (lambda X, y: (X.astype(str), y), "X of block 3 must be real numbers"),
    ],
)
@pytest.mark.parametrize("learner", ["logistic", "sgd"])
def test_a_bad_block_is_named(data, what, message, learner):
    def start():
        return spoilt(data, what)

    with pytest.raises(ValueError, match=message):
        if learner == "logistic":
            logistic.fit_logistic(start)
        else:
            descent.fit_sgd(start, None, losses.HINGE, eta=1.0, epochs=1, rng=np.random.default_rng(0))


def test_class_numbers_of_a_bad_block(data):
    X, _, k = data
    k = k.astype(float)
    k[2500] = 0.5
    with pytest.raises(ValueError, match="y of block 2 must be a vector of class numbers"):
        softmax.fit_softmax(blocks(X, k, 1000))
    k[2500] = 7
    with pytest.raises(ValueError, match="no example of class 3"):
        softmax.fit_softmax(blocks(X, k, 1000))


def test_what_cannot_be_read_again_is_refused(data):
    X, y, _ = data
    with pytest.raises(ValueError, match=r"read again from block 0.*generator.*used up after one pass"):
        logistic.fit_logistic(blocks(X, y, 1000)())
    used = iter(blocks(X, y, 1000)())
    with pytest.raises(ValueError, match=r"block 0 in pass 2 must be one of 20, as many as in the first.* got nothing"):
        logistic.fit_logistic(lambda: used)
    with pytest.raises(ValueError, match=r"X must be a function that makes an iterator over blocks .* got NoneType"):
        logistic.fit_logistic(lambda: None)


# --- What changes between passes -----------------------------------------------------------------------------------


def with_entry(index, value, part=0):
    """A change of one number of X, or with part = 1 of y, in block 1."""

    def change(parts):
        block = [part.copy() for part in parts[1]]
        block[part][index] = value
        return [parts[0], tuple(block), *parts[2:]]

    return change


def with_block(change):
    """A change of block 1 as a whole."""
    return lambda parts: [parts[0], change(*parts[1]), *parts[2:]]


def swapped(length, i=3, j=7):
    order = np.arange(length)
    order[[i, j]] = j, i
    return order


CHANGES = {
    "a number": with_entry((70, 2), 0.125),
    "NaN": with_entry((70, 2), np.nan),
    "a label": lambda parts: with_entry(70, 1 - parts[1][1][70] if parts[1][1].min() == 0 else -parts[1][1][70], 1)(
        parts
    ),
    "a label that is none": with_entry(70, 77, 1),
    "a label that is not whole": with_block(lambda X, y: (X, y + 0.25)),
    "labels that are NaN": with_block(lambda X, y: (X, np.full(len(y), np.nan))),
    "two columns": with_block(lambda X, y: (X[:, [0, 2, 1, 3, 4, 5]], y)),
    "two rows": with_block(lambda X, y: (X[swapped(len(X))], y[swapped(len(X))])),
    "the last bit": with_block(lambda X, y: (np.nextafter(X, np.where(np.arange(6) == 5, np.inf, X)), y)),
    "shorter": with_block(lambda X, y: (X[:-1], y[:-1])),
    "longer": with_block(lambda X, y: (np.vstack([X, X[:1]]), np.append(y, y[:1]))),
    "X alone shorter": with_block(lambda X, y: (X[:-1], y)),
    "fewer columns": with_block(lambda X, y: (X[:, :-1], y)),
    "empty": with_block(lambda X, y: (X[:0], y[:0])),
    "missing": lambda parts: [parts[0], *parts[2:]],
    "another order": lambda parts: [parts[0], parts[2], parts[1], *parts[3:]],
    "nothing more": lambda parts: parts[:1],
    "None": with_block(lambda X, y: None),
    "a pair of None": with_block(lambda X, y: (None, None)),
    "strings": with_block(lambda X, y: (X.astype(str), y)),
    "labels as strings": with_block(lambda X, y: (X, y.astype(str))),
    "ragged rows": with_block(lambda X, y: ([[1.0], [1.0, 2.0]], [1, 1])),
    "labels as a column": with_block(lambda X, y: (X, y[:, None])),
    "no pair": with_block(lambda X, y: X),
}
LEARNERS = {
    "logistic": lambda start, signs, classes: logistic.fit_logistic(start(signs), lam=0.01),
    "softmax": lambda start, signs, classes: softmax.fit_softmax(start(classes), lam=0.01),
    "sgd": lambda start, signs, classes: descent.fit_sgd(
        start(signs), None, losses.HINGE, eta=0.01, epochs=2, rng=np.random.default_rng(0)
    ),
}


def changing(X, change, number, length=1000):
    """start(y): a function that makes a fresh iterator over blocks, changed in that pass and all later ones."""

    def start(y):
        passes = itertools.count(1)

        def iterator():
            parts = list(blocks(X, y, length)())
            return iter(change(parts) if next(passes) >= number else parts)

        return iterator

    return start


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("what", CHANGES)
def test_blocks_that_change_between_passes_are_refused(data, learner, number, what):
    X, signs, classes = (part[:4000] for part in data)
    with pytest.raises(ValueError, match=rf"block 1 in pass {number} must be"):
        LEARNERS[learner](changing(X, CHANGES[what], number), signs, classes)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("number", [2, 3])
def test_more_blocks_than_before_are_refused(data, learner, number):
    X, signs, classes = (part[:4000] for part in data)
    with pytest.raises(ValueError, match=rf"the same 4 blocks in every pass; got block 4 in pass {number} too"):
        LEARNERS[learner](changing(X, lambda parts: [*parts, parts[0]], number), signs, classes)
    with pytest.raises(ValueError, match=rf"got block 4 in pass {number} too"):
        LEARNERS[learner](changing(X, lambda parts: [*parts, None], number), signs, classes)


@pytest.mark.parametrize("what", CHANGES)
def test_small_blocks_are_held_to_the_first_pass_too(data, what):
    X, signs, classes = (part[:400] for part in data)
    for learner in ("logistic", "softmax"):  # they take them into memory, in the second pass
        with pytest.raises(ValueError, match="block 1 in pass 2 must be"):
            LEARNERS[learner](changing(X, CHANGES[what], 2, length=100), signs, classes)


@pytest.mark.parametrize("rows", [400, 4000])
def test_a_stream_may_fill_the_same_array_again(data, rows):
    X, signs, classes = (part[:rows] for part in data)

    def start(y):
        def iterator():
            buffer, labels = np.empty((100, 6)), np.empty(100, dtype=y.dtype)
            for X_k, y_k in blocks(X, y, 100)():
                buffer[:], labels[:] = X_k, y_k
                yield buffer, labels

        return iterator

    one, other = LEARNERS["logistic"](start, signs, classes), logistic.fit_logistic(X, signs, lam=0.01)
    np.testing.assert_allclose(one.model.theta, other.model.theta, rtol=0, atol=1e-8)


def test_an_empty_block_that_fills_is_refused(data):
    X, y, _ = (part[:4000] for part in data)
    passes = itertools.count(1)

    def start():
        later = next(passes) > 1
        return iter([(X[:2000], y[:2000]), (X[:later], y[:later]), (X[2000:], y[2000:])])

    with pytest.raises(ValueError, match=r"block 1 in pass 2 must be .* 0 rows of 6 columns; got X of shape \(1, 6\)"):
        logistic.fit_logistic(start, lam=0.01)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("kind", [OSError, TypeError, KeyError, RuntimeError])
def test_what_a_stream_raises_says_where_it_was(data, learner, number, kind):
    X, signs, classes = (part[:4000] for part in data)

    def start(y):
        passes = itertools.count(1)

        def iterator():
            now = next(passes)
            for k, block in enumerate(blocks(X, y, 1000)()):
                if (k, now) == (2, number):
                    raise kind("the disk is gone")
                yield block

        return iterator

    with pytest.raises(kind, match="the disk is gone") as caught:
        LEARNERS[learner](start, signs, classes)
    assert any(f"block 2 in pass {number}" in note for note in caught.value.__notes__)


@pytest.mark.parametrize("learner", ["logistic", "softmax"])
def test_a_file_that_is_written_to_is_refused(data, tmp_path, learner, monkeypatch):
    X, signs, classes = (np.concatenate([part, part]) for part in data)  # too many to be read at once
    M = mapped(X, tmp_path)
    other = np.memmap(tmp_path / "X.bin", dtype=float, mode="r+", shape=X.shape)
    read = mapped_file.Mapped.pieces
    passes = itertools.count(1)

    def write(rows):
        if next(passes) == 3:
            other[1600, 2] += 1.0
        return read(rows)

    monkeypatch.setattr(mapped_file.Mapped, "pieces", write)
    fit, y = (logistic.fit_logistic, signs) if learner == "logistic" else (softmax.fit_softmax, classes)
    with pytest.raises(ValueError, match=r"block 1 in pass 3 \(rows 1500 to 2999 of the file\) must be the same"):
        fit(M, y, lam=0.01)


@pytest.mark.parametrize("shape", [(7, 3), (5000, 50), (100, 1), (70_000, 1), (3, 40_000)])
def test_a_checksum_sees_bits_and_swaps(shape):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, shape) * 1.0, rng.choice([-1.0, 1.0], shape[0])
    checksum = pieces.checksum_of(X, y)
    assert pieces.checksum_of(np.asfortranarray(X), y.copy()) == checksum
    for _ in range(20):
        Z, i = X.copy(), (rng.integers(shape[0]), rng.integers(shape[1]))
        Z.view(np.uint64)[i] ^= np.uint64(1) << np.uint64(rng.integers(64))
        assert pieces.checksum_of(Z, y) != checksum
        order = swapped(shape[0], *rng.choice(shape[0], 2, replace=False))
        assert (pieces.checksum_of(X, y[order]) != checksum) == (y[order] != y).any()
        assert (pieces.checksum_of(X[order], y) != checksum) == (X[order] != X).any()


def test_a_file_may_have_flags_beside_lengths(data, tmp_path):
    X, y, _ = data
    X = np.column_stack([X, X[:, 0] > 0])
    table(X, y).astype({"x6": bool}).to_csv(tmp_path / "flags.csv", index=False)
    fit = logistic.fit_logistic(datasets.csv_blocks(tmp_path / "flags.csv", "label", rows=7000), lam=0.01)
    np.testing.assert_allclose(fit.model.theta, logistic.fit_logistic(X, y, lam=0.01).model.theta, rtol=1e-6)


def test_other_bad_input(data, tmp_path):
    X, y, _ = data
    with pytest.raises(ValueError, match="y must be given with X"):
        logistic.fit_logistic(X)
    with pytest.raises(ValueError, match="y must be given with X"):
        logistic.fit_logistic(3)
    with pytest.raises(ValueError, match="blocks with at least one row; got 0 blocks"):
        logistic.fit_logistic([])
    with pytest.raises(ValueError, match="y must be labels of both classes"):
        logistic.fit_logistic(blocks(X, np.ones(len(X)), 1000))
    with pytest.raises(ValueError, match=r"fit_svm.* needs all rows at once: take descent.fit_sgd with losses.HINGE"):
        svm.fit_svm(blocks(X, y, 1000), lam=1.0)
    with pytest.raises(ValueError, match=r"target must be a column of the file, t.csv; got 'weight'"):
        list(datasets.csv_blocks(csv(X, y, tmp_path) and tmp_path / "t.csv", "weight")())
    X = X.copy()
    X[12_345, 1] = np.inf
    with pytest.raises(ValueError, match=r"X must be finite; got NaN or infinity at index \(12345, 1\)"):
        logistic.fit_logistic(mapped(X, tmp_path), y, lam=0.1)
    with pytest.raises(ValueError, match="y must be of length 20000"):
        logistic.fit_logistic(mapped(X, tmp_path), y[1:], lam=0.1)
    with pytest.raises(ValueError, match="X must be real numbers"):
        logistic.fit_logistic(mapped(X.astype(complex), tmp_path), y, lam=0.1)


def test_files_of_other_types(data, tmp_path):
    X, y, _ = data
    X = X.astype(np.float32)
    one = logistic.fit_logistic(X, y, lam=0.01)
    other = logistic.fit_logistic(mapped(X, tmp_path), y.astype(np.int8), lam=0.01)
    np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=0, atol=1e-8)


def test_a_private_map_keeps_its_changes(data, tmp_path):
    X, y, _ = data
    mapped(X, tmp_path)
    M = np.memmap(tmp_path / "X.bin", mode="c", shape=X.shape)
    M[:100] = 0.0
    logistic.fit_logistic(M, y, lam=0.1)
    assert not M[:100].any()


# --- The bar, and the memory ---------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_on_a_terminal_only_and_only_if_wanted(data, monkeypatch, capfd):
    X, y, _ = data
    monkeypatch.setattr(pieces, "DELAY", 0.0)
    logistic.fit_logistic(blocks(X, y, 1000), lam=0.1)
    assert capfd.readouterr() == ("", "")
    for progress in (True, False):
        monkeypatch.setattr(sys, "stderr", Terminal())
        logistic.fit_logistic(blocks(X, y, 1000), lam=0.1, progress=progress)
        assert ("pass 3 over the data" in sys.stderr.getvalue()) == progress


PEAK = """
import sys
from pathlib import Path
import numpy as np
from linclass import logistic
X = np.memmap(sys.argv[1], mode="r", dtype=float).reshape(-1, 20)
y = np.memmap(sys.argv[2], mode="r", dtype=float)
assert logistic.fit_logistic(X, y, lam=1e-3).converged
print(next(int(line.split()[1]) for line in Path("/proc/self/status").open() if line.startswith("VmHWM")) / 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count pages of mapped files in their own way")
def test_a_large_file_does_not_fill_the_memory(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1_000_000, 20))  # 160 MB
    np.where(X[:, 0] + rng.logistic(size=len(X)) > 0, 1.0, -1.0).tofile(tmp_path / "y")
    X.tofile(tmp_path / "X")
    del X
    run = [sys.executable, "-c", PEAK, str(tmp_path / "X"), str(tmp_path / "y")]
    peak = float(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    assert peak < 140  # MiB; the file alone has 153


def test_kernel_machines_want_their_rows(problem):
    with pytest.raises(ValueError, match="y must be"):
        representer.fit_kernel_svm(problem[0], None, lambda X, Z: X @ Z.T, lam=1.0)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_folders_patterns_and_lists_of_files(data, tmp_path, kind):
    X, y, _ = (part[:900] for part in data)
    for k in range(3):
        part = table(X[300 * k : 300 * k + 300], y[300 * k : 300 * k + 300])
        write = part.to_parquet if kind == "parquet" else part.to_csv
        write(tmp_path / f"day-{k}.{kind}", index=False)
    blocks_of = datasets.parquet_blocks if kind == "parquet" else datasets.csv_blocks
    first = tmp_path / f"day-0.{kind}"
    for path in (tmp_path, str(tmp_path / f"day-*.{kind}"), [first, tmp_path / f"day-[12].{kind}"]):
        parts = list(blocks_of(path, "label", rows=200)())
        assert [len(part[0]) for part in parts] == [200, 100] * 3
        np.testing.assert_allclose(np.concatenate([part[0] for part in parts]), X)
        np.testing.assert_array_equal(np.concatenate([part[1] for part in parts]), y)
    with pytest.raises(ValueError, match="path must be a file, a folder with files"):
        list(blocks_of(tmp_path / "night-*", "label")())


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_labels_by_a_table_and_columns_by_choice(data, tmp_path, kind):
    X, y, _ = (part[:500] for part in data)
    frame = table(X, np.where(y > 0, "spam", "ham")).assign(city="Paris")
    (frame.to_parquet if kind == "parquet" else frame.to_csv)(tmp_path / f"t.{kind}", index=False)
    blocks_of = datasets.parquet_blocks if kind == "parquet" else datasets.csv_blocks
    chosen = {"rows": 200, "columns": ["x3", "x0"], "labels": {"spam": 1, "ham": -1}}
    parts = list(blocks_of(tmp_path / f"t.{kind}", "label", **chosen)())
    np.testing.assert_allclose(np.concatenate([part[0] for part in parts]), X[:, [3, 0]])
    np.testing.assert_array_equal(np.concatenate([part[1] for part in parts]), y)
    one = logistic.fit_logistic(blocks_of(tmp_path / f"t.{kind}", "label", **chosen))
    np.testing.assert_allclose(one.model.theta, logistic.fit_logistic(X[:, [3, 0]], y).model.theta, atol=1e-8)
    for wrong, message in (
        ({"columns": ["x9"]}, "columns must be a column of the file, t"),
        (
            {"labels": {"ham": -1}},
            rf"column 'label' must be one of the labels 'ham'; got 'spam' in row \d+ of t.{kind}",
        ),
        ({"columns": None}, f"column 'city' must be finite numbers; got 'Paris' in row 0 of t.{kind}"),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            logistic.fit_logistic(blocks_of(tmp_path / f"t.{kind}", "label", **(chosen | wrong)))
        assert "block 0 in pass 1" in caught.value.__notes__[0]


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_bad_cell_is_named_by_column_and_row(data, tmp_path, kind):
    X, y, _ = (part[:500].copy() for part in data)
    X[321, 4] = np.nan
    frame = table(X, y)
    (frame.to_parquet if kind == "parquet" else frame.to_csv)(tmp_path / f"t.{kind}", index=False)
    blocks_of = datasets.parquet_blocks if kind == "parquet" else datasets.csv_blocks
    with pytest.raises(
        ValueError, match=f"column 'x4' must be finite numbers; got .*nan.* in row 321 of t.{kind}"
    ) as caught:
        logistic.fit_logistic(blocks_of(tmp_path / f"t.{kind}", "label", rows=100))
    assert "block 3 in pass 1" in caught.value.__notes__[0]
