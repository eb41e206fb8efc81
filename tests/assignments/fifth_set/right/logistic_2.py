"""Logistic regression.

To write: sigmoid, log_odds, log_likelihood, risk, risk_grad.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check logistic.py
"""

import math

import numpy as np


def sigmoid(z):
    """1 / (1 + exp(-z)): from 0 at -inf to 1 at +inf, and
    sigmoid(z) + sigmoid(-z) = 1.
    """
    z = np.asarray(z, dtype=float)
    out = np.zeros(z.shape)
    for idx in np.ndindex(z.shape):
        v = z[idx]
        if v >= 0:
            out[idx] = 1 / (1 + math.exp(-v))
        else:
            out[idx] = math.exp(v) / (1 + math.exp(v))
    return out


def log_odds(p):
    """log(p / (1 - p)), the inverse of the sigmoid: -inf at 0 and +inf at 1."""
    p = np.asarray(p, dtype=float)
    out = np.zeros(p.shape)
    for idx in np.ndindex(p.shape):
        q = p[idx]
        if q == 0:
            out[idx] = -math.inf
        elif q == 1:
            out[idx] = math.inf
        else:
            out[idx] = math.log(q / (1 - q))
    return out


def log_likelihood(theta, theta_0, X, y):
    """sum_t log P(y_t | x_t) = -sum_t log(1 + exp(-margin_t)): a sum over the
    examples, at most 0.
    """
    total = 0.0
    for x, label in zip(X, y):
        m = label * (sum(a * b for a, b in zip(theta, x)) + theta_0)
        if m > 0:
            total -= math.log1p(math.exp(-m))
        else:
            total -= -m + math.log1p(math.exp(m))
    return total


def risk(theta, theta_0, X, y, loss, lam=0.0):
    """Mean loss of the margins plus lam/2 |theta|^2."""
    # loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins
    z = np.array([label * (np.dot(theta, x) + theta_0) for x, label in zip(X, y)])
    penalty = 0.0
    for w in theta:
        penalty += w**2
    return sum(loss.value(z)) / len(z) + 0.5 * lam * penalty


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    """(gradient in theta, derivative in theta_0): the mean of slope y x plus
    lam theta, and the mean of slope y.
    """
    # loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins
    n = len(y)
    grad = lam * theta
    grad_0 = 0.0
    z = np.array([y[i] * (np.dot(theta, X[i]) + theta_0) for i in range(n)])
    slopes = loss.slope(z)
    for i in range(n):
        grad = grad + slopes[i] * y[i] * X[i] / n
        grad_0 += slopes[i] * y[i] / n
    return grad, grad_0
