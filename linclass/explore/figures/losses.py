"""The figure of the losses: their values and slopes at a margin that can be moved."""

from linclass import _checks
from linclass import losses as _losses
from linclass.explore.frame import Explorable, Panel

LOSSES = ("zero_one", "perceptron", "hinge", "logistic", "exponential", "squared", "modified_squared")
REACH = 3  # margins from -REACH to REACH are shown
# Graphs of values, and of slopes, that jump to 0: where, and from what height.
JUMPS = ({"zero_one": (0, 1)}, {"zero_one": (0, 0), "perceptron": (0, -1), "hinge": (1, -1)})
HINT = (
    "Slide z, drag an open circle or press anywhere in a plot; tick the losses to compare; scale the logistic loss "
    "until it touches the corner of the zero-one loss."
)
QUESTION = (
    "Before you slide: by what factor must the logistic loss be multiplied so that it nowhere falls below the "
    "zero-one loss?"
)
SEE = (
    "By 1/ln 2, about 1.443: at margin 0 the logistic loss is ln 2, and there the zero-one loss jumps to 1. "
    "Elsewhere there is room to spare."
)


def losses(z=0.5, chosen=("zero_one", "hinge", "logistic")):
    """Losses: move the margin z; values and slopes of the chosen losses follow; the logistic loss can be scaled.

    Try: scale the logistic loss until it nowhere falls below the zero-one loss, and read off the scale.
    """
    z = _checks.scalar("z", z, finite=True)
    for name in chosen:
        _checks.choice("chosen", name, LOSSES)
    names, across = ", ".join(name.replace("_", " ") for name in chosen), (-REACH, REACH)
    value = Panel(across, (-0.65, 4), ("margin z", "loss"), f"The losses {names} against the margin z.")
    slope = Panel(across, (-4, 4), ("margin z", "slope"), f"The slopes of the losses {names} against the margin z.")
    for panel, part, jumps in ((value, "value", JUMPS[0]), (slope, "slope", JUMPS[1])):
        panel.path([(z, -9), (z, 9)], "dash")
        for k, name in enumerate(LOSSES):
            if name in chosen and name in jumps:
                at, left = jumps[name]
                panel.path([(-REACH, left), (at, left), (at, 0), (REACH, 0)], f"l{k}")
            elif name in chosen:
                panel.curve(getattr(_losses.Loss(name), part), f"l{k}")
        panel.mark(z, 0, "knob")
    data = {"z": z, "chosen": list(chosen), "names": LOSSES, "jumps": JUMPS}
    return Explorable("losses", data, (value, slope), HINT, QUESTION, SEE)
