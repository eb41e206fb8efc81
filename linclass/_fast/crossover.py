"""From an interior point to the solution it is near: the free multipliers at full precision (crossover)."""

import contextlib

import numpy as np

from linclass._fast.dual_points import far_out, feasible

MOST_FREE = 1000  # free examples up to which their system is solved: chosen, a second or so
LONGEST = 1e8  # times the right side a solution may be that needs no least squares: chosen, far from 1 / eps
SMALLEST_COLUMN = 1e-4  # of the largest; one below that is scaled as if it were so large: chosen


# Eight parameters: an interior point has four parts, and the problem as many.
def candidates(w, dual, reserve, xi, X, y, C, offset):
    """Pairs (theta, alpha) made of an interior point, the most exact first; `reserve` and xi are its slacks.

    Where a multiplier and its slack tell clearly which is 0, it is set to 0 or C; the free ones are then sharpened.
    """
    d, between = X.shape[1], (dual > 0) & (dual < C)
    if not (reserve[between].any() or xi[between].any()):  # a solution, no interior point
        yield w[:d], feasible(dual * y, y, C, offset, X)
    none = dual * far_out(X) < dual.max() * reserve
    alpha = feasible(np.where(none, 0.0, np.where(C - dual < C * xi, C, dual)) * y, y, C, offset, X)
    free = np.flatnonzero((alpha * y > 0) & (alpha * y < C))
    if 0 < len(free) <= MOST_FREE:
        on_margin, sharp = newton_on_free(w, alpha, y, C, free, X, offset)
        for _ in range(2):
            yield on_margin[:d], sharp
            on_margin, sharp = newton_on_free(on_margin, sharp, y, C, free, X, offset)
        yield X.T @ sharp, sharp
    yield w[:d], alpha
    yield w[:d], feasible(dual * y, y, C, offset, X)


def newton_on_free(w, alpha, y, C, free, X, offset):
    """(w, alpha) one Newton step on, so that the free coefficients put their examples exactly on the margin.

    The step solves theta = X' alpha, X_free theta + theta_0 = y_free and sum alpha = 0 for w = (theta, theta_0) and
    alpha_free. Each call starts from what is left of the equations, so that calling it again mends its own rounding.
    """
    d, Z = X.shape[1], X[free]
    theta, theta_0 = w[:d], w[d] if offset else 0.0
    left = X.T @ alpha - theta, y[free] - Z @ theta - theta_0, alpha.sum()
    # In the coordinates of Z' = Q R, large columns first, theta moves as far as there are free examples, at most.
    order = np.argsort(-np.abs(Z).max(axis=0))
    Q, R = np.linalg.qr(Z.T[order])
    moved, dalpha, dtheta_0 = _on_margin_step(R.T, left[1] - Z @ left[0], left[2], offset)
    dtheta, sharp = left[0].copy(), alpha.copy()
    dtheta[order] += Q @ moved
    sharp[free] += dalpha
    return w + np.append(dtheta, dtheta_0)[: len(w)], feasible(sharp, y, C, offset, X)


def _on_margin_step(Z, margin, total, offset):
    """(dtheta, dalpha, dtheta_0) with dtheta = Z' dalpha, Z dtheta + dtheta_0 = margin, sum dalpha = -total."""
    n, d = Z.shape
    far = far_out(Z)  # such a row is shortened, with a longer coefficient
    Z, margin = Z / far[:, None], margin / far
    size = np.linalg.norm(Z, axis=0)
    largest = size.max() or 1.0
    size = np.maximum(size, SMALLEST_COLUMN * largest)
    M = np.zeros((d + n + 1, d + n + 1))  # unknowns dtheta size, -dalpha far largest^2, dtheta_0: all about as large
    M[:d, :d] = np.diag((largest / size) ** 2)
    M[d : d + n, :d] = Z / size
    M[:d, d : d + n] = M[d : d + n, :d].T
    M[d : d + n, -1] = M[-1, d : d + n] = offset / far
    M[-1, -1] = not offset
    rhs = np.concatenate([np.zeros(d), margin, [largest**2 * total * offset]])
    x = _solution(M, rhs)
    return x[:d] / size, -x[d : d + n] / far / largest**2, x[-1]


def _solution(M, rhs):
    """x with M x = rhs, or the shortest one with least squares where M is near singular and that matters."""
    with contextlib.suppress(np.linalg.LinAlgError):
        x = np.linalg.solve(M, rhs)
        if np.abs(x).max() <= LONGEST * np.abs(rhs).max():
            return x
    return np.linalg.lstsq(M, rhs, rcond=None)[0]
