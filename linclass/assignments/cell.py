"""Where a submission runs, seen from the judge: a cell for each, which ends with it.

The judge never runs a submission and believes nothing that comes out of a cell. It sends one call at a time, takes one
message back for each it sent, with that message's number, before a deadline, and of a bounded size; anything else ends
the cell. `Cell` is a process behind a wall, `Here` this very interpreter (a page's worker, which is a wall itself).
"""

import ast
import contextlib
import dataclasses
import functools
import importlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from linclass.assignments import child, manners, wall, wire
from linclass.losses import Loss, ScoreLoss

SECONDS = 4  # for all calls of one function
AFTER = 1  # for each other function, once one has taken too long
TOTAL = 8  # for a submission
CLOCK = 60  # seconds on the clock for one function on the busiest machine: then something is wrong with the cell
MEMORY = 1 << 30
LIMITS = {
    "RLIMIT_AS": MEMORY,
    "RLIMIT_FSIZE": 1 << 20,
    "RLIMIT_CORE": 0,
    "RLIMIT_NPROC": 64,
    "RLIMIT_NOFILE": 64,
    "RLIMIT_MSGQUEUE": 0,
}
ASKS = 10_000  # values of given functions that one function may ask for
NUMBERS = 1000  # numbers in the arguments of such a question: what is made of them may be their square

# What a submission may import from linclass: result objects, which give no answer away.
GIVEN = {
    "linclass.fit": ("Fit", "Minimum", "Root"),
    "linclass.margins": ("LinearClassifier",),
    "linclass.representer": ("KernelDescent",),
}


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


class NotGraded(Exception):
    """The cell broke down, and nothing can be said about the submission."""


class Garbage(Exception):
    """What came out of the cell is no answer."""


@dataclasses.dataclass
class Outcome:
    """What a function did: an `Answer` for each call made, what it printed, and "" or why it ended early."""

    answers: list
    printed: str = ""
    ending: str = ""


@functools.cache
def far_side(paths=()):
    """The program of the far side as one text, which needs NumPy alone."""
    texts = [Path(module.__file__).read_text(encoding="utf-8") for module in (wire, manners, child)]
    return "\n".join([f"import sys\nsys.path[:0] = {list(paths)!r}", *map(_without_our_imports, texts)])


def _without_our_imports(text):
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.module.startswith("linclass"):
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join(lines)


@functools.cache
def given_fields():
    """{module: {class: its fields}} of what is given, for the stand-ins on the other side."""
    return {
        module: {
            name: [f.name for f in dataclasses.fields(getattr(importlib.import_module(module), name))] for name in names
        }
        for module, names in GIVEN.items()
    }


