"""The figure of explore.logistic."""

import numpy as np

from linclass import logistic as _logistic
from linclass import margins
from linclass.explore.frame import Explorable, Panel, decades, plane_examples, plane_panel, tidy


def logistic(X, y):
    """Logistic regression over eight decades of lambda: boundary, probabilities, norm of theta, log-likelihood.

    Each fit on the path is `fit_logistic`'s, rounded to six digits.
    Try: on separable data, slide lambda down and see what grows and what stays.
    """
    X, y = plane_examples(X, y)
    lams = np.array([float(f"{10 ** (k / 5):.3g}") for k in range(-35, 6)])
    models = [_logistic.fit_logistic(X, y, lam=lam).model for lam in lams]
    path = np.array([tidy([*model.theta, model.theta_0]) for model in models])
    sizes = np.linalg.norm(path[:, :2], axis=1)
    start = 30  # lambda = 0.1
    theta, theta_0 = path[start, :2], path[start, 2]
    panel = plane_panel(
        X,
        f"{len(y)} labelled points in the plane, the line of probability one half and, dashed, those of 0.1 and 0.9, "
        f"at lambda {lams[start]}.",
    )
    odds = float(_logistic.log_odds(0.9))
    for level, cls in ((0, ""), (odds, "dash p"), (-odds, "dash n")):
        panel.level(theta, theta_0, level, cls)
    z = margins.margins(theta, theta_0, X, y)
    panel.points(X, y, set(np.flatnonzero(z <= 0)))
    probe = np.round([(3 * panel.x[0] + panel.x[1]) / 4, (panel.y[0] + 3 * panel.y[1]) / 4], 2)
    panel.mark(*probe, "knob")
    panel.text(*probe, f"{float(_logistic.sigmoid(theta @ probe + theta_0)):.2f}", "halo", 11, 4)
    norms = Panel(
        (-7.2, 1.2),
        (0, 1.1 * sizes.max()),
        ("λ", "|θ|"),
        f"The norm of theta against lambda, from {sizes[-1]:.2f} at lambda 10 to {sizes[0]:.2f} at lambda 0.0000001.",
        ticks=(decades(-7, 1), None),
    )
    norms.path(np.column_stack([np.log10(lams), sizes]), "acc", layer="fixed")
    norms.mark(np.log10(lams[start]), sizes[start], "knob solid", layer="front")
    hint = (
        "Slide λ over eight decades. The full line has probability one half, the dashed ones 0.1 and 0.9; drag the "
        "open circle to read the probability anywhere."
    )
    data = {"X": X, "y": y, "lams": lams, "path": path, "probe": probe, "start": start}
    return Explorable("logistic", data, (panel, norms), hint)
