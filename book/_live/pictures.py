"""Matplotlib's place in a page, which has none: as much of it as the chapters use, drawn as SVG in the page's colours.

Lines, points, fills, contours, images, text and legends are drawn. What is not (a colour bar, a third dimension) leaves
its picture undrawn, and the page then keeps the one that was built: see `Undrawn`.
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

INCH = 88  # pixels
FONT, SMALL = 14, 12.5
CYCLE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222"]
DASHES = {"-": "", "--": "7 4", "-.": "8 3 2 3", ":": "2 3", "None": None, "": None}
MAPS = {
    "viridis": ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"],
    "cividis": ["#00224e", "#575d6d", "#a59c74", "#fee838"],
    "gray": ["#000000", "#ffffff"], "Greys": ["#ffffff", "#000000"],
    "Blues": ["#f7fbff", "#6baed6", "#08306b"], "PuOr": ["#7f3b08", "#f7f7f7", "#2d004b"],
}  # fmt: skip
NAMED = {"white": "#ffffff", "black": "#000000", "k": "#000000", "w": "#ffffff", "none": "none"}
LETTERS = dict(zip(["alpha", "eta", "lambda", "mu", "nu", "phi", "rho", "sigma", "tau", "theta", "xi", "ell", "cdot", "infty", "leq", "le", "geq",
                    "ge", "times", "parallel", "sqrt", "nabla", "pm"], "αηλμνφρστθξℓ·∞≤≤≥≥×∥√∇±", strict=True))  # fmt: skip


class Undrawn(Exception):
    """A picture asks for what is not drawn in a page."""


def to_rgb(colour):
    """(r, g, b) in [0, 1] of "#0072B2" or a name."""
    colour = NAMED.get(colour, colour)
    if not isinstance(colour, str):
        return tuple(colour)[:3]
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        return (float(colour),) * 3 if re.fullmatch(r"[\d.]+", colour) else (0.3, 0.3, 0.3)
    return tuple(int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))


def paint(colour):
    """A colour for SVG: ink, grey and white are the page's own, which change with its theme."""
    if colour is None:
        return "none"
    if not isinstance(colour, str):
        return "#" + "".join(f"{round(255 * part):02x}" for part in to_rgb(colour))
    if re.fullmatch(r"C\d", colour):
        return CYCLE[int(colour[1]) % len(CYCLE)]
    own = {"#222222": "var(--ink)", "#000000": "var(--ink)", "#8a8a8a": "var(--soft)", "#ffffff": "var(--paper)"}
    known = NAMED.get(colour, colour)
    if known == "none":
        return known
    return own.get(known, known if known.startswith("#") else paint(to_rgb(known)))


class Colours:
    """A colour map: numbers in [0, 1] to (r, g, b)."""

    def __init__(self, ends):
        self.ends = np.array([to_rgb(end) for end in ends])

    def __call__(self, share):
        at = np.clip(share, 0, 1) * (len(self.ends) - 1)
        low = np.minimum(at.astype(int), len(self.ends) - 2)
        return self.ends[low] + (at - low)[..., None] * (self.ends[low + 1] - self.ends[low])

    @classmethod
    def named(cls, name):
        if isinstance(name, cls):
            return name
        base = str(name).removesuffix("_r")
        if base not in MAPS:
            raise Undrawn(f"the colour map {name}")
        return cls(MAPS[base][:: -1 if base != name else 1])

    @classmethod
    def from_list(cls, name, ends):
        return cls(ends)


def words(text):
    """Text for SVG: of mathematics, letters, sub- and superscripts."""
    text = re.sub(r"\\(?:mathrm|text|mathbf)\{([^}]*)\}", r"\1", str(text))
    text = re.sub(r"\\([a-zA-Z]+) ?", lambda m: LETTERS.get(m[1], m[1]), html.escape(text).replace("\\,", " "))
    for mark, shift in (("_", ".25em"), ("^", "-.4em")):
        small = f'<tspan dy="{shift}" font-size="75%">\\1</tspan><tspan dy="{shift.replace("-", "") if "-" in shift else "-" + shift}">\u200b</tspan>'
        text = (
            re.sub(
                r"(?<=\S)" + re.escape(mark) + r"(?:\{([^}]*)\}|(\w))",
                lambda m, s=small: s.replace("\\1", m[1] or m[2]),
                text,
            )
            if "$" in text
            else text
        )
    return text.replace("$", "")


