"""Learning from mistakes: the offset as the weight of a constant, and a_t = y_t (1, x_t)."""

import numpy as np


def _pack(theta, theta_0):
    return np.r_[theta_0, theta]


def _unpack(w):
    return w[1:], w[0]


def perceptron_step(theta, theta_0, x, y):
    w = _pack(theta, theta_0)
    a = y * _pack(x, 1.0)
    return _unpack(w + a * (w @ a <= 0))


def threshold_step(theta, theta_0, x, y):
    w, a = _pack(theta, theta_0), _pack(x, 1.0)
    error = y - np.heaviside(w @ a, 1.0)
    return _unpack(w + error * a)


def perceptron_walk(X, y, max_epochs, offset):
    n, d = X.shape
    constant = np.full((n, 1), 1.0 if offset else 0.0)
    A = y[:, None] * np.hstack([constant, X])
    w = np.zeros(d + 1)
    history = np.zeros(max_epochs, dtype=int)
    for epoch in range(max_epochs):
        for a in A:
            if w @ a <= 0:
                w = w + a
                history[epoch] += 1
        if history[epoch] == 0:
            return w[1:], w[0], history[: epoch + 1]
    return w[1:], w[0], history
