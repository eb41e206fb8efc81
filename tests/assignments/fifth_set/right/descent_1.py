"""Descent, one example at a time.

To write: inverse_step, inverse_sqrt_step, sgd_step, fit_sgd.
Given: NumPy, and the result objects Fit(model, converged, steps, history, message), LinearClassifier(theta,
theta_0). Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check descent.py
"""

import numpy as np

from linclass.fit import Fit
from linclass.margins import LinearClassifier


def inverse_step(scale=1.0, shift=0.0):
    """The rule eta_t = scale / (t + shift), t = 1, 2, …"""
    # return a function of t = 1, 2, 3, … such as a lambda
    return lambda t: scale / (t + shift)


def inverse_sqrt_step(scale=1.0):
    """The rule eta_t = scale / sqrt(t), t = 1, 2, …"""
    # return a function of t = 1, 2, 3, … such as a lambda
    return lambda t: scale / np.sqrt(t)


def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    """One stochastic step on a batch of examples (X, y), one row or several:
    (theta, theta_0) - eta times a gradient.

        theta   <- theta   - eta (mean of phi'(z) y x + lam theta)
        theta_0 <- theta_0 - eta  mean of phi'(z) y

    For one example with lam = 0: the perceptron loss adds eta y x if z <= 0,
    the hinge loss if z <= 1, the logistic loss adds eta y x times the
    probability of a mistake. At a kink the slope is a sub-gradient.
    """
    # loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins
    g = loss.slope(y * (X @ theta + theta_0)) * y
    return theta - eta * (X.T @ g / len(y) + lam * theta), theta_0 - eta * g.mean()


def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    """Minimise the risk of any loss with a slope by steps that look at `batch` examples each, from theta = 0.

    Step t = 1, 2, … is `sgd_step` with eta_t = eta(t), or eta itself if a number. An epoch is ceil(n / batch) steps.
    Which examples they see, and every draw that is made:
        "shuffle"   one `rng.permutation(n)` per epoch, cut into batches; the last may be shorter
        "uniform"   one `rng.integers(n, size=batch)` per step, with replacement
        "cycle"     rows 0, 1, 2, … cut into batches, the same each epoch; no draw
    The answer: "best" is the iterate of least risk among those at the end of an epoch, "last" the last one,
    "average" the mean of the iterates after each step. `history` is the risk at the end of each epoch, of the
    average if that is kept, else of the current iterate. There is no certificate, so `converged` is never true.
    """
    # return Fit(LinearClassifier(theta, theta_0), False, steps, history, message): steps counts all steps, history
    # has an entry per epoch, penalty included, message is any text; among equals the best is the first, and the start
    # is none of them. With offset False, theta_0 is 0 at every step. X and y are arrays; `progress` is not asked for
    n, d = X.shape

    def risk(w, w0):
        return np.mean(loss.value(y * (X @ w + w0))) + lam / 2 * w @ w

    theta, theta_0 = np.zeros(d), 0.0
    total, total_0 = np.zeros(d), 0.0
    best, best_risk = None, np.inf
    history = []
    t = 0
    for _ in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for first in range(0, n, batch):
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[first : first + batch]
            t += 1
            rate = eta(t) if callable(eta) else eta
            theta, theta_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, rate)
            if not offset:
                theta_0 = 0.0
            total = total + theta
            total_0 = total_0 + theta_0
        now = (total / t, total_0 / t) if keep == "average" else (theta, theta_0)
        r = risk(*now)
        history.append(r)
        if best is None or r < best_risk:
            best, best_risk = now, r
    answer = best if keep == "best" else now
    return Fit(LinearClassifier(*answer), False, t, np.array(history), "all epochs done")
