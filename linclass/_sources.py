"""Where rows come from when they are not in memory: files mapped into it, streams of blocks, Dask.

All answer to what `_blocks.Rows` answers to: `n`, `d`, `total(sums)`, which adds sums(X, y) over the pieces,
`chain(visit, state)`, which takes a state from piece to piece, and `sample(count)`, the same rows whatever the pieces.
Learners ask for nothing else, so they fit them all, along the same path, and to the same digits but for rounding.
"""

import copy
import functools
import itertools
import mmap
import uuid
from dataclasses import dataclass

import numpy as np

from linclass import _blocks, _checks

DELAY = 1.0  # seconds before a bar is shown
PIECE = 2**22  # numbers, 32 MiB: what is smaller may as well be in memory, and what is larger is cut into such pieces


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


@dataclass(frozen=True)
class Mapped(_blocks.Rows):
    """A matrix in a file, mapped into memory. Its pages are let go after each piece."""

    labels: np.ndarray
    dtype: np.dtype  # of the labels, once they are read
    progress: bool

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

    def pieces(self):
        """The rows in order, a piece at a time."""
        length = self.length
        starts = range(0, self.n, length)
        for start in _bar(starts, len(starts), self.progress):
            rows = slice(start, start + length)
            yield np.asarray(self.X[rows], dtype=np.float64), self.y[rows].astype(self.dtype)
            # Else all that was ever read counts as memory in use. A private map must keep its changes.
            if self.X.mode != "c" and hasattr(mmap, "MADV_DONTNEED"):
                self.X._mmap.madvise(mmap.MADV_DONTNEED)

    def total(self, sums):
        """sums(X, y), a tuple of numbers and arrays, added up over the pieces."""
        return functools.reduce(_add, itertools.starmap(sums, self.pieces()))

    def sample(self, count):
        """About `count` rows: those that `_blocks.Rows` would choose, read into memory."""
        chosen, length = _blocks.spread(self.n, count), self.length
        lengths = [min(length, self.n - start) for start in range(0, self.n, length)]
        parts = [X[here] for (X, _), here in zip(self.pieces(), _split(chosen, lengths), strict=True)]
        return _blocks.Rows(np.concatenate(parts), self.y[chosen].astype(self.dtype))

    def check(self):
        """Raise if a number is not finite."""
        for k, (X, _) in enumerate(self.pieces()):
            if not _checks.is_finite(X):
                row, column = _checks.first_index(~np.isfinite(X))
                where = (k * self.length + row, column)
                _checks.fail("X", "finite", f"NaN or infinity at index {where}")


