"""Losses of the margin.

To write: zero_one_loss, perceptron_loss, perceptron_slope, hinge_loss, hinge_slope, logistic_loss, logistic_slope,
exponential_loss, squared_loss, squared_slope, modified_squared_loss, modified_squared_slope.
Given: NumPy alone. Nothing else may be imported but the standard library.

Check your work with: python -m linclass.assignments check losses.py
"""

import math

import numpy as np


def _each(f, z):
    z = np.asarray(z, dtype=float)
    out = np.empty(z.shape)
    for index in np.ndindex(z.shape):
        out[index] = f(float(z[index]))
    return out


def zero_one_loss(z):
    """1 if z <= 0, else 0: the mistake itself. A margin of exactly 0 is a mistake."""
    return _each(lambda m: 1 if m <= 0 else 0, z)


def perceptron_loss(z):
    """max(0, -z): how far on the wrong side."""
    return _each(lambda m: max(0, -m), z)


def perceptron_slope(z):
    """-1 if z <= 0, else 0."""
    # at the kink any number from -1 to 0 is accepted
    return _each(lambda m: -1 if m <= 0 else 0, z)


def hinge_loss(z):
    """max(0, 1 - z): the perceptron loss that asks for a margin of 1."""
    return _each(lambda m: max(0, 1 - m), z)


def hinge_slope(z):
    """-1 if z <= 1, else 0."""
    # at the kink any number from -1 to 0 is accepted
    return _each(lambda m: -1 if m < 1 else 0, z)


def logistic_loss(z):
    """log(1 + exp(-z))."""

    def one(m):
        if m >= 0:
            return math.log1p(math.exp(-m))
        return -m + math.log1p(math.exp(m))

    return _each(one, z)


def logistic_slope(z):
    """-1 / (1 + exp(z)), minus the sigmoid of -z."""

    def one(m):
        if m > 0:
            return -math.exp(-m) / (1 + math.exp(-m))
        return -1 / (1 + math.exp(m))

    return _each(one, z)


def exponential_loss(z):
    """exp(-z)."""

    def one(m):
        try:
            return math.exp(-m)
        except OverflowError:
            return math.inf

    return _each(one, z)


def squared_loss(z):
    """(1 - z)^2: punishes every distance from 1, on the right side too."""
    return _each(lambda m: (1 - m) * (1 - m), z)


def squared_slope(z):
    """-2 (1 - z)."""
    return _each(lambda m: 2 * (m - 1), z)


def modified_squared_loss(z):
    """max(0, 1 - z)^2: the squared loss that forgives being right."""
    return _each(lambda m: (1 - m) ** 2 if m < 1 else 0, z)


def modified_squared_slope(z):
    """-2 max(0, 1 - z)."""
    return _each(lambda m: 2 * (m - 1) if m < 1 else 0, z)
