"""The figure of the support vector machine: its band and slacks, and the multipliers against the margins."""

import numpy as np

from linclass import _checks, conventions, margins
from linclass import svm as _svm
from linclass.explore.frame import Explorable, Panel, plane_examples, plane_panel, tidy

NO_SLACK = 1e-7  # less is the solver's rounding
HINT = (
    "Drag points and slide C; a press on empty ground adds a +1, with Shift a −1. The band's edges are the scores −1 "
    "and +1; segments are slacks; a rim marks a support vector. In the other plot every point lies on the broken line"
    " that the optimality conditions draw."
)
QUESTION = "Before you drag: which points can you move without changing the boundary at all?"
SEE = (
    "Those without a rim, as long as they stay outside the band. In the other plot they lie on the bottom line, "
    "with multiplier 0; only points with a multiplier hold the boundary up."
)


def svm(X, y, C=1.0):
    """The support vector machine: drag points, slide C; margin band, slacks and multipliers follow.

    C is the price of slack: the figure minimises 1/2 |theta|^2 + C sum xi, as `fit_svm` does with lam = 1 / (n C).
    Try: drag a point that is not a support vector, then one that is.
    """
    X, y = plane_examples(X, y)
    C = _checks.positive("C", C)
    fit = _svm.fit_svm(X, y, lam=conventions.lam_from_C(C, len(y)))
    theta, theta_0, dual = fit.model.theta, fit.model.theta_0, tidy(fit.dual)
    panel = plane_panel(
        X,
        f"{len(y)} labelled points, the boundary and its margin band at C = {C:g}, each slack as a segment to the edge "
        f"of the band; {np.count_nonzero(dual)} support vectors with a rim.",
    )
    panel.path([*panel.ends(theta, theta_0, 1), *panel.ends(theta, theta_0, -1)[::-1]], "band")
    for level in (1, -1, 0):
        panel.level(theta, theta_0, level, "dash" if level else "")
    xi = _svm.slacks(theta, theta_0, X, y)
    for i in np.flatnonzero(xi > NO_SLACK):
        edge = X[i] + xi[i] * y[i] / (theta @ theta) * theta
        panel.path([X[i], edge], "thin p" if y[i] > 0 else "thin n")
    panel.points(X, y, set(np.flatnonzero(dual)))
    conditions = _conditions(margins.margins(theta, theta_0, X, y), dual / C, y)
    return Explorable("svm", {"X": X, "y": y, "C": C}, (panel, conditions), HINT, QUESTION, SEE)


def _conditions(z, shares, y):
    """Each example's multiplier, as a share of C, against its margin; the broken line is where they must lie."""
    panel = Panel(
        (min(-2.0, float(z.min()) - 0.5), max(4.0, float(z.max()) + 0.5)),
        (-0.15, 1.2),
        ("margin", "multiplier / C"),
        "Each point's multiplier over C against its margin: 0 beyond margin 1, 1 below it, anything between at 1.",
    )
    panel.path([(-9, 1), (1, 1), (1, 0), (9, 0)], "quiet", layer="fixed")
    panel.points(np.column_stack([z, shares]), y, {0})
    return panel
