"""The far side of the wall: runs a submission's function, in a process of its own, and sends back what it answered.

This file and `wire` need NumPy alone and are handed to a fresh interpreter as one text, so they also run in a
container that has no linclass. That interpreter never runs a submission itself: for each function it forks a worker
with limits on time, memory and files, passes messages on, and says how the worker ended. A message is JSON and raw
arrays, never a pickle.
"""

import contextlib
import dataclasses
import io
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import types

import numpy as np

from linclass.assignments.wire import HEAD, LARGEST, pack, read_message, unpack, write_all

# ---- the worker: one function of one submission ----

# What a submission has no business doing. An audit hook cannot be taken off again from Python.
REFUSED = (
    (
        "os.fork",
        "os.forkpty",
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.startfile",
        "subprocess.",
        "pty.",
    ),
    ("os.kill", "os.killpg", "signal.pthread_kill", "syslog.", "mmap.", "fcntl.", "resource."),
    ("socket.", "ctypes.", "urllib.", "http.", "ftplib.", "smtplib.", "sqlite3.", "winreg.", "webbrowser."),
    (
        "os.chmod",
        "os.chown",
        "os.link",
        "os.symlink",
        "os.chdir",
        "os.truncate",
        "os.listxattr",
        "os.setxattr",
        "shutil.",
    ),
)
IN_FOLDER = ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.utime")


def guard(folder, hidden):
    """Refuse processes, network, native code, writing outside `folder` and reading what lies in `hidden`."""
    prefixes = tuple(p for row in REFUSED for p in row)
    root, real, text, decode = folder + os.sep, os.path.realpath, str, os.fsdecode
    writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def inside(path):
        return isinstance(path, (str, bytes)) and (real(decode(path)) + os.sep).startswith(root)

    def hook(event, args):
        if event == "open":
            path, _, flags = args
            if isinstance(path, (str, bytes)):
                if flags and flags & writes and not inside(path):
                    raise PermissionError("refused: a submission writes only in its own folder")
                place = real(decode(path))
                if place.startswith(("/proc/", "/sys/")) or any(place.startswith(h) for h in hidden):
                    raise PermissionError(f"refused: a submission may not read {text(path)}")
        elif event.startswith(prefixes):
            raise PermissionError(f"refused: a submission may not use {event}")
        elif event in IN_FOLDER and not inside(args[0]):
            raise PermissionError("refused: a submission changes only its own folder")
        elif event == "object.__setattr__" and args[1] == "__code__":
            raise PermissionError("refused: a submission may not rewrite a function's code")

    return hook


class Imports:
    """Only NumPy, the standard library and the given parts of linclass: the rest is refused, with the reason."""

    def __init__(self, given):
        self.given = given

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top == "linclass":
            raise ImportError(
                f"refused: a submission may not import {name}; what is given is "
                + (", ".join(f"{module}.{part}" for module, parts in self.given.items() for part in parts) or "nothing")
            )
        if top not in sys.stdlib_module_names and top != "numpy":
            raise ImportError(f"refused: a submission uses NumPy and the standard library only, not {top}")
        return None


def give(given):
    """Stand-ins for the given parts of linclass: dataclasses with the fields of the real ones and nothing else."""
    root = types.ModuleType("linclass")
    root.__path__ = []
    sys.modules["linclass"] = root
    for module, parts in given.items():
        stand_in = types.ModuleType(module)
        for name, fields in parts.items():
            setattr(stand_in, name, dataclasses.make_dataclass(name, [(f, object) for f in fields], frozen=True))
        sys.modules[module] = stand_in
        setattr(root, module.rpartition(".")[2], stand_in)


def limit(limits):
    """Bounds on processor time, memory and the size of files, where the system has them."""
    with contextlib.suppress(ImportError):
        import resource

        for name, value in limits.items():
            kind = getattr(resource, name, None)
            if kind is not None:
                with contextlib.suppress(ValueError, OSError):
                    resource.setrlimit(kind, (value, value))


