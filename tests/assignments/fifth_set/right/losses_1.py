"""Losses of the margin.

To write: zero_one_loss, perceptron_loss, perceptron_slope, hinge_loss, hinge_slope, logistic_loss, logistic_slope,
exponential_loss, squared_loss, squared_slope, modified_squared_loss, modified_squared_slope.
Given: NumPy alone. Nothing else may be imported but the standard library.

Check your work with: python -m linclass.assignments check losses.py
"""

import numpy as np


def zero_one_loss(z):
    """1 if z <= 0, else 0: the mistake itself. A margin of exactly 0 is a mistake."""
    return (z <= 0).astype(float)


def perceptron_loss(z):
    """max(0, -z): how far on the wrong side."""
    return np.maximum(0, -z)


def perceptron_slope(z):
    """-1 if z <= 0, else 0."""
    # at the kink any number from -1 to 0 is accepted
    return np.where(z <= 0, -1.0, 0.0)


def hinge_loss(z):
    """max(0, 1 - z): the perceptron loss that asks for a margin of 1."""
    return np.maximum(0, 1 - z)


def hinge_slope(z):
    """-1 if z <= 1, else 0."""
    # at the kink any number from -1 to 0 is accepted
    return np.where(z <= 1, -1.0, 0.0)


def logistic_loss(z):
    """log(1 + exp(-z))."""
    return np.logaddexp(0, -z)


def logistic_slope(z):
    """-1 / (1 + exp(z)), minus the sigmoid of -z."""
    return -np.exp(-np.logaddexp(0, z))


def exponential_loss(z):
    """exp(-z)."""
    return np.exp(-z)


def squared_loss(z):
    """(1 - z)^2: punishes every distance from 1, on the right side too."""
    return (1 - z) ** 2


def squared_slope(z):
    """-2 (1 - z)."""
    return -2 * (1 - z)


def modified_squared_loss(z):
    """max(0, 1 - z)^2: the squared loss that forgives being right."""
    return np.maximum(0, 1 - z) ** 2


def modified_squared_slope(z):
    """-2 max(0, 1 - z)."""
    return -2 * np.maximum(0, 1 - z)
