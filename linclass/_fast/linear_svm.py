"""The linear support vector machine: near an interior point, sharpened, and certified on the data as given."""

import functools
from dataclasses import dataclass

import numpy as np

from linclass import _checks, conventions
from linclass._fast import crossover, duality, interior_point, screening
from linclass.margins import LinearClassifier
from linclass.svm import GAP, SVMFit, best_offset

WAYS = (  # the next if one falls short
    screening.solve,
    functools.partial(interior_point.solve, careful=True),
    functools.partial(interior_point.solve, careful=True, even=True),
)
FINE = 1e-11  # the gap, as computed without its rounding, at which the solver stops


def fit_svm(X, y, *, lam, offset):
    """`svm.fit_svm`, and the gap has all rounding counted in."""
    _check_sizes(X, lam)
    data, rounds = duality.Rows(X, y), []
    for found in minimise(X, y, lam, offset):
        least, most = duality.certified(found.thetas, found.duals, data, lam, offset)
        rounds.append((duality.relative_gap(least[0], most[0]), least, most))
        if rounds[-1][0] <= GAP and (found.gap <= FINE or len(rounds) > 1):
            break
    gap, (upper, theta, theta_0), (_, dual) = min(rounds, key=lambda best: best[0])
    history = np.append(found.history[:-1], upper)
    return SVMFit.certified(LinearClassifier(theta, theta_0), dual, gap, found.steps, history)


def _check_sizes(X, lam):
    """Raise where X / lam, about the size of X' dual, has a square near the ends of what a double can hold."""
    with np.errstate(over="ignore"):
        square = np.vdot(X, X) / lam / lam
    if not (square < 1e280 and 1e-280 < lam < 1e280):
        _checks.fail("lam", "of a size that suits the squares of X: rescale X", f"{lam}, |X|^2 / lam^2 = {square:.0e}")


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
            for theta, alpha in crossover.candidates(*point, X, y, C, offset):
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


def _risk(theta, X, y, lam, offset):
    """The risk of theta with its best offset, as computed, but for slacks that rounding leaves on the margin."""
    s = X @ theta
    z = y * (s + best_offset(s, y)) if offset else y * s
    return np.where(z < 1 - 1e-13, 1.0 - z, 0.0).mean() + lam / 2 * theta @ theta


def _bound(alpha, X, y, lam):
    """lam times the dual objective, without the Gram matrix: alpha' K alpha = |X' alpha|^2."""
    span = X.T @ alpha
    return lam * (alpha @ y - span @ span / 2)