def explain(error, file):
    """An exception as plain text, with the line of the submission it came from."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == file:
            line = step.tb_lineno
        step = step.tb_next
    if isinstance(error, SyntaxError):
        line = error.lineno
    return {"kind": type(error).__name__, "text": str(error)[:500], "line": line}


def own_loss(parts):
    """The package's loss of that name, for the package's own functions."""
    from linclass import losses

    if "curvature" in parts:
        return losses.Loss(parts["name"])
    return losses.SQUARED_ERROR if parts["name"] == "squared_error" else losses.on_scores(losses.Loss(parts["name"]))


def work(job, receive, send, folder):
    """Load the submission and make the calls, one after the other."""
    os.chdir(folder)
    sys.dont_write_bytecode = True
    sys.stdout = sys.stderr = printed = io.StringIO()

    def remote(number):
        def function(*args):
            send(pack({"ask": number, "args": list(args)}))
            return unpack(receive())["value"]

        return function

    def callable_or_loss(number):
        if isinstance(number, int):
            return remote(number)
        if job["reference"] is not None:
            return own_loss(number)
        return types.SimpleNamespace(**{k: v if k == "name" else remote(v) for k, v in number.items()})

    file = job["file"]
    try:
        if job["reference"] is not None:
            sys.path.insert(0, job["reference"])
            import importlib

            namespace = {}
            for module, name in job["functions"]:
                namespace[name] = getattr(importlib.import_module(f"linclass.{module}"), name)
            limit(job["limits"])
        else:
            give(job["given"])
            sys.meta_path.insert(0, Imports(job["given"]))
            limit(job["limits"])
            sys.addaudithook(guard(folder, tuple(job["hidden"])))
            module = types.ModuleType("submission")
            module.__file__ = file
            sys.modules["submission"] = module
            namespace = module.__dict__
            exec(compile(job["source"], file, "exec"), namespace)
        function = namespace[job["function"]]
    except BaseException as error:
        send(pack({"load": explain(error, file) | {"loading": True}, "printed": printed.getvalue()[-2000:]}))
        return
    send(pack({"loaded": True}))
    for number, packed in enumerate(job["calls"]):
        call = unpack(packed.tobytes(), callable_or_loss)
        args, kwargs = call["args"], call["kwargs"]
        for name, seed in call["rngs"].items():
            kwargs[name] = np.random.default_rng(seed)
        try:
            with np.errstate(all="ignore"):
                value = function(*args, **kwargs)
                if call["then"] is not None:
                    value = [value(t) for t in call["then"]]
            answer = {"call": number, "value": value, "args": [a for a in args if isinstance(a, np.ndarray)]}
        except BaseException as error:
            answer = {"call": number, "error": explain(error, file)}
        try:
            message = pack(answer)
        except Exception as error:
            message = pack({"call": number, "error": explain(error, file)})
        send(message)
    send(pack({"printed": printed.getvalue()[-2000:]}))


# ---- the keeper: forks workers, relays their messages, ends them ----


def start(job, folder):
    """A forked worker: its process id and the two ends that lead to it."""
    here_read, there_write = os.pipe()
    there_read, here_write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(there_read)
        os.close(there_write)
        return pid, here_read, here_write
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(nothing, fd)
        read, write = 198, 199
        os.dup2(there_read, read)
        os.dup2(there_write, write)
        os.closerange(3, 198)
        os.closerange(200, 1024)
        work(job, lambda: read_message(read), lambda data: write_all(write, data), folder)
    finally:
        os._exit(0)


def relay(source, sink, wall, parent_in, parent_out):
    """Pass messages on until the worker ends or its time is up; how it ended."""
    end, buffer = time.monotonic() + wall, b""
    while True:
        left = end - time.monotonic()
        if left <= 0:
            return "time"
        if not select.select([source], [], [], left)[0]:
            return "time"
        part = os.read(source, 1 << 20)
        if not part:
            return "ended"
        buffer += part
        while len(buffer) >= HEAD.size:
            size = HEAD.size + sum(HEAD.unpack_from(buffer))
            if size > LARGEST:
                return "garbage"
            if len(buffer) < size:
                break
            message, buffer = buffer[:size], buffer[size:]
            write_all(parent_out, message)
            if message[HEAD.size :].startswith(b'{"dict": [["ask"'):
                reply = read_message(parent_in)
                os.set_blocking(sink, False)
                while reply:
                    if not select.select([], [sink], [], max(0.0, end - time.monotonic()))[1]:
                        return "time"
                    try:
                        reply = reply[os.write(sink, reply) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:
                        return "ended"


def keep(parent_in, parent_out):
    """Serve jobs until the other side hangs up."""
    while (message := read_message(parent_in)) is not None:
        job = unpack(message)
        folder = os.path.realpath(tempfile.mkdtemp(prefix="submission-"))
        if not hasattr(os, "fork"):  # without fork this interpreter is the worker, and is used once
            work(job, lambda: read_message(parent_in), lambda data: write_all(parent_out, data), folder)
            write_all(parent_out, pack({"end": "ended", "status": 0}))
            return
        pid, source, sink = start(job, folder)
        how = relay(source, sink, job["wall"], parent_in, parent_out)
        for end in (os.kill, os.killpg):  # it may have hung up and gone on, or left others behind
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        os.close(source)
        os.close(sink)
        shutil.rmtree(folder, ignore_errors=True)
        write_all(parent_out, pack({"end": how, "status": status}))


if __name__ == "__main__":
    sys.modules.pop("linclass", None)
    channel_in, channel_out = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    keep(channel_in, channel_out)
