"""Grading a class: a table, a page each, a summary; nothing stops it, and a second run does nothing twice."""

import contextlib
import csv
import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from linclass.assignments import crew, grade, handins, starter, wall
from linclass.assignments.topics import TOPICS

RIGHT = Path(__file__).with_name("right")


def hand_in(folder):
    """Five submissions, as varied as they come."""
    texts = {
        "alice": (RIGHT / "losses.py").read_text(),
        "bob <b>": starter.module_text(TOPICS["losses"]),
        "carol": "import numpy as np\ndef hinge_loss(z):\n    return np.maximum(0, 1 + z)\n",
        "dan": "def hinge_loss(z:\n    return\n",
        "=erin": "import os\nos._exit(0)\n\ndef hinge_loss(z):\n    return z\n",
    }
    for student, text in texts.items():
        (folder / student).mkdir(parents=True)
        (folder / student / "losses.py").write_text(text)
    (folder / "frank_losses.py").write_bytes(b"\xff\xfe\x00 not text")
    return folder


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder, its table, and what a second run said."""
    folder = tmp_path_factory.mktemp("class")
    hand_in(folder / "in")
    first, second = io.StringIO(), io.StringIO()
    assert grade.grade_folder(folder / "in", folder / "grades.csv", seed="words", stream=first) == 0
    (folder / "in" / "carol" / "losses.py").write_text(
        "import numpy as np\ndef hinge_loss(z):\n    return np.maximum(0, -z)\n"
    )
    grade.grade_folder(folder / "in", folder / "grades.csv", seed="words", stream=second)
    rows = list(csv.DictReader((folder / "grades.csv").read_text().splitlines()))
    return folder, rows, second.getvalue()


def test_everybody_has_a_row_and_a_page(graded):
    folder, rows, _ = graded
    points = {row["student"]: float(row["earned"]) for row in rows}
    assert points == {"alice": 18, "bob <b>": 0, "carol": 0, "dan": 0, "'=erin": 0, "frank": 0}
    assert len(list((folder / "grades-reports").glob("*.html"))) == 6
    pages = "".join(p.read_text() for p in (folder / "grades-reports").glob("bob*.html"))
    assert "bob &lt;b&gt;" in pages and "<b>" not in pages


def test_mistakes_are_named_and_trouble_is_said(graded):
    folder, rows, _ = graded
    by_name = {row["student"]: row for row in rows}
    assert by_name["carol"]["mistakes"] == "loss-3"
    assert "not Python" in by_name["dan"]["trouble"] and "not Python" in by_name["frank"]["trouble"]
    summary = (folder / "grades-reports" / "summary.txt").read_text()
    assert summary.startswith("6 submissions, 1 with full marks") and "loss-3: the 1 is missing" in summary


def test_a_second_run_grades_only_what_changed(graded):
    assert "\n5 of 6 were graded before" in graded[2]


def test_no_page_shows_a_hidden_input(graded):
    """The input shown is a public one: it is the same whatever the seed."""
    folder, _, _ = graded
    page = (folder / "grades-reports" / "carol-losses.html").read_text()
    assert "hidden: random margins" in page and page.count("input ") == 1


def test_folders_that_hold_nothing_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        run = subprocess.run(
            [sys.executable, "-m", "linclass.assignments", "grade", str(path)], capture_output=True, text=True
        )
        assert run.returncode == 2 and run.stderr.startswith("error: folder must")


def test_nobody_is_left_out_and_two_files_have_a_row_each(tmp_path):
    files = "ann/losses.py, ann/losses (1).py, bea/losses.ipynb, cid/losses.py, cid/losses.ipynb, dee/a.txt"
    for name in files.split(", "):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = [(one.student, one.path.relative_to(tmp_path).as_posix()) for one in handins.hand_ins(tmp_path)]
    assert found == [
        ("ann/losses (1).py", "ann/losses (1).py"),
        ("ann/losses.py", "ann/losses.py"),
        ("bea", "bea/losses.ipynb"),
        ("cid", "cid/losses.py"),
        ("dee", "dee"),
    ]
    dee = handins.HandIn("dee", None, tmp_path / "dee")
    assert crew.grade_one(dee, "words", wall.none("a test"))["trouble"] == "no .py file in the folder"


def test_a_runner_that_runs_nothing_is_refused(tmp_path):
    hand_in(tmp_path / "in")
    with pytest.raises(ValueError, match="runner must start a Python"):
        grade.grade_folder(tmp_path / "in", tmp_path / "grades.csv", runner="false", stream=io.StringIO())
    assert not (tmp_path / "grades.csv").exists() and not (tmp_path / "grades-reports").exists()


FAILING = """#!/bin/sh
n=$(cat "{count}" 2>/dev/null || echo 0)
n=$((n + 1))
echo $n > "{count}"
case " {broken} " in *" $n "*) exit 1 ;; esac
exec "{python}" "$@"
"""


@pytest.fixture
def unreliable(tmp_path):
    """A runner whose starts of these numbers fail."""

    def make(*broken):
        script = tmp_path / "runner"
        text = FAILING.format(count=tmp_path / "count", broken=" ".join(map(str, broken)), python=sys.executable)
        script.write_text(text)
        script.chmod(0o755)
        (tmp_path / "count").unlink(missing_ok=True)
        return str(script)

    return make


def class_of(folder, *students):
    """Right solutions, one each."""
    for student in students:
        (folder / student).mkdir(parents=True)
        (folder / student / "margins.py").write_text((RIGHT / "margins.py").read_text())
    return folder


def rows_of(path):
    return {row["student"]: row for row in csv.DictReader(path.read_text().splitlines())}


def test_what_could_not_be_graded_is_tried_again_alone(tmp_path, unreliable):
    """The first start is the trial; ann's is the second; bob's two attempts fail, then cid's; bob, alone, succeeds."""
    folder, runner = class_of(tmp_path / "in", "ann", "bob", "cid"), unreliable(3, 4)
    code = grade.grade_folder(folder, tmp_path / "g.csv", runner=runner, jobs=1, stream=io.StringIO())
    assert code == 0 and {row["earned"] for row in rows_of(tmp_path / "g.csv").values()} == {"16.0"}


