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
    return np.einsum("id,jd->ij", X, Z)


def polynomial_kernel(X, Z, degree, constant):
    """(x . z + constant)^degree with constant >= 0: all products of up to
    `degree` inputs as features.
    """
    return np.power(constant + linear_kernel(X, Z), degree)


def rbf_kernel(X, Z, tau):
    """exp(-|x - z|^2 / (2 tau^2)): near 1 for neighbours, near 0 beyond a few
    bandwidths tau.
    """
    diff = X[:, np.newaxis, :] - Z[np.newaxis, :, :]
    return np.exp(-0.5 * ((diff / tau) ** 2).sum(axis=-1))


def min_kernel(x, z):
    """min(x, z) for all pairs of two vectors of non-negative numbers.

    Its features are steps: phi(x)(t) = 1 for t <= x, and the integral over t of phi(x)(t) phi(z)(t) is min(x, z).
    On negative numbers it is not a kernel: min(-1, -1) = -1 would be the squared length of phi(-1).
    """
    return np.minimum.outer(x, z)


def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    """1/m sum_i L((K alpha)_i + theta_0, y_i) + lam/2 alpha' K alpha."""
    # loss.value(s, y) and loss.slope(s, y) are given, for arrays and for single numbers
    f = K.dot(alpha)
    data = loss.value(f + theta_0, y).sum() / y.size
    return data + 0.5 * lam * f.dot(alpha)


def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    """The gradient in alpha: K (L' / m + lam alpha), with L' the slopes at the
    scores.
    """
    # loss.value(s, y) and loss.slope(s, y) are given, for arrays and for single numbers
    f = K.dot(alpha)
    return K.dot(loss.slope(f + theta_0, y)) / y.size + lam * f


def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    """alpha - eta (L'(K_i . alpha, y_i) K_i + m lam alpha_i K_i), with K_i
    column i of the Gram matrix.

    The mean of the bracket over i is the gradient of the kernel risk: that is
    what the factor m is for.
    """
    # loss.value(s, y) and loss.slope(s, y) are given, for arrays and for single numbers
    column = K[:, i]
    from_loss = loss.slope(column.dot(alpha), y[i]) * column
    from_penalty = K.shape[0] * lam * alpha[i] * column
    return alpha - eta * (from_loss + from_penalty)


def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    """Stochastic gradient descent on the kernel risk from alpha = 0, without an offset.

    For t = 1, …, steps: i = rng.integers(m), then `kernel_sgd_step` with eta_t = eta(t), or eta itself if a number.
    `step=functional_step` takes the other form. The factor m in the step makes it unstable unless lam is small.
    """
    # return KernelDescent(alpha, steps, history, message): history is the kernel risk after every m steps and at the
    # end, message any text; `step`, if given, is called as kernel_sgd_step is (the checks leave it None)
    m = y.size
    rate = eta if callable(eta) else (lambda t: eta)
    take = step or kernel_sgd_step
    alpha, history = np.zeros(m), []
    for t in range(steps):
        alpha = take(alpha, int(rng.integers(m)), K, y, loss, lam, rate(t + 1))
        if (t + 1) % m == 0 or t + 1 == steps:
            history += [kernel_risk(alpha, K, y, loss, lam)]
    return KernelDescent(alpha, steps, np.array(history), f"{steps} steps")
