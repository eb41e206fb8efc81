"""Which small change to a submission's own text makes the public checks hold, and the sentence for it.

The changed programs run where submissions run, in a cell of their own, which is told public inputs only. The judge
reads the text, sends calls, and compares what comes.
"""

import functools
import itertools
from pathlib import Path

import numpy as np

from linclass.assignments import compare, repairs
from linclass.assignments.cell import Call, NotGraded
from linclass.assignments.reading import parse

BATCH = 800  # changes tried before those that are right so far are looked at more closely
CHUNK = 100  # of them in one call
CLOSER = 25  # looked at more closely, in each batch
FEW = 5  # numbers in a call, to which a program may be right by chance

# What runs in the cell behind `repairs`: the submission's text is SOURCE.
DRIVER = '''
import sys
import types
import warnings

import numpy as np

ASKS = 300  # of a given function in one call, for what is not known yet
TREE = ast.parse(SOURCE)
CHANGES = repairs(TREE, FUNCTION, NAMES)
MOST_TURNS = 3000  # of all loops in one call, and no more than twice as many as the submission makes
ALL_TURNS = 20_000  # of all programs together
turns, asks, limit, total = [0], [0], [MOST_TURNS], [0]


class Endless(Exception):
    pass


def _tick_():
    turns[0] += 1
    total[0] += 1
    if turns[0] > limit[0] or total[0] > ALL_TURNS or any(map(grown, sys._getframe(1).f_locals.values())):
        raise Endless


def grown(value):
    """Has something doubled so often that the memory would not last?"""
    if isinstance(value, int):
        return value.bit_length() > 64
    return (value.size if isinstance(value, np.ndarray) else len(value) if isinstance(value, list) else 0) > 10_000


def compiled(function):
    return compile(ast.Module([ticking(function)], []), FILE, "exec")


BASE = {"__name__": "submission"}
exec(compile(SOURCE, FILE, "exec"), BASE)
BASE.setdefault("np", np)
BASE["_tick_"] = _tick_
PIECES = {k: compiled(s) for k, s in enumerate(TREE.body) if isinstance(s, (ast.FunctionDef, ast.ClassDef))}


def made(number):
    """The function that a change makes, or without a number that of the submission."""
    place, path, new = (None, None, None) if number is None else CHANGES[number]
    space = dict(BASE)
    for k, piece in PIECES.items():
        exec(compiled(changed(TREE, place, path, new)) if k == place else piece, space)
    return space[FUNCTION]


def tried(number, then, args, kwargs):
    """What that function answers; None if it fails, or changes what it was given."""
    try:
        own = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
        turns[0] = asks[0] = 0
        function = made(number)
        options = {k: copy.deepcopy(v) if isinstance(v, np.random.Generator) else v for k, v in kwargs.items()}
        value = function(*own, **options)
        value = value if then is None else [value(t) for t in then]
        arrays = [(a, b) for a, b in zip(args, own) if isinstance(a, np.ndarray)]
        return value if all(np.array_equal(a, b, equal_nan=True) for a, b in arrays) else None
    except BaseException:
        return None


def remembered(function):
    """A given function that is asked once for each argument: most programs ask for the same ones."""
    known = {}

    def asked(*args):
        key = tuple((np.shape(a), np.asarray(a, dtype=float).tobytes()) for a in args)
        if key not in known:
            asks[0] += 1
            if asks[0] > ASKS:
                raise Endless
            known[key] = function(*args)
        return copy.copy(known[key])

    return asked


def given(value):
    """An argument, or a loss, whose functions are remembered."""
    if isinstance(value, types.SimpleNamespace):
        return types.SimpleNamespace(**{name: given(part) for name, part in vars(value).items()})
    return remembered(value) if isinstance(value, types.FunctionType) else value


def trial(numbers, then, *args, **kwargs):
    args, kwargs = [given(a) for a in args], {name: given(a) for name, a in kwargs.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        limit[0] = MOST_TURNS
        tried(None, then, args, kwargs)
        limit[0] = min(MOST_TURNS, 2 * turns[0] + 50)
        return [tried(number, then, args, kwargs) for number in numbers]
'''


@functools.cache
def _text():
    return Path(repairs.__file__).read_text(encoding="utf-8")


def mended(task, source, names, runs, open_cell, file):
    """The sentence of the first change that makes all these public runs right, or None.

    `names` are the submission's other functions that this one uses.
    """
    wrong = [run for run in runs if run.problems]
    tree = parse(source)
    changes = repairs.repairs(tree, task.function, names)
    telling = _telling(wrong)
    head = {"SOURCE": source, "FUNCTION": task.function, "NAMES": sorted(names), "FILE": file}
    text = "\n".join([_text(), *(f"{name} = {value!r}" for name, value in head.items()), DRIVER])
    try:
        with open_cell(text, file) as cell:
            for start in range(0, len(changes), BATCH):
                numbers = list(range(start, min(start + BATCH, len(changes))))
                chunks = [numbers[k : k + CHUNK] for k in range(0, len(numbers), CHUNK)]
                answers = _ask(cell, [(telling, chunk) for chunk in chunks])
                came = itertools.chain.from_iterable(answers)
                hopeful = [n for n, a in zip(numbers, came, strict=True) if _is_right(task, telling, a)][:CLOSER]
                if hopeful:
                    answers = _ask(cell, [(run, hopeful) for run in runs])
                    for k, number in enumerate(hopeful):
                        if all(_is_right(task, run, came[k]) for run, came in zip(runs, answers, strict=True)):
                            return f"{repairs.words(tree, *changes[number])}, every public check passes."
    except (NotGraded, LookupError):
        pass
    return None


def _ask(cell, trials):
    """The answers of each trial, a run and numbers of changes: a list of them for each."""
    calls = [Call((n, run.call.then, *run.call.args), run.call.kwargs, None, run.call.rngs) for run, n in trials]
    outcome = cell.run("trial", calls)
    answers = [answer.value for answer in outcome.answers]
    whole = len(answers) == len(trials) and all(
        isinstance(came, list) and len(came) == len(n) for came, (_, n) in zip(answers, trials, strict=True)
    )
    if not whole:
        raise LookupError(f"the trials did not come to an end: {outcome.ending}")
    return answers


def _is_right(task, run, value):
    return value is not None and not compare.gaps(value, run.expected, run.parts, task.gap, run.allowed)


def _telling(wrong):
    """A wrong run of moderate size: the smallest one with more than FEW numbers, if there is one."""

    def size(run):
        return sum(np.size(a) for a in run.call.args if isinstance(a, np.ndarray))

    return min((run for run in wrong if size(run) > FEW), key=size, default=max(wrong, key=size))
