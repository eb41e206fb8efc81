import numpy as np

from linclass.fit import Minimum, Root


def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    def walk(x, points):
        if len(points) > max_steps or slope(x) == 0:
            return x, False, points
        new = x - f(x) / slope(x)
        if not np.isfinite(new):
            return x, False, points
        if abs(new - x) <= tol * (1 + abs(x)):
            return new, True, points + [new]
        return walk(new, points + [new])

    point, converged, points = walk(start, [start])
    return Root(point, converged, len(points) - 1, np.array(points))


def newton_step(gradient, hessian):
    values, vectors = np.linalg.eigh(hessian)
    keep = values > 1e-10 * values.max()
    V = vectors[:, keep]
    return -V @ ((V.T @ gradient) / values[keep])


def logistic_curvature(z):
    e = np.exp(-abs(z))
    p = 1 / (1 + e)
    return p * (e * p)


def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    c = loss.curvature(y * (X @ theta + theta_0))
    weighted = X * c[:, None]
    top = np.hstack([X.T @ weighted + n * lam * np.eye(d), weighted.sum(axis=0)[:, None]])
    bottom = np.append(weighted.sum(axis=0), c.sum())
    return np.vstack([top, bottom]) / n


def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x, converged = np.copy(start), False
    history = [value(x)]
    for _ in range(max_steps):
        g = grad(x)
        s = newton_step(g, hess(x))
        decrement = -(g @ s) / 2
        if decrement <= tol * (1 + abs(value(x))):
            converged = True
            break
        t = 1
        while value(x) - value(x + t * s) < t * decrement / 2:
            t *= 0.5
        x = x + t * s
        history.append(value(x))
    return Minimum(x, history[-1], converged, len(history) - 1, np.array(history), "")
