"""What a straight line knows.

To write: scores, margins, predict, signed_distances, cosines, zero_one_error, affine_features, quadratic_features.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check margins.py
"""

import numpy as np


def scores(theta, theta_0, X):
    """Scores theta . x + theta_0, one per row of X."""
    return X @ theta + theta_0


def margins(theta, theta_0, X, y):
    """Margins y (theta . x + theta_0): positive where the sign of the score is
    the label.
    """
    return y * scores(theta, theta_0, X)


def predict(theta, theta_0, X):
    """Labels in {-1, +1}: +1 where the score is positive, -1 elsewhere, and so
    -1 at score 0.
    """
    return np.where(scores(theta, theta_0, X) > 0, 1, -1)


def signed_distances(theta, theta_0, X):
    """Signed distances (theta . x + theta_0) / |theta| to the boundary,
    positive on the side theta points to.
    """
    # theta is not zero
    return scores(theta, theta_0, X) / np.linalg.norm(theta)


def cosines(theta, X):
    """Cosine of the angle between theta and each row of X: theta . x / (|theta| |x|)."""
    # neither theta nor a row of X is zero
    return X @ theta / (np.linalg.norm(theta) * np.linalg.norm(X, axis=1))


def zero_one_error(theta, theta_0, X, y):
    """Fraction of mistakes: the mean of [margin <= 0]. A score of exactly 0 counts as a mistake for either label."""
    return np.mean(margins(theta, theta_0, X, y) <= 0)


def affine_features(X):
    """A column of ones, then X: with it the offset theta_0 is one more entry of theta."""
    return np.column_stack([np.ones(len(X)), X])


def quadratic_features(X):
    """The inputs, then all products x_i x_j with i <= j, d + d (d + 1) / 2 columns: x_1 x_1, x_1 x_2, …, x_2 x_2, …"""
    i, j = np.triu_indices(X.shape[1])
    return np.hstack([X, X[:, i] * X[:, j]])
