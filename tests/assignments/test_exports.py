"""Other graders get the same checks; with ASSIGNMENTS_LONG the real nbgrader and otter make the round trip."""

import ast
import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from linclass.assignments import export, notebook, starter
from linclass.assignments.topics import TOPICS

ROOT = Path(__file__).parents[2]
RIGHT = Path(__file__).with_name("right")
GRADERS = ROOT / ".venv-graders" / "bin"
TOPIC = TOPICS["svm"]
needs_graders = pytest.mark.skipif(
    not (os.environ.get("ASSIGNMENTS_LONG") and (GRADERS / "nbgrader").exists()),
    reason="nbgrader and otter were NOT tried: make assignments-long installs them in .venv-graders",
)


def solved(book, names):
    """A notebook with the right bodies of the named functions put in place of the stubs."""
    bodies = {
        node.name: ast.unparse(node)
        for node in ast.parse((RIGHT / f"{TOPIC.name}.py").read_text()).body
        if isinstance(node, ast.FunctionDef)
    }
    for cell in book.cells:
        for name in names:
            if cell.cell_type == "code" and cell.source.startswith(f"def {name}("):
                cell.source = bodies[name]
    return book


ALL = [task.function for task in TOPIC.tasks]
HALF = ["lam_from_C", "slacks", "dual_objective"]
SHARES = {"full": (ALL, TOPIC.points), "none": ([], 0), "half": (HALF, sum(TOPIC.task(n).points for n in HALF))}


@pytest.mark.parametrize("form", export.EXPORTS)
@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_every_form_is_written_for_every_topic(form, topic, tmp_path):
    paths = export.EXPORTS[form](topic, tmp_path, None)
    assert paths and all(path.exists() for path in paths)
    for path in paths:
        if path.suffix == ".ipynb":
            nbformat.validate(nbformat.read(path, as_version=4))
        if path.suffix == ".py":
            compile(path.read_text(), path.name, "exec")


def test_a_seed_never_reaches_what_students_get(tmp_path):
    for path in export.otter(TOPIC, tmp_path / "otter", "very secret"):
        assert path.parent.name == "tests" or "very secret" not in path.read_text()
    (source, *_) = export.nbgrader(TOPIC, tmp_path, "very secret")
    for cell in json.loads(source.read_text())["cells"]:
        text = "".join(cell["source"])
        shown = text.partition("### BEGIN HIDDEN TESTS")[0] + text.partition("### END HIDDEN TESTS")[2]
        assert "very secret" not in shown


def test_the_gradescope_zip_grades(tmp_path):
    (path,) = export.gradescope(TOPICS["losses"], tmp_path, "words")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "source")
    (tmp_path / "submission").mkdir()
    text = "import numpy as np\ndef hinge_loss(z):\n    return np.maximum(0, 1 - z)\n"
    (tmp_path / "submission" / "losses.py").write_text(text)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"AUTOGRADER_ROOT": str(tmp_path)}
    subprocess.run([sys.executable, str(tmp_path / "source" / "run.py")], env=environment, check=True)
    tests = json.loads((tmp_path / "results" / "results.json").read_text())["tests"]
    assert {t["name"]: t["score"] for t in tests if t["score"]} == {"hinge_loss": 2}
    assert sum(t["max_score"] for t in tests) == 18


# What Classroom 50 documents of result.json: the field and its type.
RESULT = dict.fromkeys(
    ("schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime"), str
) | {"score": int, "max-score": int, "tests": list}
CLASSROOM = {
    "CLASSROOM": "linear",
    "ASSIGNMENT": "hw3",
    "SUBMISSION_TAG": "submit/2026-11-01T10-00-00Z-abc1234",
    "COMMIT_URL": "https://example.org/commit/abc1234",
    "RELEASE_URL": "https://example.org/release",
}


