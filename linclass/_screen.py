"""The interior point after screening: most examples of a large problem are decided before it is solved.

An example far beyond the margin has the multiplier 0, one far on the wrong side C, whatever the exact answer; only
those near the margin are in doubt. A fit to a sample of the rows tells roughly which are near, and the interior point
solves for these alone, the others entering as a linear term (the idea of Ogawa, Suzuki and Takeuchi 2013). Examples
that turn out to be on the other side of the margin join in the next round; the duality gap of all has the last word.
"""

import numpy as np

from linclass import _interior

SMALL = 3000  # up to so many rows, all at once is as fast


def solve(X, y, C, offset, tol=1e-12):
    """As `_interior.solve`, for many rows."""
    n, d = X.shape
    if n <= max(SMALL, 100 * d):
        return _interior.solve(X, y, C, offset, tol=tol)
    # A sample of n / 8 rows puts the margins wrong by about sqrt(8 d / n), so it leaves such a share of rows in doubt.
    rows = sample(y, n // 8)
    w, *_, steps = solve(X[rows], y[rows], C * n / len(rows), offset, tol=1e-3)
    penalty = np.ones(d + offset)
    penalty[d:] = 0.0
    doubt, wrong = int(min(0.5, 2 * np.sqrt(8 * d / n)) * n), np.zeros(n, bool)
    later = doubt // 5 + 10 * d
    z = margins(w, X, y)
    for goal in (max(tol, 1e-4), tol, tol, tol, tol):
        near = wrong
        near[np.argpartition(np.abs(z - 1), doubt)[:doubt]] = True
        top = ~near & (z < 1)
        A = _interior.signed_rows(X[near], y[near], offset)
        v = C * np.append(y[top] @ X[top], y[top].sum())[: d + offset]
        w, a_near, s_near, xi_near, more = _interior.interior_point(A, C, v, penalty, goal, C * top.sum())
        steps += more
        z = margins(w, X, y)
        wrong = ~near & ((z > 1) == top)
        if goal == tol and (tol > 1e-6 or not wrong.any()):
            break
        doubt = later
    a, s, xi = np.where(top, C, 0.0), np.where(top, 0.0, 1.0), np.where(top, 1.0, 0.0)
    a[near], s[near], xi[near] = a_near, s_near, xi_near
    return w, a, s, xi, steps


def sample(y, size):
    """About `size` rows, of each class its share but not too few, by a fixed draw: no order of the rows can fool it."""
    rng = np.random.default_rng(0)
    parts = [np.flatnonzero(y == label) for label in (-1.0, 1.0)]
    counts = [max(len(part) * size // len(y), min(len(part), 50)) for part in parts]
    return np.concatenate([rng.choice(part, k, replace=False) for part, k in zip(parts, counts, strict=True)])


def margins(w, X, y):
    """y (theta . x + theta_0) of all rows."""
    s = X @ w[: X.shape[1]]
    return y * (s + w[-1] if len(w) > X.shape[1] else s)
