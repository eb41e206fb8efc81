import numpy as np


def zero_one_loss(z):
    return 1 - np.heaviside(z, 0)


def perceptron_loss(z):
    return (np.abs(z) - z) / 2


def perceptron_slope(z):
    return (np.sign(z) - 1) / 2


def hinge_loss(z):
    return perceptron_loss(z - 1)


def hinge_slope(z):
    return perceptron_slope(z - 1)


def logistic_loss(z):
    return np.log1p(np.exp(-np.abs(z))) + np.maximum(-z, 0)


def logistic_slope(z):
    return (np.tanh(z / 2) - 1) / 2


def exponential_loss(z):
    return np.exp(np.negative(z))


def squared_loss(z):
    return np.square(z - 1)


def squared_slope(z):
    return -2 + 2 * z


def modified_squared_loss(z):
    return hinge_loss(z) ** 2


def modified_squared_slope(z):
    return 2 * hinge_loss(z) * hinge_slope(z)
