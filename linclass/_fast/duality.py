"""Certificates of the learners with a penalty: an upper bound of the risk of the parameters that are returned, and a
lower bound of every risk from a point of the dual, on the data as given and with all rounding counted in.

For multipliers dual in [0, w / (n lam)], with weights w of mean 1, and alpha = dual y, every (theta, theta_0) has a
hinge risk of at least

    lam (sum dual - theta . X' alpha - theta_0 sum alpha + 1/2 |theta|^2)
        >= lam (sum dual - 1/2 |X' alpha|^2 - |theta_0| |sum alpha|)

since w max(0, 1 - z) >= n lam dual (1 - z). For pulls p = n lam dual / w of the logistic loss the mean entropy of p
stands in place of lam sum dual. Doubles seldom sum to exactly 0, so the last term stays, with a bound on the best
theta_0: a risk R leaves no loss above n R / w and |theta| <= B = sqrt(2 R / lam), so for one example x_p of each class
|theta_0| <= 1 + n R / w_p + B |x_p|. The origin may be moved for that, to halfway between the two examples.
"""

import functools
from typing import NamedTuple

import numpy as np

from linclass import losses
from linclass._checks import is_sparse
from linclass._fast import precise
from linclass._fast.dual_points import balance
from linclass._rows.in_memory import part_of
from linclass.svm import GAP, best_offset

EPS = np.finfo(float).eps
TINY = np.finfo(float).smallest_subnormal  # a product that leaves the doubles at their lower end is off by up to this
REACHES = 1e-13, 1e-11, 3e-9  # how far below 1 a margin may be raised: chosen; the last still leaves a gap below GAP
ROUNDED_UP = 1 + 1e-9  # covers the rounding of a bound on theta_0: a dozen roundings, which need far less
NONE = 1e-300  # stands for 0 in a logarithm or a quotient: 0 log 0 = 0 to all digits
FINE_STEPS = 1e-3  # a coordinate of the centre below this share of the largest is left as it is: chosen
PAIRED = 8  # examples of each class among which the nearest pair is looked for: chosen
BLOCK = 2**14  # numbers at a time, 128 KiB: chosen, what a cache holds


class Certificate(NamedTuple):
    """A risk, or a little more, of the parameters w and theta_0; and what no risk is below, by the multipliers dual."""

    upper: float
    w: np.ndarray
    theta_0: float
    lower: float
    dual: np.ndarray

    @property
    def gap(self):
        """The relative gap between the two."""
        return relative_gap(self.upper, self.lower)


def relative_gap(upper, lower):
    """(upper - lower) / upper; infinite if it is negative, which two true bounds never give, or not a number."""
    gap = (upper - lower) / upper if upper > 0 else np.inf
    return float(gap) if gap >= 0 else np.inf


