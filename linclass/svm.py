"""The support vector machine: the hinge loss with a penalty, its slack form, its dual, and a certified minimum.

    risk(theta, theta_0) = 1/n sum_t max(0, 1 - y_t (theta . x_t + theta_0)) + lam/2 |theta|^2

With weights the mean is sum_t w_t loss_t / sum_t w_t, n is sum_t w_t, and the bound C below is w_t C for example t.
With C = 1 / (n lam) this is lam times the slack form 1/2 |theta|^2 + C sum xi, xi_t = max(0, 1 - z_t). The dual is

    maximise sum dual - 1/2 |sum_t dual_t y_t x_t|^2   over 0 <= dual <= C, and sum dual y = 0 with an offset

Every dual point bounds every risk from below, so the gap between the two certifies the answer. At the optimum
theta = sum dual y x, and dual_t is 0 where z_t > 1, C where z_t < 1, and anything between on the margin z_t = 1.
"""

import dataclasses
import functools
from dataclasses import dataclass

import numpy as np

from linclass import _checks, _rows, conventions, kernels, losses, margins
from linclass._checks import takes
from linclass._plug import faster
from linclass.fit import Fit

__all__ = [
    "SVMFit",
    "best_offset",
    "dual_ascent",
    "dual_objective",
    "dual_step",
    "fit_svm",
    "margin_width",
    "quadratic_program",
    "slacks",
]

GAP = 1e-8  # the relative duality gap that certifies a fit: what this package promises
SLOPES = 1e-12  # where ascent ends; measured: on the book's data it leaves a relative gap below 1e-10
RIDGE = 1e-13  # of the trace, added to a Gram matrix that may be singular: some hundred roundings


@dataclass(frozen=True)
class SVMFit(Fit):
    """A fitted support vector machine."""

    dual: np.ndarray  # the multipliers, in [0, C], or [0, w C] with weights
    gap: float  # no parameters have a risk lower than this one's by more than this fraction, rounding counted in
    support: np.ndarray  # the examples with a multiplier above 0, without those so small that they do not count

    @classmethod
    def certified(cls, model, dual, gap, steps, history):
        """The fit, converged if the relative gap is at most 1e-8."""
        converged = bool(gap <= GAP)
        message = f"the relative duality gap is {gap:.1e}" + ("" if converged else ": rescale the inputs or raise lam")
        return cls(model, converged, steps, np.asarray(history), message, dual, float(gap), np.flatnonzero(dual))


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


@takes(X="n d finite", y="n signs both", C="> 0")
def quadratic_program(X, y, C):
    """The slack form in standard form: H, c, A, b of  minimise 1/2 v' H v + c . v  subject to  A v <= b.

    v = (theta, theta_0, xi) has d + 1 + n entries; the 2n rows of A say 1 - xi_t <= z_t, then xi_t >= 0.

    Book: eq-slack-program, eq-quadratic-program.
    """
    n, d = X.shape
    H = np.diag(np.concatenate([np.ones(d), np.zeros(1 + n)]))
    c = np.concatenate([np.zeros(d + 1), np.full(n, C)])
    margin_rows = np.column_stack([-y[:, None] * X, -y, -np.eye(n)])
    slack_rows = np.column_stack([np.zeros((n, d + 1)), -np.eye(n)])
    return H, c, np.vstack([margin_rows, slack_rows]), np.concatenate([-np.ones(n), np.zeros(n)])


def _one_or_each(w):
    """1, or a weight for each example."""
    return w if np.ndim(w) == 0 else _checks.weights("w", w)


@takes(s="n", y="n signs both", w=_one_or_each)
def best_offset(s, y, w=1.0):
    """The theta_0 of least mean hinge loss for scores s without offset; the middle one where many are best.

    In theta_0 the summed hinge loss is a chain of straight pieces with corners at y_t - s_t. Its slope starts at
    minus the number of positives and rises by 1 at each corner: the minimum lies where that many have been passed.
    With weights w they are counted by them.
    """
    if np.ndim(w):
        return _weighted_offset(y - s, np.where(y > 0, w, 0.0).sum(), w)
    positives = int((y > 0).sum())
    corners = np.partition(y - s, [positives - 1, positives])
    return float((corners[positives - 1] + corners[positives]) / 2)


def _weighted_offset(corners, positives, w):
    """The corner at which the weights passed exceed those of the positives, or the middle where they are the same."""
    order = np.argsort(corners)
    left = positives - np.cumsum(w[order])
    rounding = len(w) * np.finfo(float).eps * positives
    first, last = (min(np.count_nonzero(left > edge), len(w) - 1) for edge in (rounding, -rounding))
    return float((corners[order[first]] + corners[order[last]]) / 2)


def _box(C):
    """The largest multiplier of all examples, or of each."""
    C = _checks.real("C", C)
    return _checks.each("C", C, (C > 0) & (C < np.inf), "finite and > 0")


