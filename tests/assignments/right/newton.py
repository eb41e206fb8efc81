"""Solving by least squares, and a line search of its own."""

import numpy as np

from linclass.fit import Minimum, Root


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    points = [float(start)]
    for step in range(max_steps):
        x = points[-1]
        height, steepness = f(x), slope(x)
        if height == 0:
            return Root(x, True, step, np.array(points))
        if steepness == 0 or not np.isfinite(height / steepness):
            return Root(x, False, step, np.array(points))
        points.append(x - height / steepness)
        if abs(points[-1] - x) <= tol * (1 + abs(points[-1])):
            return Root(points[-1], True, step + 1, np.array(points))
    return Root(points[-1], False, max_steps, np.array(points))


def newton_step(gradient, hessian):
    return -np.linalg.lstsq(hessian, gradient, rcond=None)[0]


def logistic_curvature(z):
    return 0.25 / np.cosh(np.clip(np.asarray(z) / 2, -300, 300)) ** 2


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    d = len(theta)
    H = np.zeros((d + 1, d + 1))
    for x, label in zip(X, y, strict=True):
        v = np.append(x, 1.0)
        curvature = float(np.asarray(loss.curvature(np.array([label * (x @ theta + theta_0)])))[0])
        H += curvature * np.outer(v, v) / len(y)
    H[range(d), range(d)] += lam
    return H


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x, values = np.array(start, dtype=float), [value(start)]
    for step in range(max_steps):
        g = np.asarray(grad(x))
        move = newton_step(g, np.asarray(hess(x)))
        promise = -g @ move
        if promise / 2 <= tol * (1 + abs(values[-1])):
            return Minimum(x, values[-1], True, step, np.array(values), "small decrement")
        t = 1.0
        while value(x + t * move) > values[-1] - t * promise / 4 and t > 1e-12:
            t *= 0.5
        x = x + t * move
        values.append(value(x))
    return Minimum(x, values[-1], False, max_steps, np.array(values), "too many steps")
