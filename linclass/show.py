"""Quote the package's own source in a notebook, so that a chapter shows the code that runs."""

import ast
import inspect
import textwrap
from dataclasses import dataclass

import numpy as np

from linclass import _checks, _plug

__all__ = ["Source", "check_answer", "show"]


@dataclass(frozen=True)
class Source:
    """Source text that a notebook renders as Python."""

    name: str
    text: str

    def __repr__(self):
        return self.text

    def _repr_markdown_(self):
        return f"```python\n{self.text}\n```"


def show(function):
    """The source of a function or class as it stands in the package, without its docstring: the chapter has said it."""
    function = inspect.unwrap(_plug.own(function))
    try:
        text = textwrap.dedent(inspect.getsource(function)).rstrip().replace("  # fmt: skip", "")
    except (TypeError, OSError):
        _checks.fail("function", "a function or class written in Python", _checks.describe(function))
    return Source(f"{function.__module__}.{function.__qualname__}", _without_docstring(text))


def _without_docstring(text):
    definition = ast.parse(text).body[0]
    if ast.get_docstring(definition) is None:
        return text
    said, lines = definition.body[0], text.splitlines()
    rest = lines[said.end_lineno :]
    return "\n".join(lines[: said.lineno - 1] + rest[rest[:1] == [""] :])


def check_answer(mine, reference, *inputs):
    """Compare a reader's function with the reference on the given inputs, and say how it went."""
    came, expected = mine(*inputs), reference(*inputs)
    if came is None or came is ...:
        print(f"{mine.__name__}: write it in the cell above, then run both cells")
    elif np.shape(came) != np.shape(expected):
        print(f"{mine.__name__}: shape {np.shape(came)}, expected {np.shape(expected)}")
    elif np.allclose(came, expected, rtol=1e-8, atol=1e-10):
        print(f"{mine.__name__}: right")
    else:
        at = np.argmax(np.abs(np.ravel(came) - np.ravel(expected)))
        wrong, right = np.ravel(came)[at], np.ravel(expected)[at]
        print(f"{mine.__name__}: {wrong:.6g} where {right:.6g} was expected, at entry {at}")
