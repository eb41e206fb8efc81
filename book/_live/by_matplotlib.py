"""In the place of `pictures`, on a site whose owner serves a full Pyodide distribution: Matplotlib itself draws."""

import io
import re

import matplotlib
from matplotlib import pyplot
from pictures import OWN

Nothing = type(None)


def stand_in():
    """Show nothing by itself: the page does."""
    matplotlib.use("agg")
    pyplot.show = lambda: None


def drawn():
    """The figures made since the last call, as SVG in the page's colours."""
    figures = [_svg(pyplot.figure(number)) for number in pyplot.get_fignums()]
    forget()
    return figures


def _svg(figure):
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    own = re.sub("|".join(OWN), lambda found: OWN[found[0]], svg[svg.index("<svg") :])
    return own.replace("<svg", '<svg role="img" aria-label="The picture, drawn anew" fill="var(--ink)"', 1)


def forget():
    """Drop the figures of a cell that failed."""
    pyplot.close("all")


def at_fault(error):
    """What Matplotlib complains of is for the reader to mend."""
    return False
