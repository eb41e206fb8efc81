"""Logistic regression: masks where a formula has two safe halves, arrays elsewhere."""

import numpy as np


def sigmoid(z):
    z = np.asarray(z, dtype=float)
    e = np.exp(-np.abs(z))  # never above 1
    return np.where(z < 0, e, 1.0) / (1.0 + e)


def log_odds(p):
    p = np.asarray(p, dtype=float)
    out = np.empty(p.shape)
    inside = (p > 0) & (p < 1)
    out[p <= 0] = -np.inf
    out[p >= 1] = np.inf
    out[inside] = np.log(p[inside]) - np.log1p(-p[inside])
    return out


def _margins(theta, theta_0, X, y):
    s = X @ theta + theta_0
    return np.where(y > 0, s, -s)


def log_likelihood(theta, theta_0, X, y):
    z = _margins(theta, theta_0, X, y)
    terms = np.log1p(np.exp(-np.abs(z)))
    terms[z < 0] -= z[z < 0]
    return float(-terms.sum())


def risk(theta, theta_0, X, y, loss, lam=0.0):
    mean = np.average(loss.value(_margins(theta, theta_0, X, y)))
    return float(mean + lam * np.sum(np.square(theta)) / 2)


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    push = loss.slope(_margins(theta, theta_0, X, y)) * y
    return (push[:, None] * X).mean(axis=0) + lam * theta, push.mean()
