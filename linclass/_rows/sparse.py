"""Sparse rows: those of SciPy, of which only the entries that are not 0 are kept, and never the others made.

What is done with them needs products alone, X @ v and v @ X, and sums over columns. A matrix with a row or a column for
each of theirs is made only where there are few of these.
"""

import dataclasses

import numpy as np

from linclass import _checks
from linclass._rows import in_memory
from linclass._rows.in_memory import Rows


@dataclasses.dataclass(frozen=True)
class SparseRows(Rows):
    """Rows in memory, as a CSR array with sorted indices and no entry twice."""

    at_hand = False
    sparse = True

    @classmethod
    def of(cls, X, y, kind, sample_weight=None):
        """The checked rows: their entries are, labels and weights as for rows in memory."""
        X = _checks.sparse_matrix("X", X)
        rows = Rows.of(np.zeros((X.shape[0], 1)), y, kind, sample_weight)
        X = X if sample_weight is None else X[np.flatnonzero(np.asarray(sample_weight) > 0)]
        return cls(X, rows.y, rows.labels, rows.w, rows.mass)

    @property
    def n(self):
        """How many rows."""
        return self.X.shape[0]

    @property
    def lengths(self):
        """Rows in each piece."""
        return [self.n]

    def fold(self, part, join):
        """part(X, y, w) of all rows: what is made of them is as long as a column, and no longer."""
        return part(self.X, self.y, self.w)

    def sample(self, count):
        """About `count` rows, see `in_memory.spread`."""
        chosen = in_memory.spread(self.n, count)
        w = in_memory.part_of(self.w, chosen)
        return SparseRows(self.X[chosen], self.y[chosen], self.labels, w, self.mass)

    def check(self):
        """Nothing to do: the entries have been looked at."""
