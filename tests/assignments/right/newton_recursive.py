"""Newton by recursion: eigenvalues for the step, one outer product after the other for the Hessian."""

import math

import numpy as np

from linclass.fit import Minimum, Root


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    def go(points):
        x = points[-1]
        if len(points) > max_steps or slope(x) == 0:
            return Root(x, False, len(points) - 1, points)
        nxt = x - f(x) / slope(x)
        if not math.isfinite(nxt):
            return Root(x, False, len(points) - 1, points)
        if abs(nxt - x) <= tol * (1 + abs(x)):
            return Root(nxt, True, len(points), [*points, nxt])
        return go([*points, nxt])

    return go([float(start)])


def newton_step(gradient, hessian):
    w, V = np.linalg.eigh(hessian)
    inv = np.where(np.abs(w) > 1e-10 * np.abs(w).max(), 1 / np.where(w == 0, 1, w), 0)
    return -V @ (inv * (V.T @ gradient))


@np.vectorize
def logistic_curvature(z):
    return 0.25 / math.cosh(z / 2) ** 2 if abs(z) < 600 else 0.0


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    H = np.diag([lam] * X.shape[1] + [0.0])
    for x, t in zip(X, y, strict=True):
        v = np.append(x, 1.0)
        H = H + loss.curvature(np.array([t * (theta @ x + theta_0)])) * np.outer(v, v) / len(X)
    return H


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    def search(x, s, drop, t):
        return t if t < 1e-25 or value(x) - value(x + t * s) >= t * drop / 4 else search(x, s, drop, t / 2)

    x, values = np.asarray(start), [value(start)]
    while len(values) <= max_steps:
        g, s = grad(x), newton_step(grad(x), hess(x))
        if np.dot(g, s) >= -2 * tol * (1 + abs(values[-1])):
            return Minimum(x, values[-1], True, len(values) - 1, values, "")
        x = x + search(x, s, -np.dot(g, s), 1.0) * s
        values.append(value(x))
    return Minimum(x, values[-1], False, max_steps, values, "")
