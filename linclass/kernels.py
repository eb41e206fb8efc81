"""Kernels: inner products of features that are never computed, K(x, z) = phi(x) . phi(z), for all pairs of rows.

Shapes: X (n, d), Z (k, d), the answer (n, k); with Z = X it is the Gram matrix, symmetric and positive semidefinite.
"""

import numpy as np

from linclass import _checks
from linclass._checks import gives_finite, takes
from linclass._plug import faster

__all__ = ["linear_kernel", "min_kernel", "polynomial_kernel", "random_fourier_features", "rbf_kernel"]

FARTHEST = 1e12  # in units of tau; an angle beyond has fewer than four digits after the point: rounding, eps 1e12


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


@takes(X="n d finite", Z="k d finite", tau="> 0")
@faster("rbf_matrix.rbf_kernel")
def rbf_kernel(X, Z, tau):
    """exp(-|x - z|^2 / (2 tau^2)): near 1 for neighbours, near 0 beyond a few
    bandwidths tau.

    Book: eq-rbf-kernel.
    """
    squares = sum(  # one coordinate of all differences at a time
        (np.subtract.outer(x, z) / tau) ** 2 for x, z in zip(X.T, Z.T, strict=True)
    )
    return np.exp(-squares / 2)


def _not_negative(x, z):
    """Refuse numbers below 0, where min is not a kernel."""
    should = "non-negative: min(x, x) = x would be a negative squared length, so min is not a kernel below 0"
    for name, values in (("x", x), ("z", z)):
        _checks.each(name, values, values >= 0, should)


@takes(_not_negative, x="n finite", z="k finite")
def min_kernel(x, z):
    """min(x, z) for all pairs of two vectors of non-negative numbers.

    Its features are steps: phi(x)(t) = 1 for t <= x, and the integral over t of phi(x)(t) phi(z)(t) is min(x, z).
    On negative numbers it is not a kernel: min(-1, -1) = -1 would be the squared length of phi(-1).

    Book: eq-min-kernel.
    """
    return np.minimum.outer(x, z)


def _in_reach(X, tau, count, rng):
    """Refuse rows so far from 0 that rounding would soon be all that their angles show."""
    if not np.abs(X).max() <= FARTHEST * tau:
        _checks.fail("X", f"within {FARTHEST:g} tau of 0", f"{np.abs(X).max():.3g} at tau = {tau:.3g}")


@takes(_in_reach, X="n d finite", tau="> 0", count="count", rng="rng")
def random_fourier_features(X, tau, count, rng):
    """`count` random features whose inner products approach the RBF kernel:
    sqrt(2 / count) cos(omega . x + b).

    The frequencies omega are Gaussian with variance 1 / tau^2, the phases b
    uniform on [0, 2 pi). Two draws: `rng.normal(size=(d, count))`, divided by
    tau, then `rng.uniform(0, 2 pi, count)`. Rahimi and Recht (2007). Entries
    beyond 1e12 tau are refused: rounding would soon be all that their angles
    show.

    Book: eq-random-fourier.
    """
    omega = rng.normal(size=(X.shape[1], count)) / tau
    phases = rng.uniform(0.0, 2.0 * np.pi, count)
    return np.sqrt(2.0 / count) * np.cos(X @ omega + phases)
