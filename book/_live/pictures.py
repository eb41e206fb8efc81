"""Matplotlib's place in a page, which has none: as much of it as the chapters use, drawn as SVG in the page's colours.

Lines, points, fills, contours, images, text and legends are drawn. Whatever else is asked for (a colour bar, a third
dimension) is taken without a word and leaves its figure undrawn: the page then keeps the one that was built.
"""

import base64
import html
import itertools
import math
import re
import struct
import sys
import types
import zlib

import numpy as np

INCH, FONT, SMALL = 88, 14, 12.5  # pixels
LEFT, TOP, RIGHT, BOTTOM = 62, 30, 16, 48  # around each picture, for its words
CYCLE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"]
OWN = {"#222222": "var(--ink)", "#000000": "var(--ink)", "#8a8a8a": "var(--soft)", "#ffffff": "var(--paper)"}
NAMED = {"white": "#ffffff", "black": "#000000", "k": "#000000", "w": "#ffffff"}
DASHES = {"-": "", "--": "7 4", "-.": "8 3 2 3", ":": "2 3"}
MAPS = {
    "viridis": ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"],
    "cividis": ["#00224e", "#575d6d", "#a59c74", "#fee838"],
    "gray": ["#000000", "#ffffff"],
    "Greys": ["#ffffff", "#000000"],
    "Blues": ["#f7fbff", "#6baed6", "#08306b"],
    "PuOr": ["#7f3b08", "#f7f7f7", "#2d004b"],
}
LETTERS = dict(
    alpha="α", eta="η", lam="λ", mu="μ", nu="ν", phi="φ", rho="ρ", sigma="σ", tau="τ", theta="θ", xi="ξ", ell="ℓ",
    cdot="·", infty="∞", leq="≤", le="≤", geq="≥", ge="≥", times="×", parallel="∥", nabla="∇", pm="±", sqrt="√",
)  # fmt: skip
LETTERS["lambda"] = LETTERS["lam"]


def tag(name, content="", **attributes):
    """An SVG element; numbers are rounded to tenths, and _ in a name is -."""
    written = (
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else round(float(value), 1)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{''.join(written)}>{content}</{name}>"


def to_rgb(colour):
    """(r, g, b) in [0, 1] of "#0072B2", a name, a grey as "0.5", or of such a triple."""
    if not isinstance(colour, str):
        return tuple(colour)[:3]
    colour = NAMED.get(colour, colour)
    if re.fullmatch(r"[\d.]+", colour):
        return (float(colour),) * 3
    return tuple(int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))


def paint(colour):
    """A colour for SVG: ink, grey and white are the page's own, which change with its theme."""
    if colour is None or (isinstance(colour, str) and colour == "none"):
        return "none"
    if isinstance(colour, str) and re.fullmatch(r"C\d", colour):
        colour = CYCLE[int(colour[1]) % len(CYCLE)]
    if not isinstance(colour, str) or not colour.startswith("#"):
        colour = "#" + "".join(f"{round(255 * part):02x}" for part in to_rgb(colour))
    return OWN.get(colour, colour)


class Colours:
    """A colour map: shares in [0, 1] to (r, g, b)."""

    def __init__(self, ends):
        self.ends = np.array([to_rgb(end) for end in ends])

    def __call__(self, share):
        at = np.clip(share, 0, 1) * (len(self.ends) - 1)
        low = np.minimum(at.astype(int), len(self.ends) - 2)
        return self.ends[low] + (at - low)[..., None] * (self.ends[low + 1] - self.ends[low])

    @classmethod
    def named(cls, name):
        return (
            name if isinstance(name, cls) else cls(MAPS[name.removesuffix("_r")][:: -1 if name.endswith("_r") else 1])
        )

    @classmethod
    def from_list(cls, name, ends):
        return cls(ends)


