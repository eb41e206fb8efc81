"""Learning from mistakes.

To write: perceptron_step, threshold_step, perceptron_walk.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.

Check your work with: python -m linclass.assignments check perceptron.py
"""

import numpy as np


def perceptron_step(theta, theta_0, x, y):
    """(theta + y x, theta_0 + y) if the margin y (theta . x + theta_0) is at
    most 0, else unchanged.

    The margin of that example grows by |x|^2 + 1, and so it is more nearly
    right the next time.
    """
    # return the pair (theta, theta_0)
    if y * (theta @ x + theta_0) <= 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


def threshold_step(theta, theta_0, x, y):
    """The update for labels in {0, 1}: theta + (y - h) x and
    theta_0 + (y - h), with h = 1 if the score is >= 0 else 0.

    It looks like the update of least squares and of logistic regression, with
    a threshold for h. The same step as `perceptron_step`, except for an example
    of class 1 at score 0, which counts as right here and as a mistake there.
    """
    # y is 0 or 1; return the pair (theta, theta_0)
    h = 1 if theta @ x + theta_0 >= 0 else 0
    return theta + (y - h) * x, theta_0 + (y - h)


def perceptron_walk(X, y, max_epochs, offset):
    """(theta, theta_0, history): the walk of `fit_perceptron`, one `perceptron_step` per example.

    From (0, 0), through the rows of X in order, epoch after epoch, until one has no mistake or `max_epochs` are done.
    `history` is an array with the number of mistakes of each epoch. With `offset` False, theta_0 stays 0.
    """
    # with `offset` False, theta_0 is 0 at every step, whatever `perceptron_step` makes of it, and a row of zeros is a
    # mistake in every epoch
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    history = []
    for _ in range(max_epochs):
        mistakes = 0
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                mistakes += 1
            theta, theta_0 = perceptron_step(theta, theta_0, x, label)
            if not offset:
                theta_0 = 0.0
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)
