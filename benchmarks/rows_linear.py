"""Rows for logistic and softmax regression, the perceptron, imports and memory."""

import functools
import subprocess
import sys
import warnings

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Perceptron

from benchmarks.harness import Race, row
from linclass import datasets, logistic, perceptron, softmax

TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)  # loose ones first


@functools.lru_cache(maxsize=1)
def logistic_data(n, d, spread=1.0):
    """Gaussian features, scales from 1 to `spread`, labels from a logistic model on the unscaled ones."""
    rng = np.random.default_rng(0)
    theta = 2 * rng.standard_normal(d) / np.sqrt(d)
    X, y = datasets.logistic_sample(theta, 0.0, n, rng)
    X *= np.logspace(0, np.log10(spread), d)
    return X, y


@functools.lru_cache(maxsize=1)
def words(n=10_000, d=50_000, count=80):
    """Sparse rows of length 1 with `count` words each, some words far more frequent than others, and noisy labels."""
    rng = np.random.default_rng(0)
    columns = (d * rng.random((n, count)) ** 3).astype(np.int32)
    starts = np.arange(0, columns.size + 1, count, dtype=np.int32)
    X = sparse.csr_array((np.ones(columns.size), columns.ravel(), starts), shape=(n, d))
    X.sum_duplicates()
    X.data /= np.repeat(np.sqrt((X * X).sum(axis=1)), np.diff(X.indptr))
    score = X @ (2 * rng.standard_normal(d))
    return X, np.where(score + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)


def softmax_data(n, d, n_classes):
    """Gaussian features, labels from a softmax model."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    S = X @ rng.standard_normal((d, n_classes)) * 2 / np.sqrt(d)
    return X, np.argmax(S + rng.gumbel(size=S.shape), axis=1)


def scikit_fit(X, y, solver, tol):
    """scikit-learn's fit at C = 1, which is lam = 1/n, without an intercept."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LogisticRegression(C=1.0, solver=solver, tol=tol, max_iter=10_000, fit_intercept=False).fit(X, y).coef_


def logistic_race(X, y, solver, tolerances=TOLERANCES):
    """fit_logistic against LogisticRegression at lam = 1/n."""
    lam = 1 / len(y)

    def objective(theta):
        return np.mean(np.logaddexp(0, -y * (X @ theta))) + lam / 2 * theta @ theta

    return Race(
        ours=lambda: logistic.fit_logistic(X, y, lam=lam, offset=False).model.theta,
        peers=[functools.partial(lambda tol: scikit_fit(X, y, solver, tol)[0], tol) for tol in tolerances],
        objective=objective,
    )


@row("logistic-1e5x50", "logistic, 1e5 x 50, lam = 1/n", "lbfgs", must=2.2, aim=4, rounds=15, quick=True)
def _():
    return logistic_race(*logistic_data(100_000, 50), "lbfgs")


@row("logistic-1e5x50-cholesky", "logistic, 1e5 x 50, lam = 1/n", "newton-cholesky", must=7, aim=10)
def _():
    return logistic_race(*logistic_data(100_000, 50), "newton-cholesky", TOLERANCES[:5])


@row("logistic-1e6x20", "logistic, 1e6 x 20", "lbfgs", must=3.5, aim=5, rounds=5)
def _():
    return logistic_race(*logistic_data(1_000_000, 20), "lbfgs", TOLERANCES[1:5])


@row("logistic-scaled", "logistic, features scaled 100:1, 1e5 x 50", "lbfgs", must=50, aim=100, rounds=3)
def _():
    return logistic_race(*logistic_data(100_000, 50, 100.0), "lbfgs", (1e-3, 1e-4, 1e-5, 1e-6))


@row("mle-1e5x50", "unregularised MLE, 1e5 x 50", "statsmodels Logit", must=10, aim=30, rounds=5)
def _():
    import statsmodels.api as sm

    X, y = logistic_data(100_000, 50)
    binary = (y + 1) / 2

    def peer(tol):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return sm.Logit(binary, X).fit(disp=0, tol=tol).params

    return Race(
        ours=lambda: logistic.fit_logistic(X, y, offset=False).model.theta,
        peers=[functools.partial(peer, tol) for tol in (1e-2, 1e-4, 1e-8)],
        objective=lambda theta: np.mean(np.logaddexp(0, -y * (X @ theta))),
    )


@row("logistic-2000x500", "logistic, 2000 x 500", "lbfgs", must=0.9, aim=1.5, rounds=41, quick=True)
def _():
    return logistic_race(*logistic_data(2000, 500), "lbfgs")


@row("logistic-200x2000", "logistic, 200 x 2000", "lbfgs", must=1.2, aim=2, rounds=41, quick=True)
def _():
    return logistic_race(*logistic_data(200, 2000), "lbfgs")


@row("logistic-words", "logistic, sparse, 1e4 x 5e4, 80 words a row", "lbfgs", must=0.8, aim=1, rounds=9)
def _():
    return logistic_race(*words(), "lbfgs")


