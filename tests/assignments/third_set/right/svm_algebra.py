import numpy as np


def lam_from_C(C, n):
    return np.power(C * n, -1.0)


def C_from_lam(lam, n):
    return np.power(lam * n, -1.0)


def slacks(theta, theta_0, X, y):
    gap = 1 - (X * y[:, np.newaxis]).dot(theta) - y * theta_0
    return (gap + np.abs(gap)) / 2


def margin_width(theta):
    unit = theta / np.linalg.norm(theta)
    upper, lower = theta / (theta @ theta), -theta / (theta @ theta)
    return (upper - lower) @ unit


def dual_objective(dual, K, y):
    Q = np.outer(y, y) * K
    return dual @ (np.ones(len(dual)) - Q @ dual / 2)


def quadratic_program(X, y, C):
    n, d = X.shape
    eye = np.eye(d + 1 + n)
    H = eye.copy()
    H[d:] = 0
    theta_columns, offset_column, slack_columns = eye[:d], eye[d], eye[d + 1 :]
    z = y[:, None] * (X @ theta_columns + offset_column)
    A = np.concatenate([-(z + slack_columns), -slack_columns])
    b = np.concatenate([-np.ones(n), np.zeros(n)])
    return H, C * slack_columns.sum(axis=0), A, b
