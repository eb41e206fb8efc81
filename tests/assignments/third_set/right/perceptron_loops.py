import numpy as np


def score(theta, theta_0, x):
    return sum(t * v for t, v in zip(theta, x)) + theta_0


def perceptron_step(theta, theta_0, x, y):
    if y * score(theta, theta_0, x) > 0:
        return theta, theta_0
    return np.array([t + y * v for t, v in zip(theta, x)]), theta_0 + y


def threshold_step(theta, theta_0, x, y):
    h = 0
    if score(theta, theta_0, x) >= 0:
        h = 1
    new = list(theta)
    for j in range(len(x)):
        new[j] = theta[j] + (y - h) * x[j]
    return new, theta_0 + y - h


def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = [0.0] * X.shape[1], 0.0, []
    while len(history) < max_epochs and (not history or history[-1] > 0):
        mistakes = 0
        for t in range(X.shape[0]):
            if y[t] * score(theta, theta_0, X[t]) <= 0:
                mistakes += 1
                for j in range(X.shape[1]):
                    theta[j] += y[t] * X[t, j]
                if offset:
                    theta_0 += y[t]
        history.append(mistakes)
    return np.array(theta), theta_0, np.array(history)