class Cell:
    """A process for one submission. Use it in a `with`: at its end nothing of the submission is left."""

    def __init__(self, source, file="submission.py", walls=None, *, seconds=SECONDS, total=TOTAL):
        self.source, self.file, self.wall = source, file, walls or wall.find()
        self.seconds, self.total, self.slow = seconds, total, False
        self.process = self.folder = None
        self.number = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """End the process and all it started, and take its folder away."""
        if self.process is not None:
            self.process.kill()
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, 9)
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.process = self.folder = None

    def _start(self):
        if not self.wall.stands:
            self.folder = tempfile.mkdtemp(prefix="cell-")
        self.process = subprocess.Popen(
            [*self.wall.command, "-I", "-c", far_side(self.wall.paths)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self.wall.environment(),
            start_new_session=True,
            bufsize=0,
        )
        os.set_blocking(self.process.stdin.fileno(), False)

    def run(self, function, calls):
        """The `Outcome` of one function on these calls. A cell that breaks down twice is a `NotGraded`."""
        for attempt in (1, 2):
            if self.total <= 0:
                return Outcome([], ending=f"it was not run: the file had used up its {TOTAL} seconds")
            try:
                return self._run(function, calls)
            except Garbage:
                self.stop()
                return Outcome([], ending="it sent something that is no answer")
            except (OSError, EOFError, TimeoutError) as error:  # a timeout is an OSError
                self.stop()
                if attempt == 2:
                    raise NotGraded(_breakdown(error)) from None
        raise AssertionError

    def _job(self, function, seconds):
        """What the far side is told: never a seed, never a path of ours."""
        return {
            "source": np.frombuffer(self.source.encode(), dtype=np.uint8),
            "function": function,
            "file": self.file,
            "folder": self.folder,
            "given": given_fields(),
            "hidden": self.wall.hidden(),
            "seconds": float(seconds),
            "limits": LIMITS | {"RLIMIT_CPU": int(seconds) + 1},
        }

    def _run(self, function, calls):
        if self.process is None:
            self._start()
        seconds = min(AFTER if self.slow else self.seconds, self.total)
        talk = _Talk(self.process, self.number, time.monotonic() + CLOCK)
        ended, outcome = talk.of(self._job(function, seconds), calls)
        self.number = talk.number + 1
        if ended is None:  # it answered everything and stays; what it does now is its own time
            ended = talk.finish()
        spent = ended.get("spent", seconds)
        self.total -= spent if isinstance(spent, float) and 0 <= spent else seconds
        self.slow = self.slow or ended["end"] in ("time", "asked")
        if ended["end"] == "asked":
            self.stop()
        outcome.ending = _ending(ended, len(outcome.answers) == len(calls), seconds, talk.loaded)
        return outcome


class _Talk:
    """The messages about one function, in both directions."""

    def __init__(self, process, number, deadline):
        self.write, self.read = process.stdin.fileno(), process.stdout.fileno()
        self.number, self.deadline, self.loaded, self.functions = number, deadline, False, []

    def send(self, payload, to=wire.WORKER):
        self.number += 1
        wire.write_all(self.write, wire.frame(self.number, payload, to), self.deadline)

    def receive(self):
        """(the keeper's last word, None) or (None, the worker's message to what was sent last)."""
        try:
            sender, number, payload = wire.read_frame(self.read, self.deadline)
            message = wire.unpack(payload)
        except ValueError as error:
            raise Garbage from error
        if not isinstance(message, dict) or (sender == wire.WORKER and number != self.number):
            raise Garbage
        return (message, None) if sender == wire.KEEPER else (None, message)

    def of(self, job, calls):
        """Send the job and its calls one by one: the keeper's last word, if it came early, and the `Outcome`."""
        outcome, asked = Outcome([]), 0
        self.send(wire.pack(job), wire.KEEPER)
        left = iter(calls)
        while True:
            ended, message = self.receive()
            if ended is not None:
                return _checked(ended), outcome
            outcome.printed = (outcome.printed + str(message.get("printed", "")))[: wire.LONGEST]
            if "ask" in message:
                asked += 1
                if asked > ASKS:
                    return {"end": "asked", "status": None}, outcome
                self.send(wire.pack(_ask(self.functions, message)))
                continue
            if "load" in message:
                outcome.answers = [Answer(error=_error(message["load"]) | {"loading": True}) for _ in calls]
                return None, outcome
            if "answer" in message:
                outcome.answers.append(_answer(message["answer"]))
            self.loaded = True
            call = next(left, None)
            if call is None:
                return None, outcome
            self.send(_pack_call(call, self.functions))

    def finish(self):
        """Tell the worker that this was all, and hear how it ended."""
        self.send(wire.pack({"end": True}))
        ended, _ = self.receive()
        while ended is None:
            ended, _ = self.receive()
        return _checked(ended)


def _checked(ended):
    if ended.get("end") not in ("time", "ended", "garbage") or not isinstance(ended.get("status"), (int, type(None))):
        raise Garbage
    return ended


def _error(said):
    """An error as the far side tells it, in the types it should have."""
    if not isinstance(said, dict):
        raise Garbage
    line = said.get("line")
    return {
        "kind": str(said.get("kind", "an error"))[:80],
        "text": str(said.get("text", ""))[:500],
        "line": line if isinstance(line, int) else None,
    }


def _answer(packed):
    """The `Answer` in a worker's message."""
    try:
        said = wire.unpack(packed.tobytes())
        if "error" in said:
            return Answer(error=_error(said["error"]))
        return Answer(said["value"], tuple(a for a in said["args"] if isinstance(a, np.ndarray)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Garbage from error


def _pack_call(call, functions):
    """A call as bytes. A function, or a loss with its two or three, is not sent: its number in `functions` is."""

    def number(f):
        functions.append(f)
        return len(functions) - 1

    def special(x):
        if isinstance(x, Loss):
            return {name: number(getattr(x, name)) for name in ("value", "slope", "curvature")} | {"name": x.name}
        if isinstance(x, ScoreLoss):
            return {name: number(getattr(x, name)) for name in ("value", "slope")} | {"name": x.name}
        return number(x) if callable(x) else None

    call = {"args": list(call.args), "kwargs": call.kwargs, "then": call.then, "rngs": call.rngs}
    return wire.pack(call, special)


def _ask(functions, message):
    """A question from the submission: one of the functions it was given, at its own arguments, if these are small."""
    number, args = message["ask"], message.get("args")
    if type(number) is not int or not 0 <= number < len(functions) or not isinstance(args, list) or len(args) > 8:
        raise Garbage
    try:
        args = [_number(arg) for arg in args]
        if sum(np.size(arg) for arg in args) > NUMBERS:
            return {"error": f"a given function takes at most {NUMBERS} numbers at a time"}
        with np.errstate(all="ignore"):
            return {"value": functions[number](*args)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {str(error)[:200]}"}


def _number(arg):
    """A number or an array of numbers, and nothing else: what a student's Python may hold is not computed with."""
    if isinstance(arg, (list, tuple)):
        arg = np.asarray(arg)
    if isinstance(arg, bool) or not isinstance(arg, (int, float, np.ndarray)):
        raise TypeError("a number or an array of numbers is wanted")
    if isinstance(arg, np.ndarray) and arg.dtype.kind not in "biuf":
        raise TypeError("an array of numbers is wanted")
    return float(arg) if isinstance(arg, int) and abs(arg) > 1 << 31 else arg


def _ending(ended, answered, seconds, loaded):
    """Why the worker ended before its time, in words; empty if it did not."""
    if answered:
        return ""
    how, signal = ended["end"], (ended["status"] or 0) & 0x7F
    before = "" if loaded else ", before any function was called"
    if how == "time" or signal == 24:  # the system's own limit on processor time
        return f"it was stopped: more than {seconds:g} second{'s' * (seconds != 1)}{before}"
    if how == "asked":
        return f"it was stopped: it called the given functions more than {ASKS:,} times"
    if how == "garbage":
        return "it sent something that is no answer"
    if signal == 9:
        raise EOFError  # somebody killed it, and it may have been the system, short of memory
    return f"it ended the process instead of returning an answer{before}"


def _breakdown(error):
    if isinstance(error, TimeoutError):
        return f"no answer within {CLOCK} seconds on the clock, twice"
    return "the process that runs it was ended from outside, twice"


class Here:
    """A submission in this very interpreter: for a page's worker, and for code that is trusted."""

    def __init__(self, source, file="submission.py", functions=None):
        self.source, self.file, self.functions = source, file, functions

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def run(self, function, calls):
        """What `Cell.run` returns."""
        printed, answers = child.Printed(), []
        with contextlib.redirect_stdout(printed):
            try:
                made = (self.functions or child.load(self.source, self.file))[function]
            except BaseException as error:
                said = child.explain(error, self.file) | {"loading": True}
                return Outcome([Answer(error=said) for _ in calls], printed.take())
            for call in calls:
                answers.append(self._answer(made, call))
        return Outcome(answers, printed.take())

    def _answer(self, function, call):
        if self.functions is not None:
            return trusted_answer(function, call)
        came = trusted_answer(function, call, self.file)
        try:
            return came if came.error else Answer(wire.unpack(wire.pack(came.value)), came.args)
        except ValueError as error:
            return Answer(error=child.explain(error, self.file))


def trusted_answer(function, call, file=""):
    """The `Answer` of a function that is called here and now."""
    args = [a.copy() if isinstance(a, np.ndarray) else a for a in call.args]
    try:
        value = call.make_on(function, args)
    except BaseException as error:
        return Answer(error=child.explain(error, file))
    return Answer(value, tuple(a for a in args if isinstance(a, np.ndarray)))
