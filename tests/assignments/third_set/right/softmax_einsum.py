import numpy as np


def log_softmax(S):
    return S - np.logaddexp.reduce(S, axis=-1, keepdims=True)


def softmax(S):
    return np.exp(log_softmax(S))


def one_hot(y, n_classes):
    return np.equal.outer(y, np.arange(n_classes)) * 1


def cross_entropy(logits, y):
    return -np.einsum("nk,nk->n", one_hot(y, logits.shape[1]), log_softmax(logits))


def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    S = np.einsum("nd,kd->nk", X, Theta) + theta_0
    return cross_entropy(S, y).mean() + lam / 2 * np.einsum("kd,kd->", Theta, Theta)


def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    S = np.einsum("nd,kd->nk", X, Theta) + theta_0
    R = (softmax(S) - one_hot(y, len(theta_0))) / len(y)
    return np.einsum("nk,nd->kd", R, X) + lam * Theta, np.einsum("nk->k", R)
