"""Grading a class: a table, a page each, a summary; nothing stops it, and a second run does nothing twice."""

import csv
import io
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
