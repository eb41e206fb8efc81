"""Single precision inside, and the other end of the sub-gradients at the kinks."""

import numpy as np


def single(z):
    return np.asarray(z, dtype=np.float32)


def zero_one_loss(z):
    return np.where(single(z) > 0, single(0), single(1))


def perceptron_loss(z):
    return np.maximum(-single(z), 0)


def perceptron_slope(z):
    return np.where(single(z) < 0, single(-1), single(0))


def hinge_loss(z):
    return np.maximum(1 - single(z), 0)


def hinge_slope(z):
    return np.where(single(z) < 1, single(-1), np.where(single(z) == 1, single(-0.5), single(0)))


def logistic_loss(z):
    return np.logaddexp(single(0), -single(z))


def logistic_slope(z):
    z = single(z)
    out = np.empty_like(z)
    up = z > 0
    out[up] = -np.exp(-z[up]) / (1 + np.exp(-z[up]))
    out[~up] = -1 / (1 + np.exp(z[~up]))
    return out


def exponential_loss(z):
    return np.exp(-single(z))


def squared_loss(z):
    return (single(z) - 1) ** 2


def squared_slope(z):
    return 2 * (single(z) - 1)


def modified_squared_loss(z):
    return hinge_loss(z) ** 2


def modified_squared_slope(z):
    return -2 * hinge_loss(z)
