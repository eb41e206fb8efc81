import numpy as np

from linclass.fit import Fit
from linclass.margins import LinearClassifier


def inverse_step(scale=1.0, shift=0.0):
    class Rule:
        def __call__(self, t):
            return scale / (shift + t)

    return Rule()


def inverse_sqrt_step(scale=1.0):
    return lambda t: scale / np.sqrt(t)


def gradient(w, A, loss, lam):
    g = A.T @ loss.slope(A @ w) / len(A)
    g[:-1] += lam * w[:-1]
    return g


def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    A = np.column_stack([X, np.ones(len(y))]) * y[:, None]
    w = np.append(theta, theta_0)
    w = w - eta * gradient(w, A, loss, lam)
    return w[:-1], w[-1]


def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    A = np.column_stack([X, np.full(n, 1.0 if offset else 0.0)]) * y[:, None]
    w = np.zeros(d + 1)
    mean, best, history, t = np.zeros(d + 1), None, [], 0
    for _ in range(epochs):
        order = np.arange(n)
        if sampling == "shuffle":
            order = rng.permutation(n)
        for start in range(0, n, batch):
            t += 1
            if sampling == "uniform":
                rows = rng.integers(n, size=batch)
            else:
                rows = order[start : start + batch]
            step = eta(t) if callable(eta) else eta
            w = w - step * gradient(w, A[rows], loss, lam)
            mean = ((t - 1) * mean + w) / t
        shown = mean if keep == "average" else w
        history.append(np.mean(loss.value(A @ shown)) + lam / 2 * shown[:-1] @ shown[:-1])
        if best is None or history[-1] < best[0]:
            best = history[-1], w
    answer = {"best": best[1], "last": w, "average": mean}[keep]
    return Fit(LinearClassifier(answer[:-1], float(answer[-1])), False, t, history, "")
