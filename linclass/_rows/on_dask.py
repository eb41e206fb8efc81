"""Rows in the chunks of a Dask array or table."""

import copy
import functools
import uuid
from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._rows import in_memory
from linclass._rows.pieces import Seen, agreed, joined, look, split


def is_dask(X):
    """Is X an array or a table of Dask? Told by its name: without Dask there is none to compare with."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr")


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
        at_each = dask.delayed(look, pure=False)
        seen = dask.compute(*(at_each(k, X, y, labels, **_name("look", k)) for k, (X, y) in enumerate(chunks)))
        return cls(*agreed(seen, labels), chunks)

    def tasks(self):
        """(number of the block, read, X, y) for each chunk, see `readers`."""
        _, readers = self.readers()
        return [(k, read, X, y) for k, (read, (X, y)) in enumerate(zip(readers, self.chunks, strict=True))]

    def fold(self, part, join):
        """part(X, y) of each block of rows, joined by whoever has them, and over the chunks eight by eight."""
        dask, name = _dask(), uuid.uuid4().hex
        work, join_all = dask.delayed(_joined, pure=False), dask.delayed(_join_all, pure=False)
        parts = [work(part, join, *task, **_name("pass", k, name)) for k, *task in self.tasks()]
        while len(parts) > 1:
            level = len(parts)
            parts = [
                join_all(join, parts[k : k + 8], **_name(f"add-{level}", k, name)) if level > k + 1 else parts[k]
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
        """About `count` rows, those that `in_memory.Rows` would choose, kept where they are."""
        dask, chosen = _dask(), split(in_memory.spread(self.n, count), self.lengths)
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


def _joined(part, join, read, X, y):
    return joined(part, join, *read(X, y))


def _join_all(join, parts):
    parts = [part for part in parts if part is not None]  # of chunks with rows
    return functools.reduce(join, parts) if parts else None


def _visit(visit, state, read, X, y):
    X, y = read(X, y)
    state = copy.deepcopy(state)  # so that a visit that has to be made again starts from the same
    return visit(state, X, y) if len(X) else state


def _take(rows, read, X, y):
    X, y = read(X, y)
    return X[rows], y[rows]
