"""What every learner minimises: the mean loss over the data plus lam/2 |theta|^2, and its derivatives.

    risk(theta, theta_0) = 1/n sum_t phi(y_t (theta . x_t + theta_0)) + lam/2 |theta|^2

With weights w_t >= 0 the mean is sum_t w_t phi(z_t) / sum_t w_t: pass `losses.weighted(loss, w)` for the loss.
The offset theta_0 is never penalised. Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.
"""

import dataclasses

import numpy as np

from linclass import margins
from linclass._checks import takes

__all__ = ["as_functions", "block_sums", "risk", "risk_grad", "risk_hess"]


@takes(theta="d", X="n d", theta_0="", y="n signs", loss="loss", lam=">= 0")
def risk(theta, theta_0, X, y, loss, lam=0.0):
    """Mean loss of the margins plus lam/2 |theta|^2.

    Book: eq-risk.
    """
    z = margins.margins(theta, theta_0, X, y)
    return float(np.mean(loss.value(z)) + lam / 2 * theta @ theta)


@takes(theta="d", X="n d", theta_0="", y="n signs", loss="loss", lam=">= 0")
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    """(gradient in theta, derivative in theta_0): the mean of slope y x plus
    lam theta, and the mean of slope y.

    Book: eq-risk-grad.
    """
    z = margins.margins(theta, theta_0, X, y)
    w = loss.slope(z) * y / len(z)
    return X.T @ w + lam * theta, float(w.sum())


@takes(theta="d", X="n d", theta_0="", y="n signs", loss="loss", lam=">= 0")
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    """The (d+1, d+1) Hessian in (theta, theta_0): the mean of curvature
    (x, 1)(x, 1)' plus lam on theta's diagonal.

    Book: eq-risk-hess.
    """
    z = margins.margins(theta, theta_0, X, y)
    w = loss.curvature(z) / len(z)
    A = np.column_stack([X, np.ones(len(z))])
    penalty = np.diag(np.append(np.full(len(theta), lam), 0.0))
    return A.T @ (w[:, None] * A) + penalty


@takes(X="n d", y="n signs", loss="loss", lam=">= 0")
def as_functions(X, y, loss, lam=0.0):
    """The risk, its gradient and its Hessian as functions of one vector
    (theta, theta_0), offset last.

    This is the form that `gradient_descent` and `newton` take:
    `newton(*as_functions(X, y, LOGISTIC), start)`.
    """
    return (
        lambda u: risk(u[:-1], u[-1], X, y, loss, lam),
        lambda u: np.append(*risk_grad(u[:-1], u[-1], X, y, loss, lam)),
        lambda u: risk_hess(u[:-1], u[-1], X, y, loss, lam),
    )


@takes(theta="d", X="n d", theta_0="", y="n signs", loss="loss")
def block_sums(theta, theta_0, X, y, loss):
    """(sum of the losses, its gradient, its Hessian) over a block of examples,
    offset last: what blocks can add up, wherever they are.

    Book: eq-block-sums.
    """
    n, at = len(y), (theta, theta_0, X, y, loss)
    return n * risk(*at), n * np.append(*risk_grad(*at)), n * risk_hess(*at)


def over_rows(rows, block, lam, offset, classes=1):
    """`mean_of_sums` for the rows of a source, wherever they are: block(U, X, y) are the sums over some of them."""

    def sums(U):
        return rows.total(lambda X, y, w: by_weight(lambda X, y: block(U, X, y), X, y, w))

    return mean_of_sums(sums, rows.n, rows.d, lam, offset, classes)


def by_weight(sums, X, y, w):
    """sums(X, y), a tuple of sums over examples, each of which counts w times: those of one weight after another."""
    if np.ndim(w) == 0:
        return sums(X, y)
    parts = ([weight * part for part in sums(X[w == weight], y[w == weight])] for weight in np.unique(w))
    return tuple(sum(part) for part in zip(*parts, strict=True))


def mean_of_sums(sums, n, d, lam, offset, classes=1):
    """(value, grad, hess) of 1/n sums + lam/2 |theta|^2 as functions of a vector, class by class.

    sums(U) gives all three at the matrix U with a row (theta, theta_0) for each class. Without an offset its last
    column is 0, and not in the vector.
    """
    kept = np.tile(np.arange(d + 1) < d + offset, classes)
    penalty = np.tile(np.append(np.full(d, lam), 0.0), classes)[kept]

    def at(u):
        U = np.zeros((classes, d + 1))
        np.place(U, kept, u)
        total, g, H = sums(U)
        value = total / n + penalty @ u**2 / 2
        return value, g[kept] / n + penalty * u, H[np.ix_(kept, kept)] / n + np.diag(penalty)

    return in_three(at)


def in_three(at):
    """(value, grad, hess) from one function that gives all three at a point: they share its last answer."""
    at = remembered(at)
    return lambda u: at(u)[0], lambda u: at(u)[1], lambda u: at(u)[2]


def remembered(function):
    """The same function of a vector, which looks up its last answer when it is asked for it again."""
    last = {}

    def at(x):
        key = x.tobytes()
        if key not in last:
            last.clear()
            last[key] = function(x)
        return last[key]

    return at


def reach(rows):
    """A function of H^-1: the most by which a margin can change along a step of length 1 in the norm of H."""

    def longest(X, inverse):
        A = np.column_stack([X, np.ones(len(X))])[:, : len(inverse)]
        return (np.max(np.einsum("ij,ij->i", A @ inverse, A)),)

    return lambda inverse: float(np.sqrt(max(0.0, *rows.largest(lambda X, y, w: longest(X, inverse)))))


def in_the_span(rows):
    """(rows of no more columns than there are rows, a function that takes their parameters back).

    By the representer theorem theta = X' alpha, so it lies in the span of the examples: with X' = Q R it is Q u, of the
    same length as u, and the scores are those of u on the rows of R'. Few columns, or rows elsewhere, stay as they are.
    """
    if not rows.at_hand or rows.d <= rows.n:
        return rows, lambda u: u
    Q, R = np.linalg.qr(rows.X.T)
    return dataclasses.replace(rows, X=R.T), lambda u: np.append(Q @ u[: rows.n], u[rows.n :])
