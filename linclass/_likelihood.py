"""What logistic and softmax share: Newton to the limit of rounding, and the recognition of separable data."""

import numpy as np

from linclass import newton, separability
from linclass.fit import Minimum

CONVERGED = "the decrement is below tolerance"
SEPARABLE = (
    "the data are separable ({}): the likelihood has no maximiser, it rises for ever along a separating direction; "
    "take lam > 0"
)
UNSETTLED = "the steps do not settle: the data are separable, or all but; take lam > 0"


def minimise(value, grad, hess, size, attained):
    """Newton's method from 0, then full steps to the limit of rounding: (Minimum, did the steps settle?).

    Near a minimum a full step squares the error. On the way to a minimum at infinity each step lowers the decrement
    only by a factor e: such steps do not settle. If it is known that the minimum is `attained`, steps go on until the
    decrement is small beside the value too, which matters where the minimum is nearly 0.
    """
    found = newton.newton(value, grad, hess, np.zeros(size))
    if not found.converged:
        return found, False
    point, history = found.point, list(found.history)
    step, left = _full_step(grad, hess, point)
    for _ in range(50):
        before = left
        next_step, left = _full_step(grad, hess, point + step)
        settled = left <= 0.1 * before or left <= 1e-20
        if not 0 <= left < before:
            break
        point, step = point + step, next_step
        history.append(value(point))
        if not attained or left <= 1e-18 * history[-1]:
            break
    return Minimum(point, history[-1], True, len(history) - 1, np.array(history), found.message), settled


def by_passes(look, size, attained):
    """`minimise` with a pass over the data for each point, whatever is asked of it there."""
    flat, last = _flat(look(np.zeros(size), True)[2]), {}

    def at(u):
        key = u.tobytes()
        if key not in last:
            last.clear()
            value, g, H = look(u, True)
            last[key] = value, g, H + flat
        return last[key]

    return minimise(lambda u: at(u)[0], lambda u: at(u)[1], lambda u: at(u)[2], size, attained)


def _flat(H):
    """A curvature for the directions in which H has none, as those of dependent columns: the gradient has no part in
    them but rounding, and with a curvature the steps have none either."""
    scale = np.sqrt(np.where(H.diagonal() > 0, H.diagonal(), 1.0))
    values, vectors = np.linalg.eigh(H / np.outer(scale, scale))
    null = vectors[:, values < 1e-11] * scale[:, None]
    return null @ null.T


def _full_step(grad, hess, point):
    """The Newton step from a point, and the decrement g' H^-1 g there."""
    g = grad(point)
    step = newton.newton_step(g, hess(point))
    return step, float(-g @ step)


def separable(separates, settled, signed_rows):
    """What to say of separable data at lam = 0, or None if they are not.

    `separates`: every margin of the answer is positive, which proves complete separation (and holds wherever n times
    the risk is below ln 2). Else, if the steps did not settle, a linear program on `signed_rows()` decides.

    Book: thm-separable-no-maximiser, thm-ln2-separates.
    """
    if separates:
        return SEPARABLE.format("completely")
    if settled:
        return None
    try:
        kind, _, _ = separability.separate_rows(signed_rows())
    except ImportError:
        return "the steps do not settle: the data may be separable; install SciPy to be sure, or take lam > 0"
    except ArithmeticError:
        return "the data are separable or all but: too close to call in double precision; take lam > 0"
    return {"strict": SEPARABLE.format("completely"), "quasi": SEPARABLE.format("quasi-completely")}.get(kind)
