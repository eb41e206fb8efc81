"""Newton's method: follow the tangent to a root, or the parabola of second order to a minimum."""

import functools
import math

import numpy as np

from linclass import _checks, fit
from linclass._checks import takes
from linclass.fit import SEPARABLE, UNPROVED, Root, minimises

__all__ = ["Root", "excess_bound", "newton", "newton_root", "newton_step"]

# A risk this close to its minimum, by either, is certified: from here on rounding sets the limit, not the method.
RELATIVE, ABSOLUTE = 1e-7, 5e-13
# Of a Hessian scaled to a diagonal of 1:
SUSPECT = 1e-8  # a pivot that may hide a curvature of 0, which was seen to leave pivots up to 1e-11; about sqrt(eps)
ROUNDING = 1e-13  # beside the largest, a curvature that may be rounding of 0; sums over thousands of rows leave 1e-14
SEEN = 1e-8  # of a value: a fall that rounding cannot hide, by a step so short that a slope predicts it; sqrt(eps)


def finds_a_root(method):
    """The line above a method that yields its way to a root and returns True at it: makes a `Root` of that.

    The way ends where a point is not finite; the caller's functions are called through `_checks.callers`.
    """

    @functools.wraps(method)
    def root(f, slope, start, *, tol=1e-12, max_steps=50):
        # Unlike a Python float, NumPy's overflows to infinity.
        points = [np.float64(_checks.scalar("start", start, finite=True))]
        f = _checks.callers("f", f, lambda y: np.float64(_checks.scalar("f(x)", y)))
        slope = _checks.callers("slope", slope, lambda y: np.float64(_checks.scalar("slope(x)", y)))
        path = method(f, slope, points[0], tol=tol, max_steps=_checks.count("max_steps", max_steps))
        converged = False
        with np.errstate(all="ignore"):
            try:
                while np.isfinite(x := next(path)):
                    points.append(x)
            except StopIteration as stop:
                converged = bool(stop.value)
        return Root(float(points[-1]), converged, len(points) - 1, np.array(points))

    return root


@finds_a_root
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    """A root of f by tangents: x <- x - f(x) / slope(x), until a step is at
    most tol (1 + |x|) with x the new point.

    Not converged: the slope was 0, a point was not finite, or `max_steps` were
    not enough. Then `point` is the last one reached.

    Book: eq-newton-root.
    """
    x = start
    for _ in range(max_steps):
        height = f(x)
        if height == 0:
            return True
        step = height / slope(x)
        x = x - step
        yield x
        if abs(step) <= tol * (1 + abs(x)):
            return True


@takes(hessian="d d square", gradient="d")
def newton_step(gradient, hessian):
    """The step -H^-1 g to the minimum of the local parabola, by solving
    H step = -g, never by inverting H.

    Where H is singular, or nearly so, the shortest step that minimises the
    parabola.

    Book: eq-newton-step.
    """
    if _positive_definite(hessian):
        return np.linalg.solve(hessian, -gradient)
    return _shortest_solution(hessian, -gradient)


@minimises("the decrement is below tolerance")
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    """Minimise a convex function by damped Newton steps.

    Each step is the full one, halved until the value falls by a quarter of what
    the gradient promises for the step so shortened. Converged when, before one
    of the `max_steps` steps, the decrement g' H^-1 g / 2, the parabola's
    estimate of what is left to gain, is at most tol (1 + |value|).

    Book: eq-newton-minimise.
    """
    x = start
    for _ in range(max_steps):
        g, H = grad(x), hess(x)
        step = newton_step(g, H)
        promise = -g @ step
        if promise / 2 <= tol * (1 + abs(value(x))):
            return _level(value, x, g + H @ step) and _curves_upwards(H)
        x = x + fit.backtrack(value, x, step, promise / 4) * step
        yield x


def _positive_definite(H):
    """Is it, beyond doubt? A pivot of Cholesky's method is what earlier rows leave of a diagonal entry."""
    try:
        pivots = np.diag(np.linalg.cholesky(H)) ** 2
    except np.linalg.LinAlgError:
        return False
    return bool((pivots > SUSPECT * np.diag(H)).all())


def _shortest_solution(H, b):
    """The shortest x with H x = b, without the part of b along directions in which H is 0 up to rounding.

    Which they are is decided with the diagonal of H scaled to 1, so that no unit makes a direction look flat.
    """
    size = np.sqrt(np.abs(np.diag(H)))
    unit = 1 / np.where(size > 0, size, 1.0)
    curvatures, directions = np.linalg.eigh(unit[:, None] * H * unit)
    flat = np.abs(curvatures) <= ROUNDING * np.abs(curvatures).max()
    V = unit[:, None] * directions
    x = V[:, ~flat] @ ((V[:, ~flat].T @ b) / curvatures[~flat])
    Q, _ = np.linalg.qr(V[:, flat])
    return x - Q @ (Q.T @ x)


def _level(value, x, slope):
    """True, unless the value still falls along `slope`: what is left of the gradient where H has no curvature."""
    now, steepness = value(x), np.linalg.norm(slope)
    fall = min(SEEN * (1 + abs(now)), steepness * (1 + np.linalg.norm(x)))
    if fall > ROUNDING * (1 + abs(now)) and value(x - fall / steepness * (slope / steepness)) <= now - fall / 2:
        raise fit.Stopped("the function still falls, along a line without curvature; check that a minimum exists")
    return True


def _curves_upwards(H):
    """Is no curvature negative, beyond rounding? A point without a slope is then a minimum, and not a maximum."""
    curvatures = np.linalg.eigvalsh((H + H.T) / 2)
    return bool(curvatures[0] >= -ROUNDING * np.abs(curvatures).max())


@takes(nu=">= 0", rho=">= 0")
def excess_bound(nu, rho):
    """How far a point can be above the minimum of a smooth risk, and inf where
    nothing proves that there is one.

    nu^2 = g' H^-1 g is twice the decrement, and rho the most by which a margin
    can change along a step of length 1 in the norm of H.

    Book: thm-decrement-proves.
    """
    return nu**2 / 2 * (1 + nu * rho / 2) if nu * rho <= 0.5 else math.inf


def near_enough(value):
    """How far above its minimum a certified risk may be."""
    return max(RELATIVE * value, ABSOLUTE)


def doubt(found, grad, hess, reach, no_mistake, lam):
    """Why a point that Newton's method found need not be near the minimum of a risk, in words; None if it is proved.

    reach(H^-1) is the rho of `excess_bound`. Where an unpenalised risk is below `no_mistake`, ln 2 / n for n examples
    of equal weight, all margins are positive.
    """
    if lam == 0 and found.value < no_mistake:
        return SEPARABLE.format("completely")
    g = grad(found.point)
    try:
        inverse = np.linalg.inv(hess(found.point))
    except np.linalg.LinAlgError:
        return UNPROVED
    nu, rho = math.sqrt(max(g @ inverse @ g, 0.0)), reach(inverse)
    return None if excess_bound(nu, rho) <= near_enough(found.value) else UNPROVED
