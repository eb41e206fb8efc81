"""Drawing, in one style: colour-blind safe, with a marker or a line style beside every colour.

A figure needs the extra `linclass[plots]`. A function that takes axes draws on them and returns nothing.
"""

import os

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb

__all__ = [
    "CYCLE",
    "DASHES",
    "INK",
    "LOSS_STYLE",
    "MARKERS",
    "NEGATIVE",
    "POSITIVE",
    "SOFT",
    "arrow",
    "class_regions",
    "classes",
    "figure",
    "hulls",
    "line",
    "points",
    "probability_map",
    "sides",
    "slack_segments",
    "span_picture",
    "square",
    "street",
    "tangent_walk",
    "use_style",
]

POSITIVE, NEGATIVE, INK, SOFT = "#0072B2", "#D55E00", "#222222", "#8a8a8a"
CYCLE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
DASHES = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (5, 1, 1, 1)), "-"]

FONT = 10.5
SIZE = 5.6, 3.8  # inches of a figure with one picture
PICTURE, PAGE, HEIGHT = 4.2, 9.6, 3.6  # inches: the width of one of several, of all of them at most, and the height
THICK, THIN, RIM = 1.8, 1.2, 0.7  # points, of lines and of the white around a marker
FAINT, SHADED, TINTED = 0.14, 0.35, 0.45  # how much of a colour
# A plane in space: how far it reaches beyond its two vectors, and what is seen of it.
PLANE = (-0.25, -0.25), (1.15, -0.25), (1.15, 1.15), (-0.25, 1.15)
SPACE = {"xlim": (-0.2, 1.1), "ylim": (-0.2, 1.1), "zlim": (-0.1, 0.9)}

# One look per loss, the same in every chapter.
LOSS_STYLE = {
    "zero_one": {"color": INK, "ls": "-", "lw": 2.2, "label": "zero-one"},
    "perceptron": {"color": "#D55E00", "ls": "--", "label": "perceptron"},
    "hinge": {"color": "#0072B2", "ls": "-", "label": "hinge"},
    "logistic": {"color": "#009E73", "ls": "-.", "label": "logistic"},
    "exponential": {"color": "#CC79A7", "ls": ":", "label": "exponential"},
    "squared": {"color": "#E69F00", "ls": (0, (5, 1, 1, 1, 1, 1)), "label": "squared"},
    "modified_squared": {"color": "#56B4E9", "ls": (0, (3, 1)), "label": "modified squared"},
}


def use_style():
    """Set the book's style for every figure that follows: PNG in a notebook, but LINCLASS_FIGURES=kernel leaves it."""
    plt.rcParams.update(
        {
            "figure.figsize": SIZE,
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "font.size": FONT,
            "axes.titlesize": 11,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": plt.cycler(color=CYCLE, linestyle=DASHES),
            "lines.linewidth": THICK,
            "legend.frameon": False,
            "svg.hashsalt": "linclass",
            "savefig.transparent": False,
        }
    )
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # not in a notebook
        return
    if os.environ.get("LINCLASS_FIGURES") != "kernel":  # as the book's build does: its kernels draw SVG
        set_matplotlib_formats("png", metadata={"Software": None})


def figure(columns=1, rows=1, width=None, height=HEIGHT, **kwargs):
    """A figure of `rows` by `columns` axes in the book's proportions: (figure, axes)."""
    width = width or (min(PICTURE * columns, PAGE) if columns > 1 else SIZE[0])
    return plt.subplots(rows, columns, figsize=(width, height * rows), **kwargs)


def points(ax, X, y, *, size=32, labels=True, **kwargs):
    """The examples in the plane: +1 as blue discs, -1 as orange squares."""
    X, y = np.asarray(X), np.asarray(y)
    for sign, colour, marker, name in ((1, POSITIVE, "o", "$y = +1$"), (-1, NEGATIVE, "s", "$y = -1$")):
        at = X[y == sign]
        look = {"c": colour, "marker": marker, "s": size, "edgecolors": "white", "linewidths": RIM, "zorder": 3}
        ax.scatter(at[:, 0], at[:, 1], label=name if labels else None, **(look | kwargs))


