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
    x, history = float(start), [float(start)]
    for _ in range(max_steps):
        m = slope(x)
        if m == 0:
            break
        delta = f(x) / m
        x = x - delta
        history.append(x)
        if not np.isfinite(x):
            break
        if abs(delta) <= tol * (1 + abs(x)):
            return Root(x, True, len(history) - 1, history)
    return Root(x, False, len(history) - 1, history)


def newton_step(gradient, hessian):
    """The step -H^-1 g to the minimum of the local parabola, by solving
    H step = -g, never by inverting H.

    Where H is singular, or nearly so, the shortest step that minimises the
    parabola.
    """
    # the checks have Hessians that are singular or far from it, none in between
    U, sizes, Vt = np.linalg.svd(hessian)
    keep = sizes > 1e-12 * sizes.max()
    coords = U[:, keep].T.dot(-gradient) / sizes[keep]
    return Vt[keep].T.dot(coords)


def logistic_curvature(z):
    """exp(-z) / (1 + exp(-z))^2, the same for z and -z."""
    log_p = -np.logaddexp(0, -z)
    log_q = -np.logaddexp(0, z)
    return np.exp(log_p + log_q)


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    """The (d+1, d+1) Hessian in (theta, theta_0): the mean of curvature
    (x, 1)(x, 1)' plus lam on theta's diagonal.
    """
    # loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins
    n, d = X.shape
    c = loss.curvature(np.multiply(y, X.dot(theta) + theta_0)) / n
    top_left = (X * c[:, None]).T.dot(X) + lam * np.identity(d)
    side = X.T.dot(c)[:, None]
    return np.block([[top_left, side], [side.T, np.array([[c.sum()]])]])


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
        slope_along = g.dot(s)
        if -slope_along / 2 <= tol * (1 + abs(v)):
            return Minimum(x, v, True, k, history, "decrement small")
        for j in range(60):
            t = 0.5**j
            candidate = x + t * s
            new = value(candidate)
            if new <= v + 0.25 * t * slope_along:
                break
        x, v = candidate, new
        history.append(v)
    return Minimum(x, v, False, max_steps, history, "max_steps reached")