def png(pixels):
    """An RGBA array as the address of an image."""
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + row.tobytes() for row in np.round(255 * np.clip(pixels, 0, 1)).astype(np.uint8))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


def crossings(x, y, z, level):
    """Pieces ((x, y), (x, y)) of the line on which z, given on a grid, is `level`: one or two in a cell it crosses."""
    ends = []
    corners = [(x[:-1, :-1], y[:-1, :-1], z[:-1, :-1]), (x[:-1, 1:], y[:-1, 1:], z[:-1, 1:]),
               (x[1:, 1:], y[1:, 1:], z[1:, 1:]), (x[1:, :-1], y[1:, :-1], z[1:, :-1])]  # fmt: skip
    for (xa, ya, za), (xb, yb, zb) in zip(corners, corners[1:] + corners[:1], strict=True):
        cut = (za < level) != (zb < level)
        with np.errstate(all="ignore"):
            t = np.where(cut, (level - za) / (zb - za), np.nan)
        ends.append(np.stack([xa + t * (xb - xa), ya + t * (yb - ya)], axis=-1))
    ends = np.stack(ends, axis=2).reshape(-1, 4, 2)
    for cell in ends[np.isfinite(ends[:, :, 0]).sum(axis=1) >= 2]:
        found = cell[np.isfinite(cell[:, 0])]
        yield from zip(found[::2], found[1::2], strict=False)


def nice_ticks(low, high, log):
    """Numbers to mark on an axis, and how they are written."""
    if log:
        powers = np.arange(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
        powers = powers[:: max(1, math.ceil(len(powers) / 7))]
        return [(10.0**p, f"$10^{{{p}}}$") for p in powers]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= 6)
    marks = np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1) * step
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [(m, f"{m + 0.0:.{digits}f}") for m in marks]


