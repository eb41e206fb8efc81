"""The fast twin of `softmax.fit_softmax`: the same minimum, by the way that suits the data's shape."""

import functools
import math

import numpy as np

from linclass import _rows, separability, softmax
from linclass._fast import block_sums, careful_newton, certificates, kept_hessian, of_products
from linclass._fast.kept_hessian import NotRegular, Pace
from linclass._fast.precise import EPS
from linclass.fit import SEPARABLE
from linclass.newton import near_enough

WIDE = 150  # unknowns from which on a Hessian costs more than the gradients it saves (measured)
EXACT, BY_GRADIENTS = 1e-12, 1e-11  # decrements beside the value: how far it pays to go (measured)
SAMPLE = 2**19  # numbers in a sample (measured)


def fit_softmax(X, y=None, *, lam=0.0, offset=True, sample_weight=None, progress=True):
    """See `softmax.fit_softmax`."""
    rows = _rows.of(X, y, "classes", progress, sample_weight=sample_weight)
    if rows.sparse:
        k = len(rows.labels)
        W, history, trouble, _ = of_products.fit(rows, lam, offset, k, softmax_look(rows, lam, offset, k))
        return softmax.SoftmaxFit.of(W - W.mean(axis=0), history, trouble, rows, lam)
    try:
        W, history = minimise(rows, lam, offset)
        W, trouble = W - W.mean(axis=0), None
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
    """(W, history): a row (theta_k, theta_0k) per class. Raises NotRegular where `careful_newton` should decide."""
    history, shape = [], (len(rows.labels), rows.d + offset)
    look, size = softmax_look(rows, lam, offset, len(rows.labels)), math.prod(shape)
    enough, at_least = rows.no_mistake if lam == 0 else 0.0, None
    count = min(rows.n // 16, max(SAMPLE // size, 10 * size))
    if count >= 10 * size:
        problem = functools.partial(softmax_look, lam=lam, offset=offset, n_classes=len(rows.labels))
        w, g, metric, at_least = kept_hessian.from_sample(look, problem, None, count, history, enough)
    elif lam > 0 and size > WIDE:
        w, g, metric = by_gradients(look, lam, offset, shape[0], history)
    else:
        w, g, metric = kept_hessian.descend(look, np.zeros(size), history, Pace(EXACT, enough, eager=True))
        metric.H = None  # a last full step costs little, and brings many digits
    if lam == 0:
        done = history[-1] <= enough
        return (w if done else certificates.settle(look, w, history)[0]).reshape(shape), history
    if size > WIDE and at_least is None:
        at = w.reshape(shape), g.reshape(shape), history[-1], lam
        if certificates.excess_by_penalty(look, *at, certificates.softmax_residuals) <= near_enough(history[-1]):
            return w.reshape(shape), history
    return certificates.certified(look, w, g, metric, history, at_least).reshape(shape), history


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


def by_gradients(look, lam, offset, n_classes, history):
    """L-BFGS in coordinates in which the features have unit covariance.

    At 0, where all classes are equally likely, the Hessian is block diagonal but for the gauge, with X'X / (n k) + lam
    for every class: one small inverse.
    """
    rows = look.rows
    (G,) = rows.total(lambda X, y, w: (_gram(X, w, offset),))
    G /= rows.n * n_classes
    G.flat[: rows.d * (len(G) + 1) : len(G) + 1] += lam
    metric = kept_hessian.Metric(kept_hessian.inverse(G), memory=10)
    return kept_hessian.without_hessian(look, metric, history, lam, BY_GRADIENTS)


def _gram(X, w, offset):
    """A'A for the rows sqrt(w) (x, 1), or sqrt(w) x without an offset."""
    A = np.column_stack([X, np.ones(len(X))])[:, : X.shape[1] + offset]
    A *= np.sqrt(np.broadcast_to(w, len(X)))[:, None]
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