@dataclass(frozen=True)
class Stream:
    """Blocks (X, y) that can be gone through again and again."""

    start: object  # a function that makes a fresh iterator
    lengths: tuple  # of the blocks
    d: int
    labels: np.ndarray
    dtype: np.dtype  # of the labels
    progress: bool
    at_hand = False

    @classmethod
    def of(cls, blocks, labels, progress):
        """The checked rows, after a first pass that looks at every block."""
        again = "blocks (X, y) that can be read again from block 0: a list, an object whose __iter__ starts anew, or "
        again += "a function that makes an iterator"
        if isinstance(blocks, np.ndarray) or not (callable(blocks) or hasattr(blocks, "__iter__")):
            _checks.fail("y", "given with X, one label per row, unless X is " + again, "None")
        start = blocks if callable(blocks) else blocks.__iter__
        if not callable(blocks) and start() is blocks:
            _checks.fail("X", again, f"{_checks.describe(blocks)}, which is used up after one pass")
        seen = [_look(k, *_pair(k, block), labels) for k, block in enumerate(_bar(start(), None, progress))]
        lengths, d, present = _agreed(seen)
        return cls(start, lengths, d, present, labels("y", present).dtype, progress)

    @property
    def n(self):
        """How many rows."""
        return sum(self.lengths)

    def pieces(self):
        """The blocks in order, held to what the first pass saw of them."""
        blocks = itertools.chain(self.start(), itertools.repeat(None))
        for k, length in enumerate(_bar(self.lengths, len(self.lengths), self.progress)):
            block = next(blocks)
            X, y = _pair(k, block) if block is not None else ((), ())
            if len(X) != length or len(y) != length:
                came = f"{len(X)} rows" if block is not None else "nothing"
                _checks.fail(f"block {k}", f"the same at every pass, {length} rows as in the first one", came)
            if length:
                yield np.asarray(X, dtype=np.float64), np.asarray(y).astype(self.dtype)

    def total(self, sums):
        """sums(X, y), a tuple of numbers and arrays, added up over the blocks."""
        return functools.reduce(_add, itertools.starmap(sums, self.pieces()))

    def chain(self, visit, state):
        """The state after it has visited the blocks in order: state = visit(state, X, y)."""
        for X, y in self.pieces():
            state = visit(state, X, y)
        return state

    def sample(self, count):
        """About `count` rows: those that `_blocks.Rows` would choose."""
        chosen = _split(_blocks.spread(self.n, count), [m for m in self.lengths if m])
        parts = [(X[here], y[here]) for (X, y), here in zip(self.pieces(), chosen, strict=True)]
        return _blocks.Rows(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def gathered(self):
        """All rows, as (X, y)."""
        return tuple(np.concatenate(part) for part in zip(*self.pieces(), strict=True))

    def check(self):
        """Nothing to do: the first pass has looked at every number."""


@dataclass(frozen=True)
class OnDask:
    """Rows in the chunks of a Dask array or table. Sums are made where the rows are, and only sums travel."""

    chunks: list  # pairs of delayed (X, y)
    lengths: tuple
    d: int
    labels: np.ndarray
    dtype: np.dtype
    at_hand = False

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
        lengths, d, present = _agreed(seen)
        held = [chunk for chunk, length in zip(chunks, lengths, strict=True) if length]
        return cls(held, tuple(m for m in lengths if m), d, present, labels("y", present).dtype)

    @property
    def n(self):
        """How many rows."""
        return sum(self.lengths)

    def total(self, sums):
        """sums(X, y), a tuple of numbers and arrays, added up over the chunks, eight by eight, by whoever has them."""
        dask, name = _dask(), uuid.uuid4().hex
        work, add = dask.delayed(_sums, pure=False), dask.delayed(_add_all, pure=False)
        parts = [work(sums, X, y, self.dtype, **_name("pass", k, name)) for k, (X, y) in enumerate(self.chunks)]
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
        for k, (X, y) in enumerate(self.chunks):
            state = work(visit, state, X, y, self.dtype, **_name("visit", k, name))
        return dask.compute(state)[0]

    def sample(self, count):
        """About `count` rows, those that `_blocks.Rows` would choose, kept where they are."""
        dask, chosen = _dask(), _split(_blocks.spread(self.n, count), self.lengths)
        take = dask.delayed(_take, pure=False, nout=2)
        here = [(k, X, y, rows) for k, ((X, y), rows) in enumerate(zip(self.chunks, chosen, strict=True)) if len(rows)]
        pairs = dask.persist(*(take(X, y, rows, **_name("sample", k)) for k, X, y, rows in here))
        lengths = tuple(len(rows) for *_, rows in here)
        return OnDask([(pair[0], pair[1]) for pair in pairs], lengths, self.d, self.labels, self.dtype)

    def check(self):
        """Nothing to do: the first pass has looked at every number."""


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


def _bar(items, total, progress):
    """The items, with a bar if they take long, someone watches and tqdm is there."""
    if not progress:
        return items
    try:
        from tqdm import tqdm
    except ImportError:
        return items
    return tqdm(items, total=total, disable=None, delay=DELAY, leave=False, desc="pass over the data", unit="block")


def _pair(k, block):
    """Block k as (X, y)."""
    if not isinstance(block, tuple | list) or len(block) != 2:
        _checks.fail(f"block {k}", "a pair (X, y)", _checks.describe(block))
    return block


def _look(k, X, y, labels):
    """(rows, columns, labels) of block k, once all is in order. A block may be empty."""
    if np.size(y) == 0 and np.ndim(X) == 2 and len(X) == 0:
        return 0, np.shape(X)[1], np.zeros(0)
    X = _checks.matrix(f"X of block {k}", X, finite=True)
    return *X.shape, np.unique(labels(f"y of block {k}", y, len(X)))


def _agreed(seen):
    """(lengths, columns, labels) of all blocks; they must have the same columns."""
    lengths, widths, present = zip(*seen, strict=True) if seen else ((), (), ())
    if not sum(lengths):
        _checks.fail("X", "blocks with at least one row", f"{len(lengths)} blocks without any")
    for k, width in enumerate(widths):
        if width != widths[0]:
            _checks.fail(f"X of block {k}", f"a matrix with {widths[0]} columns, as block 0 is", f"{width} columns")
    return lengths, widths[0], np.unique(np.concatenate(present))


def _split(chosen, lengths):
    """Sorted row numbers, cut by the blocks that they lie in and counted from the start of each."""
    starts = np.cumsum([0, *lengths])
    return [chosen[slice(*np.searchsorted(chosen, [a, b]))] - a for a, b in itertools.pairwise(starts)]


def _sums(sums, X, y, dtype):
    return sums(np.asarray(X, dtype=np.float64), np.asarray(y).astype(dtype))


def _visit(visit, state, X, y, dtype):
    state = copy.deepcopy(state)  # so that a visit that has to be made again starts from the same
    return visit(state, np.asarray(X, dtype=np.float64), np.asarray(y).astype(dtype))


def _take(X, y, rows):
    return np.asarray(X)[rows], np.asarray(y)[rows]


def _add(one, other):
    return tuple(a if a is None else a + b for a, b in zip(one, other, strict=True))


def _add_all(parts):
    return functools.reduce(_add, parts)