class Axes:
    """One picture: what is drawn on it, its limits, scales and words."""

    def __init__(self, figure, place):
        self.figure, self.place, self.items = figure, place, []
        self.limits, self.scale, self.ticks, self.names = {}, {"x": "linear", "y": "linear"}, {}, {}
        self.title, self.key, self.equal, self.off, self.colours = "", None, False, False, itertools.cycle(CYCLE)
        self.spines = self.xaxis = self.yaxis = types.SimpleNamespace()

    # Limits and words

    def set(self, **settings):
        for name, value in settings.items():
            getattr(self, f"set_{name}")(
                *(value if name in ("xlim", "ylim") and isinstance(value, tuple | list) else (value,))
            )

    def _limit(self, axis, low=None, high=None):
        low, high = (low if np.ndim(low) else (low, high)) if low is not None else (self.view(axis)[0], high)
        now = self.view(axis)
        self.limits[axis] = (now[0] if low is None else float(low), now[1] if high is None else float(high))

    def set_xlim(self, left=None, right=None):
        self._limit("x", left, right)

    def set_ylim(self, bottom=None, top=None):
        self._limit("y", bottom, top)

    def get_xlim(self):
        return self.view("x")

    def get_ylim(self):
        return self.view("y")

    def set_xlabel(self, text, **_):
        self.names["x"] = text

    def set_ylabel(self, text, **_):
        self.names["y"] = text

    def set_title(self, text, **_):
        self.title = text

    def set_xscale(self, kind, **_):
        self.scale["x"] = kind

    def set_yscale(self, kind, **_):
        self.scale["y"] = kind

    def set_xticks(self, marks, labels=None, **_):
        self.ticks["x"] = marks, labels

    def set_yticks(self, marks, labels=None, **_):
        self.ticks["y"] = marks, labels

    def set_xticklabels(self, labels, **_):
        self.ticks["x"] = self.ticks["x"][0], labels

    def set_yticklabels(self, labels, **_):
        self.ticks["y"] = self.ticks["y"][0], labels

    def set_aspect(self, aspect, **_):
        self.equal = aspect == "equal"

    def set_axis_off(self):
        self.off = True

    def axis(self, what):
        self.off, self.equal = what == "off" or self.off, what == "equal" or self.equal

    def legend(self, **settings):
        self.key = settings

    def minorticks_off(self): ...

    def tick_params(self, **_): ...

    def margins(self, *_, **__): ...

    def grid(self, *_, **__): ...

    def clabel(self, *_, **__): ...

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.figure.drawable = False
        return Nothing()

    # What is drawn

    def add(self, kind, x, y, look, zorder, *, counts=True):
        x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        self.items.append((zorder, kind, x, y, look, counts))

    def plot(self, *data, **look):
        data, lines = list(data), []
        while data:
            x = np.asarray(data.pop(0), float)
            y = np.asarray(data.pop(0), float) if data and not isinstance(data[0], str) else None
            form = data.pop(0) if data and isinstance(data[0], str) else ""
            x, y = (np.arange(len(x)), x) if y is None else (x, y)
            x, y = x[:, 0] if x.ndim == 2 else x, np.atleast_1d(y)
            lines += [self._line(x, column, form, dict(look)) for column in (y.T if y.ndim == 2 else [y])]
        return lines

    def _line(self, x, y, form, look):
        marker = look.get("marker") or next((m for m in "osD^vPXx+*.|" if m in form), "")
        dash = next((d for d in ("--", "-.", "-", ":") if d in form), None)
        dash = look.get("ls", look.get("linestyle", dash if dash or not marker else "None")) or "-"
        letter = next((c for c in form if c in "kw"), None)
        look["color"] = look.get("color", look.get("c", letter)) or next(self.colours)
        look |= {"marker": marker, "dash": dash}
        counts = look.get("scalex", True) or look.get("scaley", True)
        self.add("line", np.atleast_1d(x), y, look, look.get("zorder", 2), counts=counts)
        return types.SimpleNamespace(get_color=lambda: look["color"])

    def loglog(self, *data, **look):
        self.scale |= {"x": "log", "y": "log"}
        return self.plot(*data, **look)

    def semilogx(self, *data, **look):
        self.scale["x"] = "log"
        return self.plot(*data, **look)

    def semilogy(self, *data, **look):
        self.scale["y"] = "log"
        return self.plot(*data, **look)

    def step(self, x, y, *, where="pre", **look):
        x, y = np.repeat(x, 2), np.repeat(y, 2)
        self.plot(*((x[1:], y[:-1]) if where == "post" else (x[:-1], y[1:])), **look)

    def errorbar(self, x, y, yerr=None, xerr=None, *, capsize=0, fmt="", **look):
        drawn = self.plot(x, y, *([fmt] if fmt else []), **look)
        x, y = np.atleast_1d(x), np.atleast_1d(y)
        bars = {"color": drawn[0].get_color(), "lw": look.get("lw", 1.2), "ls": "-"}
        for spread, along_x in ((xerr, True), (yerr, False)):
            if spread is not None:
                less, more = spread if np.ndim(spread) == 2 else (spread, spread)
                middle, other = (x, y) if along_x else (y, x)
                for low, high, at in zip(middle - less, middle + more, other, strict=True):
                    self.plot(*(([low, high], [at, at]) if along_x else ([at, at], [low, high])), **bars)

    def scatter(self, x, y, s=36, c=None, **look):
        colour = c if isinstance(c, str) or c is None else None
        if c is not None and colour is None:
            c = np.asarray(c)
            colour = [
                tuple(p) for p in (c if c.ndim == 2 else Colours.named(look.get("cmap", "viridis"))(_share(c, look)))
            ]
        look |= {
            "color": colour or look.get("color", look.get("facecolors")) or next(self.colours),
            "size": math.sqrt(float(np.max(s))) / 2 * 1.2,
        }
        self.add("marks", x, y, look, look.get("zorder", 1))

    def axhline(self, y=0.0, **look):
        self.add("across", [y], [y], {"color": "#222222", **look}, look.get("zorder", 2), counts=False)

    def axvline(self, x=0.0, **look):
        self.add("down", [x], [x], {"color": "#222222", **look}, look.get("zorder", 2), counts=False)

    def axvspan(self, left, right, **look):
        self.add("band", [left, right], [0, 0], look, look.get("zorder", 1), counts=False)

    def fill(self, x, y, **look):
        self.add("area", x, y, {"color": next(self.colours), **look}, look.get("zorder", 1))

    def fill_between(self, x, low, high=0.0, **look):
        low, high = (np.broadcast_to(part, np.shape(x)) for part in (low, high))
        self.fill(np.append(x, np.flip(x)), np.append(low, np.flip(high)), **look)

    def text(self, x, y, text, **look):
        self.add("text", [x], [y], {"text": text, "inside": "transform" in look, **look}, 5, counts=False)

    transAxes = "axes"

    def annotate(self, text, xy, xytext=None, textcoords="data", arrowprops=None, **look):
        moved = textcoords == "offset points"
        at = xy if xytext is None or moved else xytext
        if arrowprops is not None:
            self.add("arrow", [at[0], xy[0]], [at[1], xy[1]], arrowprops | look, look.get("zorder", 4), counts=False)
        if text:
            shift = tuple(xytext) if moved else (0, 0)
            self.add("text", [at[0]], [at[1]], {"text": text, "shift": shift, **look}, 5, counts=False)

    def contour(self, x, y, z, levels=(0,), colors=None, linewidths=1.2, linestyles="-", zorder=1, **look):
        levels = levels if np.ndim(levels) else np.linspace(np.min(z), np.max(z), levels + 2)[1:-1]
        colours = itertools.cycle(
            colors or Colours.named(look.get("cmap", "viridis"))(_share(np.asarray(levels, float), {}))
        )
        for level, colour in zip(levels, colours, strict=False):
            look = {
                "color": colour,
                "lw": linewidths,
                "dash": linestyles or "-",
                "pieces": list(crossings(x, y, z, level)),
            }
            self.add("pieces", [np.min(x), np.max(x)], [np.min(y), np.max(y)], look, zorder)

    def contourf(self, x, y, z, levels, colors=None, cmap=None, alpha=1.0, zorder=1, **_):
        x, y, z = (np.asarray(part, float) for part in (x, y, z))
        z = _finer(z)
        band = np.digitize(z, levels) - 1
        count = len(levels) - 1
        shades = (
            np.array([to_rgb(c) for c in colors])
            if colors is not None
            else Colours.named(cmap)(np.linspace(0, 1, count))
        )
        seen = (band >= 0) & (band < count)
        pixels = np.concatenate([shades[np.clip(band, 0, count - 1) % len(shades)], (alpha * seen)[..., None]], axis=-1)
        self._image(pixels, (x.min(), x.max(), y.min(), y.max()), zorder)

    def imshow(self, picture, extent=None, origin="upper", cmap="viridis", alpha=1.0, zorder=0, aspect="equal", **look):
        picture = np.asarray(picture, float)
        rows, columns = picture.shape[:2]
        if picture.ndim == 2:
            picture = Colours.named(cmap)(_share(picture, look))
        pixels = np.dstack([picture[..., :3], np.full((rows, columns), alpha)])
        up = origin == "lower"
        self.equal = self.equal or aspect == "equal"
        if extent is None:
            extent = (-0.5, columns - 0.5, -0.5, rows - 0.5)
            self.limits |= {"x": extent[:2], "y": extent[2:] if up else extent[:1:-1]}
        self._image(pixels if up else pixels[::-1], extent, zorder, smooth=False)

    def _image(self, pixels, extent, zorder, smooth=True):
        self.add("image", extent[:2], extent[2:], {"address": png(pixels[::-1]), "smooth": smooth}, zorder)

    # As SVG

    def view(self, axis):
        """The limits of an axis: those set, else around what is drawn."""
        if axis in self.limits:
            return self.limits[axis]
        at = 2 if axis == "x" else 3
        parts = [item[at].ravel() for item in self.items if item[5]]
        values = np.concatenate(parts) if parts else np.array([0.0, 1.0])
        log = self.scale[axis] == "log"
        values = values[np.isfinite(values) & ((values > 0) | (not log))]
        if not len(values):
            return (0.0, 1.0) if not log else (0.1, 1.0)
        low, high = (np.log10 if log else float)(values.min()), (np.log10 if log else float)(values.max())
        tight = any(item[1] == "image" for item in self.items)
        pad = 0 if tight else 0.05 * ((high - low) or 1.0)
        return tuple(float(10.0**v if log else v) for v in (low - pad, high + pad))

    def svg(self, box):
        """The picture inside a box (left, top, width, height) of pixels."""
        left, top, width, height = box
        (x0, x1), (y0, y1) = self.view("x"), self.view("y")
        if self.equal and self.scale["x"] == self.scale["y"] == "linear":
            unit = min(width / abs(x1 - x0), height / abs(y1 - y0))
            new_width, new_height = unit * abs(x1 - x0), unit * abs(y1 - y0)
            left, top = left + (width - new_width) / 2, top + (height - new_height) / 2
            width, height = new_width, new_height

        def along(values, low, high, log):
            f = np.log10 if log else np.asarray
            with np.errstate(all="ignore"):
                return (f(values) - f(low)) / (f(high) - f(low))

        def place(x, y):
            u = left + width * along(np.asarray(x, float), x0, x1, self.scale["x"] == "log")
            v = top + height * (1 - along(np.asarray(y, float), y0, y1, self.scale["y"] == "log"))
            return np.clip(u, -9999, 9999), np.clip(v, -9999, 9999)

        clip = f"clip{id(self)}"
        out = [
            f'<clipPath id="{clip}"><rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"/></clipPath>'
        ]
        if not self.off:
            out += self._frame(place, (left, top, width, height))
        drawn = [
            DRAW[kind](place, x, y, look, (left, top, width, height))
            for _, kind, x, y, look, _ in sorted(self.items, key=lambda i: i[0])
        ]
        out += [f'<g clip-path="url(#{clip})">{"".join(d for d in drawn if not d.startswith("<text"))}</g>']
        out += [d for d in drawn if d.startswith("<text")]
        if self.title:
            out.append(
                f'<text x="{left + width / 2:.1f}" y="{top - 8:.1f}" text-anchor="middle">{words(self.title)}</text>'
            )
        return "".join(out) + (self._legend(place, (left, top, width, height)) if self.key is not None else "")

    def _frame(self, place, box):
        left, top, width, height = box
        out = [
            f'<path d="M{left:.1f} {top:.1f}V{top + height:.1f}H{left + width:.1f}" fill="none" stroke="var(--ink)"/>'
        ]
        for axis in "xy":
            low, high = sorted(self.view(axis))
            marks, labels = self.ticks.get(axis, (None, None))
            log = self.scale[axis] == "log"
            pairs = (
                nice_ticks(low, high, log)
                if marks is None
                else list(zip(marks, labels if labels is not None else [f"{m:g}" for m in marks], strict=False))
            )
            for mark, label in pairs:
                if not low - 1e-9 * abs(low) <= mark <= high + 1e-9 * abs(high):
                    continue
                u, v = place(mark, self.view("y")[0]) if axis == "x" else place(self.view("x")[0], mark)
                if axis == "x":
                    out.append(
                        f'<path d="M{u:.1f} {top + height:.1f}v5" stroke="var(--ink)"/><text x="{u:.1f}" y="{top + height + 19:.1f}" text-anchor="middle" font-size="{SMALL}">{words(label)}</text>'
                    )
                else:
                    out.append(
                        f'<path d="M{left:.1f} {v:.1f}h-5" stroke="var(--ink)"/><text x="{left - 8:.1f}" y="{v + 4:.1f}" text-anchor="end" font-size="{SMALL}">{words(label)}</text>'
                    )
        if "x" in self.names:
            out.append(
                f'<text x="{left + width / 2:.1f}" y="{top + height + 38:.1f}" text-anchor="middle">{words(self.names["x"])}</text>'
            )
        if "y" in self.names:
            out.append(
                f'<text transform="translate({left - 46:.1f} {top + height / 2:.1f}) rotate(-90)" text-anchor="middle">{words(self.names["y"])}</text>'
            )
        return out

    def _crowd(self, place, x, y, wide, high):
        """How much is drawn in a box: the legend goes where least is."""
        count = 0
        for _, kind, *data, _, _ in self.items:
            u, v = place(*data)
            if kind == "line" and 1 < u.size < 50:  # the way between points counts too
                t = np.linspace(0, u.size - 1, 200)
                u, v = np.interp(t, np.arange(u.size), u.ravel()), np.interp(t, np.arange(v.size), v.ravel())
            count += np.sum((u > x) & (u < x + wide) & (v > y) & (v < y + high)) if kind in ("line", "marks") else 0
        return count

    def _legend(self, place, box):
        named = [
            (kind, look) for _, kind, _, _, look, _ in self.items if look.get("label") and kind not in ("text", "image")
        ]
        left, top, width, height = box
        wide = 46 + 7.2 * max((len(re.sub(r"[\\${}]", "", str(look["label"]))) for _, look in named), default=0)
        corners = {
            f"{v} {u}": (left + 10 if u == "left" else left + width - wide, top + 4 if v == "upper" else top + height - 20 * len(named) - 6)
            for v in ("upper", "lower") for u in ("right", "left")
        }  # fmt: skip
        x, y = corners.get(self.key.get("loc")) or min(
            corners.values(), key=lambda at: self._crowd(place, *at, wide, 20 * len(named))
        )
        out = []
        for k, (kind, look) in enumerate(named):
            v, dots = y + 20 * k + 10, kind == "marks"
            ends = np.array([x + 14.0] if dots else [x, x + 28.0])
            sample = DRAW["marks" if dots else "line"](lambda u, v: (u, v), ends, np.full(len(ends), v), look, box)
            out.append(
                f'{sample}<text x="{x + 36:.1f}" y="{v + 4:.1f}" font-size="{SMALL}">{words(look["label"])}</text>'
            )
        return "".join(out)


