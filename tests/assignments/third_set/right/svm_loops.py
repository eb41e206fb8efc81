import math

import numpy as np


def lam_from_C(C, n):
    return (1 / n) / C


def C_from_lam(lam, n):
    return (1 / n) / lam


def slacks(theta, theta_0, X, y):
    out = []
    for x, label in zip(X, y):
        z = label * (float(np.dot(theta, x)) + theta_0)
        out.append(1 - z if z < 1 else 0.0)
    return np.array(out)


def margin_width(theta):
    return 2 / math.sqrt(sum(v * v for v in theta))


def dual_objective(dual, K, y):
    total = 0.0
    for i in range(len(y)):
        total += dual[i]
        for j in range(len(y)):
            total -= dual[i] * dual[j] * y[i] * y[j] * K[i, j] / 2
    return total


def quadratic_program(X, y, C):
    n, d = X.shape
    size = d + 1 + n
    H, c = np.zeros((size, size)), np.zeros(size)
    A, b = np.zeros((2 * n, size)), np.zeros(2 * n)
    for j in range(d):
        H[j, j] = 1
    for t in range(n):
        c[d + 1 + t] = C
        for j in range(d):
            A[t, j] = -y[t] * X[t, j]
        A[t, d] = -y[t]
        A[t, d + 1 + t] = -1
        b[t] = -1
        A[n + t, d + 1 + t] = -1
    return H, c, A, b
