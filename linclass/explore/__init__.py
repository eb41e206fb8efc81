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
from functools import cache, partial
from importlib.resources import files
from urllib.parse import quote

import numpy as np

from linclass import _checks, conventions, representer
from linclass import kernels as _kernels
from linclass import logistic as _logistic
from linclass import losses as _losses
from linclass import margins as _margins
from linclass import newton as _newton
from linclass import perceptron as _perceptron
from linclass import risk as _risk
from linclass import softmax as _softmax
from linclass import svm as _svm

__all__ = ["Explorable", "kernels", "logistic", "losses", "margins", "newton", "perceptron", "sgd", "softmax", "svm"]

WIDTH, LEFT, TOP = 360, 34, 20  # of every panel, in the units of its picture
STILL = "This is a still picture: it can be moved on the book's own page, or once this cell has been run."


# --- The mechanism ---------------------------------------------------------------------------------------------------


@cache
def _file(name):
    """A script or style sheet of this package, without its comments and indentation."""
    lines = files(__name__).joinpath(name).read_text(encoding="utf-8").splitlines()
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

    def __init__(self, x, y, labels, alt, *, height=264, ticks=(None, None)):
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

    def points(self, X, y, rims=()):
        """The examples with their markers; those whose index is in `rims` with a dark rim."""
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            self.mark(x[0], x[1], ("pos" if label > 0 else "neg") + (" err" if i in rims else ""))

    def ends(self, theta, theta_0, level):
        """Two points of the line theta . x + theta_0 = level, well outside the panel."""
        theta, centre = np.asarray(theta, dtype=float), np.array([sum(self.x), sum(self.y)]) / 2
        square = float(theta @ theta)
        foot = centre + (level - theta_0 - theta @ centre) / square * theta
        reach = 2 * (self.x[1] - self.x[0] + self.y[1] - self.y[0]) / np.sqrt(square)
        along = reach * np.array([-theta[1], theta[0]])
        return [foot + along, foot - along]

    def level(self, theta, theta_0, level, cls):
        """The line theta . x + theta_0 = level."""
        if np.any(theta):
            self.path(self.ends(theta, theta_0, level), cls)

    def arrow(self, start, end, cls, layer="back"):
        """A line with a head."""
        a = np.array([self.px(start[0]), self.py(start[1])])
        b = np.array([self.px(end[0]), self.py(end[1])])
        length = np.linalg.norm(b - a)
        if length < 1:
            return
        u, v = (b - a) / length * 9
        head = [(b[0] - u - v / 2, b[1] - v + u / 2), tuple(b), (b[0] - u + v / 2, b[1] - v - u / 2)]
        shaft, tip = ("L".join(f"{_number(p)} {_number(q)}" for p, q in part) for part in ((a, b), head))
        self.add(layer, f"<path class='{cls}' d='M{shaft}M{tip}'/>")

    def legend(self, *entries, left=10.0):
        """A line and its words for each (class, words), in a corner; it stays."""
        for k, (cls, words) in enumerate(entries):
            down = 12 + 16 * k
            self.add("fixed", f"<path class='{cls}' d='M{left} {down}h24'/>")
            self.add("fixed", f"<text class='sm' x='{left + 30}' y='{down + 4}'>{words}</text>")

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
            f"<svg xmlns='http://www.w3.org/2000/svg' class='lcx-svg' viewBox='0 0 {WIDTH} {self.height}' "
            f"width='{WIDTH}' height='{self.height}'>"
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
    "dotn": "<circle r='5'/>",
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


def _tidy(values):
    """Six significant digits of each, and 0 for what is below a billionth of the largest: rounding of a solver."""
    values = np.asarray(values, dtype=float)
    dust = np.abs(values) <= 1e-9 * np.abs(values).max()
    return np.array([0.0 if small else float(f"{v:.6g}") for v, small in zip(values, dust, strict=True)])