def _share(values, look):
    low, high = look.get("vmin", np.min(values)), look.get("vmax", np.max(values))
    return (values - low) / ((high - low) or 1.0)


def _finer(z, least=160):
    """A grid of at least so many lines, straight in between."""
    for axis in (0, 1):
        if z.shape[axis] < least:
            at = np.linspace(0, z.shape[axis] - 1, least)
            low = np.minimum(at.astype(int), z.shape[axis] - 2)
            t = (at - low).reshape((-1, 1) if axis == 0 else (1, -1))
            z = np.take(z, low, axis) * (1 - t) + np.take(z, low + 1, axis) * t
    return z


def _stroke(look, width=1.8):
    dash = look.get("dash", look.get("ls", look.get("linestyle", "-")))
    dash = " ".join(f"{2 * n:g}" for n in dash[1]) if isinstance(dash, tuple) else DASHES.get(dash, "")
    more = f' stroke-dasharray="{dash}"' if dash else ""
    wide = 1.25 * float(look.get("lw", look.get("linewidth", width)))
    alpha = f' opacity="{look["alpha"]:g}"' if look.get("alpha") is not None else ""
    return f'fill="none" stroke="{paint(look.get("color", "#222222"))}" stroke-width="{wide:.2f}"{more}{alpha}'


