"""What a straight line knows: scores, margins, distances, mistakes.

A linear classifier is a pair (theta, theta_0). It gives an example x the score theta . x + theta_0 and predicts
its sign. The margin of (x, y) is y times the score: positive when the example is classified correctly.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.
"""

from dataclasses import dataclass

import numpy as np

from linclass import _checks, _rows
from linclass._checks import gives, takes

__all__ = [
    "LinearClassifier",
    "affine_features",
    "best_line",
    "cosines",
    "from_gaussians",
    "from_naive_bayes",
    "margins",
    "predict",
    "quadratic_features",
    "scores",
    "signed_distances",
    "zero_one_error",
]


@takes(theta="d", X="n d", theta_0="")
def scores(theta, theta_0, X):
    """Scores theta . x + theta_0, one per row of X.

    Book: eq-score.
    """
    return X @ theta + theta_0


@takes(theta="d", X="n d", theta_0="", y="n signs")
def margins(theta, theta_0, X, y):
    """Margins y (theta . x + theta_0): positive where the sign of the score is
    the label.

    Book: eq-margin.
    """
    return y * scores(theta, theta_0, X)


def _labels(answer):
    """The labels, none of them NaN."""
    if np.isnan(answer).any():
        _checks.fail("X", "without NaN", f"a score that is NaN at row {_checks.first_index(np.isnan(answer))}")
    return answer


@gives(_labels)
@takes(theta="d", X="n d", theta_0="")
def predict(theta, theta_0, X):
    """Labels in {-1, +1}: +1 where the score is positive, -1 elsewhere, and so
    -1 at score 0.

    Book: eq-sign-rule.
    """
    s = scores(theta, theta_0, X)
    return np.select([s > 0, s <= 0], [1.0, -1.0], np.nan)


@takes(theta="d nonzero", theta_0="", X="n d")
def signed_distances(theta, theta_0, X):
    """Signed distances (theta . x + theta_0) / |theta| to the boundary,
    positive on the side theta points to.

    Book: eq-distance.
    """
    size = np.max(np.abs(theta))  # divided by first: no square overflows
    theta, theta_0 = theta / size, theta_0 / size
    length = np.linalg.norm(theta)
    return scores(theta / length, theta_0 / length, X)


@takes(theta="d nonzero", X="n d nonzero")
def cosines(theta, X):
    """Cosine of the angle between theta and each row of X: theta . x / (|theta| |x|).

    Book: eq-cosine.
    """
    X = X / np.max(np.abs(X), axis=1)[:, None]  # no square overflows
    theta = theta / np.max(np.abs(theta))
    lengths = np.linalg.norm(X, axis=1) * np.linalg.norm(theta)
    return np.clip(X @ theta / lengths, -1.0, 1.0)


@takes(theta="d", X="n d", theta_0="", y="n signs")
def zero_one_error(theta, theta_0, X, y):
    """Fraction of mistakes: the mean of [margin <= 0]. A score of exactly 0 counts as a mistake for either label.

    Book: eq-training-error.
    """
    z = margins(theta, theta_0, X, y)
    return float(np.mean(np.where(np.isnan(z), z, z <= 0)))


@takes(X="n d")
def affine_features(X):
    """A column of ones, then X: with it the offset theta_0 is one more entry of theta.

    Book: eq-affine-features.
    """
    return np.column_stack([np.ones(len(X)), X])


@takes(X="n d")
def quadratic_features(X):
    """The inputs, then all products x_i x_j with i <= j, d + d (d + 1) / 2 columns: x_1 x_1, x_1 x_2, …, x_2 x_2, …

    Book: eq-quadratic-features.
    """
    i, j = np.triu_indices(X.shape[1])
    return np.column_stack([X, X[:, i] * X[:, j]])


def _two_places(X, y):
    """Refuse points that are all in one place."""
    if (X == X[0]).all():
        _checks.fail("X", "at least two different points", f"{len(X)} in one place")


