"""The figure of explore.losses."""

from linclass import _checks
from linclass import losses as _losses
from linclass.explore.frame import Explorable, Panel

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
