"""Support vector machines: block matrices, einsum and an eigen-decomposition for the quadratic form."""

import numpy as np


def lam_from_C(C, n):
    return (n * C) ** -1.0


def C_from_lam(lam, n):
    return lam_from_C(lam, n)  # the map is its own inverse


def slacks(theta, theta_0, X, y):
    z = np.einsum("t,tj,j->t", y, X, theta) + y * theta_0
    # max(0, u) = (u + |u|) / 2
    u = 1 - z
    return (u + np.abs(u)) / 2


def margin_width(theta):
    return 2 / np.linalg.norm(theta)


def dual_objective(dual, K, y):
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    coordinates = vectors.T @ (dual * y)
    return np.sum(dual) - 0.5 * np.einsum("i,i,i->", values, coordinates, coordinates)


def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(1 + n)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    signed = y[:, None] * np.c_[X, np.ones(n)]
    A = np.block([[-signed, -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    b = np.r_[-np.ones(n), np.zeros(n)]
    return H, c, A, b
