"""The fast twin of `svm.fit_svm`: the same minimum, by the way that suits the data's shape.

Of sparse rows, or no more rows than columns: with K = X X' the multipliers are a kernel machine's, and theta is
X' (dual y). Else, or where digits run out, an interior point. Either is certified on the data as given.
"""

import numpy as np

from linclass import _checks
from linclass._fast import duality, linear_svm, smo
from linclass.margins import LinearClassifier
from linclass.svm import GAP, SVMFit

LARGEST = 1e280  # of |X|^2 / lam^2 and of lam, and the least is its inverse: chosen, some digits short of overflow
MOST = 10_000  # sparse rows: their products are 800 MB; chosen
STRIP = 256  # rows of products made at a time: chosen


def fit_svm(X, y=None, *, lam, offset=True, sample_weight=None):
    """See `svm.fit_svm`."""
    (n, d), sparse, w = X.shape, _checks.is_sparse(X), 1.0 if sample_weight is None else sample_weight
    check_sizes(X.data if sparse else X, lam)
    found = None
    if sparse or d >= n:
        K = sparse_products(X) if sparse else X @ X.T
        # What tells sparse rows apart, as well as they do themselves: products with two vectors without pattern.
        rows = X @ np.random.default_rng(0).standard_normal((d, 2)) if sparse else X
        found, steps = smo.certified(rows, K, duality.Rows(X, y, w), lam, offset, lambda alpha: X.T @ alpha)
        history = [found.upper]
    if not sparse and not (found and found.gap <= GAP):
        found, steps, history = linear_svm.solve(X, y, w, lam, offset)
    return SVMFit.certified(LinearClassifier(found.w, found.theta_0), found.dual, found.gap, steps, history)


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
        _checks.fail("X", f"at most {MOST} sparse rows, since all their products are kept: {instead}", f"{n} rows")
    K = np.empty((n, n))
    for start in range(0, n, STRIP):
        K[start : start + STRIP] = (X[start : start + STRIP] @ X.T).toarray()
    return K
