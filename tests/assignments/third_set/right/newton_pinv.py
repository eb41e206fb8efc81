import numpy as np

from linclass.fit import Minimum, Root


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, history = start, [start]
    for k in range(1, max_steps + 1):
        rise = slope(x)
        if rise == 0:
            return Root(x, False, k - 1, history)
        step = -f(x) / rise
        if not np.isfinite(x + step):
            return Root(x, False, k - 1, history)
        x = x + step
        history.append(x)
        if abs(step) / (1 + abs(x)) <= tol:
            return Root(x, True, k, history)
    return Root(x, False, max_steps, history)


def newton_step(gradient, hessian):
    return -np.linalg.pinv(hessian, hermitian=True) @ gradient


def logistic_curvature(z):
    return 0.25 * (1 - np.tanh(z / 2) ** 2)


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    A = np.insert(X, X.shape[1], 1.0, axis=1)
    c = loss.curvature(y * (X @ theta + theta_0)) / len(y)
    H = np.einsum("n,ni,nj->ij", c, A, A)
    return H + np.diag(np.append(np.full(len(theta), lam), 0.0))


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x, f = start.astype(float), value(start)
    history = [f]
    for k in range(max_steps):
        g, H = grad(x), hess(x)
        s = newton_step(g, H)
        if np.einsum("i,i", g, -s) / 2 <= tol * (1 + abs(f)):
            return Minimum(x, f, True, k, np.array(history), "converged")
        for halvings in range(200):
            t = 0.5**halvings
            if value(x + t * s) - f <= 0.25 * t * (g @ s):
                break
        x = x + t * s
        f = value(x)
        history.append(f)
    return Minimum(x, f, False, max_steps, np.array(history), "stopped")
