"""Logistic regression: tanh and artanh, logaddexp, homogeneous coordinates with a diagonal penalty."""

import numpy as np


def sigmoid(z):
    # 1 / (1 + e^-z) = (1 + tanh(z / 2)) / 2
    return 0.5 + 0.5 * np.tanh(0.5 * np.asarray(z))


def log_odds(p):
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log(1 - np.asarray(p))


def _homogeneous(theta, theta_0, X, y):
    A = np.einsum("t,tj->tj", y, np.c_[X, np.ones(len(X))])
    return np.append(theta, theta_0), A


def log_likelihood(theta, theta_0, X, y):
    w, A = _homogeneous(theta, theta_0, X, y)
    return -np.logaddexp(0.0, -(A @ w)).sum()


def risk(theta, theta_0, X, y, loss, lam=0.0):
    w, A = _homogeneous(theta, theta_0, X, y)
    D = np.diag([lam] * len(theta) + [0.0])
    return np.dot(np.full(len(y), 1 / len(y)), loss.value(A @ w)) + 0.5 * w @ D @ w


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    w, A = _homogeneous(theta, theta_0, X, y)
    D = np.diag([lam] * len(theta) + [0.0])
    g = np.einsum("tj,t->j", A, loss.slope(A @ w)) / len(A) + D @ w
    return g[:-1], g[-1]
