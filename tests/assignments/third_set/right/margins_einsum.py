import numpy as np


def scores(theta, theta_0, X):
    return np.einsum("ij,j->i", X, theta) + theta_0


def margins(theta, theta_0, X, y):
    return np.einsum("i,i->i", y, scores(theta, theta_0, X))


def predict(theta, theta_0, X):
    return 2 * (scores(theta, theta_0, X) > 0).astype(int) - 1


def signed_distances(theta, theta_0, X):
    return scores(theta, theta_0, X) / np.sqrt(np.einsum("i,i", theta, theta))


def cosines(theta, X):
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    return np.einsum("ij,j->i", unit, theta / np.linalg.norm(theta))


def zero_one_error(theta, theta_0, X, y):
    return 1 - np.count_nonzero(margins(theta, theta_0, X, y) > 0) / y.size


def affine_features(X):
    return np.insert(X, 0, 1.0, axis=1)


def quadratic_features(X):
    i, j = np.triu_indices(X.shape[1])
    return np.hstack([X, np.einsum("ni,nj->nij", X, X)[:, i, j]])
