"""Three hundred different submissions, a third of them wrong: how long one takes, and that a killed run is resumed."""

import csv
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from assignments import third_set

from linclass.assignments import grade
from linclass.assignments.topics import TOPICS

pytestmark = pytest.mark.skipif(not os.environ.get("ASSIGNMENTS_LONG"), reason="minutes: make assignments-long")
SIZE = 300


def class_of(folder):
    """Three hundred students: every third hands in one of the wrong solutions of the third set, the others a right one.

    {student: is it right?}
    """
    wrong, right = list(third_set.WRONG), list(third_set.RIGHT)
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


def test_three_hundred_submissions_behind_the_wall(tmp_path, bubblewrap):
    students = class_of(tmp_path / "in")
    assert grade.grade_folder(tmp_path / "in", tmp_path / "g.csv", seed="words", jobs=2, stream=io.StringIO()) == 0
    with open(tmp_path / "g.csv", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    full = {name: float(row["earned"]) == TOPICS[row["topic"]].points for name, row in rows.items()}
    assert full == students
    results = [json.loads(path.read_text())["result"] for path in (tmp_path / "g-reports").glob("*.json")]
    seconds = np.sort([result["seconds"] for result in results])
    print(f"{len(seconds)} submissions: median {np.median(seconds):.2f} s, the slowest {seconds[-3:]} s each")
    print("load", os.getloadavg())
    assert len(seconds) == SIZE and np.median(seconds) <= 1.0 and seconds[-1] <= 10.0

    command = [sys.executable, "-m", "linclass.assignments", "grade", str(tmp_path / "in"), "--seed", "words"]
    command += ["-o", str(tmp_path / "again.csv")]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with pytest.raises(subprocess.TimeoutExpired):
        run.wait(np.random.default_rng().uniform(5, 40))
    run.kill()
    run.wait()
    done = len(list((tmp_path / "again-reports").glob("*.json")))
    assert done < SIZE and subprocess.run(command, capture_output=True).returncode == 0
    print(f"killed when {done} were done")
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "g.csv").read_text()
