"""Is an answer the expected one? Part by part, with the first place where it is not."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from linclass.assignments.wire import Other, Thing


@dataclass(frozen=True)
class Gap:
    """A part of an answer that differs: what is wrong with it, and both values."""

    part: str
    kind: str  # "nothing", "type", "missing", "shape", "value"
    came: object
    expected: object


def parts_of(value, names=()):
    """An answer as {name: array or something that is none}. A single array has the name ""."""
    if isinstance(value, Thing):
        value = value.fields
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        inner = dict(value)
        for field in value.values():  # a fit's model is looked into
            if isinstance(field, Thing) or (dataclasses.is_dataclass(field) and not isinstance(field, type)):
                inner |= parts_of(field)
        return {name: _array(inner[name]) for name in names or inner if name in inner}
    if isinstance(value, (tuple, list)) and len(names) == len(value) > 0:
        return {name: _array(item) for name, item in zip(names, value, strict=True)}
    return {"": _array(value)}


def _array(value):
    """A float array where it is numbers, else as it came."""
    if isinstance(value, (list, tuple)):
        try:
            value = np.asarray(value)
        except ValueError:
            return value
    if isinstance(value, (bool, int, float, np.ndarray, np.generic)):
        array = np.asarray(value)
        return array.astype(float) if array.dtype.kind in "biuf" else value
    return value


def close(a, b, gap):
    """Where two arrays agree: |a - b| <= gap (1 + |b|), infinities and NaN with their like."""
    with np.errstate(all="ignore"):
        same = np.abs(a - b) <= gap * (1 + np.abs(b))
        return np.where(np.isfinite(a) & np.isfinite(b), same, (a == b) | (np.isnan(a) & np.isnan(b)))


def gaps(came, expected, names=(), gap=1e-5, allowed=None):
    """The parts that differ, as a list of `Gap`; empty if the answer is right. `allowed` is an interval, if any."""
    right, theirs = parts_of(expected, names), parts_of(came, names)
    if came is None:
        return [Gap("", "nothing", None, right)]
    found = []
    for name, b in right.items():
        if name not in theirs:
            return [Gap(name, "missing", came, right)]
        a = theirs[name]
        if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
            found.append(Gap(name, "type", a, b))
        elif a.shape != b.shape:
            found.append(Gap(name, "shape", a, b))
        elif allowed is not None:
            if not ((a >= allowed[0] - gap) & (a <= allowed[1] + gap)).all():
                found.append(Gap(name, "value", a, b))
        elif not close(a, b, gap).all():
            found.append(Gap(name, "value", a, b))
    return found


def same(came, other, names=(), gap=1e-5):
    """Did two implementations give the same answer?"""
    return not gaps(came, other, names, gap)


def kind_of(value):
    """What a value is, in a word or two."""
    if isinstance(value, Other):
        return f"an object of type {value.kind}"
    if isinstance(value, Thing):
        return f"a {value.kind}"
    return "None" if value is None else f"a {type(value).__name__}"
