"""The figure of Newton's method: tangents in one dimension, and the digits they get right."""

from itertools import pairwise

import numpy as np

from linclass import _checks, losses
from linclass import newton as _newton
from linclass.explore.frame import Explorable, Panel

DATA = np.array([2.0, 1.5, 1.0, 0.5, -1.0, -0.5])  # y x of six examples with one input, not separable
MOST_DIGITS = 16  # of a double
HINT = (
    "Drag the open circle, the start, along the axis and add steps. The cross is the root; each green line is a "
    "tangent, followed to the axis."
)
QUESTION = (
    "Before you start it: how does the number of correct digits grow from step to step, for each of the two methods?"
)
SEE = (
    "Near a root Newton's method about doubles the digits with each step; gradient descent adds about the same "
    "number each time. For arctan, a start too far out makes Newton's steps grow."
)


def choices():
    """For each choice: its words, f, its slope, the roots and a step size for gradient descent."""

    def score(t):
        return np.sum(DATA * losses.logistic_slope(DATA * np.asarray(t)[..., None]), axis=-1)

    def curvature(t):
        return np.sum(DATA * DATA * losses.logistic_curvature(DATA * np.asarray(t)[..., None]), axis=-1)

    root = round(_newton.newton_root(score, curvature, 0.0, tol=1e-15).point, 15)  # the last bit is the computer's
    return {
        "logistic": ("the slope of a logistic risk", score, curvature, [root], 0.3),
        "sqrt": ("x² − 2", lambda x: x * x - 2.0, lambda x: 2.0 * x, [np.sqrt(2.0), -np.sqrt(2.0)], 0.2),
        "arctan": ("arctan x", np.arctan, lambda x: 1 / (1 + x * x), [0.0], 0.5),
    }


def newton(start=-1.0, function="logistic", steps=4):
    """Newton's method in one dimension: pick the start, follow the tangents, count the digits that are right.

    `function` is "logistic" (the slope of a small logistic risk), "sqrt" (x^2 - 2) or "arctan".
    Try: find a start from which the tangents run away.
    """
    functions = choices()
    _checks.choice("function", function, tuple(functions))
    start, steps = _checks.scalar("start", start, finite=True), _checks.count("steps", steps)
    words, f, slope, roots, eta = functions[function]
    points, slow = [start], [start]
    for _ in range(steps):
        points.append(points[-1] - float(f(points[-1])) / float(slope(points[-1])))
        slow.append(slow[-1] - eta * float(f(slow[-1])))
    alt = f"The graph of {words} with {steps} tangent steps from the start {start:.2f}."
    panels = _tangents(f, points, roots, alt), _digits(points, slow, roots)
    shown = {
        name: {"words": words, "roots": [repr(float(root)) for root in roots], "eta": eta}
        for name, (words, _, _, roots, eta) in functions.items()
    }
    data = {"start": start, "name": function, "steps": steps, "m": DATA, "functions": shown, "most": MOST_DIGITS}
    return Explorable("newton", data, panels, HINT, QUESTION, SEE)


def _tangents(f, points, roots, alt):
    """The graph of f and the tangent at each point, followed to the axis."""
    panel = Panel((-6, 6), (-5, 5), ("x", "f(x)"), alt)
    panel.path([(-99, 0), (99, 0)], "quiet")
    panel.curve(f, "p")
    for at, after in pairwise(points):
        height = float(f(at))
        panel.path([(at, 0), (at, height)], "dash")
        panel.path([(at, height), (after, 0)], "acc thin")
    for root in roots:
        panel.mark(root, 0, "star", layer="front")
    panel.mark(points[0], 0, "knob")
    return panel


def _digits(points, slow, roots):
    """The digits right after each step, of Newton's method and of gradient descent."""
    panel = Panel(
        (-0.4, 10.4),
        (-1, MOST_DIGITS + 1),
        ("step", "digits right"),
        "Digits right after each step: Newton's method beside gradient descent.",
    )
    panel.legend(("acc", "Newton"), ("n dash", "gradient descent"))
    for path, cls in ((slow, "n dash"), (points, "acc")):
        panel.path([(k, digits_right(v, roots)) for k, v in enumerate(path)], cls)
    return panel


def digits_right(value, roots):
    """Decimal digits of `value` that are right: -log10 of its distance to the nearest root, between -1 and 16."""
    error = min(abs(value - root) for root in roots)
    if not np.isfinite(error):
        return -1.0
    return float(MOST_DIGITS) if error == 0 else float(np.clip(-np.log10(error), -1, MOST_DIGITS))
