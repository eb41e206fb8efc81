import math

import numpy as np

from linclass.fit import Fit
from linclass.margins import LinearClassifier


def inverse_step(scale=1.0, shift=0.0):
    def rule(t):
        return scale / (t + shift)

    return rule


def inverse_sqrt_step(scale=1.0):
    def rule(t):
        return scale / math.sqrt(t)

    return rule


def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    gradient, derivative = [lam * v for v in theta], 0.0
    for x, label in zip(X, y):
        z = label * (sum(a * b for a, b in zip(theta, x)) + theta_0)
        s = loss.slope(np.array([z]))[0] * label / len(y)
        for j in range(len(x)):
            gradient[j] += s * x[j]
        derivative += s
    return np.array([v - eta * g for v, g in zip(theta, gradient)]), theta_0 - eta * derivative


def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    def risk(w, b):
        return np.mean(loss.value(y * (X @ w + b))) + lam / 2 * np.sum(w * w)

    n, d = X.shape
    theta, theta_0, t = np.zeros(d), 0.0, 0
    total, total_0 = np.zeros(d), 0.0
    history, best_risk, best = [], math.inf, (theta, theta_0)
    for _ in range(epochs):
        if sampling == "shuffle":
            order = rng.permutation(n)
        else:
            order = np.arange(n)
        for k in range(math.ceil(n / batch)):
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[k * batch : k * batch + batch]
            t += 1
            theta, shifted = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, eta(t) if callable(eta) else eta)
            if offset:
                theta_0 = shifted
            total = total + theta
            total_0 = total_0 + theta_0
        if keep == "average":
            history.append(risk(total / t, total_0 / t))
        else:
            history.append(risk(theta, theta_0))
            if history[-1] < best_risk:
                best_risk, best = history[-1], (theta, theta_0)
    if keep == "average":
        theta, theta_0 = total / t, total_0 / t
    elif keep == "best":
        theta, theta_0 = best
    return Fit(LinearClassifier(theta, float(theta_0)), False, t, np.array(history), "no certificate")
