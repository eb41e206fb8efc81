"""The figure of explore.kernels."""

from functools import partial

import numpy as np

from linclass import kernels as _kernels
from linclass import representer
from linclass.explore.frame import Explorable, Panel, number, plane_examples, plane_panel, tidy


def kernels(X, y, lam=0.01):
    """An RBF kernel machine: slide tau; the boundary, and one point's score as the sum of the examples' votes.

    The kernel SVM is fitted for each tau by `fit_kernel_svm` and rounded to six digits.
    Try: drag the open circle far away from all points, with a small tau.
    """
    X, y = plane_examples(X, y)
    taus = np.array([float(f"{0.1 * 10 ** (k / 8):.3g}") for k in range(17)])
    models = [
        representer.fit_kernel_svm(X, y, partial(_kernels.rbf_kernel, tau=tau), lam=lam).model for tau in taus
    ]
    alphas = [tidy(model.alpha) for model in models]
    offsets = [tidy([model.theta_0])[0] for model in models]
    start = 6
    tau, alpha, theta_0 = taus[start], alphas[start], offsets[start]
    panel = plane_panel(
        X,
        f"{len(y)} labelled points and the curved boundary of a kernel machine with tau = {tau}, in colour where its "
        "score is +1 and -1; a rim marks points that vote.",
    )
    columns, rows = np.linspace(*panel.x, GRID[0] + 1), np.linspace(*panel.y[::-1], GRID[1] + 1)
    plane = np.column_stack([v.ravel() for v in np.meshgrid(columns, rows)])
    field = (_kernels.rbf_kernel(plane, X, tau) @ alpha + theta_0).reshape(GRID[1] + 1, GRID[0] + 1)
    for level, cls in ((0, ""), (1, "thin p"), (-1, "thin n")):
        segments = _contour(panel, field - level)
        if segments:
            panel.add("back", f"<path class='{cls}' d='{segments}'/>")
    panel.points(X, y, set(np.flatnonzero(alpha)))
    probe = np.round([sum(panel.x) / 2, sum(panel.y) / 2], 2)
    votes = alpha * _kernels.rbf_kernel(probe[None, :], X, tau)[0]
    panel.mark(*probe, "knob")
    bars = Panel(
        (-1.5, 1.5),
        (-0.8, 8.8),
        ("", ""),
        "The largest votes at the chosen point and the offset, as bars: to the right for +1, to the left for -1.",
        ticks=([], []),
    )
    order = np.argsort(-np.abs(votes), kind="stable")[:8]
    largest = max(abs(theta_0), float(np.abs(votes).max()), 1e-12)
    bars.path([(0, -2), (0, 12)], "quiet")
    for row, vote, words in [(8 - r, votes[i], f"point {i + 1}") for r, i in enumerate(order)] + [(0, theta_0, "θ₀")]:
        bars.path([(0, row), (vote / largest, row)], "vote " + ("p" if vote > 0 else "n"))
        bars.text(-1.45, row, words, "sm", 0, 4, layer="back")
        bars.text(1.45, row, f"{vote:.3f}".replace("-", "−"), "sm e", 0, 4, layer="back")
    hint = (
        "Slide τ and drag the open circle, the point in question. Lines and bars are the votes α K(x, x′) of the "
        "training points; with the offset they add up to the score."
    )
    data = {"X": X, "y": y, "taus": taus, "alphas": alphas, "offsets": offsets, "probe": probe, "start": start}
    return Explorable("kernels", data, (panel, bars), hint)


GRID = (53, 41)  # cells across and down, for contours


def _contour(panel, field):
    """Where a field on the grid is 0: a segment for each cell that the line passes, by linear interpolation."""
    (w, h), parts = np.array(panel.size) / GRID, []
    positive = field > 0
    mixed = positive[:-1, :-1].astype(int) + positive[:-1, 1:] + positive[1:, 1:] + positive[1:, :-1]
    for r, c in np.argwhere((mixed > 0) & (mixed < 4)):
        v = field[r, c], field[r, c + 1], field[r + 1, c + 1], field[r + 1, c]
        cut = []
        for e, (ax, ay, bx, by) in enumerate(((0, 0, 1, 0), (1, 0, 1, 1), (1, 1, 0, 1), (0, 1, 0, 0))):
            s, t = v[e], v[(e + 1) % 4]
            if (s > 0) != (t > 0):
                share = s / (s - t)
                cut.append(f"{number((c + ax + (bx - ax) * share) * w)} {number((r + ay + (by - ay) * share) * h)}")
        parts += ["L".join(cut[e : e + 2]) for e in range(0, len(cut), 2)]
    return "M" + "M".join(parts) if parts else ""
