"""The fast twin of `softmax.fit_softmax`: the same minimum, by the way that suits the data's shape."""

import functools
import math

import numpy as np

from linclass import _rows, separability, softmax
from linclass._fast import block_sums, careful_newton, certificates, kept_hessian, of_products
from linclass._fast.kept_hessian import NotRegular, Pace
from linclass._fast.precise import EPS
from linclass.fit import SEPARABLE, UNPROVED

WIDE = 30  # unknowns from which on a Hessian costs more than the gradients it saves (measured)
SOME, LARGE = 150, 300  # unknowns up to which gradients go close, and from which on a last Hessian is spared: chosen
EXACT, CLOSE, BY_GRADIENTS, ROUGH = (
    1e-12,
    1e-13,
    1e-11,
    1e-9,
)  # decrements beside the value: how far it pays to go (measured)
SAMPLE = 2**19  # numbers in a sample (measured)
MOST = 1500  # unknowns up to which a Hessian is taken where all else fails: chosen, 18 MB and some seconds
IN_A_GRAM = 10  # rows to a column: their Gram matrix is about within a factor of 2 of all (Marchenko and Pastur 1967)
GLANCE, CHANCE = 512, 1.5  # rows that show whether columns go together at all, and how much more often than by chance
RIDGE = 1e-6  # of its diagonal, added to a Gram matrix that only guides the way: chosen


def fit_softmax(X, y=None, *, lam=0.0, offset=True, sample_weight=None, progress=True):
    """See `softmax.fit_softmax`."""
    rows = _rows.of(X, y, "classes", progress, sample_weight=sample_weight)
    if rows.sparse:
        k = len(rows.labels)
        W, history, trouble, _ = of_products.fit(rows, lam, offset, k, softmax_look(rows, lam, offset, k))
        return softmax.SoftmaxFit.of(W - W.mean(axis=0), history, trouble, rows, lam)
    try:
        W, history, trouble = minimise(rows, lam, offset)
        W = W - W.mean(axis=0)
        if lam == 0 and history[-1] < rows.no_mistake:
            if not all_apart(rows, W, offset):
                raise NotRegular
            trouble = SEPARABLE.format("completely")
    except NotRegular:
        rows.check()
        W, history, trouble = carefully(rows, lam, offset)
    return softmax.SoftmaxFit.of(W, history, trouble, rows, lam)


def carefully(rows, lam, offset):
    """(W, history, trouble) by Newton's method in coordinates in which columns that nearly coincide are far apart."""
    look = functools.partial(softmax_look, lam=0.0, offset=False, n_classes=len(rows.labels))
    found = careful_newton.fit(rows, lam, offset, len(rows.labels), look, certificates.softmax_residuals)
    trouble = found.trouble
    if lam == 0 and trouble:
        signed = (lambda: signed_rows(rows.X, rows.y, offset)) if rows.at_hand else None
        trouble = careful_newton.separable(all_apart(rows, found.W, offset), signed, trouble)
    return found.W, found.history, trouble


