import numpy as np


def lam_from_C(C, n):
    return 1.0 / (n * C)


def C_from_lam(lam, n):
    return lam_from_C(lam, n)


def slacks(theta, theta_0, X, y):
    return np.clip(1 - y * (np.einsum("nd,d->n", X, theta) + theta_0), 0, None)


def margin_width(theta):
    return 2 * np.einsum("d,d->", theta, theta) ** -0.5


def dual_objective(dual, K, y):
    return np.einsum("i->", dual) - np.einsum("i,i,ij,j,j->", dual, y, K, y, dual) / 2


def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.repeat([1.0, 0.0], [d, n + 1]))
    c = np.repeat([0.0, C], [d + 1, n])
    affine = np.hstack([X, np.ones((n, 1))])
    upper = np.hstack([-np.einsum("n,nd->nd", y, affine), -np.identity(n)])
    lower = np.hstack([np.zeros((n, d + 1)), -np.identity(n)])
    return H, c, np.vstack([upper, lower]), np.repeat([-1.0, 0.0], n)
