"""Losses of the margin: each from another by an identity."""

import numpy as np


def perceptron_loss(z):
    return -np.minimum(z, 0)


def hinge_loss(z):
    return perceptron_loss(z - 1)


def perceptron_slope(z):
    return -np.heaviside(-z, 0)  # 0 at the kink


def hinge_slope(z):
    return perceptron_slope(z - 1)


def zero_one_loss(z):
    return np.heaviside(-z, 1)


def logistic_loss(z):
    return np.logaddexp(0, -z)


def logistic_slope(z):
    # 1 / (1 + e^z) = (1 - tanh(z / 2)) / 2
    return 0.5 * (np.tanh(0.5 * z) - 1)


def exponential_loss(z):
    with np.errstate(over="ignore", under="ignore"):
        return np.e ** (-z)


def squared_loss(z):
    return hinge_loss(z) ** 2 + np.maximum(z - 1, 0) ** 2


def squared_slope(z):
    return -2.0 * (1.0 - z)


def modified_squared_loss(z):
    h = hinge_loss(z)
    return h * h


def modified_squared_slope(z):
    return -2 * hinge_loss(z)
