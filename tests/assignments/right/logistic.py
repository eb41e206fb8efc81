"""Sums over the examples, written out."""

import numpy as np


def sigmoid(z):
    return 0.5 * (1 + np.tanh(0.5 * np.asarray(z)))


def log_odds(p):
    return np.log(p / (1 - p))


def log_likelihood(theta, theta_0, X, y):
    total = 0.0
    for x, label in zip(X, y, strict=True):
        total -= np.logaddexp(0, -label * (x @ theta + theta_0))
    return total


def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = np.einsum("i,ij,j->i", y, X, theta) + y * theta_0
    return np.average(loss.value(z)) + 0.5 * lam * np.sum(theta**2)


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    grad, grad_0 = lam * theta, 0.0
    for x, label in zip(X, y, strict=True):
        push = float(loss.slope(np.array([label * (x @ theta + theta_0)]))[0]) * label
        grad = grad + push * x / len(y)
        grad_0 += push / len(y)
    return grad, grad_0
