"""What a straight line knows: masks, broadcasting, index tricks."""

from itertools import combinations_with_replacement

import numpy as np


def scores(theta, theta_0, X):
    return (X * theta).sum(axis=1) + theta_0


def margins(theta, theta_0, X, y):
    z = scores(theta, theta_0, X)
    negative = y < 0
    z[negative] = -z[negative]
    return z


def predict(theta, theta_0, X):
    s = scores(theta, theta_0, X)
    labels = np.full(len(X), -1.0)
    labels[s > 0] = 1.0
    return labels


def signed_distances(theta, theta_0, X):
    """Distance from a point of the boundary, along the unit normal."""
    normal = theta / np.sqrt(np.sum(theta**2))
    foot = -theta_0 * theta / np.sum(theta**2)
    return (X - foot) @ normal


def cosines(theta, X):
    dots = np.sum(X * theta[None, :], axis=-1)
    squares = np.sum(X * X, axis=-1) * np.sum(theta * theta)
    return dots / np.sqrt(squares)


def zero_one_error(theta, theta_0, X, y):
    s = scores(theta, theta_0, X)
    mistakes = np.zeros(len(y), dtype=bool)
    mistakes |= (y > 0) & ~(s > 0)
    mistakes |= (y < 0) & ~(s < 0)
    return np.count_nonzero(mistakes) / len(mistakes)


def affine_features(X):
    return np.column_stack((np.ones(X.shape[0]), X))


def quadratic_features(X):
    columns = list(X.T)
    products = [a * b for a, b in combinations_with_replacement(X.T, 2)]
    return np.stack(columns + products, axis=1)
