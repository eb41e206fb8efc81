"""A right function of other inputs, or with something done to its answer: mistakes that have nothing to do with lines.

Whatever a program looks like, it may answer as the right one would if `lam` were half as large, if `offset` were always
True, if the labels were 0 and 1, if two arguments changed places; or it may return the right thing squared, sorted, or
without its last entry. Each of these is a function, and the words for it follow "what one gets when …".
"""

import inspect

import numpy as np

from linclass import losses


def versions(function, parts, samples):
    """(words, function) of each. `samples` are calls, which tell what an argument is."""
    signature = inspect.signature(function)
    seen = [_bound(signature, call.args, call.kwargs) for call in samples]
    for name in signature.parameters:
        values = [given[name] for given in seen if name in given]
        for words, change in _of_argument(name, values, signature.parameters[name].default):
            yield words, _Given(function, signature, {name: change})
    for one, two in _alike(seen):
        yield f"`{one}` and `{two}` have changed places", _Swapped(function, signature, one, two)
    for words, some in FEWER if all({"X", "y"} <= set(given) and np.ndim(given["y"]) for given in seen) else ():
        fewer = dict.fromkeys(("X", "y"), lambda value, given, some=some: _long(value)[some])
        yield words, _Given(function, signature, fewer)
    for part in parts or [""]:
        for words, turn in TURNS:
            yield words.format(f"the {part}" if part else "the answer"), _Turned(function, parts, part, turn)


def _bound(signature, args, kwargs):
    return signature.bind_partial(*args, **kwargs).arguments


class _Given:
    """The right function, with other values of some arguments."""

    def __init__(self, function, signature, changes):
        self.function, self.signature, self.changes = function, signature, changes

    def __call__(self, *args, **kwargs):
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        bound.arguments |= {name: change(given[name], given) for name, change in self.changes.items()}
        return self.function(*bound.args, **bound.kwargs)


class _Swapped(_Given):
    """The right function, with two arguments in one another's place."""

    def __init__(self, function, signature, one, two):
        super().__init__(function, signature, {one: lambda _, all: all[two], two: lambda _, all: all[one]})


class _Turned:
    """The right function, with something done to a part of its answer."""

    def __init__(self, function, parts, part, turn):
        self.function, self.parts, self.part, self.turn = function, parts, part, turn

    def __call__(self, *args, **kwargs):
        answer = self.function(*args, **kwargs)
        if not self.part:
            return self.turn(np.asarray(answer, dtype=float))
        if not isinstance(answer, tuple) or len(answer) != len(self.parts):
            raise LookupError
        return tuple(
            self.turn(np.asarray(a, dtype=float)) if name == self.part else a
            for name, a in zip(self.parts, answer, strict=True)
        )


# ---- arguments ----


def _count(given):
    """The number of examples."""
    return next(len(given[name]) for name in ("y", "X", "K") if np.ndim(given.get(name)))


def _long(array):
    """An array of two examples or more: of one there is nothing to leave out, and it is right as it is."""
    return array if len(array) > 1 else np.repeat(array, 2, axis=0)


