"""Points of the SVM's dual in signed coefficients alpha = dual y, kept feasible.

The box is [0, C] for y = +1 and [-C, 0] for y = -1; with an offset the coefficients also sum to 0.
"""

import numpy as np

DUST = 1e-12  # a multiplier below this share of the largest is taken as 0: the promise that `support` makes
UNBALANCED = 1e-14  # the share of all coefficients by which their sum may miss 0: chosen, the rounding of a sum


def far_out(X):
    """How many times longer each row is than the median one, at least 1: the longer, the less of it is needed."""
    size = np.sqrt(np.einsum("ij,ij->i", X, X))
    return np.maximum(1.0, size / (np.median(size) or 1.0))


def feasible(alpha, y, C, offset, X):
    """The coefficients without dust, clipped to the box and balanced.

    What dust adds to X' alpha must be dust too: a row far out counts with less.
    """
    dual = np.clip(alpha * y, 0.0, C)
    largest = dual.argmax()
    small = np.flatnonzero((dual > 0) & (dual <= DUST * dual[largest]))
    pull = dual[small] * np.abs(X[small]).max(axis=1)
    dual[small[pull <= DUST * dual[largest] * np.abs(X[largest]).max()]] = 0.0
    return balance(dual * y, y, C) if offset else dual * y


def balance(alpha, y, C):
    """The coefficients changed by as little as needed to sum to 0, within the box, those between its ends first."""
    low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    free = (alpha > low) & (alpha < high)
    for chosen in (free, slice(None)):
        excess = alpha.sum()
        room = (alpha - low if excess > 0 else high - alpha)[chosen]
        if abs(excess) <= (0.0 if chosen is free else UNBALANCED * np.abs(alpha).sum()) or room.sum() == 0:
            continue
        alpha = alpha.copy()
        alpha[chosen] -= np.sign(excess) * room * min(1.0, abs(excess) / room.sum())
    return np.clip(alpha, low, high)