def test_what_cannot_be_graded_has_no_points_and_is_not_taken_as_done(tmp_path, unreliable):
    folder, output = class_of(tmp_path / "in", "ann", "bob", "cid"), tmp_path / "g.csv"
    code = grade.grade_folder(folder, output, runner=unreliable(3, 4, 6, 7), jobs=1, stream=io.StringIO())
    bob = rows_of(output)["bob"]
    assert code == 1 and (bob["graded"], bob["earned"]) == ("NO", "") and "ended from outside, twice" in bob["trouble"]
    assert {rows_of(output)[name]["earned"] for name in ("ann", "cid")} == {"16.0"}
    assert "not graded" in (tmp_path / "g-reports" / "bob-margins.html").read_text()
    assert not (tmp_path / "g-reports" / "bob-margins.json").exists()
    assert "NOT GRADED: 1" in (tmp_path / "g-reports" / "summary.txt").read_text()
    said = io.StringIO()
    assert grade.grade_folder(folder, output, runner=unreliable(), jobs=1, stream=said) == 0
    assert "2 of 3 were graded before" in said.getvalue() and rows_of(output)["bob"]["earned"] == "16.0"


def test_a_run_that_is_killed_goes_on_to_the_same_table(tmp_path):
    """Killed at a random moment, resumed, killed and resumed again."""
    folder = class_of(tmp_path / "in", *(f"s{k}" for k in range(6)))
    hand_in(folder)
    grade.grade_folder(folder, tmp_path / "whole.csv", seed="words", stream=io.StringIO())
    command = [sys.executable, "-m", "linclass.assignments", "grade", str(folder), "--seed", "words"]
    command += ["-o", str(tmp_path / "resumed.csv")]
    for _ in range(2):
        moment = random.uniform(0.5, 8.0)
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(moment)
        run.kill()
        run.wait()
        print(f"killed after {moment:.2f} s: {len(list((tmp_path / 'resumed-reports').glob('*.json')))} were done")
    assert subprocess.run(command, capture_output=True).returncode == 0
    assert (tmp_path / "resumed.csv").read_text() == (tmp_path / "whole.csv").read_text()


@pytest.mark.parametrize("kind", ["a pipe", "a link", "a large file", "a name for a terminal"])
def test_what_is_no_file_is_said_and_hangs_nobody(kind, tmp_path):
    folder = class_of(tmp_path / "in", "ann")
    place = folder / ("bob" if kind != "a name for a terminal" else "b\x1b[2Job")
    place.mkdir()
    if kind == "a pipe":
        os.mkfifo(place / "margins.py")
    elif kind == "a link":
        (place / "margins.py").symlink_to(folder / "ann" / "margins.py")
    else:
        (place / "margins.py").write_text("#" * ((2 << 20) if kind == "a large file" else 1))
    assert grade.grade_folder(folder, tmp_path / "g.csv", stream=io.StringIO()) == 0
    (bob,) = [row for name, row in rows_of(tmp_path / "g.csv").items() if name != "ann"]
    assert bob["earned"] in ("0", "0.0") and "\x1b" not in (tmp_path / "g.csv").read_text()
    if kind in ("a pipe", "a link"):
        assert bob["trouble"] == "it is a link or a device, and not a file"


def test_the_table_is_not_written_among_the_submissions(tmp_path):
    with pytest.raises(ValueError, match="output must lie outside"):
        grade.grade_folder(class_of(tmp_path / "in", "ann"), tmp_path / "in" / "g.csv", stream=io.StringIO())
