"""What a straight line knows: the offset as one more weight, einsum, and identities."""

import numpy as np


def _w(theta, theta_0):
    return np.concatenate(([theta_0], theta))


def affine_features(X):
    return np.insert(X.astype(float), 0, 1.0, axis=1)


def scores(theta, theta_0, X):
    return np.einsum("j,tj->t", _w(theta, theta_0), affine_features(X))


def margins(theta, theta_0, X, y):
    signed = np.einsum("t,tj->tj", y, affine_features(X))
    return signed @ _w(theta, theta_0)


def predict(theta, theta_0, X):
    # 2 [s > 0] - 1
    return 2 * (scores(theta, theta_0, X) > 0).astype(int) - 1


def signed_distances(theta, theta_0, X):
    norm = np.einsum("j,j->", theta, theta) ** 0.5
    return scores(theta / norm, theta_0 / norm, X)


def cosines(theta, X):
    unit = theta / np.linalg.norm(theta)
    rows = X / np.linalg.norm(X, axis=1, keepdims=True)
    return np.einsum("tj,j->t", rows, unit)


def zero_one_error(theta, theta_0, X, y):
    right = (margins(theta, theta_0, X, y) > 0).astype(float)
    return 1.0 - right.sum() / right.size


def quadratic_features(X):
    n, d = X.shape
    outer = np.einsum("ti,tj->tij", X, X).reshape(n, d * d)
    upper = np.arange(d * d)[np.triu(np.ones((d, d), dtype=bool)).ravel()]
    return np.hstack([X, outer[:, upper]])
