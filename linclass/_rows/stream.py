"""Rows that come as a stream of blocks (X, y), which can be gone through again and again."""

from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._rows.pieces import Pieces, Seen, agreed, bar, look

NOTHING = object()  # where a stream should have had a block


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
            look(k, labels, *_parts(f"block {k}", block))
            for k, block in enumerate(bar(_noted(start, 1), None, progress, 1))
        ]
        return cls(*agreed(seen, labels), start, progress)

    def pieces(self):
        """The blocks in order, held to what the first pass saw of them."""
        number, readers = self.readers()
        blocks = _noted(self.start, number)
        for k, read in enumerate(bar(readers, len(readers), self.progress, number)):
            block = next(blocks, NOTHING)
            if block is NOTHING:
                _checks.fail(self.where(k, number), f"one of {len(readers)}, as many as in the first pass", "nothing")
            X, y, w = read(*_parts(self.where(k, number), block))
            if len(X):
                yield X, y, w
        if next(blocks, NOTHING) is not NOTHING:
            came = f"block {len(readers)} in pass {number} too"
            _checks.fail("X", f"the same {len(readers)} blocks in every pass", came)


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
