"""The epochs of `descent.fit_sgd` without its checks: the same operations in the same order.

A step on one example costs a handful of array operations of length d, so what takes the time is everything else:
here the slope of one margin is a Python number, and buffers are reused. Batches go through the loss's own slope.
"""

import math

import numpy as np

from linclass import descent
from linclass._checks import is_sparse
from linclass._fast import compiled_loops
from linclass._rows.in_memory import part_of
from linclass.losses import Loss

SLOPES = {  # of one margin; each as in `losses`
    "perceptron": lambda z: -1.0 if z <= 0 else 0.0,
    "hinge": lambda z: -1.0 if z <= 1 else 0.0,
    "logistic": lambda z: -1.0 / (1.0 + math.exp(z)) if z < 0 else -math.exp(-z) / (1.0 + math.exp(-z)),
    "squared": lambda z: -2.0 * (1.0 - z),
    "modified_squared": lambda z: -2.0 * (1.0 - z) if z < 1 else 0.0,
}
SMALLEST_FACTOR = 1e-100  # then it is multiplied out: chosen, far from where doubles end
GATHERED = 4096  # rows to copy at a time: few calls, little memory (measured)


@np.errstate(over="ignore", invalid="ignore")
def sgd_epoch(steps, walk, X, y, w=1.0):
    """See `descent.sgd_epoch`; the mean only where it is asked for."""
    batch, n = steps.batch, len(y)
    order = None if steps.sampling == "cycle" else descent.draw_order(n, batch, steps.sampling, walk.rng)
    count = -(-n // batch)
    etas, run, gathered = step_sizes(steps.rule, walk.t, count), way(steps, X, w), max(batch, GATHERED // batch * batch)
    u = np.append(*walk.state)
    total = np.zeros_like(u) if steps.average else np.empty(0)
    for start in range(0, n, gathered):
        rows = slice(start, start + gathered) if order is None else order[start : start + gathered]
        some = etas[start // batch : -(-min(n, start + gathered) // batch)]
        Z = X[rows] if order is None or is_sparse(X) else X.take(rows, axis=0)
        run(steps, u, Z, y[rows], part_of(w, rows), some, total)
    t = walk.t + count
    mean = halves((walk.t * np.append(*walk.mean) + total) / t) if steps.average else walk.mean
    return descent.Walk(halves(u), mean, t, walk.rng)


def halves(u):
    """(theta, theta_0) of a vector that has both."""
    return u[:-1], float(u[-1])


def way(steps, X, w):
    """The function below that takes such steps soonest: run(steps, u, X, y, w, etas, total).

    It changes u = (theta, theta_0) in place, and adds each point it leads to to `total`, unless that is empty.
    """
    if is_sparse(X):
        return _sparse
    if steps.batch > 1 or type(steps.loss) is not Loss or steps.loss.name not in SLOPES:  # a reader's has its own
        return _by_batches
    return _compiled if np.ndim(w) == 0 and compiled_loops.available(len(X)) else _one_by_one


def step_sizes(rule, before, count):
    """The rule's step sizes for the next `count` steps, an array; the package's own rules take an array of t."""
    t = np.arange(before + 1, before + count + 1)
    if getattr(rule, "__module__", None) == descent.__name__:
        return np.broadcast_to(np.asarray(rule(t), dtype=float), count)
    return np.array([rule(k) for k in t.tolist()], dtype=float)


def _compiled(steps, u, X, y, w, etas, total):
    """`_one_by_one` by Numba, without weights."""
    code = compiled_loops.CODES[steps.loss.name]
    compiled_loops.compiled(compiled_loops.sgd)(u, X, y, etas, float(steps.lam), code, steps.offset, total)


def _one_by_one(steps, u, X, y, w, etas, total):
    """Steps on one example each."""
    slope, lam, (theta, theta_0) = SLOPES[steps.loss.name], steps.lam, halves(u)
    g = np.empty_like(theta)
    for x, label, factor, eta in zip(X, y.tolist(), (w * y).tolist(), etas.tolist(), strict=True):
        pull = slope(label * (float(x.dot(theta)) + theta_0)) * factor
        if lam:
            np.multiply(theta, lam, out=g)
            if pull:
                g += pull * x
            g *= eta
            theta -= g
        elif pull:
            np.multiply(x, pull, out=g)
            g *= eta
            theta -= g
        if pull and steps.offset:
            theta_0 -= eta * pull
        if steps.average:
            u[-1] = theta_0
            total += u
    u[-1] = theta_0


def _by_batches(steps, u, X, y, w, etas, total):
    """Steps on a batch each."""
    theta, batch = u[:-1], steps.batch
    for k, eta in enumerate(etas.tolist()):
        here = slice(k * batch, (k + 1) * batch)
        Z, labels = X[here], y[here]
        z = Z @ theta  # in place from here on, as time is memory
        z += u[-1]
        z *= labels
        pull = np.multiply(steps.loss.slope(z), labels, out=z)
        if np.ndim(w):
            pull *= w[here]
        pull /= len(labels)
        theta -= eta * (pull @ Z + steps.lam * theta)
        if steps.offset:
            u[-1] -= eta * float(pull.sum())
        if steps.average:
            total += u


def _sparse(steps, u, X, y, w, etas, total):
    """Steps on a batch of sparse rows each. A step touches the columns that its batch has entries in; the penalty
    shrinks all theta by 1 - eta lam, which one factor does for all: theta = factor v.
    """
    v, factor, batch, w = u[:-1].copy(), 1.0, steps.batch, np.broadcast_to(w, len(y))
    for k, eta in enumerate(etas):
        here = slice(k * batch, (k + 1) * batch)
        bounds, labels = X.indptr[k * batch : (k + 1) * batch + 1], y[here]
        columns, entries = X.indices[bounds[0] : bounds[-1]], X.data[bounds[0] : bounds[-1]]
        row = np.repeat(np.arange(len(labels)), np.diff(bounds))
        s = np.bincount(row, weights=entries * v[columns], minlength=len(labels))
        pull = w[here] * steps.loss.slope(labels * (factor * s + u[-1])) * labels / len(labels)
        factor *= 1.0 - eta * steps.lam
        if not SMALLEST_FACTOR < abs(factor) < 1.0 / SMALLEST_FACTOR:
            v, factor = v * factor, 1.0
        np.subtract.at(v, columns, eta / factor * pull[row] * entries)
        if steps.offset:
            u[-1] -= eta * float(pull.sum())
        if steps.average:
            total += np.append(factor * v, u[-1])
    u[:-1] = factor * v
