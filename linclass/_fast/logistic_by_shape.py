"""The fast twin of `logistic.fit_logistic`: the same minimum, by the way that suits the data's shape."""

import contextlib
import functools
import math

import numpy as np

from linclass import _rows, logistic, separability
from linclass._fast import block_sums, careful_newton, certificates, irls, kept_hessian, of_products
from linclass._fast.kept_hessian import NotRegular, Pace
from linclass.fit import SEPARABLE
from linclass.newton import near_enough

SMALL = 2**15  # numbers in X: up to so many, NumPy's calls cost more than what they do (chosen)
SAMPLED = 2**17  # numbers in X: up to so many, a sample is not worth its passes (chosen)
WIDE = 100  # columns from which on a Hessian costs more than the gradients it saves (measured)
EXACT, BY_GRADIENTS = 1e-14, 5e-10  # decrements beside the value: how far it pays to go (measured)
MEMORY = 10  # steps that gradients alone remember (measured)
FEW_ROWS = 450  # rows up to which their Gram matrix is the best way (measured)
OF_A_GRAM = 16  # rows: a Gram matrix of so many costs one look (measured)
SAMPLE = 2**20  # numbers in a sample: then the first step on all the data is nearly the last (measured)


def fit_logistic(X, y=None, *, lam=0.0, offset=True, sample_weight=None, progress=True):
    """See `logistic.fit_logistic`."""
    rows = _rows.of(X, y, "signs", progress, sample_weight=sample_weight)
    if rows.sparse:
        w, history, trouble, H = of_products.fit(rows, lam, offset, 1, logistic_look(rows, lam, offset))
        errors = None if lam or trouble else logistic.standard_errors(rows.count * H, np.eye(len(H)))
        return logistic.LogisticFit.of(w[0], history, trouble, rows, lam, errors)
    try:
        w, history, hess = interpolated(rows, offset) if lam == 0 and rows.d > rows.n else minimise(rows, lam, offset)
        trouble = separated(rows, w, offset) if lam == 0 and hess is None else None
    except NotRegular:
        rows.check()
        return carefully(rows, lam, offset)
    errors = logistic.standard_errors(rows.count * hess, np.eye(len(hess))) if lam == 0 and not trouble else None
    return logistic.LogisticFit.of(w, history, trouble, rows, lam, errors)


def separated(rows, w, offset):
    """What to say of parameters whose every margin is positive beyond doubt."""
    if not separates(rows, w, offset):
        raise NotRegular
    return SEPARABLE.format("completely")


def separates(rows, w, offset):
    """Is every margin positive beyond doubt?"""
    theta, theta_0 = w[: rows.d], w[rows.d] if offset else 0.0
    return not rows.largest(lambda X, y, w: (not separability.separates(X, y, theta, theta_0),))[0]


def carefully(rows, lam, offset):
    """The fit by Newton's method in coordinates in which columns that nearly coincide are far apart."""
    look = functools.partial(logistic_look, lam=0.0, offset=False)
    found = careful_newton.fit(rows, lam, offset, 1, look, certificates.logistic_residuals)
    w, trouble, errors = found.W[0], found.trouble, None
    if lam == 0 and trouble:
        signed = (lambda: separability.signed_rows(rows.X, rows.y, offset)) if rows.at_hand else None
        trouble = careful_newton.separable(separates(rows, w, offset), signed, trouble)
    elif lam == 0 and len(found.H) == len(w):
        errors = logistic.standard_errors(rows.count * found.H, found.frame.parameter_map())
    return logistic.LogisticFit.of(w, found.history, trouble, rows, lam, errors)


