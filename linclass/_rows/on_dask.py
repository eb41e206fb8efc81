"""Rows in the chunks of a Dask array or table."""

import copy
import functools
import uuid
from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._checks import is_dask
from linclass._rows import in_memory
from linclass._rows.pieces import Seen, agreed, look, split


def by_chunks(method):
    """The line above a model's method of X: data of Dask are answered chunk by chunk, when the answer is asked for."""

    @functools.wraps(method)
    def either(self, X):
        if not is_dask(X):
            return method(self, X)
        X = X if hasattr(X, "rechunk") else X.to_dask_array()
        X = X.rechunk({1: -1})
        _, *columns = np.shape(method(self, np.zeros((1, X.shape[1]))))
        kept = {"chunks": (X.chunks[0], tuple(columns))} if columns else {"drop_axis": 1}
        meta = np.empty((0,) * (1 + len(columns)))
        return X.map_blocks(functools.partial(method, self), dtype=np.float64, meta=meta, **kept)

    return either


@dataclass(frozen=True)
class OnDask(Seen):
    """Rows in the chunks of a Dask array or table. Sums are made where the rows are, and only sums travel."""

    chunks: list  # delayed (X, y), or (X, y, sample_weight)

    @classmethod
    def of(cls, X, y, check_labels, sample_weight=None):
        """The checked rows, after a first pass that looks at every chunk."""
        dask = _dask()
        if hasattr(X, "rechunk"):
            X = X.rechunk({1: -1}) if X.ndim == 2 else _checks.matrix("X", np.empty(X.shape))
        columns = {"y": y} | ({} if sample_weight is None else {"sample_weight": sample_weight})
        chunks = [np.ravel(X.to_delayed())]
        for name, column in columns.items():
            if not is_dask(column):
                _checks.fail(name, "of Dask, as X is", _checks.describe(column))
            if hasattr(X, "rechunk") and hasattr(column, "rechunk") and not np.isnan(X.chunks[0]).any():
                column = column.rechunk({0: X.chunks[0]}) if len(column) == len(X) else column
            chunks.append(np.ravel(column.to_delayed()))
            if len(chunks[-1]) != len(chunks[0]):
                _checks.fail(name, f"in {len(chunks[0])} chunks, as X is", f"{len(chunks[-1])} chunks")
        chunks, at_each = list(zip(*chunks, strict=True)), dask.delayed(look, pure=False)
        seen = dask.compute(*(at_each(k, check_labels, *chunk, **_name("look", k)) for k, chunk in enumerate(chunks)))
        return cls(*agreed(seen, check_labels), chunks)

    def tasks(self):
        """(number of the block, read, X, y, perhaps weights) for each chunk, see `readers`."""
        _, readers = self.readers()
        return [(k, read, *chunk) for k, (read, chunk) in enumerate(zip(readers, self.chunks, strict=True))]

    def fold(self, part, join):
        """part(X, y, w) of each block of rows, joined by whoever has them, and over the chunks eight by eight."""
        dask = _dask()
        work, join_all = dask.delayed(_joined, pure=False), dask.delayed(_join_all, pure=False)
        parts = [work(part, join, *task, **_name("pass", k)) for k, *task in self.tasks()]
        while len(parts) > 1:
            parts = [join_all(join, parts[k : k + 8], **_name("add", k)) for k in range(0, len(parts), 8)]
        return dask.compute(parts[0])[0]

    def chain(self, visit, state):
        """The state after it has visited the chunks in order: it goes to the rows, they stay."""
        dask = _dask()
        work = dask.delayed(_visit, pure=False)
        for k, *task in self.tasks():
            state = work(visit, state, *task, **_name("visit", k))
        return dask.compute(state)[0]

    def sample(self, count):
        """About `count` rows, those that `in_memory.Rows` would choose."""
        return self.chosen(in_memory.spread(self.n, count))

    def chosen(self, numbers):
        """The rows of these numbers, in order, kept where they are."""
        dask, chosen = _dask(), split(numbers, self.lengths)
        take = dask.delayed(_take, pure=False, nout=3)
        here = [(rows, *task) for rows, task in zip(chosen, self.tasks(), strict=True) if len(rows)]
        taken = dask.persist(*(take(rows, *task, **_name("sample", k)) for rows, k, *task in here))
        lengths = tuple(len(rows) for rows, *_ in here)
        seen, width = [[length, self.d, None] for length in lengths], len(self.chunks[0])
        chunks = [tuple(chunk[j] for j in range(width)) for chunk in taken]
        known = lengths, self.d, seen, self.labels, self.check_labels, 1.0, self.count, self.lightest  # scaled already
        return OnDask(*known, chunks)


def _dask():
    try:
        import dask
        import dask.delayed

        return dask
    except ImportError:
        _checks.fail("X", "an array, unless Dask is there (pip install 'linclass[dask]')", "data of Dask without Dask")


def _name(what, k):
    """The key of a task, so that the dashboard shows what it is."""
    return {"dask_key_name": f"linclass_{what}-{uuid.uuid4().hex}-{k}"}


def _joined(part, join, read, *chunk):
    X, y, w = read(*chunk)
    return in_memory.Rows(X, y, w=w).fold(part, join) if len(X) else None


def _join_all(join, parts):
    parts = [part for part in parts if part is not None]  # of chunks with rows
    return functools.reduce(join, parts) if parts else None


def _visit(visit, state, read, *chunk):
    X, y, w = read(*chunk)
    state = copy.deepcopy(state)  # so that a visit that has to be made again starts from the same
    return visit(state, X, y, w) if len(X) else state


def _take(rows, read, *chunk):
    X, y, w = read(*chunk)
    return X[rows], y[rows], in_memory.part_of(w, rows)
