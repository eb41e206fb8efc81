"""One epoch of SGD without the checks: the steps of `descent.sgd_step`, the same operations in the same order.

A step on one example costs a handful of array operations of length d, so what takes the time is everything else:
here the slope of one margin is a Python number, and buffers are reused. Batches go through the loss's own slope.
"""

import math

import numpy as np

from linclass.losses import Loss

SLOPES = {  # of one margin; each as in `losses`
    "perceptron": lambda z: -1.0 if z <= 0 else 0.0,
    "hinge": lambda z: -1.0 if z <= 1 else 0.0,
    "logistic": lambda z: -1.0 / (1.0 + math.exp(z)) if z < 0 else -math.exp(-z) / (1.0 + math.exp(-z)),
    "squared": lambda z: -2.0 * (1.0 - z),
    "modified_squared": lambda z: -2.0 * (1.0 - z) if z < 1 else 0.0,
}


def epoch(state, X, y, order, batch, etas, loss, lam, offset, average):
    """(state after the epoch, mean of its iterates where asked): see `descent.fit_sgd` for the arguments."""
    single = batch == 1 and type(loss) is Loss and loss.name in SLOPES  # a reader's own loss has its own slope
    gather = max(batch, 4096 // batch * batch)  # rows to copy at a time: few calls, little memory
    theta, theta_0 = state[0].copy(), state[1]
    sums = np.zeros_like(theta) if average else None, 0.0
    n = len(y) if order is None else len(order)
    for start in range(0, n, gather):
        rows = slice(start, start + gather) if order is None else order[start : start + gather]
        part = etas[start // batch : -(-min(n, start + gather) // batch)]
        run = one_by_one if single else by_batches
        theta_0, sums = run(theta, theta_0, X[rows], y[rows], batch, part, loss, lam, offset, sums)
    if not average:
        return (theta, theta_0), state
    return (theta, theta_0), (sums[0] / len(etas), sums[1] / len(etas))


def one_by_one(theta, theta_0, X, y, batch, etas, loss, lam, offset, sums):
    """Steps on one example each; theta changes in place."""
    slope, total, total_0 = SLOPES[loss.name], *sums
    g = np.empty_like(theta)
    for x, label, eta in zip(X, y.tolist(), etas, strict=True):
        w = slope(label * (float(x.dot(theta)) + theta_0)) * label
        if lam:
            np.multiply(theta, lam, out=g)
            if w:
                g += w * x
            g *= eta
            theta -= g
        elif w:
            np.multiply(x, w, out=g)
            g *= eta
            theta -= g
        if w and offset:
            theta_0 -= eta * w
        if total is not None:
            total += theta
            total_0 += theta_0
    return theta_0, (total, total_0)


def by_batches(theta, theta_0, X, y, batch, etas, loss, lam, offset, sums):
    """Steps on a batch each; theta changes in place."""
    total, total_0 = sums
    for k, eta in enumerate(etas):
        Z, labels = X[k * batch : (k + 1) * batch], y[k * batch : (k + 1) * batch]
        w = loss.slope(labels * (Z @ theta + theta_0)) * labels / len(labels)
        theta -= eta * (Z.T @ w + lam * theta)
        if offset:
            theta_0 -= eta * float(w.sum())
        if total is not None:
            total += theta
            total_0 += theta_0
    return theta_0, (total, total_0)


def risk(theta, theta_0, X, y, loss, lam):
    """The risk, from sums over blocks of rows whose losses fit the cache."""
    rows = 2**14
    parts = ((X[start : start + rows], y[start : start + rows]) for start in range(0, len(y), rows))
    total = sum(loss.value(labels * (Z @ theta + theta_0)).sum() for Z, labels in parts)
    return float(total / len(y) + lam / 2 * theta @ theta)
