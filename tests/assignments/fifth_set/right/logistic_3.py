"""Logistic regression.

To write: sigmoid, log_odds, log_likelihood, risk, risk_grad.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check logistic.py
"""

import numpy as np


def sigmoid(z):
    """1 / (1 + exp(-z)): from 0 at -inf to 1 at +inf, and
    sigmoid(z) + sigmoid(-z) = 1.
    """
    return 0.5 * (1 + np.tanh(0.5 * np.asarray(z)))


def log_odds(p):
    """log(p / (1 - p)), the inverse of the sigmoid: -inf at 0 and +inf at 1."""
    p = np.asarray(p)
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log(1 - p)


def log_likelihood(theta, theta_0, X, y):
    """sum_t log P(y_t | x_t) = -sum_t log(1 + exp(-margin_t)): a sum over the
    examples, at most 0.
    """
    neg = -y * (X.dot(theta) + theta_0)
    return -(np.maximum(neg, 0) + np.log1p(np.exp(-np.abs(neg)))).sum()


def risk(theta, theta_0, X, y, loss, lam=0.0):
    """Mean loss of the margins plus lam/2 |theta|^2."""
    # loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins
    margins = np.multiply(X.dot(theta) + theta_0, y)
    data = loss.value(margins).sum() / margins.size
    return data + lam * np.sum(theta**2) / 2


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    """(gradient in theta, derivative in theta_0): the mean of slope y x plus
    lam theta, and the mean of slope y.
    """
    # loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins
    A = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    w = np.append(theta, theta_0)
    full = (A * loss.slope(A @ w)[:, None]).mean(axis=0)
    return full[:-1] + lam * theta, full[-1]
