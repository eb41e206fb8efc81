"""The perceptron: a line that learns from its mistakes alone.

It looks at one example after the other, in order, over and over, and moves only when it is wrong:

    if y (theta . x + theta_0) <= 0:  theta <- theta + y x,  theta_0 <- theta_0 + y

An epoch without a mistake proves that the data are separated. No number of epochs with mistakes proves that they
cannot be; `separability.find_separator` decides. Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.
"""

from dataclasses import dataclass, field

import numpy as np

from linclass import _checks, margins
from linclass._checks import takes
from linclass._plug import faster
from linclass.fit import Fit

__all__ = ["PerceptronFit", "fit_perceptron", "mistake_bound", "perceptron_step", "perceptron_walk", "threshold_step"]

UNWEIGHTED = "the perceptron counts mistakes, not losses: a row is right or wrong, however much it weighs"
SEPARATED = "an epoch without a mistake: the data are separated"
NOT_SETTLED = (
    "still making mistakes after {} epochs, which proves nothing: allow more epochs, or ask "
    "separability.find_separator whether the data can be separated"
)


@takes(theta="d finite", theta_0="finite", x="d finite", y="sign")
def perceptron_step(theta, theta_0, x, y):
    """(theta + y x, theta_0 + y) if the margin y (theta . x + theta_0) is at
    most 0, else unchanged.

    The margin of that example grows by |x|^2 + 1, and so it is more nearly
    right the next time.

    Book: eq-perceptron-step.
    """
    if y * (theta @ x + theta_0) <= 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


@takes(theta="d finite", theta_0="finite", x="d finite", y="bit")
def threshold_step(theta, theta_0, x, y):
    """The update for labels in {0, 1}: theta + (y - h) x and
    theta_0 + (y - h), with h = 1 if the score is >= 0 else 0.

    It looks like the update of least squares and of logistic regression, with
    a threshold for h. The same step as `perceptron_step`, except for an example
    of class 1 at score 0, which counts as right here and as a mistake there.

    Book: eq-threshold-step.
    """
    h = 1.0 if theta @ x + theta_0 >= 0 else 0.0
    return theta + (y - h) * x, theta_0 + (y - h)


def _separator(theta, theta_0, X, y, offset):
    """Refuse a pair that does not separate the data, or has an offset where the perceptron has none."""
    least = margins.margins(theta, theta_0, X, y).min()
    if not least > 0:
        _checks.fail("(theta, theta_0)", "a separator of the data, with all margins > 0", f"a margin of {least:.3g}")
    if not offset and theta_0 != 0:
        _checks.fail("theta_0", "0, for a perceptron without an offset", _checks.describe(theta_0))


@takes(_separator, theta="d", theta_0="", X="n d", y="n signs", offset=bool)
def mistake_bound(theta, theta_0, X, y, *, offset=True):
    """Novikoff's bound (R / gamma)^2 on the mistakes of the perceptron, from
    any (theta, theta_0) that separates.

    The offset is a feature that is always 1: R^2 = max |x|^2 + 1, and gamma is
    the smallest margin of (theta, theta_0) scaled to length 1. Without an
    offset theta_0 is 0 and the 1 is left out.

    Book: eq-mistake-bound, thm-novikoff.
    """
    R = np.sqrt(np.max(np.sum(X**2, axis=1)) + offset)
    length = np.sqrt(theta @ theta + theta_0**2)
    gamma = np.min(margins.margins(theta, theta_0, X, y)) / length
    return float((R / gamma) ** 2)


@dataclass(frozen=True)
class PerceptronFit(Fit):
    """A `Fit` whose `history` has the number of mistakes in each epoch, and `mistakes` their sum."""

    mistakes: int
    X: np.ndarray = field(repr=False)  # the data it was fitted to, for the bound
    y: np.ndarray = field(repr=False)
    offset: bool = True

    def mistake_bound(self, theta, theta_0=0.0):
        """Novikoff's bound on the number of mistakes, from a separator (theta, theta_0) of the data."""
        return mistake_bound(theta, theta_0, self.X, self.y, offset=self.offset)


@takes(X="n d finite", y="n signs both", max_epochs="count", offset=bool, sample_weight=_checks.no_weights(UNWEIGHTED))
def fit_perceptron(X, y, *, max_epochs=1000, offset=True, sample_weight=None):
    """Cycle through the examples from (0, 0), with `perceptron_step` at each,
    until an epoch has no mistake.

    `converged` certifies that every margin of the answer is positive. Data
    that are not separable end at `max_epochs` with `converged=False`: the line
    never settles, and nothing is proved.

    Book: thm-perceptron-is-sgd.
    """
    theta, theta_0, history = perceptron_walk(X, y, max_epochs, offset)
    model, converged, mistakes = margins.LinearClassifier(theta, theta_0), bool(history[-1] == 0), int(history.sum())
    message = SEPARATED if converged else NOT_SETTLED.format(len(history))
    return PerceptronFit(model, converged, mistakes, history, message, mistakes, X, y, offset)


@takes(X="n d", y="n signs", max_epochs="count", offset=bool)
@faster("jumping_walk.perceptron_walk")
def perceptron_walk(X, y, max_epochs, offset):
    """(theta, theta_0, history): the walk of `fit_perceptron`, one `perceptron_step` per example.

    From (0, 0), through the rows of X in order, epoch after epoch, until one has no mistake or `max_epochs` are done.
    `history` is an array with the number of mistakes of each epoch. With `offset` False, theta_0 stays 0.
    """
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    while len(history) < max_epochs and 0 not in history[-1:]:
        mistakes = 0
        for x, label in zip(X, y, strict=True):
            mistakes += bool(label * (theta @ x + theta_0) <= 0)
            theta, theta_0 = perceptron_step(theta, theta_0, x, label)
            theta_0 = theta_0 if offset else 0.0
        history.append(mistakes)
    return theta, theta_0, np.array(history)
