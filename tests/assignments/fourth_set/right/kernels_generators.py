"""Kernels: generators and iterators, one row or one iterate at a time."""

import itertools
import math
import operator

import numpy as np

from linclass.representer import KernelDescent


def _rows(X, Z, row_of):
    """An array whose row i is row_of(X[i]), of the right shape even if empty."""
    return np.array([row_of(x) for x in X], dtype=float).reshape(len(X), len(Z))


def linear_kernel(X, Z):
    return _rows(X, Z, lambda x: Z @ x)


def polynomial_kernel(X, Z, degree, constant):
    def power(base):
        return math.prod(itertools.repeat(float(base), degree)) if degree == int(degree) else float(base) ** degree

    return _rows(X, Z, lambda x: [power(sum(map(operator.mul, x, z)) + constant) for z in Z])


def rbf_kernel(X, Z, tau):
    return _rows(X, Z, lambda x: [math.exp(-0.5 * (math.dist(x, z) / tau) ** 2) for z in Z])


def min_kernel(x, z):
    return _rows(x, z, lambda a: np.minimum(a, z))


def _scores(alpha, K, theta_0):
    for row in K:
        yield row.dot(alpha) + theta_0


def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    each = (loss.value(s, target) for s, target in zip(_scores(alpha, K, theta_0), y))
    square = sum(a * s for a, s in zip(alpha, _scores(alpha, K, 0.0)))
    return sum(each) / len(y) + 0.5 * lam * square


def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    m = len(y)
    gradient = np.zeros(m)
    for s, target, a, column in zip(_scores(alpha, K, theta_0), y, alpha, K.T):
        gradient = gradient + (loss.slope(s, target) / m + lam * a) * column
    return gradient


def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    column = K[:, i]
    bracket = (loss.slope(np.dot(column, alpha), y[i]) + len(alpha) * lam * alpha[i]) * column
    return np.subtract(alpha, eta * bracket)


def _walk(K, y, loss, lam, eta, rng, step):
    alpha = np.zeros(len(y))
    for t in itertools.count(1):
        i = rng.integers(len(y))
        alpha = step(alpha, i, K, y, loss, lam, eta(t) if callable(eta) else eta)
        yield t, alpha


def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    m, history, alpha = len(y), [], np.zeros(len(y))
    for t, alpha in itertools.islice(_walk(K, y, loss, lam, eta, rng, step or kernel_sgd_step), steps):
        if t == steps or not t % m:
            history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, steps, np.array(history), "done")
