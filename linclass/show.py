"""Quote the package's own source in a notebook, so that a chapter shows the code that runs."""

import inspect
import textwrap
from dataclasses import dataclass


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
    """The source of a function or class, as it stands in the package."""
    function = inspect.unwrap(function)
    name = f"{function.__module__}.{function.__qualname__}"
    return Source(name, textwrap.dedent(inspect.getsource(function)).rstrip())
