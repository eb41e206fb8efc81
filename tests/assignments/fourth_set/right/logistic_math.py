"""Logistic regression: pure Python and math, example by example."""

import math

import numpy as np


def _sigmoid(v):
    if v >= 0:
        return 1 / (1 + math.exp(-v))
    e = math.exp(v)
    return e / (1 + e)


def _logit(p):
    if p <= 0:
        return -math.inf
    if p >= 1:
        return math.inf
    return math.log(p) - math.log1p(-p)


def _map(function, a):
    a = np.asarray(a, dtype=float)
    return np.array([function(float(v)) for v in a.flat]).reshape(a.shape)


def sigmoid(z):
    return _map(_sigmoid, z)


def log_odds(p):
    return _map(_logit, p)


def _margin(theta, theta_0, x, label):
    return label * (sum(float(a) * float(b) for a, b in zip(theta, x)) + theta_0)


def log_likelihood(theta, theta_0, X, y):
    total = 0.0
    for x, label in zip(X, y):
        z = _margin(theta, theta_0, x, label)
        if z > 0:
            total -= math.log1p(math.exp(-z))
        else:
            total -= math.log1p(math.exp(z)) - z
    return total


def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = np.array([_margin(theta, theta_0, x, label) for x, label in zip(X, y)])
    value = math.fsum(loss.value(z)) / len(z)
    for entry in theta:
        value += 0.5 * lam * float(entry) ** 2
    return value


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    z = np.array([_margin(theta, theta_0, X[t], y[t]) for t in range(n)])
    slope = loss.slope(z)
    gradient = [0.0] * d
    derivative = 0.0
    for t in range(n):
        push = slope[t] * y[t] / n
        derivative += push
        for j in range(d):
            gradient[j] += push * X[t, j]
    for j in range(d):
        gradient[j] += lam * theta[j]
    return np.array(gradient), derivative