def share(values, look):
    """Where numbers lie between the least and the largest of them, or between vmin and vmax."""
    low, high = look.get("vmin", np.min(values)), look.get("vmax", np.max(values))
    return (values - low) / ((high - low) or 1.0)


def words(text):
    """Text for SVG; of mathematics, letters and what is raised or lowered."""
    text = html.escape(re.sub(r"\\(?:mathrm|text|mathbf)\{([^}]*)\}", r"\1", str(text))).replace("\\,", " ")
    if "$" not in text:
        return text
    text = re.sub(r"\\([a-zA-Z]+) ?", lambda found: LETTERS.get(found[1], found[1]), text)
    for mark, there, back in (("_", ".25em", "-.25em"), (r"\^", "-.4em", ".4em")):
        text = re.sub(
            mark + r"(?:\{([^}]*)\}|(\w))",
            lambda found, there=there, back=back: (
                tag("tspan", found[1] or found[2], dy=there, font_size="75%") + tag("tspan", "\u200b", dy=back)
            ),
            text,
        )
    return text.replace("$", "")


def png(pixels):
    """An array of red, green, blue and opacity as the address of an image."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + row.tobytes() for row in np.round(255 * np.clip(pixels, 0, 1)).astype(np.uint8))
    head = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 6, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


def crossings(x, y, z, level):
    """The line on which z, given on a grid, is `level`: an array of pieces ((x, y), (x, y)), one or two in a cell."""
    first, last = slice(-1), slice(1, None)
    ways = (first, first), (first, last), (last, last), (last, first)  # round the cell
    corners = [[part[way] for part in (x, y, z)] for way in ways]
    ends = []
    for (xa, ya, za), (xb, yb, zb) in zip(corners, corners[1:] + corners[:1], strict=True):
        t = np.where((za < level) != (zb < level), (level - za) / np.where(za == zb, 1.0, zb - za), np.nan)
        ends.append(np.stack([xa + t * (xb - xa), ya + t * (yb - ya)], axis=-1))
    ends = np.stack(ends, axis=2).reshape(-1, 4, 2)
    found = [cell[np.isfinite(cell[:, 0])] for cell in ends[np.isfinite(ends[:, :, 0]).sum(axis=1) >= 2]]
    return np.array([piece for cell in found for piece in zip(cell[::2], cell[1::2], strict=False)]).reshape(-1, 2, 2)


def finer(z, least=160):
    """A grid of at least so many lines, straight in between."""
    for axis in (0, 1):
        if z.shape[axis] < least:
            at = np.linspace(0, z.shape[axis] - 1, least)
            low = np.minimum(at.astype(int), z.shape[axis] - 2)
            t = (at - low).reshape((-1, 1) if axis == 0 else (1, -1))
            z = np.take(z, low, axis) * (1 - t) + np.take(z, low + 1, axis) * t
    return z


def marks_of(low, high, log):
    """Numbers to mark on an axis, and how they are written."""
    if log:
        powers = np.arange(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
        return [(10.0**p, f"$10^{{{p}}}$") for p in powers[:: max(1, math.ceil(len(powers) / 7))]]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= 6)
    marks = np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1) * step
    return [(m, f"{m + 0.0:.{max(0, -math.floor(math.log10(step) + 1e-9))}f}") for m in marks]


class Nothing:
    """Takes whatever is asked of it, and draws none of it."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()

    def __call__(self, *args, **kwargs):
        return Nothing()

    def __getitem__(self, key):
        return Nothing()

    def __iter__(self):
        return iter(())


