import numpy as np


def sigmoid(z):
    return 0.5 * (1 + np.tanh(0.5 * z))


def log_odds(p):
    with np.errstate(divide="ignore"):
        return -np.log(1 / p - 1)


def log_likelihood(theta, theta_0, X, y):
    s = X @ theta + theta_0
    chosen = np.where(y > 0, s, -s)
    return np.minimum(chosen, 0).sum() - np.log1p(np.exp(-np.abs(s))).sum()


def risk(theta, theta_0, X, y, loss, lam=0.0):
    A = np.c_[X, np.ones(len(X))] * y[:, None]
    return np.average(loss.value(A @ np.r_[theta, theta_0])) + lam * np.linalg.norm(theta) ** 2 / 2


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    A = np.c_[X, np.ones(len(X))] * y[:, None]
    w = np.r_[theta, theta_0]
    g = A.T @ loss.slope(A @ w) / len(A) + lam * np.r_[theta, 0.0]
    return g[:-1], g[-1]
