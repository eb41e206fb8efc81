"""The Gram matrix of more examples than memory should hold: its rows are made when they are asked for."""

import numpy as np

from linclass import _checks

ROOM = 2**26  # numbers that are held at once, 512 MiB: chosen; up to 8,192 examples the whole matrix is
BLOCK = 2**22  # numbers that are made at once: chosen
SHOWN = 50  # rows that show whether the matrix is symmetric: chosen


def gram_of(kernel, X):
    """kernel(X, X), checked, or the same with rows made on demand."""
    return _checks.kernel_matrix(kernel, X) if len(X) ** 2 <= ROOM else GramRows(kernel, X).checked()


class GramRows:
    """What the walk, block pivoting and certificates ask of a Gram matrix; single rows are kept while there is room."""

    def __init__(self, kernel, X):
        self.kernel, self.X, self.shape, self.kept = kernel, X, (len(X), len(X)), {}

    def __len__(self):
        return len(self.X)

    def checked(self):
        """Itself, if it looks like a Gram matrix where it is looked at, as `_checks.kernel_matrix` does."""
        some = np.linspace(0, len(self) - 1, SHOWN).astype(int)
        _checks.kernel_matrix(self.kernel, self.X[some])
        across, down = self[some], self._of(slice(None), some).T
        if np.abs(across - down).max() > _checks.ASYMMETRY * np.abs(across).max():
            _checks.fail("kernel(X, X)", "symmetric, as inner products are", "a matrix that differs from its transpose")
        return self

    def _of(self, rows, columns):
        with _checks.afresh():
            return np.asarray(self.kernel(self.X[rows], self.X[columns]), float)

    def __getitem__(self, rows):
        """A row, some rows, or, with two arrays of `np.ix_`, some rows and columns."""
        if isinstance(rows, tuple):
            return self._of(*(index.ravel() for index in rows))
        if not isinstance(rows, int):
            return self._of(rows, slice(None))
        if rows not in self.kept:
            if len(self.kept) >= ROOM // len(self):
                del self.kept[next(iter(self.kept))]  # the oldest
            self.kept[rows] = self._of([rows], slice(None))[0]
        return self.kept[rows]

    def __matmul__(self, v):
        """K v, by the rows that matter."""
        used, count = np.flatnonzero(v), max(1, BLOCK // len(self))
        parts = [used[k : k + count] for k in range(0, len(used), count)]
        return sum((v[part] @ self[part] for part in parts), np.zeros(len(self)))

    def diagonal(self):
        """Squared lengths."""
        parts = [slice(k, k + SHOWN) for k in range(0, len(self), SHOWN)]
        return np.concatenate([self._of(part, part).diagonal() for part in parts])

    def among(self, chosen):
        """The same of some examples."""
        return GramRows(self.kernel, self.X[chosen])
