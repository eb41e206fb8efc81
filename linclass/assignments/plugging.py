"""A student's functions in place of the package's own, one by one, wherever they are written."""

import contextlib
import dataclasses
import functools
import importlib
import os
import sys
import types
from pathlib import Path

import numpy as np

from linclass import _checks, _plug, losses
from linclass.assignments.reading import written_functions
from linclass.assignments.topics import TOPICS

COUNTS = {"perceptron_walk"}  # functions whose answer holds whole numbers
# What the package says when all went well. A student's message is any text, and learners pass it on.
ALL_WELL = {
    "newton": "the decrement is below tolerance",
    "fit_sgd": "stochastic steps have no certificate: judge by the history",
    "kernel_sgd": "stochastic steps have no certificate: judge by the history",
}


class Replaced(dict):
    """{function: file} of what is replaced; says so when shown."""

    def __repr__(self):
        if not self:
            return "nothing is replaced: linclass computes with its own functions"
        files = sorted(set(self.values()))
        return "\n".join(f"from {file}: {', '.join(name for name, f in self.items() if f == file)}" for file in files)


_current = Replaced()


def use(path=""):
    """See `linclass.use`."""
    if path == "":
        return Replaced(_current)
    _restore()
    if path is None:
        return Replaced(_current)
    for file in _files(path):
        try:
            _plug_in(file)
        except BaseException:
            _restore()
            raise
    return Replaced(_current)


def _files(path):
    """The files of assignments at a path: itself, or those in the folder that are named after a topic."""
    place = _find(path)
    files = (
        [place] if place.is_file() else [place / f"{name}.py" for name in TOPICS if (place / f"{name}.py").is_file()]
    )
    unknown = [file for file in files if file.stem not in TOPICS]
    if unknown or not files:
        came = f"the file {unknown[0].name}" if unknown else f"a folder without one, {place}"
        raise ValueError(f"path must be a file, or a folder with a file, named {', '.join(TOPICS)} (.py); got {came}")
    return files


def _find(path):
    """A path as it is, or as seen from the folder the program was started in: a notebook may run elsewhere."""
    for base in (Path.cwd(), Path(os.environ.get("PWD", ".")), *Path.cwd().parents):
        if (base / Path(path).expanduser()).exists():
            return (base / Path(path).expanduser()).resolve()
    raise ValueError(f"path must be a file or folder of assignments; got {str(path)!r}, which is not there")


def _plug_in(file):
    """Replace what one file has written, and lend it the package's functions for what it has not."""
    source = file.read_text(encoding="utf-8")
    code = compile(source, str(file), "exec")
    written = written_functions(source)
    module = types.ModuleType(f"linclass_impl_{file.stem}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module
    exec(code, module.__dict__)
    for task in TOPICS[file.stem].tasks:
        home = importlib.import_module(f"linclass.{task.module}")
        if task.function in written and callable(module.__dict__.get(task.function)):
            _plug.replaced[task.module, task.function] = original = getattr(home, task.function)
            setattr(home, task.function, _fitted(task, original, module.__dict__[task.function]))
            _current[task.key] = str(file)
        else:
            module.__dict__[task.function] = getattr(home, task.function)


def _fitted(task, original, function):
    """A student's function as the package calls it: taking what the original takes, answering in the same types."""

    @functools.wraps(function)
    def answer(*args, **kwargs):
        args, kwargs = [_given(task, arg) for arg in args], {name: _given(task, arg) for name, arg in kwargs.items()}
        with _checks.afresh():
            value = function(*args, **kwargs)
        pair = isinstance(value, list) and len(value) == len(task.parts)
        value = _worded(task, _tidy(tuple(value) if pair else value, task.function in COUNTS))
        if task.function == "zero_one_error":
            return _share(value, len(kwargs["y"] if "y" in kwargs else args[3]))
        return value

    if getattr(original, "takes", None) is losses.elementwise:
        return losses.elementwise(lambda z: np.asarray(answer(z), dtype=float) + 0.0)  # -0 is printed as 0
    return original.takes(answer) if hasattr(original, "takes") else answer


def _share(value, n):
    """A share k / n of the examples without its rounding error: 1 - 0.95 is not quite 0.05."""
    share = round(value * n) / n
    return share if abs(share - value) < 1e-12 else value


def _given(task, arg):
    """An argument as the task promises it: arrays for lists, and for the kernel risk a loss of scores."""
    if isinstance(arg, losses.Loss) and task.module == "representer":
        return losses.on_scores(arg)
    return np.asarray(arg) if isinstance(arg, (list, tuple)) else arg


def _tidy(value, counts):
    """Floats and float arrays, as the package answers, for NumPy's scalars, Booleans, lists and single precision."""
    if isinstance(value, tuple):
        return tuple(_tidy(item, counts) for item in value)
    if isinstance(value, list):
        value = np.asarray(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **{name: _tidy(part, counts) for name, part in parts.items()})
    if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind in "biuf" and not counts:
        return value.astype(np.float64, copy=False) + 0.0  # -0 becomes 0
    if isinstance(value, (np.generic, np.ndarray)) and np.ndim(value) == 0 and value.dtype.kind in "biuf":
        return value.item()
    return value


def _worded(task, value):
    """A result with the package's own message, if all went well."""
    certified = task.function != "newton" or value.converged
    well = task.function in ALL_WELL and certified and np.isfinite(value.history).all()
    return dataclasses.replace(value, message=ALL_WELL[task.function]) if well else value


def _restore():
    """The package's own functions again."""
    for (module, name), original in _plug.replaced.items():
        setattr(sys.modules[f"linclass.{module}"], name, original)
    _plug.replaced.clear()
    _current.clear()


@contextlib.contextmanager
def unplugged():
    """Inside, the package computes with its own functions, as a check's expected values must."""
    before = {key: getattr(sys.modules[f"linclass.{key[0]}"], key[1]) for key in _plug.replaced if key[0]}
    originals = dict(_plug.replaced)
    for module, name in before:
        setattr(sys.modules[f"linclass.{module}"], name, originals[module, name])
    _plug.replaced.clear()
    try:
        yield
    finally:
        for (module, name), function in before.items():
            setattr(sys.modules[f"linclass.{module}"], name, function)
        _plug.replaced.update(originals)
