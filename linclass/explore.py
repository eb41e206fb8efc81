"""Figures that answer to the hand, without a kernel.

Each function here returns a figure for a notebook's last line. Its markup holds a still picture of the first state,
so it reads in print, without scripts and in a notebook that is not trusted; where scripts run, the picture can be
dragged, slid and stepped. What is heavy is computed here by the package and travels with the figure; what is light
the script computes by the same formulas, and a test holds it to the package's numbers.

The markup has no ids, so figures never clash and the same call always gives the same bytes.
"""

import html
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

import numpy as np

from linclass import _checks
from linclass import losses as _losses
from linclass import margins as _margins
from linclass import newton as _newton

WIDTH, LEFT, TOP = 360, 34, 20  # of every panel, in the units of its picture
STILL = "This is a still picture: it can be moved on the book's own page, or once this cell has been run."


# --- The mechanism ---------------------------------------------------------------------------------------------------


@cache
def _file(name):
    """A script or style sheet of this package, without its comments and indentation."""
    lines = (Path(__file__).with_name("_explore") / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip() and not line.strip().startswith("//"))


@cache
def _script(kind):
    """The mechanism and one kind of figure, as one script that wakes the figures of that kind."""
    css = json.dumps(_file("shapes.css") + _file("page.css")).replace("</", "<\\/")
    return f"{_file('core.js').replace('CSS_TEXT', css)}\n{_file(kind + '.js')}\nlinclassExplore.wake();"


def _short(value):
    """Numbers for the script, in at most 12 digits, whole ones without a point."""
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_short(item) for item in value]
    if isinstance(value, float | np.floating):
        value = float(f"{value:.12g}")
        return int(value) if value == int(value) else value
    return int(value) if isinstance(value, np.integer) else value


@dataclass(frozen=True)
class Explorable:
    """A figure: its kind, the state it starts in, its panels, and what to try."""

    kind: str
    data: dict
    panels: tuple
    hint: str

    def __repr__(self):
        return f"<explorable {self.kind}: {self.hint}>"

    def _repr_html_(self):
        pictures = "".join(panel.image() for panel in self.panels)
        state = _short({**self.data, "panels": [panel.spec() for panel in self.panels]})
        data = json.dumps(state, separators=(",", ":"))
        return (
            f'<figure class="lcx" data-kind="{self.kind}"><div class="lcx-panels">{pictures}</div>'
            f'<figcaption>{html.escape(self.hint)} <span class="lcx-off">{STILL}</span></figcaption>'
            f'<script type="application/json">{data}</script></figure>\n<script>{_script(self.kind)}</script>'
        )


