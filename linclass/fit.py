"""What a method or a learner answers: the result, whether it is certified, and what happened on the way."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Fit", "Minimum", "Root"]

# A risk this close to its minimum, by either, is certified: from here on rounding sets the limit, not the method.
RELATIVE, ABSOLUTE = 1e-7, 5e-13

# What the learners of probabilities say.
CERTIFIED = "certified: the risk is within 1e-7 of its minimum, relatively"
SEPARABLE = (
    "the data are separable ({}): the likelihood has no maximiser, it rises for ever along a separating direction; "
    "take lam > 0"
)
UNPROVED = "nothing proves that the likelihood has a maximiser: the data are separable, or all but; take lam > 0"


def near_enough(value):
    """How far above its minimum a certified risk may be."""
    return max(RELATIVE * value, ABSOLUTE)


@dataclass(frozen=True)
class Minimum:
    """What a method that minimises a function found."""

    point: np.ndarray
    value: float
    converged: bool  # true only with a certificate: gradient or decrement below tolerance
    steps: int
    history: np.ndarray  # the value at the start and after each step
    message: str


@dataclass(frozen=True)
class Root:
    """What a root finder found."""

    point: float
    converged: bool
    steps: int
    history: np.ndarray  # the points, the start first


@dataclass(frozen=True)
class Fit:
    """What a learner found. Learners add fields of their own."""

    model: object  # with scores(X) and predict(X), and probabilities(X) where it is a model of probabilities
    converged: bool  # true only with a certificate
    steps: int  # parameter updates
    history: np.ndarray  # the objective
    message: str  # what happened, and what to do about it
