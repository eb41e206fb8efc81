"""A generator of batches, and the whole state in one tuple."""

import numpy as np

from linclass.fit import Fit
from linclass.margins import LinearClassifier


def inverse_step(scale=1.0, shift=0.0):
    def eta(t):
        return scale / (shift + t)

    return eta


def inverse_sqrt_step(scale=1.0):
    return lambda t: scale * t**-0.5


def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    slopes = np.asarray(loss.slope(y * (X @ theta + theta_0)))
    grad = np.mean(slopes[:, None] * y[:, None] * X, axis=0)
    return (1 - eta * lam) * theta - eta * grad, theta_0 - eta * np.mean(slopes * y)


def batches(n, batch, sampling, rng):
    if sampling == "uniform":
        for _ in range(-(-n // batch)):
            yield rng.integers(n, size=batch)
        return
    order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
    for first in range(0, n, batch):
        yield order[first : first + batch]


def objective(theta, theta_0, X, y, loss, lam):
    return float(np.mean(loss.value(y * (X @ theta + theta_0))) + lam / 2 * theta @ theta)


def fit_sgd(X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True):
    rule = eta if callable(eta) else lambda t: eta
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    total, total_0, t = np.zeros(X.shape[1]), 0.0, 0
    best, answer, history = np.inf, (theta, theta_0), []
    for _ in range(epochs):
        for rows in batches(len(y), batch, sampling, rng):
            t += 1
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, rule(t))
            theta_0 = new_0 if offset else 0.0
            total, total_0 = total + theta, total_0 + theta_0
        now = (total / t, total_0 / t) if keep == "average" else (theta, theta_0)
        history.append(objective(*now, X, y, loss, lam))
        if keep != "best" or history[-1] < best:
            best, answer = history[-1], now
    return Fit(LinearClassifier(answer[0], float(answer[1])), False, t, np.array(history), "no certificate")