def _path(u, v):
    """Points joined by lines, but not across what is not finite."""
    out, pen = [], "M"
    for a, b in zip(u.ravel().tolist(), v.ravel().tolist(), strict=True):
        if math.isfinite(a) and math.isfinite(b):
            out.append(f"{pen}{a:.1f} {b:.1f}")
            pen = "L"
        else:
            pen = "M"
    return "".join(out)


def _mark(marker, u, v, r, fill, edge, wide):
    look = f'fill="{fill}" stroke="{edge}" stroke-width="{wide:.2f}"'
    if marker in ("s", "D"):
        turn = f' transform="rotate(45 {u:.1f} {v:.1f})"' if marker == "D" else ""
        return f'<rect x="{u - r:.1f}" y="{v - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}" {look}{turn}/>'
    if marker in ("^", "v"):
        way = 1 if marker == "^" else -1
        return f'<path d="M{u:.1f} {v - way * r * 1.2:.1f}L{u + r * 1.1:.1f} {v + way * r:.1f}H{u - r * 1.1:.1f}Z" {look}/>'
    if marker in ("x", "X", "+", "P", "*", "|"):
        arms = f"M{u - r:.1f} {v:.1f}h{2 * r:.1f}M{u:.1f} {v - r:.1f}v{2 * r:.1f}"
        turn = f' transform="rotate(45 {u:.1f} {v:.1f})"' if marker in "xX" else ""
        return f'<path d="{arms}" stroke="{fill if fill != "none" else edge}" stroke-width="{2.6 if marker in "PX" else 1.6}"{turn}/>'
    return f'<circle cx="{u:.1f}" cy="{v:.1f}" r="{r * (0.5 if marker == "." else 1):.1f}" {look}/>'


