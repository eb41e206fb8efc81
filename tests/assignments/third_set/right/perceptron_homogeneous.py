import numpy as np


def perceptron_step(theta, theta_0, x, y):
    w, v = np.append(theta, theta_0), np.append(x, 1.0)
    if y * (w @ v) <= 0:
        w = w + y * v
    return w[:-1], w[-1]


def threshold_step(theta, theta_0, x, y):
    w, v = np.append(theta, theta_0), np.append(x, 1.0)
    w = w + (y - (w @ v >= 0)) * v
    return w[:-1], w[-1]


def perceptron_walk(X, y, max_epochs, offset):
    n, d = X.shape
    rows = np.column_stack([X, np.ones(n) if offset else np.zeros(n)]) * y[:, None]
    w = np.zeros(d + 1)
    history = np.zeros(max_epochs, dtype=int)
    for epoch in range(max_epochs):
        for row in rows:
            if not row @ w > 0:
                w = w + row
                history[epoch] += 1
        if history[epoch] == 0:
            return w[:d], w[d], history[: epoch + 1]
    return w[:d], w[d], history
