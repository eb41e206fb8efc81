"""Kernels.

To write: linear_kernel, polynomial_kernel, rbf_kernel, min_kernel, kernel_risk, kernel_risk_grad, kernel_sgd_step,
kernel_sgd.
Given: NumPy, and the result object KernelDescent(alpha, steps, history, message). Nothing else may be imported but
the standard library.
Shapes: X (n, d), Z (k, d), the answer (n, k); with Z = X it is the Gram matrix, symmetric and positive
semidefinite. K (m, m), alpha (m,), y (m,).

Check your work with: python -m linclass.assignments check kernels.py
"""

import numpy as np

from linclass.representer import KernelDescent


def linear_kernel(X, Z):
    """x . z, the kernel whose features are the inputs themselves."""
    return X @ Z.T


def polynomial_kernel(X, Z, degree, constant):
    """(x . z + constant)^degree with constant >= 0: all products of up to
    `degree` inputs as features.
    """
    return (X @ Z.T + constant) ** degree


def rbf_kernel(X, Z, tau):
    """exp(-|x - z|^2 / (2 tau^2)): near 1 for neighbours, near 0 beyond a few
    bandwidths tau.
    """
    sq = np.sum(X**2, axis=1)[:, None] + np.sum(Z**2, axis=1) - 2 * X @ Z.T
    return np.exp(-np.maximum(sq, 0) / (2 * tau**2))


def min_kernel(x, z):
    """min(x, z) for all pairs of two vectors of non-negative numbers.

    Its features are steps: phi(x)(t) = 1 for t <= x, and the integral over t of phi(x)(t) phi(z)(t) is min(x, z).
    On negative numbers it is not a kernel: min(-1, -1) = -1 would be the squared length of phi(-1).
    """
    return np.minimum(x[:, None], z)


def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    """1/m sum_i L((K alpha)_i + theta_0, y_i) + lam/2 alpha' K alpha."""
    # loss.value(s, y) and loss.slope(s, y) are given, for arrays and for single numbers
    return np.mean(loss.value(K @ alpha + theta_0, y)) + lam / 2 * alpha @ K @ alpha


def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    """The gradient in alpha: K (L' / m + lam alpha), with L' the slopes at the
    scores.
    """
    # loss.value(s, y) and loss.slope(s, y) are given, for arrays and for single numbers
    slopes = loss.slope(K @ alpha + theta_0, y)
    return K @ (slopes / len(y) + lam * alpha)


def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    """alpha - eta (L'(K_i . alpha, y_i) K_i + m lam alpha_i K_i), with K_i
    column i of the Gram matrix.

    The mean of the bracket over i is the gradient of the kernel risk: that is
    what the factor m is for.
    """
    # loss.value(s, y) and loss.slope(s, y) are given, for arrays and for single numbers
    k = K[:, i]
    return alpha - eta * (loss.slope(k @ alpha, y[i]) + len(y) * lam * alpha[i]) * k


def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    """Stochastic gradient descent on the kernel risk from alpha = 0, without an offset.

    For t = 1, …, steps: i = rng.integers(m), then `kernel_sgd_step` with eta_t = eta(t), or eta itself if a number.
    `step=functional_step` takes the other form. The factor m in the step makes it unstable unless lam is small.
    """
    # return KernelDescent(alpha, steps, history, message): history is the kernel risk after every m steps and at the
    # end, message any text; `step`, if given, is called as kernel_sgd_step is (the checks leave it None)
    m = len(y)
    one = kernel_sgd_step if step is None else step
    alpha = np.zeros(m)
    history = []
    for t in range(1, steps + 1):
        i = rng.integers(m)
        rate = eta(t) if callable(eta) else eta
        alpha = one(alpha, i, K, y, loss, lam, rate)
        if t % m == 0 or t == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, steps, np.array(history), "all steps made")
