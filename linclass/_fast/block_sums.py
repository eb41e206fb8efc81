"""The sums over one block of rows that a smooth risk is made of: value, gradient and Hessian, without cancellation.

They are n times the formulas of `risk` and `softmax`, without the penalty; temporaries are few, since time is memory.
"""

import numpy as np

from linclass._checks import is_sparse
from linclass._rows import in_memory

NARROW = 30  # columns (measured)
FAR = 700.0  # exp(700) is near the largest double; at a margin below -700 the loss is -margin to the last digit


def logistic_sums(X, y, w, u, offset, hess):
    """(sum, gradient, Hessian or None) of w times the logistic losses at u: theta, and theta_0 last with an offset.

    With e = exp(-margin) the loss is log(1 + e), its slope -p with p = e / (1 + e), its curvature p / (1 + e).
    """
    d, weighted = X.shape[1], isinstance(w, np.ndarray)
    z = X.dot(-u[:d])
    if offset:
        z -= u[d]
    z *= y  # minus the margins
    total = 0.0
    if np.maximum.reduce(z) > FAR:
        total = float((w * np.maximum(z - FAR, 0.0)).sum())
        np.minimum(z, FAR, out=z)
    e = np.exp(z, out=z)
    losses, one_and_e = np.log1p(e), e + 1.0
    total += float(w.dot(losses) if weighted else np.add.reduce(losses))
    p = np.divide(e, one_and_e, out=e)
    if weighted:
        p *= w
    H = gram(X, p / one_and_e, offset) if hess else None
    p *= y
    g = X.T.dot(p)
    return total, -np.append(g, p.sum()) if offset else -g, H


def scores(X, W):
    """Scores of the rows of X, a column for each row (theta, theta_0) of W."""
    d = X.shape[1]
    S = X @ W[:, :d].T
    return S + W[:, d] if W.shape[1] > d else S


def squares(X, w):
    """The sum of w times the squares of each column."""
    if np.ndim(w) or is_sparse(X):
        return np.broadcast_to(w, X.shape[0]) @ (X * X)
    return np.einsum("ij,ij->j", X, X)


def gram(X, w, offset):
    """The sum of w (x, 1)(x, 1)', or of w x x' without an offset."""
    d = X.shape[1]
    A = times(np.sqrt(w), X) if np.ndim(w) else X
    G = A.T @ A
    G = G.toarray() if is_sparse(G) else G
    if not offset:
        return G
    w = np.broadcast_to(w, X.shape[0])
    H = np.empty((d + 1, d + 1))
    H[:d, :d] = G
    H[d, :d] = H[:d, d] = w @ X
    H[d, d] = w.sum()
    return H


def _total(w, values):
    """The sum of w times the values."""
    return float(w @ values) if np.ndim(w) else float(values.sum())


def times(c, X):
    """Each row of X times its factor, sparse if X is."""
    return X.multiply(c[:, None]).tocsr() if is_sparse(X) else X * c[:, None]


def class_sums(X, y, w, n_classes):
    """(how often each class occurs, the sum of its rows): all that the softmax risk needs to know of the labels."""
    own = (y == np.arange(n_classes)[:, None]) * np.asarray(w, float)
    return own.sum(axis=1), _weighed(own, X)


def _weighed(P, X):
    """P @ X, and of long rows the other way round, which saves up to a third of the time."""
    return P @ X if X.shape[1] < NARROW else (X.T @ P.T).T


def softmax_sums(X, w, W, offset, hess):
    """(sum of log sum_k exp(s_k), sums of p_k (x, 1), Hessian or None) at W, a row (theta_k, theta_0k) per class.

    Each row of X counts w times. The summed cross-entropy is the first minus sum_t s_{y_t}, and its gradient the second
    minus `class_sums`, so that labels need not be looked at again.
    """
    d = X.shape[1]
    S = W[:, :d] @ X.T
    if offset:
        S += W[:, d:]
    total = 0.0
    if not -FAR < S.min() <= S.max() < FAR:
        largest = S.max(axis=0)
        S -= largest
        total = _total(w, largest)
    P = np.exp(S, out=S)
    sums = P.sum(axis=0)
    total += _total(w, np.log(sums))
    P *= 1.0 / sums
    H = _softmax_curvature(X, w, P, offset) if hess else None
    if np.ndim(w):
        P *= w
    g = _weighed(P, X)
    if offset:
        g = np.column_stack([g, P.sum(axis=1)])
    return total, g, H


def _softmax_curvature(X, w, P, offset):
    """The Hessian: with Z = P (x) A, the block diagonal of Z'A minus Z'Z, where rows of A count sqrt(w) times.

    On the diagonal p - p^2 is taken as p (1 - p), which keeps its digits where p is nearly 1.
    """
    if is_sparse(X):
        return _sparse_curvature(X, w, P, offset)
    A = np.column_stack([X, np.ones(len(X))]) if offset else X
    A = A * np.sqrt(w)[:, None] if np.ndim(w) else A
    n, m, k = *A.shape, len(P)
    H = np.zeros((k * m, k * m))
    rest = complements(P)
    # Z has k times as many numbers as X, so it is made of fewer rows at a time.
    length = max(512, in_memory.CACHED // (k * m))
    for rows in (slice(start, start + length) for start in range(0, n, length)):
        Z = (P.T[rows, :, None] * A[rows, None, :]).reshape(-1, k * m)
        part = -(Z.T @ Z)
        for j in range(k):
            own = slice(j * m, (j + 1) * m)
            part[own, own] = Z[:, own].T @ (rest[j, rows, None] * A[rows])
        H += part
    return H


def _sparse_curvature(X, w, P, offset):
    """The same of sparse rows, a pair of classes at a time."""
    from scipy import sparse

    A = sparse.hstack([X, np.ones((X.shape[0], 1))]).tocsr() if offset else X
    k, m, rest = len(P), A.shape[1], complements(P)
    H = np.empty((k, m, k, m))
    for i in range(k):
        for j in range(i, k):
            block = A.T @ times(w * P[i] * (rest[i] if i == j else -P[j]), A)
            H[i, :, j] = block.toarray()
            H[j, :, i] = H[i, :, j].T
    return H.reshape(k * m, k * m)


def complements(P):
    """1 - P for probabilities P, a column per example: for the most likely class the sum of the others."""
    rest, others = 1.0 - P, P.copy()
    top, at = P.argmax(axis=0), np.arange(P.shape[1])
    others[top, at] = 0.0
    rest[top, at] = others.sum(axis=0)
    return rest