class Panel:
    """One plot: axes, and layers of shapes given in the data's own coordinates.

    The script redraws the layers back, pts and front; what is in the layer fixed stays as it is drawn here.
    """

    def __init__(self, x, y, labels, alt, *, height=300, ticks=(None, None)):
        self.x, self.y, self.labels, self.alt, self.height, self.ticks = tuple(x), tuple(y), labels, alt, height, ticks
        self.size = (WIDTH - LEFT - 8, height - TOP - 36)
        self.layers = {"fixed": [], "back": [], "pts": [], "front": []}

    def spec(self):
        """What the script needs to draw in the same coordinates."""
        return {"x": self.x, "y": self.y, "size": self.size}

    def px(self, x):
        """Across, in the picture's units."""
        return (np.asarray(x) - self.x[0]) / (self.x[1] - self.x[0]) * self.size[0]

    def py(self, y):
        """Down, in the picture's units."""
        return (self.y[1] - np.asarray(y)) / (self.y[1] - self.y[0]) * self.size[1]

    def add(self, layer, shape):
        """Put a shape on a layer."""
        self.layers[layer].append(shape)

    def path(self, points, cls, layer="back"):
        """A line through points, clipped by the panel."""
        points = np.asarray(points, dtype=float)
        across, down = (np.clip(v, -1e5, 1e5) for v in (self.px(points[:, 0]), self.py(points[:, 1])))
        joined = "L".join(f"{_number(a)} {_number(b)}" for a, b in zip(across, down, strict=True))
        self.add(layer, f"<path class='{cls}' d='M{joined}'/>")

    def curve(self, formula, cls, layer="back"):
        """The graph of a function of an array."""
        x = np.linspace(*self.x, 121)
        self.path(np.column_stack([x, formula(x)]), cls, layer)

    def text(self, x, y, words, cls="", dx=0.0, dy=0.0, layer="front"):
        """Words at a point."""
        place = f"x='{_number(self.px(x) + dx)}' y='{_number(self.py(y) + dy)}'"
        self.add(layer, f"<text class='{cls}' {place}>{html.escape(words)}</text>")

    def mark(self, x, y, cls, layer="pts"):
        """A marker: pos is a circle with a plus, neg a square with a minus, knob an open circle."""
        shape = MARKS[cls.split()[0]]
        place = f"translate({_number(self.px(x))} {_number(self.py(y))})"
        self.add(layer, f"<g class='pt {cls}' transform='{place}'>{shape}</g>")

    def points(self, X, y, wrong=()):
        """The examples with their markers; those in `wrong` with a ring."""
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            self.mark(x[0], x[1], ("pos" if label > 0 else "neg") + (" err" if i in wrong else ""))

    def level(self, theta, theta_0, level, cls):
        """The line theta . x + theta_0 = level."""
        theta, centre = np.asarray(theta, dtype=float), np.array([sum(self.x), sum(self.y)]) / 2
        square = float(theta @ theta)
        if square == 0:
            return
        foot = centre + (level - theta_0 - theta @ centre) / square * theta
        reach = 2 * (self.x[1] - self.x[0] + self.y[1] - self.y[0]) / np.sqrt(square)
        along = reach * np.array([-theta[1], theta[0]])
        self.path([foot + along, foot - along], cls)

    def arrow(self, start, end, cls):
        """A line with a head."""
        a = np.array([self.px(start[0]), self.py(start[1])])
        b = np.array([self.px(end[0]), self.py(end[1])])
        length = np.linalg.norm(b - a)
        if length < 1:
            return
        u, v = (b - a) / length * 9
        head = [(b[0] - u - v / 2, b[1] - v + u / 2), tuple(b), (b[0] - u + v / 2, b[1] - v - u / 2)]
        shaft, tip = ("L".join(f"{_number(p)} {_number(q)}" for p, q in part) for part in ((a, b), head))
        self.add("back", f"<path class='{cls}' d='M{shaft}M{tip}'/>")

    def svg(self):
        """The whole picture, with its style, on a white ground."""
        (w, h), ax = self.size, []
        for value, words in _ticks(self.x) if self.ticks[0] is None else self.ticks[0]:
            at = _number(LEFT + self.px(value))
            ax.append(f"<path class='grid' d='M{at} {TOP}v{h}'/>")
            ax.append(f"<text class='m' x='{at}' y='{TOP + h + 15}'>{words}</text>")
        for value, words in _ticks(self.y) if self.ticks[1] is None else self.ticks[1]:
            at = _number(TOP + self.py(value))
            ax.append(f"<path class='grid' d='M{LEFT} {at}h{w}'/>")
            ax.append(f"<text class='e' x='{LEFT - 5}' y='{_number(float(at) + 4)}'>{words}</text>")
        if self.labels[0]:
            ax.append(f"<path d='M{LEFT} {TOP}v{h}h{w}'/>")
        ax.append(f"<text class='e' x='{LEFT + w}' y='{self.height - 5}'>{html.escape(self.labels[0])}</text>")
        ax.append(f"<text x='{LEFT - 20}' y='12'>{html.escape(self.labels[1])}</text>")
        layers = "".join(f"<g data-layer='{name}'>{''.join(shapes)}</g>" for name, shapes in self.layers.items())
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' class='lcx-svg' viewBox='0 0 {WIDTH} {self.height}'>"
            f"<style>svg{{background:#fff}}{_file('shapes.css')}</style><g class='ax'>{''.join(ax)}</g>"
            f"<svg x='{LEFT}' y='{TOP}' width='{w}' height='{h}'>{layers}</svg></svg>"
        )

    def image(self):
        """The picture as an image that carries its own drawing: notebooks that are not trusted keep images alone."""
        source = quote(self.svg().replace('"', "'"), safe=" ='/:;,.()-+*!?[]{}@$|~^`")
        return (
            f'<img alt="{html.escape(self.alt)}" width="{WIDTH}" height="{self.height}" '
            f'style="max-width:100%;height:auto" src="data:image/svg+xml,{source}">'
        )


