"""Derivatives by finite differences: what a formula for a gradient is held to."""

import numpy as np

from linclass import _checks
from linclass._checks import takes

__all__ = ["convexity_witness", "grad_error", "numeric_grad", "numeric_hess"]

WIDTH = np.cbrt(np.finfo(float).eps)  # of a difference: h^2, its error, is then of the size of rounding over h
ROUNDING = 1e-12  # beside 1 and the values, what is taken for rounding and not for a witness; chosen, some 5000 eps


@takes(value="function", point="d finite")
def numeric_grad(value, point):
    """Central differences (f(x + h e_i) - f(x - h e_i)) / 2h of a function of a vector, error of order h^2.

    Book: eq-central-difference.
    """
    widths = WIDTH * np.maximum(1.0, np.abs(point))
    moves = zip(np.diag(widths), widths, strict=True)
    return np.array([(value(point + move) - value(point - move)) / (2 * h) for move, h in moves])


@takes(grad="function", point="d finite")
def numeric_hess(grad, point):
    """Central differences of a gradient, one row per coordinate, made symmetric."""
    H = numeric_grad(grad, point)
    return (H + H.T) / 2


@takes(value="function", grad="function", point="d finite")
def grad_error(value, grad, point):
    """Largest difference between a gradient and its central differences, over 1 + the gradient's largest entry."""
    exact = _checks.vector("grad(point)", grad(point), len(point))
    return float(np.max(np.abs(exact - numeric_grad(value, point))) / (1 + np.max(np.abs(exact))))


def _two_or_more(f, points):
    """Refuse points that make no pair."""
    if len(points) < 2:
        _checks.fail("points", "at least two numbers", f"{len(points)}")


@takes(_two_or_more, f="function", points="n finite")
def convexity_witness(f, points):
    """A pair (a, b) of the points whose midpoint lies above the chord,
    f((a+b)/2) > (f(a) + f(b)) / 2, or None.

    A pair proves that f is not convex; None proves nothing: no such
    pair was found, that is all.

    Book: eq-midpoint.
    """
    a, b = points[:, None], points[None, :]
    values = f(points)
    f_a, f_b = values[:, None], values[None, :]
    excess = f((a + b) / 2) - (f_a + f_b) / 2
    rounding = ROUNDING * (1 + np.abs(f_a) + np.abs(f_b))
    # Rounding is not a witness, nor is infinity against infinity.
    excess = np.fmax(excess - rounding, 0.0)
    i, j = np.unravel_index(np.argmax(excess), excess.shape)
    return (float(points[i]), float(points[j])) if excess[i, j] > 0 else None
