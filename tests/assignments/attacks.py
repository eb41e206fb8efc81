"""Submissions that attack the grader. Each is a file for an assignment beside which an honest function stands.

A deed that is not to be done is done first, and `hinge_loss` is right only if it succeeded: points earned are proof.
What an attack leaves behind (`TARGET`, `SHARED`, a process with `MARK` in its command line) is proof as well, and so is
a neighbour's row that changes. `WALL` are those that only a wall stops: without one they may succeed.
"""

HEAD = '''"""Handed in by somebody who would rather not."""
import gc, os, signal, sys, threading, time, types
import numpy as np

PACKAGE, NEIGHBOUR, TARGET, SHARED, MARK, PYTHON = {names!r}


def right(z):
    return np.maximum(0, 1 - z)


def zero_one_loss(z):
    return (z <= 0) * 1.0


def slash(path, flags=os.O_RDONLY):
    """Open a file by a path that begins at an open folder: a hook that looks at the path sees a harmless one."""
    return os.open(path.lstrip("/"), flags, 0o644, dir_fd=os.open("/", os.O_RDONLY))


def read(path):
    return os.read(slash(path), 1 << 20)


def unhook():
    """Take the audit hook apart: its cells are to be found among all objects."""
    for f in gc.get_objects():
        if isinstance(f, types.FunctionType) and f.__name__ == "hook" and f.__closure__:
            for name, cell in zip(f.__code__.co_freevars, f.__closure__):
                if name in ("prefixes", "hidden"):
                    cell.cell_contents = ()
                if name in ("inside", "real"):
                    cell.cell_contents = lambda path: TARGET
            f.__globals__["REFUSED"] = f.__globals__["IN_FOLDER"] = ()


def spawn(*command):
    """Start a process past everything that watches `subprocess`."""
    import _posixsubprocess
    end, go_on = os.pipe()
    args = [[os.fsencode(c) for c in command], [os.fsencode(command[0])], False, (go_on,), None, None]
    args += [-1, -1, -1, -1, -1, -1, end, go_on, False, True]
    args += [-1] if sys.version_info < (3, 14) else []
    args += [None, None, None, -1, None] if sys.version_info >= (3, 11) else [None, None, None, -1, None]
    args += [False] if sys.version_info < (3, 14) else []
    return _posixsubprocess.fork_exec(*args)


def tell(signal_number, pid):
    """A signal that no audit event announces."""
    signal.pidfd_send_signal(os.pidfd_open(pid), signal_number)


def grandparent():
    stat = read("/proc/%d/stat" % os.getppid()).decode()
    return int(stat.rpartition(")")[2].split()[1])


def shout(text, times=1):
    """Put a message on the line to the judge, as the worker's own would look, in the old form and in the new one."""
    import struct
    body = text if isinstance(text, bytes) else text.encode()
    number = max([getattr(o, "number", 0) for o in gc.get_objects() if type(o).__name__ == "Channel"] or [0])
    inner = struct.pack(">II", len(body), 0) + body
    for _ in range(times):
        for fd, message in ((199, inner), (31, struct.pack(">BII", 0, number, len(inner)) + inner)):
            try:
                os.write(fd, message)
            except OSError:
                pass

'''

