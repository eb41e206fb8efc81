"""What the fast logistic and softmax fits share: a minimum by the shape of the data, what proves it, and what is said.

Of sparse rows only products are taken, by gradients alone, and a Hessian only where there are few columns. Coordinates
in which columns are of one size would make them dense, so `careful_newton` has no place there: where the certificate
does not hold, the answer says so.
"""

import contextlib
import math

import numpy as np

from linclass import separability
from linclass._fast import block_sums, careful_newton, certificates, kept_hessian
from linclass._fast.kept_hessian import Metric, NotRegular
from linclass._fast.precise import EPS
from linclass.fit import SEPARABLE

FEW = 1000  # unknowns of which a Hessian of sparse rows is made: 8 MB; chosen
MEMORY = 10  # steps that gradients alone remember (measured)
IN_A_GRAM = 10  # rows to a column: their Gram matrix is about within a factor of 2 of all (Marchenko and Pastur 1967)
GLANCE, CHANCE = 512, 1.5  # rows that show whether columns go together at all, and how much more often than by chance
SQUARE = 6  # times as many numbers in a row of scores as rows may a covariance have, or it costs too much (measured)
RIDGE = 1e-6  # of its diagonal, added to a Gram matrix that only guides the way: chosen
OPEN = "the certificate does not hold: rescale the columns, or take a larger lam"
OPEN_AT_0 = (
    "nothing proves a minimum: the data may be separable, or some columns too large or too alike; "
    "rescale them, or take lam > 0"
)


def fit(rows, lam, offset, minimise, look):
    """(W, history, trouble or None, Hessian, T): a row (theta, theta_0) for each class, or one for two.

    The Hessian, where it is known, is one of parameters u with (theta, theta_0) = T u; without T, of these themselves.
    minimise(rows, lam, offset) may raise NotRegular, or give (parameters, history, trouble, Hessian); look(rows, lam,
    offset) is the risk of rows.
    """
    try:
        w, history, trouble, H = minimise(rows, lam, offset)
        W = w.reshape(-1, rows.d + offset)
        if lam == 0 and history[-1] <= rows.no_mistake:
            if not (rows.sparse or all_apart(rows, W)):
                raise NotRegular
            trouble, H = SEPARABLE.format("completely"), None
        return W, history, trouble, H, None
    except (NotRegular, np.linalg.LinAlgError):
        rows.check()
    k = look(rows, lam, offset).classes
    found = careful_newton.fit(rows, lam, offset, k, lambda inside: look(inside, 0.0, False))
    trouble = found.trouble
    if lam == 0 and trouble:
        signed = (lambda: signed_rows(rows.X, rows.y, offset, k)) if rows.at_hand else None
        trouble = careful_newton.separable(all_apart(rows, found.W), signed, trouble)
    return found.W, found.history, trouble, found.H, found.frame.parameter_map()


def proved(look, found, history, lam, bound=None, most=math.inf):
    """(parameters, history, trouble, Hessian) from the point, gradient and metric `found`, or a little further.

    By the `bound`, if there is one; else by a Hessian, of up to `most` unknowns. Sparse rows have used none so far: of
    up to `FEW` unknowns it comes first, for its digits.
    """
    (w, g, metric), sparse = found, look.rows.sparse
    if lam == 0 and history[-1] <= look.rows.no_mistake:
        return w, history, None, None
    if sparse and len(w) <= FEW:
        with contextlib.suppress(NotRegular):
            w, H = certificates.settle(look, w, history)
            return w, history, None, H
    if bound is not None:
        w, g, holds = certificates.further(look, w, g, metric, history, bound)
        if holds:
            return w, history, None, None
    if sparse or (len(w) > most and metric.H is None):
        return w, history, OPEN_AT_0 if lam == 0 else OPEN, None
    if lam > 0 and metric.H is not None and certificates.holds(look, metric, w, g, history[-1]):
        return w, history, None, None
    w, H = certificates.settle(look, w, history)
    return w, history, None, H


def metric_at_0(look, lam, offset):
    """The inverse Hessian at 0 of coordinates in which the features have unit covariance, or unit variance alone.

    At 0, where all classes are equally likely, a class has the Hessian c X'X / n + lam, but for the gauge: one small
    inverse. Of many rows some do. The diagonal alone is taken of sparse rows, of columns that hardly go together, and
    of so many columns that it would cost too much, or that they may go together by chance.
    """
    rows, width, k = look.rows, look.rows.d + offset, look.classes
    c = 1 / k if k > 1 else 1 / 4

    def curvature(few):
        G = few.total(lambda X, y, w: (block_sums.gram(X, w, offset),))[0] * (c / few.n)
        G.flat[:: width + 1] += look.penalty[:width]
        return G

    wide = width > rows.n or width**2 > SQUARE * rows.n * k
    if rows.sparse or wide or (rows.n > GLANCE and _hardly_correlated(curvature(rows.sample(GLANCE)), GLANCE)):
        (squares,) = rows.total(lambda X, y, w: (block_sums.squares(X, w),))
        diagonal = np.append(c * squares / rows.n + lam, c)[:width]
        return Metric(np.tile(1 / np.maximum(diagonal, np.finfo(float).tiny), k), MEMORY)
    G = curvature(rows.sample(min(rows.n, max(GLANCE, IN_A_GRAM * width))))
    diagonal = G.diagonal()
    G.flat[:: width + 1] += np.where(diagonal > 0, RIDGE * diagonal, 1.0)
    return Metric(kept_hessian.inverse(G), MEMORY)


def _hardly_correlated(G, n):
    """Are the correlations in a Gram matrix of n rows no more than chance gives, 1/n in the mean square?"""
    diagonal = G.diagonal()
    if not diagonal.min() > 0:
        return False
    return np.vdot(G / diagonal, G / diagonal[:, None]) - len(G) <= CHANCE * len(G) ** 2 / n


@np.errstate(over="ignore", invalid="ignore")
def all_apart(rows, W):
    """Is the right class ahead of every other on every row, by more than rounding?"""
    U = W if len(W) > 1 else np.vstack([W, -W]) / 2

    def behind(X, y, w):
        right, S = certificates.numbers(y, W)[:, None], block_sums.scores(X, U)
        lead = np.take_along_axis(S, right, axis=1) - np.where(right == np.arange(len(U)), -np.inf, S)
        bound = np.max(block_sums.scores(abs(X), np.abs(U)), axis=1, keepdims=True)
        return (not (lead > 2 * (rows.d + 2) * EPS * bound).all(),)

    return not rows.largest(behind)[0]


def signed_rows(X, y, offset, k):
    """A row (e_y - e_k) (x) (x, 1) for every example and every wrong class k: its product with Theta is the lead."""
    if k == 1:
        return separability.signed_rows(X, y, offset)
    A, E = separability.signed_rows(X, np.ones(len(X)), offset), np.eye(k)
    leads = E[y][:, None, :] - E[None, :, :]
    rows = (leads[..., None] * A[:, None, None, :]).reshape(len(y), k, -1)
    return rows[np.arange(k) != y[:, None]]
