"""The figure of the perceptron: its walk from mistake to mistake, over points that can be changed."""

import numpy as np

from linclass import _checks
from linclass import perceptron as _perceptron
from linclass.explore.frame import Explorable, Panel, plane_examples, plane_panel

HINT = (
    "Step or play through the mistakes: the rim marks the point that caused the last one, the dashed line is the "
    "boundary before it. Points can be dragged; Enter flips the chosen one, Delete removes it, and a press on empty "
    "ground adds a +1, with Shift a −1."
)
QUESTION = (
    "Before you drag: does a point far from the boundary, but on its right side, change how many mistakes the "
    "walk makes?"
)
SEE = (
    "Only if it is wrong when its turn comes. The bound (R/γ)² grows all the same, since R is the largest length. The "
    "surest way to many mistakes is a small γ: drag two points of different labels close together."
)


def perceptron(X, y, epochs=30):
    """The perceptron's walk: step, play and scrub through its mistakes; move, add, flip and remove points.

    Shows the boundary after each mistake, the mistakes of each epoch, and their sum beside Novikoff's bound.
    Try: flip one point deep inside its class, and watch the walk never settle.
    """
    X, y = plane_examples(X, y)
    fit = _perceptron.fit_perceptron(X, y, max_epochs=_checks.count("epochs", epochs))
    walk, last = _walk(X, y, len(fit.history))
    panel = plane_panel(
        X,
        f"{len(y)} labelled points in the plane and the perceptron's line after {fit.mistakes} mistakes, with the line "
        "before the last mistake dashed.",
    )
    panel.sides(*walk[-1], 0)
    if len(walk) > 2:
        panel.level(*walk[-2], 0, "dash")
    panel.level(*walk[-1], 0, "")
    panel.points(X, y, {last})
    return Explorable(
        "perceptron", {"X": X, "y": y, "epochs": epochs}, (panel, _bars(fit, epochs)), HINT, QUESTION, SEE
    )


def _walk(X, y, epochs):
    """The parameters (theta, theta_0) at the start and after each mistake, and the example of the last mistake."""
    walk, last = [(np.zeros(2), 0.0)], 0
    for _ in range(epochs):
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            theta, theta_0 = _perceptron.perceptron_step(*walk[-1], x, label)
            if theta_0 != walk[-1][1]:  # a step always moves the offset
                walk.append((theta, theta_0))
                last = i
    return walk, last


def _bars(fit, epochs):
    """The mistakes of each epoch, with room for more than there are."""
    end = "settled" if fit.converged else "has not settled"
    bars = Panel(
        (0, epochs + 0.8),
        (0, max(6.0, 1.5 * float(fit.history.max()))),
        ("epoch", "mistakes"),
        f"Mistakes in each epoch: {', '.join(str(k) for k in fit.history)}; the walk {end}.",
    )
    for k, mistakes in enumerate(fit.history):
        bars.path([(k + 1, 0), (k + 1, mistakes)], "stem")
    return bars
