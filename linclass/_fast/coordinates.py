"""Coordinates in which columns are independent and of one size, whatever their units, shifts and likenesses.

With A the rows (x - centre, 1), the scores are A M u, and M makes the curvature at some point round:

    M' (A' D A / n + lam) M = identity      (no penalty on the offset; at 0 the curvatures D are 1/4)

One factorisation of the sum in the bracket finds half of the digits at most, since it holds squares. So the step is
repeated on what a pass over the data then sees of A M (shifted Cholesky QR: Fukaya and others 2020). A direction in
which A M is no more than the rounding of its own products is one that the data say nothing of: it is left out, and
`null` keeps it. All that is asked of the data are sums over rows, so rows may be anywhere.
"""

import dataclasses
from dataclasses import dataclass

import numpy as np

from linclass._fast import precise
from linclass._rows import in_memory

PASSES = 8  # each gains about seven digits; two or three do for columns that agree to fifteen
FLOOR = 1e-14  # an eigenvalue of a matrix of unit diagonal below this is rounding (measured: some d eps)
ROUND = 0.1  # eigenvalues all above this: the coordinates are good
NOISE = 0.1  # rounding beyond this share of a direction's length: the data say nothing of it
SHARE = 0.1  # of the largest: what takes part in a direction
DUST = 1e-9  # of the largest: what has no part in a combination
LARGEST = 1e290  # of a parameter; beyond, products would overflow


@dataclass(frozen=True)
class Frame:
    """theta and theta_0 from u, and the features in which u is the parameter."""

    centre: np.ndarray  # (d,)
    M: np.ndarray  # (d, r), or (d + 1, r) with an offset
    null: np.ndarray  # (d, q) or (d + 1, q): parameters of the rows (x, 1) that change no score beyond rounding

    def rows_of(self, X):
        """The rows (x - centre, 1), or x - centre without an offset."""
        return _affine(X - self.centre, len(self.M) > X.shape[1])

    def features(self, X):
        """A M: scores are its products with u."""
        return self.rows_of(X) @ self.M

    def on_theta(self):
        """The part of M that makes theta."""
        return self.M[: len(self.centre)]

    def parameters(self, U):
        """(theta, theta_0) from u, or from a row of U for each class."""
        w, d = U @ self.M.T, len(self.centre)
        theta = w[..., :d]
        theta_0 = w[..., d] - theta @ self.centre if len(self.M) > d else np.zeros(U.shape[:-1])
        return theta, theta_0

    def parameter_map(self):
        """The matrix T with (theta, theta_0) = T u."""
        return _uncentred(self.M, self.centre)

    def coordinates(self, W):
        """A row u for each row (theta, theta_0) of W, up to rounding: where to start from."""
        w, d = W.copy(), len(self.centre)
        w[:, d:] += (w[:, :d] @ self.centre)[:, None]
        scale = np.abs(self.M).max(axis=0)
        return np.linalg.lstsq(self.M / scale, w.T, rcond=None)[0].T / scale

    def inside(self, rows):
        """The rows in these coordinates, with all the columns that a score needs."""
        return dataclasses.replace(rows, X=self.features(rows.X)) if rows.at_hand else Inside(rows, self)


@dataclass(frozen=True)
class Inside(in_memory.Source):
    """Rows that are turned into the coordinates of a frame as they are read."""

    rows: object
    frame: Frame

    @property
    def n(self):
        """How many rows."""
        return self.rows.n

    @property
    def d(self):
        """How many columns."""
        return self.frame.M.shape[1]

    def fold(self, part, join):
        """part(Z, y, w) of each block of rows, joined."""
        return self.rows.fold(lambda X, *of: part(self.frame.features(X), *of), join)


