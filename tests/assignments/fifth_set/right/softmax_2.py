"""Many classes.

To write: softmax, log_softmax, one_hot, cross_entropy, softmax_risk, softmax_risk_grad.
Given: NumPy alone. Nothing else may be imported but the standard library.
Shapes: X (n, d), y (n,) in 0 .. n_classes-1, Theta (n_classes, d), theta_0 (n_classes,).

Check your work with: python -m linclass.assignments check softmax.py
"""

import math

import numpy as np


def _log_row(row):
    top = max(row)
    total = 0.0
    for s in row:
        total += math.exp(s - top)
    return [s - top - math.log(total) for s in row]


def softmax(S):
    """exp(s_k) / sum_j exp(s_j) along the last axis: positive, sum 1,
    unchanged if one number is added to every s_k.
    """
    # scores of thousands must not overflow; S is a table or one row of it, and stays as it is
    return np.exp(log_softmax(S))


def log_softmax(S):
    """s_k - log sum_j exp(s_j) along the last axis."""
    # scores of thousands must not overflow; S is a table or one row of it, and stays as it is
    if S.ndim == 1:
        return np.array(_log_row(S))
    return np.array([_log_row(row) for row in S])


def one_hot(y, n_classes):
    """Row t is the unit vector e_k with k = y_t."""
    table = np.zeros((len(y), n_classes))
    for t in range(len(y)):
        table[t, y[t]] = 1
    return table


def cross_entropy(logits, y):
    """-log P(y_t | x_t), the negative logarithm of the softmax at the right
    class, one per row of logits.
    """
    # logits has a row per example and a column per class
    values = []
    for row, k in zip(logits, y):
        values.append(-_log_row(row)[k])
    return np.array(values)


def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    """Mean cross-entropy plus lam/2 times the sum of the squares of Theta."""
    total = 0.0
    for x, k in zip(X, y):
        scores = [np.dot(Theta[j], x) + theta_0[j] for j in range(len(Theta))]
        total -= _log_row(scores)[k]
    penalty = sum(w**2 for row in Theta for w in row)
    return total / len(y) + lam * penalty / 2


def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    """(gradient in Theta, gradient in theta_0): the means of (p_k - [y = k])
    x, plus lam Theta, and of p_k - [y = k].
    """
    n = len(y)
    G = lam * Theta
    g = np.zeros(len(theta_0))
    for t in range(n):
        p = softmax(Theta @ X[t] + theta_0)
        for k in range(len(theta_0)):
            diff = p[k] - (1 if y[t] == k else 0)
            G[k] += diff * X[t] / n
            g[k] += diff / n
    return G, g
