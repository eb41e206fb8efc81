"""Kernel logistic regression by Newton's method in alpha and theta_0 (iteratively reweighted least squares).

At the minimum m lam alpha = r with r = -dL/ds the pull of each example, times its weight. Newton's step for that
equation is

    (K + m lam / W) d_alpha + d_theta_0 = (r - m lam alpha) / W,   sum d_alpha = -sum alpha   (with an offset)

with W the curvatures, times weights of mean 1. Conjugate gradients in the length of the features, v' K v, need a few
products with K for a step that is as good as the risk can tell, far from the minimum a rough one (Dembo, Eisenstat and
Steihaug 1982). They also meet, in most cases, an eigenvalue below m lam, which no positive semidefinite K can give, and
refuse it. Where they take too long the system is solved as it is: in terms of sqrt(W) it is m lam I + sqrt(W) K
sqrt(W), symmetric and far from singular (Rasmussen and Williams 2006, section 3.4.3).
"""

import math

import numpy as np

from linclass import _checks, losses, newton
from linclass._fast import duality, gram_features
from linclass._fast.precise import EPS
from linclass.representer import DECREMENT, KernelLogisticModel, certified_fit, risk_of, span_coefficients
from linclass.svm import GAP

FEW, LESS = 20, 12  # steps of conjugate gradients, or 1 for so many examples: more cost what a factorisation does
LEFT = 2e-12  # twice the share of the risk that is left at the end: chosen, well below the gap that certifies
UNBALANCED = 1e-9  # the mean of the coefficients' sum, of lam, that is left at the end: chosen
LEAST_CURVATURE = 1e-16  # no curvature is taken as less: chosen, below eps
UNFELT = 1e-4  # of K's diagonal: what such a curvature may make of m lam; chosen
SHORTEST = 1e-6  # the shortest step that is tried, as a share of Newton's: chosen
STEEPEST = 500.0  # a margin beyond this has no pull left that a double shows
NONE = 1e-300  # stands for 0 in a quotient
ROUGH, RESIDUAL = 0.1, 1e-4  # of the conjugate gradients, far away and near: chosen; the next step mends the rest
SURE = 1e4  # times what rounding can do: chosen
FLOOR = 1e-9  # of the largest eigenvalue: what rounding may make of the smallest; chosen


def fit_kernel_logistic(X, y, kernel, *, lam, offset, sample_weight):
    """`representer.fit_kernel_logistic`, and the gap has all rounding counted in."""
    K, w = _checks.kernel_matrix(kernel, X), sample_weight
    _checks.refuse_indefinite(K, np.arange(len(K)))
    data = duality.Gram(K, y, w)
    alpha, theta_0, steps, history = solve(K, y, w, lam, offset)
    upper, lower = duality.logistic_bounds(alpha, theta_0, data, lam, offset)
    if not duality.relative_gap(upper, lower) <= GAP:
        found, more, history = _newton_on_features(X, K, y, w, lam, offset)
        found += [(alpha, theta_0), (0 * y, 0.0)]
        tried = [(*duality.logistic_bounds(*point, data, lam, offset), *point) for point in found]
        upper, _, alpha, theta_0 = min(tried, key=lambda point: point[0])
        lower, steps = max(point[1] for point in tried), steps + more
    gap, model = duality.relative_gap(upper, lower), KernelLogisticModel(alpha, theta_0, X, kernel)
    return certified_fit(model, gap, steps, np.append(history, upper))


def solve(K, y, w, lam, offset, max_steps=60):
    """(alpha, theta_0, steps, history) with a bound on what is left of LEFT / 2 of the risk, or where no step helps."""
    m = len(y)
    alpha, f, theta_0 = np.zeros(m), np.zeros(m), 0.0
    history = [value(f, theta_0, alpha, y, w, lam)]
    # No curvature is taken as 0, nor one as felt that is not: beside m lam it is at most UNFELT of K's diagonal.
    least = np.minimum(LEAST_CURVATURE, UNFELT * m * lam / np.maximum(np.diag(K), NONE))
    while len(history) <= max_steps:
        p = 1.0 / (1.0 + np.exp(np.clip(y * (f + theta_0), -STEEPEST, STEEPEST)))  # the probability of a mistake
        rest, W = w * y * p - m * lam * alpha, np.maximum(w * p * (1.0 - p), least)
        pull_0 = rest.sum() / W.sum() if offset else 0.0
        rest = rest - pull_0 * W
        K_rest = K @ rest
        left = max(rest @ K_rest, 0.0) / (lam * m * m * history[-1])
        if left <= LEFT and abs(pull_0) * W.sum() <= UNBALANCED * m * lam:
            break
        tol = min(max(np.sqrt(left), RESIDUAL), ROUGH)
        try:
            d = direction(K, W, m * lam, rest, K_rest, offset, tol)
        except np.linalg.LinAlgError:  # singular to the last digit
            break
        d_f, t = K @ d, 1.0
        d_0 = pull_0 - W @ d_f / W.sum() if offset else 0.0
        while t > SHORTEST and not value(f + t * d_f, theta_0 + t * d_0, alpha + t * d, y, w, lam) <= history[-1]:
            t /= 2
        if t <= SHORTEST:
            break
        alpha, f, theta_0 = alpha + t * d, f + t * d_f, theta_0 + t * d_0
        history.append(value(f, theta_0, alpha, y, w, lam))
        if not d.any() and history[-1] == history[-2]:  # what is left is rounding
            break
    return alpha, float(theta_0), len(history) - 1, history


