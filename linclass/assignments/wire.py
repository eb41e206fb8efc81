"""What crosses the wall: numbers, texts and arrays as bytes. Used on both sides, and it needs NumPy alone."""

import dataclasses
import json
import os
import struct

import numpy as np

LARGEST = 1 << 26  # bytes in one message
HEAD = struct.Struct(">II")


def pack(tree, special=None):
    """Numbers, texts, arrays, lists, tuples, dicts and dataclasses as bytes; `special` may code other things."""
    arrays = []

    def code(x):
        if special is not None and (mark := special(x)) is not None:
            return {"function": mark}
        if isinstance(x, np.generic) and x.dtype.kind in "biuf":
            return x.item() if x.dtype.itemsize <= 8 else float(x)
        if x is None or isinstance(x, bool):
            return x
        for plain in (int, float, str):
            if isinstance(x, plain):
                return plain(x)
        if isinstance(x, np.ndarray) and x.dtype.kind in "biuf" and x.dtype.itemsize <= 8:
            arrays.append(np.ascontiguousarray(x).tobytes())
            return {"array": [x.dtype.newbyteorder("=").str[1:], list(x.shape), len(arrays[-1])]}
        if isinstance(x, (list, tuple)):
            return {"tuple" if isinstance(x, tuple) else "list": [code(item) for item in x]}
        if isinstance(x, dict):
            return {"dict": [[str(k), code(v)] for k, v in x.items()]}
        if dataclasses.is_dataclass(x) and not isinstance(x, type):
            fields = [[f.name, code(getattr(x, f.name, None))] for f in dataclasses.fields(x)]
            return {"object": [type(x).__name__, fields]}
        return {"other": type(x).__name__}

    text = json.dumps(code(tree)).encode()
    raw = b"".join(arrays)
    if len(text) + len(raw) > LARGEST:
        raise ValueError("the answer is too large to send")
    return HEAD.pack(len(text), len(raw)) + text + raw


class Thing:
    """A dataclass from the other side: its name and its fields."""

    def __init__(self, kind, fields):
        self.kind, self.fields = kind, fields


class Other:
    """Something that cannot be sent: only the name of its type arrives."""

    def __init__(self, kind):
        self.kind = kind


def unpack(data, function=None):
    """What `pack` packed, made of plain parts; `function` makes a callable of a function's number."""
    n_text, n_raw = HEAD.unpack_from(data)
    text, raw = data[HEAD.size : HEAD.size + n_text], data[HEAD.size + n_text :]
    position = 0

    def build(x):
        nonlocal position
        if not isinstance(x, dict):
            return x
        (kind, body), *_ = x.items()
        if kind == "array":
            dtype, shape, size = body
            if np.dtype(dtype).kind not in "biuf":
                raise ValueError("not an array of numbers")
            flat = np.frombuffer(raw[position : position + size], dtype=dtype)
            position += size
            return flat.reshape(shape).copy()
        if kind == "list":
            return [build(item) for item in body]
        if kind == "tuple":
            return tuple(build(item) for item in body)
        if kind == "dict":
            return {k: build(v) for k, v in body}
        if kind == "object":
            return Thing(str(body[0]), {k: build(v) for k, v in body[1]})
        if kind == "function" and function is not None:
            return function(body)
        return Other(str(body))

    if n_raw != len(raw):
        raise ValueError("a message of the wrong length")
    return build(json.loads(text))


def read_exactly(fd, size):
    """`size` bytes from a file descriptor, or None at its end."""
    parts = []
    while size:
        part = os.read(fd, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_message(fd):
    """One packed message, or None at the end."""
    head = read_exactly(fd, HEAD.size)
    if head is None:
        return None
    size = sum(HEAD.unpack(head))
    body = read_exactly(fd, size) if size <= LARGEST else None
    return None if body is None else head + body


def write_all(fd, data):
    """Every byte, however often it takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
