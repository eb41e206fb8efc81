"""Losses of the margin.

To write: zero_one_loss, perceptron_loss, perceptron_slope, hinge_loss, hinge_slope, logistic_loss, logistic_slope,
exponential_loss, squared_loss, squared_slope, modified_squared_loss, modified_squared_slope.
Given: NumPy alone. Nothing else may be imported but the standard library.

Check your work with: python -m linclass.assignments check losses.py
"""

import numpy as np


def zero_one_loss(z):
    """1 if z <= 0, else 0: the mistake itself. A margin of exactly 0 is a mistake."""
    return np.where(z > 0, 0, 1)


def perceptron_loss(z):
    """max(0, -z): how far on the wrong side."""
    return np.where(z < 0, -z, 0)


def perceptron_slope(z):
    """-1 if z <= 0, else 0."""
    # at the kink any number from -1 to 0 is accepted
    return -0.5 * (1 - np.sign(z))


def hinge_loss(z):
    """max(0, 1 - z): the perceptron loss that asks for a margin of 1."""
    gap = 1 - z
    return gap * (gap > 0)


def hinge_slope(z):
    """-1 if z <= 1, else 0."""
    # at the kink any number from -1 to 0 is accepted
    return -1.0 * (z <= 1)


def logistic_loss(z):
    """log(1 + exp(-z))."""
    return np.maximum(0, -z) + np.log1p(np.exp(-np.abs(z)))


def logistic_slope(z):
    """-1 / (1 + exp(z)), minus the sigmoid of -z."""
    e = np.exp(-np.abs(z))
    return -np.where(z >= 0, e, 1.0) / (1 + e)


def exponential_loss(z):
    """exp(-z)."""
    with np.errstate(over="ignore"):
        return np.exp(np.negative(z))


def squared_loss(z):
    """(1 - z)^2: punishes every distance from 1, on the right side too."""
    return np.square(z - 1)


def squared_slope(z):
    """-2 (1 - z)."""
    return 2 * z - 2


def modified_squared_loss(z):
    """max(0, 1 - z)^2: the squared loss that forgives being right."""
    return np.square(np.clip(1 - z, 0, None))


def modified_squared_slope(z):
    """-2 max(0, 1 - z)."""
    return 2 * np.minimum(0, z - 1)
