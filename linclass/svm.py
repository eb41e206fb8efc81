"""The support vector machine: the hinge loss with a penalty, its slack form, its dual, and a certified minimum.

    risk(theta, theta_0) = 1/n sum_t max(0, 1 - y_t (theta . x_t + theta_0)) + lam/2 |theta|^2

With C = 1 / (n lam) this is lam times the slack form 1/2 |theta|^2 + C sum xi, xi_t = max(0, 1 - z_t). The dual is

    maximise sum dual - 1/2 |sum_t dual_t y_t x_t|^2   over 0 <= dual <= C, and sum dual y = 0 with an offset

Every dual point bounds every risk from below, so the gap between the two certifies the answer. At the optimum
theta = sum dual y x, and dual_t is 0 where z_t > 1, C where z_t < 1, and anything between on the margin z_t = 1.
"""

import functools
from dataclasses import dataclass

import numpy as np

from linclass import _checks, _plug, _rows, conventions, kernels, losses, margins, risk
from linclass._checks import takes
from linclass._fast import dual_points, duality, interior_point, screening
from linclass._fast.dual_points import best_offset
from linclass._fast.duality import GAP
from linclass.fit import Fit
from linclass.margins import LinearClassifier

__all__ = ["SVMFit", "dual_objective", "fit_svm", "margin_width", "quadratic_program", "slacks"]

WAYS = (  # the next if one falls short
    screening.solve,
    functools.partial(interior_point.solve, careful=True),
    functools.partial(interior_point.solve, careful=True, even=True),
)
FINE = 1e-11  # the gap, as computed without its rounding, at which the solver stops
QUIET = np.errstate(all="ignore")  # numbers that leave the doubles on the way: the certificate tells what they led to


@dataclass(frozen=True)
class SVMFit(Fit):
    """A fitted support vector machine."""

    dual: np.ndarray  # the multipliers, in [0, C]
    gap: float  # no parameters have a risk lower than this one's by more than this fraction, rounding counted in
    support: np.ndarray  # the examples with a multiplier above 0, without those so small that they do not count


def slacks(theta, theta_0, X, y):
    """xi = max(0, 1 - z): 0 on the safe side, up to 1 inside the margin, above
    1 on the wrong side.

    Book: eq-slack.
    """
    return losses.hinge_loss(margins.margins(theta, theta_0, X, y))


@takes(theta="d finite nonzero")
def margin_width(theta):
    """2 / |theta|: the distance between the lines of score -1 and +1.

    Book: eq-margin-width.
    """
    return 2.0 / float(np.linalg.norm(theta))


@takes(K="m m", dual="m", y="m signs")
def dual_objective(dual, K, y):
    """sum dual - 1/2 (dual y)' K (dual y), with K the Gram matrix of the
    examples.

    Book: eq-svm-dual.
    """
    alpha = dual * y
    return float(dual.sum() - alpha @ K @ alpha / 2)


def quadratic_program(X, y, C):
    """The slack form in standard form: H, c, A, b of  minimise 1/2 v' H v + c . v  subject to  A v <= b.

    v = (theta, theta_0, xi) has d + 1 + n entries; the 2n rows of A say 1 - xi_t <= z_t, then xi_t >= 0.

    Book: eq-slack-program, eq-quadratic-program.
    """
    X, y = _checks.examples(X, y)
    n, d = X.shape
    H = np.diag(np.concatenate([np.ones(d), np.zeros(1 + n)]))
    c = np.concatenate([np.zeros(d + 1), np.full(n, _checks.positive("C", C))])
    margin_rows = np.column_stack([-y[:, None] * X, -y, -np.eye(n)])
    slack_rows = np.column_stack([np.zeros((n, d + 1)), -np.eye(n)])
    return H, c, np.vstack([margin_rows, slack_rows]), np.concatenate([-np.ones(n), np.zeros(n)])


@QUIET
def fit_svm(X, y=None, *, lam, offset=True):
    """Minimise the mean hinge loss plus lam/2 |theta|^2, to a relative duality gap of 1e-8.

    `converged` says that the gap is that small for the parameters and multipliers returned, on the data as given, with
    all rounding counted in; the solver goes on to 1e-11 where it can. theta is the only minimiser; theta_0 need not be,
    and the middle of its range is returned. `history` is the risk after each round of the solver, the last one an upper
    bound that the gap refers to. Multipliers are doubles, and eps = 2.2e-16 of them leaves sum dual y x uncertain: that
    opens the gap by up to eps^2 mean |x|^2 / (2 lam), since dual <= 1 / (n lam). Inputs beyond 6e11 sqrt(lam) are
    certified only if the multipliers stay well below that bound, equal columns beyond 2e9 sqrt(lam) not always.

    Book: eq-slack-program.
    """
    instead = "take descent.fit_sgd with losses.HINGE, which reads them block by block, or fit a sample of the rows"
    _rows.needed_at_once(X, y, "fit_svm, with a multiplier for each,", instead)
    X, y = _checks.examples(X, y)
    lam, offset = _checks.positive("lam", lam), bool(offset)
    _check_sizes(X, lam)
    data, rounds = duality.Rows(X, y), []
    for found in minimise(X, y, lam, offset):
        least, most = duality.certified(found.thetas, found.duals, data, lam, offset)
        rounds.append((duality.relative_gap(least[0], most[0]), least, most))
        if rounds[-1][0] <= GAP and (found.gap <= FINE or len(rounds) > 1):
            break
    _, (upper, theta, theta_0), (lower, dual) = min(rounds, key=lambda best: best[0])
    if _plug.replaced:
        upper = max(upper, risk.risk(theta, theta_0, X, y, losses.HINGE, lam))
        lower = min(lower, lam * by_formula(dual, kernels.linear_kernel(X, X), y))
    return answer(LinearClassifier(theta, theta_0), dual, upper, lower, found.steps, found.history)