class Axes:
    """One picture: what is drawn on it, and its settings (xlim, ylabel, title …)."""

    transAxes = "axes"
    IGNORED = "minorticks_off", "tick_params", "margins", "grid", "clabel"

    def __init__(self, figure, place):
        self.figure, self.place, self.items, self.settings = figure, place, [], {"xscale": "linear", "yscale": "linear"}
        self.key, self.colours = None, itertools.cycle(CYCLE)
        self.spines = self.xaxis = self.yaxis = Nothing()

    def set(self, **settings):
        for name, value in settings.items():
            if name in ("xlim", "ylim"):
                value = tuple(now if new is None else new for new, now in zip(value, self.view(name[0]), strict=True))
            self.settings[name] = value

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name.startswith("set_"):
            return lambda *args, **more: self._set(name.removeprefix("set_"), args, more)
        if name in self.IGNORED:
            return Nothing()
        self.figure.drawable = False
        return Nothing()

    def _set(self, name, args, more):
        if name in ("xlim", "ylim"):
            low, high = args[0] if args and np.ndim(args[0]) else (*args, None, None)[:2]
            low, high = more.get("left", more.get("bottom", low)), more.get("right", more.get("top", high))
            self.set(**{name: (low, high)})
        elif name in ("xticks", "yticks"):
            self.settings[name], self.settings[f"{name}labels"] = args[0], more.get("labels", (*args, None)[1])
        else:
            self.settings[name] = args[0] if args else True

    def get_xlim(self):
        return self.view("x")

    def get_ylim(self):
        return self.view("y")

    def axis(self, what):
        self.settings["aspect" if what == "equal" else "axis_off"] = what

    def legend(self, **settings):
        self.key = settings

    # What is drawn: an item is (order, kind, x, y, look, does it count for the limits?)

    def add(self, kind, x, y, look, order, counts=True):
        self.items.append((order, kind, *np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float)), look, counts))

    def plot(self, *data, **look):
        data, lines = list(data), []
        while data:
            x = np.asarray(data.pop(0), float)
            y = np.asarray(data.pop(0), float) if data and not isinstance(data[0], str) else None
            form = data.pop(0) if data and isinstance(data[0], str) else ""
            x, y = (np.arange(len(x)), x) if y is None else (x[:, 0] if x.ndim == 2 else x, np.atleast_1d(y))
            lines += [self._line(x, column, form, dict(look)) for column in (y.T if y.ndim == 2 else [y])]
        return lines

    def _line(self, x, y, form, look):
        look["marker"] = look.get("marker") or next((m for m in "osD^vPXx+*." if m in form), "")
        dash = next((d for d in ("--", "-.", "-", ":") if d in form), "none" if look["marker"] else "-")
        look["dash"] = look.get("ls", look.get("linestyle", dash)) or "none"
        look["color"] = look.get("color", look.get("c", next((c for c in form if c in "kw"), None))) or next(
            self.colours
        )
        counts = look.get("scalex", True) or look.get("scaley", True)
        self.add("line", np.atleast_1d(x), y, look, look.get("zorder", 2), counts)
        return types.SimpleNamespace(get_color=lambda: look["color"])

    def loglog(self, *data, **look):
        self.settings |= {"xscale": "log", "yscale": "log"}
        return self.plot(*data, **look)

    def semilogx(self, *data, **look):
        self.settings["xscale"] = "log"
        return self.plot(*data, **look)

    def semilogy(self, *data, **look):
        self.settings["yscale"] = "log"
        return self.plot(*data, **look)

    def step(self, x, y, *, where="pre", **look):
        x, y = np.repeat(x, 2), np.repeat(y, 2)
        return self.plot(*((x[1:], y[:-1]) if where == "post" else (x[:-1], y[1:])), **look)

    def errorbar(self, x, y, yerr=None, xerr=None, *, capsize=0, fmt="", **look):
        bars = {"color": self.plot(x, y, fmt, **look)[0].get_color(), "lw": look.get("lw", 1.2), "ls": "-"}
        x, y = np.atleast_1d(x), np.atleast_1d(y)
        for spread, middle, other in ((xerr, x, y), (yerr, y, x)):
            if spread is None:
                continue
            less, more = spread if np.ndim(spread) == 2 else (spread, spread)
            for low, high, at in zip(middle - less, middle + more, other, strict=True):
                self.plot(*(([low, high], [at, at]) if middle is x else ([at, at], [low, high])), **bars)

    def scatter(self, x, y, s=36, c=None, **look):
        if c is not None and not isinstance(c, str):
            c = np.asarray(c)
            c = [tuple(p) for p in (c if c.ndim == 2 else Colours.named(look.get("cmap", "viridis"))(share(c, look)))]
        colour = c if c is not None else look.get("color", look.get("facecolors")) or next(self.colours)
        look |= {"color": colour, "size": math.sqrt(float(np.max(s))) * 0.6}
        self.add("marks", x, y, look, look.get("zorder", 1))

    def axhline(self, y=0.0, **look):
        self.add("across", [y], [y], {"color": "#222222", **look}, look.get("zorder", 2), False)

    def axvline(self, x=0.0, **look):
        self.add("down", [x], [x], {"color": "#222222", **look}, look.get("zorder", 2), False)

    def fill(self, x, y, **look):
        self.add("area", x, y, {"color": next(self.colours), **look}, look.get("zorder", 1))

    def fill_between(self, x, low, high=0.0, **look):
        low, high = (np.broadcast_to(part, np.shape(x)) for part in (low, high))
        self.fill(np.append(x, np.flip(x)), np.append(low, np.flip(high)), **look)

    def text(self, x, y, text, **look):
        self.add("text", [x], [y], {"text": text, "shift": (0, 0), **look}, 5, False)

    def annotate(self, text, xy, xytext=None, textcoords="data", arrowprops=None, **look):
        moved = textcoords == "offset points"
        at = xy if xytext is None or moved else xytext
        if arrowprops is not None:
            self.add("arrow", [at[0], xy[0]], [at[1], xy[1]], arrowprops | look, look.get("zorder", 4), False)
        if text:
            self.add("text", [at[0]], [at[1]], {"text": text, "shift": xytext if moved else (0, 0), **look}, 5, False)

    def contour(self, x, y, z, levels=8, colors=None, linewidths=1.2, linestyles="-", zorder=1, cmap="viridis", **_):
        levels = levels if np.ndim(levels) else np.linspace(np.min(z), np.max(z), levels + 2)[1:-1]
        colours = itertools.cycle(colors or Colours.named(cmap)(share(np.asarray(levels, float), {})))
        for level, colour in zip(levels, colours, strict=False):
            x_of, y_of = np.moveaxis(crossings(x, y, z, level), -1, 0)
            look = {"color": colour, "lw": linewidths, "dash": linestyles or "-"}
            self.add("pieces", x_of, y_of, look, zorder)

    def contourf(self, x, y, z, levels, colors=None, cmap=None, alpha=1.0, zorder=1, **_):
        band, count = np.digitize(finer(np.asarray(z, float)), levels) - 1, len(levels) - 1
        shades = Colours.named(cmap)(np.linspace(0, 1, count)) if colors is None else np.array([*map(to_rgb, colors)])
        seen = (band >= 0) & (band < count)
        pixels = np.dstack([shades[np.clip(band, 0, count - 1) % len(shades)], alpha * seen])
        self._image(pixels, (np.min(x), np.max(x), np.min(y), np.max(y)), zorder, "auto")

    def imshow(self, picture, extent=None, origin="upper", cmap="viridis", alpha=1.0, zorder=0, aspect="equal", **look):
        picture = np.asarray(picture, float)
        picture = picture if picture.ndim == 3 else Colours.named(cmap)(share(picture, look))
        rows, columns = picture.shape[:2]
        if extent is None:
            extent = -0.5, columns - 0.5, -0.5, rows - 0.5
            self.settings |= {"xlim": extent[:2], "ylim": extent[2:] if origin == "lower" else extent[:1:-1]}
        self.settings.setdefault("aspect", aspect)
        pixels = np.dstack([picture[..., :3], np.full((rows, columns), alpha)])
        self._image(pixels if origin == "lower" else pixels[::-1], extent, zorder, "pixelated")

    def _image(self, pixels, extent, zorder, rendering):
        self.add("image", extent[:2], extent[2:], {"address": png(pixels[::-1]), "rendering": rendering}, zorder)

    # As SVG

    def view(self, axis):
        """The limits of an axis: those set, else around what counts."""
        if f"{axis}lim" in self.settings:
            return tuple(map(float, self.settings[f"{axis}lim"]))
        log, parts = (
            self.settings[f"{axis}scale"] == "log",
            [i[2 if axis == "x" else 3].ravel() for i in self.items if i[5]],
        )
        values = np.concatenate([*parts, []])
        values = values[np.isfinite(values) & ((values > 0) | (not log))]
        if not len(values):
            return (0.1, 1.0) if log else (0.0, 1.0)
        ends = np.array([values.min(), values.max()])
        ends = np.log10(ends) if log else ends
        pad = 0 if any(item[1] == "image" for item in self.items) else 0.05 * ((ends[1] - ends[0]) or 1.0)
        return tuple(float(10.0**v if log else v) for v in (ends[0] - pad, ends[1] + pad))

    def svg(self, box):
        """The picture inside a box (left, top, width, height) of pixels."""
        (x0, x1), (y0, y1) = self.view("x"), self.view("y")
        logs = [self.settings[f"{axis}scale"] == "log" for axis in "xy"]
        if self.settings.get("aspect") == "equal" and not any(logs):
            unit = min(box[2] / abs(x1 - x0), box[3] / abs(y1 - y0))
            size = unit * abs(x1 - x0), unit * abs(y1 - y0)
            box = box[0] + (box[2] - size[0]) / 2, box[1] + (box[3] - size[1]) / 2, *size
        left, top, width, height = box

        def along(values, low, high, log):
            f = np.log10 if log else np.asarray
            return (f(np.asarray(values, float)) - f(low)) / (f(high) - f(low))

        def place(x, y):
            with np.errstate(all="ignore"):
                u, v = along(x, x0, x1, logs[0]), along(y, y0, y1, logs[1])
            return np.clip(left + width * u, -9999, 9999), np.clip(top + height * (1 - v), -9999, 9999)

        clip = f"clip-{self.figure.number}-{self.place[0]}-{self.place[1]}"
        items = [
            (kind, DRAW[kind](place, x, y, look, box))
            for _, kind, x, y, look, _ in sorted(self.items, key=lambda i: i[0])
        ]
        out = [tag("clipPath", tag("rect", x=left, y=top, width=width, height=height), id=clip)]
        out += [] if self.settings.get("axis_off") else self._frame(place, box)
        out.append(tag("g", "".join(drawn for kind, drawn in items if kind != "text"), clip_path=f"url(#{clip})"))
        out += [drawn for kind, drawn in items if kind == "text"]
        if self.settings.get("title"):
            out.append(tag("text", words(self.settings["title"]), x=left + width / 2, y=top - 8, text_anchor="middle"))
        return "".join(out) + (self._legend(place, box) if self.key is not None else "")

    def _frame(self, place, box):
        left, top, width, height = box
        yield tag("path", d=f"M{left:.1f} {top:.1f}v{height:.1f}h{width:.1f}", fill="none", stroke="var(--ink)")
        for axis in "xy":
            low, high = sorted(self.view(axis))
            given, labels = self.settings.get(f"{axis}ticks"), self.settings.get(f"{axis}tickslabels")
            pairs = marks_of(low, high, self.settings[f"{axis}scale"] == "log")
            if given is not None:
                pairs = list(zip(given, labels if labels is not None else [f"{m:g}" for m in given], strict=False))
            for mark, label in pairs:
                if not low - 1e-9 <= mark <= high * (1 + 1e-9) + 1e-9:
                    continue
                u, v = place(mark, mark)
                u, v = (u, top + height) if axis == "x" else (left, v)
                yield tag("path", d=f"M{u:.1f} {v:.1f}{'v5' if axis == 'x' else 'h-5'}", stroke="var(--ink)")
                at = (
                    {"x": u, "y": v + 19, "text_anchor": "middle"}
                    if axis == "x"
                    else {"x": u - 8, "y": v + 4, "text_anchor": "end"}
                )
                yield tag("text", words(label), font_size=SMALL, **at)
        if "xlabel" in self.settings:
            yield tag(
                "text", words(self.settings["xlabel"]), x=left + width / 2, y=top + height + 38, text_anchor="middle"
            )
        if "ylabel" in self.settings:
            turned = f"translate({left - 46:.1f} {top + height / 2:.1f}) rotate(-90)"
            yield tag("text", words(self.settings["ylabel"]), transform=turned, text_anchor="middle")

    def _legend(self, place, box):
        """The names, in the corner asked for, or where least is drawn."""
        named = [(i[1], i[4]) for i in self.items if i[4].get("label")]
        left, top, width, height = box
        wide = 46 + 7.2 * max((len(re.sub(r"[\\${}]", "", str(look["label"]))) for _, look in named), default=0)
        high = 20 * len(named)
        corners = {
            f"{v_name} {u_name}": (u, v)
            for v_name, v in (("upper", top + 4), ("lower", top + height - high - 6))
            for u_name, u in (("right", left + width - wide), ("left", left + 10))
        }
        points = [place(x, y) for _, kind, x, y, _, _ in self.items if kind in ("line", "marks")]

        def crowd(corner):
            inside = (
                (u > corner[0]) & (u < corner[0] + wide) & (v > corner[1]) & (v < corner[1] + high) for u, v in points
            )
            return sum(int(part.sum()) for part in inside)

        x, y = corners.get(self.key.get("loc")) or min(corners.values(), key=crowd)
        out = ""
        for k, (kind, look) in enumerate(named):
            ends, at = np.array([x + 14.0] if kind == "marks" else [x, x + 28.0]), y + 20 * k + 10
            out += DRAW["marks" if kind == "marks" else "line"](
                lambda u, v: (u, v), ends, np.full(len(ends), at), look, box
            )
            out += tag("text", words(look["label"]), x=x + 36, y=at + 4, font_size=SMALL)
        return out