@takes(_two_places, X="n 2 finite", y="n signs")
def best_line(X, y):
    """The line in the plane with the fewest training errors, by trying every
    line through two points: (theta, theta_0).

    Each candidate is turned a little so that its own two points come out
    right. About n^3 work; exact where no three points lie on one line.

    Book: thm-best-line.
    """
    i, j = np.triu_indices(len(X), 1)
    apart = (X[j] != X[i]).any(axis=1)
    i, j = i[apart], j[apart]
    along = X[j] - X[i]
    normals = np.column_stack([-along[:, 1], along[:, 0]])
    z = (normals @ X.T - np.sum(normals * X[i], axis=1)[:, None]) * y
    z[np.arange(len(i)), i] = z[np.arange(len(i)), j] = 0.0
    # Each line both ways round, those with the fewest mistakes first.
    i, j, normals = np.tile(i, 2), np.tile(j, 2), np.vstack([normals, -normals])
    errors = np.append(np.sum(z < 0, axis=1), np.sum(z > 0, axis=1))
    best, fewest = None, len(X) + 1
    for k in np.argsort(errors, kind="stable"):
        if errors[k] >= fewest:  # no later candidate can do better
            break
        line = _tip(X, y, i[k], j[k], normals[k])
        mistakes = np.sum(margins(*line, X, y) <= 0)
        if mistakes < fewest:
            best, fewest = line, mistakes
    return best


def _tip(X, y, i, j, normal):
    """Turn the line through points i and j, little enough that no other point crosses, so that both come out right."""
    along = (X[j] - X[i]) / np.sum((X[j] - X[i]) ** 2)  # a coordinate that is 0 at point i and 1 at point j
    place = (X - X[i]) @ along
    others = np.abs((X - X[i]) @ normal)[np.setdiff1d(np.arange(len(X)), [i, j])]
    room = np.min(others[others > 0], initial=np.sum(normal**2)) / (2 + 4 * np.max(np.abs(place)))
    theta = normal + room * (y[j] - y[i]) * along
    return theta, float(room * y[i] - theta @ X[i])


@takes(p_plus="d probabilities", p_minus="d probabilities", prior="probability")
def from_naive_bayes(p_plus, p_minus, prior=0.5):
    """The linear classifier of naive Bayes on binary features:
    (theta, theta_0).

    p_plus[j] = P(x_j = 1 | y = +1), p_minus[j] = P(x_j = 1 | y = -1),
    prior = P(y = +1). The score is the log-odds.

    Book: thm-naive-bayes-linear.
    """
    p, q = p_plus, p_minus
    theta = np.log(p / q) - np.log((1 - p) / (1 - q))
    theta_0 = np.sum(np.log((1 - p) / (1 - q))) + np.log(prior / (1 - prior))
    return theta, float(theta_0)


@takes(mean_plus="d", mean_minus="d", variances="d positive", prior="probability")
def from_gaussians(mean_plus, mean_minus, variances, prior=0.5):
    """The linear classifier of two Gaussian classes with the same variance in each coordinate: (theta, theta_0).

    The score is the log-odds of the class: theta = (mean_plus - mean_minus) / variances.

    Book: thm-gaussian-linear.
    """
    a, b, v = mean_plus, mean_minus, variances
    theta_0 = np.sum((b**2 - a**2) / (2 * v)) + np.log(prior / (1 - prior))
    return (a - b) / v, float(theta_0)


@dataclass(frozen=True)
class LinearClassifier:
    """A linear classifier: its parameters, and what it says of new examples."""

    theta: np.ndarray
    theta_0: float

    @_rows.by_chunks
    def scores(self, X):
        """Scores of the rows of X, which must be finite: dense, sparse, or of Dask, and then so is the answer."""
        X = _checks.rows("X", X, columns=len(self.theta))
        with _checks.as_checked():
            return scores(self.theta, self.theta_0, X)

    @_rows.by_chunks
    def predict(self, X):
        """Labels in {-1, +1} of the rows of X."""
        X = _checks.rows("X", X, columns=len(self.theta))
        with _checks.as_checked():
            return predict(self.theta, self.theta_0, X)