def _plane(X, alt, labels=("x₁", "x₂"), height=264):
    """A panel for two coordinates in equal units, with room around the points."""
    low, high = X.min(axis=0), X.max(axis=0)
    centre, half = (low + high) / 2, np.maximum((high - low) / 2 * 1.15 + 0.3, 0.5)
    width, tall = WIDTH - LEFT - 8, height - TOP - 36
    unit = max(half[0] / width, half[1] / tall)
    half = np.array([unit * width, unit * tall])
    low, high = np.round(centre - half, 6), np.round(centre + half, 6)
    return Panel((low[0], high[0]), (low[1], high[1]), labels, alt, height=height)


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
    along = np.array([-theta[1], theta[0]]) / np.linalg.norm(theta) * (panel.y[1] - panel.y[0]) / 4
    anchor = centre + along - (theta @ centre + theta_0) / (theta @ theta) * theta
    panel.level(theta, theta_0, 0, "")
    foot = X[0] - (theta @ X[0] + theta_0) / (theta @ theta) * theta
    panel.path([foot, X[0]], "dash")
    panel.arrow(anchor, anchor + theta, "acc", layer="front")
    panel.text(*(anchor + theta), "θ", "acc halo", 11, 4)
    panel.points(X, y, set(np.flatnonzero(z <= 0)))
    panel.mark(*anchor, "knob")
    panel.mark(*(anchor + theta), "knob solid")
    hint = (
        "Drag the open circle to shift the boundary, the arrow's tip to turn it and to stretch θ, and any point. "
        "Arrow keys move what has the focus; Page Up and Page Down go from point to point. A rim marks a mistake."
    )
    return Explorable("margins", {"X": X, "y": y, "theta": theta, "theta_0": theta_0, "anchor": anchor}, (panel,), hint)


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


def perceptron(X, y, epochs=30):
    """The perceptron's walk: step, play and scrub through its mistakes; move, add, flip and remove points.

    Shows the boundary after each mistake, the mistakes of each epoch, and their sum beside Novikoff's bound.
    Try: flip one point deep inside the other class, and watch the walk never settle.
    """
    X, y = _plane_examples(X, y)
    fit = _perceptron.fit_perceptron(X, y, max_epochs=_checks.count("epochs", epochs))
    walk, last = [(np.zeros(2), 0.0)], 0
    for _ in fit.history:
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            theta, theta_0 = _perceptron.perceptron_step(*walk[-1], x, label)
            if theta_0 != walk[-1][1]:  # a step always moves the offset
                walk.append((theta, theta_0))
                last = i
    end = "settled" if fit.converged else "has not settled"
    panel = _plane(
        X,
        f"{len(y)} labelled points in the plane and the perceptron's line after {fit.mistakes} mistakes, with the line "
        "before the last mistake dashed.",
    )
    if len(walk) > 2:
        panel.level(*walk[-2], 0, "dash")
    panel.level(*walk[-1], 0, "")
    panel.points(X, y, {last})
    bars = Panel(
        (0, epochs + 0.8),
        (0, max(6.0, 1.5 * float(fit.history.max()))),
        ("epoch", "mistakes"),
        f"Mistakes in each epoch: {', '.join(str(k) for k in fit.history)}; the walk {end}.",
    )
    for k, mistakes in enumerate(fit.history):
        bars.path([(k + 1, 0), (k + 1, mistakes)], "stem")
    hint = (
        "Step or play through the mistakes: the rim marks the point that caused the last one, the dashed line is the "
        "boundary before it. Points can be dragged; Enter flips the chosen one, Delete removes it."
    )
    return Explorable("perceptron", {"X": X, "y": y, "epochs": epochs}, (panel, bars), hint)


POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _decades(low, high, every=2):
    """Ticks at powers of ten, for an axis of logarithms."""
    return [(k, "10" + str(k).translate(POWERS)) for k in range(low, high + 1) if k % every == 0]


