"""Our side of the wall: start the keeper, send it jobs, collect what came back as plain arrays."""

import contextlib
import dataclasses
import importlib
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from linclass.assignments import child
from linclass.losses import Loss, ScoreLoss

PACKAGE = Path(__file__).resolve().parents[1]
SECONDS = 4  # of processor time for all calls of one function
WALL = 12  # seconds on the clock for the same
MEMORY = 2 << 30
LIMITS = {"RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": 1 << 20, "RLIMIT_CORE": 0}

# What a submission may import from linclass: result objects, which give no answer away.
GIVEN = {
    "linclass.fit": ("Fit", "Minimum", "Root"),
    "linclass.margins": ("LinearClassifier",),
    "linclass.representer": ("KernelDescent",),
}


def given_fields():
    """{module: {class: its fields}} of what is given, for the stand-ins on the other side."""
    return {
        module: {
            name: [f.name for f in dataclasses.fields(getattr(importlib.import_module(module), name))] for name in names
        }
        for module, names in GIVEN.items()
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
            return value if self.then is None else [value(t) for t in self.then]


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came back for one call: a value, or an error {"kind", "text", "line"}."""

    value: object = None
    args: tuple = ()
    error: dict | None = None


class Sandbox:
    """A keeper process and how to talk to it. `runner` is the command that starts its Python, as in a container."""

    def __init__(self, runner=None, seconds=SECONDS):
        self.runner, self.seconds, self.process = runner, seconds, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """End the keeper."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()
            self.process = None

    def _start(self):
        command = [*self.runner] if self.runner else [sys.executable]
        environment = {
            k: os.environ[k] for k in ("PATH", "SYSTEMROOT", "LANG", "HOME", "DOCKER_HOST") if k in os.environ
        }
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [*command, "-I", "-c", Path(child.__file__).read_text(encoding="utf-8")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )

    def run(self, source, function, calls, *, file="submission.py", reference=None, wall=WALL):
        """Answers of one function of a submission (of the package, given `reference` = [(module, name)]) to the calls.

        Returns (answers, printed, ending): one `Answer` per call made, what it printed, and "" or why it ended early.
        """
        functions = []
        job = {
            "source": source,
            "function": function,
            "file": file,
            "wall": wall,
            "functions": [list(pair) for pair in reference or []],
            "reference": str(PACKAGE.parent) if reference else None,
            "given": given_fields(),
            "hidden": [str(PACKAGE) + os.sep],
            "limits": LIMITS | {"RLIMIT_CPU": self.seconds},
            "calls": [np.frombuffer(_pack_call(call, functions), dtype=np.uint8) for call in calls],
        }
        if self.process is None or self.process.poll() is not None:
            self.stop()
            self._start()
        try:
            return self._talk(child.pack(job), functions, len(calls), wall)
        except (OSError, EOFError, TimeoutError):
            self.stop()
            return [], "", "it ended the process that runs it"
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            self.stop()
            return [], "", "it sent something that is no answer"

    def _talk(self, job, functions, count, wall):
        write, read = self.process.stdin.fileno(), self.process.stdout.fileno()
        child.write_all(write, job)
        answers, printed, loaded = {}, "", False
        end = time.monotonic() + wall + 10
        while True:
            if not select.select([read], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError
            data = child.read_message(read)
            if data is None:
                raise EOFError
            message = child.unpack(data)
            if "end" in message:
                ending = _ending(message, len(answers), count, self.seconds, loaded)
                return [answers[k] for k in sorted(answers)], printed, ending
            if "ask" in message:
                child.write_all(write, child.pack({"value": _ask(functions, message)}))
            elif "load" in message:
                answers = {k: Answer(error=message["load"]) for k in range(count)}
            elif "call" in message and isinstance(message["call"], int):
                answers[message["call"]] = Answer(
                    message.get("value"), tuple(message.get("args", ())), message.get("error")
                )
            loaded = loaded or "loaded" in message
            printed = str(message.get("printed", printed))


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
    return child.pack(call, special)


def _ask(functions, message):
    """A question from the submission: one of the functions it was given, at its own arguments."""
    try:
        with np.errstate(all="ignore"):
            return functions[message["ask"]](*message["args"])
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _ending(message, answered, count, seconds, loaded):
    """Why the worker ended before its time, in words; empty if it did not."""
    if message["end"] == "time" or message["status"] & 0x7F in (24, 9):
        return f"it was stopped: more than {seconds} seconds" + ("" if loaded else ", before any function was called")
    if message["end"] == "garbage":
        return "it sent something that is no answer"
    if answered < count:
        return "it ended the process instead of returning an answer"
    return ""
