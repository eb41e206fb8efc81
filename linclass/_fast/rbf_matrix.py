"""The RBF matrix of many rows, from one matrix product.

All squared distances at once are |x - z|^2 = |x|^2 + |z|^2 - 2 x . z, and the sum on the right is itself a product, of
(x, |x|^2, 1) with (2 z, -1, -|z|^2) but for the sign. The exponentials are taken while the block of rows just computed
is still in the cache, and where Z is X one half of the matrix is the mirror image of the other.
"""

import numpy as np

from linclass import kernels

FEW = 2**11  # coordinates of differences, below which the product costs more than it saves; measured, some 30 us
ROWS = 128  # of a block that stays in the cache; measured
LONGEST = 1e5  # squared lengths in units of tau, beyond which the sum on the right loses digits that matter: 1e5 eps


def rbf_kernel(X, Z, tau):
    """exp(-|x - z|^2 / (2 tau^2)) for all pairs of rows."""
    if X.size * len(Z) < FEW:
        return kernels.rbf_kernel.plain(X, Z, tau)
    same = Z is X or np.array_equal(Z, X)
    centre = X.mean(axis=0)  # distances do not feel a shift, and small numbers keep more digits
    u = (X - centre) / (np.sqrt(2.0) * tau)
    v = u if same else (Z - centre) / (np.sqrt(2.0) * tau)
    uu, vv = np.einsum("ij,ij->i", u, u), np.einsum("ij,ij->i", v, v)
    if not max(uu.max(), vv.max()) < LONGEST:
        return kernels.rbf_kernel.plain(X, Z, tau)
    U, V = np.column_stack([u, uu, np.ones(len(u))]), np.column_stack([2.0 * v, -np.ones(len(v)), -vv]).T.copy()
    K = np.empty((len(X), len(Z)))
    for start in range(0, len(X), ROWS):
        rows, first = slice(start, start + ROWS), start if same else 0
        block = np.matmul(U[rows], V[:, first:], out=K[rows, first:])
        np.minimum(block, 0.0, out=block)  # rounding may leave a product a little above 0
        np.exp(block, out=block)
        if same:
            K[start + ROWS :, rows] = block[:, ROWS:].T
    if same:
        np.fill_diagonal(K, 1.0)
    return K