def logistic(X, y):
    """Logistic regression over eight decades of lambda: boundary, probabilities, norm of theta, log-likelihood.

    Each fit on the path is `fit_logistic`'s, rounded to six digits.
    Try: on separable data, slide lambda down and see what grows and what stays.
    """
    X, y = _plane_examples(X, y)
    lams = np.array([float(f"{10 ** (k / 5):.3g}") for k in range(-35, 6)])
    models = [_logistic.fit_logistic(X, y, lam=lam).model for lam in lams]
    path = np.array([_tidy([*model.theta, model.theta_0]) for model in models])
    sizes = np.linalg.norm(path[:, :2], axis=1)
    start = 30  # lambda = 0.1
    theta, theta_0 = path[start, :2], path[start, 2]
    panel = _plane(
        X,
        f"{len(y)} labelled points in the plane, the line of probability one half and, dashed, those of 0.1 and 0.9, "
        f"at lambda {lams[start]}.",
    )
    odds = float(_logistic.log_odds(0.9))
    for level, cls in ((0, ""), (odds, "dash p"), (-odds, "dash n")):
        panel.level(theta, theta_0, level, cls)
    z = _margins.margins(theta, theta_0, X, y)
    panel.points(X, y, set(np.flatnonzero(z <= 0)))
    probe = np.round([(3 * panel.x[0] + panel.x[1]) / 4, (panel.y[0] + 3 * panel.y[1]) / 4], 2)
    panel.mark(*probe, "knob")
    panel.text(*probe, f"{float(_logistic.sigmoid(theta @ probe + theta_0)):.2f}", "halo", 11, 4)
    norms = Panel(
        (-7.2, 1.2),
        (0, 1.1 * sizes.max()),
        ("λ", "|θ|"),
        f"The norm of theta against lambda, from {sizes[-1]:.2f} at lambda 10 to {sizes[0]:.2f} at lambda 0.0000001.",
        ticks=(_decades(-7, 1), None),
    )
    norms.path(np.column_stack([np.log10(lams), sizes]), "acc", layer="fixed")
    norms.mark(np.log10(lams[start]), sizes[start], "knob solid", layer="front")
    hint = (
        "Slide λ over eight decades. The full line has probability one half, the dashed ones 0.1 and 0.9; drag the "
        "open circle to read the probability anywhere."
    )
    data = {"X": X, "y": y, "lams": lams, "path": path, "probe": probe, "start": start}
    return Explorable("logistic", data, (panel, norms), hint)


def sgd(X, y, loss=_losses.HINGE, lam=0.1):
    """Stochastic gradient descent on the risk of two parameters, without an offset: its path and its risk.

    `loss` is HINGE or LOGISTIC. The data are sorted by label, so that cycling through them shows what it does.
    Try: each step rule, batch size and sampling in turn; new draws; another start.
    """
    X, y = _plane_examples(X, y)
    _checks.choice("loss", getattr(loss, "name", loss), ("hinge", "logistic"))
    order = np.argsort(-y, kind="stable")
    X, y, lam = X[order], y[order], _checks.positive("lam", lam)
    fit = _svm.fit_svm if loss.name == "hinge" else _logistic.fit_logistic
    bottom = fit(X, y, lam=lam, offset=False).model.theta

    def value(points):
        return np.array([_risk.risk(theta, 0.0, X, y, loss, lam) for theta in points])

    least = float(f"{value([bottom])[0]:.7g}")
    reach = max(1.25 * float(np.linalg.norm(bottom)), 0.5)
    panel = _plane(
        np.array([bottom - reach, bottom + reach]),
        f"Contours of the {loss.name} risk over theta, with its minimum at ({bottom[0]:.2f}, {bottom[1]:.2f}), and the "
        "path of 200 stochastic gradient steps from 0.",
        ("θ₁", "θ₂"),
    )
    start = float(value([np.zeros(2)])[0]) - least
    for share in (0.02, 0.08, 0.25, 0.5, 1.0, 1.7, 2.6):
        panel.path(_level_set(value, bottom, least + share * start), "quiet", layer="fixed")
    panel.mark(*bottom, "star", layer="fixed")
    path = [np.zeros(2)]
    for i in _shuffled_draws(len(y), 200):
        grad, _ = _risk.risk_grad(path[-1], 0.0, X[[i]], y[[i]], loss, lam)
        path.append(path[-1] - 0.3 * grad)
    above = np.log10(np.maximum(value(path) - least, 1e-6))
    panel.path(path, "n thin")
    panel.mark(0, 0, "knob")
    panel.mark(*path[-1], "dotn", layer="front")
    chart = Panel(
        (0, 200),
        (-4.5, 1),
        ("update", "risk above its minimum"),
        "Risk above its minimum against the number of updates, current and best so far.",
        ticks=(None, _decades(-4, 1, 1)),
    )
    chart.legend(("n thin", "current"), ("acc", "best so far"), left=210)
    chart.path(np.column_stack([range(201), above]), "n thin")
    chart.path(np.column_stack([range(201), np.minimum.accumulate(above)]), "acc")
    hint = (
        "Choose the step rule, the batch and the sampling; drag the open circle to start elsewhere. The "
        "cross is the minimum."
    )
    data = {"X": X, "y": y, "loss": loss.name, "lam": lam, "bottom": _tidy(bottom), "least": least}
    return Explorable("sgd", data, (panel, chart), hint)


