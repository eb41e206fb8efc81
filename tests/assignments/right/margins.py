"""Loops and plain sums: no matrix product anywhere."""

import math

import numpy as np


def dot(a, b):
    return sum(float(p) * float(q) for p, q in zip(a, b, strict=True))


def scores(theta, theta_0, X):
    return np.array([dot(theta, row) + theta_0 for row in X])


def margins(theta, theta_0, X, y):
    return np.array([label * (dot(theta, row) + theta_0) for row, label in zip(X, y, strict=True)])


def predict(theta, theta_0, X):
    return np.array([1 if s > 0 else -1 for s in scores(theta, theta_0, X)])


def signed_distances(theta, theta_0, X):
    length = math.hypot(*theta)
    return np.array([(dot(theta, row) + theta_0) / length for row in X])


def cosines(theta, X):
    return np.array([dot(theta, row) / (math.hypot(*theta) * math.hypot(*row)) for row in X])


def zero_one_error(theta, theta_0, X, y):
    wrong = 0
    for z in margins(theta, theta_0, X, y):
        if z <= 0:
            wrong += 1
    return wrong / len(y)


def affine_features(X):
    return np.array([[1.0, *row] for row in X])


def quadratic_features(X):
    d = X.shape[1]
    return np.array([[*row, *(row[i] * row[j] for i in range(d) for j in range(i, d))] for row in X])
