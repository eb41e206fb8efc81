"""Derivatives by finite differences: what a formula for a gradient is held to."""

import numpy as np

from linclass import _checks

__all__ = ["convexity_witness", "grad_error", "numeric_grad", "numeric_hess"]


def numeric_grad(value, point):
    """Central differences (f(x + h e_i) - f(x - h e_i)) / 2h of a function of a vector, error of order h^2.

    Book: eq-central-difference.
    """
    x = _checks.vector("point", point, finite=True)
    widths = np.cbrt(np.finfo(float).eps) * np.maximum(1.0, np.abs(x))
    moves = np.diag(widths)
    return np.array([(value(x + move) - value(x - move)) / (2 * h) for move, h in zip(moves, widths, strict=True)])


def numeric_hess(grad, point):
    """Central differences of a gradient, one row per coordinate, made symmetric."""
    H = numeric_grad(lambda x: np.asarray(grad(x)), point)
    return (H + H.T) / 2


def grad_error(value, grad, point):
    """Largest difference between a gradient and its central differences, over 1 + the gradient's largest entry."""
    point = _checks.vector("point", point, finite=True)
    exact = _checks.vector("grad(point)", grad(point), len(point))
    return float(np.max(np.abs(exact - numeric_grad(value, point))) / (1 + np.max(np.abs(exact))))


def convexity_witness(f, points):
    """A pair (a, b) of the points whose midpoint lies above the chord,
    f((a+b)/2) > (f(a) + f(b)) / 2, or None.

    A pair proves that f is not convex; None proves nothing, it only failed to
    find one.

    Book: eq-midpoint.
    """
    points = _checks.vector("points", points, finite=True)
    if len(points) < 2:
        _checks.fail("points", "at least two numbers", f"{len(points)}")
    a, b = points[:, None], points[None, :]
    values = np.asarray(f(points))
    with np.errstate(over="ignore", invalid="ignore"):
        chord = (values[:, None] + values[None, :]) / 2
        excess = np.asarray(f((a + b) / 2)) - chord
        # Rounding is no witness, nor is infinity against infinity.
        size = np.abs(values)
        excess = excess - 1e-12 * (1 + size[:, None] + size[None, :])
    excess = np.where(np.isnan(excess), -np.inf, excess)
    i, j = np.unravel_index(np.argmax(excess), excess.shape)
    return (float(points[i]), float(points[j])) if excess[i, j] > 0 else None