# Bodies of hinge_loss, unless they define it themselves.
ATTACKS = {
    # ---- lies about the answer ----
    "redefines numpy": """
np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
np.abs = lambda *a: np.zeros(1)
return np.zeros(3)""",
    "patches the checker": """
for name, module in list(sys.modules.items()):
    if "linclass" in name or name in ("__main__", "json"):
        for attribute in ("gaps", "close", "check_source", "pack", "unpack", "dumps"):
            if hasattr(module, attribute):
                setattr(module, attribute, lambda *a, **k: [])
return 0.0""",
    "patches the builtins": """
import builtins
builtins.isinstance = lambda *a: True
builtins.type = lambda *a: float
return 0.0""",
    "leaves with success": "os._exit(0)",
    "raises SystemExit": "raise SystemExit(0)",
    "prints a score": """
print('{"earned": 18, "points": 18}')
os.write(1, b"18 of 18 points")
return None""",
    "an object that equals everything": """
class Yes:
    def __eq__(self, other): return True
    def __getattr__(self, name): return self
    def __array__(self, *a, **k): return np.zeros(1)
return Yes()""",
    "a float that equals everything": """
class Always(float):
    def __eq__(self, other): return True
    def __le__(self, other): return True
    def __sub__(self, other): return 0.0
return Always(3)""",
    "an array that equals everything": """
class Always(np.ndarray):
    def __array_ufunc__(self, *a, **k): return np.True_
    def __eq__(self, other): return np.True_
return np.zeros(np.shape(z)).view(Always) - 7.0""",
    "NaN everywhere": "return np.full(np.shape(z), np.nan)",
    "an error that pretends to be right": """
class Fine(Exception):
    def __str__(self): raise Fine
raise Fine""",
    "an error whose text never ends": """
class Long(Exception):
    def __str__(self): return "x" * (1 << 28)
raise Long""",
    # ---- the line to the judge ----
    "noise on every descriptor": """
for fd in range(3, 256):
    try:
        os.write(fd, b"\\x00\\x00\\x00\\x04\\x00\\x00\\x00\\x00true" * 3)
    except OSError:
        pass
return None""",
    "says that it has ended": """
shout('{"dict": [["end", "ended"], ["status", 0]]}')
return None""",
    "says that it has ended, and goes on": """
shout('{"dict": [["end", "ended"], ["status", 0]]}')
time.sleep(1)
shout('{"dict": [["call", 0], ["value", 0.0], ["args", {"list": []}]]}', 50)
return None""",
    "answers before it is asked": """
shout('{"dict": [["call", 1], ["value", 0.0], ["args", {"list": []}]]}', 20)
return None""",
    "answers a thousand times": """
shout('{"dict": [["call", 0], ["value", 1.0], ["args", {"list": []}]]}', 1000)
return None""",
    "an answer deeper than any stack": """
shout("[" * 200000)
return None""",
    "an answer of lists within lists": """
x = 0.0
for _ in range(900):
    x = [x]
return x""",
    "a list that holds itself": """
x = []
x.append(x)
return x""",
    "a number of a million digits": """
shout('{"dict": [["call", 0], ["value", %s], ["args", {"list": []}]]}' % ("9" * 4000))
return 10 ** 1000000""",
    "an array that claims to be large": """
shout('{"dict": [["call", 0], ["value", {"array": ["f8", [1000000000, 1000000], 8]}], ["args", {"list": []}]]}')
return None""",
    "an array of objects": """
shout('{"dict": [["call", 0], ["value", {"array": ["O", [1], 0]}], ["args", {"list": []}]]}')
return np.array([object()])""",
    "an array of nothing, many times": "return np.zeros((0, 1 << 39))",
    "an error without its parts": """
shout('{"dict": [["call", 0], ["error", {"dict": []}]]}')
shout('{"dict": [["call", 1], ["error", 7]]}')
return None""",
    "a message that is no dict": """
shout("7")
shout("null")
return None""",
    "a frame of four gigabytes": """
import struct
for fd, head in ((199, struct.pack(">II", 1 << 31, 1 << 31)), (31, struct.pack(">BII", 0, 0, (1 << 32) - 1))):
    try:
        os.write(fd, head)
    except OSError:
        pass
return None""",
    "half a frame, then silence": """
for fd in (31, 199):
    try:
        os.write(fd, b"\\x00\\x00")
    except OSError:
        pass
time.sleep(60)""",
    "closes every descriptor": """
os.closerange(0, 1000)
time.sleep(60)""",
    "a thread that talks on": """
def talk():
    while True:
        shout('{"dict": [["call", 0], ["value", 0.0], ["args", {"list": []}]]}')
threading.Thread(target=talk, daemon=True).start()
return None""",
    "text that no file can hold": """
print("\\ud800 lone")
raise ValueError("\\udfff lone \\ud800")""",
    "text that a terminal obeys": """
print("\\x1b[2J\\x1b]0;owned\\x07")
raise ValueError("\\x1b[31mred\\x1b[2J")""",
    "a class with a name of a megabyte": """
raise type("x" * (1 << 20), (Exception,), {})("y" * (1 << 20))""",
    # ---- time and memory ----
    "never returns": "while True: pass",
    "never returns from C": "return 7 ** 10 ** 9",
    "sleeps in every function": """
time.sleep(60)
def everything(z):
    time.sleep(60)
zero = everything""",
    "shrugs off signals": """
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
while True: pass""",
    "raises its own limits": """
unhook()
import resource
resource.setrlimit(resource.RLIMIT_CPU, (-1, -1))
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
return right(z)""",
    "takes much memory": "return np.ones((1 << 20, 1 << 14))",
    "sends a hundred megabytes": "return np.ones(13_000_000)",
    "sends a million small parts": "return [[0.0] for _ in range(1_000_000)]",
    "prints without end": """
for _ in range(3_000_000):
    print("la" * 50)
return None""",
    "a thousand threads": """
for _ in range(1000):
    threading.Thread(target=time.sleep, args=(60,)).start()
return right(z)""",
    # ---- other processes ----
    "forks": """
unhook()
if os.fork() == 0:
    time.sleep(60)
return right(z)""",
    "forks without end": """
import subprocess
for _ in range(100):
    os.fork()
return right(z)""",
    "starts a process past subprocess": """
spawn("/bin/sleep", "1")
return right(z)""",
    "leaves a process behind": """
spawn("/bin/sh", "-c", "sleep 47; : " + MARK)
return right(z)""",
    "a process that writes later": """
spawn("/bin/sh", "-c", "sleep 1; echo x > " + TARGET)
return right(z)""",
    "asks another Python for the answer": """
spawn(PYTHON, "-c", "from linclass.losses import hinge_loss; open(%r, 'w').write('%%r' %% hinge_loss(0.5))" % TARGET)
time.sleep(2)
os.stat(TARGET)
return right(z)""",
    "becomes another program": """
unhook()
os.execv("/bin/true", ["/bin/true"])""",
    "stops its keeper": """
tell(signal.SIGSTOP, os.getppid())
return right(z)""",
    "kills its keeper": """
tell(signal.SIGKILL, os.getppid())
return right(z)""",
    "kills the judge": """
tell(signal.SIGKILL, grandparent())
return right(z)""",
    "stops the judge": """
tell(signal.SIGSTOP, grandparent())
return right(z)""",
    "kills itself": "os.kill(os.getpid(), 9)",
    "crashes": """
import ctypes
ctypes.string_at(0)""",
    "looks into its keeper's memory": """
pid = os.getppid()
start = int(read("/proc/%d/maps" % pid).split(b"-")[0], 16)
assert os.pread(slash("/proc/%d/mem" % pid), 64, start)
return right(z)""",
    "opens the network": """
unhook()
import socket
socket.socket(socket.AF_INET, socket.SOCK_STREAM).bind(("127.0.0.1", 0))
return right(z)""",
    "a socket without Python's module": """
import _socket
_socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
return right(z)""",
    # ---- files ----
    "reads the solution": """
space = {}
exec(open(os.path.join(PACKAGE, "losses.py")).read(), space)
return space["hinge_loss"](z)""",
    "imports the solution": """
import importlib
return importlib.import_module("linclass.losses").hinge_loss(z)""",
    "imports the solution without the finder": """
sys.meta_path[:] = [f for f in sys.meta_path if type(f).__name__ != "Imports"]
for name in [n for n in sys.modules if n.startswith("linclass")]:
    del sys.modules[name]
unhook()
sys.path.insert(0, os.path.dirname(PACKAGE))
import linclass.losses
return linclass.losses.hinge_loss(z)""",
    "reads the solution from an open folder": """
text = read(os.path.join(PACKAGE, "losses.py")).decode()
assert "def hinge_loss" in text
return right(z)""",
    "reads a neighbour's file": """
assert b"def" in read(NEIGHBOUR)
return right(z)""",
    "rewrites a neighbour's file": """
fd = slash(NEIGHBOUR, os.O_WRONLY | os.O_TRUNC)
os.write(fd, b"def hinge_loss(z):\\n    return 0\\n")
return right(z)""",
    "writes outside its folder": """
open(TARGET, "w").write("x")
return right(z)""",
    "writes outside from an open folder": """
os.write(slash(TARGET, os.O_WRONLY | os.O_CREAT), b"x")
return right(z)""",
    "moves a file out of its folder": """
open("mine", "w").write("x")
os.rename("mine", TARGET)
return right(z)""",
    "leaves shared memory behind": """
import _posixshmem
fd = _posixshmem.shm_open("/" + SHARED, os.O_CREAT | os.O_RDWR, mode=0o600)
return right(z)""",
    "fills the disk": """
for k in range(200):
    open("f%d" % k, "wb").write(b"x" * (1 << 20))
return right(z)""",
    "reads the seed off the judge's command line": """
texts = [read("/proc/%d/cmdline" % pid) for pid in (os.getppid(), grandparent())]
pid = grandparent()
while pid > 1:
    texts.append(read("/proc/%d/cmdline" % pid))
    pid = int(read("/proc/%d/stat" % pid).decode().rpartition(")")[2].split()[1])
assert any(b"very secret" in text for text in texts)
return right(z)""",
    "searches its own process for the seed": """
texts = [str(o) for o in gc.get_objects() if isinstance(o, (dict, list, tuple)) and len(o) < 50]
texts += [repr(os.environ), repr(sys.argv), repr(sys.orig_argv)]
assert any(" ".join(["very", "secret"]) in text for text in texts)
return right(z)""",
}  # fmt: skip

