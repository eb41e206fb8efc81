"""What the figures share: the markup that holds a figure, and the panels it draws."""

import html
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import quote

import numpy as np

from linclass import _checks

# Of every panel, in the units of its picture: the whole, and the room around the plot for ticks and labels.
WIDTH, HEIGHT = 360, 264
LEFT, TOP, RIGHT, BOTTOM = 34, 20, 8, 36
SIZE = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
FAR = 1e5  # beyond this a coordinate is cut off: the line leaves the picture long before
HEAD = 9  # length of an arrow's head
INSET = 16  # how far from the edge a mark is shown that lies outside
SAMPLES = 121  # points of a graph
STILL = "This is a still picture: it can be moved on the book's own page, or once this cell has been run."


@cache
def _file(name):
    """A script or style sheet of this package, without its comments and indentation."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith(("//", "/*"))]
    return ("" if name.endswith(".css") else "\n").join(lines)


@cache
def script(kind):
    """What all figures share and one kind of figure, as one script that wakes the figures of that kind."""
    css = json.dumps(_file("shapes.css") + _file("page.css")).replace("</", "<\\/")
    shared = _file("frame.js").replace("CSS_TEXT", css).replace("MARKS", json.dumps(MARKS))
    return f"{shared}\n(() => {{\n{_file(f'figures/{kind}.js')}\n}})();\nlinclassExplore.wake();"


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
    """A figure: its kind, the state it starts in, its panels, how to use it, a question, and what to see."""

    kind: str
    data: dict
    panels: tuple
    hint: str
    question: str
    see: str

    def __repr__(self):
        return f"<explorable {self.kind}: {self.hint}>"

    def _repr_html_(self):
        pictures = "".join(panel.image() for panel in self.panels)
        state = _short({**self.data, "panels": [panel.spec() for panel in self.panels]})
        data = json.dumps(state, separators=(",", ":"))
        return (
            f'<figure class="lcx" data-kind="{self.kind}"><p class="lcx-ask">{html.escape(self.question)}</p>'
            f'<div class="lcx-panels">{pictures}</div>'
            f'<figcaption>{html.escape(self.hint)} <span class="lcx-off">{STILL}</span></figcaption>'
            f'<details class="lcx-see"><summary>What to see</summary><p>{html.escape(self.see)}</p></details>'
            f'<script type="application/json">{data}</script></figure>\n<script>{script(self.kind)}</script>'
        )


class Panel:
    """One plot: axes, and layers of shapes given in the data's own coordinates.

    The script redraws the layers back, pts and front; what is in the layer fixed stays as it is drawn here.
    """

    def __init__(self, x, y, labels, alt, *, ticks=(None, None)):
        self.x, self.y, self.labels, self.alt, self.ticks = tuple(x), tuple(y), labels, alt, ticks
        self.layers = {"fixed": [], "back": [], "pts": [], "front": []}

    @property
    def centre(self):
        """The point in the middle."""
        return np.array([sum(self.x), sum(self.y)]) / 2

    def spec(self):
        """What the script needs to draw in the same coordinates."""
        return {"x": self.x, "y": self.y, "size": SIZE}

    def px(self, x):
        """Across, in the picture's units."""
        return (np.asarray(x) - self.x[0]) / (self.x[1] - self.x[0]) * SIZE[0]

    def py(self, y):
        """Down, in the picture's units."""
        return (self.y[1] - np.asarray(y)) / (self.y[1] - self.y[0]) * SIZE[1]

    def add(self, layer, shape):
        """Put a shape on a layer."""
        self.layers[layer].append(shape)

    def path(self, points, cls, layer="back"):
        """A line through points, clipped by the panel."""
        points = np.asarray(points, dtype=float)
        places = np.clip(np.column_stack([self.px(points[:, 0]), self.py(points[:, 1])]), -FAR, FAR)
        self.add(layer, f"<path class='{cls}' d='M{joined(places)}'/>")

    def curve(self, formula, cls, layer="back"):
        """The graph of a function of an array."""
        x = np.linspace(*self.x, SAMPLES)
        self.path(np.column_stack([x, formula(x)]), cls, layer)

    def text(self, at, words, cls="", shift=(0.0, 0.0), layer="front"):
        """Words at a point, or beside it by a shift in the picture's units."""
        place = f"x='{number(self.px(at[0]) + shift[0])}' y='{number(self.py(at[1]) + shift[1])}'"
        self.add(layer, f"<text class='{cls}' {place}>{html.escape(words)}</text>")

    def mark(self, x, y, cls, layer="pts"):
        """A marker: pos is a circle with a plus, neg a square with a minus, knob an open circle."""
        at, way = np.array([self.px(x), self.py(y)]), ""
        near = np.clip(at, INSET, np.array(SIZE) - INSET)
        if np.any(at < 0) or np.any(at > SIZE):  # shown near the edge, with an arrow to where it lies
            turn = round(float(np.degrees(np.arctan2(*(at - near)[::-1]))))
            at, way = near, f"<path class='way' transform='rotate({turn})' d='M8 0h6m-4-4l4 4-4 4'/>"
        place = f"translate({number(at[0])} {number(at[1])})"
        self.add(layer, f"<g class='pt {cls}' transform='{place}'>{MARKS[cls.split()[0]]}{way}</g>")

    def points(self, X, y, rims=()):
        """The examples with their markers; those whose index is in `rims` with a dark rim."""
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            self.mark(x[0], x[1], side(label, i in rims))

    def ends(self, theta, theta_0, level):
        """Two points of the line theta . x + theta_0 = level, well outside the panel."""
        theta, centre = np.asarray(theta, dtype=float), self.centre
        square = float(theta @ theta)
        foot = centre + (level - theta_0 - theta @ centre) / square * theta
        reach = 2 * (self.x[1] - self.x[0] + self.y[1] - self.y[0]) / np.sqrt(square)
        along = reach * np.array([-theta[1], theta[0]])
        return [foot + along, foot - along]

    def half(self, theta, theta_0, level, side, cls):
        """All of one side of that line: where the score is above the level, or below it."""
        far = side * 2 * (self.x[1] - self.x[0] + self.y[1] - self.y[0]) * float(np.linalg.norm(theta))
        if far:
            self.path([*self.ends(theta, theta_0, level), *self.ends(theta, theta_0, level + far)[::-1]], cls)

    def sides(self, theta, theta_0, level):
        """Both sides of that line, in the colours of the labels."""
        if np.any(theta):
            self.half(theta, theta_0, level, 1, "area p")
            self.half(theta, theta_0, level, -1, "area n")

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
        u, v = (b - a) / length * HEAD
        head = [(b[0] - u - v / 2, b[1] - v + u / 2), tuple(b), (b[0] - u + v / 2, b[1] - v - u / 2)]
        self.add(layer, f"<path class='{cls}' d='M{joined((a, b))}M{joined(head)}'/>")

    def legend(self, *entries, left=10.0, top=12.0):
        """A line and its words for each (class, words), in a corner; it stays."""
        for k, (cls, words) in enumerate(entries):
            down = top + 16 * k
            self.add("fixed", f"<path class='{cls}' d='M{left} {down}h24'/>")
            self.add("fixed", f"<text class='sm' x='{left + 30}' y='{down + 4}'>{words}</text>")

    def axes(self):
        """The lines of the grid with their numbers, the two axes and what they are called."""
        (w, h), shapes = SIZE, []
        for value, words in round_ticks(self.x) if self.ticks[0] is None else self.ticks[0]:
            at = number(LEFT + self.px(value))
            shapes.append(f"<path class='grid' d='M{at} {TOP}v{h}'/>")
            shapes.append(f"<text class='m' x='{at}' y='{TOP + h + 15}'>{words}</text>")
        for value, words in round_ticks(self.y) if self.ticks[1] is None else self.ticks[1]:
            at = number(TOP + self.py(value))
            shapes.append(f"<path class='grid' d='M{LEFT} {at}h{w}'/>")
            shapes.append(f"<text class='e' x='{LEFT - 5}' y='{number(float(at) + 4)}'>{words}</text>")
        if self.labels[0]:
            shapes.append(f"<path d='M{LEFT} {TOP}v{h}h{w}'/>")
        shapes.append(f"<text class='e' x='{LEFT + w}' y='{HEIGHT - 5}'>{html.escape(self.labels[0])}</text>")
        shapes.append(f"<text x='{LEFT - 20}' y='12'>{html.escape(self.labels[1])}</text>")
        return "".join(shapes)

    def svg(self):
        """The whole picture, with its style, on a white ground."""
        layers = "".join(f"<g data-layer='{name}'>{''.join(shapes)}</g>" for name, shapes in self.layers.items())
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' class='lcx-svg' viewBox='0 0 {WIDTH} {HEIGHT}' "
            f"width='{WIDTH}' height='{HEIGHT}'>"
            f"<style>svg{{background:#fff}}{_file('shapes.css')}</style><g class='ax'>{self.axes()}</g>"
            f"<svg x='{LEFT}' y='{TOP}' width='{SIZE[0]}' height='{SIZE[1]}'>{layers}</svg></svg>"
        )

    def image(self):
        """The picture as an image that carries its own drawing: notebooks that are not trusted keep images alone."""
        source = quote(self.svg().replace('"', "'"), safe=" ='/:;,.()-+*!?[]{}@$|~^`")
        return (
            f'<img alt="{html.escape(self.alt)}" width="{WIDTH}" height="{HEIGHT}" '
            f'style="max-width:100%;height:auto" src="data:image/svg+xml,{source}">'
        )


