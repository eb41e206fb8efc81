"""Kernels: inner products of features that are never computed, K(x, z) = phi(x) . phi(z), for all pairs of rows.

Shapes: X (n, d), Z (k, d), the answer (n, k); with Z = X it is the Gram matrix, symmetric and positive semidefinite.
"""

import numpy as np

from linclass import _checks
from linclass._checks import gives_finite, takes
from linclass._fast import rbf_matrix

__all__ = ["linear_kernel", "min_kernel", "polynomial_kernel", "random_fourier_features", "rbf_kernel"]


@gives_finite("X")
@takes(X="n d finite", Z="k d finite")
def linear_kernel(X, Z):
    """x . z, the kernel whose features are the inputs themselves.

    Book: eq-kernel.
    """
    return X @ Z.T


@gives_finite("X")
@takes(X="n d finite", Z="k d finite", degree="count", constant=">= 0")
def polynomial_kernel(X, Z, degree, constant):
    """(x . z + constant)^degree with constant >= 0: all products of up to
    `degree` inputs as features.

    Book: eq-polynomial-kernel.
    """
    return (X @ Z.T + constant) ** degree


def rbf_kernel(X, Z, tau):
    """exp(-|x - z|^2 / (2 tau^2)): near 1 for neighbours, near 0 beyond a few
    bandwidths tau.

    Book: eq-rbf-kernel.
    """
    X, Z = _pair(X, Z)
    tau = _checks.positive("tau", tau)
    if X.size * len(Z) > 2**16:
        return rbf_matrix.similarities(X, Z, tau)  # the same in fewer steps
    with np.errstate(over="ignore"):  # so far apart that the similarity is 0
        steps = (X[:, None, :] - Z[None, :, :]) / tau
        return np.exp(-np.sum(steps**2, axis=2) / 2)


def min_kernel(x, z):
    """min(x, z) for all pairs of two vectors of non-negative numbers.

    Its features are steps: phi(x)(t) = 1 for t <= x, and the integral over t of phi(x)(t) phi(z)(t) is min(x, z).
    On negative numbers it is no kernel: min(-1, -1) = -1 would be the squared length of phi(-1).

    Book: eq-min-kernel.
    """
    x, z = _checks.vector("x", x, finite=True), _checks.vector("z", z, finite=True)
    for name, values in (("x", x), ("z", z)):
        if (values < 0).any():
            should = "non-negative: below 0 min(x, x) = x would be a negative squared length, so min is no kernel there"
            _checks.fail(name, should, _checks.first_entry(values, values < 0))
    return np.minimum.outer(x, z)


def random_fourier_features(X, tau, count, rng):
    """`count` random features whose inner products approach the RBF kernel:
    sqrt(2 / count) cos(omega . x + b).

    The frequencies omega are Gaussian with variance 1 / tau^2, the phases b
    uniform on [0, 2 pi). Two draws: `rng.normal(size=(d, count))`, divided by
    tau, then `rng.uniform(0, 2 pi, count)`. Rahimi and Recht (2007). Angles
    beyond 1e12 are refused: rounding would soon be all that they show.

    Book: eq-random-fourier.
    """
    X = _checks.matrix("X", X, finite=True)
    tau, count = _checks.positive("tau", tau), _checks.count("count", count)
    omega = _checks.generator("rng", rng).normal(size=(X.shape[1], count)) / tau
    phases = rng.uniform(0.0, 2.0 * np.pi, count)
    with np.errstate(over="ignore", invalid="ignore"):
        angles = X @ omega + phases
    if not np.abs(angles).max() <= 1e12:
        _checks.fail("X", "within some 1e12 tau of 0", f"{np.abs(X).max():.3g}")
    return np.sqrt(2.0 / count) * np.cos(angles)


def _pair(X, Z):
    """The two checked matrices, with as many columns each."""
    same = Z is X  # of one matrix, half of the work can be saved
    X = _checks.matrix("X", X, finite=True)
    Z = X if same else _checks.matrix("Z", Z, finite=True)
    if Z.shape[1] != X.shape[1]:
        _checks.fail("Z", f"a matrix with {X.shape[1]} columns, as many as X", f"{Z.shape[1]} columns")
    return X, Z
