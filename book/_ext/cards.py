"""A picture for each page, shown where a link to it is shared: its title over two kinds of points and a line."""

import io
import random
import re
import textwrap
from functools import cache

import site_assets
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

SIZE = 1200, 630
INK, PAPER, BLUE, ORANGE, SOFT = "#1d2330", "#fdfcf9", "#0072b2", "#d55e00", "#565d6d"


@cache
def typeface():
    """The book's sans serif as a plain TrueType file in memory; it is fetched compressed."""
    font = TTFont(next((site_assets.install() / "source-sans-3").glob("*.woff2")))
    font.flavor = None
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def letters(size, weight):
    font = ImageFont.truetype(io.BytesIO(typeface()), size)
    font.set_variation_by_axes([weight])
    return font


@cache
def ground():
    """The motif, the same on every card: drawn at double size and reduced, for smooth edges."""
    width, height = (2 * side for side in SIZE)
    image = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(image)
    rng = random.Random(3)
    placed = []
    while len(placed) < 46:
        x, y = rng.uniform(40, width - 40), rng.uniform(820, height - 40)
        side = y - (1120 - 0.2 * (x - width / 2))
        if abs(side) > 80 and all((x - a) ** 2 + (y - b) ** 2 > 85**2 for a, b in placed):
            placed.append((x, y))
            if side > 0:
                draw.line([(x - 20, y), (x + 20, y)], BLUE, 11)
                draw.line([(x, y - 20), (x, y + 20)], BLUE, 11)
            else:
                draw.ellipse([x - 18, y - 18, x + 18, y + 18], ORANGE)
    draw.line([(0, 1120 + 0.2 * width / 2), (width, 1120 - 0.2 * width / 2)], INK, 9)
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def card(title, book):
    """The card of one page, as the bytes of a PNG."""
    image = ground().copy()
    draw = ImageDraw.Draw(image)
    draw.text((70, 60), book, SOFT, letters(40, 500))
    lines = textwrap.wrap(re.sub(r"\s+", " ", title), 26, break_on_hyphens=False)[:3]
    draw.multiline_text((70, 125), "\n".join(lines), INK, letters(84, 700), spacing=10)
    out = io.BytesIO()
    image.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()
