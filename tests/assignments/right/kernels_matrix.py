"""Kernels pair by pair, with recursion, a class of its own and np.matrix."""

import math

import numpy as np

from linclass.representer import KernelDescent


def pairs(k):
    return lambda X, Z, *p: np.array([[k(x, z, *p) for z in Z] for x in X])


@pairs
def linear_kernel(x, z):
    return sum(a * b for a, b in zip(x, z, strict=True))


def polynomial_kernel(X, Z, degree, constant):
    base = linear_kernel(X, Z) + constant
    return base * polynomial_kernel(X, Z, degree - 1, constant) if degree else np.ones_like(base)


def rbf_kernel(X, Z, tau):
    return pairs(lambda x, z: math.exp(-0.5 * math.dist(x, z) ** 2 / tau / tau))(X, Z)


min_kernel = pairs(min)


class Problem:
    def __init__(self, K, y, loss, lam, theta_0=0.0):
        self.K, self.y, self.loss, self.lam, self.b, self.m = np.asmatrix(K), y, loss, lam, theta_0, len(y)

    def scores(self, alpha):
        return (self.K * np.asmatrix(alpha).T).A1 + self.b

    def value(self, alpha):
        s = self.scores(alpha)
        fit = sum(self.loss.value(s[i], self.y[i]) for i in range(self.m)) / self.m
        return fit + self.lam * (alpha @ (s - self.b)) / 2

    def grad(self, alpha):
        s = self.scores(alpha)
        c = np.array([self.loss.slope(s[i], self.y[i]) / self.m + self.lam * alpha[i] for i in range(self.m)])
        return c * self.K


def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    return Problem(K, y, loss, lam, theta_0).value(alpha)


def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    return np.asarray(Problem(K, y, loss, lam, theta_0).grad(alpha))[0]


def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    row = K[i]
    return alpha - eta * (loss.slope(float(row @ alpha), float(y[i])) + len(alpha) * lam * alpha[i]) * row


def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    m, t, alpha, history = len(y), 1, np.zeros(len(y)), []
    while t <= steps:
        rate = eta(t) if callable(eta) else eta
        alpha = (step or kernel_sgd_step)(alpha, int(rng.integers(m)), K, y, loss, lam, rate)
        if not t % m or t == steps:
            history += [kernel_risk(alpha, K, y, loss, lam)]
        t += 1
    return KernelDescent(alpha=alpha, steps=steps, history=history, message="ok")
