"""Newton's method.

To write: newton_root, newton_step, logistic_curvature, risk_hess, newton.
Given: NumPy, and the result objects Minimum(point, value, converged, steps, history, message), Root(point,
converged, steps, history). Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check newton.py
"""

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
    x = start
    history = [x]
    for k in range(1, max_steps + 1):
        d = slope(x)
        if d == 0:
            return Root(x, False, k - 1, np.array(history))
        new = x - f(x) / d
        history.append(new)
        if not np.isfinite(new):
            return Root(new, False, k, np.array(history))
        if abs(new - x) <= tol * (1 + abs(new)):
            return Root(new, True, k, np.array(history))
        x = new
    return Root(x, False, max_steps, np.array(history))


def newton_step(gradient, hessian):
    """The step -H^-1 g to the minimum of the local parabola, by solving
    H step = -g, never by inverting H.

    Where H is singular, or nearly so, the shortest step that minimises the
    parabola.
    """
    # the checks have Hessians that are singular or far from it, none in between
    return np.linalg.lstsq(hessian, -gradient, rcond=None)[0]


def logistic_curvature(z):
    """exp(-z) / (1 + exp(-z))^2, the same for z and -z."""
    e = np.exp(-np.abs(z))
    return e / (1 + e) ** 2


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    """The (d+1, d+1) Hessian in (theta, theta_0): the mean of curvature
    (x, 1)(x, 1)' plus lam on theta's diagonal.
    """
    # loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins
    n, d = X.shape
    Z = np.column_stack([X, np.ones(n)])
    c = loss.curvature(y * (X @ theta + theta_0))
    H = Z.T @ (c[:, None] * Z) / n
    H[:d, :d] += lam * np.eye(d)
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
    v = value(x)
    history = [v]
    for k in range(max_steps):
        g = grad(x)
        s = newton_step(g, hess(x))
        gain = -(g @ s)
        if gain / 2 <= tol * (1 + abs(v)):
            return Minimum(x, v, True, k, np.array(history), "converged")
        t = 1.0
        while not value(x + t * s) <= v - 0.25 * t * gain:
            t /= 2
            if t < 1e-18:
                return Minimum(x, v, False, k, np.array(history), "no step found")
        x = x + t * s
        v = value(x)
        history.append(v)
    return Minimum(x, v, False, max_steps, np.array(history), "too few steps")