MARKS = {
    "pos": "<circle r='6.5'/><path d='M-3.5 0h7M0-3.5v7'/>",
    "neg": "<rect x='-6' y='-6' width='12' height='12'/><path d='M-3.5 0h7'/>",
    "knob": "<circle r='7.5'/>",
    "star": "<path d='M-5-5L5 5M-5 5L5-5'/>",
    "dotn": "<circle r='5'/>",
}


def number(value):
    """A coordinate with one decimal, and none where it is whole."""
    return f"{round(float(value), 1) + 0.0:.1f}".removesuffix(".0")  # + 0.0 turns -0.0 into 0.0


def joined(places):
    """Places in the picture, as the points of a path."""
    return "L".join(f"{number(across)} {number(down)}" for across, down in places)


def side(label, rim=False):
    """The marker of an example with this label, where asked for with a dark rim."""
    return ("pos" if label > 0 else "neg") + (" err" if rim else "")


def round_ticks(interval, about=6):
    """Round numbers inside an interval, with their words."""
    low, high = interval
    rough = (high - low) / about
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(m for m in (1, 2, 5, 10) if m * power >= rough)
    values = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    return [(v, f"{v + 0.0:.10g}".replace("-", "−")) for v in values]


POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def decades(low, high, every=2):
    """Ticks at powers of ten, for an axis of logarithms."""
    return [(k, "10" + str(k).translate(POWERS)) for k in range(low, high + 1) if k % every == 0]


def tidy(values):
    """Six significant digits of each, and 0 for what is below a billionth of the largest: rounding of a solver."""
    values = np.asarray(values, dtype=float)
    dust = np.abs(values) <= 1e-9 * np.abs(values).max()
    return np.array([0.0 if small else float(f"{v:.6g}") for v, small in zip(values, dust, strict=True)])


def plane_panel(X, alt, labels=("x₁", "x₂")):
    """A panel for two coordinates in equal units, with room around the points."""
    low, high = X.min(axis=0), X.max(axis=0)
    centre, half = (low + high) / 2, np.maximum((high - low) / 2 * 1.15 + 0.3, 0.5)
    half = max(half[0] / SIZE[0], half[1] / SIZE[1]) * np.array(SIZE)
    low, high = np.round(centre - half, 6), np.round(centre + half, 6)
    return Panel((low[0], high[0]), (low[1], high[1]), labels, alt)


def plane_examples(X, y):
    """Checked examples with two inputs, since a figure is flat."""
    X = _checks.matrix("X", X, finite=True)
    y = _checks.signs("y", y, len(X), both=True)
    if X.shape[1] != 2:
        _checks.fail("X", "a matrix with two columns, as the figure is flat", f"{X.shape[1]} columns")
    return X, y
