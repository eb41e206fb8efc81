"""Sums over examples in one pass over the rows: value, gradient and Hessian, a block of rows at a time.

All that a fit needs to know of the data are sums over examples: numbers, d-vectors and (d, d)-matrices. So a pass can
work on blocks of rows that fit the processor's cache (three times faster than with temporaries as long as the data),
on pieces read from a disk, or on pieces that lie on other machines: whoever holds rows gives back sums.

`Rows` is that seam. A source of rows has `n`, `d`, `total(sums)`, which adds sums(X, y) over its pieces,
`chain(visit, state)`, which takes a state from piece to piece, and `sample(count)`, a few of its rows. `sources` has
those that are not in memory.
"""

import functools
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rows:
    """Rows in memory: one piece."""

    X: np.ndarray
    y: np.ndarray
    at_hand = True  # may be asked for X and y

    @property
    def n(self):
        """How many rows."""
        return len(self.X)

    @property
    def d(self):
        """How many columns."""
        return self.X.shape[1]

    def total(self, sums):
        """sums(X, y), a tuple of numbers and arrays, added up over the pieces."""
        return sums(self.X, self.y)

    def chain(self, visit, state):
        """The state after it has visited the pieces in order: state = visit(state, X, y)."""
        return visit(state, self.X, self.y)

    def sample(self, count):
        """About `count` rows, see `spread`."""
        chosen = spread(self.n, count)
        return Rows(self.X[chosen], self.y[chosen])


def spread(n, count):
    """`count` of n row numbers, the same on every call: one at random from each of `count` stretches of equal length.

    Random, so that no order of the rows can fool it; spread, so that the sample has a bit of everything.
    """
    edges = np.linspace(0, n, count + 1)
    rng = np.random.default_rng(0)
    return (edges[:-1] + np.diff(edges) * rng.random(count)).astype(np.intp)


