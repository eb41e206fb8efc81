"""Rows in a file that is mapped into memory, of which only the piece in use is read."""

import itertools
import mmap
from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._rows import in_memory, pieces
from linclass._rows.pieces import Pieces, Seen, bar, checksum_of


@dataclass(frozen=True)
class Mapped(Pieces, Seen):
    """A matrix in a file, mapped into memory. Its pages are let go after each piece."""

    X: np.memmap
    y: np.ndarray
    w: np.ndarray | None  # as it came
    progress: bool

    @classmethod
    def of(cls, X, y, labels, progress, sample_weight):
        """The checked rows; whether they are finite, and what they are, is seen when they are first read."""
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
        kept = (labels("y", y[cut])[slice(None) if w is None else w[cut] > 0] for cut in _cuts(X))
        lengths, present = zip(*((len(part), np.unique(part)) for part in kept), strict=True)
        present = np.unique(np.concatenate(present))
        dtype, passes = labels("y", present).dtype, itertools.count(1)
        return cls(lengths, X.shape[1], {}, present, dtype, weights, X, y, w, progress, passes=passes)

    def pieces(self):
        """The rows in order, a piece at a time, held to what was read there before."""
        cuts, number = _cuts(self.X), next(self.passes)
        for k, cut in enumerate(bar(cuts, len(cuts), self.progress, number)):
            X, y = np.asarray(self.X[cut], dtype=np.float64), np.asarray(self.y[cut], dtype=np.float64)
            found = checksum_of(X, y)
            if self.checksums.setdefault(k, found) != found:
                where = f"block {k} in pass {number} (rows {cut.start} to {cut.start + len(X) - 1} of the file)"
                _checks.fail(where, "the same as when it was first read", "other numbers or labels")
            y, w = y.astype(self.dtype, copy=False), 1.0
            if self.w is not None:
                X, y, w = in_memory.positive(self.w[cut], X, y, self.w[cut] * self.weights[0])
            if len(X):
                yield X, y, w
            # Else all that was ever read counts as memory in use. A private map must keep its changes.
            if self.X.mode != "c" and hasattr(mmap, "MADV_DONTNEED"):
                self.X._mmap.madvise(mmap.MADV_DONTNEED)

    def check(self):
        """Raise if a number is not finite."""
        for cut in _cuts(self.X):
            bad = ~np.isfinite(self.X[cut]) & (True if self.w is None else self.w[cut, None] > 0)
            if bad.any():
                row, column = _checks.first_index(bad)
                _checks.fail("X", "finite", f"NaN or infinity at index {(cut.start + row, column)}")


def _cuts(X):
    """The rows of each piece."""
    length = max(1, pieces.PIECE // X.shape[1])
    return [slice(start, start + length) for start in range(0, len(X), length)]