# How an item is drawn: functions of (place, x, y, look, box).


def stroke(look):
    """The attributes of a line."""
    dash = look.get("dash", look.get("ls", look.get("linestyle", "-")))
    dash = " ".join(f"{2 * n:g}" for n in dash[1]) if isinstance(dash, tuple) else DASHES.get(dash, "")
    wide, alpha = 1.25 * float(look.get("lw", look.get("linewidth", 1.8))), look.get("alpha")
    opacity = None if alpha is None else f"{alpha:g}"
    line = {"fill": "none", "stroke": paint(look["color"]), "stroke_width": f"{wide:.2f}"}
    return line | {"stroke_dasharray": dash or None, "opacity": opacity}


def path(u, v):
    """Points joined by lines, but not across what is not finite."""
    out, pen = [], "M"
    for a, b in zip(u.ravel().tolist(), v.ravel().tolist(), strict=True):
        out.append(f"{pen}{a:.1f} {b:.1f}" if math.isfinite(a + b) else "")
        pen = "L" if out[-1] else "M"
    return "".join(out)


def mark(marker, u, v, r, **look):
    """One marker of half the size r."""
    if marker in ("s", "D"):
        turn = f"rotate(45 {u:.1f} {v:.1f})" if marker == "D" else None
        return tag("rect", x=u - r, y=v - r, width=2 * r, height=2 * r, transform=turn, **look)
    if marker in ("^", "v"):
        way = r if marker == "^" else -r
        return tag("path", d=f"M{u:.1f} {v - 1.2 * way:.1f}L{u + r * 1.1:.1f} {v + way:.1f}h{-2.2 * r:.1f}Z", **look)
    if marker in "xX+P*":
        turn = f"rotate(45 {u:.1f} {v:.1f})" if marker in "xX" else None
        arms = f"M{u - r:.1f} {v:.1f}h{2 * r:.1f}M{u:.1f} {v - r:.1f}v{2 * r:.1f}"
        return tag("path", d=arms, stroke=look["fill"], stroke_width="2.6" if marker in "PX" else "1.6", transform=turn)
    return tag("circle", cx=u, cy=v, r=r / 2 if marker == "." else r, **look)