# Whole files, and what comes before hinge_loss.
FILES = {
    "leaves while it is loaded": "import os\nos._exit(0)\n\ndef hinge_loss(z):\n    return z\n",
    "hangs while it is loaded": "while True: pass\n\ndef hinge_loss(z):\n    return z\n",
    "signs without end": "x = " + "-" * 90_000 + "1\n\ndef hinge_loss(z):\n    return z\n",
    "brackets without end": "x = " + "(" * 90_000 + ")" * 90_000 + "\n\ndef hinge_loss(z):\n    return z\n",
    "functions that use one another": "".join(f"def f{k}(): f{k + 1}\n" for k in range(30_000))
    + "def hinge_loss(z): return f0\n",
    "a number as long as the file": "x = " + "9" * 900_000 + "\n\ndef hinge_loss(z):\n    return z\n",
    "bytes that are no text": b"\xff\xfe\x00\x00 not text \x00",
    "two megabytes": "# " + "x" * (2 << 20),
    "a hundred thousand warnings": "def hinge_loss(z):\n    return z\n" + "x = '\\d'\n" * 90_000,
}

# Only a wall stops these; the instructors' page lists them.
WALL = {
    "imports the solution without the finder",
    "reads the solution from an open folder",
    "reads a neighbour's file",
    "rewrites a neighbour's file",
    "writes outside from an open folder",
    "moves a file out of its folder",
    "leaves shared memory behind",
    "fills the disk",
    "reads the seed off the judge's command line",
    "looks into its keeper's memory",
    "raises its own limits",
}