def minimise(rows, lam, offset):
    """(w, history, Hessian at w or None): w is theta, and theta_0 last if there is an offset.

    More columns than rows: `of_few_rows`. Many rows: a sample first. Many columns otherwise: gradients alone. Else a
    Hessian, while it changes. The minimum is certified, or at lam = 0 the risk is so low that every margin is positive
    and there is no Hessian. Raises NotRegular where `careful_newton` should decide.
    """
    history, n, d, size = [], rows.n, rows.d, rows.d + offset
    small = n * d <= SMALL and d <= WIDE and rows.at_hand
    look = (FewNumbers if small else logistic_look)(rows, lam, offset)
    enough, at_least = rows.no_mistake if lam == 0 else 0.0, None
    count = min(n // 8, max(SAMPLE // size, 20 * size))
    if lam > 0 and d > n and not small and rows.at_hand:
        return *of_few_rows(look, lam, offset), None
    if count >= 20 * size and n * d > SAMPLED:
        problem = functools.partial(logistic_look, lam=lam, offset=offset)
        w, g, metric, at_least = kept_hessian.from_sample(look, problem, fading, count, history, enough)
    elif d > WIDE:
        w, g, metric = by_gradients(look, lam, offset, history, enough)
    else:
        pace = Pace(EXACT, enough, eager=small, beyond=n * size <= kept_hessian.FEW)
        start = look.first_step(history) if small else np.zeros(size)
        w, g, metric = kept_hessian.descend(look, start, history, pace)
    if lam == 0:
        return (w, history, None) if history[-1] <= enough else certificates.settle(look, w, history)
    if d > WIDE:
        bound = functools.partial(certificates.excess_by_penalty, look, lam, certificates.logistic_residuals)
        w, g, proved = certificates.further(look, w, g, metric, history, bound)
        if proved:
            return w, history, None
    return certificates.certified(look, w, g, metric, history, at_least), history, None


def interpolated(rows, offset):
    """The same at lam = 0 for more columns than rows, which are nearly always separable: margins all alike.

    With K = X X' regular, theta = X' K^-1 y has the margins 1; it is made so long that the risk is half of what would
    still prove that every margin is positive.
    """
    if not rows.at_hand:
        return minimise(rows, 0.0, offset)
    try:
        alpha = np.linalg.solve(rows.X @ rows.X.T, rows.y)
    except np.linalg.LinAlgError:
        return minimise(rows, 0.0, offset)
    w = np.append(-math.log(math.expm1(rows.no_mistake / 2)) * (rows.X.T @ alpha), np.zeros(int(offset)))
    value = logistic_look(rows, 0.0, offset)(w, False)[0]
    if not (value < rows.no_mistake and separates(rows, w, offset)):
        return minimise(rows, 0.0, offset)
    return w, [math.log(2), value], None


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
        n, d = rows.X.shape
        A = self.A = np.empty((d + offset, n))
        np.multiply(rows.X.T, -rows.y, out=A[:d])
        np.negative(rows.y, out=A[d:])
        self.weights, self.bowl = np.zeros(n) + rows.w / n, np.zeros((d + offset, d + offset))
        self.share = A * self.weights
        self.bowl.flat[: d * (d + offset) : d + offset + 1] = lam
        self.penalty, self.largest = self.bowl.diagonal(), np.maximum.reduce(np.abs(A), axis=1)

    def first_step(self, history):
        """Newton's step from 0, where all curvatures are 1/4, the most there is, so that a full step goes down."""
        history.append(math.log(2))
        H = self.share.dot(self.A.T) / 4 + self.bowl
        return kept_hessian.inverse(H).dot(np.add.reduce(self.share, axis=1)) / -2

    def __call__(self, w, hess):
        """(value, gradient, Hessian or None) at w."""
        e, shrink = np.exp(w.dot(self.A)), self.penalty * w  # dot: on so few numbers @ takes twice as long
        value = float(self.weights.dot(np.log1p(e))) + float(shrink.dot(w)) / 2
        one_and_e = e + 1.0
        p = np.divide(e, one_and_e, out=e)
        g = self.share.dot(p)
        g += shrink
        return value, g, (self.share * (p / one_and_e)).dot(self.A.T) + self.bowl if hess else None


def fading(rows, step):
    """The largest change of a score along the step: p (1 - p) falls by no more than e to that."""
    (change,) = rows.largest(lambda X, y, w: (np.abs(X @ step[: rows.d]).max() + np.abs(step[rows.d :]).sum(),))
    return float(change)


def of_few_rows(look, lam, offset):
    """(w, history), certified: by gradients where rows are not so few and they do, else in the span of the examples.

    By the representer theorem theta = X' alpha, so n unknowns do for d: kernel logistic regression with K = X X'.
    """
    rows, history = look.rows, []
    bound = functools.partial(certificates.excess_by_penalty, look, lam, certificates.logistic_residuals)
    if rows.n > FEW_ROWS:
        with contextlib.suppress(NotRegular):
            w, g, metric = by_gradients(look, lam, offset, history, price=rows.n / OF_A_GRAM)
            w, g, proved = certificates.further(look, w, g, metric, history, bound)
            if proved:
                return w, history
    alpha, theta_0, _, history = irls.solve(rows.X @ rows.X.T, rows.y, rows.w, lam, offset)
    w = np.append(rows.X.T @ alpha, theta_0)[: rows.d + offset]
    history[-1], g, _ = look(w, False)
    if not bound(w, g, history[-1]) <= near_enough(history[-1]):
        raise NotRegular
    return w, history


def by_gradients(look, lam, offset, history, enough=0.0, price=None):
    """`kept_hessian.without_hessian` from the diagonal of the Hessian at 0."""
    rows, d, n = look.rows, look.rows.d, look.rows.n
    squares, pull, pull_0 = rows.total(lambda X, y, w: (_squares(X, w), (w * y) @ X, float(np.sum(w * y))))
    diagonal = np.append(squares / (4 * n) + lam, 0.25)[: d + offset]
    if not diagonal.min() > 0:  # a column of zeros
        raise NotRegular
    step = np.append(pull, pull_0)[: d + offset] / (2 * n) / diagonal
    along = rows.total(lambda X, y, w: (float(np.sum(w * (X @ step[:d] + step[d:].sum()) ** 2)),))[0]
    curvature = along / (4 * n) + lam * float(step[:d] @ step[:d])
    diagonal *= curvature / float(step @ (diagonal * step))  # so that the first step has the right length
    metric = kept_hessian.Metric(1 / diagonal, MEMORY)
    return kept_hessian.without_hessian(look, metric, history, lam, BY_GRADIENTS, enough, price=price)


def _squares(X, w):
    """The sum of w times the squares of each column."""
    return np.einsum("ij,ij->j", X, X) if np.ndim(w) == 0 else w @ (X * X)
