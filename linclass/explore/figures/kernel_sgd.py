"""The figure of kernel SGD: two updates that look alike, on the same draws, beside the exact minimum."""

from functools import partial

import numpy as np

from linclass import _checks, descent, kernels, losses, representer
from linclass.explore.frame import Explorable, Panel, decades, tidy

LAMS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)  # penalties to choose from
STEPS, SHOWN = 400, 60  # steps at most, and of the picture shown first
SCALE = 0.5  # steps in coefficient space are SCALE / sqrt(t), those of the functional form 1 / (lam (t + 1))
FLOOR, CEILING = -4, 3  # powers of ten between which the risk above its minimum is drawn
HEIGHT = 3.0  # of the scores that are drawn, either way
HINT = (
    "Add steps and choose λ: both forms see the same examples in the same order. The exact score is what both "
    "are looking for; drag the open circle along to read both scores."
)
QUESTION = "Before you slide λ: which of the two overshoots when λ is small, and which when it is large?"
SEE = (
    "The functional form overshoots at a small λ, where its first step is 1/(2λ) long, and soon comes back. The "
    "coefficient form does at a large λ, where mλ makes its steps too long."
)


def kernel_sgd(x, y, tau=0.5, lam=0.01):
    """Kernel SGD on examples with one input, hinge loss: in coefficient space and by the functional gradient.

    `lam` is one of 0.001, 0.003, …, 0.3 and 1.0. Each exact minimum is `fit_kernel_svm`'s, rounded to six digits.
    Try: at which end of lambda does each of the two overshoot?
    """
    x = _checks.vector("x", x, finite=True)
    y, tau = _checks.signs("y", y, len(x), both=True), _checks.positive("tau", tau)
    _checks.choice("lam", str(lam), tuple(map(str, LAMS)))
    kernel = partial(kernels.rbf_kernel, tau=tau)
    fits = [representer.fit_kernel_svm(x[:, None], y, kernel, lam=one, offset=False) for one in LAMS]
    exact = np.array([tidy(fit.model.alpha) for fit in fits])
    least = np.array([float(f"{fit.history[-1]:.9g}") for fit in fits])
    draws = np.random.default_rng(0).integers(len(x), size=STEPS)
    k = LAMS.index(lam)
    alphas, above = both_walks(kernel(x[:, None], x[:, None]), y, lam, draws[:SHOWN], least[k])
    panels = _scores(x, y, tau, alphas, exact[k]), _risks(above)
    data = {"x": x, "y": y, "tau": tau, "lams": LAMS, "k": k, "draws": draws, "exact": exact, "least": least}
    data |= {"steps": SHOWN, "scale": SCALE, "floor": FLOOR, "ceiling": CEILING, "probe": float(np.round(x.mean(), 2))}
    return Explorable("kernel_sgd", data, panels, HINT, QUESTION, SEE)


def both_walks(K, y, lam, draws, least):
    """(coefficients at the end, powers of ten of the risk above its minimum at each step) of the two forms, from 0."""
    hinge = losses.on_scores(losses.HINGE)
    forms = {
        representer.kernel_sgd_step: descent.inverse_sqrt_step(SCALE),
        representer.functional_step: descent.inverse_step(1 / lam, 1.0),
    }
    ends, above = [], []
    for step, eta in forms.items():
        alpha, heights = np.zeros(len(y)), []
        for t, i in enumerate([None, *draws]):
            alpha = step(alpha, i, K, y, hinge, lam, eta(t)) if t else alpha
            excess = max(representer.kernel_risk(alpha, K, y, hinge, lam) - least, 10.0**FLOOR)
            heights.append(min(np.log10(excess), CEILING))
        ends.append(alpha)
        above.append(heights)
    return ends, above


def _scores(x, y, tau, alphas, exact):
    """The two scores over the line, and the exact one."""
    span = (x.min() - 2 * tau, x.max() + 2 * tau)
    panel = Panel(span, (-HEIGHT, HEIGHT), ("x", "f(x)"), f"{len(y)} examples on a line and three scores over it.")
    panel.legend(("n dash", "coefficient"), ("acc", "functional"), ("dash", "exact"), top=160.0)
    for alpha, cls in ((exact, "dash"), (alphas[0], "n dash"), (alphas[1], "acc")):
        panel.curve(lambda u, alpha=alpha: kernels.rbf_kernel(u[:, None], x[:, None], tau) @ alpha, cls)
    panel.points(np.column_stack([x, y]), y)
    panel.mark(float(np.round(x.mean(), 2)), 0, "knob")
    return panel


def _risks(above):
    """The risk above its minimum, step by step."""
    panel = Panel(
        (0, STEPS),
        (FLOOR, CEILING),
        ("steps", "risk above its minimum"),
        f"The risk above its minimum over {SHOWN} steps of SGD in coefficient space and by the functional gradient.",
        ticks=(None, decades(FLOOR, CEILING)),
    )
    panel.legend(("n dash", "coefficient"), ("acc", "functional"), left=150.0)
    for heights, cls in zip(above, ("n dash", "acc"), strict=True):
        panel.path(list(enumerate(heights)), cls)
    return panel
