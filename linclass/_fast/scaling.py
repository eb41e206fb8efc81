"""Columns shifted to mean 0 and scaled to size 1, and parameters taken back: units must not change an answer.

A learner that fits u to Z = (X - centre) / scale has fitted theta = u / scale and theta_0 = u_0 - centre . theta to X.
"""

import numpy as np


def column_scaling(X, offset=True):
    """(centre, scale) of the columns: their means and root mean squares about them.

    Without an offset nothing can be shifted, and the centre is 0. A constant column has its value, to the last digit,
    as centre, and scale 1.
    """
    centre = X.mean(axis=0) if offset else np.zeros(X.shape[1])
    largest = np.max(np.abs(X - centre), axis=0)
    largest[largest <= 1e-13 * np.abs(centre)] = 0.0  # constant but for rounding
    safe = np.where(largest > 0, largest, 1.0)  # divided by first, so that no square overflows
    scale = safe * np.sqrt(np.mean(((X - centre) / safe) ** 2, axis=0))
    return np.where(largest > 0, centre, X[0] if offset else 0.0), np.where(largest > 0, scale, safe)


def to_parameters(u, centre, scale):
    """(theta, theta_0) from u, the parameters on scaled columns, offset last; or the same for a row of u per class."""
    theta = u[..., :-1] / scale
    return theta, u[..., -1] - theta @ centre


def parameter_map(centre, scale):
    """The (d+1, d+1) matrix T with (theta, theta_0) = T u."""
    T = np.diag(np.append(1 / scale, 1.0))
    T[-1, :-1] = -centre / scale
    return T
