"""Where rows come from: memory, a sparse matrix, a mapped file, a stream of blocks, Dask. One interface, always used.

A source has

    n, d                 how many rows and columns
    count                how many examples they stand for: n, or the sum of their weights
    total(sums)          sums(X, y, w), a tuple of numbers and arrays, added up over all rows
    largest(sizes)       sizes(X, y, w), likewise, the largest of each entry over all rows
    fold(part, join)     part(X, y, w) joined by any function of two of them: the two above are made of it
    chain(visit, state)  the state after it has visited the rows piece by piece, in order
    chosen(numbers)      a source with the rows of these numbers, which are sorted
    sample(count)        one with about `count` of the rows, the same on every call: made of `chosen`
    labels               those that occur, in order
    lightest             the least of the weights w
    check()              raises where a number is not finite, if that has not been looked at yet
    at_hand              is it an array in memory, with attributes X, y and w?
    sparse               is it sparse, so that products with X are all there is?

The weights w are 1, or scaled to a mean of 1, so that a mean over n rows of w times a loss is what the learners
minimise, sum w loss / sum w. A row of weight 0 is not there.

All that a smooth fit needs to know of the data are sums over examples. So a pass works on blocks of rows that fit the
processor's cache (three times faster than with temporaries as long as the data), on pieces read from a disk, or on
pieces that lie on other machines: whoever holds rows gives back sums. A new source is a file here and a line in `of`.
"""

import numpy as np

from linclass import _checks
from linclass._rows import pieces
from linclass._rows.in_memory import OF_A_PART, OF_ALL, Rows
from linclass._rows.mapped import Mapped
from linclass._rows.on_dask import OnDask, by_chunks, is_dask
from linclass._rows.stream import Stream

__all__ = ["by_chunks", "needed_at_once", "of"]


def of(X, y, kind, progress=True, as_they_come=False, sample_weight=None):
    """The rows of X with the labels y as a source, wherever they are; `kind` of labels is "signs" or "classes".

    Without y, X is blocks: an iterable of (X, y) or (X, y, sample_weight), or a function that makes such an iterator.
    Few of them are read into memory, and a large mapped file is cut into pieces, unless the method wants rows
    `as_they_come`. Both signs, or all classes up to the last, must occur.
    """
    if y is None:
        if sample_weight is not None:
            _checks.fail("sample_weight", "in the blocks, as (X, y, sample_weight)", _checks.describe(sample_weight))
        rows = Stream.of(X, OF_A_PART[kind], progress)
        if not as_they_come and rows.n * rows.d <= pieces.PIECE:
            rows = rows.chosen(np.arange(rows.n))
    elif is_dask(X):
        rows = OnDask.of(X, y, OF_A_PART[kind], sample_weight)
    elif isinstance(X, np.memmap) and X.ndim == 2 and X.size > pieces.PIECE and not as_they_come:
        rows = Mapped.of(X, y, OF_A_PART[kind], progress, sample_weight)
    else:
        return Rows.of(X, y, kind, sample_weight)
    OF_ALL[kind]("y", rows.labels)
    return rows


def needed_at_once(X, y, learner, instead):
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