def _shuffled_draws(n, count):
    """The script's first draws: epochs in shuffled order (Fisher and Yates) by the small generator mulberry32, seed 0.

    They are repeated here so that the still picture shows the path the living one starts with.
    """
    word, state, order = 0xFFFFFFFF, 0, list(range(n))
    while count > 0:
        for i in range(n - 1, 0, -1):
            state = (state + 0x6D2B79F5) & word
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


def svm(X, y, C=1.0):
    """The support vector machine: drag points, slide C; margin band, slacks and multipliers follow.

    C is the price of slack: the figure minimises 1/2 |theta|^2 + C sum xi, as `fit_svm` does with lam = 1 / (n C).
    Try: drag a point that is no support vector, then one that is.
    """
    X, y = _plane_examples(X, y)
    C = _checks.positive("C", C)
    fit = _svm.fit_svm(X, y, lam=conventions.lam_from_C(C, len(y)))
    theta, theta_0, dual = fit.model.theta, fit.model.theta_0, _tidy(fit.dual)
    z, xi = _margins.margins(theta, theta_0, X, y), _svm.slacks(theta, theta_0, X, y)
    panel = _plane(
        X,
        f"{len(y)} labelled points, the boundary and its margin band at C = {C:g}, each slack as a segment to the edge "
        f"of the band; {np.count_nonzero(dual)} support vectors with a rim.",
    )
    panel.path([*panel.ends(theta, theta_0, 1), *panel.ends(theta, theta_0, -1)[::-1]], "band")
    for level in (1, -1, 0):
        panel.level(theta, theta_0, level, "dash" if level else "")
    for i in np.flatnonzero(xi > 1e-7):
        edge = X[i] + xi[i] * y[i] / (theta @ theta) * theta
        panel.path([X[i], edge], "thin p" if y[i] > 0 else "thin n")
    panel.points(X, y, set(np.flatnonzero(dual)))
    kkt = Panel(
        (min(-2.0, float(z.min()) - 0.5), max(4.0, float(z.max()) + 0.5)),
        (-0.15, 1.2),
        ("margin", "multiplier / C"),
        "Each point's multiplier over C against its margin: 0 beyond margin 1, 1 below it, anything between at 1.",
    )
    kkt.path([(-9, 1), (1, 1), (1, 0), (9, 0)], "quiet", layer="fixed")
    for i in range(len(y)):
        kkt.mark(z[i], dual[i] / C, ("pos" if y[i] > 0 else "neg") + (" err" if i == 0 else ""))
    hint = (
        "Drag points and slide C. The band's edges are the scores −1 and +1; segments are slacks; a rim marks a "
        "support vector. On the right every point lies on the broken line that the optimality conditions draw."
    )
    return Explorable("svm", {"X": X, "y": y, "C": C}, (panel, kkt), hint)


