"""Methods that step downhill: gradient descent on any function, and its step-size rules."""

import numpy as np

from linclass import _checks
from linclass.fit import Minimum


def constant_step(eta):
    """The rule eta_t = eta.

    Book: eq-step-rules.
    """
    eta = _checks.positive("eta", eta)
    return lambda t: eta


def inverse_step(scale=1.0, shift=0.0):
    """The rule eta_t = scale / (t + shift), t = 1, 2, …

    Book: eq-step-rules.
    """
    scale, shift = _checks.positive("scale", scale), _checks.nonnegative("shift", shift)
    return lambda t: scale / (t + shift)


def inverse_sqrt_step(scale=1.0):
    """The rule eta_t = scale / sqrt(t), t = 1, 2, …

    Book: eq-step-rules.
    """
    scale = _checks.positive("scale", scale)
    return lambda t: scale / np.sqrt(t)


def step_rule(eta):
    """`eta` as a rule: a number is the constant rule, a callable of t = 1, 2, … is itself."""
    return eta if callable(eta) else constant_step(eta)


def gradient_descent(value, grad, start, *, eta=None, tol=1e-8, max_steps=10_000):
    """Minimise a function by x <- x - eta_t grad(x), until the gradient's norm is at most tol.

    `eta` is a number or a rule; None means backtracking: a step that is halved until the value falls by half of
    what the gradient promises, and that starts twice as long as the last one.

    Book: eq-gradient-step.
    """
    x = _checks.vector("start", start, finite=True).copy()
    rule = None if eta is None else step_rule(eta)
    values, length = [float(value(x))], 1.0
    message = f"stopped after {max_steps} steps with a gradient above tol: allow more steps or rescale the inputs"
    for t in range(1, _checks.count("max_steps", max_steps) + 1):
        g = np.asarray(grad(x))
        size = float(np.linalg.norm(g))
        if size <= tol:
            return Minimum(x, values[-1], True, t - 1, np.array(values), "the gradient's norm is below tol")
        length = backtrack(value, x, g, values[-1], 2 * length) if rule is None else rule(t)
        if length == 0:
            message = "stopped: no shorter step lowers the value in double precision"
            break
        with np.errstate(over="ignore", invalid="ignore"):
            x = x - length * g
            values.append(float(value(x)))
        if not np.isfinite(values[-1]):
            message = f"diverged: the value is {values[-1]} after {t} steps; take a smaller eta"
            break
    return Minimum(x, values[-1], False, len(values) - 1, np.array(values), message)


def backtrack(value, x, g, now, longest):
    """The first of longest, longest/2, … for which the step -t g lowers the value by t |g|^2 / 2; 0 if none does."""
    t, square = longest, float(g @ g)
    while t > 1e-18 * longest and t * square > 0:
        with np.errstate(over="ignore", invalid="ignore"):
            if value(x - t * g) <= now - t * square / 2:
                return t
        t /= 2
    return 0.0
