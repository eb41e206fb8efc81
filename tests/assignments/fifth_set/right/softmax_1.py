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
    e = np.exp(S - S.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def log_softmax(S):
    """s_k - log sum_j exp(s_j) along the last axis."""
    # scores of thousands must not overflow; S is a table or one row of it, and stays as it is
    shifted = S - S.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def one_hot(y, n_classes):
    """Row t is the unit vector e_k with k = y_t."""
    return np.eye(n_classes)[y]


def cross_entropy(logits, y):
    """-log P(y_t | x_t), the negative logarithm of the softmax at the right
    class, one per row of logits.
    """
    # logits has a row per example and a column per class
    return -log_softmax(logits)[np.arange(len(y)), y]


def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    """Mean cross-entropy plus lam/2 times the sum of the squares of Theta."""
    return np.mean(cross_entropy(X @ Theta.T + theta_0, y)) + lam / 2 * np.sum(Theta**2)


def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    """(gradient in Theta, gradient in theta_0): the means of (p_k - [y = k])
    x, plus lam Theta, and of p_k - [y = k].
    """
    D = softmax(X @ Theta.T + theta_0) - one_hot(y, len(Theta))
    return D.T @ X / len(y) + lam * Theta, D.mean(axis=0)