def value(f, theta_0, alpha, y, w, lam):
    """The risk at scores f + theta_0, f = K alpha."""
    return float(np.mean(w * np.logaddexp(0.0, -y * (f + theta_0))) + lam / 2 * alpha @ f)


def direction(K, W, ridge, rest, K_rest, offset, tol):
    """d with W K d + ridge d = rest, where with an offset W stands for W - W 1 1' W / sum W."""

    def product(v, K_v):
        q = W * K_v
        return q - (q.sum() / W.sum() * W if offset else 0.0) + ridge * v

    largest = ridge + len(K) * np.max(W * K.diagonal())  # at least the largest eigenvalue
    d = conjugate_gradients(K, product, rest, K_rest, ridge, FLOOR * largest, tol)
    if d is None:
        root = np.sqrt(W)
        M = root[:, None] * K * root
        M.flat[:: len(M) + 1] += ridge
        h, u = np.linalg.solve(M, np.column_stack([rest / root, root])).T
        d = root * (h - (root @ h) / (root @ u) * u if offset else h)
    return d


def conjugate_gradients(K, product, r, K_r, least, rounding, tol):
    """x with product(x, K x) = r to a relative residual of tol; None if that takes too long.

    Lengths are those of the features, |v|^2 = v' K v, in which the product is symmetric; it ends where the residual has
    no length but by rounding. The coefficients on the way make a tridiagonal matrix, whose eigenvalues lie within the
    range of those of the product and soon near its ends (Lanczos 1950). For a positive semidefinite K none is below
    `least`, but for rounding, so all pivots of that matrix less so much are positive.
    """
    x, p, K_p = np.zeros_like(r), r, K_r
    square, noise = r @ K_r, len(K) * EPS * K.diagonal().max()
    goal, ratio, before, pivot = tol**2 * square, 0.0, 0.0, 1.0
    for _ in range(max(FEW, len(K) // LESS)):
        if not square > max(goal, noise * (r @ r), NONE):
            return x
        q = product(p, K_p)
        bend = K_p @ q / square
        pivot = bend + ratio * before - (least - rounding) - ratio * before**2 / pivot
        if pivot <= 0:
            if square > SURE * noise * (r @ r):
                _checks.fail("kernel", "positive semidefinite", "a Gram matrix with a negative eigenvalue")
            pivot = math.nan  # it may be rounding: neither this pivot nor those after it tell
        if bend <= 0:
            return None
        x, r = x + p / bend, r - q / bend
        K_r = K @ r
        before, ratio = bend, r @ K_r / square
        square *= ratio
        p, K_p = r + ratio * p, K_r + ratio * K_p
    return None


def _newton_on_features(X, K, y, w, lam, offset):
    """(some (alpha, theta_0), steps, history) by Newton's method on the logistic risk of the features of K."""
    try:
        features, coefficients = gram_features.features(K, X)
        weighted = losses.WeightedLoss(losses.LOGISTIC, w)
        value, grad, hess = risk_of(weighted, features, y, lam, offset)
        found = newton.newton(value, grad, hess, np.zeros(features.shape[1] + offset), tol=DECREMENT)
        points = [found.point]
        for _ in range(2):  # where the value no longer shows it, a further step may still shorten the gradient
            points.append(points[-1] + newton.newton_step(grad(points[-1]), hess(points[-1])))
    except np.linalg.LinAlgError:  # no decomposition of numbers so far apart
        return [], 0, []
    pairs, loss = [], losses.on_scores(weighted)
    for u in (u for u in points if np.isfinite(u).all()):
        theta, theta_0 = (u[:-1], float(u[-1])) if offset else (u, 0.0)
        # Both give theta back; which of them rounding has spared depends on K and lam.
        for alpha in (span_coefficients(theta, theta_0, features, y, loss, lam), coefficients(theta)):
            pairs.append((alpha, theta_0))
    return pairs, found.steps, found.history