FEWER = (
    ("the last example is left out", slice(None, -1)),
    ("the first example is left out", slice(1, None)),
    ("only the first example is used", slice(1)),
    ("only the last example is used", slice(-1, None)),
)
NUMBER = (
    ("`2 * {0}` stands in the place of `{0}`", lambda v, g: 2 * v),
    ("`{0} / 2` stands in the place of `{0}`", lambda v, g: v / 2),
    ("`{0} ** 2` stands in the place of `{0}`", lambda v, g: v**2),
    ("the square root of `{0}` is taken", lambda v, g: np.sqrt(v)),
    ("`1 / {0}` stands in the place of `{0}`", lambda v, g: 1 / v),
    ("`1 / np.sqrt({0})` stands in the place of `{0}`", lambda v, g: 1 / np.sqrt(v)),
    ("`{0}` is multiplied by the number of examples", lambda v, g: v * _count(g)),
    ("`{0}` is divided by the number of examples", lambda v, g: v / _count(g)),
    ("`{0}` has the wrong sign", lambda v, g: -v),
    ("`{0}` is not used, and counts as 0", lambda v, g: 0.0),
    ("`{0}` is not used, and counts as 1", lambda v, g: 1.0),
)
COUNT = (
    ("`{0}` counts for one more", lambda v, g: v + 1),
    ("`{0}` counts for one less", lambda v, g: v - 1),
    ("`{0}` is multiplied by the number of examples", lambda v, g: v * _count(g)),
    ("`{0}` is divided by the number of examples", lambda v, g: max(1, v // _count(g))),
    ("`{0}` is not used, and counts as 1", lambda v, g: 1),
    ("`{0}` is not used, and counts as 2", lambda v, g: 2),
)
SIGNED = (
    ("the labels have the wrong sign", lambda v, g: -v),
    ("the labels are taken for 0 and 1", lambda v, g: (v + 1) / 2),
    ("the labels `{0}` are not used, and count as 1", lambda v, g: np.abs(v)),
)
BINARY = (
    ("the labels 0 and 1 have changed places", lambda v, g: 1 - v),
    ("the labels are taken for -1 and +1", lambda v, g: 2 * v - 1),
)
ARRAY = (
    ("`{0}` has the wrong sign", lambda v, g: -v),
    ("the absolute value of `{0}` is taken", lambda v, g: np.abs(v)),
    ("`{0}` is made as long as 1 first", lambda v, g: v / np.linalg.norm(v, axis=-1, keepdims=True)),
    ("`{0}` is squared first", lambda v, g: v**2),
    ("`{0}` is not used, and counts as 0", lambda v, g: 0 * v),
    ("`{0}` counts as 1 everywhere", lambda v, g: np.ones_like(v)),
    ("whole numbers are made of `{0}` first", lambda v, g: np.trunc(v)),
)
TABLE = (
    ("`{0}` is transposed", lambda v, g: v.T),
    ("only the diagonal of `{0}` is used", lambda v, g: np.diag(np.diag(v))),
    ("the mean of each column of `{0}` is subtracted first", lambda v, g: v - v.mean(axis=0)),
)
RULE = (
    ("`{0}` is asked for the step before", lambda v, g: _at(v, lambda t: t - 1)),
    ("`{0}` is asked for the step after", lambda v, g: _at(v, lambda t: t + 1)),
    ("`{0}` is asked for t = 1, whatever the step", lambda v, g: _at(v, lambda t: 1)),
)
LOSSES = ("LOGISTIC", "HINGE", "SQUARED", "PERCEPTRON")


def _at(rule, when):
    return (lambda t: rule(when(t))) if callable(rule) else rule


def _of_argument(name, values, default):
    """(words, change) of what may be made of an argument that has had such values."""
    kinds = {type(value) for value in values}
    if kinds & {bool, str}:
        fixed = dict.fromkeys([*values, *([default] if type(default) in kinds else [])])
        for value in fixed:
            yield f"`{name}` counts as {value!r}, whatever it is", lambda v, g, value=value: value
        return
    if name == "tol":  # its traces are too faint
        return
    if default is not inspect.Parameter.empty and isinstance(default, (int, float)) and default:
        yield f"`{name}` counts as {default:g}, whatever it is", lambda v, g: default
    for words, change in _table(name, values):
        yield words.format(name), change
    if any(isinstance(value, losses.Loss) for value in values):
        for fixed in LOSSES:
            loss = getattr(losses, fixed)
            yield f"the {loss.name} loss is used whatever `{name}` is", lambda v, g, loss=loss: loss
    if any(isinstance(value, losses.ScoreLoss) for value in values):
        for loss in (losses.on_scores(losses.LOGISTIC), losses.SQUARED_ERROR):
            yield f"the loss {loss.name} is used whatever `{name}` is", lambda v, g, loss=loss: loss


def _table(name, values):
    numbers = [v for v in values if isinstance(v, (int, float, np.ndarray))]
    if not numbers:
        return RULE if any(callable(v) for v in values) and name == "eta" else ()
    flat = np.concatenate([np.ravel(v) for v in numbers])
    if name == "y" and set(flat) <= {-1.0, 1.0}:
        return SIGNED
    if name == "y" and set(flat) <= {0.0, 1.0} and not any(np.ndim(v) for v in numbers):
        return BINARY
    if any(np.ndim(v) == 2 for v in numbers):
        return (*ARRAY, *TABLE)
    if any(np.ndim(v) == 1 for v in numbers):
        return ARRAY if flat.dtype.kind == "f" else ()
    return COUNT if all(isinstance(v, int) for v in numbers) and name != "i" else (*NUMBER, *RULE * (name == "eta"))


def _alike(seen):
    """Pairs of arguments that are numbers, or arrays with as many axes, in every call."""
    names = [name for name in seen[0] if all(_is_number(given.get(name)) for given in seen)]
    for k, one in enumerate(names):
        for two in names[k + 1 :]:
            if all(np.ndim(given[one]) == np.ndim(given[two]) for given in seen):
                yield one, two


def _is_number(value):
    return isinstance(value, (int, float, np.ndarray)) and not isinstance(value, bool)


# ---- answers ----


def _axes(a, least=1):
    """An answer with axes; of a single number there is nothing to lose."""
    if a.ndim < least:
        raise LookupError
    return a


TURNS = (
    ("the mean of {0} is returned, and not one number for each", lambda a: np.mean(_axes(a))),
    ("the sum of {0} is returned, and not one number for each", lambda a: np.sum(_axes(a))),
    ("the largest entry of {0} is returned, and not one number for each", lambda a: np.max(_axes(a))),
    ("{0} is a column, (n, 1), where it should be (n,)", lambda a: _axes(a)[..., None]),
    ("{0} is a table with one row", lambda a: _axes(a)[None]),
    ("{0} is one long row, and has lost its shape", lambda a: np.ravel(_axes(a))),
    ("{0} has lost an axis where there is one entry, as by `np.squeeze`", lambda a: np.squeeze(_axes(a))),
    ("{0} is an array with one entry: it should be a number", lambda a: np.reshape(a, 1) if not a.ndim else _no()),
    ("{0} is 1 minus the right one", lambda a: 1.0 - a),
    ("{0} is 1 plus the right one", lambda a: 1.0 + a),
    ("{0} is the right one minus 1", lambda a: a - 1.0),
    ("{0} is the square of the right one", lambda a: a**2),
    ("{0} is the square root of the right one", np.sqrt),
    ("{0} is the exponential of the right one", np.exp),
    ("{0} is the logarithm of the right one", np.log),
    ("{0} is minus the logarithm of the right one", lambda a: -np.log(a)),
    ("{0} is the exponential of minus the right one", lambda a: np.exp(-a)),
    ("{0} is 1 over the right one", lambda a: 1 / a),
    ("{0} is the angle: the cosine is asked for", np.arccos),
    ("{0} has lost its sign", np.abs),
    ("{0} is the sign of the right one alone", np.sign),
    ("{0} is cut off at 0 from below", lambda a: np.maximum(a, 0.0)),
    ("{0} is cut off at 0 from above", lambda a: np.minimum(a, 0.0)),
    ("{0} is cut off at 1 from above", lambda a: np.minimum(a, 1.0)),
    ("{0} is kept between 0 and 1", lambda a: np.clip(a, 0.0, 1.0)),
    ("{0} is kept between -1 and 1", lambda a: np.clip(a, -1.0, 1.0)),
    ("{0} is made as long as 1", lambda a: _axes(a) / np.linalg.norm(a)),
    ("{0} holds running totals: each entry stands for itself", lambda a: np.cumsum(_axes(a))),
    ("{0} holds shares: it is divided by its sum", lambda a: _axes(a) / np.sum(a)),
    ("the last entry of {0} is missing", lambda a: _axes(a)[:-1]),
    ("the first entry of {0} is missing", lambda a: _axes(a)[1:]),
    ("the last entry of {0} comes twice", lambda a: np.append(_axes(a), a[-1:])),
    ("the last entry of {0} alone is returned", lambda a: _axes(a)[-1]),
    ("the first entry of {0} alone is returned", lambda a: _axes(a)[0]),
    ("{0} comes in the reverse order", lambda a: _axes(a)[::-1]),
    ("{0} is sorted", lambda a: np.sort(_axes(a))),
    ("the first column of {0} comes last", lambda a: np.roll(_axes(a, 2), -1, axis=1)),
    ("the last column of {0} comes first", lambda a: np.roll(_axes(a, 2), 1, axis=1)),
    ("the columns of {0} come in the reverse order", lambda a: _axes(a, 2)[:, ::-1]),
    ("the last row and column of {0} come first", lambda a: np.roll(_axes(a, 2), 1, axis=(0, 1))),
    ("the first column of {0} is missing", lambda a: _axes(a, 2)[:, 1:]),
    ("the last column of {0} is missing", lambda a: _axes(a, 2)[:, :-1]),
    ("only the diagonal of {0} is filled", lambda a: np.diag(np.diag(_axes(a, 2)))),
    ("only the diagonal of {0} is returned", lambda a: np.diag(_axes(a, 2))),
    ("{0} is transposed", lambda a: _axes(a, 2).T),
    ("{0} is 0 below the diagonal", lambda a: np.triu(_axes(a, 2))),
    ("{0} is 0 above the diagonal", lambda a: np.tril(_axes(a, 2))),
    ("{0} is rounded to whole numbers", np.round),
    ("{0} is always 0", lambda a: 0.0 * a),
)


def _no():
    raise LookupError
