import math

import numpy as np

from linclass.fit import Minimum, Root


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    points = [start]
    converged = False
    while len(points) <= max_steps and not converged:
        x = points[-1]
        m = slope(x)
        if m == 0:
            break
        new = x - f(x) / m
        if not math.isfinite(new):
            break
        points.append(new)
        converged = abs(new - x) <= tol * (1 + abs(new))
    return Root(points[-1], converged, len(points) - 1, points)


def newton_step(gradient, hessian):
    return np.linalg.lstsq(hessian, -gradient, rcond=None)[0]


def logistic_curvature(z):
    out = np.empty(np.shape(z))
    for index, v in np.ndenumerate(z):
        e = math.exp(-abs(v))
        out[index] = e / (1 + e) ** 2
    return out


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    H = np.zeros((d + 1, d + 1))
    for x, label in zip(X, y):
        v = np.append(x, 1.0)
        c = loss.curvature(np.array([label * (theta @ x + theta_0)]))[0]
        for i in range(d + 1):
            for j in range(d + 1):
                H[i, j] += c * v[i] * v[j] / n
    for j in range(d):
        H[j, j] += lam
    return H


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x, history = start, [value(start)]
    for _ in range(max_steps):
        g = grad(x)
        step = newton_step(g, hess(x))
        promise = -(g @ step)
        if promise / 2 <= tol * (1 + abs(history[-1])):
            return Minimum(x, history[-1], True, len(history) - 1, history, "at a minimum")
        t = 1.0
        while value(x + t * step) > history[-1] - t * promise / 4:
            t = t / 2
        x = x + t * step
        history.append(value(x))
    return Minimum(x, history[-1], False, max_steps, history, "max_steps were not enough")
