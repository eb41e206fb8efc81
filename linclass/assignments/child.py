"""The far side of the wall: a keeper that forks a worker for each function, and the worker, which runs it.

This file, `wire` and `manners` need NumPy alone and are handed to a fresh interpreter as one text, so they also run in
a container that has no linclass. The interpreter serves one submission and ends with it. It never runs a submission
itself: a worker with limits on time, memory, processes and files does, and the keeper passes messages on, watches the
time, and says how the worker ended.
"""

import contextlib
import difflib
import io
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import types
import warnings

import numpy as np

from linclass.assignments.manners import Imports, filter_calls, give, guard, keep_to_itself, limit
from linclass.assignments.wire import (
    KEEPER,
    LARGEST,
    LARGEST_JOB,
    LONGEST,
    WORKER,
    frame,
    pack,
    read_frame,
    unpack,
    write_all,
)

FAR_AWAY = 1e9  # seconds: as good as never, and a number that `select` takes


# ---- the worker: one function of one submission ----


class Printed(io.TextIOBase):
    """What is printed, up to a length; the rest is dropped."""

    def __init__(self):
        self.parts, self.size = [], 0

    def write(self, text):
        text = str(text)
        if self.size < LONGEST:
            self.parts.append(text[: LONGEST - self.size])
            self.size += len(self.parts[-1])
        return len(text)

    def take(self):
        """What came since it was last asked."""
        text, self.parts, self.size = "".join(self.parts), [], 0
        return text


class Channel:
    """The worker's line to the judge: one message out for each that came in, with its number."""

    def __init__(self, read, write, number):
        self.read, self.write, self.number = read, write, number

    def receive(self):
        _, self.number, payload = read_frame(self.read, time.monotonic() + FAR_AWAY, LARGEST_JOB)
        return payload

    def send(self, payload):
        if len(payload) > LARGEST:
            raise ValueError("the answer is too large to send")
        write_all(self.write, frame(self.number, payload), time.monotonic() + FAR_AWAY)

    def ask(self, number, args):
        """The value of one of the judge's functions; what it could not compute is an error here too."""
        self.send(pack({"ask": number, "args": list(args)}))
        reply = unpack(self.receive())
        if "error" in reply:
            raise ValueError(reply["error"])
        return reply["value"]

    def function(self, mark):
        """A function, or a loss with its name and its two or three, that asks the judge."""
        if isinstance(mark, dict):
            return types.SimpleNamespace(**{k: v if k == "name" else self.function(v) for k, v in mark.items()})
        return lambda *args: self.ask(mark, args)


def explain(error, file):
    """An exception as plain text, with the line of the submission it came from."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == file:
            line = step.tb_lineno
        step = step.tb_next
    if isinstance(error, SyntaxError):
        line = error.lineno
    return {"kind": type(error).__name__, "text": str(error)[:500] + meant(error, step_names(error)), "line": line}


def step_names(error):
    """The names in sight where an error was raised."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    frame = step.tb_frame if step is not None else None
    return [] if frame is None else [*frame.f_locals, *frame.f_globals]


def meant(error, names):
    """For a name or an attribute that is not there, one that is and looks like it."""
    wanted = getattr(error, "name", None)
    if isinstance(error, AttributeError) and wanted:
        names = dir(error.obj)
    elif not isinstance(error, NameError) or not wanted:
        return ""
    close = difflib.get_close_matches(str(wanted), [name for name in names[:2000] if isinstance(name, str)], 1, 0.7)
    return f"; did you mean {close[0]}?" if close else ""


def load(source, file):
    """The namespace that a submission's text makes."""
    module = types.ModuleType("submission")
    module.__file__ = file
    sys.modules["submission"] = module
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the compiler warns of is said where it fails
        code = compile(source, file, "exec")
    exec(code, module.__dict__)
    return module.__dict__


def settle(job, folder):
    """Make the room as a submission finds it: its folder, its limits, what it may import."""
    os.chdir(folder)
    sys.dont_write_bytecode = True
    give(job["given"])
    sys.meta_path.insert(0, Imports(job["given"]))
    limit(job["limits"])
    filter_calls()
    sys.addaudithook(guard(folder, tuple(job["hidden"])))


def answer(function, call, file):
    """What a function answers to a call, or the error it raises, ready to be sent."""
    args, kwargs = call["args"], call["kwargs"]
    kwargs |= {name: np.random.default_rng(seed) for name, seed in call["rngs"].items()}
    try:
        with np.errstate(all="ignore"):
            value = function(*args, **kwargs)
            if call["then"] is not None:
                value = [called(value, t) for t in call["then"]]
        return pack({"value": value, "args": [a for a in args if isinstance(a, np.ndarray)]})
    except BaseException as error:
        return pack({"error": explain(error, file)})


def called(value, t):
    """A step rule at t."""
    if not callable(value):
        raise TypeError(f"it should return a function of t, and returned a {type(value).__name__}")
    return value(t)