def _line(place, x, y, look, box):
    u, v = place(x, y)
    out = f'<path d="{_path(u, v)}" {_stroke(look)}/>' if DASHES.get(look.get("dash"), "") is not None else ""
    if look.get("marker"):
        size = look.get("ms", look.get("markersize", 6)) * 0.62
        fill, edge = (
            paint(look.get("mfc", look.get("markerfacecolor", look["color"]))),
            paint(look.get("mec", look.get("markeredgecolor", look["color"]))),
        )
        out += "".join(
            _mark(look["marker"], a, b, size, fill, edge, 1.2)
            for a, b in zip(u.ravel(), v.ravel(), strict=True)
            if math.isfinite(a + b)
        )
    return out


def _marks(place, x, y, look, box):
    u, v = place(x, y)
    colours = look["color"] if isinstance(look["color"], list) else itertools.repeat(look["color"])
    edge, wide = (
        paint(look.get("edgecolors", look.get("edgecolor", "none"))),
        np.max(look.get("linewidths", look.get("lw", 0.7))),
    )
    alpha = f' opacity="{look["alpha"]:g}"' if look.get("alpha") is not None else ""
    hollow = look.get("facecolors") == "none"
    marks = (
        _mark(look.get("marker", "o"), a, b, look["size"], "none" if hollow else paint(c), edge, wide)
        for a, b, c in zip(u.ravel(), v.ravel(), colours, strict=False)
        if math.isfinite(a + b)
    )
    return f"<g{alpha}>{''.join(marks)}</g>"


