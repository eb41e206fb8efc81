"""Newton's method: follow the tangent to a root, or the parabola of second order to a minimum."""

import math

import numpy as np

from linclass import _checks
from linclass._checks import takes
from linclass.fit import SEPARABLE, UNPROVED, Minimum, Root, near_enough

__all__ = ["Root", "excess_bound", "newton", "newton_root", "newton_step"]


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    """A root of f by tangents: x <- x - f(x) / slope(x), until a step is at
    most tol (1 + |x|) with x the new point.

    Not converged: the slope was 0, a point was not finite, or `max_steps` were
    not enough. Then `point` is the last one reached.

    Book: eq-newton-root.
    """
    # Unlike a Python float, this one overflows to infinity.
    x = np.float64(_checks.scalar("start", start, finite=True))
    points = [x]
    for _ in range(_checks.count("max_steps", max_steps)):
        with np.errstate(all="ignore"):
            value, steepness = float(f(x)), float(slope(x))
        if value == 0:
            return Root(float(x), True, len(points) - 1, np.array(points))
        if steepness == 0 or not np.isfinite(value / steepness):
            break
        step = value / steepness
        x = x - step
        points.append(x)
        if abs(step) <= tol * (1 + abs(x)):
            return Root(float(x), True, len(points) - 1, np.array(points))
    return Root(float(x), False, len(points) - 1, np.array(points))


def newton_step(gradient, hessian):
    """The step -H^-1 g to the minimum of the local parabola, by solving
    H step = -g, never by inverting H.

    Where H is singular, the shortest step that minimises the parabola.

    Book: eq-newton-step.
    """
    try:
        np.linalg.cholesky(hessian)
        return np.linalg.solve(hessian, -gradient)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(hessian, -gradient, rcond=None)[0]


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    """Minimise a convex function by damped Newton steps.

    Each step is the full one, halved until the value falls by a quarter of what
    the gradient promises for the step so shortened. Converged when, before one
    of the `max_steps` steps, the decrement g' H^-1 g / 2, the parabola's
    estimate of what is left to gain, is at most tol (1 + |value|).

    Book: eq-newton-minimise.
    """
    x = _checks.vector("start", start, finite=True).copy()
    values = [float(value(x))]
    message = f"stopped after {max_steps} steps: start closer, allow more steps, "
    message += "or check that a minimum exists"
    for _ in range(_checks.count("max_steps", max_steps)):
        g = np.asarray(grad(x))
        step = newton_step(g, np.asarray(hess(x)))
        promise = float(-g @ step)
        if promise / 2 <= tol * (1 + abs(values[-1])):
            if promise >= 0:
                message = "the decrement is below tolerance"
                steps, history = len(values) - 1, np.array(values)
                return Minimum(x, values[-1], True, steps, history, message)
            message = "stopped: the Newton step leads uphill, "
            message += "so the function is not convex here"
            break
        t = _halve_until_it_falls(value, x, step, values[-1], promise)
        if t == 0:
            message = "stopped: no shorter step lowers the value "
            message += "in double precision"
            break
        x = x + t * step
        values.append(float(value(x)))
    return Minimum(x, values[-1], False, len(values) - 1, np.array(values), message)


def _halve_until_it_falls(value, x, step, now, promise):
    """The first of 1, 1/2, 1/4, … whose step lowers the value by a quarter of t times the promise; 0 if none does."""
    t = 1.0
    while t > 1e-12:
        if value(x + t * step) <= now - t * promise / 4:
            return t
        t /= 2
    return 0.0


@takes(nu=">= 0", rho=">= 0")
def excess_bound(nu, rho):
    """How far a point can be above the minimum of a smooth risk, and inf where
    nothing proves that there is one.

    nu^2 = g' H^-1 g is twice the decrement, and rho the most by which a margin
    can change along a step of length 1 in the norm of H.

    Book: thm-decrement-proves.
    """
    return nu**2 / 2 * (1 + nu * rho / 2) if nu * rho <= 0.5 else math.inf


def doubt(found, grad, hess, reach, n, lam):
    """Why a point that Newton's method found need not be near the minimum of a risk, in words; None if it is proved.

    reach(H^-1) is the rho of `excess_bound`. Where n times an unpenalised risk is below ln 2, all margins are positive.
    """
    if lam == 0 and n * found.value < math.log(2):
        return SEPARABLE.format("completely")
    g = grad(found.point)
    try:
        inverse = np.linalg.inv(hess(found.point))
    except np.linalg.LinAlgError:
        return UNPROVED
    nu, rho = math.sqrt(max(g @ inverse @ g, 0.0)), reach(inverse)
    return None if excess_bound(nu, rho) <= near_enough(found.value) else UNPROVED
