"""Where rows come from when they are not in memory: files mapped into it, streams of blocks, Dask.

All answer to what `in_blocks.Rows` answers to: `n`, `d`, `total(sums)`, which adds sums(X, y) over the pieces,
`chain(visit, state)`, which takes a state from piece to piece, and `sample(count)`, the same rows whatever the pieces.
Learners ask for nothing else, so they fit them all, along the same path, and to the same digits but for rounding.

A fit goes over its rows many times, and rows that change on the way would lead it to an answer to nothing: the first
pass takes a checksum of each block, and a later one that finds another is an error.
"""

import copy
import functools
import itertools
import mmap
import uuid
import zlib
from dataclasses import dataclass, field

import numpy as np

from linclass import _checks
from linclass._rows import in_blocks

DELAY = 1.0  # seconds before a bar is shown
PIECE = 2**22  # numbers, 32 MiB: what is smaller may as well be in memory, and what is larger is cut into such pieces
FOLD = 2**15  # numbers, 256 KiB: what a checksum adds up at a time, so that it stays in the cache
NOTHING = object()  # where a stream should have had a block


def located(X, y, labels, progress, gather=True):
    """(X, y, None) if the data are in memory or fit there with ease, else (None, None, rows).

    `X` is blocks if `y` is None: an iterable of pairs (X, y), or a function that makes such an iterator. `labels` is
    `_checks.signs` or `_checks.class_numbers`. The rows come with `labels`, the sorted labels that occur.
    """
    if y is None:
        rows = Stream.of(X, labels, progress)
        return (*rows.gathered(), None) if gather and rows.n * rows.d <= PIECE else (None, None, rows)
    if is_dask(X):
        return None, None, OnDask.of(X, y, labels)
    if isinstance(X, np.memmap) and X.ndim == 2 and X.size > PIECE:
        return None, None, Mapped.of(X, y, labels, progress)
    return X, y, None


