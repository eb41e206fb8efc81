"""Descent, one example at a time: a generator of batches, a running mean, arrays."""

from itertools import count
from math import ceil, sqrt

import numpy as np

from linclass.fit import Fit
from linclass.margins import LinearClassifier


def inverse_step(scale=1.0, shift=0.0):
    return lambda t: scale / (shift + t)


def inverse_sqrt_step(scale=1.0):
    return lambda t: scale / sqrt(t)


def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    push = -eta * loss.slope(y * (X @ theta + theta_0)) * y / len(y)
    return (1 - eta * lam) * theta + push @ X, theta_0 + push.sum()


def _batches(n, batch, sampling, rng):
    """The rows of one epoch's batches."""
    if sampling == "uniform":
        for _ in range(ceil(n / batch)):
            yield rng.integers(n, size=batch)
        return
    order = rng.permutation(n) if sampling == "shuffle" else range(n)
    order = list(order)
    while order:
        yield order[:batch]
        order = order[batch:]


class _Mean:
    def __init__(self, d):
        self.n, self.theta, self.theta_0 = 0, np.zeros(d), 0.0

    def add(self, theta, theta_0):
        self.n += 1
        self.theta = self.theta + (theta - self.theta) / self.n
        self.theta_0 = self.theta_0 + (theta_0 - self.theta_0) / self.n


def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    rate = eta if callable(eta) else lambda t: eta
    clock = count(1)
    theta, theta_0, mean = np.zeros(X.shape[1]), 0.0, _Mean(X.shape[1])
    ends = []
    for _ in range(epochs):
        for rows in _batches(len(y), batch, sampling, rng):
            theta, moved = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, rate(next(clock)))
            theta_0 = moved if offset else 0.0
            mean.add(theta, theta_0)
        ends.append((mean.theta, mean.theta_0) if keep == "average" else (theta, theta_0))
    history = [np.mean(loss.value(y * (X @ a + b))) + lam / 2 * (a @ a) for a, b in ends]
    chosen = int(np.argmin(history)) if keep == "best" else -1
    return Fit(LinearClassifier(*ends[chosen]), False, mean.n, np.array(history), f"{mean.n} steps, kept the {keep}")