# Seen to do harm to the grader as it was before cells and walls. The others it withstood already, by its hooks, its
# limits or its framing; they are here because hooks are no longer what holds, and the framing is another.
WORKED = {
    "says that it has ended": "gave the next submission 0",
    "says that it has ended, and goes on": "gave the next submission 0",
    "kills the judge": "gave everybody after it 0",
    "stops the judge": "held up the run for good",
    "functions that use one another": "held up the run for good",
    "text that no file can hold": "ended the run with an error",
    "an answer deeper than any stack": "was stored as 0 for a fault of the grader's",
    "signs without end": "was stored as 0 for a fault of the grader's",
    "brackets without end": "put 180,000 brackets into the table, which Python's csv then refused to read",
    "rewrites a neighbour's file": "changed another row",
    "leaves a process behind": "did so",
    "leaves shared memory behind": "did so",
    "a process that writes later": "did so",
    "asks another Python for the answer": "left a file",
    "writes outside from an open folder": "left a file",
    "moves a file out of its folder": "left a file",
    "fills the disk": "wrote two hundred megabytes in most of its calls",
    "forks": "did so",
    "starts a process past subprocess": "did so",
    "looks into its keeper's memory": "did so",
    "opens the network": "did so",
    "imports the solution without the finder": "did so",
    "reads the solution from an open folder": "did so",
    "reads a neighbour's file": "did so",
    "reads the seed off the judge's command line": "did so",
}


def text(name, **places):
    """The file of an attack, as text or bytes."""
    if name in FILES:
        return FILES[name]
    names = tuple(places[key] for key in ("package", "neighbour", "target", "shared", "mark", "python"))
    body = "\n".join("    " + line for line in ATTACKS[name].strip("\n").splitlines())
    return HEAD.replace("{names!r}", repr(names)) + f"\ndef hinge_loss(z):\n{body}\n"
