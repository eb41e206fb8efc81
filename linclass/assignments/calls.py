"""A call of a function, and what came back for it."""

import dataclasses

import numpy as np

from linclass.assignments import child


@dataclasses.dataclass(frozen=True)
class Call:
    """One call of a function: what goes in, and, for a function that returns a function, where to evaluate that.

    Numbers, arrays, functions and losses are allowed; `rngs` are seeds of generators, passed by name.
    """

    args: tuple
    kwargs: dict = dataclasses.field(default_factory=dict)
    then: tuple | None = None
    rngs: dict = dataclasses.field(default_factory=dict)

    def make(self, function):
        """The call made on this side, on copies: what the reference answers."""
        return self.make_on(function, [a.copy() if isinstance(a, np.ndarray) else a for a in self.args])

    def make_on(self, function, args):
        """The same, on these very arguments."""
        kwargs = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in self.kwargs.items()}
        kwargs |= {name: np.random.default_rng(seed) for name, seed in self.rngs.items()}
        with np.errstate(all="ignore"):
            value = function(*args, **kwargs)
            return value if self.then is None else [child.called(value, t) for t in self.then]


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came back for one call: a value, or an error {"kind", "text", "line"}."""

    value: object = None
    args: tuple = ()
    error: dict | None = None
