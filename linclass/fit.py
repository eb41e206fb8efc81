"""What a method or a learner answers: the result, whether it is certified, and what happened on the way.

A method stands in its module as the loop that the book explains: it yields each point that it reaches, and returns True
where it is done. The line above it, `minimises`, makes a `Minimum` of that.
"""

import functools
import inspect
from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass.risk import remembered

__all__ = ["Fit", "Minimum", "Root", "Stopped", "backtrack", "minimises"]

HALVINGS = 52  # the binary digits of a double: a step shortened further is lost beside the point

# What the learners of probabilities say.
CERTIFIED = "certified: the risk is within 1e-7 of its minimum, relatively"
SEPARABLE = (
    "the data are separable ({}): the likelihood has no maximiser but rises for ever along a separating direction; "
    "take lam > 0"
)
UNPROVED = "nothing proves that the likelihood has a maximiser: the data are separable, or all but; take lam > 0"


@dataclass(frozen=True)
class Minimum:
    """What a method that minimises a function found."""

    point: np.ndarray
    value: float
    converged: bool  # true only with a certificate: gradient or decrement below tolerance
    steps: int
    history: np.ndarray  # the value at the start and after each step
    message: str


@dataclass(frozen=True)
class Root:
    """What a root finder found."""

    point: float
    converged: bool
    steps: int
    history: np.ndarray  # the points, the start first


@dataclass(frozen=True)
class Fit:
    """What a learner found. Learners add fields of their own."""

    model: object  # with scores(X) and predict(X), and probabilities(X) where it is a model of probabilities
    converged: bool  # true only with a certificate
    steps: int  # parameter updates
    history: np.ndarray  # the objective
    message: str  # what happened, and what to do about it


def outcome(history, trouble):
    """What a `Fit` with that history says: certified, unless there is trouble, which is then its message."""
    steps, message = len(history) - 1, trouble or CERTIFIED
    return {"converged": not trouble, "steps": steps, "history": np.asarray(history), "message": message}


class Stopped(Exception):
    """A method cannot go on from where it is; the words say why."""


def minimises(certificate):
    """The line above a method that minimises a function: it names what certifies the minimum.

    The method takes value, grad, perhaps hess, start and max_steps. It yields the points it reaches and returns True at
    a minimum, False where it sees that there is none, and nothing after `max_steps`. The caller's functions are called
    through `_checks.callers`, and the value at the last point is remembered.
    """

    def declared(method):
        signature = inspect.signature(method)

        @functools.wraps(method)
        def minimum(*args, **kwargs):
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            of = given.arguments
            x = of["start"] = _checks.vector("start", of["start"], finite=True).copy()
            of["max_steps"] = _checks.count("max_steps", of["max_steps"])
            for name, shape in (("grad", x.shape), ("hess", 2 * x.shape)):
                if name in of:
                    of[name] = _checks.callers(name, of[name], functools.partial(_finite, f"{name}(x)", shape))
            answer = functools.partial(_checks.scalar, "value(x)")
            of["value"] = value = remembered(_checks.callers("value", of["value"], answer))
            with np.errstate(all="ignore"):
                values, path = [value(x)], method(*given.args, **given.kwargs)
                try:
                    while len(values) == 1 or np.isfinite(values[-1]):
                        x = next(path)
                        values.append(value(x))
                    end = "diverged: the value is {value} after {steps} steps; take a smaller eta"
                except StopIteration as stop:
                    end = {True: certificate, False: NOT_CONVEX, None: TOO_FEW}[stop.value]
                except Stopped as stop:
                    end = f"stopped: {stop}"
            certified = end is certificate and bool(np.isfinite(values[-1]))
            message = end.format(value=values[-1], steps=len(values) - 1)
            return Minimum(x, values[-1], certified, len(values) - 1, np.array(values), message)

        return minimum

    return declared


NOT_CONVEX = "stopped: the function curves downwards here, so it is not convex and this is not a minimum"
TOO_FEW = "stopped after {steps} steps: allow more, start closer, rescale the inputs, or check that a minimum exists"


def _finite(name, shape, answer):
    """What a caller's gradient or Hessian gave: an array of that shape, and finite, or the method stops."""
    array = _checks.real(name, answer)
    if array.shape != shape:
        _checks.fail(name, f"an array of shape {shape}", f"shape {array.shape}")
    if not _checks.is_finite(array):
        raise Stopped(f"{name} is not finite; take a smaller step, or start closer")
    return array


def backtrack(value, x, step, fall):
    """The first t of 1, 1/2, 1/4, … for which value(x + t step) <= value(x) - t fall."""
    now = value(x)
    for t in 0.5 ** np.arange(HALVINGS):
        if value(x + t * step) <= now - t * fall:
            return t
    raise Stopped("no shorter step lowers the value in double precision")
