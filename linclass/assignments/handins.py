"""What was handed in: who, for which topic, in which file."""

import re
import stat
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from linclass.assignments.topics import TOPICS

LARGEST = 1 << 20  # bytes of a submission


@dataclass(frozen=True)
class HandIn:
    """A file of a student for a topic; the topic is None where the name says none."""

    student: str
    topic: str | None
    path: Path


class Unreadable(Exception):
    """Why a file cannot be graded, in words."""


def hand_ins(folder, topic=None):
    """Every `HandIn` of a folder: `STUDENT/losses.py`, or `STUDENT-losses.py`, or with a topic any name.

    A notebook stands for a student without a .py file, and the folder for one without either: everybody has a row.
    Two files of one student for one topic have a row each, under their paths.
    """
    folder = Path(folder)
    files = sorted([*folder.rglob("*.py"), *folder.rglob("*.ipynb")])
    found = [_hand_in(path, folder, topic) for path in files if not _skipped(path.relative_to(folder).parts)]
    coders = {one.student for one in found if one.path.suffix == ".py"}
    found = [one for one in found if one.path.suffix == ".py" or one.student not in coders]
    times = Counter((one.student, one.topic) for one in found)
    found = [
        one
        if times[one.student, one.topic] == 1
        else HandIn(one.path.relative_to(folder).as_posix(), one.topic, one.path)
        for one in found
    ]
    seen = {one.path.relative_to(folder).parts[0] for one in found}
    empty = [path for path in sorted(folder.iterdir()) if path.is_dir() and not _skipped([path.name])]
    return found + [HandIn(path.name, topic, path) for path in empty if found and path.name not in seen]


def _skipped(parts):
    return any(part.startswith((".", "__")) for part in parts)


def _hand_in(path, folder, topic):
    names = topic or next((n for n in TOPICS if re.search(rf"(^|[^a-z]){n}([^a-z]|$)", path.stem.lower())), None)
    parts = path.relative_to(folder).parts
    student = parts[0] if len(parts) > 1 else path.stem
    if len(parts) == 1 and names:
        student = re.sub(rf"[-_. ]*{names}[-_. ]*", "", path.stem, flags=re.IGNORECASE) or path.stem
    return HandIn(_printable(student), names, path)


def _printable(name):
    """A name that any file and any terminal can hold."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def read(one):
    """The bytes of a hand-in; `Unreadable`, with the reason, if there are none to be had."""
    if one.path.is_dir():
        raise Unreadable("no .py file in the folder")
    if one.topic is None:
        raise Unreadable(f"{_printable(one.path.name)} is not named after a topic")
    about = one.path.lstat()
    if not stat.S_ISREG(about.st_mode):  # a link may lead to somebody else's file, and a pipe never ends
        raise Unreadable("it is a link or a device, and not a file")
    if about.st_size > LARGEST:
        raise Unreadable(f"the file has {about.st_size:,} bytes; the limit is {LARGEST:,}")
    return one.path.read_bytes()
