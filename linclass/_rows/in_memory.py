"""Rows in memory: dense ones a block at a time that fits the processor's cache, and sparse ones.

Of sparse rows only the entries that are not 0 are kept, and never the others made. What is done with them needs
products alone, X @ v and v @ X, and sums over columns.
"""

import dataclasses
import functools
import math

import numpy as np

from linclass import _checks

CACHED = 2**18  # numbers, 2 MiB: measured, they stay in the cache while they are used twice
MANY = 2**20  # numbers, 8 MiB: beyond, they are worked on in blocks (measured)
LONG = 100  # numbers in a row: from so many on, rows that are not many are not cut (measured)
SIDE_BY_SIDE = 64  # rows: NumPy is slow on short lines, measured
SIGNS = np.array([-1.0, 1.0])
# Checks of some of the labels, where some classes may be missing, and of all.
OF_A_PART = {"signs": _checks.signs, "classes": functools.partial(_checks.classes, n_classes=2**31)}
OF_ALL = {"signs": functools.partial(_checks.signs, both=True), "classes": _checks.classes}
LINE = 2**16  # numbers: so many are as quick to square as they are to read (measured)
ROUNDED_UP = 1 + 1e-9  # far more than the rounding of a sum of squares


class Source:
    """What sources have in common: sums and maxima, made of `fold`, and samples, made of `chosen`."""

    at_hand = False
    sparse = False

    def total(self, sums):
        """sums(X, y, w), a tuple of numbers and arrays, added up over all rows."""
        return self.fold(sums, add)

    def largest(self, sizes):
        """sizes(X, y, w), a tuple of numbers and arrays, the largest of each entry over all rows."""
        return self.fold(sizes, larger)

    def sample(self, count):
        """About `count` rows, see `spread`."""
        return self.chosen(spread(self.n, count))

    def every(self, step):
        """About one row of `step`."""
        return self.sample(self.n // step)

    @property
    def no_mistake(self):
        """A mean of logistic losses below this leaves no margin that is not positive: one at 0 costs ln 2 by itself.

        Book: thm-ln2-separates.
        """
        return math.log(2) * self.lightest / self.n


@dataclasses.dataclass
class Rows(Source):
    """Rows in memory, in an array or a CSR array with sorted indices and no entry twice: one piece."""

    X: np.ndarray
    y: np.ndarray
    labels: np.ndarray = None
    w: np.ndarray | float = 1.0  # weights of mean 1, or 1
    count: float = None  # how many examples all rows stand for: the sum of their weights as they were given
    turn: int = dataclasses.field(default=1, init=False)  # which way the next sum goes through the blocks

    @classmethod
    def of(cls, X, y, kind, sample_weight=None):
        """The checked rows, those of weight 0 left out; whether they are finite is for `check` to say."""
        X = _checks.sparse_matrix("X", X) if _checks.is_sparse(X) else _checks.matrix("X", X)
        weights = 1.0, X.shape[0]
        if sample_weight is not None:
            w = _checks.weights("sample_weight", sample_weight, X.shape[0])
            X, y = positive(w, X, OF_A_PART[kind]("y", y, X.shape[0]))
            weights = _checks.of_mean_one("sample_weight", w)
        y = OF_ALL[kind]("y", y, X.shape[0])
        return cls(X, y, SIGNS if kind == "signs" else np.arange(y.max() + 1), *weights)

    @property
    def n(self):
        """How many rows."""
        return self.X.shape[0]

    @property
    def d(self):
        """How many columns."""
        return self.X.shape[1]

    @property
    def sparse(self):
        """Are they in a CSR array?"""
        return not self.at_hand

    @property
    def at_hand(self):
        """Are they an array?"""
        return isinstance(self.X, np.ndarray)

    @property
    def lightest(self):
        """The least weight."""
        return float(np.min(self.w))

    def fold(self, part, join):
        """part(X, y, w) of each block of rows, joined."""
        return functools.reduce(join, (part(*block) for block in self.blocks()))

    def total(self, sums):
        """Sums over all rows, every other time from the last block to the first, which the cache may still hold."""
        self.turn = -self.turn
        return functools.reduce(add, (sums(*block) for block in self.blocks()[:: self.turn]))

    def blocks(self):
        """The blocks (X, y, w) of dense rows; of sparse ones a single one, since sums are as long as a column."""
        return [(self.X, self.y, self.w)] if self.sparse else list(blocks(self.X, self.y, self.w))

    def chain(self, visit, state):
        """The state after its visit to all rows."""
        return visit(state, self.X, self.y, self.w)

    def every(self, step):
        """Each row that is a multiple of `step`, not copied."""
        return self.chosen(slice(None, None, step))

    def chosen(self, some):
        """Some of the rows."""
        return dataclasses.replace(self, X=self.X[some], y=self.y[some], w=part_of(self.w, some))

    def check(self):
        """Raise if a number is not finite."""
        _checks.rows("X", self.X)


def blocks(X, y, w):
    """X, y and w, cut into blocks of rows that fit the cache: a multiple of 64 rows each."""
    n, d = X.shape
    length = max(512, CACHED // d // SIDE_BY_SIDE * SIDE_BY_SIDE) if X.size > MANY or d < LONG else n
    for k in range(0, n, length):
        cut = slice(k, k + length)
        yield X[cut], y[cut], part_of(w, cut)


def part_of(w, chosen):
    """The weights of some of the rows; 1 stands for all of them."""
    return w[chosen] if isinstance(w, np.ndarray) else w


def positive(w, *arrays):
    """The rows of the arrays whose weight is above 0."""
    return arrays if (w > 0).all() else tuple(array[w > 0] for array in arrays)


def spread(n, count):
    """`count` of n row numbers, the same on every call: one at random from each of `count` stretches of equal length.

    Random, so that no order of the rows can fool it; spread, so that the sample has a bit of everything.
    """
    edges = np.linspace(0, n, count + 1)
    rng = np.random.default_rng(0)
    return (edges[:-1] + np.diff(edges) * rng.random(count)).astype(np.intp)


def add(one, other):
    """Two tuples of sums, added; None stays None."""
    return tuple(a if a is None else a + b for a, b in zip(one, other, strict=True))


def larger(one, other):
    """The larger of each two entries of two tuples."""
    return tuple(np.maximum(a, b) for a, b in zip(one, other, strict=True))


def longest_row(X):
    """What no row is longer than: the length of the longest, or of as many short rows side by side as make a line."""
    if _checks.is_sparse(X):
        return math.sqrt(X.multiply(X).sum(axis=1).max()) * ROUNDED_UP
    n, d = X.shape
    lines = [X[k : k + LINE // d] for k in range(0, n, LINE // d)] if d < LONG else []
    squares = [np.vdot(line, line) for line in lines] or np.einsum("ij,ij->i", X, X)
    return math.sqrt(np.max(squares)) * ROUNDED_UP


def column_maxima(X):
    """The largest size in each column, rows laid side by side as far as they go."""
    if _checks.is_sparse(X):
        return abs(X).max(axis=0).toarray().ravel()
    n, d = X.shape
    whole = n // SIDE_BY_SIDE * SIDE_BY_SIDE if X.flags.c_contiguous else 0
    lines, rest = X[:whole].reshape(-1, SIDE_BY_SIDE * d), X[whole:]
    wide = np.maximum(lines.max(axis=0, initial=0.0), -lines.min(axis=0, initial=0.0))
    return np.maximum(wide.reshape(SIDE_BY_SIDE, d).max(axis=0), np.abs(rest).max(axis=0, initial=0.0))
