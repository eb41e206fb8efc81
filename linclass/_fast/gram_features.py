"""A kernel's examples as rows of features: what a linear method can work on where sums over K lose their digits."""

import numpy as np

from linclass.representer import _features_of

SHORTEST = 1e-145  # a length whose square has no digits left
NONE = 1e-300  # stands for a squared length of 0


def features(K, X):
    """Features of the examples, and of those that differ alone: (Phi, function that turns theta into alpha).

    They are those of examples brought to length 1, made longer again: a long one does not drown the digits of others.
    """
    first, group = twins(X)
    K = K[np.ix_(first, first)]
    length = np.sqrt(np.diag(K))
    length[length < SHORTEST] = 1.0
    unit = _features_of(K / length / length[:, None])
    squares = np.maximum(np.einsum("ij,ij->j", unit, unit), NONE)

    def coefficients(theta):
        """The alpha on one example of each kind with theta = Phi' alpha and the shortest alpha length."""
        alpha = np.zeros(len(X))
        alpha[first] = unit @ (theta / squares) / length
        return alpha

    return (length[:, None] * unit)[group], coefficients


def twins(rows):
    """(first, group): the first row of each group of equal ones, in order, and the group of each row."""
    n = len(rows)
    if len(np.unique(rows.sum(axis=1))) == n:  # equal rows have equal sums
        return np.arange(n), np.arange(n)
    _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # NumPy sorts the groups by their rows
    return np.sort(first), rank[group.ravel()]
