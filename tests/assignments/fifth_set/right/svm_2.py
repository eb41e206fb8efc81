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
    product = n * C
    return 1.0 / product


def C_from_lam(lam, n):
    """C = 1 / (n lam), the inverse of `lam_from_C`."""
    return 1.0 / n / lam


def slacks(theta, theta_0, X, y):
    """xi = max(0, 1 - z): 0 on the safe side, up to 1 inside the margin, above
    1 on the wrong side.
    """
    xi = []
    for t in range(len(y)):
        z = y[t] * (np.dot(theta, X[t]) + theta_0)
        if z >= 1:
            xi.append(0.0)
        else:
            xi.append(1 - z)
    return np.array(xi)


def margin_width(theta):
    """2 / |theta|: the distance between the lines of score -1 and +1."""
    total = 0.0
    for w in theta:
        total += w * w
    return 2 / total**0.5


def dual_objective(dual, K, y):
    """sum dual - 1/2 (dual y)' K (dual y), with K the Gram matrix of the
    examples.
    """
    # dual has an entry per example, K a row and a column per example
    n = len(dual)
    value = 0.0
    for i in range(n):
        value += dual[i]
        for j in range(n):
            value -= 0.5 * dual[i] * y[i] * K[i][j] * dual[j] * y[j]
    return value


def quadratic_program(X, y, C):
    """The slack form in standard form: H, c, A, b of  minimise 1/2 v' H v + c . v  subject to  A v <= b.

    v = (theta, theta_0, xi) has d + 1 + n entries; the 2n rows of A say 1 - xi_t <= z_t, then xi_t >= 0.
    """
    n, d = X.shape
    size = d + 1 + n
    H = np.zeros((size, size))
    for j in range(d):
        H[j, j] = 1
    c = np.zeros(size)
    A = np.zeros((2 * n, size))
    b = np.zeros(2 * n)
    for t in range(n):
        c[d + 1 + t] = C
        for j in range(d):
            A[t, j] = -y[t] * X[t, j]
        A[t, d] = -y[t]
        A[t, d + 1 + t] = -1
        b[t] = -1
        A[n + t, d + 1 + t] = -1
    return H, c, A, b
