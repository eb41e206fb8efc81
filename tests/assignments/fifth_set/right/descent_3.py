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


def _batches(n, batch, sampling, rng):
    """The rows of each step of one epoch."""
    count = int(np.ceil(n / batch))
    if sampling == "uniform":
        for _ in range(count):
            yield rng.integers(n, size=batch)
        return
    order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
    for k in range(count):
        yield order[k * batch : (k + 1) * batch]


def inverse_step(scale=1.0, shift=0.0):
    """The rule eta_t = scale / (t + shift), t = 1, 2, …"""
    # return a function of t = 1, 2, 3, … such as a lambda
    return lambda t: scale * 1.0 / (shift + t)


def inverse_sqrt_step(scale=1.0):
    """The rule eta_t = scale / sqrt(t), t = 1, 2, …"""
    # return a function of t = 1, 2, 3, … such as a lambda
    return lambda t: scale * t**-0.5


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
    margins = np.multiply(X.dot(theta) + theta_0, y)
    weights = (loss.slope(margins) * y)[:, None]
    full = np.mean(weights * np.c_[X, np.ones(len(X))], axis=0)
    shrunk = (1 - eta * lam) * theta
    return shrunk - eta * full[:-1], theta_0 - eta * full[-1]


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
    rate = eta if callable(eta) else (lambda t: eta)
    w, b = np.zeros(X.shape[1]), 0.0
    mean_w, mean_b = np.zeros(X.shape[1]), 0.0
    steps, history, kept = 0, [], []
    for _ in range(epochs):
        for rows in _batches(len(y), batch, sampling, rng):
            steps += 1
            w, b = sgd_step(w, b, X[rows], y[rows], loss, lam, rate(steps))
            b = b if offset else 0.0
            mean_w = mean_w + (w - mean_w) / steps
            mean_b = mean_b + (b - mean_b) / steps
        kept.append((mean_w, mean_b) if keep == "average" else (w, b))
        cw, cb = kept[-1]
        history.append(loss.value(y * (X.dot(cw) + cb)).mean() + lam * cw.dot(cw) / 2)
    chosen = kept[history.index(min(history))] if keep == "best" else kept[-1]
    return Fit(LinearClassifier(*chosen), False, steps, history, f"{steps} steps")