def draw_line(place, x, y, look, box):
    u, v = place(x, y)
    out = "" if look.get("dash", "-") in ("none", "None", "") else tag("path", d=path(u, v), **stroke(look))
    if look.get("marker"):
        colours = (
            paint(look.get(short, look.get(long, look["color"])))
            for short, long in (("mfc", "markerfacecolor"), ("mec", "markeredgecolor"))
        )
        fill, edge = colours
        size = look.get("ms", look.get("markersize", 6)) * 0.62
        for a, b in zip(u.ravel(), v.ravel(), strict=True):
            out += (
                mark(look["marker"], a, b, size, fill=fill, stroke=edge, stroke_width="1.2")
                if math.isfinite(a + b)
                else ""
            )
    return out


def draw_marks(place, x, y, look, box):
    u, v = place(x, y)
    colours = look["color"] if isinstance(look["color"], list) else itertools.repeat(look["color"])
    edge, wide = (
        paint(look.get("edgecolors", look.get("edgecolor"))),
        np.max(look.get("linewidths", look.get("lw", 0.7))),
    )
    hollow, rim = look.get("facecolors") == "none", {"stroke": edge, "stroke_width": f"{wide:g}"}
    marks = (
        mark(look.get("marker", "o"), a, b, look["size"], fill="none" if hollow else paint(c), **rim)
        for a, b, c in zip(u.ravel(), v.ravel(), colours, strict=False)
        if math.isfinite(a + b)
    )
    return tag("g", "".join(marks), opacity=f"{look['alpha']:g}" if look.get("alpha") is not None else None)


