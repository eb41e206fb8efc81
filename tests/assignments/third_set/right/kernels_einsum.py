import numpy as np

from linclass.representer import KernelDescent


def linear_kernel(X, Z):
    return np.einsum("nd,kd->nk", X, Z)


def polynomial_kernel(X, Z, degree, constant):
    return np.power(np.einsum("nd,kd->nk", X, Z) + constant, degree)


def rbf_kernel(X, Z, tau):
    gap = (X[:, None] - Z[None]) / tau
    return np.exp(-0.5 * np.einsum("nkd,nkd->nk", gap, gap))


def min_kernel(x, z):
    return np.minimum.outer(x, z)


def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    s = np.einsum("ij,j->i", K, alpha)
    return loss.value(s + theta_0, y).mean() + 0.5 * lam * np.einsum("i,i", alpha, s)


def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    s = K @ alpha
    return np.einsum("ij,j->i", K, loss.slope(s + theta_0, y)) / y.size + lam * s


def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    column = K[:, i]
    return alpha - eta * column * (loss.slope(column @ alpha, y[i]) + y.size * lam * alpha[i])


def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    step, rate = step or kernel_sgd_step, eta if callable(eta) else (lambda t: eta)
    path = [np.zeros(len(K))]
    for t in range(1, steps + 1):
        path.append(step(path[-1], int(rng.integers(len(K))), K, y, loss, lam, rate(t)))
    marks = sorted({*range(len(K), steps + 1, len(K)), steps} - {0})
    history = np.array([kernel_risk(path[t], K, y, loss, lam) for t in marks])
    return KernelDescent(path[-1], steps, history, "")
