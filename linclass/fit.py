"""What a method or a learner answers: the result, whether it is certified, and what happened on the way."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Fit", "Minimum", "Root"]


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
