"""What logistic and softmax share: Newton to the limit of rounding, and the recognition of separable data."""

import numpy as np

from linclass import _newton_fast, newton, separability
from linclass.fit import Minimum

CONVERGED = "the decrement is below tolerance"
SEPARABLE = (
    "the data are separable ({}): the likelihood has no maximiser, it rises for ever along a separating direction; "
    "take lam > 0"
)
UNPROVED = "nothing proves that the likelihood has a maximiser: the data are separable, or all but; take lam > 0"


def minimise(value, grad, hess, largest, attained):
    """Newton's method from 0, then full steps to the limit of rounding: (Minimum, is it sure that there is one?).

    Near a minimum a full step squares the error. If it is known that the minimum is `attained`, steps go on until the
    decrement is small beside the value too, which matters where the minimum is nearly 0; if not, `has_minimum` of the
    last point decides, by the `largest` entry of each column of the data.
    """
    start = np.zeros(len(largest))
    flat = _flat(hess(start), 1e-14)

    def curved(u):
        return hess(u) + flat

    found = newton.newton(value, grad, curved, start)
    if not found.converged:
        return found, False
    point, history = found.point, list(found.history)
    step, left = _full_step(grad, curved, point)
    for _ in range(50):
        before = left
        next_step, left = _full_step(grad, curved, point + step)
        if not 0 <= left < before:
            break
        point, step = point + step, next_step
        history.append(value(point))
        if not attained or left <= 1e-18 * history[-1]:
            break
    sure = attained or _newton_fast.has_minimum(grad(point), curved(point), largest)
    return Minimum(point, history[-1], True, len(history) - 1, np.array(history), found.message), sure


def by_passes(look, largest, attained):
    """`minimise` with a pass over the data for each point, whatever is asked of it there."""
    flat, last = _flat(look(np.zeros(len(largest)), True)[2], 1e-11), {}

    def at(u):
        key = u.tobytes()
        if key not in last:
            last.clear()
            value, g, H = look(u, True)
            last[key] = value, g, H + flat
        return last[key]

    return minimise(lambda u: at(u)[0], lambda u: at(u)[1], lambda u: at(u)[2], largest, attained)


def _flat(H, tiny):
    """A curvature where H has none or a tiny one, as in directions of dependent columns: the gradient has no part in
    them but rounding, and with a curvature the steps have none either."""
    scale = np.sqrt(np.where(H.diagonal() > 0, H.diagonal(), 1.0))
    values, vectors = np.linalg.eigh(H / np.outer(scale, scale))
    null = vectors[:, values < tiny] * scale[:, None]
    return null @ null.T


def _full_step(grad, hess, point):
    """The Newton step from a point, and the decrement g' H^-1 g there."""
    g = grad(point)
    step = newton.newton_step(g, hess(point))
    return step, float(-g @ step)


def separable(separates, sure, signed_rows):
    """What to say of separable data at lam = 0, or None if they are not.

    `separates`: every margin of the answer is positive, which proves complete separation (and holds wherever n times
    the risk is below ln 2). Else, unless a minimum is sure, a linear program on `signed_rows()` decides.

    Book: thm-separable-no-maximiser, thm-ln2-separates.
    """
    if separates:
        return SEPARABLE.format("completely")
    if sure:
        return None
    try:
        kind, _, _ = separability.separate_rows(signed_rows())
    except ImportError:
        return (
            "nothing proves that the likelihood has a maximiser: the data may be separable; install SciPy to be sure, "
            "or take lam > 0"
        )
    except ArithmeticError:
        return "the data are separable or all but: too close to call in double precision; take lam > 0"
    return {"strict": SEPARABLE.format("completely"), "quasi": SEPARABLE.format("quasi-completely")}.get(kind)