def of(rows, lam, offset, curvatures=None):
    """The frame of the rows, by a few passes over them; `curvatures(X, y)` of the losses are 1/4 unless given."""
    centre = _middle(rows) if offset else np.zeros(rows.d)
    (largest,) = rows.largest(lambda X, y, w: (np.abs(X - centre).max(axis=0),))
    # Half the largest entry is the root of its share in the curvature at 0; the penalty has a share of its own.
    size = np.maximum(np.hypot(largest / 2, np.sqrt(lam)), np.finfo(float).tiny * 2**60)
    M = np.diag(np.append(1 / size, 1.0)[: rows.d + offset])
    M = M[:, np.append(largest > 0, True)[: rows.d + offset]]  # what does not vary has no part in a score
    null = np.zeros((len(M), 0))
    for _ in range(PASSES):

        def moments(X, y, w, M=M):
            """(Z' D Z, and the same of the sizes of what is added up, its diagonal alone) for Z = A M."""
            D = np.broadcast_to(w * (0.25 if curvatures is None else curvatures(X, y)), len(y))[:, None]
            A = _affine(X - centre, offset)
            Z, sizes = A @ M, np.abs(A) @ np.abs(M)
            return Z.T @ (D * Z), np.sum(D * sizes**2, axis=0)

        data, noise = rows.total(moments)
        penalty = lam * M[: rows.d].T @ M[: rows.d]
        G = data / rows.n + penalty
        scale = np.sqrt(G.diagonal())
        silent = precise.EPS * rows.d * np.sqrt(noise / rows.n) >= NOISE * scale
        silent |= np.abs(M).max(axis=0) >= LARGEST * scale
        null = np.column_stack([null, M[:, silent]])
        M, G, scale = M[:, ~silent], G[np.ix_(~silent, ~silent)], scale[~silent]
        if M.shape[1] == 0:
            break
        values, vectors = np.linalg.eigh(G / np.outer(scale, scale))
        M = (M / scale) @ (vectors / np.sqrt(np.maximum(values, FLOOR)))
        if values[0] > ROUND:
            M = M @ vectors.T  # not turned more than need be: a huge row stays in one direction
            break
    return Frame(centre, M, _uncentred(null, centre))


def _middle(rows):
    """The medians of the columns, of a thousand rows at most: a huge row does not move them."""
    some = rows.sample(min(rows.n, 1000)).chain(lambda kept, X, y, w: [*kept, X], [])
    return np.median(np.concatenate(some), axis=0)


def _affine(X, offset):
    return np.column_stack([X, np.ones(len(X))]) if offset else X


def _uncentred(directions, centre):
    """Parameters of the rows (x, 1) from those of (x - centre, 1)."""
    raw = directions.copy()
    if len(raw) > len(centre):
        raw[-1] -= centre @ directions[:-1]
    return raw


def combinations(null, rows):
    """For each null direction: (column, coefficients w, is x w = 0 exactly in every row?), 1 at the column.

    In every direction that rounding alone fills, one column (the last is the offset's) is a combination of the others
    as far as double precision can tell. Whether it is one exactly is seen with coefficients of nine digits: those of
    equal columns, sums of marks and other combinations that people make are short.
    """
    found = []
    directions, (sizes,) = null.copy(), rows.largest(lambda X, y, w: (np.abs(X).max(axis=0),))
    sizes = np.append(sizes, 1.0)[: len(null)]
    for j in range(null.shape[1]):
        share = np.abs(directions[:, j]) * sizes
        column = int(np.flatnonzero(share[: rows.d] >= SHARE * share.max())[-1])  # the latest that may be dropped
        directions[:, j] /= directions[column, j]
        others = np.arange(null.shape[1]) != j
        directions[:, others] -= np.outer(directions[:, j], directions[column, others])
        found.append(column)
    share = np.abs(directions) * sizes[:, None]
    directions[share < DUST * share.max(axis=0)] = 0.0
    short = np.array([[float(f"{v:.9g}") for v in row] for row in directions]).reshape(null.shape)

    def misses(X, y, w):
        A = _affine(X, len(null) > X.shape[1])
        return (np.array([np.count_nonzero(precise.long_product(A, v)[0]) for v in short.T]),)

    (wrong,) = rows.total(misses) if found else ([],)
    return [(column, short[:, j], wrong[j] == 0) for j, column in enumerate(found)]
