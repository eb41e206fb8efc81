"""What a straight line knows: scores, margins, distances, mistakes.

A linear classifier is a pair (theta, theta_0). It gives an example x the score theta . x + theta_0 and predicts
its sign. The margin of (x, y) is y times the score: positive when the example is classified correctly.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.
"""

from dataclasses import dataclass

import numpy as np

from linclass import _checks


def scores(theta, theta_0, X):
    """Scores theta . x + theta_0, one per row of X.

    Book: eq-score.
    """
    theta = _checks.vector("theta", theta)
    X = _checks.matrix("X", X, columns=len(theta))
    with np.errstate(over="ignore", invalid="ignore"):
        return X @ theta + _checks.scalar("theta_0", theta_0)


def margins(theta, theta_0, X, y):
    """Margins y (theta . x + theta_0): positive where the sign of the score is the label.

    Book: eq-margin.
    """
    s = scores(theta, theta_0, X)
    return _checks.signs("y", y, len(s)) * s


def predict(theta, theta_0, X):
    """Labels in {-1, +1}: +1 where the score is positive, -1 elsewhere, and so -1 at score 0.

    Book: eq-sign-rule.
    """
    s = scores(theta, theta_0, X)
    if np.isnan(s).any():
        _checks.fail("X", "without NaN", f"a score that is NaN at row {_checks.first_index(np.isnan(s))}")
    return np.where(s > 0, 1.0, -1.0)


def signed_distances(theta, theta_0, X):
    """Signed distances (theta . x + theta_0) / |theta| to the boundary, positive on the side theta points to.

    Book: eq-distance.
    """
    theta = _checks.vector("theta", theta)
    size = _size("theta", theta)  # a first division, so that no square overflows
    return scores(theta / size, theta_0 / size, X) / np.linalg.norm(theta / size)


def cosines(theta, X):
    """Cosine of the angle between theta and each row of X: theta . x / (|theta| |x|).

    Book: eq-cosine.
    """
    theta = _checks.vector("theta", theta)
    X = _checks.matrix("X", X, columns=len(theta))
    sizes = np.max(np.abs(X), axis=1)
    if (sizes == 0).any():
        _checks.fail("X", "without zero rows (the zero vector has no angle)", f"row {_checks.first_index(sizes == 0)}")
    units = X / sizes[:, None]
    units = units / np.linalg.norm(units, axis=1)[:, None]
    direction = theta / _size("theta", theta)
    return np.clip(units @ (direction / np.linalg.norm(direction)), -1.0, 1.0)


def _size(name, vector):
    """The largest entry in absolute value, which must not be 0."""
    size = np.max(np.abs(vector)) if len(vector) else 0.0
    if size == 0:
        _checks.fail(name, "a vector that is not zero (it is the boundary's normal)", _checks.describe(vector))
    return size


def zero_one_error(theta, theta_0, X, y):
    """Fraction of mistakes: the mean of [margin <= 0]. A score of exactly 0 counts as a mistake for either label.

    Book: eq-training-error.
    """
    z = margins(theta, theta_0, X, y)
    return float(np.mean(z <= 0)) if not np.isnan(z).any() else float("nan")


def affine_features(X):
    """A column of ones, then X: with it the offset theta_0 is one more entry of theta.

    Book: eq-affine-features.
    """
    X = _checks.matrix("X", X)
    return np.column_stack([np.ones(len(X)), X])


def quadratic_features(X):
    """The inputs, then all products x_i x_j with i <= j: d + d (d + 1) / 2 columns.

    Book: eq-quadratic-features.
    """
    X = _checks.matrix("X", X)
    i, j = np.triu_indices(X.shape[1])
    return np.column_stack([X, X[:, i] * X[:, j]])


@dataclass(frozen=True)
class LinearClassifier:
    """A linear classifier: its parameters, and what it says of new examples."""

    theta: np.ndarray
    theta_0: float

    def scores(self, X):
        """Scores of the rows of X, which must be finite."""
        return scores(self.theta, self.theta_0, _checks.matrix("X", X, columns=len(self.theta), finite=True))

    def predict(self, X):
        """Labels in {-1, +1} of the rows of X."""
        return predict(self.theta, self.theta_0, _checks.matrix("X", X, columns=len(self.theta), finite=True))
