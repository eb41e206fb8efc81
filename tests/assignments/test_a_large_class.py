"""Three hundred different submissions, a third of them wrong: how long one takes, and that a killed run is resumed."""

import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from assignments import blind

from linclass.assignments import grade
from linclass.assignments.topics import TOPICS

pytestmark = pytest.mark.skipif(not os.environ.get("ASSIGNMENTS_LONG"), reason="minutes: make assignments-long")
SIZE = 300
IDLE = 0.7  # the load up to which times are judged


def class_of(folder):
    """Three hundred students: every third hands in one of the wrong solutions of the third set, the others a right one.

    {student: is it right?}
    """
    wrong, right = list(blind.THIRD.wrong), list(blind.THIRD.right)
    np.random.default_rng(18).shuffle(wrong)
    students = {}
    for k in range(SIZE):
        student = f"s{k:03d}"
        if k % 3 == 0:
            topic, text = wrong[k // 3].topic, wrong[k // 3].source
        else:
            path = right[k % len(right)]
            topic, text = path.stem.split("_")[0], path.read_text()
        (folder / student).mkdir(parents=True)
        (folder / student / f"{topic}.py").write_text(f"# handed in by {student}\n{text}", encoding="utf-8")
        students[student] = k % 3 != 0
    return students


@pytest.fixture(scope="module")
def graded(tmp_path_factory, bubblewrap):
    """(the folder with the class and its table, {student: is it right?}, the load before)."""
    folder = tmp_path_factory.mktemp("class")
    students, load = class_of(folder / "in"), os.getloadavg()[0]
    assert grade.grade_folder(folder / "in", folder / "g.csv", seed="words", jobs=2, stream=io.StringIO()) == 0
    return folder, students, load


def test_all_wrong_ones_lose_points_and_no_right_one_does(graded):
    folder, students, _ = graded
    with open(folder / "g.csv", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    full = {name: float(row["earned"]) == TOPICS[row["topic"]].points for name, row in rows.items()}
    assert full == students and sum(full.values()) == SIZE * 2 // 3


def test_one_takes_a_second_and_none_takes_ten(graded):
    folder, _, load = graded
    results = [json.loads(path.read_text())["result"] for path in (folder / "g-reports").glob("*.json")]
    seconds = np.sort([result["seconds"] for result in results])
    print(f"{len(seconds)} submissions: median {np.median(seconds):.2f} s, the slowest {seconds[-3:]} s; load {load}")
    assert len(seconds) == SIZE
    if load > IDLE:
        pytest.skip(f"NOT judged: the machine was busy with other things, load {load}")
    assert np.median(seconds) <= 1.0 and seconds[-1] <= 10.0


def test_a_run_that_is_killed_goes_on_to_the_same_table(graded):
    folder, _, _ = graded
    command = [sys.executable, "-m", "linclass.assignments", "grade", str(folder / "in"), "--seed", "words"]
    command += ["-o", str(folder / "again.csv")]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with pytest.raises(subprocess.TimeoutExpired):
        run.wait(np.random.default_rng(os.getpid()).uniform(5, 40))
    run.kill()
    run.wait()
    done = len(list((folder / "again-reports").glob("*.json")))
    print(f"killed when {done} of {SIZE} were done")
    assert done < SIZE and subprocess.run(command, capture_output=True).returncode == 0
    assert (folder / "again.csv").read_text() == (folder / "g.csv").read_text()
