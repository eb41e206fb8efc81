import numpy as np


def affine_features(X):
    A = np.empty((X.shape[0], X.shape[1] + 1))
    A[:, 0] = 1
    A[:, 1:] = X
    return A


def scores(theta, theta_0, X):
    return affine_features(X) @ np.concatenate(([theta_0], theta))


def margins(theta, theta_0, X, y):
    return (X * y.reshape(-1, 1)) @ theta + y * theta_0


def predict(theta, theta_0, X):
    positive = scores(theta, theta_0, X) > 0
    labels = -np.ones(len(X))
    labels[positive] = 1
    return labels


def signed_distances(theta, theta_0, X):
    unit = theta / np.linalg.norm(theta)
    foot = -theta_0 * theta / np.dot(theta, theta)
    return (X - foot) @ unit


def cosines(theta, X):
    return (X @ theta) / np.sqrt((theta @ theta) * (X * X).sum(1))


def zero_one_error(theta, theta_0, X, y):
    s = scores(theta, theta_0, X)
    right = ((s > 0) & (y == 1)) | ((s < 0) & (y == -1))
    return 1 - right.mean()


def quadratic_features(X):
    blocks = [X]
    for i in range(X.shape[1]):
        blocks.append(X[:, [i]] * X[:, i:])
    return np.concatenate(blocks, axis=1)