def _text(place, x, y, look, box):
    u, v = (part[0] for part in place(x, y))
    if look.get("inside"):
        u, v = box[0] + box[2] * x[0], box[1] + box[3] * (1 - y[0])
    shift = look.get("shift", (0, 0))
    anchor = {"center": "middle", "right": "end"}.get(look.get("ha", look.get("horizontalalignment")), "start")
    size = look.get("fontsize", look.get("size", 10.5))
    size = 1.25 * (size if isinstance(size, (int, float)) else 9.5)
    v += {"top": size * 0.9, "center": size * 0.35}.get(look.get("va", look.get("verticalalignment")), 0)
    return f'<text x="{u + 1.2 * shift[0]:.1f}" y="{v - 1.2 * shift[1]:.1f}" text-anchor="{anchor}" font-size="{size:.1f}" fill="{paint(look.get("color", "#222222"))}">{words(look["text"])}</text>'


def _arrow(place, x, y, look, box):
    (a, c), (b, d) = place(x, y)
    length = math.hypot(c - a, d - b) or 1.0
    p, q = (c - a) / length * 9, (d - b) / length * 9
    head = f"M{c:.1f} {d:.1f}L{c - p - q / 2:.1f} {d - q + p / 2:.1f}L{c - p + q / 2:.1f} {d - q - p / 2:.1f}Z"
    colour = paint(look.get("color", "#222222"))
    tip = "" if look.get("arrowstyle") == "-" else f'<path d="{head}" fill="{colour}"/>'
    return f'<path d="M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" {_stroke(look)}/>{tip}'


def _image(place, x, y, look, box):
    (a, c), (b, d) = place(x, y)
    way = "" if look["smooth"] else ' style="image-rendering:pixelated"'
    return f'<image href="{look["address"]}" x="{min(a, c):.1f}" y="{min(b, d):.1f}" width="{abs(c - a):.1f}" height="{abs(d - b):.1f}" preserveAspectRatio="none"{way}/>'


def _area(place, x, y, look, box):
    u, v = place(x, y)
    colour, alpha = paint(look.get("color", look.get("facecolor"))), look.get("alpha", 1.0)
    return f'<path d="{_path(u, v)}Z" fill="{colour}" opacity="{alpha:g}"/>'


