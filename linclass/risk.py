"""What every learner minimises: the mean loss over the data plus lam/2 |theta|^2, and its derivatives.

    risk(theta, theta_0) = 1/n sum_t phi(y_t (theta . x_t + theta_0)) + lam/2 |theta|^2

The offset theta_0 is never penalised. Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.
"""

import numpy as np

from linclass import margins
from linclass._checks import takes

__all__ = ["as_functions", "risk", "risk_grad", "risk_hess"]


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