def is_dask(X):
    """Is X an array or a table of Dask? Told by its name: without Dask there is none to compare with."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr")


def in_memory(X, y, learner, instead):
    """Raise if X and y are not in memory, for a learner that needs all rows at once."""
    blocks = y is None and (callable(X) or hasattr(X, "__iter__")) and not _holds_numbers(X)
    if is_dask(X) or blocks:
        why = f"in memory (an array), since {learner} needs all rows at once: {instead}"
        _checks.fail("X", why, "blocks" if blocks else _checks.describe(type(X)))


def _holds_numbers(X):
    """Is X an array, or lists as regular as one? Then it is rows, not blocks of them."""
    try:
        return hasattr(X, "__array__") or np.asarray(X).dtype.kind in "biuf"
    except ValueError:
        return False


class Pieces:
    """A source that is read here, a piece at a time: it has `pieces()` and their `lengths`."""

    def total(self, sums):
        """sums(X, y), a tuple of numbers and arrays, added up over the pieces."""
        return functools.reduce(_add, itertools.starmap(sums, self.pieces()))

    def chain(self, visit, state):
        """The state after it has visited the pieces in order: state = visit(state, X, y)."""
        for X, y in self.pieces():
            state = visit(state, X, y)
        return state

    def sample(self, count):
        """About `count` rows: those that `in_blocks.Rows` would choose, read into memory."""
        chosen = _split(in_blocks.spread(self.n, count), [m for m in self.lengths if m])
        parts = [(X[here], y[here]) for (X, y), here in zip(self.pieces(), chosen, strict=True)]
        return in_blocks.Rows(*(np.concatenate(part) for part in zip(*parts, strict=True)))


@dataclass(frozen=True)
class Mapped(Pieces, in_blocks.Rows):
    """A matrix in a file, mapped into memory. Its pages are let go after each piece."""

    labels: np.ndarray
    dtype: np.dtype  # of the labels, once they are read
    progress: bool
    checksums: dict = field(default_factory=dict)  # of the pieces, each from the first time that it was read
    passes: object = field(default_factory=lambda: itertools.count(1))
    at_hand = False

    @classmethod
    def of(cls, X, y, labels, progress):
        """The checked rows; whether they are finite is seen when they are read."""
        if X.dtype.kind not in "biuf":
            _checks.fail("X", "real numbers", _checks.describe(X))
        y = np.asarray(y)
        if y.shape != X.shape[:1]:
            labels("y", y, len(X))  # says what is wrong
        # A piece at a time, since checks make copies.
        present = np.unique(np.concatenate([np.unique(labels("y", y[k : k + PIECE])) for k in range(0, len(y), PIECE)]))
        return cls(X, y, present, labels("y", present).dtype, progress)

    @property
    def length(self):
        """Rows to a piece."""
        return max(1, PIECE // self.d)

    @property
    def lengths(self):
        """Rows in each piece."""
        return [min(self.length, self.n - start) for start in range(0, self.n, self.length)]

    def pieces(self):
        """The rows in order, a piece at a time, held to what was read there before."""
        length, number = self.length, next(self.passes)
        starts = range(0, self.n, length)
        for k, start in enumerate(_bar(starts, len(starts), self.progress, number)):
            rows = slice(start, start + length)
            X, y = np.asarray(self.X[rows], dtype=np.float64), np.asarray(self.y[rows], dtype=np.float64)
            found = _checksum(X, y)
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


@dataclass(frozen=True)
class Seen:
    """What the first pass saw of the blocks. Later ones are held to it."""

    lengths: tuple
    d: int
    checksums: tuple
    labels: np.ndarray
    dtype: np.dtype  # of the labels
    passes: object = field(default_factory=lambda: itertools.count(2), kw_only=True)
    at_hand = False

    @property
    def n(self):
        """How many rows."""
        return sum(self.lengths)

    def readers(self):
        """(number of the next pass, a function for each block: read(X, y), what came as arrays, if it is the same)."""
        number, seen = next(self.passes), zip(self.lengths, self.checksums, strict=True)
        return number, [
            functools.partial(_again, _where(k, number), (length, self.d), checksum, self.dtype)
            for k, (length, checksum) in enumerate(seen)
        ]

    def check(self):
        """Nothing to do: the first pass has looked at every number."""


@dataclass(frozen=True)
class Stream(Pieces, Seen):
    """Blocks (X, y) that can be gone through again and again."""

    start: object  # a function that makes a fresh iterator
    progress: bool

    @classmethod
    def of(cls, blocks, labels, progress):
        """The checked rows, after a first pass that looks at every block."""
        again = "blocks (X, y) that can be read again from block 0: a list, an object whose __iter__ starts anew, or "
        again += "a function that makes an iterator"
        if isinstance(blocks, np.ndarray) or not (callable(blocks) or hasattr(blocks, "__iter__")):
            _checks.fail("y", "given with X, one label per row, unless X is " + again, "None")
        start = blocks if callable(blocks) else blocks.__iter__
        if not callable(blocks) and hasattr(blocks, "__next__"):
            _checks.fail("X", again, f"{_checks.describe(blocks)}, which is used up after one pass")
        seen = [
            _look(k, *_pair(f"block {k}", block), labels)
            for k, block in enumerate(_bar(_noted(start, 1), None, progress, 1))
        ]
        return cls(*_agreed(seen, labels), start, progress)

    def pieces(self):
        """The blocks in order, held to what the first pass saw of them."""
        number, readers = self.readers()
        blocks = _noted(self.start, number)
        for k, read in enumerate(_bar(readers, len(readers), self.progress, number)):
            block = next(blocks, NOTHING)
            if block is NOTHING:
                _checks.fail(_where(k, number), f"one of {len(readers)}, as many as in the first pass", "nothing")
            X, y = read(*_pair(_where(k, number), block))
            if len(X):
                yield X, y
        if next(blocks, NOTHING) is not NOTHING:
            came = f"{_where(len(readers), number)} too"
            _checks.fail("X", f"the same {len(readers)} blocks in every pass", came)

    def gathered(self):
        """All rows, as (X, y)."""
        parts = [(X.copy(), y.copy()) for X, y in self.pieces()]  # a stream may fill the same array again
        return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


@dataclass(frozen=True)
class OnDask(Seen):
    """Rows in the chunks of a Dask array or table. Sums are made where the rows are, and only sums travel."""

    chunks: list  # pairs of delayed (X, y)

    @classmethod
    def of(cls, X, y, labels):
        """The checked rows, after a first pass that looks at every chunk."""
        dask = _dask()
        if not is_dask(y):
            _checks.fail("y", "of Dask, as X is", _checks.describe(y))
        if hasattr(X, "rechunk"):
            X = X.rechunk({1: -1}) if X.ndim == 2 else _checks.matrix("X", np.empty(X.shape))
            known = not np.isnan(X.chunks[0]).any()
            y = y.rechunk({0: X.chunks[0]}) if known and hasattr(y, "rechunk") and len(y) == len(X) else y
        Xs, ys = np.ravel(X.to_delayed()), np.ravel(y.to_delayed())
        if len(Xs) != len(ys):
            _checks.fail("y", f"in {len(Xs)} chunks, as X is", f"{len(ys)} chunks")
        chunks = list(zip(Xs, ys, strict=True))
        look = dask.delayed(_look, pure=False)
        seen = dask.compute(*(look(k, X, y, labels, **_name("look", k)) for k, (X, y) in enumerate(chunks)))
        return cls(*_agreed(seen, labels), chunks)

    def tasks(self):
        """(number of the block, read, X, y) for each chunk, see `readers`."""
        _, readers = self.readers()
        return [(k, read, X, y) for k, (read, (X, y)) in enumerate(zip(readers, self.chunks, strict=True))]

    def total(self, sums):
        """sums(X, y), a tuple of numbers and arrays, added up over the chunks, eight by eight, by whoever has them."""
        dask, name = _dask(), uuid.uuid4().hex
        work, add = dask.delayed(_sums, pure=False), dask.delayed(_add_all, pure=False)
        parts = [work(sums, *task, **_name("pass", k, name)) for k, *task in self.tasks()]
        while len(parts) > 1:
            level = len(parts)
            parts = [
                add(parts[k : k + 8], **_name(f"add-{level}", k, name)) if level > k + 1 else parts[k]
                for k in range(0, level, 8)
            ]
        return dask.compute(parts[0])[0]

    def chain(self, visit, state):
        """The state after it has visited the chunks in order: it goes to the rows, they stay."""
        dask, name = _dask(), uuid.uuid4().hex
        work = dask.delayed(_visit, pure=False)
        for k, *task in self.tasks():
            state = work(visit, state, *task, **_name("visit", k, name))
        return dask.compute(state)[0]

    def sample(self, count):
        """About `count` rows, those that `in_blocks.Rows` would choose, kept where they are."""
        dask, chosen = _dask(), _split(in_blocks.spread(self.n, count), self.lengths)
        take = dask.delayed(_take, pure=False, nout=2)
        here = [(rows, *task) for rows, task in zip(chosen, self.tasks(), strict=True) if len(rows)]
        pairs = dask.persist(*(take(rows, *task, **_name("sample", k)) for rows, k, *task in here))
        lengths, unchecked = zip(*((len(rows), None) for rows, *_ in here), strict=True)  # checked as they were taken
        return OnDask(lengths, self.d, unchecked, self.labels, self.dtype, [(pair[0], pair[1]) for pair in pairs])


def _dask():
    try:
        import dask
        import dask.delayed

        return dask
    except ImportError:
        _checks.fail("X", "an array, unless Dask is there (pip install 'linclass[dask]')", "data of Dask without Dask")


def _name(what, k, name=None):
    """The key of a task, so that the dashboard shows what it is."""
    return {"dask_key_name": f"linclass_{what}-{name or uuid.uuid4().hex}-{k}"}


def _bar(items, total, progress, number):
    """The items, with a bar if they take long, someone watches and tqdm is there."""
    if not progress:
        return items
    try:
        from tqdm import tqdm
    except ImportError:
        return items
    desc = f"pass {number} over the data"
    return tqdm(items, total=total, disable=None, delay=DELAY, leave=False, desc=desc, unit="block")


def _where(k, number):
    return f"block {k} in pass {number}"


def _noted(start, number):
    """The blocks of a stream. What it raises goes on to the user, with a note that says where it was."""
    k = 0
    try:
        blocks = start()
        if not hasattr(blocks, "__iter__"):
            _checks.fail("X", "a function that makes an iterator over blocks (X, y)", _checks.describe(blocks))
        for block in blocks:
            yield block
            k += 1
    except Exception as error:
        error.add_note(f"This came from the blocks (X, y) given as X, at {_where(k, number)} over them.")
        raise


def _pair(where, block):
    """A block as (X, y)."""
    if not isinstance(block, tuple | list) or len(block) != 2:
        _checks.fail(where, "a pair (X, y)", _checks.describe(block))
    return block


def _look(k, X, y, labels):
    """(rows, columns, checksum, labels) of block k, once all is in order. A block may be empty."""
    if _is_empty(X, y):
        return 0, np.shape(X)[1], None, np.zeros(0)
    X = _checks.matrix(f"X of block {k}", X, finite=True)
    y = labels(f"y of block {k}", y, len(X))
    return *X.shape, _checksum(X, y.astype(np.float64, copy=False)), np.unique(y)


def _again(where, shape, checksum, dtype, X, y):
    """The (X, y) of a block in a later pass as arrays, once they are known to be those of the first one."""
    if _is_empty(X, y):
        X, y = np.empty((0, shape[1])), np.empty(0)
    X, y = _checks.real(f"X of {where}", X), _checks.real(f"y of {where}", y)
    if X.shape != shape or y.shape != shape[:1]:
        came = f"X of shape {X.shape} and y of shape {y.shape}"
        _checks.fail(where, f"the same as in the first pass, {shape[0]} rows of {shape[1]} columns", came)
    if checksum is not None and _checksum(X, y) != checksum:
        _checks.fail(where, "the same as in the first pass", "other numbers or labels, or in another order")
    return X, y.astype(dtype, copy=False)


def _is_empty(X, y):
    """Is it a block without rows?"""
    try:
        return np.ndim(X) == 2 and len(X) == 0 and np.size(y) == 0
    except ValueError:  # rows of different lengths
        return False


def _checksum(X, y):
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


def _agreed(seen, labels):
    """(lengths, columns, checksums, labels, their dtype) of all blocks; they must have the same columns."""
    lengths, widths, checksums, present = zip(*seen, strict=True) if seen else ((), (), (), ())
    if not sum(lengths):
        _checks.fail("X", "blocks with at least one row", f"{len(lengths)} blocks without any")
    for k, width in enumerate(widths):
        if width != widths[0]:
            _checks.fail(f"X of block {k}", f"a matrix with {widths[0]} columns, as block 0 is", f"{width} columns")
    present = np.unique(np.concatenate(present))
    return lengths, widths[0], checksums, present, labels("y", present).dtype


def _split(chosen, lengths):
    """Sorted row numbers, cut by the blocks that they lie in and counted from the start of each."""
    starts = np.cumsum([0, *lengths])
    return [chosen[slice(*np.searchsorted(chosen, [a, b]))] - a for a, b in itertools.pairwise(starts)]


def _sums(sums, read, X, y):
    X, y = read(X, y)
    return sums(X, y) if len(X) else None


def _visit(visit, state, read, X, y):
    X, y = read(X, y)
    state = copy.deepcopy(state)  # so that a visit that has to be made again starts from the same
    return visit(state, X, y) if len(X) else state


def _take(rows, read, X, y):
    X, y = read(X, y)
    return X[rows], y[rows]


def _add(one, other):
    return tuple(a if a is None else a + b for a, b in zip(one, other, strict=True))


def _add_all(parts):
    parts = [part for part in parts if part is not None]  # of chunks with rows
    return functools.reduce(_add, parts) if parts else None