MARKS = {
    "pos": "<circle r='6.5'/><path d='M-3.5 0h7M0-3.5v7'/>",
    "neg": "<rect x='-6' y='-6' width='12' height='12'/><path d='M-3.5 0h7'/>",
    "knob": "<circle r='7.5'/>",
    "star": "<path d='M-5-5L5 5M-5 5L5-5'/>",
}


def _number(value):
    """A coordinate with one decimal, and none where it is whole."""
    return f"{round(float(value), 1) + 0.0:.1f}".removesuffix(".0")  # + 0.0 turns -0.0 into 0.0


def _ticks(interval, about=6):
    """Round numbers inside an interval, with their words."""
    low, high = interval
    rough = (high - low) / about
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(m for m in (1, 2, 5, 10) if m * power >= rough)
    values = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    return [(v, f"{v + 0.0:.10g}".replace("-", "−")) for v in values]


def _plane(X, alt, height=300):
    """A panel for two inputs in equal units, with room around the data."""
    low, high = X.min(axis=0), X.max(axis=0)
    centre, half = (low + high) / 2, np.maximum((high - low) / 2 * 1.15 + 0.3, 0.5)
    width, tall = WIDTH - LEFT - 8, height - TOP - 36
    unit = max(half[0] / width, half[1] / tall)
    half = np.array([unit * width, unit * tall])
    low, high = np.round(centre - half, 6), np.round(centre + half, 6)
    return Panel((low[0], high[0]), (low[1], high[1]), ("x₁", "x₂"), alt, height=height)


def _plane_examples(X, y):
    """Checked examples with two inputs, since a figure is flat."""
    X, y = _checks.examples(X, y)
    if X.shape[1] != 2:
        _checks.fail("X", "a matrix with two columns, as the figure is flat", f"{X.shape[1]} columns")
    return X, y


# --- The figures -----------------------------------------------------------------------------------------------------


def margins(X, y, theta, theta_0):
    """Margins: drag the boundary, its normal vector theta and the points.

    Shows the score, the margin, the signed distance and the angle of the chosen point, and the training error.
    Try: double theta and theta_0, and see which numbers stay as they are.
    """
    X, y = _plane_examples(X, y)
    theta, theta_0 = _checks.vector("theta", theta, 2, finite=True), _checks.scalar("theta_0", theta_0, finite=True)
    _margins.signed_distances(theta, theta_0, X)  # refuses theta = 0
    z = _margins.margins(theta, theta_0, X, y)
    error = _margins.zero_one_error(theta, theta_0, X, y)
    panel = _plane(
        X,
        f"{len(y)} labelled points in the plane, the boundary with its normal vector theta = ({theta[0]:.2f}, "
        f"{theta[1]:.2f}) and theta_0 = {theta_0:.2f}; training error {error:.2f}.",
    )
    centre = np.array([sum(panel.x), sum(panel.y)]) / 2
    anchor = centre - (theta @ centre + theta_0) / (theta @ theta) * theta
    panel.level(theta, theta_0, 0, "")
    foot = X[0] - (theta @ X[0] + theta_0) / (theta @ theta) * theta
    panel.path([foot, X[0]], "dash")
    panel.arrow(anchor, anchor + theta, "acc")
    panel.points(X, y, wrong=set(np.flatnonzero(z <= 0)))
    panel.mark(*anchor, "knob")
    panel.mark(*(anchor + theta), "knob solid")
    hint = (
        "Drag the open circle to shift the boundary, the arrow's tip to turn it and to stretch θ, and any point. "
        "Arrow keys move what has the focus; Page Up and Page Down go from point to point. A rim marks a mistake."
    )
    return Explorable("margins", {"X": X, "y": y, "theta": theta, "theta_0": theta_0}, (panel,), hint)