def line(ax, theta, theta_0, *, level=0.0, **kwargs):
    """The line where theta . x + theta_0 = level, across the axes as they are now."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    theta = np.asarray(theta, dtype=float)
    centre = np.array([(left + right) / 2, (low + high) / 2])
    foot = centre - (centre @ theta + theta_0 - level) / (theta @ theta) * theta
    along = np.array([-theta[1], theta[0]]) / np.linalg.norm(theta) * 2 * np.hypot(right - left, high - low)
    look = {"color": INK, "ls": "-", "lw": THICK, "zorder": 2} | kwargs
    ax.plot(*np.transpose([foot - along, foot + along]), scalex=False, scaley=False, **look)


def tangent_walk(ax, f, slope, start, steps, span):
    """A curve over `span` and Newton's walk to its root: up to the curve, down the tangent, and again."""
    u = np.linspace(*span, 200)
    ax.plot(u, f(u), color=POSITIVE)
    ax.axhline(0, color=SOFT, lw=1)
    x = start
    for k in range(steps):
        end = x - f(x) / slope(x)
        ax.plot([x, x], [0, f(x)], color=SOFT, ls=":", lw=THIN)
        ax.plot([x, end], [f(x), 0], color=NEGATIVE, ls="--", lw=THIN)
        ax.plot(x, f(x), "o", color=INK, ms=4)
        ax.annotate(f"$x_{k}$", (x, 0), xytext=(0, -14), textcoords="offset points", ha="center")
        x = end
    ax.annotate(f"$x_{steps}$", (x, 0), xytext=(-6, -14), textcoords="offset points", ha="center")