class Rows:
    """Scores X theta + theta_0 and lengths |theta|, |X' alpha| of the examples as they are, with their rounding."""

    def __init__(self, X, y, w=1.0):
        self.X, self.y, self.w, self.sparse = X, y, w, is_sparse(X)
        self.terms = int(np.diff(X.indptr).max()) if self.sparse else X.shape[1]  # of a score, at most
        squares = (X * X).sum(axis=1) if self.sparse else np.einsum("ij,ij->i", X, X)
        self.length = np.sqrt(squares + self.terms * TINY) * (1 + self.terms * EPS)

    @functools.cached_property
    def origin(self):
        """Halfway between two examples, one of each class; how far off they are; n / w of the lighter one."""
        some = [heavy(label, self.y, self.w)[: 1 if self.sparse else PAIRED] for label in (1.0, -1.0)]
        ends = [(self.X[few].toarray() if self.sparse else self.X[few]) / 2 for few in some]
        apart = np.linalg.norm(ends[0][:, None] - ends[1], axis=2)
        p, q = np.unravel_index(apart.argmin(), apart.shape)
        pair = np.array([ends[0][p], ends[1][q]])
        reach = np.linalg.norm(2 * pair - pair.sum(axis=0), axis=1).max()
        return pair.sum(axis=0), reach, len(self.y) / np.min(part_of(self.w, [some[0][p], some[1][q]]))

    def scores(self, theta, theta_0, long):
        """(scores, a bound on their rounding); with `long`, by products of double length, but of sparse rows."""
        if long and not self.sparse:
            s, rounding = precise.long_product(
                np.column_stack([self.X, np.ones(len(self.X))]), np.append(theta, theta_0)
            )
            return s, rounding + 4 * len(theta) * TINY
        s = self.X @ theta + theta_0
        size = self.length * np.linalg.norm(theta)  # at least the sum of the sizes of the terms of each score
        return s, (self.terms + 2) * EPS * size + EPS * (np.abs(s) + abs(theta_0)) + self.terms * TINY

    def square(self, theta, long):
        """At least |theta|^2."""
        return theta @ theta * (1 + (len(theta) + 4) * EPS) + len(theta) * TINY

    def span_square(self, alpha, total, slip, long):
        """At least |X' alpha - centre sum alpha|^2, the sum being within `slip` of `total`."""
        if long and not self.sparse:
            span, roundings = precise.long_product(self.X.T, alpha)
            rounding = np.linalg.norm(roundings)
        else:
            span, count = by_blocks(alpha, self.X)
            rounding = count * EPS * (np.abs(alpha) @ self.length)
        centre = self.origin[0] if total or slip else 0.0
        moved, size = span - centre * total, np.linalg.norm(centre)
        rounding += (
            size * slip + EPS * (np.linalg.norm(span) + 2 * size * abs(total)) + 4 * alpha.size * span.size * TINY
        )
        return (np.linalg.norm(moved) + rounding) ** 2 * (1 + (len(span) + 8) * EPS) + 8 * TINY

    def shifted(self, theta, shift):
        """theta with scores moved by `shift` at the centre, in the entry with the finest steps for that.

        Far from the origin the digits of theta_0 are too coarse; those of a small entry of theta may do.
        """
        theta, centre = theta.copy(), self.origin[0]
        step = np.spacing(theta) * np.abs(centre)
        j = np.where(np.abs(centre) >= FINE_STEPS * np.abs(centre).max(), np.abs(step), np.inf).argmin()
        theta[j] += shift / centre[j] if centre[j] else 0.0
        return theta


class Gram:
    """The same for functions sum_i alpha_i K(x_i, .): scores K alpha + theta_0 and lengths alpha' K alpha.

    The entries of K are taken to be off by up to ENTRY sqrt(K_ii K_jj): what is certified holds for every positive
    semidefinite matrix so near to K, and coefficients so large that this hides their scores are not certified.
    """

    ENTRY = EPS  # two roundings; assumed, as a kernel may be any function

    def __init__(self, K, y, w=1.0):
        self.K, self.y, self.w, self.root, self.seen = K, y, w, np.sqrt(K.diagonal()), {}
        some = [heavy(label, y, w) for label in (1.0, -1.0)]
        chosen = [few[self.root[few].argmin()] for few in some]
        self.origin = 0.0, self.root[chosen].max(), len(y) / np.min(part_of(w, chosen))

    def products(self, alpha, long):
        """(K alpha, a bound on its rounding), kept: parameters and multipliers are most often the same."""
        key = (alpha + 0.0).tobytes(), long  # -0.0 and 0.0 are the same
        if key not in self.seen:
            sizes = self.root * (self.root @ np.abs(alpha))  # of the terms of each, at least
            if long:
                f, rounding = precise.long_product(self.K, alpha)
            else:
                f, roundings = by_blocks(alpha, self.K)
                rounding = roundings * EPS * sizes
            self.seen[key] = f, rounding + self.ENTRY * sizes
        return self.seen[key]

    def shifted(self, alpha, shift):
        """alpha: its scores are no finer than those of theta_0."""
        return alpha

    def scores(self, alpha, theta_0, long):
        """(scores, a bound on their rounding)."""
        f, rounding = self.products(alpha, long)
        return f + theta_0, rounding + EPS * (np.abs(f) + abs(theta_0))

    def square(self, alpha, long):
        """At least alpha' K alpha."""
        f, rounding = self.products(alpha, long)
        return alpha @ f + np.abs(alpha) @ (rounding + (len(f) + 4) * EPS * np.abs(f)) * (1 + len(f) * EPS)

    def span_square(self, alpha, total, slip, long):
        """The same; the origin stays where it is."""
        return self.square(alpha, long)


