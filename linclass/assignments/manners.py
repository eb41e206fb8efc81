"""What a submission may not do, on the far side: limits that the system keeps, and refusals with a clear message.

Limits and the system's filter (`limit`, `filter_calls`) hold whatever a submission does. The audit hook and the import
finder are a courtesy: they say what went wrong, and somebody determined can undo them. The wall is elsewhere. This
file needs the standard library alone and is handed over as text with `child`.
"""

import contextlib
import dataclasses
import os
import struct
import sys
import types

# What a submission has no business doing, as Python's audit events.
REFUSED = (
    *("os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "subprocess."),
    *("pty.", "os.kill", "os.killpg", "signal.pthread_kill", "syslog.", "mmap.", "fcntl.", "resource."),
    *("socket.", "ctypes.dlopen", "urllib.", "http.", "ftplib.", "smtplib.", "sqlite3.", "winreg.", "webbrowser."),
    *("os.chmod", "os.chown", "os.link", "os.symlink", "os.chdir", "os.truncate", "os.setxattr", "shutil."),
)
IN_FOLDER = ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.utime")


def guard(folder, hidden):
    """An audit hook: no processes, network or native code, no writing outside `folder`, no reading of `hidden`."""
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
                if real(decode(path)).startswith(hidden):
                    raise PermissionError(f"refused: a submission may not read {text(path)}")
        elif event.startswith(REFUSED):
            raise PermissionError(f"refused: a submission may not use {event}")
        elif event in IN_FOLDER and not inside(args[0]):
            raise PermissionError("refused: a submission changes only its own folder")

    return hook


class Imports:
    """Only NumPy, the standard library and the given parts of linclass: the rest is refused, with the reason."""

    def __init__(self, given):
        self.given = given

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top == "linclass":
            given = ", ".join(f"{module}.{part}" for module, parts in self.given.items() for part in parts)
            raise ImportError(
                f"a submission may not import {name}, which is the solution; what is given is {given or 'nothing'}"
            )
        if top not in sys.stdlib_module_names and top != "numpy" and not top.startswith("_sysconfigdata"):
            raise ImportError(f"a submission may use NumPy and the standard library only, not {top}")
        return None


def give(given):
    """Stand-ins for the given parts of linclass: dataclasses with the fields of the real ones and nothing else."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "linclass"]:
        del sys.modules[name]
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
    """Bounds on processor time, memory, processes and files, where the system has them."""
    with contextlib.suppress(ImportError):
        import resource

        for name, value in limits.items():
            kind = getattr(resource, name, None)
            if kind is not None:
                with contextlib.suppress(ValueError, OSError):
                    resource.setrlimit(kind, (value, value))


# System calls that start, end or look into processes, open the network, or take memory that no limit counts: of each
# machine the architecture's number, that of clone (which also makes threads), and those that are refused.
FORBIDDEN = {
    "x86_64": (
        0xC000003E,
        56,
        # socket, fork, vfork, execve, kill, ptrace, tkill, tgkill, process_vm_readv and _writev, execveat, pidfd_…
        (41, 57, 58, 59, 62, 101, 200, 234, 310, 311, 322, 424, 434, 438),
        # shmget, semget, msgget, mq_open, memfd_create, io_uring_setup, mount, chroot, unshare, setns, bpf,
        # userfaultfd, perf_event_open, add_key, request_key, keyctl
        (29, 64, 68, 240, 319, 425, 165, 161, 272, 308, 321, 323, 298, 248, 249, 250),
    ),
    "aarch64": (
        0xC00000B7,
        220,
        (198, 221, 129, 117, 130, 131, 270, 271, 281, 424, 434, 438),
        (194, 190, 186, 180, 279, 425, 40, 51, 97, 268, 280, 282, 241, 217, 218, 219),
    ),
}
CLONE3, CLONE_THREAD, NOT_PERMITTED, NO_SUCH_CALL = 435, 0x10000, 1, 38


def filter_program(machine):
    """The filter in the kernel's small language: refuse the calls above, and clone unless it makes a thread."""
    architecture, clone, *lists = FORBIDDEN[machine]
    load, jump_equal, jump_above, jump_set, answer = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000
    forbidden = [number for numbers in lists for number in numbers]
    code = [(load, 0, 0, 4), (jump_equal, 1, 0, architecture), (answer, 0, 0, refuse | NOT_PERMITTED)]
    code += [(load, 0, 0, 0), (jump_above, 0, 1, 0x40000000), (answer, 0, 0, refuse | NOT_PERMITTED)]
    code += [(jump_equal, 0, 1, CLONE3), (answer, 0, 0, refuse | NO_SUCH_CALL)]
    for number in forbidden:
        code += [(jump_equal, 0, 1, number), (answer, 0, 0, refuse | NOT_PERMITTED)]
    code += [(jump_equal, 0, 3, clone), (load, 0, 0, 16), (jump_set, 1, 0, CLONE_THREAD)]
    code += [(answer, 0, 0, refuse | NOT_PERMITTED), (answer, 0, 0, allow)]
    return b"".join(struct.pack("=HBBI", *line) for line in code)


def keep_to_itself():
    """Let no process of the same user look into this one, where the system has such a thing."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        if sys.platform.startswith("linux"):
            ctypes.CDLL(None).prctl(4, *[ctypes.c_ulong(0)] * 4)


def filter_calls():
    """Lay the filter over this process and all it starts, for good. False where the system has none."""
    if not sys.platform.startswith("linux") or os.uname().machine not in FORBIDDEN:
        return False
    try:
        import ctypes

        program = filter_program(os.uname().machine)
        code = ctypes.create_string_buffer(program, len(program))
        whole = ctypes.create_string_buffer(struct.pack("@HxxxxxxP", len(program) // 8, ctypes.addressof(code)), 16)
        prctl = ctypes.CDLL(None).prctl
        zero = ctypes.c_ulong(0)
        alone = prctl(38, ctypes.c_ulong(1), zero, zero, zero)  # no new privileges, which the filter asks for
        laid = prctl(22, ctypes.c_ulong(2), ctypes.c_void_p(ctypes.addressof(whole)), zero, zero)
    except (ImportError, OSError, AttributeError):
        return False
    return alone == 0 and laid == 0
