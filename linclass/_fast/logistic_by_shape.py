"""The fast path of `fit_logistic`: the same minimum as the plain one, by the way that suits the data's shape."""

import functools
import math

import numpy as np

from linclass._fast import certificates, kept_hessian
from linclass._fast.kept_hessian import NotRegular
from linclass._rows import in_blocks

SMALL = 2**17  # numbers in X: below this, everything stays in the cache


def minimise(rows, lam, offset):
    """(w, history, Hessian at w or None): w is theta, and theta_0 last if there is an offset.

    Few numbers: Newton on all of them. Many rows: a sample first. More columns than rows: theta lies in the span of
    the examples. Many columns otherwise: gradients alone. The minimum is certified, or at lam = 0 n times the risk is
    below ln 2; at lam = 0 there is a Hessian. Raises NotRegular where the plain path should decide.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        if rows.at_hand and rows.n * rows.d <= SMALL and rows.d <= 100:
            return small(rows.X, rows.y, lam, offset)
        return _large(rows, lam, offset)


def _large(rows, lam, offset):
    """`minimise` for data that are worth a closer look at their shape."""
    history, look, size = [], logistic_look(rows, lam, offset), rows.d + offset
    enough = math.log(2) / rows.n if lam == 0 else 0.0
    count = min(rows.n // 8, max(2**20 // size, 20 * size))
    few_elsewhere = not rows.at_hand and rows.n * rows.d <= SMALL  # as exact as `small`, too
    at_least = None
    if lam > 0 and rows.d > rows.n and rows.at_hand:
        w, metric = in_the_span(rows, lam, offset, history), kept_hessian.Metric(np.ones(size))
        history[-1], g, _ = look(w, False)
    elif count >= 20 * size:
        problem = functools.partial(logistic_look, lam=lam, offset=offset)
        w, g, metric, at_least = kept_hessian.from_sample(look, problem, fading, rows, count, size, history, enough)
    elif lam > 0 and rows.d > 100:
        w, g, metric = by_gradients(rows, look, lam, offset, history, 1e-10)
    else:
        w, g, metric = kept_hessian.descend(look, np.zeros(size), history, enough=enough, tol=1e-13)
    if lam == 0 and history[-1] <= enough:
        return w, history, None
    if lam == 0 or few_elsewhere:
        w, H = certificates.settle(look, w, history)
        return w, history, H
    if rows.d > 100:
        at, residuals = (w, g, certificates.plain_noise(w, look.largest)), certificates.logistic_residuals
        bound = certificates.excess_by_penalty(rows, *(v[None] for v in at), look.largest, lam, residuals)
        if bound <= certificates.enough(history[-1]):
            return w, history, None
    return certificates.certified(look, w, g, metric, history, at_least), history, None


def logistic_look(rows, lam, offset):
    """The logistic risk of the rows as a problem: a look is one pass over blocks."""
    n, size = rows.n, rows.d + offset
    penalty = np.full(size, lam)
    penalty[rows.d :] = 0.0

    def look(w, hess):
        def sums(X, y):
            return in_blocks.logistic_sums(X, y, w, offset, hess)

        if look.largest is None:
            total, g, H, largest = rows.total(in_blocks.with_sizes(sums))
            look.largest = np.append(largest, 1.0)[:size]
        else:
            total, g, H = rows.total(sums)
        shrink = penalty * w
        if hess:
            H /= n
            H.flat[:: size + 1] += penalty
        return total / n + float(shrink @ w) / 2, g / n + shrink, H

    look.largest = None  # the largest entry of each column, which the first look finds on the way
    return look


def fading(rows, step):
    """The largest change of a score along the step: p (1 - p) falls by no more than e to that."""
    (change,) = rows.total(lambda X, y: (np.abs(X @ step[: rows.d]).max() + np.abs(step[rows.d :]).sum(),))
    return float(change)


def small(X, y, lam, offset):
    """Newton's method on few numbers, where what costs is the number of NumPy calls, some fifteen a step.

    A has the columns -y (x, 1), so that the margins are -w A. The Hessian is kept for the last steps, where it hardly
    changes.
    """
    try:
        return _small(X, y, lam, offset)
    except np.linalg.LinAlgError:
        raise NotRegular from None


def _small(X, y, lam, offset):
    n, d = X.shape
    A = np.empty((d + offset, n))
    np.multiply(X.T, -y, out=A[:d])
    A[d:] = -y
    share = A / n
    penalty = np.full(d + offset, lam)
    penalty[d:] = 0.0
    bowl = np.diag(penalty)
    H = share @ A.T
    H *= 0.25
    H += bowl
    inverse = np.linalg.inv(H)
    _insist_on_independence(H, inverse)
    w, value, g = np.zeros(d + offset), math.log(2), share @ np.full(n, 0.5)
    history, enough, left, at = [value], value / n if lam == 0 else 0.0, math.inf, w
    for _ in range(60):
        before, step = left, inverse @ g
        left = float(g @ step) / 2
        if not left >= 0:  # the inverse is none: the Hessian has all but faded
            raise NotRegular
        if before <= 1e-14 * value or left <= 1e-26 * value or value < enough:  # one step beyond, which costs little
            break
        t, near = 1.0, w - step
        while True:
            e = np.exp(near @ A)
            shrink = penalty * near
            reached = float(np.add.reduce(np.log1p(e))) / n + float(shrink @ near) / 2
            if reached <= value - 5e-4 * t * left + 1e-14 * value:
                break
            t = kept_hessian.shorter(t)
            near = w - t * step
        one_and_e = e + 1.0
        e /= one_and_e
        g = share @ e
        g += shrink
        if left > 1e-6 * value or lam == 0:  # at lam = 0 the last one gives the standard errors
            e /= one_and_e
            H = (share * e) @ A.T
            H += bowl
            inverse, at = np.linalg.inv(H), near
        w, value = near, reached
        history.append(value)
    else:
        raise NotRegular
    if value >= enough:
        largest = np.abs(A).max(axis=1)
        noise = certificates.plain_noise(w, largest)
        _insist_on_independence(H, inverse)
        certificates.insist(certificates.excess_from(inverse, g, noise, H, largest, w - at), value)
    return w, history, H


def _insist_on_independence(H, inverse):
    """Raise NotRegular if units differ by more than 1e4, or the others explain all but 1e-8 of a column's curvature."""
    curvatures = H.diagonal()
    ratios = inverse.diagonal() * curvatures
    if not (max(curvatures.tolist()) < 1e8 * min(curvatures.tolist()) and max(np.abs(ratios).tolist()) < 1e8):
        raise NotRegular


