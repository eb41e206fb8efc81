"""The fast twin of `svm.fit_svm`: the same minimum, by the way that suits the data's shape.

Of sparse rows, or no more rows than columns: with K = X X' the multipliers are a kernel machine's, and theta is
X' (dual y). Of sparse rows K is made only where block pivoting by products does not settle. Else, or where digits run
out, an interior point. All are certified on the data as given.
"""

import numpy as np

from linclass import _checks, conventions
from linclass._fast import block_pivoting, duality, linear_svm, smo
from linclass._fast.duality import EPS, TINY
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
        found, steps = by_products(X, y, w, lam, offset, sparse)
        history = [found.upper]
    if not sparse and not (found and found.gap <= GAP):
        found, steps, history = linear_svm.solve(X, y, w, lam, offset)
    return SVMFit.certified(LinearClassifier(found.w, found.theta_0), found.dual, found.gap, steps, history)


def check_sizes(X, lam):
    """Raise where X / lam, about the size of X' dual, has a square near the ends of what a double can hold."""
    square = np.vdot(X, X) / lam / lam
    if not (square < LARGEST and 1 / LARGEST < lam < LARGEST):
        _checks.fail("lam", "of a size that suits the squares of X: rescale X", f"{lam}, |X|^2 / lam^2 = {square:.0e}")


def by_products(X, y, w, lam, offset, sparse):
    """(certificate, steps) from products of rows: of sparse ones those that are needed, else of all pairs."""
    C, data = w * conventions.C_from_lam(lam, len(y)), (SparseRows if sparse else duality.Rows)(X, y, w)
    if sparse:
        alpha, steps = block_pivoting.by_products(X, y, C, offset)
        found = duality.certified([X.T @ alpha], [alpha * y + 0.0], data, lam, offset)
        if found.gap <= GAP:
            return found, steps
    K, kinds = (sparse_products(X), _kinds(X)) if sparse else (X @ X.T, X)
    alpha, steps = smo.solve(kinds, K, y, C, offset)
    found = duality.certified([X.T @ alpha], [alpha * y + 0.0], data, lam, offset)
    if sparse and not found.gap <= GAP:
        alphas, duals, more = smo.on_features(kinds, K, y, w, lam, offset)
        thetas = [*(X.T @ alpha for alpha in alphas), found.w]
        found, steps = duality.certified(thetas, [*duals, found.dual], data, lam, offset), steps + more
    return found, steps


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


def _kinds(X):
    """A column of numbers that are the same for equal rows."""
    bounds, numbers = zip(X.indptr[:-1], X.indptr[1:], strict=True), {}
    rows = ((X.indices[a:b].tobytes(), X.data[a:b].tobytes()) for a, b in bounds)
    return np.array([[numbers.setdefault(row, len(numbers))] for row in rows], dtype=float)


class SparseRows(duality.Rows):
    """Scores and lengths of sparse rows, with their rounding: a sum has as many terms as there are entries."""

    def __init__(self, X, y, w):
        self.X, self.y, self.w, self.entries = X, y, w, int(np.diff(X.indptr).max())
        self.length = np.sqrt((X * X).sum(axis=1) + self.entries * TINY) * (1 + self.entries * EPS)
        self.pair_up([duality.heavy(label, y, w)[0] for label in (1.0, -1.0)])

    def scores(self, theta, theta_0, long):
        """(scores, a bound on their rounding)."""
        s = self.X @ theta + theta_0
        size = self.length * np.linalg.norm(theta)
        return s, (self.entries + 2) * EPS * size + EPS * (np.abs(s) + abs(theta_0)) + self.entries * TINY

    def span(self, alpha, long):
        """(X' alpha, a bound on the length of its rounding)."""
        return alpha @ self.X, (len(alpha) + 2) * EPS * (np.abs(alpha) @ self.length)
