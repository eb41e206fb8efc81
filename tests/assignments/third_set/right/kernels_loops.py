import math

import numpy as np

from linclass.representer import KernelDescent


def table(f, X, Z):
    return np.array([[f(x, z) for z in Z] for x in X])


def linear_kernel(X, Z):
    return table(lambda x, z: sum(a * b for a, b in zip(x, z)), X, Z)


def polynomial_kernel(X, Z, degree, constant):
    return table(lambda x, z: (float(x @ z) + constant) ** degree, X, Z)


def rbf_kernel(X, Z, tau):
    return table(lambda x, z: math.exp(-(math.dist(x, z) ** 2) / (2 * tau**2)), X, Z)


def min_kernel(x, z):
    return table(min, x, z)


def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    m = len(y)
    total = 0.0
    for i in range(m):
        s = sum(K[i, j] * alpha[j] for j in range(m))
        total += loss.value(s + theta_0, y[i]) / m + lam / 2 * alpha[i] * s
    return total


def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    m = len(y)
    gradient = np.zeros(m)
    for i in range(m):
        s = K[i] @ alpha + theta_0
        gradient += (loss.slope(s, y[i]) / m + lam * alpha[i]) * K[i]
    return gradient


def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    slope = loss.slope(sum(k * a for k, a in zip(K[:, i], alpha)), y[i])
    new = []
    for j in range(len(y)):
        new.append(alpha[j] - eta * (slope + len(y) * lam * alpha[i]) * K[j, i])
    return np.array(new)


def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    if step is None:
        step = kernel_sgd_step
    alpha, history = np.zeros(len(y)), []
    t = 0
    while t < steps:
        t += 1
        i = rng.integers(len(y))
        alpha = step(alpha, i, K, y, loss, lam, eta(t) if callable(eta) else eta)
        if t % len(y) == 0 or t == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, steps, np.array(history), "done")