def kernels(X, y, lam=0.01):
    """An RBF kernel machine: slide tau; the boundary, and one point's score as the sum of the examples' votes.

    The kernel SVM is fitted for each tau by `fit_kernel_svm` and rounded to six digits.
    Try: drag the open circle far away from all points, with a small tau.
    """
    X, y = _plane_examples(X, y)
    taus = np.array([float(f"{0.1 * 10 ** (k / 8):.3g}") for k in range(17)])
    models = [
        representer.fit_kernel_svm(X, y, partial(_kernels.rbf_kernel, tau=tau), lam=lam).model for tau in taus
    ]
    alphas = [_tidy(model.alpha) for model in models]
    offsets = [_tidy([model.theta_0])[0] for model in models]
    start = 6
    tau, alpha, theta_0 = taus[start], alphas[start], offsets[start]
    panel = _plane(
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
                cut.append(f"{_number((c + ax + (bx - ax) * share) * w)} {_number((r + ay + (by - ay) * share) * h)}")
        parts += ["L".join(cut[e : e + 2]) for e in range(0, len(cut), 2)]
    return "M" + "M".join(parts) if parts else ""


def softmax(logits=(1.0, 0.0, -1.0), y=0):
    """Softmax of three logits: the probabilities as a point of the simplex, the cross-entropy and its gradient.

    Try: add the same number to all logits; then see where the arrow of steepest descent points.
    """
    S = _checks.vector("logits", logits, 3, finite=True)
    y = int(_checks.choice("y", y, (0, 1, 2)))
    p = _softmax.softmax(S)
    entropy = float(_softmax.cross_entropy(S[None, :], [y])[0])
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
    """For each choice: its words, f, its slope, the roots and a step size for gradient descent."""
    m = NEWTON_DATA

    def score(t):
        return np.sum(m * _losses.logistic_slope(m * np.asarray(t)[..., None]), axis=-1)

    def curvature(t):
        return np.sum(m * m * _losses.logistic_curvature(m * np.asarray(t)[..., None]), axis=-1)

    root = round(_newton.newton_root(score, curvature, 0.0, tol=1e-15).point, 15)  # the last bit is the computer's
    return {
        "logistic": ("slope of a logistic risk", score, curvature, [root], 0.3),
        "sqrt": ("x² − 2", lambda x: x * x - 2.0, lambda x: 2.0 * x, [np.sqrt(2.0), -np.sqrt(2.0)], 0.2),
        "arctan": ("arctan x", np.arctan, lambda x: 1 / (1 + x * x), [0.0], 0.5),
    }


def newton(start=-1.0, function="logistic", steps=4):
    """Newton's method in one dimension: pick the start, follow the tangents, count the digits that are right.

    `function` is "logistic" (the slope of a small logistic risk), "sqrt" (x^2 - 2) or "arctan".
    Try: find a start from which the tangents run away.
    """
    functions = _newton_functions()
    _checks.choice("function", function, tuple(functions))
    start, steps = _checks.scalar("start", start, finite=True), _checks.count("steps", steps)
    words, f, slope, roots, eta = functions[function]
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
    for root in roots:
        tangents.mark(root, 0, "star", layer="front")
    tangents.mark(start, 0, "knob")
    digits = Panel(
        (-0.4, 10.4),
        (-1, 17),
        ("step", "digits right"),
        "Digits right after each step: Newton's method beside gradient descent.",
    )
    digits.legend(("acc", "Newton"), ("n dash", "gradient descent"))
    for path, cls in ((slow, "n dash"), (points, "acc")):
        digits.path([(k, _digits(v, roots)) for k, v in enumerate(path)], cls)
    hint = (
        "Drag the open circle, the start, along the axis and add steps. The cross is the root; each green line is a "
        "tangent, followed to the axis."
    )
    choices = {
        name: {"words": words, "roots": [repr(float(root)) for root in roots], "eta": eta}
        for name, (words, _, _, roots, eta) in functions.items()
    }
    data = {"start": start, "name": function, "steps": steps, "m": NEWTON_DATA, "functions": choices}
    return Explorable("newton", data, (tangents, digits), hint)


def _digits(value, roots):
    """Decimal digits of `value` that are right: -log10 of its distance to the nearest root, between -1 and 16."""
    error = min(abs(value - root) for root in roots)
    return 16.0 if error == 0 else float(np.clip(-np.log10(error), -1, 16)) if np.isfinite(error) else -1.0
