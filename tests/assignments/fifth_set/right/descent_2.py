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
    def rule(t):
        return scale / (t + shift)

    return rule


def inverse_sqrt_step(scale=1.0):
    """The rule eta_t = scale / sqrt(t), t = 1, 2, …"""

    # return a function of t = 1, 2, 3, … such as a lambda
    def rule(t):
        return scale / t**0.5

    return rule


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
    n = len(y)
    grad = np.zeros(len(theta))
    grad_0 = 0.0
    z = np.array([y[i] * (np.dot(theta, X[i]) + theta_0) for i in range(n)])
    slopes = loss.slope(z)
    for i in range(n):
        grad = grad + slopes[i] * y[i] * X[i]
        grad_0 = grad_0 + slopes[i] * y[i]
    new_theta = theta - eta * (grad / n + lam * theta)
    new_theta_0 = theta_0 - eta * grad_0 / n
    return new_theta, new_theta_0


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
    n = X.shape[0]
    per_epoch = -(-n // batch)
    theta = np.zeros(X.shape[1])
    theta_0 = 0.0
    visited = []
    ends = []
    history = []
    t = 0
    for epoch in range(epochs):
        if sampling == "shuffle":
            order = rng.permutation(n)
        elif sampling == "cycle":
            order = np.arange(n)
        for b in range(per_epoch):
            if sampling == "uniform":
                chosen = rng.integers(n, size=batch)
            else:
                chosen = order[b * batch : (b + 1) * batch]
            t = t + 1
            if callable(eta):
                step = eta(t)
            else:
                step = eta
            theta, theta_0 = sgd_step(theta, theta_0, X[chosen], y[chosen], loss, lam, step)
            if not offset:
                theta_0 = 0.0
            visited.append((theta, theta_0))
        if keep == "average":
            a = sum(v[0] for v in visited) / len(visited)
            a0 = sum(v[1] for v in visited) / len(visited)
        else:
            a, a0 = theta, theta_0
        ends.append((a, a0))
        history.append(np.mean(loss.value(y * (X @ a + a0))) + 0.5 * lam * np.sum(a * a))
    if keep == "best":
        a, a0 = ends[int(np.argmin(history))]
    return Fit(LinearClassifier(a, a0), False, t, history, "done")