@row("logistic-100x2", "a reader's problem, n = 100, d = 2, logistic", "LogisticRegression", must=8, aim=12,
     rounds=31, calls=20, quick=True, offset="yes")  # fmt: skip
def _():
    X, y = logistic_data(100, 2)

    def objective(w):
        return np.mean(np.logaddexp(0, -y * (X @ w[:2] + w[2]))) + 0.005 * w[:2] @ w[:2]

    def ours():
        model = logistic.fit_logistic(X, y, lam=0.01).model
        return np.append(model.theta, model.theta_0)

    def peer(tol):
        fit = LogisticRegression(C=1.0, tol=tol).fit(X, y)
        return np.append(fit.coef_, fit.intercept_)

    return Race(ours, [functools.partial(peer, tol) for tol in TOLERANCES], objective)


def softmax_race(X, y):
    """fit_softmax against LogisticRegression at lam = 1/n."""
    n, lam = len(X), 1 / len(X)

    def objective(Theta):
        S = X @ Theta.T
        S -= S[np.arange(n), y][:, None]
        return np.mean(np.logaddexp.reduce(S, axis=1)) + lam / 2 * np.sum(Theta**2)

    return Race(
        ours=lambda: softmax.fit_softmax(X, y, lam=lam, offset=False).model.Theta,
        peers=[functools.partial(scikit_fit, X, y, "lbfgs", tol) for tol in TOLERANCES[1:]],
        objective=objective,
    )


@row("softmax-1e5x20x5", "softmax, 1e5 x 20, 5 classes", "lbfgs", must=2, aim=3, quick=True)
def _():
    return softmax_race(*softmax_data(100_000, 20, 5))


@row("softmax-digits", "softmax, digits 1797 x 64, 10 classes", "lbfgs", must=2, aim=3, rounds=5)
def _():
    data = datasets.digits()
    return softmax_race(data.X, data.y)


def separable_data():
    """Separable rows with a thin margin, and how many epochs the perceptron takes."""
    X, y = datasets.separable(10_000, np.random.default_rng(0), 0.1, theta=np.ones(20))
    return X, y, len(perceptron.fit_perceptron(X, y).history)


@row("perceptron-loop", "perceptron, separable, identical mistakes", "plain loop", must=25, aim=40, rounds=5,
     offset="yes", quick=True)  # fmt: skip
def _():
    X, y, epochs = separable_data()

    def loop():
        theta, theta_0, mistakes = np.zeros(X.shape[1]), 0.0, 0
        for _ in range(epochs):
            for x, label in zip(X, y, strict=True):
                if label * (theta @ x + theta_0) <= 0:
                    theta, theta_0, mistakes = theta + label * x, theta_0 + label, mistakes + 1
        return mistakes

    fit = perceptron.fit_perceptron(X, y)
    assert fit.converged and fit.mistakes == loop()
    return Race(ours=lambda: perceptron.fit_perceptron(X, y), peers=[loop])


@row("perceptron-scikit", "perceptron, separable, same epochs", "Perceptron", must=1.2, aim=1.5, rounds=21,
     offset="yes", quick=True)  # fmt: skip
def _():
    X, y, epochs = separable_data()
    peer = Perceptron(shuffle=False, tol=None, max_iter=epochs)
    assert peer.fit(X, y).score(X, y) == 1
    return Race(ours=lambda: perceptron.fit_perceptron(X, y), peers=[lambda: peer.fit(X, y)])


@row("perceptron-restless", "perceptron, never settles (Numba), 1e5 x 20", "Perceptron", must=1, aim=1.5, rounds=9,
     offset="yes")  # fmt: skip
def _():
    X, y = logistic_data(100_000, 20)
    peer = Perceptron(shuffle=False, tol=None, max_iter=10)
    return Race(ours=lambda: perceptron.fit_perceptron(X, y, max_epochs=10), peers=[lambda: peer.fit(X, y)])


def import_time(module):
    """Seconds of processor time, user and system, of a fresh Python that imports a module, less one that does not."""
    code = "import time, sys; start = time.process_time(); import {}; print(time.process_time() - start)"
    out = subprocess.run([sys.executable, "-c", code.format(module)], capture_output=True, text=True, check=True)
    return float(out.stdout)


@row("import", "import of what a fit needs, NumPy included", "sklearn.linear_model", must=10, aim=12, offset="-",
     rounds=5, quick=True)  # fmt: skip
def _():
    return Race(lambda: "linclass.logistic", [lambda: "sklearn.linear_model"], cost=lambda side: import_time(side()))


@row("memory-1e6x20", "extra memory (MiB), logistic 1e6 x 20", "lbfgs: 32 MiB", must=12, aim=5, rounds=1,
     less_is_better=True)  # fmt: skip
def _():
    import tracemalloc

    X, y = logistic_data(1_000_000, 20)

    def peak(fit):
        tracemalloc.start()
        fit()
        highest = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        return highest

    return Race(lambda: logistic.fit_logistic(X, y, lam=1e-6, offset=False), [lambda: None], cost=peak)