def in_the_span(rows, lam, offset, history):
    """w for more columns than rows: by the representer theorem theta = X' alpha, so n unknowns do for d.

    With X X' = L L' the risk of theta is that of u = L^-1 X theta on the rows of L, which is small; then
    theta = X' L'^-1 u.
    """
    K = rows.X @ rows.X.T
    try:
        L = np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        raise NotRegular from None
    pivots = L.diagonal()
    if not pivots.min() > 1e-5 * pivots.max():
        raise NotRegular
    inner = in_blocks.Rows(L, rows.y)
    u, *_ = by_gradients(inner, logistic_look(inner, lam, offset), lam, offset, history, 1e-12)
    theta = rows.X.T @ np.linalg.solve(L.T, u[: rows.n])
    return np.append(theta, u[rows.n :])


def by_gradients(rows, look, lam, offset, history, tol):
    """`kept_hessian.without_hessian` from the diagonal of the Hessian at 0."""
    n, d = rows.n, rows.d
    diagonal = np.full(d + offset, 0.25)
    diagonal[:d] = rows.total(lambda X, y: (np.einsum("ij,ij->j", X, X),))[0] / (4 * n) + lam

    w = np.zeros(d + offset)
    step = -look(w, False)[1] / diagonal
    along = rows.total(lambda X, y: (float(np.sum((X @ step[:d] + step[d:].sum()) ** 2)),))[0]
    curvature = along / (4 * n) + lam * float(step[:d] @ step[:d])
    diagonal *= curvature / float(step @ (diagonal * step))  # so that the first step has the right length
    metric = kept_hessian.Metric(1 / diagonal)
    return kept_hessian.without_hessian(look, metric, w, history, n, lam, tol)
