"""Our side of the wall: start the keeper, send it jobs, collect what came back as plain arrays."""

import contextlib
import dataclasses
import importlib
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from linclass.assignments import child, wire
from linclass.assignments.calls import Answer
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


def far_side():
    """The program of the other side as one text, with `wire` in the place of the line that imports it."""
    first, second = (Path(module.__file__).read_text(encoding="utf-8") for module in (wire, child))
    return re.sub(r"^from linclass\.assignments\.wire import .*$", lambda _: first, second, flags=re.MULTILINE)


def given_fields():
    """{module: {class: its fields}} of what is given, for the stand-ins on the other side."""
    return {
        module: {
            name: [f.name for f in dataclasses.fields(getattr(importlib.import_module(module), name))] for name in names
        }
        for module, names in GIVEN.items()
    }


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
            [*command, "-I", "-c", far_side()],
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
            return self._talk(wire.pack(job), functions, len(calls), wall)
        except (OSError, EOFError, TimeoutError):
            self.stop()
            return [], "", "it ended the process that runs it"
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            self.stop()
            return [], "", "it sent something that is no answer"

    def _talk(self, job, functions, count, wall):
        write, read = self.process.stdin.fileno(), self.process.stdout.fileno()
        wire.write_all(write, job)
        answers, printed, loaded = {}, "", False
        end = time.monotonic() + wall + 10
        while True:
            if not select.select([read], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError
            data = wire.read_message(read)
            if data is None:
                raise EOFError
            message = wire.unpack(data)
            if "end" in message:
                ending = _ending(message, len(answers), count, self.seconds, loaded)
                return [answers[k] for k in sorted(answers)], printed, ending
            if "ask" in message:
                wire.write_all(write, wire.pack({"value": _ask(functions, message)}))
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
    return wire.pack(call, special)


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
