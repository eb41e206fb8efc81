"""Rows in a file that is mapped into memory, of which only the piece in use is read."""

import functools
import itertools
import mmap
from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._rows import pieces
from linclass._rows.stream import Stream


@dataclass(frozen=True)
class Mapped(Stream):
    """A matrix in a file, mapped into memory: the stream of its pieces, which are looked at when first used."""

    X: np.memmap
    w: np.ndarray | None  # as it came
    cuts: list  # the rows of each piece

    @classmethod
    def of(cls, X, y, check_labels, progress, sample_weight):
        """The checked rows; whether they are finite, and what they are, is seen when they are first read."""
        if X.dtype.kind not in "biuf":
            _checks.fail("X", "real numbers", _checks.describe(X))
        y = np.asarray(y)
        if y.shape != X.shape[:1]:
            check_labels("y", y, len(X))  # says what is wrong
        w, weights = None, (1.0, len(X), 1.0)
        if sample_weight is not None:
            w = _checks.weights("sample_weight", sample_weight, len(X))
            shares, count = _checks.of_mean_one("sample_weight", w)
            weights = len(shares) / count, count, float(shares.min())
        length = max(1, pieces.PIECE // X.shape[1])
        cuts = [slice(start, start + length) for start in range(0, len(X), length)]
        # A piece at a time, since checks make copies.
        kept = (check_labels("y", y[cut])[slice(None) if w is None else w[cut] > 0] for cut in cuts)
        lengths, present = zip(*((len(part), np.unique(part)) for part in kept), strict=True)
        present, seen = np.unique(np.concatenate(present)), [[*X[cut].shape, None] for cut in cuts]
        known = lengths, X.shape[1], seen, present, check_labels, *weights
        start = functools.partial(_read, cuts, X, y, w)
        return cls(*known, start, progress, X, w, cuts, passes=itertools.count(1))

    def where(self, k, number):
        """Block k in a pass, and its rows in the file, in words."""
        rows = range(len(self.X))[self.cuts[k]]
        return f"{super().where(k, number)} (rows {rows[0]} to {rows[-1]} of the file)"

    def check(self):
        """Raise if a number is not finite."""
        for cut in self.cuts:
            bad = ~np.isfinite(self.X[cut]) & (True if self.w is None else self.w[cut, None] > 0)
            if bad.any():
                row, column = _checks.first_index(bad)
                _checks.fail("X", "finite", f"NaN or infinity at index {(cut.start + row, column)}")


def _read(cuts, X, *columns):
    """The pieces in order, with y and perhaps weights."""
    for cut in cuts:
        yield X[cut], *(column[cut] for column in columns if column is not None)
        # Else all that was ever read counts as memory in use. A private map must keep its changes.
        if X.mode != "c" and hasattr(mmap, "MADV_DONTNEED"):
            X._mmap.madvise(mmap.MADV_DONTNEED)
