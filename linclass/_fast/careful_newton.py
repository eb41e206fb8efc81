"""What logistic and softmax share where columns nearly coincide, rows are huge or a minimum may lie at infinity.

Newton's method in `coordinates` in which curvature is round; then the certificate, from the parameters returned and the
data given. Where it does not hold, what is said of it: separable data, columns that cannot be told apart in double
precision, or rounding.
"""

import functools
from dataclasses import dataclass

import numpy as np

from linclass import _checks, newton, risk, separability
from linclass._fast import certificates, coordinates, precise
from linclass.fit import SEPARABLE, UNPROVED
from linclass.newton import ABSOLUTE, near_enough

MAX_STEPS = 1000  # one far outlier is left behind at one unit of its margin a step
NOTHING_LEFT = 1e-28  # a decrement beside the value that is the square of rounding
FRAMES = 6  # times that the coordinates are made anew, for the curvature where the last ones led
SHARE = 0.1  # of the largest: what takes part in a direction
TINY, HUGE = 1e-300, 1e150  # beyond them nothing is left to compare
PATIENCE = 20  # steps after which neither value nor decrement has fallen
SHORTEST = 1e-9  # a step, in full ones: no shorter one has ever led on


def minimise(value, grad, hess, start):
    """(point, values on the way): Newton's method, then on, down to rounding.

    Near a minimum a full step squares the error, also where the value no longer shows it. And a small decrement need
    not mean near: where one huge row has most of the curvature, it is small until that row is far beyond the margin.
    """
    found = newton.newton(value, grad, hess, start, max_steps=MAX_STEPS)
    point, history, best, idle = found.point, list(found.history), np.inf, 0
    while len(history) < MAX_STEPS and idle < PATIENCE:
        g = grad(point)
        step = newton.newton_step(g, hess(point))
        left = float(-g @ step)
        if not left > NOTHING_LEFT * history[-1]:
            break
        idle, best = (0, left) if left < best / 2 else (idle + 1, best)
        t = 1.0
        while not value(point + t * step) <= history[-1] * (1 + 4 * precise.EPS):
            t /= 2
            if t < SHORTEST:
                return point, history
        point = point + t * step
        history.append(value(point))
        idle = 0 if history[-1] < history[-2] * (1 - 4 * precise.EPS) else idle
    return point, history


def penalised(value, grad, hess, P, k):
    """The problem plus |U P'|^2 / 2, the penalty on theta in the coordinates of a frame; U has a row for each of k."""
    square = P.T @ P

    def shrunk(u):
        return (u.reshape(k, -1) @ square).ravel()

    return (
        lambda u: value(u) + float(u @ shrunk(u)) / 2,
        lambda u: grad(u) + shrunk(u),
        lambda u: hess(u) + np.kron(np.eye(k), square),
    )