def heavy(label, y, w):
    """The examples of a class that weigh at least half as much as the heaviest of them."""
    w = np.where(y == label, w, 0.0)
    return np.flatnonzero(w >= w.max() / 2)


def by_blocks(alpha, M):
    """(alpha' M, how many roundings an entry takes): sums over about sqrt(n) rows take 2 sqrt(n), not n, and are quick.

    So few rows stay in the cache.
    """
    n, d = M.shape
    rows = max(int(np.sqrt(n)) + 1, BLOCK // d)
    parts = [slice(start, start + rows) for start in range(0, n, rows)]
    total = sum((alpha[part] @ M[part] for part in parts if alpha[part].any()), np.zeros(d))
    return total, min(n, rows) + len(parts) + 1


def hinge_upper(w, theta_0, data, lam, long=False):
    """The hinge risk of the parameters w (theta, or alpha of a kernel) and theta_0, or a little more."""
    s, rounding = data.scores(w, theta_0, long)
    return _with_penalty(np.maximum(0.0, 1.0 - (data.y * s - rounding)) * (1 + EPS), w, data, lam, long)


def logistic_upper(w, theta_0, data, lam, long=False):
    """The same for the logistic risk."""
    s, rounding = data.scores(w, theta_0, long)
    return _with_penalty(np.logaddexp(0.0, rounding - data.y * s) * (1 + 8 * EPS), w, data, lam, long)


def _with_penalty(values, w, data, lam, long):
    """The mean of the losses plus lam/2 |theta|^2, a little more than that for rounding."""
    value = float(((data.w * values).mean() + lam / 2 * data.square(w, long)) * (1 + (len(values) + 8) * EPS))
    return value if value >= 0 else np.inf  # of numbers beyond the doubles, or of a K that is none


def hinge_lower(dual, data, lam, offset, risk, long=False):
    """What no hinge risk is below, by multipliers in [0, w / (n lam)]; `risk` is one that some parameters have."""
    n = len(dual)
    if not (dual.min() >= 0 and (dual / data.w).max() * lam * n <= 1 + 6 * EPS):
        return -np.inf
    # Shortened by 12 eps, the multipliers are in the box however w / (n lam) was rounded, and w itself.
    return _less_lengths(lam * dual.sum() * (1 - (n + 14) * EPS), dual, data, lam, offset, risk, long)


def logistic_lower(p, data, lam, offset, risk, long=False):
    """What no logistic risk is below, by pulls p in (0, 1)."""
    q, n = 1.0 - p, len(p)
    if not (p.min() >= 0 and q.min() >= 0):
        return -np.inf
    parts = -p * np.log(np.maximum(p, NONE)), -q * np.log1p(-np.minimum(p, 1 - EPS / 2))
    # The multipliers w p / (lam n) are rounded, and shortened by 8 eps so that p <= 1 still: where that makes the
    # entropy fall at all, it is by at most 16 eps p |log p - log q|.
    slack = parts[0] - np.log1p(-np.minimum(p, 1 - EPS / 2))
    entropy = np.mean(data.w * (parts[0] + parts[1] - 16 * EPS * slack)) * (1 - (n + 8) * EPS)
    return _less_lengths(entropy, data.w * p / (lam * n), data, lam, offset, risk, long)


def _less_lengths(value, dual, data, lam, offset, risk, long):
    """value - lam/2 |X' alpha|^2, less what a sum of alpha that is not quite 0 may cost."""
    alpha, total, slip = dual * data.y, 0.0, 0.0
    if offset:
        (total,), (slip,) = precise.long_product(alpha[None], np.ones(len(alpha)))
        _, reach, most = data.origin
        value -= lam * (abs(total) + slip) * (1 + most * risk + np.sqrt(2 * risk / lam) * reach) * ROUNDED_UP
    value = float(value - lam / 2 * data.span_square(alpha, total, slip, long) * (1 + 4 * EPS))
    return -np.inf if np.isnan(value) else value


def certified(parameters, multipliers, data, lam, offset):
    """The best of some parameters and of some multipliers, as a certificate of the hinge risk.

    They come with the most promising first. The first of each most often close the gap as they are. Otherwise all are
    looked at, and lengthened; then the first three with twice the digits.
    """
    least, most = (np.inf, parameters[0], 0.0), (-np.inf, multipliers[0])
    for some, place, long in ((1, placed, False), (None, lengthened, False), (3, lengthened, True)):
        points = [place(w, data, lam, offset, long) for w in parameters[:some]]
        least = min(least, *points, key=lambda point: point[0])
        bounds = [(hinge_lower(dual, data, lam, offset, least[0], long), dual) for dual in multipliers[:some]]
        most = max(most, *bounds, key=lambda bound: bound[0])
        if relative_gap(least[0], most[0]) <= GAP:
            break
    return Certificate(*least, *most)


def placed(w, data, lam, offset, long):
    """(upper bound of the hinge risk, w, theta_0) with the best offset for the scores as computed."""
    theta_0 = 0.0
    for _ in range((1 + long) * offset):  # the second time for the digits that the first has cut off
        theta_0 += best_offset(data.scores(w, theta_0, long)[0], data.y, data.w)
    points = [(hinge_upper(w, theta_0, data, lam, long), w, theta_0)]
    for _ in range(2 * long):  # and for those that theta_0 has not
        w = data.shifted(w, best_offset(data.scores(w, theta_0, long)[0], data.y, data.w))
        points.append((hinge_upper(w, theta_0, data, lam, long), w, theta_0))
    return min(points, key=lambda point: point[0])


def lengthened(w, data, lam, offset, long):
    """The same of w, or of w made a little longer where that lowers the bound.

    Slacks of mere rounding on the margin are all that is left of a small risk. A factor 1 + t removes those up to t,
    and adds at most 2 t of the risk: max(0, 1 - (1 + t) z) <= (1 + t) max(0, 1 - z).
    """
    best = placed(w, data, lam, offset, long)
    for reach in REACHES:
        s, rounding = data.scores(best[1], best[2], long)
        z = data.y * s - 2 * rounding
        near = z[(z < 1) & (z > 1 - 2 * rounding - reach)]
        if len(near):
            best = min(best, placed(best[1] / near.min(), data, lam, offset, long), key=lambda point: point[0])
    return best


def logistic_bounds(alpha, theta_0, data, lam, offset):
    """(upper bound of the risk, lower bound of every risk) by the pulls p = -L' at the scores, or m lam alpha y / w.

    They are the same at the minimum. With a large K the scores have fewer digits than alpha.
    """
    for long in (False, True):
        upper, lower = logistic_upper(alpha, theta_0, data, lam, long), -np.inf
        at_scores = -losses.logistic_slope(data.y * data.scores(alpha, theta_0, long)[0])
        for p in (at_scores, np.clip(len(alpha) * lam * alpha * data.y / data.w, 0.0, 1.0)):
            p = balance(data.w * p * data.y, data.y, data.w) * data.y / data.w if offset else p
            lower = max(lower, logistic_lower(p, data, lam, offset, upper, long))
            if relative_gap(upper, lower) <= GAP:
                return upper, lower
    return upper, lower
