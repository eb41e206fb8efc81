"""Losses of the margin: one number at a time with math, spread over the array by a helper."""

import math

import numpy as np


def _each(function, z):
    z = np.asarray(z, dtype=float)
    return np.array([function(float(v)) for v in z.ravel()], dtype=float).reshape(z.shape)


def zero_one_loss(z):
    return _each(lambda v: 1.0 if v <= 0 else 0.0, z)


def perceptron_loss(z):
    return _each(lambda v: max(0.0, -v), z)


def perceptron_slope(z):
    return _each(lambda v: -1.0 if v <= 0 else 0.0, z)


def hinge_loss(z):
    return _each(lambda v: max(0.0, 1.0 - v), z)


def hinge_slope(z):
    return _each(lambda v: -1.0 if v <= 1 else 0.0, z)


def _softplus(a):
    # log(1 + e^a) = a + log(1 + e^-a)
    if a > 0:
        return a + math.log1p(math.exp(-a))
    return math.log1p(math.exp(a))


def logistic_loss(z):
    return _each(lambda v: _softplus(-v), z)


def logistic_slope(z):
    def slope(v):
        if v >= 0:
            e = math.exp(-v)
            return -e / (1 + e)
        return -1 / (1 + math.exp(v))

    return _each(slope, z)


def exponential_loss(z):
    def value(v):
        try:
            return math.exp(-v)
        except OverflowError:
            return math.inf

    return _each(value, z)


def squared_loss(z):
    return _each(lambda v: (1 - v) * (1 - v), z)


def squared_slope(z):
    return _each(lambda v: 2 * (v - 1), z)


def modified_squared_loss(z):
    return _each(lambda v: (1 - v) * (1 - v) if v < 1 else 0.0, z)


def modified_squared_slope(z):
    return _each(lambda v: 2 * (v - 1) if v < 1 else 0.0, z)
