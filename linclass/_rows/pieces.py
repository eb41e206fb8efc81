"""What sources share that are read piece by piece: the passes over them, their bar, and the checks of each block.

A fit goes over its rows many times, and rows that change on the way would lead it to an answer to nothing: the first
pass takes a checksum of each block, and a later one that finds another is an error.
"""

import functools
import itertools
import zlib
from dataclasses import dataclass, field

import numpy as np

from linclass import _checks
from linclass._rows import in_memory

DELAY = 1.0  # seconds before a bar is shown
PIECE = 2**22  # numbers, 32 MiB: what is smaller may as well be in memory, and what is larger is cut into such pieces
FOLD = 2**15  # numbers, 256 KiB: what a checksum adds up at a time, so that it stays in the cache


class Pieces(in_memory.Source):
    """A source that is read here, a piece at a time: it has `pieces()` and their `lengths`."""

    def fold(self, part, join):
        """part(X, y) of each block of rows, joined."""
        return functools.reduce(join, (joined(part, join, X, y) for X, y in self.pieces()))

    def chain(self, visit, state):
        """The state after it has visited the pieces in order: state = visit(state, X, y)."""
        for X, y in self.pieces():
            state = visit(state, X, y)
        return state

    def sample(self, count):
        """About `count` rows: those that `in_memory.Rows` would choose, read into memory."""
        chosen = split(in_memory.spread(self.n, count), [m for m in self.lengths if m])
        parts = [(X[here], y[here]) for (X, y), here in zip(self.pieces(), chosen, strict=True)]
        return in_memory.Rows(*(np.concatenate(part) for part in zip(*parts, strict=True)), self.labels)


def joined(part, join, X, y):
    """part(X, y) of each block of rows of one piece, joined; None if it has no rows."""
    return in_memory.Rows(X, y).fold(part, join) if len(X) else None


@dataclass(frozen=True)
class Seen(in_memory.Source):
    """What the first pass saw of the blocks. Later ones are held to it."""

    lengths: tuple
    d: int
    checksums: tuple
    labels: np.ndarray
    dtype: np.dtype  # of the labels
    passes: object = field(default_factory=lambda: itertools.count(2), kw_only=True)

    @property
    def n(self):
        """How many rows."""
        return sum(self.lengths)

    def readers(self):
        """(number of the next pass, a function for each block: read(X, y), what came as arrays, if it is the same)."""
        number, seen = next(self.passes), zip(self.lengths, self.checksums, strict=True)
        return number, [
            functools.partial(again, where(k, number), (length, self.d), checksum, self.dtype)
            for k, (length, checksum) in enumerate(seen)
        ]

    def check(self):
        """Nothing to do: the first pass has looked at every number."""


def bar(items, total, progress, number):
    """The items, with a bar if they take long, someone watches and tqdm is there."""
    if not progress:
        return items
    try:
        from tqdm import tqdm
    except ImportError:
        return items
    desc = f"pass {number} over the data"
    return tqdm(items, total=total, disable=None, delay=DELAY, leave=False, desc=desc, unit="block")


def where(k, number):
    return f"block {k} in pass {number}"


def look(k, X, y, labels):
    """(rows, columns, checksum, labels) of block k, once all is in order. A block may be empty."""
    if _is_empty(X, y):
        return 0, np.shape(X)[1], None, np.zeros(0)
    X = _checks.matrix(f"X of block {k}", X, finite=True)
    y = labels(f"y of block {k}", y, len(X))
    return *X.shape, checksum_of(X, y.astype(np.float64, copy=False)), np.unique(y)


def again(where, shape, checksum, dtype, X, y):
    """The (X, y) of a block in a later pass as arrays, once they are known to be those of the first one."""
    if _is_empty(X, y):
        X, y = np.empty((0, shape[1])), np.empty(0)
    X, y = _checks.real(f"X of {where}", X), _checks.real(f"y of {where}", y)
    if X.shape != shape or y.shape != shape[:1]:
        came = f"X of shape {X.shape} and y of shape {y.shape}"
        _checks.fail(where, f"the same as in the first pass, {shape[0]} rows of {shape[1]} columns", came)
    if checksum is not None and checksum_of(X, y) != checksum:
        _checks.fail(where, "the same as in the first pass", "other numbers or labels, or in another order")
    return X, y.astype(dtype, copy=False)


def _is_empty(X, y):
    """Is it a block without rows?"""
    try:
        return np.ndim(X) == 2 and len(X) == 0 and np.size(y) == 0
    except ValueError:  # rows of different lengths
        return False


def checksum_of(X, y):
    """A number that tells whether the block is the same: it sees each bit, and two rows, columns or labels that swap.

    Every pass pays for it, so it does little more than read: bits as whole numbers, added up with wrap-around, stretch
    upon stretch, and the sum of each stretch; zlib.crc32 is for the sums alone. Measured beside a pass for a gradient,
    1e5 rows of 50: 0.6 of its time, where zlib.crc32 of all bytes is 2 and a plain sum 0.45. Rows, not the order in
    memory, say what a stretch is, since a copy may be laid out otherwise.
    """
    return functools.reduce(_fold, (X, y[:, None]), 0)


def _fold(checksum, A):
    """The checksum, taken on over the numbers of A."""
    bits, length = A.view(np.uint64), max(1, FOLD // A.shape[1])
    stretches = [bits[start : start + length] for start in range(0, len(A), length)]
    folded, sums = np.zeros(stretches[0].shape, np.uint64), np.zeros(len(stretches), np.uint64)
    for k, stretch in enumerate(stretches):
        folded[: len(stretch)] += stretch
        sums[k] = stretch.sum()
    return zlib.crc32(sums, zlib.crc32(folded, checksum))


def agreed(seen, labels):
    """(lengths, columns, checksums, labels, their dtype) of all blocks; they must have the same columns."""
    lengths, widths, checksums, present = zip(*seen, strict=True) if seen else ((), (), (), ())
    if not sum(lengths):
        _checks.fail("X", "blocks with at least one row", f"{len(lengths)} blocks without any")
    for k, width in enumerate(widths):
        if width != widths[0]:
            _checks.fail(f"X of block {k}", f"a matrix with {widths[0]} columns, as block 0 is", f"{width} columns")
    present = np.unique(np.concatenate(present))
    return lengths, widths[0], checksums, present, labels("y", present).dtype


def split(chosen, lengths):
    """Sorted row numbers, cut by the blocks that they lie in and counted from the start of each."""
    starts = np.cumsum([0, *lengths])
    return [chosen[slice(*np.searchsorted(chosen, [a, b]))] - a for a, b in itertools.pairwise(starts)]