LOSSES = ("zero_one", "perceptron", "hinge", "logistic", "exponential", "squared", "modified_squared")


def losses(z=0.5, chosen=("zero_one", "hinge", "logistic")):
    """Losses: move the margin z; values and slopes of the chosen losses follow; the logistic loss can be scaled.

    Try: scale the logistic loss until it nowhere falls below the zero-one loss, and read off the scale.
    """
    z = _checks.scalar("z", z, finite=True)
    for name in chosen:
        _checks.choice("chosen", name, LOSSES)
    names = ", ".join(name.replace("_", " ") for name in chosen)
    value = Panel((-3, 3), (-0.25, 4), ("margin z", "loss"), f"The losses {names} against the margin z.")
    slope = Panel((-3, 3), (-4, 1), ("margin z", "slope"), f"The slopes of the losses {names} against the margin z.")
    for panel in (value, slope):
        panel.path([(z, -9), (z, 9)], "dash")
    steps = {("zero_one", value): (0, 1), ("zero_one", slope): (0, 0)}  # where it jumps to 0, and from where
    steps |= {("perceptron", slope): (0, -1), ("hinge", slope): (1, -1)}
    for k, name in enumerate(LOSSES):
        for panel, part in ((value, "value"), (slope, "slope")):
            if name in chosen and (name, panel) in steps:
                at, left = steps[name, panel]
                panel.path([(-3, left), (at, left), (at, 0), (3, 0)], f"l{k}")
            elif name in chosen:
                panel.curve(getattr(_losses.Loss(name), part), f"l{k}")
    hint = (
        "Slide z, or press and drag in a plot; tick the losses to compare; scale the logistic loss until it touches "
        "the corner of the zero-one loss."
    )
    return Explorable("losses", {"z": z, "chosen": list(chosen), "names": LOSSES}, (value, slope), hint)


def softmax(logits=(1.0, 0.0, -1.0), y=0):
    """Softmax of three logits: the probabilities as a point of the simplex, the cross-entropy and its gradient.

    Try: add the same number to all logits; then see where the arrow of steepest descent points.
    """
    S = _checks.vector("logits", logits, 3, finite=True)
    y = int(_checks.choice("y", y, (0, 1, 2)))
    p = np.exp(S - S.max()) / np.exp(S - S.max()).sum()
    entropy = float(-np.log(p[y]))
    bars = Panel(
        (-0.6, 2.6),
        (-4.5, 4.5),
        ("class", "logit"),
        f"Three bars, the logits {S[0]:.2f}, {S[1]:.2f}, {S[2]:.2f}.",
        ticks=([(k, f"{k}") for k in range(3)], None),
    )
    bars.path([(-0.6, 0), (2.6, 0)], "quiet")
    for k in range(3):
        bars.path([(k, 0), (k, S[k])], f"bar {'acc' if k == y else ''}")
        bars.mark(k, S[k], "knob" + (" solid" if k == y else ""))
    simplex = Panel(
        (-0.17, 1.17),
        (-0.13, 0.97),
        ("", ""),
        f"The triangle of all probability vectors, with the point ({p[0]:.2f}, {p[1]:.2f}, {p[2]:.2f}) and an arrow "
        f"from it to the corner of the true class {y}; cross-entropy {entropy:.2f}.",
        ticks=([], []),
    )
    corners = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])
    simplex.path(corners[[0, 1, 2, 0]], "quiet", layer="fixed")
    for k, (dx, dy) in enumerate(((-8, 16), (8, 16), (0, -8))):
        simplex.text(*corners[k], f"class {k}", "m", dx, dy, layer="fixed")
    at = p @ corners
    simplex.arrow(at, corners[y], "acc")
    simplex.mark(*at, "knob solid", layer="front")
    hint = (
        "Drag the three bars or use the sliders. In the triangle of all probability vectors the point is the "
        "prediction; the arrow is minus the gradient of the cross-entropy."
    )
    return Explorable("softmax", {"logits": S, "y": y}, (bars, simplex), hint)