@dataclass(frozen=True)
class Found:
    """Parameters and what proves them."""

    W: np.ndarray  # a row (theta, theta_0) for each class, or one row for two
    history: list
    trouble: str | None  # what is wrong; None means certified
    frame: coordinates.Frame
    H: np.ndarray  # the Hessian in that frame


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def fit(rows, lam, offset, k, problem):
    """What is `Found` for k classes (1 for two); problem(rows) looks at the mean loss of rows that need no offset."""
    W, history, curvatures, best = np.zeros((k, rows.d + offset)), [], None, (np.inf,)
    first = None
    for _ in range(FRAMES):
        try:
            frame = coordinates.of(rows, lam, offset, curvatures)
            first = first or frame
            if frame.null.shape[1] > first.null.shape[1]:  # the curvature has faded: on the way to infinity
                break
            u, more = np.zeros(0), [np.log(max(k, 2))]  # where no column varies
            if frame.M.shape[1]:
                look = functools.partial(problem(frame.inside(rows)), hess=True)
                task = penalised(*risk.in_three(look), np.sqrt(lam) * frame.on_theta(), k)
                u, more = minimise(*task, frame.coordinates(W).ravel())
        except np.linalg.LinAlgError:  # likewise
            break
        history = [*history[:-1], *more]
        theta, theta_0 = frame.parameters(u.reshape(k, -1))
        there = np.column_stack([theta, theta_0])[:, : rows.d + offset]
        W = there if np.isfinite(there).all() else W
        bound, W, evidence = certificates.proved(rows, W, frame, lam, more[-1])
        if len(best) == 1 or (bound, evidence.value) < (best[0], best[2].value):
            best = bound, W, evidence
        if bound <= near_enough(evidence.value) or (lam == 0 and more[-1] < rows.no_mistake):
            break
        curvatures = functools.partial(certificates.curvatures, W)
    if len(best) == 1:
        _checks.fail("X", "small enough for differences of its entries to be doubles", "numbers near the largest")
    bound, W, evidence = best
    history[-1], frame = evidence.value, evidence.frame
    if lam == 0 and evidence.value < rows.no_mistake:  # then every margin is positive, and there is no minimum
        bound = np.inf
    # What was left out must have no part in any score, nor in the penalty. As many directions as rows say all.
    blurred = [c for c in coordinates.combinations(first.null, rows) if lam > 0 or not c[2]]
    if blurred and (evidence.value > ABSOLUTE if lam > 0 else first.M.shape[1] < rows.n):
        return Found(W, history, _combination(*blurred[0][:2], evidence.sizes), frame, evidence.H)
    trouble = None if bound <= near_enough(evidence.value) else _rounding(evidence, rows.d)
    return Found(W, history, trouble, frame, evidence.H)


def _combination(column, coefficients, sizes):
    """Words for a column that cannot be told from a combination of others."""
    if sizes[column] < 1 / coordinates.LARGEST:
        return f"column {column} is so small that its coefficient would be no number: rescale it, or take lam > 0"
    others = _names([j for j in np.flatnonzero(coefficients) if j != column], len(sizes))
    return (
        f"column {column} is a combination of {others} but for rounding, which leaves its coefficient open: "
        "drop it, or take a larger lam"
    )


def _rounding(evidence, d):
    """Words for a minimum that rounding hides, with the columns in whose direction it hides most."""
    M, scale = evidence.frame.parameter_map(), np.sqrt(np.maximum(evidence.H.diagonal(), TINY))
    worst = np.argmax(np.minimum(np.nan_to_num(evidence.noise, nan=np.inf), HUGE) / scale)
    direction = M[:, worst % M.shape[1]]
    share = np.abs(direction) * np.append(evidence.sizes, 1.0)[: len(direction)]
    columns = _names(np.flatnonzero(share >= SHARE * share.max()), d)
    return (
        f"double precision does not reach the minimum: the digits of {columns} run out, because columns nearly agree "
        "or a few rows are huge; take differences of such columns, look at the largest rows, or take a larger lam"
    )


def _names(columns, d):
    """Columns in words; the last of all is the offset's."""
    words = [f"column {j}" if j < d else "the offset" for j in columns[:4]]
    words += ["others"] if len(columns) > 4 else []
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def separable(separates, signed_rows, trouble):
    """What to say at lam = 0 of a fit without a certificate: that the data are separable, or what is the `trouble`.

    `separates`: every margin of the answer is positive, which proves complete separation (and holds wherever
    the risk is below `rows.no_mistake`). Else a linear program on `signed_rows()` decides; without them nothing does.

    Book: thm-separable-no-maximiser, thm-ln2-separates.
    """
    if separates:
        return SEPARABLE.format("completely")
    if signed_rows is None:
        return UNPROVED
    try:
        kind, _, _ = separability.separate_rows(signed_rows())
    except ImportError:
        return (
            "nothing proves that the likelihood has a maximiser: the data may be separable; install SciPy to be sure, "
            "or take lam > 0"
        )
    except ArithmeticError:
        return f"{trouble}; nor can double precision tell whether the data are separable"
    return {"strict": SEPARABLE.format("completely"), "quasi": SEPARABLE.format("quasi-completely")}.get(kind, trouble)
