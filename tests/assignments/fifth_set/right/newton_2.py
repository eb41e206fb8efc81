"""Newton's method.

To write: newton_root, newton_step, logistic_curvature, risk_hess, newton.
Given: NumPy, and the result objects Minimum(point, value, converged, steps, history, message), Root(point,
converged, steps, history). Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check newton.py
"""

import math

import numpy as np

from linclass.fit import Minimum, Root


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    """A root of f by tangents: x <- x - f(x) / slope(x), until a step is at
    most tol (1 + |x|) with x the new point.

    Not converged: the slope was 0, a point was not finite, or `max_steps` were
    not enough. Then `point` is the last one reached.
    """
    # return Root(point, converged, steps, history): the last point reached, and as history all points, the start
    # first. Of a point that is not finite the checks ask only that it is not converged
    points = [start]
    converged = False
    steps = 0
    while steps < max_steps and not converged:
        old = points[-1]
        s = slope(old)
        if s == 0:
            break
        new = old - f(old) / s
        if not math.isfinite(new):
            break
        steps += 1
        points.append(new)
        if abs(new - old) <= tol * (1 + abs(new)):
            converged = True
    return Root(points[-1], converged, steps, points)


def newton_step(gradient, hessian):
    """The step -H^-1 g to the minimum of the local parabola, by solving
    H step = -g, never by inverting H.

    Where H is singular, or nearly so, the shortest step that minimises the
    parabola.
    """
    # the checks have Hessians that are singular or far from it, none in between
    H = np.asarray(hessian)
    if np.linalg.matrix_rank(H) < H.shape[0]:
        step, *_ = np.linalg.lstsq(H, -gradient, rcond=None)
    else:
        step = np.linalg.solve(H, -gradient)
    return step


def logistic_curvature(z):
    """exp(-z) / (1 + exp(-z))^2, the same for z and -z."""
    z = np.asarray(z, dtype=float)
    out = np.zeros(z.shape)
    for idx in np.ndindex(z.shape):
        e = math.exp(-abs(z[idx]))
        out[idx] = e / ((1 + e) * (1 + e))
    return out


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    """The (d+1, d+1) Hessian in (theta, theta_0): the mean of curvature
    (x, 1)(x, 1)' plus lam on theta's diagonal.
    """
    # loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins
    n, d = X.shape
    H = np.zeros((d + 1, d + 1))
    z = np.array([y[t] * (np.dot(theta, X[t]) + theta_0) for t in range(n)])
    curv = loss.curvature(z)
    for t in range(n):
        v = np.append(X[t], 1.0)
        H = H + curv[t] * np.outer(v, v) / n
    for j in range(d):
        H[j, j] = H[j, j] + lam
    return H


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    """Minimise a convex function by damped Newton steps.

    Each step is the full one, halved until the value falls by a quarter of what
    the gradient promises for the step so shortened. Converged when, before one
    of the `max_steps` steps, the decrement g' H^-1 g / 2, the parabola's
    estimate of what is left to gain, is at most tol (1 + |value|).
    """
    # value, grad and hess are functions of x; return Minimum(point, value, converged, steps, history, message):
    # history has the value at the start and after each step, message is any text. A minimum that the last of the
    # steps reaches is not counted as converged
    x = np.array(start, dtype=float)
    history = [value(x)]
    converged = False
    steps = 0
    while steps < max_steps:
        g = grad(x)
        s = newton_step(g, hess(x))
        promised = -np.dot(g, s)
        if 0.5 * promised <= tol * (1 + abs(history[-1])):
            converged = True
            break
        t = 1.0
        for _ in range(60):
            if value(x + t * s) <= history[-1] - t * promised / 4:
                break
            t = t / 2
        x = x + t * s
        history.append(value(x))
        steps += 1
    return Minimum(x, history[-1], converged, steps, history, "ok" if converged else "stopped")