def work(job, channel, folder):
    """Load the submission and answer calls, one after the other, until there are no more."""
    sys.stdout = sys.stderr = printed = Printed()
    file = job["file"]
    try:
        settle(job, folder)
        namespace = load(job["source"], file)
        function = namespace[job["function"]]
    except BaseException as error:
        channel.send(pack({"load": explain(error, file), "printed": printed.take()}))
        return
    channel.send(pack({"loaded": True, "printed": printed.take()}))
    while True:
        call = unpack(channel.receive(), channel.function)
        if "end" in call:
            return
        message = answer(function, call, file)
        if len(message) > LARGEST:
            message = pack({"error": {"kind": "ValueError", "text": "the answer is too large to send", "line": None}})
        channel.send(pack({"answer": np.frombuffer(message, dtype=np.uint8), "printed": printed.take()}))


# ---- the keeper: forks workers, passes their messages on, ends them ----


def start(job, folder):
    """A forked worker: its process id and the two ends that lead to it."""
    here_read, there_write = os.pipe()
    there_read, here_write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(there_read)
        os.close(there_write)
        os.set_blocking(here_write, False)
        return pid, here_read, here_write
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(nothing, fd)
        read, write = 30, 31
        os.dup2(there_read, read)
        os.dup2(there_write, write)
        os.closerange(3, 30)
        os.closerange(32, 1024)
        work(job, Channel(read, write, job["number"]), folder)
    finally:
        os._exit(0)


def waited(pid):
    """Seconds that a process was ready and got no processor: not its fault, and not its time."""
    try:
        with open(f"/proc/{pid}/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class Clock:
    """The time a worker has used: while the judge has the word it stands still."""

    def __init__(self, pid, seconds):
        self.pid, self.seconds, self.used, self.since = pid, seconds, 0.0, time.monotonic()
        self.waited_before = 0.0

    def pause(self):
        """The judge has the word."""
        self.used, self.since = self.spent(), None
        self.waited_before = waited(self.pid)

    def go_on(self):
        """The worker has the word."""
        if self.since is None:
            self.since, self.waited_before = time.monotonic(), waited(self.pid)

    def spent(self):
        """Seconds used so far."""
        if self.since is None:
            return self.used
        return self.used + max(0.0, time.monotonic() - self.since - (waited(self.pid) - self.waited_before))


def relay(source, sink, clock, judge_in, judge_out):
    """Pass messages on until the worker ends, its time is up, or it sends what is no message; which of these."""
    while True:
        left = clock.seconds - clock.spent()
        if left <= 0:
            return "time"
        ready = select.select([source, judge_in], [], [], min(max(left, 0.01), 0.5))[0]
        try:
            if source in ready:
                _, number, payload = read_frame(source, time.monotonic() + left)
                write_all(judge_out, frame(number, payload, WORKER), time.monotonic() + FAR_AWAY)
                clock.pause()
            elif judge_in in ready:
                _, number, payload = read_frame(judge_in, time.monotonic() + FAR_AWAY, LARGEST_JOB)
                clock.go_on()
                write_all(sink, frame(number, payload), time.monotonic() + left)
        except TimeoutError:
            return "time"
        except ValueError:
            return "garbage"
        except (EOFError, BrokenPipeError):
            return "ended"


def finish(pid, how):
    """End a worker and whatever shares its group; its own status, or None if it had to be ended."""
    patience = time.monotonic() + (0.5 if how == "ended" else 0.0)
    gone, status = os.waitpid(pid, os.WNOHANG)
    while not gone and time.monotonic() < patience:
        time.sleep(0.002)
        gone, status = os.waitpid(pid, os.WNOHANG)
    for kill in (os.kill, os.killpg):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if kill is os.killpg or not gone:
                kill(pid, signal.SIGKILL)
    if not gone:
        os.waitpid(pid, 0)
    return status if gone else None


def serve(job, judge_in, judge_out):
    """One function in a worker of its own: how it ended, and the seconds it took."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="submission-", dir=job["folder"]))
    pid, source, sink = start(job, folder)
    clock = Clock(pid, job["seconds"])
    how = relay(source, sink, clock, judge_in, judge_out)
    spent = clock.spent()
    status = finish(pid, how)
    os.close(source)
    os.close(sink)
    shutil.rmtree(folder, ignore_errors=True)
    return {"end": how, "status": status, "spent": spent}


def keep(judge_in, judge_out):
    """Serve jobs until the other side hangs up."""
    os.set_blocking(judge_out, False)
    keep_to_itself()
    while True:
        try:
            to, number, payload = read_frame(judge_in, time.monotonic() + FAR_AWAY, LARGEST_JOB)
        except EOFError:
            return
        if to != KEEPER:  # a call for a worker that has ended meanwhile
            continue
        job = unpack(payload)
        job |= {"source": job["source"].tobytes().decode(), "number": number}
        said = pack(serve(job, judge_in, judge_out))
        write_all(judge_out, frame(number, said, KEEPER), time.monotonic() + FAR_AWAY)


if __name__ == "__main__":
    channel_in, channel_out = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    keep(channel_in, channel_out)