@np.errstate(over="ignore", invalid="ignore")
def minimise(rows, lam, offset):
    """(W, history, trouble or None): a row (theta_k, theta_0k) per class.

    Raises NotRegular where `careful_newton` should decide; with too many unknowns for that, the trouble says so.
    """
    history, shape = [], (len(rows.labels), rows.d + offset)
    look, size = softmax_look(rows, lam, offset, len(rows.labels)), math.prod(shape)
    enough, at_least = rows.no_mistake if lam == 0 else 0.0, None
    count = min(rows.n // 16, max(SAMPLE // size, 10 * size))
    if count >= 10 * size:
        problem = functools.partial(softmax_look, lam=lam, offset=offset, n_classes=len(rows.labels))
        w, g, metric, at_least = kept_hessian.from_sample(look, problem, None, count, history, enough)
    elif size > WIDE:
        w, g, metric = by_gradients(look, lam, offset, shape[0], history, enough)
    else:
        w, g, metric = kept_hessian.descend(look, np.zeros(size), history, Pace(EXACT, enough, eager=True))
        metric.H = None  # a last full step costs little, and brings many digits
    if lam == 0 and history[-1] <= enough:
        return w.reshape(shape), history, None
    if size > WIDE and at_least is None and (lam > 0 or size > LARGE):
        by_penalty = functools.partial(certificates.excess_by_penalty, look, lam, certificates.softmax_residuals)
        bound = by_penalty if lam > 0 else by_least_probability(look, w)
        w, g, proved = certificates.further(look, w, g, metric, history, bound)
        if proved or size > MOST:
            return w.reshape(shape), history, None if proved else UNPROVED
    if lam == 0:
        return certificates.settle(look, w, history)[0].reshape(shape), history, None
    return certificates.certified(look, w, g, metric, history, at_least).reshape(shape), history, None


def by_least_probability(look, at):
    """A bound for too many unknowns for a Hessian, as a function of a point near `at`, its gradient and its value.

    With p the least of an example's probabilities, diag(p) - p p' >= p (1 - 1 1' / k), so H is at least B = sum p x x'
    / n for each class, but for the gauge; and so it is with the sum over some of the rows alone.
    """
    rows, shape = look.rows, (look.classes, len(at) // look.classes)

    def least(X, y, w):
        P = certificates.softmax_residuals(certificates.scores(X, at.reshape(shape)), y)[2]
        return (_gram(X, w * P.min(axis=1), shape[1] > rows.d),)

    B = rows.sample(min(rows.n, IN_A_GRAM * shape[1])).total(least)[0] / rows.n
    lives = B.diagonal() > 0  # a column of zeros has no part in a score
    B = B[np.ix_(lives, lives)]
    B.flat[:: len(B) + 1] -= 2 * len(B) * EPS * B.trace()  # more than rounding may have added, here and below
    curved = np.linalg.eigvalsh(B)[0]
    if not curved > 0:
        return lambda *point: math.inf
    steep = 1 / math.sqrt(curved)

    def bound(w, g, value):
        G, moved = g.reshape(shape)[:, lives], (w - at).reshape(shape)[:, lives]
        nu = math.sqrt(np.vdot(G.T, np.linalg.solve(B, G.T))) + certificates.hidden_by_rounding(look, w, value) * steep
        rho = math.sqrt(2) * look.longest * steep
        return certificates.faded(nu, rho, math.sqrt(np.vdot(moved @ B, moved)))

    return bound


def softmax_look(rows, lam, offset, n_classes):
    """The softmax risk of the rows as a problem."""
    d, m = rows.d, rows.d + offset
    counts, own = rows.total(lambda X, y, w: block_sums.class_sums(X, y, w, n_classes))
    right = np.column_stack([own, counts])[:, :m] / rows.n
    penalty = np.tile(np.append(np.full(d, lam), 0.0)[:m], n_classes)

    def sums(X, y, w, u, hess):
        return block_sums.softmax_sums(X, w, u.reshape(n_classes, m), offset, hess)

    gauge = functools.partial(_fix_gauge, n_classes=n_classes)
    return kept_hessian.Look(rows, penalty, sums, right.ravel(), n_classes, gauge)


def _fix_gauge(H, n_classes):
    """Add curvature where all classes move alike: the risk is flat there, and the gradient has no part in it."""
    m = len(H) // n_classes
    average = H.diagonal().reshape(n_classes, m).mean(axis=0)
    for j in range(n_classes):
        for k in range(n_classes):
            H[j * m : (j + 1) * m, k * m : (k + 1) * m].flat[:: m + 1] += average


def by_gradients(look, lam, offset, n_classes, history, enough):
    """L-BFGS in coordinates in which the features have unit covariance.

    At 0, where all classes are equally likely, the Hessian is block diagonal but for the gauge, with X'X / (n k) + lam
    for every class: one small inverse. Of many rows some do.
    """
    few, width = look.rows.sample(min(look.rows.n, GLANCE)), look.rows.d + offset
    G = _curvature_at_0(few, lam, offset, n_classes)
    unlike = look.rows.n > GLANCE and _hardly_correlated(G, few.n)  # of few rows all may be chance
    if not unlike and few.n < (enough_rows := min(look.rows.n, IN_A_GRAM * width)):
        G = _curvature_at_0(look.rows.sample(enough_rows), lam, offset, n_classes)
    diagonal = G.diagonal()
    G.flat[:: len(G) + 1] += np.where(diagonal > 0, RIDGE * diagonal, 1.0)
    base = np.tile(1 / diagonal, n_classes) if unlike else kept_hessian.inverse(G)
    metric = kept_hessian.Metric(base, memory=10)
    size = len(G) * n_classes
    tol = CLOSE if size <= SOME else BY_GRADIENTS if size <= MOST else ROUGH
    return kept_hessian.without_hessian(look, metric, history, lam, tol, enough, MOST)


def _curvature_at_0(rows, lam, offset, n_classes):
    """X'X / (n k) + lam, where the offset has no penalty."""
    (G,) = rows.total(lambda X, y, w: (_gram(X, w, offset),))
    G /= rows.n * n_classes
    G.flat[: rows.d * (len(G) + 1) : len(G) + 1] += lam
    return G


def _hardly_correlated(G, n):
    """Are the correlations in a Gram matrix of n rows no more than chance gives, 1/n in the mean square?"""
    diagonal = G.diagonal()
    if not diagonal.min() > 0:
        return False
    return np.vdot(G / diagonal, G / diagonal[:, None]) - len(G) <= CHANCE * len(G) ** 2 / n


def _gram(X, w, offset):
    """A'A for the rows sqrt(w) (x, 1), or sqrt(w) x without an offset."""
    if not offset and np.ndim(w) == 0:
        return X.T @ X
    A = np.empty((len(X), X.shape[1] + offset))
    A[:, : X.shape[1]], A[:, X.shape[1] :] = X, 1.0
    if np.ndim(w):
        A *= np.sqrt(w)[:, None]
    return A.T @ A


@np.errstate(over="ignore", invalid="ignore")
def all_apart(rows, W, offset):
    """Is the right class ahead of every other on every row, by more than rounding?"""
    Theta, theta_0 = W[:, : rows.d], W[:, rows.d] if offset else np.zeros(len(W))

    def behind(X, y, w):
        S = X @ Theta.T + theta_0
        right = np.take_along_axis(S, y[:, None], axis=1)
        lead = right - np.where(y[:, None] == np.arange(len(W)), -np.inf, S)
        bound = np.max(abs(X) @ np.abs(Theta).T + np.abs(theta_0), axis=1, keepdims=True)
        return (not (lead > 2 * (rows.d + 2) * EPS * bound).all(),)

    return not rows.largest(behind)[0]


def signed_rows(X, y, offset):
    """A row (e_y - e_k) (x) (x, 1) for every example and every wrong class k: its product with Theta is the lead."""
    centre, scale = separability.column_scaling(X, offset)
    Z = (X - centre) / scale
    A = np.column_stack([Z, np.ones(len(Z))]) if offset else Z
    E = np.eye(y.max() + 1)
    leads = E[y][:, None, :] - E[None, :, :]
    rows = (leads[..., None] * A[:, None, None, :]).reshape(len(y), len(E), -1)
    return rows[np.arange(len(E)) != y[:, None]]
