"""Many classes: by differences of scores, p_k = 1 / sum_j exp(s_j - s_k), and homogeneous coordinates."""

import numpy as np


def _differences(S):
    """s_j - s_k at [..., k, j]."""
    S = np.asarray(S, dtype=float)
    return S[..., None, :] - S[..., :, None]


def softmax(S):
    with np.errstate(over="ignore"):
        return 1.0 / np.exp(_differences(S)).sum(axis=-1)  # 1 / inf is 0, as it should be


def log_softmax(S):
    D = _differences(S)
    top = D.max(axis=-1)  # at least 0, as j = k is among them
    return -(top + np.log(np.sum(np.exp(D - top[..., None]), axis=-1)))


def one_hot(y, n_classes):
    H = np.zeros((len(y), n_classes))
    np.put_along_axis(H, np.asarray(y).astype(int).reshape(-1, 1), 1.0, axis=1)
    return H


def cross_entropy(logits, y):
    picked = one_hot(y, logits.shape[1]).astype(bool)
    return -log_softmax(logits)[picked]


class _Problem:
    def __init__(self, Theta, theta_0, X, y, lam):
        self.W = np.column_stack([Theta, theta_0])
        self.A = np.column_stack([X, np.ones(len(X))])
        self.y, self.lam = y, lam
        self.penalised = np.ones_like(self.W, dtype=float)
        self.penalised[:, -1] = 0.0

    def value(self):
        fit = np.average(cross_entropy(self.A @ self.W.T, self.y))
        return fit + self.lam / 2 * np.sum(self.penalised * self.W**2)

    def gradient(self):
        P = softmax(self.A @ self.W.T)
        P[np.arange(len(self.y)), np.asarray(self.y).astype(int)] -= 1  # P is ours
        return P.T @ self.A / len(self.A) + self.lam * self.penalised * self.W


def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    return _Problem(Theta, theta_0, X, y, lam).value()


def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    G = _Problem(Theta, theta_0, X, y, lam).gradient()
    return G[:, :-1], G[:, -1]