def draw_text(place, x, y, look, box):
    inside = look.get("transform") == Axes.transAxes
    u, v = (box[0] + box[2] * x[0], box[1] + box[3] * (1 - y[0])) if inside else (part[0] for part in place(x, y))
    size = look.get("fontsize", 10.5)
    size = 1.25 * (size if isinstance(size, int | float) else 9.5)
    v += {"top": 0.9 * size, "center": 0.35 * size}.get(look.get("va"), 0) - 1.2 * look["shift"][1]
    anchor = {"center": "middle", "right": "end"}.get(look.get("ha"), "start")
    colour = paint(look.get("color", "#222222"))
    return tag(
        "text", words(look["text"]), x=u + 1.2 * look["shift"][0], y=v, text_anchor=anchor, font_size=size, fill=colour
    )


def draw_arrow(place, x, y, look, box):
    (a, c), (b, d) = place(x, y)
    length = math.hypot(c - a, d - b) or 1.0
    p, q = (c - a) / length * 9, (d - b) / length * 9
    head = f"M{c:.1f} {d:.1f}L{c - p - q / 2:.1f} {d - q + p / 2:.1f}L{c - p + q / 2:.1f} {d - q - p / 2:.1f}Z"
    look = {"color": "#222222", **look}
    tip = "" if look.get("arrowstyle") == "-" else tag("path", d=head, fill=paint(look["color"]))
    return tag("path", d=f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}", **stroke(look)) + tip


