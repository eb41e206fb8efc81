import numpy as np


def zero_one_loss(z):
    return (z <= 0).astype(float)


def perceptron_loss(z):
    return -z * (z < 0)


def perceptron_slope(z):
    return -(z <= 0).astype(float)


def hinge_loss(z):
    return (1 - z) * (z < 1)


def hinge_slope(z):
    slope = np.zeros_like(z)
    slope[z < 1] = -1
    return slope


def logistic_loss(z):
    with np.errstate(over="ignore"):
        plain = np.log1p(np.exp(-z))
    return np.where(z < -30, -z, plain)


def logistic_slope(z):
    with np.errstate(over="ignore"):
        return -1.0 / (1.0 + np.exp(z))


def exponential_loss(z):
    with np.errstate(over="ignore"):
        return 1 / np.exp(z)


def squared_loss(z):
    return 1 - 2 * z + z * z


def squared_slope(z):
    return 2 * (z - 1)


def modified_squared_loss(z):
    out = (1 - z) ** 2
    out[z >= 1] = 0
    return out


def modified_squared_slope(z):
    return -2 * (1 - z) * (z < 1)
