"""The figure of stochastic gradient descent: its path over the risk's contours, and its risk update by update."""

import numpy as np

from linclass import _checks, logistic, losses, risk, svm
from linclass.explore.frame import Explorable, Panel, decades, plane_examples, plane_panel, tidy

UPDATES, ETA = 200, 0.3  # of the path shown first: updates, and the constant step size
LEVELS = (0.02, 0.08, 0.25, 0.5, 1.0, 1.7, 2.6)  # of the contours: shares of the way from the least risk to that of 0
FLOOR = 1e-6  # the chart of logarithms ends here
MULBERRY = 0x6D2B79F5  # what the generator mulberry32 adds to its state at each draw
HINT = (
    "Choose the step rule, the batch and the sampling; drag the open circle to start elsewhere. "
    "The cross is the minimum."
)
QUESTION = "Before you play it: with a constant step size, does the walk come to rest at the minimum?"
SEE = (
    "It does not: it keeps trembling around the minimum, within a distance that shrinks with η. With η/√t it "
    "settles there, with η/t it may come to rest before it arrives, and with all examples in each batch it "
    "all but settles."
)


def sgd(X, y, loss=losses.HINGE, lam=0.1):
    """Stochastic gradient descent on the risk of two parameters, without an offset: its path and its risk.

    `loss` is HINGE or LOGISTIC. The data are sorted by label, so that cycling through them shows what it does.
    Try: each step rule, batch size and sampling in turn; new draws; another start.
    """
    X, y = plane_examples(X, y)
    _checks.choice("loss", getattr(loss, "name", loss), ("hinge", "logistic"))
    order = np.argsort(-y, kind="stable")
    X, y, lam = X[order], y[order], _checks.positive("lam", lam)
    fit = svm.fit_svm if loss.name == "hinge" else logistic.fit_logistic
    bottom = fit(X, y, lam=lam, offset=False).model.theta

    def value(points):
        return np.array([risk.risk(theta, 0.0, X, y, loss, lam) for theta in points])

    least = float(f"{value([bottom])[0]:.7g}")
    path = [np.zeros(2)]
    for i in shuffled_draws(len(y), UPDATES):
        grad, _ = risk.risk_grad(path[-1], 0.0, X[[i]], y[[i]], loss, lam)
        path.append(path[-1] - ETA * grad)
    panels = _contours(loss.name, value, bottom, least, path), _chart(value(path) - least)
    data = {"X": X, "y": y, "loss": loss.name, "lam": lam, "bottom": tidy(bottom), "least": least}
    return Explorable("sgd", {**data, "eta": ETA, "updates": UPDATES}, panels, HINT, QUESTION, SEE)


def _contours(name, value, bottom, least, path):
    """The risk's contours over theta, its minimum, and the path."""
    reach = max(1.25 * float(np.linalg.norm(bottom)), 0.5)
    panel = plane_panel(
        np.array([bottom - reach, bottom + reach]),
        f"Contours of the {name} risk over theta, with its minimum at ({bottom[0]:.2f}, {bottom[1]:.2f}), and the "
        f"path of {UPDATES} stochastic gradient steps from 0.",
        ("θ₁", "θ₂"),
    )
    start = float(value(path[:1])[0]) - least
    for share in LEVELS:
        panel.path(_level_set(value, bottom, least + share * start), "quiet", layer="fixed")
    panel.mark(*bottom, "star", layer="fixed")
    panel.path(path, "n thin")
    panel.mark(*path[0], "knob")
    panel.mark(*path[-1], "dotn", layer="front")
    return panel


def _chart(above):
    """The risk above its minimum, after each update and the best so far."""
    chart = Panel(
        (0, UPDATES),
        (-4.5, 1),
        ("update", "risk above its minimum"),
        "Risk above its minimum against the number of updates, current and best so far.",
        ticks=(None, decades(-4, 1, 1)),
    )
    heights = np.log10(np.maximum(above, FLOOR))
    chart.legend(("n thin", "current"), ("acc", "best so far"), left=210)
    for line, cls in ((heights, "n thin"), (np.minimum.accumulate(heights), "acc")):
        chart.path(np.column_stack([range(UPDATES + 1), line]), cls)
    return chart


def shuffled_draws(n, count):
    """The script's first draws: epochs in shuffled order (Fisher and Yates) by the small generator mulberry32, seed 0.

    They are repeated here so that the still picture shows the path the living one starts with.
    """
    word, state, order = 0xFFFFFFFF, 0, list(range(n))
    while count > 0:
        for i in range(n - 1, 0, -1):
            state = (state + MULBERRY) & word
            t = ((state ^ state >> 15) * (1 | state)) & word
            t = (t + ((t ^ t >> 7) * (61 | t) & word) & word) ^ t
            j = int((t ^ t >> 14) / 2**32 * (i + 1))
            order[i], order[j] = order[j], order[i]
        yield from order[:count]
        count -= n


def _level_set(value, bottom, level, rays=60):
    """The closed curve where a convex function has the value `level`, by bisection on rays from its minimum."""
    angles = np.linspace(0, 2 * np.pi, rays + 1)
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    low, high = np.zeros(len(angles)), np.full(len(angles), 64.0)
    for _ in range(26):
        middle = (low + high) / 2
        inside = value(bottom + middle[:, None] * directions) < level
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return bottom + low[:, None] * directions
