"""Case by case with np.piecewise, np.clip and np.log1p."""

import numpy as np


def zero_one_loss(z):
    return (np.asarray(z) <= 0).astype(int)


def perceptron_loss(z):
    return np.clip(-z, 0, None)


def perceptron_slope(z):
    return -np.heaviside(-z, 1.0)


def hinge_loss(z):
    return np.clip(1 - z, 0, None)


def hinge_slope(z):
    return -np.heaviside(1 - z, 1.0)


def logistic_loss(z):
    return np.log1p(np.exp(-np.abs(z))) + np.clip(-z, 0, None)


def logistic_slope(z):
    return (np.tanh(z / 2) - 1) / 2


def exponential_loss(z):
    return 1 / np.exp(z)


def squared_loss(z):
    return (z - 1) * (z - 1)


def squared_slope(z):
    return 2 * z - 2


def modified_squared_loss(z):
    return np.where(z < 1, np.square(1 - z), 0.0)


def modified_squared_slope(z):
    return np.where(z < 1, 2 * (z - 1), 0.0)
