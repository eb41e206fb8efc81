"""The linear support vector machine: near an interior point, sharpened by crossover, certified on the data as given."""

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
LOOKED_AT = 100  # rows of which the median is taken: chosen; it need not be exact


def solve(X, y, w, lam, offset):
    """(certificate, steps, history) of the linear machine, the gap with all rounding counted in."""
    bracket, data, certificates = Bracket(X, y, w, lam, offset), duality.Rows(X, y, w), []
    for solve in SOLVERS:
        bracket.narrow(solve)
        certificates.append(duality.certified(bracket.thetas, bracket.duals, data, lam, offset))
        if certificates[-1].gap <= GAP and (bracket.gap <= FINE or len(certificates) > 1):
            break
    best = min(certificates, key=lambda certificate: certificate.gap)
    return best, bracket.steps, np.append(bracket.history[:-1], best.upper)


def bracketed(X, y, w, lam, offset):
    """A bracket that is fine, or as fine as the solvers make it."""
    bracket = Bracket(X, y, w, lam, offset)
    for solve in SOLVERS:
        bracket.narrow(solve)
        if bracket.gap <= FINE:
            break
    return bracket


class Bracket:
    """Parameters and multipliers met so far, the best first: least risks and greatest lower bounds, as computed."""

    def __init__(self, X, y, w, lam, offset):
        # With an offset a shift of the inputs changes theta_0 only, and numbers near 0 lose fewer digits; a row far out
        # does not move the median.
        self.X = X - np.median(X[:: -(-len(X) // LOOKED_AT)], axis=0) if offset else X
        self.y, self.w, self.lam, self.offset = y, w, lam, offset
        self.C = w * np.full(len(y), conventions.C_from_lam(lam, len(y)))
        at_zero = 2 * min((w * (y > 0)).mean(), (w * (y < 0)).mean()) if offset else 1.0
        self.points, self.bounds = [(at_zero, np.zeros(X.shape[1]))], [(0.0, np.zeros(len(y)))]
        self.steps, self.history = 0, []

    @property
    def thetas(self):
        """The parameters without their offset, least risk first."""
        return [theta for _, theta in self.points]

    @property
    def duals(self):
        """The multipliers, greatest bound first."""
        return [dual for _, dual in self.bounds]

    @property
    def gap(self):
        """The relative gap between the least risk and the greatest bound."""
        least, most = min(value for value, _ in self.points), max(value for value, _ in self.bounds)
        return (least - most) / least

    def narrow(self, solve):
        """Add what is met near the interior point that `solve` finds."""
        try:
            *point, steps = solve(self.X, self.y, self.C, self.offset)
            self.steps += steps
            for theta, alpha in crossover.candidates(*point, self.X, self.y, self.C, self.offset):
                self.points.append((self._risk(theta), theta))
                self.bounds.append((self._bound(alpha), alpha * self.y + 0.0))  # no -0
                if self.gap <= FINE:
                    break
        except np.linalg.LinAlgError:  # no decomposition of numbers so far apart
            pass
        self.points = sorted((pair for pair in self.points if np.isfinite(pair[1]).all()), key=lambda pair: pair[0])
        self.bounds = sorted((pair for pair in self.bounds if np.isfinite(pair[1]).all()), key=lambda pair: -pair[0])
        self.history.append(self.points[0][0])

    def _risk(self, theta):
        """The risk of theta with its best offset, but for slacks that rounding leaves on the margin."""
        s = self.X @ theta
        z = self.y * (s + best_offset(s, self.y, self.w)) if self.offset else self.y * s
        return (self.w * np.where(z < 1 - ON_MARGIN, 1.0 - z, 0.0)).mean() + self.lam / 2 * theta @ theta

    def _bound(self, alpha):
        """lam times the dual objective, without the Gram matrix: alpha' K alpha = |X' alpha|^2."""
        span = self.X.T @ alpha
        return self.lam * (alpha @ self.y - span @ span / 2)
