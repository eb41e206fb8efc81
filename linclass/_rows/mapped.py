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
    checksums: dict = field(default_factory=dict)  # of the pieces, each from the first time that it was read
    passes: object = field(default_factory=lambda: itertools.count(1))

    @classmethod
    def of(cls, X, y, labels, progress):
        """The checked rows; whether they are finite is seen when they are read."""
        if X.dtype.kind not in "biuf":
            _checks.fail("X", "real numbers", _checks.describe(X))
        y = np.asarray(y)
        if y.shape != X.shape[:1]:
            labels("y", y, len(X))  # says what is wrong
        # A piece at a time, since checks make copies.
        parts = (y[k : k + pieces.PIECE] for k in range(0, len(y), pieces.PIECE))
        present = np.unique(np.concatenate([np.unique(labels("y", part)) for part in parts]))
        return cls(X, y, present, labels("y", present).dtype, progress)

    @property
    def length(self):
        """Rows to a piece."""
        return max(1, pieces.PIECE // self.d)

    @property
    def lengths(self):
        """Rows in each piece."""
        return [min(self.length, self.n - start) for start in range(0, self.n, self.length)]

    def pieces(self):
        """The rows in order, a piece at a time, held to what was read there before."""
        length, number = self.length, next(self.passes)
        starts = range(0, self.n, length)
        for k, start in enumerate(bar(starts, len(starts), self.progress, number)):
            rows = slice(start, start + length)
            X, y = np.asarray(self.X[rows], dtype=np.float64), np.asarray(self.y[rows], dtype=np.float64)
            found = checksum_of(X, y)
            if self.checksums.setdefault(k, found) != found:
                where = f"block {k} in pass {number} (rows {start} to {start + len(X) - 1} of the file)"
                _checks.fail(where, "the same as when it was first read", "other numbers or labels")
            yield X, y.astype(self.dtype, copy=False)
            # Else all that was ever read counts as memory in use. A private map must keep its changes.
            if self.X.mode != "c" and hasattr(mmap, "MADV_DONTNEED"):
                self.X._mmap.madvise(mmap.MADV_DONTNEED)

    def check(self):
        """Raise if a number is not finite."""
        for k, (X, _) in enumerate(self.pieces()):
            if not _checks.is_finite(X):
                row, column = _checks.first_index(~np.isfinite(X))
                where = (k * self.length + row, column)
                _checks.fail("X", "finite", f"NaN or infinity at index {where}")
