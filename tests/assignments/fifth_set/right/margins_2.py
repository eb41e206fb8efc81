"""What a straight line knows.

To write: scores, margins, predict, signed_distances, cosines, zero_one_error, affine_features, quadratic_features.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check margins.py
"""

import numpy as np


def scores(theta, theta_0, X):
    """Scores theta . x + theta_0, one per row of X."""
    out = []
    for row in X:
        s = theta_0
        for a, b in zip(theta, row):
            s += a * b
        out.append(s)
    return np.array(out)


def margins(theta, theta_0, X, y):
    """Margins y (theta . x + theta_0): positive where the sign of the score is
    the label.
    """
    s = scores(theta, theta_0, X)
    return np.array([s[i] * y[i] for i in range(len(y))])


def predict(theta, theta_0, X):
    """Labels in {-1, +1}: +1 where the score is positive, -1 elsewhere, and so
    -1 at score 0.
    """
    labels = []
    for s in scores(theta, theta_0, X):
        if s > 0:
            labels.append(1)
        else:
            labels.append(-1)
    return np.array(labels)


def signed_distances(theta, theta_0, X):
    """Signed distances (theta . x + theta_0) / |theta| to the boundary,
    positive on the side theta points to.
    """
    # theta is not zero
    length = sum(t * t for t in theta) ** 0.5
    return np.array([s / length for s in scores(theta, theta_0, X)])


def cosines(theta, X):
    """Cosine of the angle between theta and each row of X: theta . x / (|theta| |x|)."""
    # neither theta nor a row of X is zero
    result = np.zeros(X.shape[0])
    for i, x in enumerate(X):
        result[i] = np.dot(theta, x) / np.sqrt(np.dot(theta, theta)) / np.sqrt(np.dot(x, x))
    return result


def zero_one_error(theta, theta_0, X, y):
    """Fraction of mistakes: the mean of [margin <= 0]. A score of exactly 0 counts as a mistake for either label."""
    wrong = 0
    for m in margins(theta, theta_0, X, y):
        if m <= 0:
            wrong += 1
    return wrong / len(y)


def affine_features(X):
    """A column of ones, then X: with it the offset theta_0 is one more entry of theta."""
    return np.array([[1.0] + list(row) for row in X])


def quadratic_features(X):
    """The inputs, then all products x_i x_j with i <= j, d + d (d + 1) / 2 columns: x_1 x_1, x_1 x_2, …, x_2 x_2, …"""
    rows = []
    for x in X:
        feats = list(x)
        for i in range(len(x)):
            for j in range(i, len(x)):
                feats.append(x[i] * x[j])
        rows.append(feats)
    return np.array(rows)
