"""No attack earns a point, changes another's row, hangs, or leaves anything behind; the honest have full marks."""

import csv
import importlib.util
import io
import os
import random
import re
import sys
import time
from pathlib import Path

import pytest

from linclass.assignments import grade, wall
from linclass.assignments.checking import check_source
from linclass.assignments.report import as_data
from linclass.assignments.topics import TOPICS

HERE = Path(__file__).parent
RIGHT = (HERE / "right" / "losses.py").read_text()
GUIDE = HERE.parents[1] / "book" / "instructors.md"
LONG = os.environ.get("ASSIGNMENTS_LONG")
SEED = "very secret"
LONGEST = 12.0  # seconds for one attack, the start of its process on a busy machine included


def load_attacks():
    """The module attacks.py, which is no test module."""
    spec = importlib.util.spec_from_file_location("attacks", HERE / "attacks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


attacks = load_attacks()
NAMES = [*attacks.ATTACKS, *attacks.FILES]


def hand_in(folder, names, seed):
    """A class of attackers and honest students, in an order that the seed decides: {student: attack, or None}."""
    order = [*names, *[None] * 6]
    random.Random(seed).shuffle(order)
    students = {f"s{place:03d}": name for place, name in enumerate(order)}
    honest = [student for student, name in students.items() if name is None]
    for student, name in students.items():
        (folder / "in" / student).mkdir(parents=True)
        file = folder / "in" / student / "losses.py"
        if name is None:
            file.write_text(RIGHT)
            continue
        text = attacks.text(
            name,
            package=str(Path(wall.__file__).parents[1]),
            neighbour=str(folder / "in" / honest[-1] / "losses.py"),
            target=str(folder / f"target-{student}"),
            shared=f"linclass-test-{os.getpid()}-{student}",
            mark=f"mark-{os.getpid()}-{student}",
            python=sys.executable,
        )
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return students


def processes(mark):
    """The command lines of running processes that hold a mark."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = place.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if mark in text:
            found.append(text)
    return found


class Graded:
    """What grading such a class left."""

    def __init__(self, folder, monkeypatch, names, jobs, walled):
        scratch = folder / "scratch"
        scratch.mkdir()
        monkeypatch.setenv("TMPDIR", str(scratch))
        if not walled:
            monkeypatch.setattr(grade, "find", lambda *_: wall.none("a test"))
        self.students = hand_in(folder, names, seed=jobs)
        self.said, began = io.StringIO(), time.monotonic()
        self.code = grade.grade_folder(folder / "in", folder / "g.csv", seed=SEED, jobs=jobs, stream=self.said)
        self.seconds = time.monotonic() - began
        csv.field_size_limit(1 << 20)
        self.rows = {row["student"]: row for row in csv.DictReader((folder / "g.csv").read_text().splitlines())}
        self.left = [*scratch.iterdir(), *folder.glob("target-*")]
        self.left += list(Path("/dev/shm").glob(f"linclass-test-{os.getpid()}-*"))
        self.left += processes(f"mark-{os.getpid()}-")
        self.reports = {path.name: path.read_bytes() for path in (folder / "g-reports").iterdir()}
        self.untouched = all(
            (folder / "in" / student / "losses.py").read_text() == RIGHT
            for student, name in self.students.items()
            if name is None
        )


def assert_harmless(graded):
    honest = {student: graded.rows[student]["earned"] for student, name in graded.students.items() if name is None}
    assert set(honest.values()) == {"18.0"}, honest
    assert graded.untouched
    earned = {name: graded.rows[s]["hinge_loss"] for s, name in graded.students.items() if name is not None}
    assert not {name: points for name, points in earned.items() if float(points or 0)}
    assert not graded.left
    assert len(graded.rows) == len(graded.students)
    assert graded.seconds < LONGEST * len(graded.students)
    beside = [graded.rows[s]["zero_one_loss"] for s, name in graded.students.items() if name in attacks.ATTACKS]
    assert beside.count("1.0") >= 0.9 * len(beside)  # an honest function in the same file keeps its points
    assert not [name for name, data in graded.reports.items() if b"\x1b" in data or SEED.encode() in data]


@pytest.mark.parametrize("jobs", [4, pytest.param(1, marks=pytest.mark.skipif(not LONG, reason="long"))])
def test_behind_the_wall_no_attack_does_anything(jobs, tmp_path, monkeypatch, bubblewrap):
    assert len(NAMES) >= 60
    graded = Graded(tmp_path, monkeypatch, NAMES, jobs, True)
    assert "behind bubblewrap" in graded.said.getvalue()
    assert_harmless(graded)


@pytest.mark.parametrize("jobs", [1, pytest.param(4, marks=pytest.mark.skipif(not LONG, reason="long"))])
def test_without_a_wall_only_those_succeed_that_the_page_lists(jobs, tmp_path, monkeypatch):
    if not sys.platform.startswith("linux"):
        pytest.skip("the filter of system calls is Linux's")
    graded = Graded(tmp_path, monkeypatch, [name for name in NAMES if name not in attacks.WALL], jobs, False)
    assert "WITHOUT A WALL (a test)" in graded.said.getvalue()
    assert {row["wall"] for row in graded.rows.values()} == {"none"}
    pages = [data for name, data in graded.reports.items() if name.endswith(".html")]
    assert pages and all(b"WITHOUT A WALL" in page for page in pages)
    assert_harmless(graded)


def test_the_page_lists_what_only_a_wall_stops():
    assert f"The tests hold {len(NAMES)} submissions that attack the grader" in GUIDE.read_text()
    after = GUIDE.read_text().partition("only a wall stops:")[2].partition("\n\nWithout a wall")[0]
    assert set(re.findall(r"^- (.+)\.$", after, re.MULTILINE)) == attacks.WALL


LEAKS = {
    "prints": "    print('HIDDEN', z)\n    return 0 * z",
    "prints and is right": "    print('HIDDEN', z)\n    return np.maximum(0, 1 - z)",
    "names its error": "    if unseen(z): raise type('HIDDEN %s' % z, (OSError,), {})\n    return np.maximum(0, 1 - z)",
    "words its error": "    if unseen(z): raise ValueError('HIDDEN %s' % z)\n    return np.maximum(0, 1 - z)",
    "names its type": "    if unseen(z): return type('HIDDEN_%s' % z, (), {})()\n    return np.maximum(0, 1 - z)",
    "keeps it in a file": "    if unseen(z): open('/tmp/kept', 'a').write('HIDDEN %s' % z)\n    return 0 * z",
}


@pytest.mark.parametrize("name", LEAKS)
def test_no_report_shows_a_hidden_input(name):
    """HIDDEN is printed only of inputs that are not among the public ones."""
    public = [call.args[0].tolist() for call in public_calls()]
    head = f"import numpy as np\nPUBLIC = {public}\ndef unseen(z):\n    return z.tolist() not in PUBLIC\n"
    head += "def show(*a):\n    if unseen(a[-1]): print(*a)\n"
    text = head + "def hinge_loss(z):\n" + LEAKS[name].replace("    print(", "    show(")
    later = "\ndef squared_loss(z):\n    try: print(open('/tmp/kept').read())\n    except OSError: pass\n    return z\n"
    result = check_source(text + later, TOPICS["losses"], seed="words", only=["hinge_loss", "squared_loss"])
    assert any(check.hidden for f in result.functions for check in f.checks)
    assert "HIDDEN" not in str(as_data(result)) and "HIDDEN" not in str(result)


def public_calls():
    """Every public call of hinge_loss."""
    from linclass.assignments import cases

    return [call for c in cases.CHECKS["losses.hinge_loss"] for call in c.draw("losses.hinge_loss", "public")]
