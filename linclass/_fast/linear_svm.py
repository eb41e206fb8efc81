"""The linear support vector machine: near an interior point, sharpened by crossover, certified on the data as given."""

import contextlib
import functools

import numpy as np

from linclass import conventions
from linclass._fast import crossover, duality, interior_point, screening
from linclass.svm import GAP, best_offset

SOLVERS = (  # the next if one falls short
    screening.solve,
    functools.partial(interior_point.solve, careful=True),
    functools.partial(interior_point.solve, careful=True, even=True),
)
FINE = 1e-11  # the relative gap, as computed without its rounding, at which they stop: chosen, well below GAP
ON_MARGIN = 1e-13  # a slack up to this is taken as rounding: chosen, some hundred eps
MANY = 500  # columns from which digits that no certificate needs would cost too much: chosen
LOOKED_AT = 100  # rows of which the median is taken: chosen; it need not be exact


def solve(X, y, w, lam, offset):
    """(certificate, steps, history) of the linear machine, the gap with all rounding counted in."""
    data, C = duality.Rows(X, y, w), w * np.full(len(y), conventions.C_from_lam(lam, len(y)))
    # With an offset a shift of the inputs changes theta_0 only, and numbers near 0 lose fewer digits; a row far out
    # does not move the median.
    near = X - np.median(X[:: -(-len(X) // LOOKED_AT)], axis=0) if offset else X
    met, certificates, steps, history = [(np.zeros(X.shape[1]), np.zeros(len(y)))], [], 0, []
    risks, bounds = [2 * min((w * (y > 0)).mean(), (w * (y < 0)).mean()) if offset else 1.0], [0.0]
    for solver in SOLVERS:
        with contextlib.suppress(np.linalg.LinAlgError):  # no decomposition of numbers so far apart
            *point, more = solver(near, y, C, offset)
            steps += more
            for theta, alpha in crossover.candidates(*point, near, y, C, offset):
                if not (np.isfinite(theta).all() and np.isfinite(alpha).all()):
                    continue
                met.append((theta, alpha * y + 0.0))  # no -0
                risks.append(_risk(theta, near, y, w, lam, offset))
                bounds.append(_bound(alpha, near, y, lam))
                if _gap(risks, bounds) <= FINE:
                    break
        thetas = [met[i][0] for i in np.argsort(risks)]
        duals = [met[i][1] for i in np.argsort(np.negative(bounds))]
        certificates.append(duality.certified(thetas, duals, data, lam, offset))
        history.append(min(risks))
        if certificates[-1].gap <= GAP and (_gap(risks, bounds) <= FINE or len(history) > 1 or X.shape[1] >= MANY):
            break
    best = min(certificates, key=lambda certificate: certificate.gap)
    return best, steps, np.append(history[:-1], best.upper)


def _risk(theta, X, y, w, lam, offset):
    """The risk of theta with its best offset, but for slacks that rounding leaves on the margin."""
    s = X @ theta
    z = y * (s + best_offset(s, y, w)) if offset else y * s
    return (w * np.where(z < 1 - ON_MARGIN, 1.0 - z, 0.0)).mean() + lam / 2 * theta @ theta


def _bound(alpha, X, y, lam):
    """lam times the dual objective, without the Gram matrix: alpha' K alpha = |X' alpha|^2."""
    span = X.T @ alpha
    return lam * (alpha @ y - span @ span / 2)


def _gap(risks, bounds):
    """The relative gap between the least risk and the greatest bound, as computed."""
    return (min(risks) - max(bounds)) / min(risks)