NEWTON_DATA = np.array([2.0, 1.5, 1.0, 0.5, -1.0, -0.5])  # y x of six examples with one input, not separable


def _newton_functions():
    """For each choice: its words, f, its slope, the root and a step size for gradient descent."""
    m = NEWTON_DATA

    def score(t):
        return np.sum(m * _losses.logistic_slope(m * np.asarray(t)[..., None]), axis=-1)

    def curvature(t):
        return np.sum(m * m * _losses.logistic_curvature(m * np.asarray(t)[..., None]), axis=-1)

    root = _newton.newton_root(score, curvature, 0.0, tol=1e-15).point
    return {
        "logistic": ("slope of a logistic risk", score, curvature, root, 0.3),
        "sqrt": ("x² − 2", lambda x: x * x - 2.0, lambda x: 2.0 * x, np.sqrt(2.0), 0.2),
        "arctan": ("arctan x", np.arctan, lambda x: 1 / (1 + x * x), 0.0, 0.5),
    }


def newton(start=-1.0, function="logistic", steps=4):
    """Newton's method in one dimension: pick the start, follow the tangents, count the digits that are right.

    `function` is "logistic" (the slope of a small logistic risk), "sqrt" (x^2 - 2) or "arctan".
    Try: find a start from which the tangents run away.
    """
    functions = _newton_functions()
    _checks.choice("function", function, tuple(functions))
    start, steps = _checks.scalar("start", start, finite=True), _checks.count("steps", steps)
    words, f, slope, root, eta = functions[function]
    alt = f"The graph of {words} with {steps} tangent steps from the start {start:.2f}."
    tangents = Panel((-6, 6), (-5, 5), ("x", "f(x)"), alt)
    tangents.path([(-99, 0), (99, 0)], "quiet")
    tangents.curve(f, "p")
    points, slow = [start], [start]
    for _ in range(steps):
        at, height = points[-1], float(f(points[-1]))
        points.append(at - height / float(slope(at)))
        tangents.path([(at, 0), (at, height)], "dash")
        tangents.path([(at, height), (points[-1], 0)], "acc thin")
        slow.append(slow[-1] - eta * float(f(slow[-1])))
    tangents.mark(root, 0, "star", layer="front")
    tangents.mark(start, 0, "knob")
    digits = Panel(
        (-0.4, 10.4),
        (-1, 17),
        ("step", "digits right"),
        "Digits right after each step: Newton's method beside gradient descent.",
    )
    for path, cls in ((slow, "n dash"), (points, "acc")):
        digits.path([(k, _digits(v, root)) for k, v in enumerate(path)], cls)
    hint = (
        "Drag the open circle, the start, along the axis and add steps. The cross is the root; each green line is a "
        "tangent, followed to the axis."
    )
    choices = {k: {"words": v[0], "root": repr(float(v[3])), "eta": v[4]} for k, v in functions.items()}
    data = {"start": start, "name": function, "steps": steps, "m": NEWTON_DATA, "functions": choices}
    return Explorable("newton", data, (tangents, digits), hint)


def _digits(value, root):
    """Decimal digits of `value` that are right: -log10 of the error, between -1 and 16."""
    error = abs(value - root)
    return 16.0 if error == 0 else float(np.clip(-np.log10(error), -1, 16)) if np.isfinite(error) else -1.0
