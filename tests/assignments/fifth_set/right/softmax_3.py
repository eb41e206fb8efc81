"""Many classes.

To write: softmax, log_softmax, one_hot, cross_entropy, softmax_risk, softmax_risk_grad.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in 0 .. n_classes-1, Theta (n_classes, d), theta_0 (n_classes,).

Check your work with: python -m linclass.assignments check softmax.py
"""

import numpy as np


def softmax(S):
    """exp(s_k) / sum_j exp(s_j) along the last axis: positive, sum 1,
    unchanged if one number is added to every s_k.
    """
    # scores of thousands must not overflow; S is a table or one row of it, and stays as it is
    T = np.subtract(S, np.max(S, axis=-1, keepdims=True))
    np.exp(T, out=T)
    T /= np.sum(T, axis=-1, keepdims=True)
    return T


def log_softmax(S):
    """s_k - log sum_j exp(s_j) along the last axis."""
    # scores of thousands must not overflow; S is a table or one row of it, and stays as it is
    return S - np.logaddexp.reduce(S, axis=-1, keepdims=True)


def one_hot(y, n_classes):
    """Row t is the unit vector e_k with k = y_t."""
    return (y[:, None] == np.arange(n_classes)).astype(float)


def cross_entropy(logits, y):
    """-log P(y_t | x_t), the negative logarithm of the softmax at the right
    class, one per row of logits.
    """
    # logits has a row per example and a column per class
    right = np.take_along_axis(logits, y[:, None], axis=1)[:, 0]
    return np.logaddexp.reduce(logits, axis=1) - right


def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    """Mean cross-entropy plus lam/2 times the sum of the squares of Theta."""
    S = np.einsum("nd,kd->nk", X, Theta) + theta_0
    return cross_entropy(S, y).mean() + 0.5 * lam * np.linalg.norm(Theta) ** 2


def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    """(gradient in Theta, gradient in theta_0): the means of (p_k - [y = k])
    x, plus lam Theta, and of p_k - [y = k].
    """
    n = X.shape[0]
    P = softmax(X.dot(Theta.T) + theta_0)
    P[np.arange(n), y] -= 1
    P /= n
    return np.dot(P.T, X) + lam * Theta, P.sum(axis=0)
