"""What a straight line knows.

To write: scores, margins, predict, signed_distances, cosines, zero_one_error, affine_features, quadratic_features.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check margins.py
"""

import numpy as np


def scores(theta, theta_0, X):
    """Scores theta . x + theta_0, one per row of X."""
    return np.einsum("ij,j->i", X, theta) + theta_0


def margins(theta, theta_0, X, y):
    """Margins y (theta . x + theta_0): positive where the sign of the score is
    the label.
    """
    return np.multiply(y, X.dot(theta) + theta_0)


def predict(theta, theta_0, X):
    """Labels in {-1, +1}: +1 where the score is positive, -1 elsewhere, and so
    -1 at score 0.
    """
    positive = X.dot(theta) + theta_0 > 0
    return 2 * positive.astype(int) - 1


def signed_distances(theta, theta_0, X):
    """Signed distances (theta . x + theta_0) / |theta| to the boundary,
    positive on the side theta points to.
    """
    # theta is not zero
    unit = theta / np.sqrt(theta.dot(theta))
    shift = theta_0 / np.sqrt(theta.dot(theta))
    return X.dot(unit) + shift


def cosines(theta, X):
    """Cosine of the angle between theta and each row of X: theta . x / (|theta| |x|)."""
    # neither theta nor a row of X is zero
    unit_rows = X / np.sqrt((X**2).sum(axis=1, keepdims=True))
    return unit_rows.dot(theta / np.linalg.norm(theta))


def zero_one_error(theta, theta_0, X, y):
    """Fraction of mistakes: the mean of [margin <= 0]. A score of exactly 0 counts as a mistake for either label."""
    z = y * (X.dot(theta) + theta_0)
    return np.count_nonzero(z <= 0) / z.size


def affine_features(X):
    """A column of ones, then X: with it the offset theta_0 is one more entry of theta."""
    n, d = X.shape
    F = np.ones((n, d + 1))
    F[:, 1:] = X
    return F


def quadratic_features(X):
    """The inputs, then all products x_i x_j with i <= j, d + d (d + 1) / 2 columns: x_1 x_1, x_1 x_2, …, x_2 x_2, …"""
    d = X.shape[1]
    blocks = [X] + [X[:, [i]] * X[:, i:] for i in range(d)]
    return np.concatenate(blocks, axis=1)