def draw_image(place, x, y, look, box):
    (a, c), (b, d) = place(x, y)
    sides = {"x": min(a, c), "y": min(b, d), "width": abs(c - a), "height": abs(d - b)}
    way = f"image-rendering:{look['rendering']}"
    return tag("image", href=look["address"], **sides, preserveAspectRatio="none", style=way)


def draw_area(place, x, y, look, box):
    return tag("path", d=path(*place(x, y)) + "Z", fill=paint(look["color"]), opacity=f"{look.get('alpha', 1.0):g}")


def draw_pieces(place, x, y, look, box):
    u, v = place(x, y)
    return tag("path", d="".join(path(a, b) for a, b in zip(u, v, strict=True)), **stroke(look))


def draw_across(place, x, y, look, box):
    return tag("path", d=f"M{box[0]:.1f} {place(x, y)[1][0]:.1f}h{box[2]:.1f}", **stroke(look))


def draw_down(place, x, y, look, box):
    return tag("path", d=f"M{place(x, y)[0][0]:.1f} {box[1]:.1f}v{box[3]:.1f}", **stroke(look))


DRAW = {name.removeprefix("draw_"): function for name, function in dict(globals()).items() if name.startswith("draw_")}
made = []  # figures, until they are shown


class Figure:
    """Axes side by side and one below the other."""

    count = itertools.count()

    def __init__(self, figsize=(5.6, 3.8), **_):
        self.width, self.height = (INCH * side for side in figsize)
        self.axes, self.shape, self.drawable, self.number = [], (1, 1), True, next(Figure.count)
        made.append(self)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.drawable = False
        return Nothing()

    def svg(self):
        """The figure as one SVG element."""
        wide, high = self.width / self.shape[1], self.height / self.shape[0]
        size = wide - LEFT - RIGHT, high - TOP - BOTTOM
        parts = (axes.svg((axes.place[1] * wide + LEFT, axes.place[0] * high + TOP, *size)) for axes in self.axes)
        return tag(
            "svg", "".join(parts), xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.width:.0f} {self.height:.0f}", width=self.width, height=self.height,
            role="img", aria_label="The picture, drawn anew",
            font_family="var(--sans)", font_size=FONT, fill="var(--ink)",
        )  # fmt: skip


