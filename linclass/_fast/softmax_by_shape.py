"""The fast path of `fit_softmax`: the same minimum as the plain one, by the way that suits the data's shape."""

import functools
import math

import numpy as np

from linclass._fast import certificates, kept_hessian
from linclass._rows import in_blocks


def minimise(rows, n_classes, lam, offset):
    """(W, history): a row (theta_k, theta_0k) per class. Raises NotRegular where the plain path should decide."""
    with np.errstate(over="ignore", invalid="ignore"):
        return _minimise(rows, n_classes, lam, offset)


def _minimise(rows, n_classes, lam, offset):
    history, m = [], rows.d + offset
    look, size = softmax_look(rows, n_classes, lam, offset), n_classes * m
    enough = math.log(2) / rows.n if lam == 0 else 0.0
    count = min(rows.n // 16, max(2**19 // size, 10 * size))
    at_least = None
    if count >= 10 * size:
        problem = functools.partial(softmax_look, n_classes=n_classes, lam=lam, offset=offset)
        w, g, metric, at_least = kept_hessian.from_sample(look, problem, None, rows, count, size, history, enough)
    elif lam > 0 and size > 150:
        w, g, metric = by_gradients(rows, look, n_classes, lam, offset, history)
    else:
        w, g, metric = kept_hessian.descend(look, np.zeros(size), history, eager=True, enough=enough, tol=1e-12)
        metric.H = None  # a last full step costs little, and brings many digits
    shape = n_classes, m
    if lam == 0 and history[-1] <= enough:
        return w.reshape(shape), history
    if lam > 0 and size > 150 and at_least is None:
        at = (part.reshape(shape) for part in (w, g, certificates.plain_noise(w, look.largest)))
        bound = certificates.excess_by_penalty(rows, *at, look.largest[:m], lam, certificates.softmax_residuals)
        if bound <= certificates.enough(history[-1]):
            return w.reshape(shape), history
    if lam == 0:
        at_least = metric.H = None
    return certificates.certified(look, w, g, metric, history, at_least).reshape(shape), history


def softmax_look(rows, n_classes, lam, offset):
    """The softmax risk of the rows as a problem: a look is one pass over blocks."""
    n, d, m = rows.n, rows.d, rows.d + offset
    counts, own = rows.total(lambda X, y: in_blocks.class_sums(X, y, n_classes))
    right = np.column_stack([own, counts])[:, :m] / n
    penalty = np.full(m, lam)
    penalty[d:] = 0.0

    def look(w, hess):
        W = w.reshape(n_classes, m)
        def sums(X, y):
            return in_blocks.softmax_sums(X, W, offset, hess)

        if look.largest is None:
            total, g, H, largest = rows.total(in_blocks.with_sizes(sums))
            look.largest = np.tile(np.append(largest, 1.0)[:m], n_classes)
        else:
            total, g, H = rows.total(sums)
        shrink = penalty * W
        value = total / n - float(np.vdot(right, W)) + float(np.vdot(shrink, W)) / 2
        if hess:
            H /= n
            H.flat[:: len(H) + 1] += np.tile(penalty, n_classes)
            _fix_gauge(H, n_classes, m)
        return value, (g / n - right + shrink).ravel(), H

    look.largest = None  # the largest entry of each column, once for each class, which the first look finds on the way
    return look


def _fix_gauge(H, n_classes, m):
    """Add curvature where all classes move alike: the risk is flat there, and the gradient has no part in it."""
    average = H.diagonal().reshape(n_classes, m).mean(axis=0)
    for j in range(n_classes):
        for k in range(n_classes):
            H[j * m : (j + 1) * m, k * m : (k + 1) * m].flat[:: m + 1] += average


def by_gradients(rows, look, n_classes, lam, offset, history):
    """L-BFGS in coordinates in which the features have unit covariance.

    At 0, where all classes are equally likely, the Hessian is block diagonal but for the gauge, with X'X / (n k) + lam
    for every class: one small inverse.
    """
    (G,) = rows.total(lambda X, y: (_gram(X, offset),))
    G /= rows.n * n_classes
    G.flat[: rows.d * (len(G) + 1) : len(G) + 1] += lam
    metric = kept_hessian.Metric(kept_hessian.inverse(G), memory=10)
    w = np.zeros(n_classes * len(G))
    return kept_hessian.without_hessian(look, metric, w, history, rows.n, lam, 1e-11)


def _gram(X, offset):
    """A'A for the rows (x, 1), or x without an offset."""
    A = np.column_stack([X, np.ones(len(X))])[:, : X.shape[1] + offset]
    return A.T @ A
