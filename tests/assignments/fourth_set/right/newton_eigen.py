"""Newton's method: eigen-decompositions and hyperbolic functions."""

import numpy as np

from linclass.fit import Minimum, Root


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    points = [start]
    done = False
    with np.errstate(all="ignore"):
        while not done and len(points) <= max_steps and np.isfinite(points[-1]):
            old = points[-1]
            rise = slope(old)
            if rise == 0:
                break
            points.append(old - np.divide(f(old), rise))
            done = bool(np.isfinite(points[-1]) and abs(points[-1] - old) <= tol * (1 + abs(points[-1])))
    return Root(float(points[-1]), done, len(points) - 1, np.array(points, dtype=float))


def _along_axes(gradient, hessian):
    """Curvatures that are not 0, their axes as columns, and the gradient in those coordinates."""
    values, vectors = np.linalg.eigh(hessian)
    keep = np.abs(values) > 1e-14 * np.max(np.abs(values), initial=0.0)
    V = vectors[:, keep]
    return values[keep], V, V.T @ gradient


def newton_step(gradient, hessian):
    curvatures, V, g = _along_axes(gradient, hessian)
    return -V @ (g / curvatures)


def logistic_curvature(z):
    # 1 / (2 cosh(z/2))^2, the square taken last so that it overflows late; 1 / inf is 0
    with np.errstate(over="ignore"):
        return (0.5 / np.cosh(np.asarray(z) / 2.0)) ** 2


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    w = loss.curvature(np.einsum("t,td,d->t", y, X, theta) + y * theta_0) / n
    corner = np.sum(w)
    border = np.einsum("t,ti->i", w, X)
    block = np.einsum("t,ti,tj->ij", w, X, X) + lam * np.identity(d)
    return np.block([[block, border[:, None]], [border[None, :], np.array([[corner]])]])


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x, history = np.asarray(start, dtype=float), []
    history.append(value(x))
    for steps in range(max_steps):
        gradient = np.asarray(grad(x), dtype=float)
        curvatures, V, g = _along_axes(gradient, hess(x))
        decrement = 0.5 * np.sum(g * g / curvatures)
        if decrement <= tol * (1 + np.abs(history[-1])):
            rest = np.linalg.norm(gradient - V @ g)
            if rest > 1e-6 * np.linalg.norm(gradient) + 1e-9:
                return Minimum(x, history[-1], False, steps, np.array(history), "falls along a flat direction")
            return Minimum(x, history[-1], True, steps, np.array(history), "converged")
        full = -V @ (g / curvatures)
        for halvings in range(1100):
            t = 0.5**halvings
            with np.errstate(all="ignore"):
                there = value(x + t * full)
            if there <= history[-1] - t * decrement / 2:
                break
        else:
            return Minimum(x, history[-1], False, steps, np.array(history), "stuck")
        x = x + t * full
        history.append(there)
    return Minimum(x, history[-1], False, max_steps, np.array(history), "steps used up")
