"""What crosses the wall: numbers, texts and arrays as bytes, framed, numbered and bounded. It needs NumPy alone.

A frame is who sent it (the worker or its keeper), the number of the message it answers, a size, and that many bytes.
The bytes are JSON and raw arrays, never a pickle. Whoever reads refuses what is too long, too deep or of the wrong
form with a `ValueError`; whoever waits does so until a deadline and no longer.
"""

import dataclasses
import json
import os
import select
import struct
import time

import numpy as np

LARGEST = 1 << 20  # bytes in a message from the far side
LARGEST_JOB = 1 << 24  # bytes in one to it: a submission's text and the arrays of one call
DEEPEST = 16  # lists within lists
LONGEST = 2000  # characters of a text
WHOLE = 1 << 62  # no whole number is larger
FRAME = struct.Struct(">BII")
SIZES = struct.Struct(">II")
WORKER, KEEPER = 0, 1
DTYPES = {f"{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8)} | {"f2", "f4", "f8", "b1"}


class Thing:
    """A dataclass from the other side: its name and its fields."""

    def __init__(self, kind, fields):
        self.kind, self.fields = kind, fields


class Other:
    """Something that cannot be sent: only the name of its type arrives."""

    def __init__(self, kind):
        self.kind = kind


def pack(tree, special=None):
    """Numbers, texts, arrays, lists, tuples, dicts and dataclasses as bytes; `special` may code other things."""
    arrays = []
    text = json.dumps(_code(tree, special, arrays, 0)).encode()
    raw = b"".join(arrays)
    return SIZES.pack(len(text), len(raw)) + text + raw


def _code(x, special, arrays, depth):
    """One value as JSON can hold it; the bytes of an array go to `arrays`."""
    if depth > DEEPEST:
        raise ValueError("lists within lists, too deep to send")
    if special is not None and (mark := special(x)) is not None:
        return {"function": mark}
    if isinstance(x, np.generic) and x.dtype.kind in "biuf":
        x = x.item() if x.dtype.itemsize <= 8 else float(x)
    if x is None or isinstance(x, bool):
        return x
    if isinstance(x, int):
        return int(x) if abs(int(x)) < WHOLE else {"other": "int, a very large one"}
    if isinstance(x, float):
        return float(x)
    if isinstance(x, str):
        return str(x)
    if isinstance(x, np.ndarray) and x.dtype.kind in "biuf" and x.dtype.itemsize <= 8:
        x = np.ascontiguousarray(x, dtype=x.dtype.newbyteorder("=")).reshape(x.shape)
        arrays.append(x.tobytes())
        return {"array": [x.dtype.str[1:], list(x.shape), len(arrays[-1])]}
    if isinstance(x, (list, tuple)):
        return {"tuple" if isinstance(x, tuple) else "list": [_code(item, special, arrays, depth + 1) for item in x]}
    if isinstance(x, dict):
        return {"dict": [[str(k), _code(v, special, arrays, depth + 1)] for k, v in x.items()]}
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        fields = [[f.name, _code(getattr(x, f.name, None), special, arrays, depth + 1)] for f in dataclasses.fields(x)]
        return {"object": [type(x).__name__, fields]}
    return {"other": type(x).__name__}


def unpack(data, function=None):
    """What `pack` packed, made of plain parts; `function` makes a callable of a function's number."""
    try:
        n_text, n_raw = SIZES.unpack_from(data)
        if SIZES.size + n_text + n_raw != len(data):
            raise ValueError("a message of the wrong length")
        text, raw = data[SIZES.size : SIZES.size + n_text], data[SIZES.size + n_text :]
        return _Builder(raw, function).build(json.loads(text), 0)
    except (KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError, struct.error) as error:
        raise ValueError(f"not a message: {type(error).__name__}") from None


class _Builder:
    """Makes values of what JSON held; every part is looked at before anything is made of it."""

    def __init__(self, raw, function):
        self.raw, self.function, self.position = raw, function, 0

    def build(self, x, depth):
        if depth > DEEPEST:
            raise ValueError("lists within lists, too deep")
        if isinstance(x, str):
            return readable(x)
        if isinstance(x, int) and abs(x) >= WHOLE:
            raise ValueError("a whole number that is too large")
        if not isinstance(x, dict):
            if isinstance(x, list):
                raise ValueError("a list that does not say what it is")
            return x
        ((kind, body),) = x.items()
        if kind == "array":
            return self.array(*body)
        if kind in ("list", "tuple"):
            items = [self.build(item, depth + 1) for item in body]
            return tuple(items) if kind == "tuple" else items
        if kind == "dict":
            return {readable(k): self.build(v, depth + 1) for k, v in body}
        if kind == "object":
            name, fields = body
            return Thing(readable(name, 80), {readable(k, 80): self.build(v, depth + 1) for k, v in fields})
        if kind == "function" and self.function is not None:
            return self.function(body)
        return Other(readable(body, 80))

    def array(self, dtype, shape, size):
        """An array of exactly the bytes that came for it."""
        if dtype not in DTYPES or len(shape) > 8 or not all(type(n) is int and 0 <= n < 1 << 40 for n in shape):
            raise ValueError("not an array of numbers")
        count = 1
        for n in shape:
            count *= n
        if size != count * int(dtype[1:]) or not 0 <= size <= len(self.raw) - self.position:
            raise ValueError("an array of the wrong length")
        part = self.raw[self.position : self.position + size]
        self.position += size
        if dtype == "b1":
            return (np.frombuffer(part, dtype="u1") != 0).reshape(shape)
        return np.frombuffer(part, dtype=dtype).reshape(shape).copy()


def readable(text, limit=LONGEST):
    """A text cut to a length, without characters that a terminal obeys or a file cannot hold."""
    if not isinstance(text, str):
        raise ValueError("not a text")
    text = text[:limit].encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


# ---- frames, in both directions, with a deadline ----


def frame(number, payload, sender=WORKER):
    """The bytes of a message."""
    return FRAME.pack(sender, number, len(payload)) + payload


def _left(deadline):
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def read_exactly(fd, size, deadline):
    """`size` bytes from a file descriptor before the deadline; EOFError at its end."""
    parts = []
    while size:
        if not select.select([fd], [], [], _left(deadline))[0]:
            raise TimeoutError
        part = os.read(fd, min(size, 1 << 16))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_frame(fd, deadline, largest=LARGEST):
    """(sender, number, payload) of the next message before the deadline."""
    sender, number, size = FRAME.unpack(read_exactly(fd, FRAME.size, deadline))
    if size > largest:
        raise ValueError("a message that is too long")
    return sender, number, read_exactly(fd, size, deadline)


def write_all(fd, data, deadline):
    """Every byte before the deadline; the descriptor must not block."""
    view = memoryview(data)
    while view:
        if not select.select([], [fd], [], _left(deadline))[1]:
            raise TimeoutError
        try:
            view = view[os.write(fd, view) :]
        except BlockingIOError:
            continue
