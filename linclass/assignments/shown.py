"""Values and calls as a student writes them: arrays as lists, functions as formulas, results as in the starter."""

import dataclasses
import inspect

import numpy as np

from linclass.assignments.wire import Other, Thing


def show_call(task, call):
    """A call as text: name = value, with arrays as lists. For a function of one array, the entry that is wrong."""
    names = list(inspect.signature(task.reference).parameters)
    values = dict(zip(names, call.args, strict=False)) | call.kwargs
    values |= {name: f"np.random.default_rng({seed})" for name, seed in call.rngs.items()}
    shown = [formula(name, value) if callable(value) else f"{name} = {show(value)}" for name, value in values.items()]
    constants = dict.fromkeys(c for value in values.values() for c in getattr(value, "constants", ()))
    then = [f"the function that comes back is called at t = {', '.join(map(str, call.then))}"] if call.then else []
    return ", ".join([*shown, *constants]) + (f"; {then[0]}" if then else "")


def formula(name, value):
    """A function as its formula, "f(x) = x^3 + x - 2"; one that has none only by its name."""
    said = getattr(value, "formula", None)
    return f"{name}{said}" if said else f"{name} = a function"


def show(value, limit=160):
    """A value in a few characters."""
    if isinstance(value, np.ndarray):
        text = np.array2string(np.asarray(value), separator=", ", precision=6, suppress_small=False, threshold=24)
        text = " ".join(text.split())
    elif isinstance(value, float):
        text = f"{value:.6g}"
    elif hasattr(value, "name") and hasattr(value, "slope"):
        text = f"losses.{value.name.upper()}"
    elif isinstance(value, Thing):
        text = _result(value.kind, value.fields)
    elif isinstance(value, Other):
        text = f"an object of type {value.kind}"
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        text = _result(type(value).__name__, {f.name: getattr(value, f.name) for f in dataclasses.fields(value)})
    elif isinstance(value, (list, tuple)):
        inner = ", ".join(show(item, 40) for item in value[:24])
        text = f"[{inner}]" if isinstance(value, list) else f"({inner})"
    else:
        text = "a function" if callable(value) else str(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _result(name, fields):
    return f"{name}({', '.join(f'{key}={show(value, 60)}' for key, value in fields.items())})"
