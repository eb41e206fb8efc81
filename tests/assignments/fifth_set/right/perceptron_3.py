"""Learning from mistakes.

To write: perceptron_step, threshold_step, perceptron_walk.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check perceptron.py
"""

import numpy as np


def _score(theta, theta_0, x):
    total = theta_0
    for j in range(len(x)):
        total = total + theta[j] * x[j]
    return total


def perceptron_step(theta, theta_0, x, y):
    """(theta + y x, theta_0 + y) if the margin y (theta . x + theta_0) is at
    most 0, else unchanged.

    The margin of that example grows by |x|^2 + 1, and so it is more nearly
    right the next time.
    """
    # return the pair (theta, theta_0)
    margin = y * _score(theta, theta_0, x)
    if margin > 0:
        return theta, theta_0
    new_theta = np.array([theta[j] + y * x[j] for j in range(len(x))])
    return new_theta, theta_0 + y


def threshold_step(theta, theta_0, x, y):
    """The update for labels in {0, 1}: theta + (y - h) x and
    theta_0 + (y - h), with h = 1 if the score is >= 0 else 0.

    It looks like the update of least squares and of logistic regression, with
    a threshold for h. The same step as `perceptron_step`, except for an example
    of class 1 at score 0, which counts as right here and as a mistake there.
    """
    # y is 0 or 1; return the pair (theta, theta_0)
    if _score(theta, theta_0, x) >= 0:
        h = 1
    else:
        h = 0
    if h == y:
        return theta, theta_0
    if y == 1:
        return theta + x, theta_0 + 1
    return theta - x, theta_0 - 1


def perceptron_walk(X, y, max_epochs, offset):
    """(theta, theta_0, history): the walk of `fit_perceptron`, one `perceptron_step` per example.

    From (0, 0), through the rows of X in order, epoch after epoch, until one has no mistake or `max_epochs` are done.
    `history` is an array with the number of mistakes of each epoch. With `offset` False, theta_0 stays 0.
    """
    # with `offset` False, theta_0 is 0 at every step, whatever `perceptron_step` makes of it, and a row of zeros is a
    # mistake in every epoch
    theta = np.zeros(X.shape[1])
    theta_0 = 0
    counts = []
    for epoch in range(max_epochs):
        count = 0
        for i in range(len(y)):
            if y[i] * _score(theta, theta_0, X[i]) <= 0:
                theta = theta + y[i] * X[i]
                if offset:
                    theta_0 = theta_0 + y[i]
                count = count + 1
        counts.append(count)
        if count == 0:
            return theta, theta_0, np.array(counts)
    return theta, theta_0, np.array(counts)
