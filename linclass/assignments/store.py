"""Results on disk, one file each, so that a run that was stopped goes on where it was. Whole or not there at all."""

import functools
import hashlib
import json
import os
import re
from pathlib import Path

from linclass.assignments.handins import Unreadable, read


def write(path, text):
    """Write a file at once: whoever looks sees the old one or the new one."""
    fresh = path.with_name(path.name + ".part")
    fresh.write_text(text, encoding="utf-8", newline="")
    os.replace(fresh, path)


@functools.cache
def _checks():
    """A digest of the checks and of the package: after a change all is graded anew."""
    package = Path(__file__).resolve().parents[1]
    texts = [path.read_bytes() for path in sorted(package.rglob("*.py"))]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def mark(one, seed, walled):
    """What a stored result is valid for: this text, this topic, this seed, these checks, with or without a wall."""
    try:
        raw = read(one)
    except (Unreadable, OSError) as error:
        raw = str(error).encode()
    parts = [raw, *(str(part).encode() for part in (one.topic, seed, walled, _checks()))]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def safe(name):
    """A student's name as part of a file's name; different names stay different."""
    plain = re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:80]
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


class Store:
    """The folder of reports: for each hand-in its result and its page."""

    def __init__(self, folder, seed, walled):
        self.folder, self.seed, self.walled = Path(folder), seed, walled
        self.folder.mkdir(parents=True, exist_ok=True)

    def _path(self, one, ending):
        return self.folder / f"{safe(one.student)}-{one.topic or 'no-topic'}{ending}"

    def kept(self, one):
        """The result of an earlier run, if it still holds; never that of one that was not graded."""
        try:
            stored = json.loads(self._path(one, ".json").read_text(encoding="utf-8"))
            result = stored["result"] if stored["mark"] == mark(one, self.seed, self.walled) else None
            return result if result and result["graded"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, one, result, page):
        """Keep a result and its page; of one that was not graded, the page only."""
        path = self._path(one, ".json")
        if result["graded"]:
            write(path, json.dumps({"mark": mark(one, self.seed, self.walled), "result": result}))
        else:
            path.unlink(missing_ok=True)
        write(self._path(one, ".html"), page)
