"""Many classes: everything through logaddexp and einsum."""

import numpy as np


def _log_sum_exp(S):
    return np.logaddexp.reduce(S, axis=-1, keepdims=True)


def softmax(S):
    return np.exp(log_softmax(S))


def log_softmax(S):
    S = np.asarray(S, dtype=float)
    shifted = S - np.max(S, axis=-1, keepdims=True)
    return shifted - _log_sum_exp(shifted)


def one_hot(y, n_classes):
    return np.eye(n_classes)[np.asarray(y).astype(int)]


def cross_entropy(logits, y):
    logits = np.asarray(logits, dtype=float)
    at_y = np.take_along_axis(logits, np.asarray(y).astype(int)[:, None], axis=1)
    # log sum_j exp(s_j - s_y): what the right class lacks
    return np.logaddexp.reduce(logits - at_y, axis=1)


def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    scores = np.einsum("td,kd->tk", X, Theta) + theta_0
    return cross_entropy(scores, y).mean() + 0.5 * lam * np.einsum("kd,kd->", Theta, Theta)


def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    n = X.shape[0]
    scores = np.einsum("td,kd->tk", X, Theta) + theta_0
    R = (softmax(scores) - one_hot(y, Theta.shape[0])) / n
    return np.einsum("tk,td->kd", R, X) + lam * Theta, np.einsum("tk->k", R)
