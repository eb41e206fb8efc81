import numpy as np

from linclass.representer import KernelDescent


def linear_kernel(X, Z):
    return np.inner(X, Z)


def polynomial_kernel(X, Z, degree, constant):
    base = np.inner(X, Z) + constant
    out = np.ones_like(base)
    for _ in range(int(degree)):
        out = out * base
    return out


def rbf_kernel(X, Z, tau):
    squares = np.sum(X**2, axis=1)[:, None] + np.sum(Z**2, axis=1) - 2 * np.dot(X, Z.T)
    return np.exp(np.minimum(0, -squares / (2 * tau * tau)))


def min_kernel(x, z):
    a, b = x.reshape(-1, 1), z.reshape(1, -1)
    return (a + b - abs(a - b)) / 2


def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    return np.sum(loss.value(K.dot(alpha) + theta_0, y)) / len(y) + lam * alpha.dot(K).dot(alpha) / 2


def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    residual = loss.slope(K.dot(alpha) + theta_0, y) + len(y) * lam * alpha
    return K.dot(residual) / len(y)


def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    residual = np.zeros(len(y))
    residual[i] = loss.slope(K[i].dot(alpha), y[i]) + len(y) * lam * alpha[i]
    return alpha - eta * K.dot(residual)


def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    m = K.shape[0]
    alpha = np.zeros(m)
    history = []
    for t, i in enumerate((rng.integers(m) for _ in range(steps)), start=1):
        size = eta(t) if callable(eta) else eta
        alpha = (kernel_sgd_step if step is None else step)(alpha, i, K, y, loss, lam, size)
        if t == steps or t % m == 0:
            history += [kernel_risk(alpha, K, y, loss, lam)]
    return KernelDescent(alpha=alpha, steps=steps, history=np.array(history), message="all steps made")
