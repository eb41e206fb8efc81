"""A mistake of the catalogue: a change to a text, the words for it, and the function that comes of it."""

import functools
import importlib
import inspect
import types
from dataclasses import dataclass

from linclass import _plug
from linclass.assignments import plain

WHOLE = "the whole body"
PLAIN = "the plain text"


@dataclass(frozen=True)
class Mistake:
    """Replace `old` by `new`: in the function asked for, or in `where`: another function of its module, or PLAIN."""

    name: str
    module: str
    function: str
    old: str | tuple
    new: str | tuple
    words: str  # after "what one gets when …"
    where: str = ""

    @property
    def topic(self):
        """The topic, as the name begins."""
        return {"margin": "margins", "loss": "losses", "kernel": "kernels"}.get(
            self.name.split("-")[0], self.name.split("-")[0]
        )


def mutated_text(mistake):
    """The module's text with the mistake in it, or the plain text. The text to replace must be there, once."""
    if mistake.where == PLAIN:
        return _replaced(mistake, plain.TEXTS[f"{mistake.module}.{mistake.function}"])
    module = importlib.import_module(f"linclass.{mistake.module}")
    whole = inspect.getsource(module)
    function = _own(mistake.module, mistake.where or mistake.function)
    text = inspect.getsource(inspect.unwrap(function))
    head, quotes, body = text.rpartition('"""')  # the docstring stays as it is
    if mistake.old == WHOLE:
        return whole.replace(text, head + quotes + "\n" + mistake.new + "\n")
    return whole.replace(text, head + quotes + _replaced(mistake, body))


def _replaced(mistake, text):
    one = isinstance(mistake.old, str)
    for old, new in [(mistake.old, mistake.new)] if one else zip(mistake.old, mistake.new, strict=True):
        if text.count(old) != 1:
            raise LookupError(f"{mistake.name}: {old!r} is {text.count(old)} times in {mistake.function}, not once")
        text = text.replace(old, new)
    return text


def _own(module, name):
    function = getattr(importlib.import_module(f"linclass.{module}"), name)
    return _plug.own(function)


@functools.cache
def load(mistake):
    """The function with the mistake in it, from a copy of its module."""
    module = types.ModuleType(f"linclass.{mistake.module}")
    module.__package__ = "linclass"
    if mistake.where == PLAIN:
        module.__dict__.update(vars(importlib.import_module(f"linclass.{mistake.module}")))
        module.__dict__.update({kind.__name__: kind for kind in plain.RESULTS})
    exec(compile(mutated_text(mistake), f"<{mistake.name}>", "exec"), module.__dict__)
    return module.__dict__[mistake.function]
