"""Rows that come as a stream of blocks (X, y), which can be gone through again and again."""

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._rows import in_memory
from linclass._rows.pieces import Seen, agreed, bar, look, split

NOTHING = object()  # where a stream should have had a block


@dataclass(frozen=True)
class Stream(Seen):
    """Blocks (X, y) that can be gone through again and again."""

    start: object  # a function that makes a fresh iterator
    progress: bool

    @classmethod
    def of(cls, blocks, check_labels, progress):
        """The checked rows, after a first pass that looks at every block."""
        again = "blocks (X, y) that can be read again from block 0: a list, an object whose __iter__ starts anew, or "
        again += "a function that makes an iterator"
        if isinstance(blocks, np.ndarray) or not (callable(blocks) or hasattr(blocks, "__iter__")):
            _checks.fail("y", "given with X, one label per row, unless X is " + again, "None")
        start = blocks if callable(blocks) else blocks.__iter__
        if not callable(blocks) and hasattr(blocks, "__next__"):
            _checks.fail("X", again, f"{_checks.describe(blocks)}, which is used up after one pass")
        seen = [
            look(k, check_labels, *_parts(f"block {k}", block))
            for k, block in enumerate(bar(_noted(start, 1), None, progress, 1))
        ]
        return cls(*agreed(seen, check_labels), start, progress)

    def pieces(self):
        """The blocks in order, held to what the first pass saw of them."""
        number, readers = self.readers()
        pairs = itertools.zip_longest(readers, _noted(self.start, number), fillvalue=NOTHING)
        for k, (read, block) in enumerate(bar(pairs, len(readers), self.progress, number)):
            if block is NOTHING:
                _checks.fail(self.where(k, number), f"one of {len(readers)}, as many as in the first pass", "nothing")
            if read is NOTHING:
                _checks.fail("X", f"the same {k} blocks in every pass", f"block {k} in pass {number} too")
            X, y, w = read(*_parts(self.where(k, number), block))
            if len(X):
                yield X, y, w

    def fold(self, part, join):
        """part(X, y, w) of each block of rows, joined."""
        return functools.reduce(join, (in_memory.Rows(X, y, w=w).fold(part, join) for X, y, w in self.pieces()))

    def chain(self, visit, state):
        """The state after it has visited the pieces in order: state = visit(state, X, y, w)."""
        for piece in self.pieces():
            state = visit(state, *piece)
        return state

    def chosen(self, numbers):
        """The rows of these numbers, which are sorted, in memory: copies, for a stream may fill X again."""
        each = zip(self.pieces(), split(numbers, [m for m in self.lengths if m]), strict=True)
        parts = [(X[here], y[here], in_memory.part_of(w, here)) for (X, y, w), here in each]
        X, y, w = (np.concatenate(part) if np.ndim(part[0]) else 1.0 for part in zip(*parts, strict=True))
        return in_memory.Rows(X, y, self.labels, w, self.count)


def _noted(start, number):
    """The blocks of a stream. What it raises goes on to the user, with a note that says where it was."""
    k = 0
    try:
        with _checks.afresh():
            blocks = start()
            if not hasattr(blocks, "__iter__"):
                _checks.fail("X", "a function that makes an iterator over blocks (X, y)", _checks.describe(blocks))
            blocks = iter(blocks)
        while True:
            with _checks.afresh():
                block = next(blocks, NOTHING)
            if block is NOTHING:
                return
            yield block
            k += 1
    except Exception as error:
        error.add_note(f"This came from the blocks (X, y) given as X, at block {k} in pass {number} over them.")
        raise


def _parts(where, block):
    """A block as (X, y) or (X, y, sample_weight)."""
    if not isinstance(block, tuple | list) or len(block) not in (2, 3):
        _checks.fail(where, "a pair (X, y), or (X, y, sample_weight)", _checks.describe(block))
    return block
