import math

import numpy as np


def each(f):
    def over(z):
        out = np.empty(np.shape(z))
        for index, v in np.ndenumerate(z):
            out[index] = f(float(v))
        return out

    return over


def one_logistic(z):
    return math.log1p(math.exp(-z)) if z > 0 else -z + math.log1p(math.exp(z))


def one_logistic_slope(z):
    return -1 / (1 + math.exp(z)) if z < 0 else -math.exp(-z) / (1 + math.exp(-z))


def one_exponential(z):
    try:
        return math.exp(-z)
    except OverflowError:
        return math.inf


zero_one_loss = each(lambda z: 1 if z <= 0 else 0)
perceptron_loss = each(lambda z: max(0, -z))
perceptron_slope = each(lambda z: -1 if z <= 0 else 0)
hinge_loss = each(lambda z: max(0, 1 - z))
hinge_slope = each(lambda z: 0 if z >= 1 else -1)
logistic_loss = each(one_logistic)
logistic_slope = each(one_logistic_slope)
exponential_loss = each(one_exponential)
squared_loss = each(lambda z: (1 - z) * (1 - z))
squared_slope = each(lambda z: 2 * z - 2)
modified_squared_loss = each(lambda z: (1 - z) ** 2 if z < 1 else 0)
modified_squared_slope = each(lambda z: 2 * (z - 1) if z < 1 else 0)
