"""Kernels pair by pair, and descent with the gradient written as a vector."""

import numpy as np

from linclass.representer import KernelDescent


def table(k, X, Z):
    return np.array([[k(x, z) for z in Z] for x in X])


def linear_kernel(X, Z):
    return table(np.dot, X, Z)


def polynomial_kernel(X, Z, degree, constant):
    return table(lambda x, z: (x @ z + constant) ** degree, X, Z)


def rbf_kernel(X, Z, tau):
    return table(lambda x, z: np.exp(-np.sum((x - z) ** 2) / (2 * tau**2)), X, Z)


def min_kernel(x, z):
    return np.array([[min(a, b) for b in z] for a in x])


def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    s = K.dot(alpha) + theta_0
    return np.sum(loss.value(s, y)) / len(y) + lam * alpha.dot(K).dot(alpha) / 2


def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    slopes = loss.slope(K.dot(alpha) + theta_0, y)
    return K.T.dot(slopes) / len(y) + lam * K.dot(alpha)


def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    column = K[:, i]
    gradient = loss.slope(column @ alpha, y[i]) * column + len(alpha) * lam * alpha[i] * column
    return alpha - eta * gradient


def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    alpha, history, one = np.zeros(len(y)), [], step or kernel_sgd_step
    for t in range(steps):
        size = eta(t + 1) if callable(eta) else eta
        alpha = one(alpha, rng.integers(len(y)), K, y, loss, lam, size)
        if (t + 1) % len(y) == 0 or t + 1 == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, steps, np.array(history), "done")
