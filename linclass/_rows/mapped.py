"""Rows in a file that is mapped into memory, of which only the piece in use is read."""

import itertools
import mmap
from dataclasses import dataclass, field

import numpy as np

from linclass import _checks
from linclass._rows import in_memory, pieces
from linclass._rows.pieces import Pieces, bar, checksum_of


@dataclass(frozen=True)
class Mapped(Pieces, in_memory.OfMatrix):
    """A matrix in a file, mapped into memory. Its pages are let go after each piece."""

    X: np.memmap
    y: np.ndarray
    labels: np.ndarray
    dtype: np.dtype  # of the labels, once they are read
    progress: bool
    w: np.ndarray | None  # as it came
    weights: tuple  # as in `pieces.Seen`
    checksums: dict = field(default_factory=dict)  # of the pieces, each from the first time that it was read
    passes: object = field(default_factory=lambda: itertools.count(1))

    @classmethod
    def of(cls, X, y, labels, progress, sample_weight):
        """The checked rows; whether they are finite is seen when they are read."""
        if X.dtype.kind not in "biuf":
            _checks.fail("X", "real numbers", _checks.describe(X))
        y = np.asarray(y)
        if y.shape != X.shape[:1]:
            labels("y", y, len(X))  # says what is wrong
        w, weights = None, (None, None, 1.0)
        if sample_weight is not None:
            w = _checks.weights("sample_weight", sample_weight, len(X))
            shares, mass = _checks.of_mean_one("sample_weight", w)
            weights = len(shares) / mass, mass, float(shares.min())
        # A piece at a time, since checks make copies.
        cuts = (slice(k, k + pieces.PIECE) for k in range(0, len(y), pieces.PIECE))
        kept = (labels("y", y[cut])[slice(None) if w is None else w[cut] > 0] for cut in cuts)
        present = np.unique(np.concatenate([np.unique(part) for part in kept]))
        return cls(X, y, present, labels("y", present).dtype, progress, w, weights)

    mass, lightest = pieces.Seen.mass, pieces.Seen.lightest

    @property
    def n(self):
        """How many rows, without those of weight 0."""
        return sum(self.lengths)

    @property
    def length(self):
        """Rows to a piece."""
        return max(1, pieces.PIECE // self.d)

    @property
    def lengths(self):
        """Rows in each piece."""
        if self.w is None:
            return [min(self.length, len(self.X) - start) for start in range(0, len(self.X), self.length)]
        return [np.count_nonzero(self.w[start : start + self.length]) for start in range(0, len(self.X), self.length)]

    def pieces(self):
        """The rows in order, a piece at a time, held to what was read there before."""
        length, number = self.length, next(self.passes)
        starts = range(0, len(self.X), length)
        for k, start in enumerate(bar(starts, len(starts), self.progress, number)):
            rows = slice(start, start + length)
            X, y = np.asarray(self.X[rows], dtype=np.float64), np.asarray(self.y[rows], dtype=np.float64)
            found = checksum_of(X, y)
            if self.checksums.setdefault(k, found) != found:
                where = f"block {k} in pass {number} (rows {start} to {start + len(X) - 1} of the file)"
                _checks.fail(where, "the same as when it was first read", "other numbers or labels")
            y, w = y.astype(self.dtype, copy=False), 1.0
            if self.w is not None:
                X, y, w = in_memory.positive(self.w[rows], X, y, self.w[rows] * self.weights[0])
            if len(X):
                yield X, y, w
            # Else all that was ever read counts as memory in use. A private map must keep its changes.
            if self.X.mode != "c" and hasattr(mmap, "MADV_DONTNEED"):
                self.X._mmap.madvise(mmap.MADV_DONTNEED)

    def check(self):
        """Raise if a number is not finite."""
        for start in range(0, len(self.X), self.length):
            rows = slice(start, start + self.length)
            bad = ~np.isfinite(self.X[rows]) & (True if self.w is None else self.w[rows, None] > 0)
            if bad.any():
                row, column = _checks.first_index(bad)
                _checks.fail("X", "finite", f"NaN or infinity at index {(start + row, column)}")
