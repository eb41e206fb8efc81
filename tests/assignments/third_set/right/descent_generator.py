import numpy as np

from linclass.fit import Fit
from linclass.margins import LinearClassifier


def inverse_step(scale=1.0, shift=0.0):
    return lambda t: scale * (t + shift) ** -1.0


def inverse_sqrt_step(scale=1.0):
    return lambda t: scale * t**-0.5


def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    pull = np.einsum("n,n->n", loss.slope(y * (np.einsum("nd,d->n", X, theta) + theta_0)), y)
    return (1 - eta * lam) * theta - eta * np.einsum("n,nd->d", pull, X) / y.size, theta_0 - eta * pull.mean()


def batches(n, batch, sampling, rng):
    count = (n + batch - 1) // batch
    if sampling == "uniform":
        for _ in range(count):
            yield rng.integers(n, size=batch)
    else:
        yield from np.split(rng.permutation(n) if sampling == "shuffle" else np.arange(n), range(batch, n, batch))


def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    rate = eta if callable(eta) else (lambda t: eta)
    path, ends = [(np.zeros(X.shape[1]), 0.0)], []
    for _ in range(epochs):
        for rows in batches(len(y), batch, sampling, rng):
            w, b = sgd_step(*path[-1], X[rows], y[rows], loss, lam, rate(len(path)))
            path.append((w, b if offset else 0.0))
        if keep == "average":
            ends.append((np.mean([w for w, _ in path[1:]], axis=0), np.mean([b for _, b in path[1:]])))
        else:
            ends.append(path[-1])
    history = np.array([loss.value(y * (X @ w + b)).mean() + lam * (w @ w) / 2 for w, b in ends])
    w, b = ends[history.argmin()] if keep == "best" else ends[-1]
    return Fit(LinearClassifier(w, float(b)), False, len(path) - 1, history, "finished")