def block_length(d):
    """Rows to a block, a multiple of 64: about 512 KiB of numbers, which stay in the cache for a second use."""
    return max(512, 2**16 // d // 64 * 64)


def blocked(sums):
    """`sums` taken block after block of rows, so that temporaries stay small."""

    def over_blocks(X, y):
        length = block_length(X.shape[1])
        parts = (sums(X[k : k + length], y[k : k + length]) for k in range(0, len(X), length))
        return functools.reduce(add, parts)

    return over_blocks


def with_sizes(sums):
    """`sums` and the largest entry of each column, looked at while a block of rows is in the cache."""

    def over_blocks(X, y):
        length = block_length(X.shape[1])
        parts, largest = None, np.zeros(X.shape[1])
        for k in range(0, len(X), length):
            B, labels = X[k : k + length], y[k : k + length]
            parts = sums(B, labels) if parts is None else add(parts, sums(B, labels))
            np.maximum(largest, column_maxima(B), out=largest)
        return *parts, largest

    return over_blocks


def add(one, other):
    """Two tuples of sums, added; None stays None."""
    return tuple(a if a is None else a + b for a, b in zip(one, other, strict=True))


def column_maxima(X):
    """The largest size in each column. NumPy is slow on short lines, so 64 rows are laid side by side."""
    n, d = X.shape
    whole = n // 64 * 64 if X.flags.c_contiguous else 0
    lines, rest = X[:whole].reshape(-1, 64 * d), X[whole:]
    wide = np.maximum(lines.max(axis=0, initial=0.0), -lines.min(axis=0, initial=0.0)).reshape(64, d).max(axis=0)
    return np.maximum(wide, np.maximum(rest.max(axis=0, initial=0.0), -rest.min(axis=0, initial=0.0)))


def logistic_sums(X, y, w, offset, hess):
    """(sum, gradient, Hessian or None) of the summed logistic loss at w:
    theta, and theta_0 last if there is an offset.

    With z the margins and e = exp(-z), the loss is log(1 + e), its slope -p
    with p = e / (1 + e), its curvature p / (1 + e), all without cancellation.
    Where e would overflow, a margin below -700, the loss is -z in any case.

    Book: eq-block-sums.
    """
    (n, d), size = X.shape, len(w)
    theta, theta_0 = w[:d], w[d] if offset else 0.0
    total, g = 0.0, np.zeros(size)
    H = np.zeros((size, size)) if hess else None
    length = min(n, block_length(d))
    weighted = np.empty((length, d)) if hess else None
    for start in range(0, n, length):
        B, labels = X[start : start + length], y[start : start + length]
        z = B @ theta
        if offset:
            z += theta_0
        z *= labels
        if z.min() < -700.0:
            total += -(z[z < -700.0] + 700.0).sum()
            np.maximum(z, -700.0, out=z)
        e = np.exp(np.negative(z, out=z), out=z)
        total += np.log1p(e).sum()
        one_and_e = e + 1.0
        p = np.divide(e, one_and_e, out=e)
        if hess:
            curvature = p / one_and_e
            A = np.multiply(B, np.sqrt(curvature)[:, None], out=weighted[: len(B)])
            H[:d, :d] += A.T @ A
            if offset:
                H[d, :d] += curvature @ B
                H[d, d] += curvature.sum()
        p *= labels
        g[:d] -= p @ B
        if offset:
            g[d] -= p.sum()
    if hess and offset:
        H[:d, d] = H[d, :d]
    return float(total), g, H


def class_sums(X, y, n_classes):
    """(how often each class occurs, the sum of its rows): all that the softmax risk needs to know of the labels."""
    counts, sums = np.zeros(n_classes), np.zeros((n_classes, X.shape[1]))
    length = block_length(X.shape[1])
    for start in range(0, len(X), length):
        labels = y[start : start + length]
        own = (labels == np.arange(n_classes)[:, None]).astype(float)
        counts += own.sum(axis=1)
        sums += own @ X[start : start + length]
    return counts, sums


def softmax_sums(X, W, offset, hess):
    """(sum of log sum_k exp(s_k), sums of p_k (x, 1), Hessian or None) at W, a row (theta_k, theta_0k) per class.

    The summed cross-entropy is the first minus sum_t s_{y_t}, and its gradient the second minus `class_sums`, so that
    labels need not be looked at again. With Z = P (x) A the Hessian is the block diagonal of Z'A minus Z'Z; on the
    diagonal p - p^2 is taken as p (1 - p), which keeps its digits where p is nearly 1.
    """
    (n, d), (k, m) = X.shape, W.shape
    total, g = 0.0, np.zeros((k, m))
    H = np.zeros((k * m, k * m)) if hess else None
    length = min(n, block_length(d * k if hess else d))
    A = np.ones((length, m))
    Z = np.empty((length, k, m)) if hess else None
    for start in range(0, n, length):
        B = X[start : start + length]
        S = W[:, :d] @ B.T
        if offset:
            S += W[:, d:]
        largest = S.max(axis=0)
        S -= largest
        P = np.exp(S, out=S)
        sums = P.sum(axis=0)
        total += largest.sum() + np.log(sums).sum()
        P /= sums
        g[:, :d] += P @ B
        if offset:
            g[:, d] += P.sum(axis=1)
        if hess:
            A[: len(B), :d] = B
            part = np.multiply(P.T[:, :, None], A[: len(B), None, :], out=Z[: len(B)]).reshape(len(B), k * m)
            rest = complements(P)
            curvature = -(part.T @ part)
            for j in range(k):
                own = slice(j * m, (j + 1) * m)
                curvature[own, own] = part[:, own].T @ (rest[j][:, None] * A[: len(B)])
            H += curvature
    return float(total), g, H


def complements(P):
    """1 - P for probabilities P, a column per example: for the most likely class the sum of the others."""
    rest, others = 1.0 - P, P.copy()
    top, at = P.argmax(axis=0), np.arange(P.shape[1])
    others[top, at] = 0.0
    rest[top, at] = others.sum(axis=0)
    return rest
