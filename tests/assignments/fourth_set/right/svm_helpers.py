"""Support vector machines: small helpers, homogeneous coordinates, constraints as generated rows."""

import math
from fractions import Fraction

import numpy as np


def _reciprocal_of_product(a, b):
    return float(1 / (Fraction(a) * Fraction(b)))


def _homogeneous(X):
    return np.hstack([X, np.ones((X.shape[0], 1))])


def _unit(size, k, height=1.0):
    e = np.zeros(size)
    e[k] = height
    return e


def lam_from_C(C, n):
    return _reciprocal_of_product(C, n)


def C_from_lam(lam, n):
    return _reciprocal_of_product(lam, n)


def slacks(theta, theta_0, X, y):
    w = np.append(theta, theta_0)
    z = (_homogeneous(X) * y[:, np.newaxis]).dot(w)
    return np.where(z < 1, 1 - z, 0.0)


def margin_width(theta):
    return 2.0 / math.hypot(*(float(v) for v in theta))


def dual_objective(dual, K, y):
    alpha = dual * y
    scores = K @ alpha
    gain_per_example = dual - 0.5 * alpha * scores
    return math.fsum(gain_per_example.tolist())


def quadratic_program(X, y, C):
    n, d = X.shape
    size = d + 1 + n

    def constraints():
        for t, row in enumerate(_homogeneous(X)):
            # z_t + xi_t >= 1, turned round
            left = np.zeros(size)
            left[: d + 1] = y[t] * row
            left[d + 1 + t] = 1
            yield -left, -1.0
        for t in range(n):
            yield _unit(size, d + 1 + t, -1.0), 0.0

    rows, bounds = zip(*constraints())
    H = sum(np.outer(_unit(size, j), _unit(size, j)) for j in range(d))
    c = sum(_unit(size, d + 1 + t, C) for t in range(n))
    return H, c, np.array(rows), np.array(bounds)
