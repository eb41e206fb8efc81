"""The fast twin of `svm.fit_svm`: the same minimum, by the way that suits the data's shape.

Of sparse rows, or not many more rows than columns: with K = X X' the multipliers are a kernel machine's, and theta is
X' (dual y). Of sparse rows K is made only where block pivoting by products does not settle. Else, or where that falls
short, an interior point. All are certified on the data as given.
"""

import numpy as np

from linclass import _checks, conventions
from linclass._fast import block_pivoting, duality, gram_rows, linear_svm, smo
from linclass.margins import LinearClassifier
from linclass.svm import GAP, SVMFit

LARGEST = 1e280  # of |X|^2 / lam^2 and of lam, and the least is its inverse: chosen, some digits short of overflow
MOST = 10_000  # sparse rows: their products are 800 MB; chosen
TIGHT, LOOSE = (400, 2.1), (200, 5)  # columns, and rows to each, for which products are worth a try (measured)
SMALL_C = 10  # C |x|^2 in the mean, up to which a machine is loose: most multipliers are soon at C (measured)
STRIP = 256  # rows of products made at a time: chosen


def fit_svm(X, y=None, *, lam, offset=True, sample_weight):
    """See `svm.fit_svm`."""
    sparse = _checks.is_sparse(X)
    check_sizes(X.data if sparse else X, lam)
    found = None
    if sparse or few_rows(X, lam):
        found, steps = by_products(X, duality.Rows(X, y, sample_weight), lam, offset)
        history = [found.upper]
    if not sparse and not (found and found.gap <= GAP):
        found, steps, history = linear_svm.solve(X, y, sample_weight, lam, offset)
    return SVMFit.certified(LinearClassifier(found.w, found.theta_0), found.dual, found.gap, steps, history)


def by_products(X, data, lam, offset):
    """(certificate, steps) from products of rows: of sparse ones those that are needed, else of all pairs."""
    (n, d), sparse = X.shape, _checks.is_sparse(X)
    if not sparse and d >= n:
        return smo.certified(X, X @ X.T, data, lam, offset, lambda alpha: X.T @ alpha)
    C = data.w * conventions.C_from_lam(lam, n)
    if sparse:
        alpha, steps = block_pivoting.by_products(X, data.y, C, offset)
    else:
        alpha, steps = smo.solve(X, X @ X.T, data.y, C, offset)
    found = duality.certified([X.T @ alpha], [alpha * data.y + 0.0], data, lam, offset)
    if found.gap <= GAP or not sparse:
        return found, steps
    # What tells sparse rows apart, as well as they do themselves: products with two vectors without pattern.
    apart = X @ np.random.default_rng(0).standard_normal((X.shape[1], 2))
    return smo.certified(apart, sparse_products(X), data, lam, offset, lambda alpha: X.T @ alpha)


def few_rows(X, lam):
    """Are products of rows worth a try?"""
    n, d = X.shape
    columns, rows = LOOSE if np.vdot(X, X) <= SMALL_C * lam * n * n else TIGHT
    return d >= n or (d >= columns and n <= rows * d and n * n <= gram_rows.ROOM)


def check_sizes(X, lam):
    """Raise where X / lam, about the size of X' dual, has a square near the ends of what a double can hold."""
    square = np.vdot(X, X) / lam / lam
    if not (square < LARGEST and 1 / LARGEST < lam < LARGEST):
        _checks.fail("lam", "of a size that suits the squares of X: rescale X", f"{lam}, |X|^2 / lam^2 = {square:.0e}")


def sparse_products(X):
    """X X' of sparse rows, as an array."""
    n = X.shape[0]
    if n > MOST:
        instead = "take descent.fit_sgd with losses.HINGE, which needs no more than a row"
        few = f"at most {MOST} sparse rows, or more columns to tell them apart, since else all their products are kept"
        _checks.fail("X", f"{few}: {instead}", f"{n} rows")
    K = np.empty((n, n))
    for start in range(0, n, STRIP):
        K[start : start + STRIP] = (X[start : start + STRIP] @ X.T).toarray()
    return K
