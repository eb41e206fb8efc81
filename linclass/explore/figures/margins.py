"""The figure of margins: a boundary, its normal vector and labelled points, all of which can be dragged."""

import numpy as np

from linclass import _checks
from linclass import margins as _margins
from linclass.explore.frame import Explorable, plane_examples, plane_panel

HINT = (
    "Drag the open circle to shift the boundary, the arrow's tip to turn it and to stretch θ, and any point. "
    "Arrow keys move what has the focus; Page Up and Page Down go from point to point. A press on empty ground adds a "
    "+1, with Shift a −1. A rim marks a mistake."
)
QUESTION = "Before you drag: if θ and θ₀ are both doubled, which of the numbers below change, and which stay?"
SEE = (
    "Score and margin double, because they are measured in units of θ. The boundary, the signed distance, the "
    "angle and the training error stay: they belong to the line alone."
)


def margins(X, y, theta, theta_0):
    """Margins: drag the boundary, its normal vector theta and the points.

    Shows the score, the margin, the signed distance and the angle of the chosen point, and the training error.
    Try: double theta and theta_0, and see which numbers stay as they are.
    """
    X, y = plane_examples(X, y)
    theta, theta_0 = _checks.vector("theta", theta, 2, finite=True), _checks.scalar("theta_0", theta_0, finite=True)
    _margins.signed_distances(theta, theta_0, X)  # refuses theta = 0
    z = _margins.margins(theta, theta_0, X, y)
    error = _margins.zero_one_error(theta, theta_0, X, y)
    panel = plane_panel(
        X,
        f"{len(y)} labelled points in the plane, the boundary with its normal vector theta = ({theta[0]:.2f}, "
        f"{theta[1]:.2f}) and theta_0 = {theta_0:.2f}; training error {error:.2f}.",
    )
    along = np.array([-theta[1], theta[0]]) / np.linalg.norm(theta) * (panel.y[1] - panel.y[0]) / 4
    anchor = panel.centre + along - (theta @ panel.centre + theta_0) / (theta @ theta) * theta
    tip = anchor + theta
    panel.sides(theta, theta_0, 0)
    panel.level(theta, theta_0, 0, "")
    foot = X[0] - (theta @ X[0] + theta_0) / (theta @ theta) * theta
    panel.path([foot, X[0]], "dash")
    panel.arrow(anchor, tip, "acc", layer="front")
    panel.text(tip, "θ", "acc halo", (11, 4))
    panel.points(X, y, set(np.flatnonzero(z <= 0)))
    panel.mark(*anchor, "knob")
    panel.mark(*tip, "knob solid")
    return Explorable(
        "margins", {"X": X, "y": y, "theta": theta, "theta_0": theta_0, "anchor": anchor}, (panel,), HINT, QUESTION, SEE
    )
