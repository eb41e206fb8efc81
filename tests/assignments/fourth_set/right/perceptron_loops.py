"""Learning from mistakes: everything spelt out."""

import numpy as np


def perceptron_step(theta, theta_0, x, y):
    score = theta_0
    for a, b in zip(theta, x):
        score = score + a * b
    if y * score > 0:
        return np.array(theta, dtype=float), theta_0
    new = []
    for a, b in zip(theta, x):
        new.append(a + y * b)
    return np.array(new, dtype=float), theta_0 + y


def threshold_step(theta, theta_0, x, y):
    score = theta_0
    for a, b in zip(theta, x):
        score = score + a * b
    if score >= 0:
        h = 1
    else:
        h = 0
    new = [a + (y - h) * b for a, b in zip(theta, x)]
    return np.array(new, dtype=float), theta_0 + (y - h)


def perceptron_walk(X, y, max_epochs, offset):
    n, d = X.shape
    theta = np.zeros(d)
    theta_0 = 0.0
    history = []
    epoch = 0
    while epoch < max_epochs:
        mistakes = 0
        for t in range(n):
            score = theta_0
            for j in range(d):
                score += theta[j] * X[t, j]
            if y[t] * score <= 0:
                mistakes += 1
                for j in range(d):
                    theta[j] += y[t] * X[t, j]
                if offset:
                    theta_0 += y[t]
        history.append(mistakes)
        epoch += 1
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history, dtype=int)
