"""The fast twin of `logistic.fit_logistic`: the same minimum, by the way that suits the data's shape."""

import functools
import math

import numpy as np

from linclass import _rows, logistic
from linclass._fast import block_sums, certificates, irls, kept_hessian, smooth_by_shape
from linclass._fast.kept_hessian import NotRegular, Pace
from linclass.newton import near_enough

SMALL = 2**15  # numbers in X: up to so many, NumPy's calls cost more than what they do (chosen)
SAMPLED = 2**17  # numbers in X: up to so many, a sample is not worth its passes (chosen)
WIDE = 100  # columns up to which a Hessian of few rows costs no more than the gradients it saves (measured)
EXACT, CLOSE, BY_GRADIENTS = 1e-14, 1e-13, 5e-10  # decrements beside the value: how far it pays to go (measured)
BELOW_TWICE = 0.3  # more than 1/4, so that a step divided by its root is less than twice as long: chosen
SAMPLE, PART = 2**20, 10  # numbers in a sample, or one row of so many: then few looks at all are left (measured)


def fit_logistic(X, y=None, *, lam=0.0, offset=True, sample_weight=None, progress=True):
    """See `logistic.fit_logistic`."""
    rows = _rows.of(X, y, "signs", progress, sample_weight=sample_weight)
    (w,), history, trouble, H, T = smooth_by_shape.fit(rows, lam, offset, minimise, logistic_look)
    told = lam == 0 and not trouble and len(H) == len(w)
    errors = logistic.standard_errors(rows.count * H, np.eye(len(w)) if T is None else T) if told else None
    return logistic.LogisticFit.of(w, history, trouble, rows, lam, errors)


def minimise(rows, lam, offset):
    """(w, history, trouble or None, Hessian or None): w is theta, and theta_0 last if there is an offset.

    More columns than rows: `interpolated` or `of_few_rows`. Few numbers: a Hessian at every step. Many rows: a sample
    first. Otherwise gradients alone. The minimum is certified, or at lam = 0 the risk is so low that every margin is
    positive. Raises NotRegular, or LinAlgError, where `careful_newton` should decide.
    """
    history, n, d, size = [], rows.n, rows.d, rows.d + offset
    small, enough = n * d <= SMALL and d <= WIDE and not rows.sparse, rows.no_mistake if lam == 0 else 0.0
    if d > n and rows.at_hand and not (small and lam > 0):
        found = of_few_rows(logistic_look(rows, lam, offset), lam, offset) if lam > 0 else interpolated(rows, offset)
        if found:
            return *found, None, None
    problem = functools.partial(logistic_look, lam=lam, offset=offset)
    if small:
        look = FewNumbers(rows, lam, offset) if rows.at_hand else problem(rows)
        start = look.first_step(history) if rows.at_hand else np.zeros(size)
        found = kept_hessian.descend(look, start, history, Pace(EXACT, enough, beyond=True, eager=True))
        return smooth_by_shape.proved(look, found, history, lam)
    look, count = problem(rows), min(n // PART, max(SAMPLE // size, 20 * size))
    if count >= 20 * size and n * d > SAMPLED and not rows.sparse:
        found = kept_hessian.from_sample(look, problem, count, history, enough)
        return smooth_by_shape.proved(look, found, history, lam)
    metric, tol = smooth_by_shape.metric_at_0(look, lam, offset), CLOSE if d <= WIDE else BY_GRADIENTS
    found = kept_hessian.without_hessian(look, metric, history, tol, enough)
    bound = functools.partial(certificates.excess_by_penalty, look, lam) if lam > 0 else None
    return smooth_by_shape.proved(look, found, history, lam, bound)


def interpolated(rows, offset):
    """(w, history) at lam = 0 for more columns than rows, which are nearly always separable: margins all alike.

    With K = X X' regular, theta = X' K^-1 y has the margins 1; it is made so long that the risk is half of what would
    still prove that every margin is positive. None where that fails.
    """
    try:
        alpha = np.linalg.solve(rows.X @ rows.X.T, rows.y)
    except np.linalg.LinAlgError:
        return None
    w = np.append(-math.log(math.expm1(rows.no_mistake / 2)) * (rows.X.T @ alpha), np.zeros(int(offset)))
    value = logistic_look(rows, 0.0, offset)(w, False)[0]
    return (w, [math.log(2), value]) if value < rows.no_mistake else None


def logistic_look(rows, lam, offset):
    """The logistic risk of the rows as a problem."""
    penalty = np.full(rows.d + offset, lam)
    penalty[rows.d :] = 0.0
    return kept_hessian.Look(rows, penalty, functools.partial(block_sums.logistic_sums, offset=offset))


class FewNumbers:
    """The same for few numbers in memory, where what costs is the number of NumPy calls, some twelve a look.

    A has the columns -y (x, 1), so that the margins are -w A. A margin beyond the doubles makes the value infinite, and
    the step shorter.
    """

    longest, classes = None, 1  # `largest` costs no more here

    def __init__(self, rows, lam, offset):
        self.rows, (n, d) = rows, rows.X.shape
        A = self.A = np.empty((d + offset, n))
        A[d:] = against = -rows.y
        np.multiply(rows.X.T, against, out=A[:d])
        self.weights, self.bowl = np.zeros(n) + rows.w / n, np.zeros((d + offset, d + offset))
        self.share = A * self.weights
        self.bowl.flat[: d * (d + offset) : d + offset + 1] = lam
        self.penalty, self.largest = self.bowl.diagonal(), np.maximum.reduce(np.abs(A), axis=1)

    def first_step(self, history):
        """Newton's step from 0, where all curvatures are 1/4, the most there is, made longer by what they fade on it.

        Of normal scores with variance v the mean curvature is about 1/4 (1 + pi v / 8)^(-1/2) (MacKay 1992), and v / 4
        is the decrement. No step below twice Newton's goes up.
        """
        history.append(math.log(2))
        H, g = self.share.dot(self.A.T) / 4 + self.bowl, self.A.dot(self.weights) / 2
        step = np.linalg.solve(H, g)
        return step / -math.sqrt(max(1 - math.pi / 2 * float(g.dot(step)), BELOW_TWICE))

    def __call__(self, w, hess):
        """(value, gradient, Hessian or None) at w."""
        e, shrink = np.exp(w.dot(self.A)), self.penalty * w  # dot: on so few numbers @ takes twice as long
        value = float(self.weights.dot(np.log1p(e))) + float(shrink.dot(w)) / 2
        one_and_e = e + 1.0
        p = np.divide(e, one_and_e, out=e)
        g = self.share.dot(p)
        g += shrink
        return value, g, (self.share * (p / one_and_e)).dot(self.A.T) + self.bowl if hess else None


def of_few_rows(look, lam, offset):
    """(w, history), certified, in the span of the examples: kernel logistic regression with K = X X'.

    By the representer theorem theta = X' alpha, so n unknowns do for d.
    """
    rows = look.rows
    alpha, theta_0, _, history = irls.solve(rows.X @ rows.X.T, rows.y, rows.w, lam, offset)
    w = np.append(rows.X.T @ alpha, theta_0)[: rows.d + offset]
    history[-1], g, _ = look(w, False)
    if not certificates.excess_by_penalty(look, lam, w, g, history[-1]) <= near_enough(history[-1]):
        raise NotRegular
    return w, history
