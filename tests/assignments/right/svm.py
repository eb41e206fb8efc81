"""Entry by entry."""

import numpy as np


def lam_from_C(C, n):
    return 1 / C / n


def C_from_lam(lam, n):
    return (n * lam) ** -1


def slacks(theta, theta_0, X, y):
    return np.array([max(0.0, 1 - label * (x @ theta + theta_0)) for x, label in zip(X, y, strict=True)])


def margin_width(theta):
    return 2 / np.sqrt(np.sum(np.square(theta)))


def dual_objective(dual, K, y):
    quadratic = np.einsum("i,j,i,j,ij->", dual, dual, y, y, K)
    return np.sum(dual) - 0.5 * quadratic


def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.zeros((d + 1 + n, d + 1 + n))
    H[:d, :d] = np.eye(d)
    c = np.zeros(d + 1 + n)
    c[d + 1 :] = C
    A, b = np.zeros((2 * n, d + 1 + n)), np.zeros(2 * n)
    for t in range(n):
        A[t, :d], A[t, d], A[t, d + 1 + t], b[t] = -y[t] * X[t], -y[t], -1, -1
        A[n + t, d + 1 + t] = -1
    return H, c, A, b
