"""Support vector machines.

To write: lam_from_C, C_from_lam, slacks, margin_width, dual_objective, quadratic_program.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check svm.py
"""

import numpy as np


def lam_from_C(C, n):
    """lam = 1 / (n C): our risk has the same minimiser as C times the summed
    loss plus |theta|^2 / 2.

    C is scikit-learn's in LogisticRegression, LinearSVC (hinge) and SVC. With
    weights, n is their sum.
    """
    return (n * C) ** -1


def C_from_lam(lam, n):
    """C = 1 / (n lam), the inverse of `lam_from_C`."""
    return lam_from_C(lam, n)


def slacks(theta, theta_0, X, y):
    """xi = max(0, 1 - z): 0 on the safe side, up to 1 inside the margin, above
    1 on the wrong side.
    """
    margins = y * (X.dot(theta) + theta_0)
    return np.clip(1 - margins, 0, None)


def margin_width(theta):
    """2 / |theta|: the distance between the lines of score -1 and +1."""
    return 2 / np.sqrt(theta.dot(theta))


def dual_objective(dual, K, y):
    """sum dual - 1/2 (dual y)' K (dual y), with K the Gram matrix of the
    examples.
    """
    # dual has an entry per example, K a row and a column per example
    Q = np.outer(y, y) * K
    return np.sum(dual) - dual.dot(Q).dot(dual) / 2


def quadratic_program(X, y, C):
    """The slack form in standard form: H, c, A, b of  minimise 1/2 v' H v + c . v  subject to  A v <= b.

    v = (theta, theta_0, xi) has d + 1 + n entries; the 2n rows of A say 1 - xi_t <= z_t, then xi_t >= 0.
    """
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), C * np.ones(n)]
    signed = np.c_[X, np.ones(n)] * y[:, np.newaxis]
    upper = np.c_[-signed, -np.eye(n)]
    lower = np.c_[np.zeros((n, d + 1)), -np.eye(n)]
    return H, c, np.r_[upper, lower], np.r_[-np.ones(n), np.zeros(n)]
