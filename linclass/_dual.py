"""Points of the SVM's dual in signed coefficients alpha = dual y: kept feasible, and sharpened to full precision.

The box is [0, C] for y = +1 and [-C, 0] for y = -1; with an offset the coefficients also sum to 0.
"""

import numpy as np


def balance(alpha, y, C):
    """The coefficients changed by as little as needed to sum to 0, within the box, those between its ends first."""
    low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    for chosen in ((alpha > low) & (alpha < high), slice(None)):
        excess = alpha.sum()
        room = (alpha - low if excess > 0 else high - alpha)[chosen]
        if excess == 0 or room.sum() == 0:
            continue
        alpha = alpha.copy()
        alpha[chosen] -= np.sign(excess) * room * min(1.0, abs(excess) / room.sum())
    return np.clip(alpha, low, high)


def newton_on_free(alpha, y, C, free, X, offset):
    """Coefficients in which those strictly between the ends put their examples exactly on the margin.

    Solves theta - X_free' alpha_free = theta of the others, X_free theta + theta_0 = y and sum alpha = 0: Newton's
    step, exact if the right ones are free.
    """
    Z, f, d = X[free], len(free), X.shape[1]
    size = np.linalg.norm(Z, axis=0)
    size[size == 0] = 1.0
    fixed = alpha.copy()
    fixed[free] = 0.0
    M = np.zeros((d + f + 1, d + f + 1))  # unknowns theta size, -alpha_free, theta_0
    M[:d, :d] = np.diag(size**-2.0)
    M[d : d + f, :d] = Z / size
    M[:d, d : d + f] = M[d : d + f, :d].T
    M[d : d + f, -1] = M[-1, d : d + f] = offset
    M[-1, -1] = not offset
    rhs = np.concatenate([X.T @ fixed / size, y[free], [fixed.sum() * offset]])
    sharp = fixed
    sharp[free] = -np.linalg.lstsq(M, rhs, rcond=None)[0][d : d + f]
    sharp = np.clip(sharp, np.minimum(0.0, C * y), np.maximum(0.0, C * y))
    return balance(sharp, y, C) if offset else sharp
