"""The sums over one block of rows that a smooth risk is made of: value, gradient and Hessian, without cancellation.

They are n times the formulas of `risk` and `softmax`, without the penalty; temporaries are few, since time is memory.
"""

import numpy as np

from linclass._rows import in_memory

FAR = 700.0  # exp(700) is near the largest double; at a margin below -700 the loss is -margin to the last digit


def logistic_sums(X, y, w, offset, hess):
    """(sum, gradient, Hessian or None) of the logistic losses at w: theta, and theta_0 last if there is an offset.

    With z the margins and e = exp(-z), the loss is log(1 + e), its slope -p with p = e / (1 + e), its curvature
    p / (1 + e).
    """
    d = X.shape[1]
    z = X @ w[:d]
    if offset:
        z += w[d]
    z *= y
    total = 0.0
    if z.min() < -FAR:
        total = -float((z[z < -FAR] + FAR).sum())
        np.maximum(z, -FAR, out=z)
    e = np.exp(np.negative(z, out=z), out=z)
    total += float(np.log1p(e).sum())
    one_and_e = e + 1.0
    p = np.divide(e, one_and_e, out=e)
    H = _logistic_curvature(X, p / one_and_e, offset) if hess else None
    p *= y
    g = p @ X
    return total, -np.append(g, p.sum()) if offset else -g, H


def _logistic_curvature(X, curvature, offset):
    """The sum of curvature (x, 1)(x, 1)', or of curvature x x' without an offset."""
    d = X.shape[1]
    A = X * np.sqrt(curvature)[:, None]
    if not offset:
        return A.T @ A
    H = np.empty((d + 1, d + 1))
    H[:d, :d] = A.T @ A
    H[d, :d] = H[:d, d] = curvature @ X
    H[d, d] = curvature.sum()
    return H


def class_sums(X, y, n_classes):
    """(how often each class occurs, the sum of its rows): all that the softmax risk needs to know of the labels."""
    own = (y == np.arange(n_classes)[:, None]).astype(float)
    return own.sum(axis=1), own @ X


def softmax_sums(X, W, offset, hess):
    """(sum of log sum_k exp(s_k), sums of p_k (x, 1), Hessian or None) at W, a row (theta_k, theta_0k) per class.

    The summed cross-entropy is the first minus sum_t s_{y_t}, and its gradient the second minus `class_sums`, so that
    labels need not be looked at again.
    """
    d = X.shape[1]
    S = W[:, :d] @ X.T
    if offset:
        S += W[:, d:]
    largest = S.max(axis=0)
    S -= largest
    P = np.exp(S, out=S)
    sums = P.sum(axis=0)
    total = float(largest.sum() + np.log(sums).sum())
    P /= sums
    g = P @ X
    if offset:
        g = np.column_stack([g, P.sum(axis=1)])
    return total, g, _softmax_curvature(X, P, offset) if hess else None


def _softmax_curvature(X, P, offset):
    """The Hessian: with Z = P (x) A, the block diagonal of Z'A minus Z'Z.

    On the diagonal p - p^2 is taken as p (1 - p), which keeps its digits where p is nearly 1.
    """
    A = np.column_stack([X, np.ones(len(X))]) if offset else X
    n, m, k = *A.shape, len(P)
    H = np.zeros((k * m, k * m))
    rest = complements(P)
    # Z has k times as many numbers as X, so it is made of fewer rows at a time.
    for rows in _stretches(n, k * m):
        Z = (P.T[rows, :, None] * A[rows, None, :]).reshape(-1, k * m)
        part = -(Z.T @ Z)
        for j in range(k):
            own = slice(j * m, (j + 1) * m)
            part[own, own] = Z[:, own].T @ (rest[j, rows, None] * A[rows])
        H += part
    return H


def _stretches(n, columns):
    """Slices of so many rows that their numbers fit the cache."""
    length = max(512, in_memory.CACHED // columns)
    return [slice(start, start + length) for start in range(0, n, length)]


def complements(P):
    """1 - P for probabilities P, a column per example: for the most likely class the sum of the others."""
    rest, others = 1.0 - P, P.copy()
    top, at = P.argmax(axis=0), np.arange(P.shape[1])
    others[top, at] = 0.0
    rest[top, at] = others.sum(axis=0)
    return rest
