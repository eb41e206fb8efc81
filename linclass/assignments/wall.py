"""What stands between a submission and the machine: bubblewrap, a container, or nothing.

A wall is a command that starts Python somewhere else. Behind bubblewrap there is no network, no process but its own, a
file system that cannot be written, and on it neither the package nor any submission: the system's libraries, Python's
own, and NumPy.
"""

import dataclasses
import functools
import os
import shlex
import shutil
import site
import subprocess
import sys
from pathlib import Path

import numpy as np

PACKAGE = Path(__file__).resolve().parents[1]
SCRATCH = 16 << 20  # bytes that a submission may write in all
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclasses.dataclass(frozen=True)
class Wall:
    """A way to start Python: `kind` is "bubblewrap", "container" or "none"; without a wall, `why` there is none."""

    kind: str
    command: tuple  # what comes before "-I -c TEXT"
    paths: tuple = ()  # where its Python finds NumPy
    why: str = ""

    @property
    def stands(self):
        """Is there a wall?"""
        return self.kind != "none"

    @property
    def words(self):
        """A sentence for reports."""
        if self.kind == "bubblewrap":
            return "behind bubblewrap"
        return "in the container of --runner" if self.stands else f"WITHOUT A WALL ({self.why})"

    def hidden(self):
        """What the courtesy hook keeps a submission from reading; behind a wall it is not there at all."""
        return [] if self.stands else [f"{PACKAGE}{os.sep}", "/proc/", "/sys/"]

    def environment(self):
        """The environment of the command: never the grader's own."""
        passed = ("PATH", "SYSTEMROOT", "LANG", "HOME", "DOCKER_HOST", "XDG_RUNTIME_DIR")
        return {k: os.environ[k] for k in passed if k in os.environ} | THREADS


def none(why):
    """No wall, for this reason."""
    return Wall("none", (sys.executable,), (), why)


def container(runner):
    """The wall that a command such as "docker run … IMAGE python3" makes."""
    return Wall("container", tuple(shlex.split(runner)))


def _base_python():
    """The interpreter itself, not the link to it in a virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable) or sys.executable)


def _numpy_places():
    """NumPy's folder, and the one of its libraries that wheels put beside it."""
    home = Path(np.__file__).resolve().parent
    return [place for place in (home, home.with_name("numpy.libs")) if place.is_dir()]


def _site_folders():
    """Every folder of installed packages where the system or Python keeps them: linclass may be in one."""
    homes = {Path(root) / "lib" for root in (sys.base_prefix, "/usr", "/usr/local")}
    found = {str(path) for home in homes for name in ("site", "dist") for path in home.glob(f"python*/{name}-packages")}
    return sorted(os.path.realpath(path) for path in found | set(site.getsitepackages()))


def _below(path, roots):
    return any(os.path.realpath(path).startswith(os.path.realpath(root).rstrip("/") + "/") for root in roots)


@functools.cache
def _options():
    """The text of `bwrap --help`: older versions know fewer options."""
    done = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def bubblewrap(cover=()):
    """The wall of bubblewrap. `cover` are folders to hide even if they lie where the system's libraries do."""
    python = _base_python()
    shown = [place for place in SYSTEM if os.path.exists(place)]
    shown += [place for place in (sys.base_prefix, python) if not _below(place, shown) and place not in shown]
    if any(os.path.realpath(place) == "/" for place in shown):
        raise ValueError("Python is installed in the root folder")
    places = [*_site_folders(), str(PACKAGE), *map(os.path.realpath, cover)]
    covered = [place for place in dict.fromkeys(places) if _below(place, shown) and os.path.isdir(place)]
    numpy = list(map(str, _numpy_places()))
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    command += ["--unshare-user", "--disable-userns"] if "--disable-userns" in _options() else []
    # First of all, so that Python or NumPy may lie below it.
    command += ["--size", str(SCRATCH)] if "--size " in _options() else []
    command += ["--tmpfs", "/tmp"]
    for place in shown:
        link = os.path.islink(place)
        command += ["--symlink", os.readlink(place), place] if link else ["--ro-bind", place, place]
    for option, places in (("--tmpfs", covered), ("--ro-bind", numpy), ("--remount-ro", covered)):
        command += [part for place in places for part in (option, place, *[place] * (option == "--ro-bind"))]
    command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    command += ["--remount-ro", "/", "--chdir", "/tmp"]
    for name, value in {**THREADS, "LANG": "C.UTF-8", "PATH": "/usr/bin"}.items():
        command += ["--setenv", name, value]
    return Wall("bubblewrap", (*command, python), (str(Path(np.__file__).resolve().parents[1]),))


def find(runner=None, cover=()):
    """The wall to be had: the container of `runner`, bubblewrap where it is installed, or none."""
    if runner:
        return container(runner)
    if not sys.platform.startswith("linux"):
        return none("bubblewrap is for Linux; give a container with --runner")
    if shutil.which("bwrap") is None:
        return none("bubblewrap is not installed")
    try:
        wall = bubblewrap(cover)
        return wall if not (why := _fault(wall.command)) else none(why)
    except (OSError, ValueError) as error:
        return none(str(error))


@functools.cache
def _fault(command):
    """Why a wall that is installed does not stand, in its own words; empty if it does."""
    done = subprocess.run([*command, "-I", "-c", ""], capture_output=True, text=True, check=False, timeout=60)
    said = (done.stderr.strip().splitlines() or ["it gives no reason"])[-1]
    return f"bubblewrap is installed but does not work here: {said}" if done.returncode else ""
