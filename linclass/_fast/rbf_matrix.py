"""The RBF matrix of many rows, from one matrix product.

All squared distances at once are |x - z|^2 = |x|^2 + |z|^2 - 2 x . z, and the sum on the right is itself a product, of
(x, |x|^2, 1) with (2 z, -1, -|z|^2) but for the sign. The exponentials are taken while the block of rows just computed
is still in the cache, and where Z is X one half of the matrix is the mirror image of the other.
"""

import numpy as np

ROWS, STRIP = 64, 1024
LONGEST = 1e5  # squared lengths in units of tau, beyond which the sum on the right loses digits that matter


def similarities(X, Z, tau):
    """exp(-|x - z|^2 / (2 tau^2)) for all pairs of rows."""
    same = Z is X
    centre = X.mean(axis=0)  # distances do not feel a shift, and small numbers keep more digits
    with np.errstate(over="ignore"):
        u = (X - centre) / (np.sqrt(2.0) * tau)
        v = u if same else (Z - centre) / (np.sqrt(2.0) * tau)
        uu, vv = np.einsum("ij,ij->i", u, u), np.einsum("ij,ij->i", v, v)
    if not max(uu.max(), vv.max()) < LONGEST:
        return by_differences(X, Z, tau)
    U, V = np.column_stack([u, uu, np.ones(len(u))]), np.column_stack([2.0 * v, -np.ones(len(v)), -vv]).T.copy()
    K = np.empty((len(X), len(Z)))
    if not same:
        return exp_of_product(U, V, K)
    for start in range(0, len(X), STRIP):
        stop = start + STRIP
        exp_of_product(U[start:stop], V[:, start:], K[start:stop, start:])
        K[stop:, start:stop] = K[start:stop, stop:].T
    np.fill_diagonal(K, 1.0)
    return K


def by_differences(X, Z, tau):
    """The same for rows so far apart that only differences keep the digits, one column of them at a time."""
    squares = np.zeros((len(X), len(Z)))
    with np.errstate(over="ignore"):
        for x, z in zip(X.T, Z.T, strict=True):
            squares += (np.subtract.outer(x, z) / tau) ** 2
    return np.exp(-squares / 2)


def exp_of_product(U, V, out):
    """exp(min(U V, 0)): rounding may leave a product a little above 0."""
    for start in range(0, len(U), ROWS):
        block = np.matmul(U[start : start + ROWS], V, out=out[start : start + ROWS])
        np.minimum(block, 0.0, out=block)
        np.exp(block, out=block)
    return out
