"""The offset as one more weight, appended and taken off again."""

import numpy as np


def extended(theta, theta_0):
    return np.append(theta, theta_0)


def perceptron_step(theta, theta_0, x, y):
    w, v = extended(theta, theta_0), np.append(x, 1.0)
    if np.sign(w @ v) != y:
        w = w + y * v
    return w[:-1], w[-1]


def threshold_step(theta, theta_0, x, y):
    guess = 0 if np.dot(theta, x) + theta_0 < 0 else 1
    if guess == y:
        return theta, theta_0
    return (theta + x, theta_0 + 1) if y == 1 else (theta - x, theta_0 - 1)


def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        wrong = 0
        for i in range(len(y)):
            if y[i] * (X[i] @ theta + theta_0) > 0:
                continue
            wrong += 1
            theta = theta + y[i] * X[i]
            theta_0 += y[i] if offset else 0
        history.append(wrong)
        if wrong == 0:
            break
    return theta, theta_0, np.array(history)
