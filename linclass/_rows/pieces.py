"""What sources share that are read piece by piece: the passes over them, their bar, and the checks of each block.

A fit goes over its rows many times, and rows that change on the way would lead it to an answer to nothing: the first
pass takes a checksum of each block, and a later one that finds another is an error.
"""

import functools
import itertools
import math
import zlib
from dataclasses import dataclass, field

import numpy as np

from linclass import _checks
from linclass._rows import in_memory

DELAY = 1.0  # seconds before a bar is shown
PIECE = 2**22  # numbers, 32 MiB: what is smaller may as well be in memory, and what is larger is cut into such pieces
FOLD = 2**15  # numbers, 256 KiB: what a checksum adds up at a time, so that it stays in the cache


@dataclass(frozen=True)
class Seen(in_memory.Source):
    """What the first pass saw of the blocks. Later ones are held to it."""

    lengths: tuple  # without rows of weight 0
    d: int
    seen: tuple  # of each block [rows, columns, checksum], which is None until it is read
    labels: np.ndarray
    check_labels: object  # of the labels of a block
    scale: float  # what brings the weights to a mean of 1
    count: float  # their sum as they came
    lightest: float  # the least
    passes: object = field(default_factory=lambda: itertools.count(2), kw_only=True)

    @property
    def n(self):
        """How many rows."""
        return sum(self.lengths)

    def where(self, k, number):
        """Block k in a pass, in words."""
        return f"block {k} in pass {number}"

    def readers(self):
        """(number of the next pass, a function for each block: read(X, y), or read(X, y, sample_weight), what came as
        arrays if it is the same, with the weights)."""
        number = next(self.passes)
        return number, [
            functools.partial(again, self.where(k, number), self.check_labels, seen, self.scale)
            for k, seen in enumerate(self.seen)
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


def look(k, check_labels, *block):
    """([rows, columns, checksum], rows that count, labels, weights) of block k, once all is in order.

    Rows of weight 0 are not counted, nor are their labels; the weights are (were they given?, their sum, the least).
    """
    X, y, w = _arrays(f"block {k}", check_labels, *block)
    _checks.real(f"X of block {k}", X, finite=True)
    kept, sizes = y, (False, len(X), 1.0)
    if w is not None:
        kept, above = y[w > 0], w[w > 0]
        sizes = True, float(above.sum()), float(above.min(initial=np.inf))
    return [*X.shape, checksum_of(X, y, w)], len(kept), np.unique(kept), sizes if len(X) else None


def again(where, check_labels, seen, scale, *block):
    """The (X, y, weights) of a block in a later pass as arrays, once they are known to be those of the first one."""
    X, y, w = _arrays(where, check_labels, *block, shape=tuple(seen[:2]))
    found = checksum_of(X, y, w)
    if seen[2] is None:
        seen[2] = found
    if seen[2] != found:
        _checks.fail(where, "the same as in the first pass", "other numbers or labels, or in another order")
    return (X, y, 1.0) if w is None else in_memory.positive(w, X, y, w * scale)


def _arrays(where, check_labels, X, y, w=None, shape=None):
    """(X, y, w or None) of a block as arrays; whether X is finite is not looked at. A block may be empty."""
    empty = _is_empty(X, y)
    X = np.empty(np.shape(X)) if empty else _checks.matrix(f"X of {where}", X)
    if shape and X.shape != shape:
        should = "the same as in the first pass, {} rows of {} columns".format(*shape)
        _checks.fail(where, should, f"X of shape {X.shape}")
    if empty:
        return X, np.empty(0), None
    y = check_labels(f"y of {where}", y, len(X))
    return X, y, w if w is None else _checks.weights(f"sample_weight of {where}", w, len(X))


def _is_empty(X, y):
    """Is it a block without rows?"""
    try:
        return np.ndim(X) == 2 and len(X) == 0 and np.size(y) == 0
    except ValueError:  # rows of different lengths
        return False


def checksum_of(X, y, w=None):
    """A number that tells whether the block is the same: it sees each bit, and two rows, columns or labels that swap.

    Every pass pays for it, so it does little more than read: bits as whole numbers, added up with wrap-around, stretch
    upon stretch, and the sum of each stretch; zlib.crc32 is for the sums alone. Measured beside a pass for a gradient,
    1e5 rows of 50: 0.6 of its time, where zlib.crc32 of all bytes is 2 and a plain sum 0.45. Rows, not the order in
    memory, say what a stretch is, since a copy may be laid out otherwise.
    """
    columns = (y,) if w is None else (y, w)
    return functools.reduce(_fold, (X, *(v.astype(np.float64, copy=False)[:, None] for v in columns)), 0)


def _fold(checksum, A):
    """The checksum, taken on over the numbers of A."""
    bits, length = A.view(np.uint64), max(1, FOLD // max(1, A.shape[1]))
    stretches = [bits[start : start + length] for start in range(0, len(A), length)]
    folded, sums = np.zeros(bits[:length].shape, np.uint64), np.zeros(len(stretches), np.uint64)
    for k, stretch in enumerate(stretches):
        folded[: len(stretch)] += stretch
        sums[k] = stretch.sum()
    return zlib.crc32(sums, zlib.crc32(folded, checksum))


def agreed(looks, check_labels):
    """What `Seen` keeps of what `look` said of all blocks: they must have the same columns, and all or none weights."""
    if not any(rows for (rows, _, _), *_ in looks):
        _checks.fail("X", "blocks with at least one row", f"{len(looks)} blocks without any")
    seen, lengths, present, weights = zip(*looks, strict=True)
    d = seen[0][1]
    for k, (_, width, _) in enumerate(seen):
        if width != d:
            _checks.fail(f"X of block {k}", f"a matrix with {d} columns, as block 0 is", f"{width} columns")
    sizes = {k: size for k, size in enumerate(weights) if size is not None}
    given, sums, least = zip(*sizes.values(), strict=True)
    for k, (weighted, _, _) in sizes.items():
        if weighted != given[0]:
            is_ = "as block 0 does" if given[0] else "as block 0 does not"
            _checks.fail(f"block {k}", f"with weights only if all blocks have them, {is_}", "the other kind")
    total = math.fsum(sums)
    if not 0 < total < math.inf:
        _checks.fail("sample_weight", "weights with a positive and finite sum", f"the sum {total}")
    scale = sum(lengths) / total
    return lengths, d, seen, np.unique(np.concatenate(present)), check_labels, scale, total, min(least) * scale


def split(chosen, lengths):
    """Sorted row numbers, cut by the blocks that they lie in and counted from the start of each."""
    starts = np.cumsum([0, *lengths])
    return [chosen[slice(*np.searchsorted(chosen, [a, b]))] - a for a, b in itertools.pairwise(starts)]