def _check_sizes(X, lam):
    """Raise where X / lam, about the size of X' dual, has a square near the ends of what a double can hold."""
    with np.errstate(over="ignore"):
        square = np.vdot(X, X) / lam / lam
    if not (square < 1e280 and 1e-280 < lam < 1e280):
        _checks.fail("lam", "of a size that suits the squares of X: rescale X", f"{lam}, |X|^2 / lam^2 = {square:.0e}")


def by_formula(dual, K, y):
    """The dual objective, with what rounding may have taken off it."""
    return dual_objective(dual, K, y) + len(y) * np.finfo(float).eps * (dual @ np.sqrt(np.diag(K))) ** 2


def answer(model, dual, upper, lower, steps, history):
    """The fit, converged if the relative gap between the two bounds is at most 1e-8."""
    gap = duality.relative_gap(upper, lower)
    converged = gap <= GAP
    message = f"the relative duality gap is {gap:.1e}" + ("" if converged else ": rescale the inputs or raise lam")
    history = np.append(history[:-1], upper)
    return SVMFit(model, converged, steps, history, message, dual, gap, np.flatnonzero(dual))


@dataclass(frozen=True)
class Found:
    """Parameters and multipliers met, the best first, and the relative gap between these, as computed."""

    thetas: list
    duals: list
    gap: float
    steps: int
    history: list


def minimise(X, y, lam, offset):
    """What is found near an interior point after screening, then what is found near careful ones as well."""
    C = conventions.C_from_lam(lam, len(y))
    # With an offset a shift of the inputs changes theta_0 only, and numbers near 0 lose fewer digits; a row far out
    # does not move the median. Every k-th row is enough for that.
    X = X - np.median(X[:: -(-len(X) // 100)], axis=0) if offset else X
    at_zero = 2 * min((y > 0).mean(), (y < 0).mean()) if offset else 1.0
    points, bounds = [(at_zero, np.zeros(X.shape[1]))], [(0.0, np.zeros(len(y)))]
    steps, history = 0, []
    for solve in WAYS:
        try:
            *point, more = solve(X, y, C, offset)
            steps += more
            for theta, alpha in _candidates(*point, X, y, C, offset):
                points.append((_risk(theta, X, y, lam, offset), theta))
                bounds.append((_bound(alpha, X, y, lam), alpha * y + 0.0))  # no -0
                if _gap(points, bounds) <= FINE:
                    break
        except np.linalg.LinAlgError:  # no decomposition of numbers so far apart
            pass
        points = sorted((pair for pair in points if np.isfinite(pair[1]).all()), key=lambda pair: pair[0])
        bounds = sorted((pair for pair in bounds if np.isfinite(pair[1]).all()), key=lambda pair: -pair[0])
        history.append(points[0][0])
        yield Found([theta for _, theta in points], [dual for _, dual in bounds], _gap(points, bounds), steps, history)


def _gap(points, bounds):
    """The relative gap between the least risk and the greatest bound."""
    least, most = min(value for value, _ in points), max(value for value, _ in bounds)
    return (least - most) / least


def _candidates(w, a, s, xi, X, y, C, offset):
    """Pairs (theta, alpha) made of an interior point, the most exact first.

    Where a multiplier and its slack tell clearly which is 0, it is set to 0 or C; the free ones are then sharpened.
    """
    d = X.shape[1]
    none = a * dual_points.far_out(X) < a.max() * s
    alpha = dual_points.feasible(np.where(none, 0.0, np.where(C - a < C * xi, C, a)) * y, y, C, offset, X)
    free = np.flatnonzero((alpha * y > 0) & (alpha * y < C))
    if 0 < len(free) <= 1000:
        on_margin, sharp = dual_points.newton_on_free(w, alpha, y, C, free, X, offset)
        for _ in range(2):
            yield on_margin[:d], sharp
            on_margin, sharp = dual_points.newton_on_free(on_margin, sharp, y, C, free, X, offset)
        yield X.T @ sharp, sharp
    yield w[:d], alpha
    yield w[:d], dual_points.feasible(a * y, y, C, offset, X)


def _risk(theta, X, y, lam, offset):
    """The risk of theta with its best offset, as computed, but for slacks that rounding leaves on the margin."""
    s = X @ theta
    z = y * (s + best_offset(s, y)) if offset else y * s
    return np.where(z < 1 - 1e-13, 1.0 - z, 0.0).mean() + lam / 2 * theta @ theta


def _bound(alpha, X, y, lam):
    """lam times the dual objective, without the Gram matrix: alpha' K alpha = |X' alpha|^2."""
    span = X.T @ alpha
    return lam * (alpha @ y - span @ span / 2)
