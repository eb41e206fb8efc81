"""Loops that go from one example to the next, compiled by Numba where that is installed (the extra `fast`).

Each is plain Python that says the same steps in the same order; without Numba nothing here is called. In what order a
scalar product adds its terms is for the compiler to say here and for BLAS elsewhere, so its last digit may differ.
"""

import functools
import importlib.util
import math

MANY = 10_000  # examples from which on it pays to load Numba: measured, half a second once
AS_SUITS = {"reassoc", "contract"}  # sums in any order, and a product with its sum in one rounding; nothing else

PERCEPTRON, HINGE, LOGISTIC, SQUARED, _ = range(5)
CODES = dict(zip(("perceptron", "hinge", "logistic", "squared", "modified_squared"), range(5), strict=True))


def available(examples):
    """Is Numba there, and are there examples enough?"""
    return examples >= MANY and importlib.util.find_spec("numba") is not None


@functools.cache
def compiled(loop):
    """The loop as machine code, which Numba keeps for the next time."""
    import numba

    return numba.njit(cache=True, fastmath=AS_SUITS)(loop)


# Eight parameters, and numbers alone among them: what Numba compiles to a loop.
def sgd(w, X, y, etas, lam, loss, offset, total):
    """Steps on one example each: w = (theta, theta_0) changes in place, and so does `total`, to which each w is added.

    An empty `total` means that no sum is asked for.
    """
    d = len(w) - 1
    for t in range(len(y)):
        s = 0.0
        for j in range(d):
            s += X[t, j] * w[j]
        z = y[t] * (s + w[d])
        if loss == PERCEPTRON:
            slope = -1.0 if z <= 0 else 0.0
        elif loss == HINGE:
            slope = -1.0 if z <= 1 else 0.0
        elif loss == LOGISTIC:
            slope = -1.0 / (1.0 + math.exp(z)) if z < 0 else -math.exp(-z) / (1.0 + math.exp(-z))
        else:
            slope = -2.0 * (1.0 - z) if z < 1 or loss == SQUARED else 0.0
        pull = slope * y[t]
        if pull != 0.0 or lam != 0.0:
            for j in range(d):
                w[j] -= etas[t] * (lam * w[j] + pull * X[t, j])
        if offset:
            w[d] -= etas[t] * pull
        if len(total):
            for j in range(d + 1):
                total[j] += w[j]


def perceptron(A, w, at, doubt, rounding):
    """(row, mistakes, doubt): on through the rows y (x, 1) of A up to one whose margin is as small as rounding.

    At each mistake w changes in place, and what rounding may hide grows.
    """
    mistakes = 0
    for i in range(at, len(A)):
        z = 0.0
        for j in range(len(w)):
            z += A[i, j] * w[j]
        if z < -doubt:
            for j in range(len(w)):
                w[j] += A[i, j]
            mistakes += 1
            doubt += rounding
        elif z <= doubt:
            return i, mistakes, doubt
    return len(A), mistakes, doubt
