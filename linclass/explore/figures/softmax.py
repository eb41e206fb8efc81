"""The figure of softmax: three logits as bars, their probabilities as a point of the simplex."""

import numpy as np

from linclass import _checks
from linclass import softmax as _softmax
from linclass.explore.frame import Explorable, Panel

CORNERS = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])  # of the simplex, one a class
LEVELS = (2.0, 1.0, 0.5, 0.25)  # of the cross-entropy, where its shades begin
HINT = (
    "Drag the three bars or use the sliders, or press anywhere in the triangle of all probability vectors. The point "
    "is the prediction, the arrow minus the gradient of the cross-entropy, which is at most 2, 1, ½ and ¼ in the "
    "shades."
)
QUESTION = "Before you slide: what happens to the probabilities when the same number is added to all three logits?"
SEE = (
    "Nothing. Only differences of logits count. The gradient is probability minus one for the true class and the "
    "probability itself for the others, so it always sums to 0."
)


def softmax(logits=(1.0, 0.0, -1.0), y=0):
    """Softmax of three logits: the probabilities as a point of the simplex, the cross-entropy and its gradient.

    Try: add the same number to all logits; then see where the arrow of steepest descent points.
    """
    S = _checks.vector("logits", logits, 3, finite=True)
    y = int(_checks.choice("y", y, (0, 1, 2)))
    data = {"logits": S, "y": y, "corners": CORNERS, "levels": LEVELS}
    return Explorable("softmax", data, (_bars(S, y), _simplex(S, y)), HINT, QUESTION, SEE)


def _bars(S, y):
    """The logits as bars, each with a knob to drag."""
    bars = Panel(
        (-0.6, 2.6),
        (-4.5, 4.5),
        ("class", "logit"),
        f"Three bars, the logits {S[0]:.2f}, {S[1]:.2f}, {S[2]:.2f}.",
        ticks=([(k, f"{k}") for k in range(3)], None),
    )
    bars.path([(bars.x[0], 0), (bars.x[1], 0)], "quiet")
    for k in range(3):
        bars.path([(k, 0), (k, S[k])], f"bar {'acc' if k == y else ''}")
        bars.mark(k, S[k], "knob" + (" solid" if k == y else ""))
    return bars


def _simplex(S, y):
    """The probabilities as a point of the triangle, with an arrow to the corner of the true class."""
    p = _softmax.softmax(S)
    entropy = float(_softmax.cross_entropy(S[None, :], [y])[0])
    simplex = Panel(
        (-0.17, 1.17),
        (-0.13, 0.97),
        ("", ""),
        f"The triangle of all probability vectors, with the point ({p[0]:.2f}, {p[1]:.2f}, {p[2]:.2f}) and an arrow "
        f"from it to the corner of the true class {y}; cross-entropy {entropy:.2f}.",
        ticks=([], []),
    )
    simplex.path(CORNERS[[0, 1, 2, 0]], "quiet", layer="fixed")
    for k, shift in enumerate(((-8, 16), (8, 16), (0, -8))):
        simplex.text(CORNERS[k], f"class {k}", "m", shift, layer="fixed")
    at = p @ CORNERS
    for level in LEVELS:  # a cross-entropy of at most this much: a triangle at the corner of the true class
        simplex.path(CORNERS[y] + (1 - np.exp(-level)) * (CORNERS - CORNERS[y]), "shade acc")
    simplex.arrow(at, CORNERS[y], "acc")
    simplex.mark(*at, "knob solid", layer="front")
    return simplex
