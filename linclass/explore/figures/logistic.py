"""The figure of logistic regression: its boundary and the norm of theta along a path of lambda."""

import numpy as np

from linclass import logistic as _logistic
from linclass import margins
from linclass.explore.frame import Explorable, Panel, decades, plane_examples, plane_panel, tidy

DECADES = (-7, 1)  # the powers of ten that lambda runs between
PER_DECADE = 5  # fits in each
START = 30  # the fit shown first, at lambda = 0.1
SURE = 0.9  # the probability at the dashed lines
HINT = (
    "Slide λ over eight decades. The full line has probability one half, the dashed ones 0.1 and 0.9; drag the "
    "open circle, or press anywhere, to read the probability there."
)
QUESTION = "Before you slide: as λ falls towards 0 on separable data, does the boundary move, and what else does?"
SEE = (
    "The boundary soon hardly moves, but the length of θ grows without end: the strip in which the model is "
    "unsure shrinks, and every probability goes to 0 or 1."
)


def logistic(X, y):
    """Logistic regression over eight decades of lambda: boundary, probabilities, norm of theta, log-likelihood.

    Each fit on the path is `fit_logistic`'s, rounded to six digits.
    Try: on separable data, slide lambda down and see what grows and what stays.
    """
    X, y = plane_examples(X, y)
    first, last = (PER_DECADE * power for power in DECADES)
    lams = np.array([float(f"{10 ** (k / PER_DECADE):.3g}") for k in range(first, last + 1)])
    models = [_logistic.fit_logistic(X, y, lam=lam).model for lam in lams]
    path = np.array([tidy([*model.theta, model.theta_0]) for model in models])
    theta, theta_0 = path[START, :2], path[START, 2]
    panel = plane_panel(
        X,
        f"{len(y)} labelled points in the plane, the line of probability one half and, dashed, those of 0.1 and 0.9, "
        f"at lambda {lams[START]}.",
    )
    odds = float(_logistic.log_odds(SURE))
    for side, cls in ((1, "shade p"), (-1, "shade n")):
        for level in (-odds, -odds / 2, 0, odds / 2, odds):
            panel.half(theta, theta_0, level, side, cls)
    for level, cls in ((0, ""), (odds, "dash p"), (-odds, "dash n")):
        panel.level(theta, theta_0, level, cls)
    panel.points(X, y, set(np.flatnonzero(margins.margins(theta, theta_0, X, y) <= 0)))
    probe = np.round([(3 * panel.x[0] + panel.x[1]) / 4, (panel.y[0] + 3 * panel.y[1]) / 4], 2)
    panel.mark(*probe, "knob")
    panel.text(probe, f"{float(_logistic.sigmoid(theta @ probe + theta_0)):.2f}", "halo", (11, 4))
    data = {"X": X, "y": y, "lams": lams, "path": path, "probe": probe, "start": START, "sure": SURE}
    return Explorable("logistic", data, (panel, _norms(lams, path)), HINT, QUESTION, SEE)


def _norms(lams, path):
    """The norm of theta against lambda."""
    sizes = np.linalg.norm(path[:, :2], axis=1)
    norms = Panel(
        (DECADES[0] - 0.2, DECADES[1] + 0.2),
        (0, 1.1 * sizes.max()),
        ("λ", "|θ|"),
        f"The norm of theta against lambda, from {sizes[-1]:.2f} at lambda 10 to {sizes[0]:.2f} at lambda 0.0000001.",
        ticks=(decades(*DECADES), None),
    )
    norms.path(np.column_stack([np.log10(lams), sizes]), "acc", layer="fixed")
    norms.mark(np.log10(lams[START]), sizes[START], "knob solid", layer="front")
    return norms
