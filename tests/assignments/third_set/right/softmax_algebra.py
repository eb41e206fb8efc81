import numpy as np


def shifted(S):
    return S - np.amax(S, axis=-1)[..., None]


def softmax(S):
    e = np.exp(shifted(S))
    return e * (1 / np.sum(e, axis=-1)[..., None])


def log_softmax(S):
    T = shifted(S)
    return T - np.log(np.sum(np.exp(T), axis=-1))[..., None]


def one_hot(y, n_classes):
    return np.eye(n_classes)[y]


def cross_entropy(logits, y):
    right = np.take_along_axis(logits, y[:, None], axis=1)
    return np.log(np.exp(shifted(logits)).sum(axis=1)) + logits.max(axis=1) - right[:, 0]


def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    W = np.column_stack([Theta, theta_0])
    A = np.column_stack([X, np.ones(len(X))])
    return np.average(cross_entropy(A @ W.T, y)) + lam * np.linalg.norm(Theta) ** 2 / 2


def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    A = np.column_stack([X, np.ones(len(X))])
    P = softmax(X @ Theta.T + theta_0)
    P[np.arange(len(y)), y] -= 1
    G = P.T @ A / len(A)
    return G[:, :-1] + lam * Theta, G[:, -1]
