"""Learning from mistakes: a generator of states, the walk built from the step and stopped from outside."""

from itertools import islice

import numpy as np


def _is_mistake(theta, theta_0, x, y):
    return y * (np.dot(theta, x) + theta_0) <= 0


def perceptron_step(theta, theta_0, x, y):
    if _is_mistake(theta, theta_0, x, y):
        return theta + y * x, theta_0 + y
    return theta, theta_0


def threshold_step(theta, theta_0, x, y):
    h = int(np.dot(theta, x) + theta_0 >= 0)
    if y == h:
        return theta, theta_0
    sign = 1 if y else -1
    return theta + sign * x, theta_0 + sign


def _epochs(X, y, offset):
    """The state and the number of mistakes at the end of each epoch, without end."""
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    while True:
        mistakes = 0
        for x, label in zip(X, y):
            mistakes += bool(_is_mistake(theta, theta_0, x, label))
            theta, moved = perceptron_step(theta, theta_0, x, label)
            theta_0 = moved if offset else 0.0
        yield theta, theta_0, mistakes


def perceptron_walk(X, y, max_epochs, offset):
    history, theta, theta_0 = [], np.zeros(X.shape[1]), 0.0
    for theta, theta_0, mistakes in islice(_epochs(X, y, offset), max_epochs):
        history.append(mistakes)
        if not mistakes:
            break
    return theta, theta_0, np.asarray(history)
