import math

import numpy as np


def along_rows(f, S):
    S = np.asarray(S)
    rows = [f([float(v) for v in row]) for row in S.reshape(-1, S.shape[-1])]
    return np.array(rows).reshape(S.shape)


def softmax(S):
    def one(row):
        top = max(row)
        e = [math.exp(s - top) for s in row]
        return [v / sum(e) for v in e]

    return along_rows(one, S)


def log_softmax(S):
    def one(row):
        top = max(row)
        total = top + math.log(sum(math.exp(s - top) for s in row))
        return [s - total for s in row]

    return along_rows(one, S)


def one_hot(y, n_classes):
    out = np.zeros((len(y), n_classes))
    for t, k in enumerate(y):
        out[t, k] = 1
    return out


def cross_entropy(logits, y):
    return np.array([-row[k] for row, k in zip(log_softmax(logits), y)])


def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    total = 0.0
    for x, k in zip(X, y):
        s = np.array([[row @ x + b for row, b in zip(Theta, theta_0)]])
        total += cross_entropy(s, [k])[0]
    return total / len(y) + lam / 2 * sum(v * v for row in Theta for v in row)


def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    G, g = np.zeros(Theta.shape), np.zeros(len(theta_0))
    for x, k in zip(X, y):
        p = softmax(np.array([Theta @ x + theta_0]))[0]
        for c in range(len(theta_0)):
            r = p[c] - (1 if c == k else 0)
            G[c] += r * x / len(y)
            g[c] += r / len(y)
    return G + lam * Theta, g
