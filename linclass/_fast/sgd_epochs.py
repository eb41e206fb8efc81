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
    etas = step_sizes(steps.rule, walk.t, count)
    if is_sparse(X):
        return sparse_epoch(steps, walk, X, y, w, order, etas)
    one_by_one = batch == 1 and type(steps.loss) is Loss and steps.loss.name in SLOPES  # a reader's own has its own
    run, gathered = _one_by_one if one_by_one else _by_batches, max(batch, GATHERED // batch * batch)
    if one_by_one and np.ndim(w) == 0 and steps.loss.name in compiled_loops.CODES and compiled_loops.available(n):
        run = _compiled
    theta, theta_0 = walk.state[0].copy(), walk.state[1]
    sums = (np.zeros_like(theta), 0.0) if steps.average else (None, 0.0)
    for start in range(0, n, gathered):
        rows = slice(start, start + gathered) if order is None else order[start : start + gathered]
        some = etas[start // batch : -(-min(n, start + gathered) // batch)]
        Z = X[rows] if order is None else X.take(rows, axis=0)
        theta_0, sums = run(steps, theta, theta_0, Z, y[rows], part_of(w, rows), some, sums)
    t = walk.t + count
    mean = walk.mean
    if steps.average:
        mean = tuple(m + (part - count * m) / t for m, part in zip(mean, sums, strict=True))
    return descent.Walk((theta, theta_0), mean, t, walk.rng)


def step_sizes(rule, before, count):
    """The rule's step sizes for the next `count` steps, an array; the package's own rules take an array of t."""
    t = np.arange(before + 1, before + count + 1)
    if getattr(rule, "__module__", None) == descent.__name__:
        return np.broadcast_to(np.asarray(rule(t), dtype=float), count)
    return np.array([rule(k) for k in t.tolist()], dtype=float)


# Eight parameters, of these and the two below: what the steps share, where they are, their rows, and what they add up.
def _compiled(steps, theta, theta_0, X, y, weights, etas, sums):
    """`_one_by_one` by Numba, without weights."""
    loop, code = compiled_loops.compiled(compiled_loops.sgd), compiled_loops.CODES[steps.loss.name]
    w, total = np.append(theta, theta_0), np.empty(0) if sums[0] is None else np.append(*sums)
    loop(w, X, y, etas, float(steps.lam), code, steps.offset, total)
    theta[:] = w[:-1]
    return float(w[-1]), sums if sums[0] is None else (total[:-1], float(total[-1]))


def _one_by_one(steps, theta, theta_0, X, y, weights, etas, sums):
    """Steps on one example each; theta changes in place."""
    slope, lam, total, total_0 = SLOPES[steps.loss.name], steps.lam, *sums
    g = np.empty_like(theta)
    for x, label, factor, eta in zip(X, y.tolist(), (weights * y).tolist(), etas.tolist(), strict=True):
        w = slope(label * (float(x.dot(theta)) + theta_0)) * factor
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
        if w and steps.offset:
            theta_0 -= eta * w
        if total is not None:
            total += theta
            total_0 += theta_0
    return theta_0, (total, total_0)


def _by_batches(steps, theta, theta_0, X, y, weights, etas, sums):
    """Steps on a batch each; theta changes in place."""
    batch, (total, total_0) = steps.batch, sums
    for k, eta in enumerate(etas.tolist()):
        Z, labels = X[k * batch : (k + 1) * batch], y[k * batch : (k + 1) * batch]
        z = Z @ theta  # in place from here on, as time is memory
        z += theta_0
        z *= labels
        w = np.multiply(steps.loss.slope(z), labels, out=z)
        if np.ndim(weights):
            w *= weights[k * batch : (k + 1) * batch]
        w /= len(labels)
        theta -= eta * (w @ Z + steps.lam * theta)
        if steps.offset:
            theta_0 -= eta * float(w.sum())
        if total is not None:
            total += theta
            total_0 += theta_0
    return theta_0, (total, total_0)


def sparse_epoch(steps, walk, X, y, w, order, etas):
    """The same on sparse rows. A step touches the columns that its batch has entries in; the penalty shrinks all theta
    by 1 - eta lam, which one factor does for all: theta = factor v.
    """
    (v, theta_0), factor, batch = (walk.state[0].copy(), walk.state[1]), 1.0, steps.batch
    if order is not None:
        X, y, w = X[order], y[order], part_of(w, order)
    w, total = np.broadcast_to(w, len(y)), [np.zeros_like(v), 0.0]
    for k, eta in enumerate(etas):
        here = slice(k * batch, (k + 1) * batch)
        bounds, labels = X.indptr[k * batch : (k + 1) * batch + 1], y[here]
        columns, entries = X.indices[bounds[0] : bounds[-1]], X.data[bounds[0] : bounds[-1]]
        row = np.repeat(np.arange(len(labels)), np.diff(bounds))
        s = np.bincount(row, weights=entries * v[columns], minlength=len(labels))
        pull = w[here] * steps.loss.slope(labels * (factor * s + theta_0)) * labels / len(labels)
        factor *= 1.0 - eta * steps.lam
        if not SMALLEST_FACTOR < abs(factor) < 1.0 / SMALLEST_FACTOR:
            v, factor = v * factor, 1.0
        np.subtract.at(v, columns, eta / factor * pull[row] * entries)
        theta_0 -= eta * float(pull.sum()) if steps.offset else 0.0
        if steps.average:
            total = [total[0] + factor * v, total[1] + theta_0]
    t = walk.t + len(etas)
    mean = walk.mean
    if steps.average:
        mean = tuple(m + (part - len(etas) * m) / t for m, part in zip(mean, total, strict=True))
    return descent.Walk((factor * v, theta_0), mean, t, walk.rng)