def street(ax, theta, theta_0):
    """The boundary and, dashed, the lines where the score is -1 and +1, with the strip between them shaded."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    x1, x2 = np.meshgrid([left, right], [low, high])
    s = theta[0] * x1 + theta[1] * x2 + theta_0
    ax.contourf(x1, x2, s, levels=[-1, 1], colors=[SOFT], alpha=FAINT, zorder=0)
    line(ax, theta, theta_0)
    for level in (-1, 1):
        line(ax, theta, theta_0, level=level, lw=THIN, ls="--")


def slack_segments(ax, theta, theta_0, X, y):
    """From every example with a margin below 1, a dotted way to the line where its margin would be 1."""
    theta = np.asarray(theta)
    slack = np.maximum(0.0, 1 - y * (X @ theta + theta_0))
    feet = X + (slack * y / (theta @ theta))[:, None] * theta
    for start, end in zip(X[slack > 0], feet[slack > 0], strict=True):
        ax.plot(*np.transpose([start, end]), color=INK, ls=":", lw=THIN, zorder=2)


def _over(ax, function, resolution):
    """(x1, x2, values): a grid over the axes as they are now, and what a function of rows says of its points."""
    x1, x2 = np.meshgrid(np.linspace(*ax.get_xlim(), resolution), np.linspace(*ax.get_ylim(), resolution))
    values = function(np.column_stack([x1.ravel(), x2.ravel()]))
    return x1, x2, values.reshape(*x1.shape, *values.shape[1:])


def sides(ax, predict, *, resolution=200):
    """Shade the plane by what `predict` says of each point: blue for +1, orange for -1."""
    x1, x2, said = _over(ax, predict, resolution)
    ax.contourf(x1, x2, said, levels=[-2, 0, 2], colors=[NEGATIVE, POSITIVE], alpha=FAINT, zorder=0)
    if said.min() < 0 < said.max():
        ax.contour(x1, x2, said, levels=[0], colors=[INK], linewidths=THICK, zorder=1)


def square(ax, X, *, pad=0.6):
    """Axes with one scale for both coordinates, around the points with some room."""
    X = np.asarray(X)
    ax.set(xlim=(X[:, 0].min() - pad, X[:, 0].max() + pad), ylim=(X[:, 1].min() - pad, X[:, 1].max() + pad))
    ax.set_aspect("equal", adjustable="box")
    ax.set(xlabel="$x_1$", ylabel="$x_2$")


def arrow(ax, start, end, *, label=None, **kwargs):
    """An arrow from start to end, with a label at its tip."""
    look = {"arrowstyle": "-|>", "color": INK, "lw": THICK, "shrinkA": 0, "shrinkB": 0} | kwargs
    ax.annotate("", xy=end, xytext=start, arrowprops=look, zorder=4)
    if label:
        ax.annotate(label, xy=end, xytext=(6, 4), textcoords="offset points", color=look["color"])


def hulls(ax, X, y):
    """The convex hull of each class, shaded in its colour. Needs SciPy."""
    from scipy.spatial import ConvexHull

    for sign, colour in ((1, POSITIVE), (-1, NEGATIVE)):
        corners = X[y == sign][ConvexHull(X[y == sign]).vertices]
        ax.fill(*corners.T, color=colour, alpha=FAINT, lw=0, zorder=0)


def probability_map(ax, probabilities):
    """Shade the axes as they are now by the probability of +1, orange to white to blue; lines at 0.1, 0.5, 0.9."""
    x1, x2, p = _over(ax, probabilities, 120)
    colours = LinearSegmentedColormap.from_list("certainty", [NEGATIVE, "white", POSITIVE])
    ax.contourf(x1, x2, p, levels=np.linspace(0, 1, 21), cmap=colours, alpha=TINTED, zorder=0)
    lines = ax.contour(x1, x2, p, levels=[0.1, 0.5, 0.9], colors=[INK], linewidths=THIN, linestyles="--", zorder=1)
    ax.clabel(lines, fmt="%g", fontsize=9)


def span_picture(ax, x1, x2, theta, flat):
    """On 3-D axes: the plane spanned by x1 and x2, an arrow theta out of it, and its projection `flat` in the plane."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    corners = [a * x1 + b * x2 for a, b in PLANE]
    ax.add_collection3d(Poly3DCollection([corners], facecolor=POSITIVE, alpha=FAINT))
    named = ((x1, POSITIVE, "$x_1$"), (x2, POSITIVE, "$x_2$"), (theta, NEGATIVE, r"$\theta$"))
    for v, colour, name in (*named, (flat, INK, r"$\theta_\parallel$")):
        ax.quiver(0, 0, 0, *v, color=colour, arrow_length_ratio=0.08)
        ax.text(*(1.08 * v), name, color=colour, fontsize=13)
    ax.plot(*np.transpose([theta, flat]), color=SOFT, ls="--")
    ax.view_init(28, -75)
    ax.set(**SPACE)
    ax.set_box_aspect((1.3, 1.3, 1), zoom=1.15)  # true angles, and larger: the axes are not shown
    ax.set_axis_off()


def classes(ax, X, y, *, names=None):
    """Examples of several classes in the plane, a colour and a marker for each."""
    for k in np.unique(y):
        at, colour, marker = X[y == k], CYCLE[k % len(CYCLE)], MARKERS[k % len(MARKERS)]
        look = {"c": colour, "marker": marker, "s": 28, "edgecolors": "white", "linewidths": RIM, "zorder": 3}
        ax.scatter(at[:, 0], at[:, 1], label=names[k] if names else f"class {k}", **look)


def class_regions(ax, probabilities):
    """Shade the axes as they are now by the most probable class, the fainter the less sure, with lines between them."""
    x1, x2, p = _over(ax, probabilities, 200)
    n_classes = p.shape[-1]
    shade = np.array([to_rgb(CYCLE[k % len(CYCLE)]) for k in range(n_classes)])[p.argmax(axis=-1)]
    sure = (p.max(axis=-1, keepdims=True) - 1 / n_classes) / (1 - 1 / n_classes)
    picture = 1 - SHADED * sure * (1 - shade)
    ax.imshow(picture, origin="lower", extent=(*ax.get_xlim(), *ax.get_ylim()), aspect="auto", zorder=0)
    for k in range(n_classes):
        lead = p[..., k] - np.delete(p, k, axis=-1).max(axis=-1)
        ax.contour(x1, x2, lead, levels=[0], colors=[INK], linewidths=1, zorder=1)
