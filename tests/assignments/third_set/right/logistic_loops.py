import math

import numpy as np


def sigmoid(z):
    flat = [1 / (1 + math.exp(-v)) if v > -700 else 0.0 for v in np.ravel(z)]
    return np.array(flat).reshape(np.shape(z))


def log_odds(p):
    def one(q):
        if q == 0:
            return -math.inf
        if q == 1:
            return math.inf
        return math.log(q) - math.log(1 - q)

    return np.array([one(q) for q in np.ravel(p)]).reshape(np.shape(p))


def log_likelihood(theta, theta_0, X, y):
    total = 0.0
    for x, label in zip(X, y):
        z = label * (sum(a * b for a, b in zip(theta, x)) + theta_0)
        total -= math.log1p(math.exp(-z)) if z > 0 else math.log1p(math.exp(z)) - z
    return total


def risk(theta, theta_0, X, y, loss, lam=0.0):
    total = 0.0
    for x, label in zip(X, y):
        total += loss.value(np.array([label * (x @ theta + theta_0)]))[0]
    return total / len(y) + lam * sum(t * t for t in theta) / 2


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    gradient, derivative = lam * theta, 0.0
    for x, label in zip(X, y):
        slope = loss.slope(np.array([label * (x @ theta + theta_0)]))[0]
        gradient = gradient + slope * label * x / len(y)
        derivative += slope * label / len(y)
    return gradient, derivative
