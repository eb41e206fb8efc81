"""What logistic and softmax share: Newton to the limit of rounding, and the recognition of separable data."""

import numpy as np

from linclass import newton, separability
from linclass.fit import Minimum

SEPARABLE = (
    "the data are separable ({}): the likelihood has no maximiser, it rises for ever along a separating direction; "
    "take lam > 0"
)


def minimise(value, grad, hess, size):
    """Newton's method from 0, then one more full step: (Minimum, did the steps settle?).

    Near a minimum a Newton step squares the error, so the last step takes the answer to the limit of rounding. On
    the way to a minimum at infinity each step lowers the decrement only by a factor e: such steps do not settle.
    """
    found = newton.newton(value, grad, hess, np.zeros(size))
    if not found.converged:
        return found, False
    g = grad(found.point)
    step = newton.newton_step(g, hess(found.point))
    point = found.point + step
    g_after = grad(point)
    before, after = float(-g @ step), float(-g_after @ newton.newton_step(g_after, hess(point)))
    settled = after <= 0.1 * before or after <= 1e-20
    if not 0 <= after < before:
        return found, settled
    history = np.append(found.history, value(point))
    return Minimum(point, history[-1], True, found.steps + 1, history, found.message), settled


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
