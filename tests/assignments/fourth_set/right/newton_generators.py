"""Newton's method: generators of points, sums over examples in Python, helper functions."""

import itertools
import math

import numpy as np

from linclass.fit import Minimum, Root


def _tangent_points(f, slope, x):
    yield x
    while True:
        m = slope(x)
        if m == 0:
            return
        x = x - f(x) / m
        if not np.isfinite(x):
            return
        yield x


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    history = []
    for x in itertools.islice(_tangent_points(f, slope, start), max_steps + 1):
        history.append(x)
        if len(history) > 1 and abs(x - history[-2]) <= tol * (1 + abs(x)):
            return Root(x, True, len(history) - 1, np.array(history))
    return Root(history[-1], False, len(history) - 1, np.array(history))


def newton_step(gradient, hessian):
    U, sizes, Vt = np.linalg.svd(hessian)
    step = np.zeros(len(gradient))
    for u, size, v in zip(U.T, sizes, Vt):
        if size > 1e-14 * sizes[0]:
            step = step - (u @ gradient) / size * v
    return step


def logistic_curvature(z):
    def one(number):
        e = math.exp(-abs(number))
        return e / (1 + e) / (1 + e)

    flat = [one(number) for number in np.ravel(z).tolist()]
    return np.array(flat).reshape(np.shape(z))


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    z = np.array([y_t * (sum(a * b for a, b in zip(theta, x_t)) + theta_0) for x_t, y_t in zip(X, y)])
    extended = (np.append(x_t, 1.0) for x_t in X)
    total = sum(weight * np.outer(u, u) for weight, u in zip(loss.curvature(z), extended))
    return total / n + np.diag([lam] * d + [0.0])


def _shortened(value, x, now, step, promised):
    """The first of the points x + step, x + step/2, … that is low enough, with its value; None if there is none."""
    for t in itertools.accumulate(itertools.repeat(0.5, 1100), lambda t, half: t * half, initial=1.0):
        with np.errstate(all="ignore"):
            point = x + t * step
            height = value(point)
        if now - height >= t * promised / 4:
            return point, height
    return None


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    history = [value(x)]

    def answer(converged, message):
        return Minimum(x, history[-1], converged, len(history) - 1, np.array(history), message)

    for _ in range(max_steps):
        g = grad(x)
        H = hess(x)
        step = newton_step(g, H)
        promised = -np.dot(g, step)
        if promised <= 2 * tol * (1 + abs(history[-1])):
            if np.linalg.norm(H @ step + g) > 1e-6 * np.linalg.norm(g) + 1e-9:
                return answer(False, "no minimum in sight")
            return answer(True, "the decrement is small")
        found = _shortened(value, x, history[-1], step, promised)
        if found is None:
            return answer(False, "no shorter step goes down")
        x, height = found
        history.append(height)
    return answer(False, "max_steps were not enough")
