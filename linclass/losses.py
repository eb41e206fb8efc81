"""Seven losses of the margin z, their slopes and curvatures, exact over the whole range of a double.

All take a number or an array and keep its shape; NaN gives NaN and infinity gives the limit. A slope at a kink is
the value that the updates use: a point exactly on the kink still pushes (perceptron_slope(0) = hinge_slope(1) = -1).
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._checks import takes

__all__ = [
    "EXPONENTIAL",
    "HINGE",
    "LOGISTIC",
    "MODIFIED_SQUARED",
    "PERCEPTRON",
    "SQUARED",
    "SQUARED_ERROR",
    "ZERO_ONE",
    "Loss",
    "ScoreLoss",
    "WeightedLoss",
    "exponential_curvature",
    "exponential_loss",
    "exponential_slope",
    "hinge_loss",
    "hinge_slope",
    "logistic_curvature",
    "logistic_loss",
    "logistic_slope",
    "modified_squared_curvature",
    "modified_squared_loss",
    "modified_squared_slope",
    "on_scores",
    "perceptron_loss",
    "perceptron_slope",
    "squared_curvature",
    "squared_loss",
    "squared_slope",
    "weighted",
    "zero_one_loss",
]


def elementwise(formula):
    """Make a formula of one array take numbers, lists and arrays alike, keep shape and NaN, and never warn."""

    @functools.wraps(formula)
    def function(z):
        z = _checks.real("z", z)
        with np.errstate(all="ignore"):
            values = formula(z)
        nan = np.isnan(z)
        return (np.where(nan, z, values) if nan.any() else values)[()]

    function.takes = elementwise  # what replaces it is called in the same way
    return function


@elementwise
def zero_one_loss(z):
    """1 if z <= 0, else 0: the mistake itself. A margin of exactly 0 is a mistake.

    Book: eq-zero-one.
    """
    return np.where(z <= 0, 1.0, 0.0)


@elementwise
def perceptron_loss(z):
    """max(0, -z): how far on the wrong side.

    Book: eq-perceptron-loss.
    """
    return np.maximum(0.0, -z)


@elementwise
def perceptron_slope(z):
    """-1 if z <= 0, else 0.

    Book: eq-kink-slopes.
    """
    return np.where(z <= 0, -1.0, 0.0)


@elementwise
def hinge_loss(z):
    """max(0, 1 - z): the perceptron loss that asks for a margin of 1.

    Book: eq-hinge-loss.
    """
    return np.maximum(0.0, 1.0 - z)


@elementwise
def hinge_slope(z):
    """-1 if z <= 1, else 0.

    Book: eq-kink-slopes.
    """
    return np.where(z <= 1, -1.0, 0.0)


@elementwise
def logistic_loss(z):
    """log(1 + exp(-z)).

    Book: eq-logistic-loss.
    """
    # logaddexp(0, -z) = log(e^0 + e^-z) takes the larger term out first,
    # so that no exponential overflows.
    return np.logaddexp(0.0, -z)


@elementwise
def logistic_slope(z):
    """-1 / (1 + exp(z)), minus the sigmoid of -z.

    Book: eq-smooth-slopes.
    """
    # With e = exp(-|z|) <= 1, 1 / (1 + exp(z)) is e / (1 + e) for z >= 0 and 1 / (1 + e) for z < 0.
    e = np.exp(-np.abs(z))
    return -np.where(z >= 0, e, 1.0) / (1.0 + e)


@elementwise
def logistic_curvature(z):
    """exp(-z) / (1 + exp(-z))^2, the same for z and -z.

    Book: eq-curvatures.
    """
    e = np.exp(-np.abs(z))
    return e / (1.0 + e) ** 2


@elementwise
def exponential_loss(z):
    """exp(-z).

    Book: eq-exponential-loss.
    """
    return np.exp(-z)


@elementwise
def exponential_slope(z):
    """-exp(-z).

    Book: eq-smooth-slopes.
    """
    return -np.exp(-z)


@elementwise
def exponential_curvature(z):
    """exp(-z).

    Book: eq-curvatures.
    """
    return np.exp(-z)


@elementwise
def squared_loss(z):
    """(1 - z)^2: punishes every distance from 1, on the right side too.

    Book: eq-squared-loss.
    """
    return (1.0 - z) ** 2


@elementwise
def squared_slope(z):
    """-2 (1 - z).

    Book: eq-smooth-slopes.
    """
    return -2.0 * (1.0 - z)


@elementwise
def squared_curvature(z):
    """2, wherever z is.

    Book: eq-curvatures.
    """
    return np.full_like(z, 2.0)


@elementwise
def modified_squared_loss(z):
    """max(0, 1 - z)^2: the squared loss that forgives being right.

    Book: eq-modified-squared-loss.
    """
    return np.maximum(0.0, 1.0 - z) ** 2


@elementwise
def modified_squared_slope(z):
    """-2 max(0, 1 - z).

    Book: eq-smooth-slopes.
    """
    return -2.0 * np.maximum(0.0, 1.0 - z)


@elementwise
def modified_squared_curvature(z):
    """2 if z < 1, else 0. At the jump z = 1, where there is no second derivative, the value from the right.

    Book: eq-curvatures.
    """
    return np.where(z < 1, 2.0, 0.0)


@dataclass(frozen=True)
class Loss:
    """A loss of the margin by its name. Its functions are looked up in this module when they are called."""

    name: str

    def __post_init__(self):
        known = [name.removesuffix("_loss") for name in globals() if name.endswith("_loss")]
        _checks.choice("the name of a loss", self.name, known)

    def value(self, z):
        """The loss at z."""
        return globals()[f"{self.name}_loss"](z)

    def slope(self, z):
        """Its derivative at z, or the chosen sub-gradient at a kink."""
        return self._function("slope", "flat wherever it is differentiable, so it has no slope to follow")(z)

    def curvature(self, z):
        """Its second derivative at z."""
        return self._function("curvature", "made of straight pieces, so it has no curvature to use")(z)

    def _function(self, kind, why_not):
        try:
            return globals()[f"{self.name}_{kind}"]
        except KeyError:
            _checks.fail("loss", f"a loss with a {kind}", f"{self.name}, which is {why_not}")


ZERO_ONE = Loss("zero_one")
PERCEPTRON = Loss("perceptron")
HINGE = Loss("hinge")
LOGISTIC = Loss("logistic")
EXPONENTIAL = Loss("exponential")
SQUARED = Loss("squared")
MODIFIED_SQUARED = Loss("modified_squared")


@dataclass(frozen=True)
class WeightedLoss:
    """A loss of margins z_1, …, z_n that counts the t-th of them w_t times."""

    loss: Loss
    w: np.ndarray

    def value(self, z):
        """w times the loss at z."""
        return self._weights(z) * self.loss.value(z)

    def slope(self, z):
        """w times its slope."""
        return self._weights(z) * self.loss.slope(z)

    def curvature(self, z):
        """w times its curvature."""
        return self._weights(z) * self.loss.curvature(z)

    def _weights(self, z):
        """The weights of the margins z, which must be those of all examples."""
        if np.ndim(self.w) and np.shape(z) != np.shape(self.w):
            _checks.fail("z", f"the margins of all {len(self.w)} weighted examples", f"an array of shape {np.shape(z)}")
        return self.w


def weighted(loss, w):
    """The loss w_t phi(z_t) / mean(w), whose mean over the examples is
    sum_t w_t phi(z_t) / sum_t w_t.

    Weight 2 counts an example twice, weight 0 leaves it out, and every formula
    that takes a loss takes this one: `risk(theta, theta_0, X, y, weighted(LOGISTIC, w))`.

    Book: eq-weighted-risk.
    """
    w = _checks.weights("w", w)
    _, total = _checks.of_mean_one("w", w)
    return WeightedLoss(_checks.loss("loss", loss), w / (total / len(w)))


@dataclass(frozen=True)
class ScoreLoss:
    """A loss L(s, y) of a score and a target of any kind, and its derivative in s."""

    name: str
    value: Callable
    slope: Callable


@takes(loss="loss")
def on_scores(loss):
    """The margin loss phi as a loss of score and label: L(s, y) = phi(y s),
    with slope y phi'(y s) in s.

    Book: eq-on-scores.
    """
    return ScoreLoss(
        getattr(loss, "name", type(loss).__name__),
        value=lambda s, y: loss.value(y * s),
        slope=lambda s, y: y * loss.slope(y * s),
    )


SQUARED_ERROR = ScoreLoss("squared_error", lambda s, y: (s - y) ** 2 / 2, lambda s, y: s - y)
