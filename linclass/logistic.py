"""Logistic regression: how sure a linear score is."""

import numpy as np

from linclass import losses


@losses.elementwise
def sigmoid(z):
    """1 / (1 + exp(-z)): from 0 at -inf to 1 at +inf, and sigmoid(z) + sigmoid(-z) = 1.

    Book: eq-sigmoid.
    """
    # With e = exp(-|z|) <= 1 no exponential overflows: 1 / (1 + e) for z >= 0 and e / (1 + e) for z < 0.
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1.0, e) / (1.0 + e)