def subplots(nrows=1, ncols=1, *, figsize=(5.6, 3.8), subplot_kw=None, **_):
    """(figure, axes) as `pyplot.subplots` gives them."""
    figure = Figure(figsize)
    figure.shape, figure.drawable = (nrows, ncols), not subplot_kw  # axes of another kind are not for us
    figure.axes = [Axes(figure, place) for place in itertools.product(range(nrows), range(ncols))]
    axes = np.array([*figure.axes, None], dtype=object)[:-1].reshape(nrows, ncols)
    return figure, axes[0, 0] if axes.size == 1 else axes.squeeze()


def drawn():
    """The figures made since the last call, as SVG; none of them if one cannot be drawn."""
    figures = made[:]
    forget()
    return [figure.svg() for figure in figures] if all(figure.drawable and figure.axes for figure in figures) else []


def forget():
    """Drop the figures of a cell that failed."""
    made.clear()


def at_fault(error):
    """Did the error arise in here? Then the cell is not to blame, and its figure is one that is not drawn."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != __file__:
        trace = trace.tb_next
    for figure in made if trace else ():
        figure.drawable = False
    return trace is not None


def stand_in():
    """Put all this where Matplotlib would be imported from."""
    names = "matplotlib", "matplotlib.pyplot", "matplotlib.colors"
    for name in ("mpl_toolkits", "mpl_toolkits.mplot3d", "mpl_toolkits.mplot3d.art3d"):
        sys.modules.setdefault(name, types.ModuleType(name)).Poly3DCollection = Nothing()
    matplotlib, pyplot, colors = (sys.modules.setdefault(name, types.ModuleType(name)) for name in names)
    matplotlib.pyplot, matplotlib.colors = pyplot, colors
    pyplot.subplots, pyplot.figure, pyplot.show, pyplot.rcParams, pyplot.cycler = (
        subplots,
        Figure,
        Nothing(),
        {},
        Nothing(),
    )
    colors.LinearSegmentedColormap, colors.to_rgb = Colours, to_rgb
