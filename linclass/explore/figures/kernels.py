"""The figure of kernels: the boundary of an RBF machine, and the votes that make up one point's score."""

from functools import partial

import numpy as np

from linclass import kernels as _kernels
from linclass import representer
from linclass.explore.frame import SIZE, Explorable, Panel, joined, plane_examples, plane_panel, tidy

TAUS = [float(f"{0.1 * 10 ** (k / 8):.3g}") for k in range(17)]  # eight to a decade, from 0.1 to 10
START = 6  # the tau shown first
GRID = (53, 41)  # cells across and down, for contours
BARS = 8  # the largest votes that are shown
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))  # of a cell, in turn: across and down
HINT = (
    "Slide τ and drag the open circle, the point in question, or press where it should be. Lines and bars are the "
    "votes α K(x, x′) of the training points; with the offset they add up to the score."
)
QUESTION = "Before you slide: with a small τ, what does the machine say about a point far from all examples?"
SEE = (
    "Only the offset is left, since every vote dies away with the distance; with a large τ all examples vote "
    "everywhere and the boundary becomes nearly straight."
)


def kernels(X, y, lam=0.01):
    """An RBF kernel machine: slide tau; the boundary, and one point's score as the sum of the examples' votes.

    The kernel SVM is fitted for each tau by `fit_kernel_svm` and rounded to six digits.
    Try: drag the open circle far away from all points, with a small tau.
    """
    X, y = plane_examples(X, y)
    models = [representer.fit_kernel_svm(X, y, partial(_kernels.rbf_kernel, tau=tau), lam=lam).model for tau in TAUS]
    alphas = [tidy(model.alpha) for model in models]
    offsets = [tidy([model.theta_0])[0] for model in models]
    tau, alpha, theta_0 = TAUS[START], alphas[START], offsets[START]
    panel = plane_panel(
        X,
        f"{len(y)} labelled points and the curved boundary of a kernel machine with tau = {tau}, in colour where its "
        "score is +1 and -1; a rim marks points that vote.",
    )
    _contours(panel, lambda points: _kernels.rbf_kernel(points, X, tau) @ alpha + theta_0)
    panel.points(X, y, set(np.flatnonzero(alpha)))
    probe = _clear_of(X, panel)
    panel.mark(*probe, "knob")
    votes = _votes(alpha * _kernels.rbf_kernel(probe[None, :], X, tau)[0], theta_0)
    fits = {"taus": TAUS, "alphas": alphas, "offsets": offsets, "start": START}
    data = {"X": X, "y": y, **fits, "probe": probe, "grid": GRID}
    return Explorable("kernels", data, (panel, votes), HINT, QUESTION, SEE)


def _clear_of(X, panel):
    """A place near the middle that is clear of all points, or dragging it would drag one of them."""
    reach = np.array([panel.x[1] - panel.x[0], panel.y[1] - panel.y[0]]) / 5
    around = panel.centre + reach * np.array([(a, b) for a in (-1, -0.5, 0, 0.5, 1) for b in (-1, -0.5, 0, 0.5, 1)])
    nearest = np.linalg.norm(around[:, None] - X, axis=2).min(axis=1)
    return np.round(around[nearest.argmax()], 2)


def _votes(votes, theta_0):
    """The largest votes and the offset as bars."""
    bars = Panel(
        (-1.5, 1.5),
        (-0.8, BARS + 0.8),
        ("", ""),
        "The largest votes at the chosen point and the offset, as bars: to the right for +1, to the left for -1.",
        ticks=([], []),
    )
    largest = max(abs(theta_0), float(np.abs(votes).max()), 1e-12)
    order = np.argsort(-np.abs(votes), kind="stable")[:BARS]
    rows = [(BARS - r, votes[i], f"point {i + 1}") for r, i in enumerate(order)] + [(0, theta_0, "θ₀")]
    bars.path([(0, -2), (0, 12)], "quiet")
    for row, vote, words in rows:
        bars.path([(0, row), (vote / largest, row)], "vote " + ("p" if vote > 0 else "n"))
        bars.text((-1.45, row), words, "sm", (0, 4), layer="back")
        bars.text((1.45, row), f"{vote:.3f}".replace("-", "−"), "sm e", (0, 4), layer="back")
    return bars


def _contours(panel, score):
    """Where a score is positive and negative, and the lines where it is 0, 1 and -1, from its values on a grid."""
    columns, rows = np.linspace(*panel.x, GRID[0] + 1), np.linspace(*panel.y[::-1], GRID[1] + 1)
    field = score(np.column_stack([v.ravel() for v in np.meshgrid(columns, rows)])).reshape(GRID[1] + 1, GRID[0] + 1)
    for sign, cls in ((1, "area p"), (-1, "area n")):
        parts = "".join(f"M{joined(part)}Z" for part in _positive(sign * field))
        panel.add("back", f"<path class='{cls}' d='{parts}'/>")
    for level, cls in ((0, ""), (1, "thin p"), (-1, "thin n")):
        segments = "".join(f"M{joined(ends)}" for ends in _crossings(field - level))
        if segments:
            panel.add("back", f"<path class='{cls}' d='{segments}'/>")


def _positive(field):
    """Where a field on the grid is positive: of each cell the part that is, and neighbours in a row as one."""
    unit = np.array(SIZE) / GRID
    for r in range(GRID[1]):
        start = None
        for c in range(GRID[0] + 1):  # the last one ends a run
            corners = [(c + ax, r + ay) for ax, ay in CORNERS] if c < GRID[0] else []
            heights = [field[y, x] for x, y in corners]
            inside = sum(height > 0 for height in heights)
            if inside < len(CORNERS) and start is not None:
                yield np.array([(start, r), (c, r), (c, r + 1), (start, r + 1)]) * unit
                start = None
            if inside == len(CORNERS):
                start = c if start is None else start
            elif inside:
                yield np.array(list(_clipped(corners, heights))) * unit


def _clipped(corners, heights):
    """The corners of the part of a cell where the height is positive."""
    for e, (at, s) in enumerate(zip(corners, heights, strict=True)):
        following, t = corners[(e + 1) % len(corners)], heights[(e + 1) % len(corners)]
        if s > 0:
            yield at
        if (s > 0) != (t > 0):
            yield tuple(v + (w - v) * s / (s - t) for v, w in zip(at, following, strict=True))


def _crossings(field):
    """Where a field on the grid is 0: a segment for each cell that the line passes, by linear interpolation."""
    unit = np.array(SIZE) / GRID
    positive = field > 0
    mixed = positive[:-1, :-1].astype(int) + positive[:-1, 1:] + positive[1:, 1:] + positive[1:, :-1]
    for r, c in np.argwhere((mixed > 0) & (mixed < len(CORNERS))):
        cut = []
        for (ax, ay), (bx, by) in zip(CORNERS, CORNERS[1:] + CORNERS[:1], strict=True):
            s, t = field[r + ay, c + ax], field[r + by, c + bx]
            if (s > 0) != (t > 0):
                share = s / (s - t)
                cut.append(np.array([c + ax + (bx - ax) * share, r + ay + (by - ay) * share]) * unit)
        yield from (cut[e : e + 2] for e in range(0, len(cut), 2))
