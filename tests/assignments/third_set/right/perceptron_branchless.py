import itertools

import numpy as np


def perceptron_step(theta, theta_0, x, y):
    wrong = float(y * (np.dot(theta, x) + theta_0) <= 0)
    return theta + wrong * y * x, theta_0 + wrong * y


def threshold_step(theta, theta_0, x, y):
    h = float(theta_0 + np.inner(x, theta) >= 0)
    return np.add(theta, np.multiply(y - h, x)), theta_0 + (y - h)


def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    history = []
    for _ in itertools.repeat(None, max_epochs):
        count = 0
        for x, label in zip(X, y):
            new, new_0 = perceptron_step(theta, theta_0, x, label)
            count += new_0 != theta_0 if offset else not label * (theta @ x) > 0
            theta, theta_0 = new, new_0 if offset else 0.0
        history.append(int(count))
        if not count:
            break
    return theta, theta_0, np.asarray(history)