@takes(K="m m", y="m signs", C=_box, offset=bool, tol=">= 0", max_steps="count")
def dual_ascent(K, y, C, *, offset=True, tol=SLOPES, max_steps=10_000):
    """(dual, steps): climb the dual objective until no step gains.

    In alpha = dual y the slope is g = y - K alpha. A step moves two
    coefficients, the one with the largest slope that may rise and the one with
    the smallest that may fall; without an offset, the steepest alone. Every
    n-th step, n the number of examples, moves all between 0 and C at once.
    C is one number, or one per example. Ends when slopes differ by at most `tol`.
    """
    alpha, low, high = 0.0 * y, np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    for steps in range(max_steps + 1):
        g = y - K @ alpha
        up = np.where(alpha < high, g, -np.inf)
        down = np.where(alpha > low, g, np.inf)
        i, j = up.argmax(), down.argmin()
        steepest = up[i] - down[j] if offset else max(up[i], -down[j])
        if steepest <= tol or steps == max_steps:
            return alpha * y + 0.0, steps
        chosen = [i, j] if offset else [i if up[i] > -down[j] else j]
        if steps % len(y) == len(y) - 1:
            chosen = np.flatnonzero((low < alpha) & (alpha < high))
        alpha = dual_step(alpha, chosen, K, y, C, offset=offset)


@takes(K="m m", alpha="m", y="m signs", C=_box, chosen="m indices", offset=bool)
def dual_step(alpha, chosen, K, y, C, *, offset=True):
    """alpha moved to the maximum of the dual over the chosen coefficients, or
    towards it to the edge of the box; one that gets there stays, and the
    others go on.

    The step d solves K d + theta_0 = g and sum d = 0 on the chosen ones.
    """
    alpha, F, t = alpha.copy(), np.asarray(chosen, dtype=int), 0.0
    far = C * y
    while len(F) > offset and t < 1:
        size = K[F, F].sum() or 1.0
        M = np.full((len(F) + 1, len(F) + 1), size * offset)
        M[:-1, :-1] = K[F][:, F] + RIDGE * size * np.eye(len(F))
        M[-1, -1] = not offset
        d = np.linalg.solve(M, np.append(y[F] - K[F] @ alpha, 0.0))[:-1]
        end = np.where(d * y[F] > 0, far[F], 0.0)
        reach = np.abs(end - alpha[F]) / np.abs(d)
        t = np.fmin.reduce(reach, initial=1.0)
        alpha[F] = np.where(reach <= t, end, alpha[F] + t * d)
        F = F[reach > t]
    return alpha


def _in_memory(learner):
    """The line above a learner with a multiplier for each example: it cannot read them block by block."""
    instead = "take descent.fit_sgd with losses.HINGE, which reads them block by block, or fit a sample of the rows"

    @functools.wraps(learner)
    def whole(X, y=None, **others):
        _rows.needed_at_once(X, y, "fit_svm, with a multiplier for each,", instead)
        return learner(X, y, **others)

    return whole


def weighed(learner):
    """The line above a learner with a multiplier for each example: its weights are of mean 1 and all above 0, or 1."""

    @functools.wraps(learner)
    def counted(X, y, *kernel, sample_weight=None, **others):
        if sample_weight is None:
            return learner(X, y, *kernel, sample_weight=1.0, **others)
        w = _checks.weights("sample_weight", sample_weight, len(y))
        shares, _ = _checks.of_mean_one("sample_weight", w)
        kept = np.flatnonzero(w)
        _checks.signs("y", y[kept], both=True)
        fit = learner(X[kept], y[kept], *kernel, sample_weight=shares, **others)
        if not isinstance(fit, SVMFit):
            return fit
        dual = np.zeros(len(y))
        dual[kept] = fit.dual
        return dataclasses.replace(fit, dual=dual, support=kept[fit.support])

    return counted


@_in_memory
@takes(X="n d rows", y="n signs both", lam="> 0", offset=bool)
@weighed
@faster("svm_by_shape.fit_svm")
def fit_svm(X, y=None, *, lam, offset=True, sample_weight=None):
    """Minimise the mean hinge loss plus lam/2 |theta|^2, to a relative duality gap of 1e-8.

    `converged` says that the gap is that small for the parameters and multipliers returned, on the data as given, with
    all rounding counted in; the solver goes on to 1e-11 where it can. theta is the only minimiser; theta_0 need not be,
    and the middle of its range is returned. `history` is the risk after each round of the solver, the last one an upper
    bound that the gap refers to. Multipliers are doubles, and eps = 2.2e-16 of them leaves sum dual y x uncertain: that
    opens the gap by up to eps^2 mean |x|^2 / (2 lam), since dual <= 1 / (n lam). Inputs beyond 6e11 sqrt(lam) are
    certified only if the multipliers stay well below that bound, equal columns beyond 2e9 sqrt(lam) not always.

    X may be sparse: up to 10,000 rows, and more if they have so many columns that hardly any depend on others.
    `sample_weight` is as in `logistic.fit_logistic`; multipliers are then at most w_t / (lam sum w).

    Book: eq-slack-program.
    """
    K, C = kernels.linear_kernel(X, X), sample_weight * conventions.C_from_lam(lam, len(y))
    dual, steps = dual_ascent(K, y, C, offset=offset)
    theta = X.T @ (dual * y)
    theta_0 = best_offset(X @ theta, y, sample_weight) if offset else 0.0
    upper = float(np.mean(sample_weight * slacks(theta, theta_0, X, y)) + lam / 2 * theta @ theta)
    lower = lam * dual_objective(dual, K, y)
    gap = _relative_gap(upper, lower, dual, K, lam)
    model = margins.LinearClassifier(theta, theta_0)
    return SVMFit.certified(model, dual, gap, steps, [upper])


def _relative_gap(upper, lower, dual, K, lam):
    """(upper - lower) / upper, with what rounding may hide of either: eps times the terms of lam alpha' K alpha."""
    hidden = lam * np.finfo(float).eps * (np.abs(dual) @ np.sqrt(np.diag(K))) ** 2
    return (abs(upper - lower) + hidden) / upper
