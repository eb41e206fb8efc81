"""The figure of decisions: the probabilities of a logistic fit, a threshold on them, and what its mistakes cost."""

import numpy as np

from linclass import _checks, logistic
from linclass.explore.frame import Explorable, Panel, plane_examples, plane_panel, tidy

SURE = 0.9  # the probability at the dashed lines
THRESHOLD = 0.5  # shown first
DEAREST = 20  # what a miss costs at most, in false alarms
HINT = (
    "Slide the threshold and the price of a miss. The full line is where the probability is the threshold, the dashed"
    " ones where it is 0.1 and 0.9; a rim marks a mistake. Drag the open circle, or press, to read the probability "
    "anywhere."
)
QUESTION = "Before you slide: if a miss costs nine false alarms, where should the threshold be, and does the line turn?"
SEE = (
    "The line only moves: all lines of equal probability are parallel. The cost is low near the threshold that the "
    "prices name, 1/(1 + 9) = 0.1, and far higher at 0.5; its very lowest step is luck."
)


def probabilities(X, y, miss=9):
    """A logistic fit's probabilities as decisions: mistakes of both kinds at a threshold, and their mean cost.

    A miss costs as much as `miss` false alarms, a whole number up to 20; both together cost 1.
    Try: find the cheapest threshold for several prices, and compare it with 1 / (1 + miss).
    """
    X, y = plane_examples(X, y)
    miss = _checks.choice("miss", miss, tuple(range(1, DEAREST + 1)))
    fit = logistic.fit_logistic(X, y)
    if not fit.converged:
        _checks.fail("X", "examples whose classes overlap, or there are no probabilities", fit.message.split(":")[0])
    model = fit.model
    theta, theta_0 = np.array(tidy(model.theta)), float(tidy([model.theta_0])[0])
    chances = logistic.sigmoid(X @ theta + theta_0)
    panel = plane_panel(
        X,
        f"{len(y)} labelled points in the plane and the line where a logistic fit gives plus one the probability "
        f"{THRESHOLD}, with dashed lines at 0.1 and 0.9.",
    )
    odds = float(logistic.log_odds(SURE))
    at = float(logistic.log_odds(THRESHOLD))
    panel.sides(theta, theta_0, at)
    for level, cls in ((at, ""), (odds, "dash p"), (-odds, "dash n")):
        panel.level(theta, theta_0, level, cls)
    panel.points(X, y, set(np.flatnonzero((chances > THRESHOLD) != (y > 0))))
    probe = np.round([(3 * panel.x[0] + panel.x[1]) / 4, (panel.y[0] + 3 * panel.y[1]) / 4], 2)
    panel.mark(*probe, "knob")
    panel.text(probe, f"{float(logistic.sigmoid(theta @ probe + theta_0)):.2f}", "halo", (11, 4))
    data = {"X": X, "y": y, "theta": theta, "theta_0": theta_0, "miss": miss, "dearest": DEAREST}
    data |= {"threshold": THRESHOLD, "probe": probe, "sure": SURE}
    return Explorable("probabilities", data, (panel, _costs(chances, y, miss)), HINT, QUESTION, SEE)


def mean_cost(threshold, chances, y, miss):
    """What the mistakes at a threshold cost, per example, if a false alarm and a miss together cost 1."""
    alarms = np.sum((chances > threshold) & (y < 0))
    misses = np.sum((chances <= threshold) & (y > 0))
    return float((alarms + miss * misses) / ((1 + miss) * len(y)))


def staircase(chances, y, miss):
    """The corners of the mean cost as a function of the threshold, which jumps at each probability given."""
    corners = [(0.0, mean_cost(0.0, chances, y, miss))]
    for at in sorted(chances):
        corners += [(at, corners[-1][1]), (at, mean_cost(at, chances, y, miss))]
    return [*corners, (1.0, corners[-1][1])]


def _costs(chances, y, miss):
    """The mean cost against the threshold, and the threshold that the prices name."""
    named = 1 / (1 + miss)
    costs = Panel(
        (0, 1),
        (0, 1.05 * max(np.mean(y > 0), np.mean(y < 0))),
        ("threshold", "mean cost"),
        f"The mean cost against the threshold, a miss costing {miss} false alarms: a staircase that is low near the "
        f"dashed line at {named:.2f}.",
    )
    costs.path(staircase(chances, y, miss), "acc")
    costs.path([(named, 0), (named, 1)], "dash")
    costs.mark(THRESHOLD, mean_cost(THRESHOLD, chances, y, miss), "knob solid", layer="front")
    return costs