def _pieces(place, x, y, look, box):
    if not look["pieces"]:
        return ""
    u, v = place(*np.moveaxis(np.array(look["pieces"]), -1, 0))
    d = "".join(f"M{a:.1f} {b:.1f}L{e:.1f} {f:.1f}" for (a, e), (b, f) in zip(u.tolist(), v.tolist(), strict=True))
    return f'<path d="{d}" {_stroke(look)}/>'


DRAW = {
    "line": _line, "marks": _marks, "text": _text, "arrow": _arrow, "image": _image, "area": _area, "pieces": _pieces,
    "across": lambda place, x, y, look, box: f'<path d="M{box[0]:.1f} {place(x, y)[1][0]:.1f}h{box[2]:.1f}" {_stroke(look)}/>',
    "down": lambda place, x, y, look, box: f'<path d="M{place(x, y)[0][0]:.1f} {box[1]:.1f}v{box[3]:.1f}" {_stroke(look)}/>',
    "band": lambda place, x, y, look, box: _area(lambda a, b: (a, b), *_corners(place(x, y)[0], box), look, box),
}  # fmt: skip


def _corners(u, box):
    low, high = box[1], box[1] + box[3]
    return np.array([u[0], u[1], u[1], u[0]]), np.array([low, low, high, high])


class Figure:
    """Axes side by side and one below the other."""

    open = []

    def __init__(self, figsize=(5.6, 3.8), **_):
        self.width, self.height = (INCH * side for side in figsize)
        self.axes, self.shape, self.drawable = [], (1, 1), True
        Figure.open.append(self)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.drawable = False
        return Nothing()

    def tight_layout(self, *_, **__): ...

    def suptitle(self, text, **_):
        self.axes[0].title = self.axes[0].title or text

    def svg(self):
        """The figure as one SVG element."""
        rows, columns = self.shape
        wide, high = self.width / columns, self.height / rows
        parts = []
        for axes in self.axes:
            row, column = axes.place
            box = (column * wide + 62, row * high + 30, wide - 78, high - 78)
            parts.append(axes.svg(box))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.0f} {self.height:.0f}" width="{self.width:.0f}" height="{self.height:.0f}" '
            f'role="img" aria-label="The picture, drawn anew" font-family="var(--sans)" font-size="{FONT}" fill="var(--ink)">{"".join(parts)}</svg>'
        )


def subplots(
    rows=1,
    columns=1,
    *,
    nrows=None,
    ncols=None,
    sharex=False,
    sharey=False,
    squeeze=True,
    subplot_kw=None,
    gridspec_kw=None,
    **settings,
):
    """(figure, axes) as `pyplot.subplots` gives them."""
    figure = Figure(**{name: value for name, value in settings.items() if name == "figsize"})
    figure.drawable = not subplot_kw  # axes of another kind are not for us
    figure.shape = shape = nrows or rows, ncols or columns
    axes = np.empty(shape, dtype=object)
    for place in itertools.product(*map(range, shape)):
        axes[place] = Axes(figure, place)
        figure.axes.append(axes[place])
    return figure, axes[0, 0] if axes.size == 1 else axes.squeeze()


class Nothing:
    """Where a setting is asked for that changes no picture."""

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


def drawn():
    """The figures made since the last call, as SVG; none of them if one cannot be drawn."""
    figures, Figure.open[:] = list(Figure.open), []
    return [figure.svg() for figure in figures] if all(f.drawable and f.axes for f in figures) else []


def at_fault(error):
    """Did the error arise in here? Then the cell is not to blame, and its picture is one that is not drawn."""
    trace, names = error.__traceback__, []
    while trace:
        names.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    found = isinstance(error, Undrawn) or __file__ in names
    for figure in Figure.open if found else ():
        figure.drawable = False
    return found


def stand_in():
    """Put all this where Matplotlib would be imported from."""
    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.colors"):
        sys.modules[name] = module = types.ModuleType(name)
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, module)
    pyplot, colors = sys.modules["matplotlib.pyplot"], sys.modules["matplotlib.colors"]
    pyplot.subplots, pyplot.show, pyplot.rcParams, pyplot.cycler = subplots, lambda: None, {}, Nothing()
    pyplot.figure, pyplot.close = Figure, lambda *_: None
    colors.LinearSegmentedColormap, colors.to_rgb = Colours, to_rgb
