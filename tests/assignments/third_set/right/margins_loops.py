import math

import numpy as np


def scores(theta, theta_0, X):
    answer = []
    for row in X:
        total = theta_0
        for a, b in zip(theta, row):
            total += a * b
        answer.append(total)
    return np.array(answer)


def margins(theta, theta_0, X, y):
    return np.array([label * s for label, s in zip(y, scores(theta, theta_0, X))])


def predict(theta, theta_0, X):
    return np.array([1 if s > 0 else -1 for s in scores(theta, theta_0, X)])


def signed_distances(theta, theta_0, X):
    length = math.sqrt(sum(a * a for a in theta))
    return [s / length for s in scores(theta, theta_0, X)]


def cosines(theta, X):
    return np.array([sum(a * b for a, b in zip(theta, x)) / (math.hypot(*theta) * math.hypot(*x)) for x in X])


def zero_one_error(theta, theta_0, X, y):
    wrong = 0
    for z in margins(theta, theta_0, X, y):
        if z <= 0:
            wrong += 1
    return wrong / len(y)


def affine_features(X):
    return np.array([[1.0, *row] for row in X])


def quadratic_features(X):
    rows = []
    for x in X:
        row = list(x)
        for i in range(len(x)):
            for j in range(i, len(x)):
                row.append(x[i] * x[j])
        rows.append(row)
    return np.array(rows)