@pytest.mark.parametrize("handed_in", ["one right", "none right", "nothing"])
def test_the_classroom50_autograder_writes_the_documented_result(handed_in, tmp_path):
    made = export.classroom50(TOPICS["losses"], tmp_path / "made", "very secret")
    checkout, grader = tmp_path / "checkout", tmp_path / "made" / "autograders" / "losses" / "autograder.py"
    shutil.copytree(tmp_path / "made" / "template", checkout)
    assert grader in made and (checkout / "losses.ipynb").exists()
    clipped = "0, 1 - z" if handed_in == "one right" else "0, -z"
    (checkout / "losses.py").write_text(f"import numpy as np\ndef hinge_loss(z):\n    return np.maximum({clipped})\n")
    if handed_in == "nothing":
        (checkout / "losses.py").unlink()
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | CLASSROOM
    run = subprocess.run([sys.executable, grader], env=environment, cwd=checkout, capture_output=True, text=True)
    if handed_in == "nothing":  # anything but 0 tells the runner that there is no result
        assert run.returncode == 1 and "there is no 'losses.py'" in run.stderr
        assert not (checkout / "result.json").exists()
        return
    result = json.loads((checkout / "result.json").read_text())
    assert run.returncode == 0 and {name: type(value) for name, value in result.items()} == RESULT
    assert result["schema"] == "classroom50/result/v1" and result["review"] == CLASSROOM["COMMIT_URL"]
    assert {name: type(value) for name, value in result["tests"][0].items()} == {
        "test-name": str, "passed": bool, "score": int, "max-score": int, "output": str,
    }  # fmt: skip
    assert (result["score"], result["max-score"]) == (200 if handed_in == "one right" else 0, 1800)
    said = next(test["output"] for test in result["tests"] if test["test-name"] == "hinge_loss")
    assert ("perceptron loss" in said) == (handed_in == "none right")


def test_cells_become_a_file_without_what_is_run_in_them():
    cells = ["%matplotlib inline", "import numpy as np\nfrom linclass.assignments.notebook import points",
             "n = 3\nx = input()",
             "def f(z):\n    return z\nprint(f(1))"]  # fmt: skip
    assert notebook.source_of(cells) == "import numpy as np\n\nn = 3\n\ndef f(z):\n    return z\n"


def test_points_inside_a_notebook():
    cells = [
        "import numpy as np",
        "def hinge_loss(z):\n    return np.maximum(0, 1 - z)",
        "np.allclose = lambda *a: True",
    ]
    assert notebook.points("losses", "hinge_loss", {"In": cells}, seed="s") == 2
    assert notebook.points("losses", "squared_loss", {"In": cells}) == 0
    assert notebook.passed("losses", "hinge_loss", "at the kink", {"In": cells})


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_the_starter_notebooks_run(topic, tmp_path, monkeypatch):
    """As a student gets them: each code cell, one after the other, and under nbval in the long run."""
    paths = starter.write_starter(topic, tmp_path)
    monkeypatch.chdir(tmp_path)
    book, space = nbformat.read(paths[1], as_version=4), {}
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            exec(cell.source, space)
    if os.environ.get("ASSIGNMENTS_LONG"):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env"]
        done = subprocess.run([*command, "--rootdir", ".", paths[1].name], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:]


def run(command, folder):
    """One of the other graders' commands, with our package in sight."""
    path = os.pathsep.join([str(GRADERS), os.environ["PATH"]])
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": path, "JUPYTER_PLATFORM_DIRS": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done


@needs_graders
def test_the_round_trip_with_nbgrader(tmp_path):
    export.nbgrader(TOPIC, tmp_path, "words")
    run([str(GRADERS / "nbgrader"), "generate_assignment", TOPIC.name], tmp_path)
    released = tmp_path / "release" / TOPIC.name / f"{TOPIC.name}.ipynb"
    assert "words" not in released.read_text()
    for student, (names, _) in SHARES.items():
        target = tmp_path / "submitted" / student / TOPIC.name / released.name
        target.parent.mkdir(parents=True)
        nbformat.write(solved(nbformat.read(released, as_version=4), names), target)
    run([str(GRADERS / "nbgrader"), "autograde", TOPIC.name], tmp_path)
    run([str(GRADERS / "nbgrader"), "export"], tmp_path)
    rows = {row["student_id"]: row for row in csv.DictReader((tmp_path / "grades.csv").read_text().splitlines())}
    assert {s: float(rows[s]["score"]) for s in SHARES} == {s: points for s, (_, points) in SHARES.items()}
    assert {float(row["max_score"]) for row in rows.values()} == {TOPIC.points}


@needs_graders
def test_the_round_trip_with_otter(tmp_path):
    export.otter(TOPIC, tmp_path, "words")
    archive = f"{TOPIC.name}-autograder.zip"
    otter = str(GRADERS / "otter")
    run(
        [otter, "generate", "-t", "tests", "-c", "otter_config.json", "-r", "requirements.txt", "-o", archive], tmp_path
    )
    for student, (names, points) in SHARES.items():
        book = solved(nbformat.read(tmp_path / f"{TOPIC.name}.ipynb", as_version=4), names)
        nbformat.write(book, tmp_path / f"{student}.ipynb")
        (tmp_path / f"out-{student}").mkdir()
        run([otter, "run", "-a", archive, "-o", f"out-{student}", f"{student}.ipynb"], tmp_path)
        result = json.loads((tmp_path / f"out-{student}" / "results.json").read_text())
        earned = sum(test.get("score", 0) for test in result["tests"])
        assert earned == pytest.approx(points), student
