"""The same checks for other graders: nbgrader, otter, Gradescope, Classroom 50."""

import json
import pprint
import shutil
import zipfile

from linclass.assignments import cases
from linclass.assignments.starter import EMPTY, as_notebook, cut, notebook_text, write_starter
from linclass.assignments.wall import PACKAGE


def _write(path, text, executable=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if executable:
        path.chmod(0o755)
    return path


def _opening(topic):
    """The first cells of a notebook in which the functions are written."""
    imports = "".join(f"from {module} import {name}\n" for module, name in topic.given)
    how = "Write the functions below. Their cells may import NumPy and the standard library, nothing else."
    return f"# {topic.title}\n\n{topic.goal} {how}", f"import numpy as np\n{imports}".rstrip()


def _seed_text(seed):
    return "" if seed is None else f", seed={seed!r}"


def nbgrader(topic, folder, seed=None):
    """A source notebook: solution cells with the starter's stubs, and test cells that give a share of the points.

    With a seed, the hidden checks stand between nbgrader's marks for hidden tests, which it takes out of what
    students get.
    """

    def cell(kind, text, grade_id, grade=False, solution=False, points=None):
        about = {"grade": grade, "solution": solution, "locked": not solution, "schema_version": 3, "task": False}
        about["grade_id"] = grade_id
        if points is not None:
            about["points"] = points
        return kind, text, {"nbgrader": about}

    text, imports = _opening(topic)
    cells = [("markdown", text), ("code", imports)]
    for task in topic.tasks:
        lines = [
            "from linclass.assignments.notebook import points",
            f'earned = points("{topic.name}", "{task.function}", globals())',
        ]
        if seed is not None:
            hidden = f'earned = points("{topic.name}", "{task.function}", globals(){_seed_text(seed)})'
            lines += ["### BEGIN HIDDEN TESTS", hidden, "### END HIDDEN TESTS"]
        # nbgrader puts its own stub between these marks, and would else clear the whole cell, signature and all.
        stub = cut(task).replace(
            f"    {EMPTY}  # your code here\n", f"    ### BEGIN SOLUTION\n    {EMPTY}\n    ### END SOLUTION"
        )
        cells.append(cell("code", stub, task.function, solution=True))
        cells.append(
            cell("code", "\n".join([*lines, "earned"]), f"test_{task.function}", grade=True, points=task.points)
        )
    path = _write(folder / "source" / topic.name / f"{topic.name}.ipynb", notebook_text(as_notebook(cells)))
    config = 'c = get_config()\nc.CourseDirectory.course_id = "linclass"\n'
    return [path, _write(folder / "nbgrader_config.py", config)]


def _otter_case(topic, task, name, seed):
    call = f'passed("{topic.name}", "{task.function}", {name!r}, globals(){_seed_text(seed)})'
    return f">>> from linclass.assignments.notebook import passed\n>>> {call}\nTrue"


def _otter_test(topic, task, seed):
    """One function's test file, with a share of the points for each check."""
    kinds = [(check.name, False) for check in cases.CHECKS[task.key]]
    kinds += [(check.name, True) for check in cases.CHECKS[task.key]] if seed is not None else []
    suite = [
        {
            "code": _otter_case(topic, task, name, seed if hidden else None),
            "hidden": hidden,
            "locked": False,
            "points": task.points / len(kinds),
        }
        for name, hidden in kinds
    ]
    suites = [{"cases": suite, "scored": True, "setup": "", "teardown": "", "type": "doctest"}]
    test = {"name": task.function, "points": None, "suites": suites}
    return f"OK_FORMAT = True\n\ntest = {pprint.pformat(test, sort_dicts=False)}\n"


def _otter_readme(topic):
    archive = f"{topic.name}-autograder.zip"
    make = f"otter generate -t tests -c otter_config.json -r requirements.txt -o {archive}"
    run = f"mkdir results && otter run -a {archive} -o results submission.ipynb"
    where = "The package must be installed where it runs; for a container, add its address to `requirements.txt`."
    return f"Make the autograder:\n\n    {make}\n\nGrade one file, without docker:\n\n    {run}\n\n{where}\n"


def otter(topic, folder, seed=None):
    """A notebook, otter's test files, and what `otter generate` needs to make the autograder's zip of them."""
    text, imports = _opening(topic)
    cells = [
        ("markdown", text),
        ("code", f'import otter\ngrader = otter.Notebook("{topic.name}.ipynb")'),
        ("code", imports),
    ]
    for task in topic.tasks:
        cells += [("code", cut(task).rstrip()), ("code", f'grader.check("{task.function}")')]
    config = json.dumps({"show_stdout": True, "show_hidden": False}, indent=2) + "\n"
    return [
        *(_write(folder / "tests" / f"{task.function}.py", _otter_test(topic, task, seed)) for task in topic.tasks),
        _write(folder / f"{topic.name}.ipynb", notebook_text(as_notebook(cells))),
        _write(folder / "otter_config.json", config),
        _write(folder / "requirements.txt", "numpy\nipykernel\n"),
        _write(folder / "README.md", _otter_readme(topic)),
    ]


GRADESCOPE_SETUP = """#!/usr/bin/env bash
set -e
apt-get install -y python3 python3-pip
apt-get install -y bubblewrap || echo "no bubblewrap: submissions run without a wall"
pip3 install numpy --break-system-packages || pip3 install numpy
"""

GRADESCOPE_RUN = '''"""Check the file that was handed in and write results as Gradescope reads them."""
import json, os, subprocess, sys

root = os.environ.get("AUTOGRADER_ROOT", "/autograder")
command = [sys.executable, "-m", "linclass.assignments", "check", "--json", "--topic", "{topic}"{option}]
command.append(os.path.join(root, "submission", "{topic}.py"))
environment = dict(os.environ, PYTHONPATH=os.path.join(root, "source"))
run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=root, input={seed!r})
try:
    data = json.loads(run.stdout)
    tests = [
        {{"name": f["name"], "score": f["earned"], "max_score": f["points"], "output": "\\n".join(f["lines"])}}
        for f in data["functions"]
    ]
    result = {{"tests": tests, "output": data["trouble"]}}
except ValueError:
    result = {{"score": 0, "output": "could not be checked: " + (run.stderr.strip().splitlines() or ["no answer"])[-1]}}
os.makedirs(os.path.join(root, "results"), exist_ok=True)
with open(os.path.join(root, "results", "results.json"), "w") as file:
    json.dump(result, file)
'''


def _copy_package(place):
    left_out = shutil.ignore_patterns("__pycache__", "data", "explore")
    shutil.copytree(PACKAGE, place / "linclass", dirs_exist_ok=True, ignore=left_out)


def gradescope(topic, folder, seed=None):
    """The autograder's zip: a set-up script, a run script and the package."""
    place = folder / "autograder"
    option = "" if seed is None else ', "--seed-file", "-"'
    _write(place / "setup.sh", GRADESCOPE_SETUP, True)
    _write(place / "run_autograder", "#!/usr/bin/env bash\npython3 /autograder/source/run.py\n", True)
    _write(place / "run.py", GRADESCOPE_RUN.format(topic=topic.name, option=option, seed=str(seed or "")))
    _copy_package(place)
    path = folder / f"{topic.name}-gradescope.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(place.rglob("*")):
            archive.write(file, file.relative_to(place))
    shutil.rmtree(place)
    return [path]


CLASSROOM50_RUN = '''"""Check the file in the student's checkout and write result.json as Classroom 50 reads it."""
import datetime, json, os, subprocess, sys

here, get = os.path.dirname(os.path.abspath(__file__)), os.environ.get
try:
    import numpy
except ImportError:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--user", "numpy"], check=True)
command = [sys.executable, "-m", "linclass.assignments", "check", "--json", "{topic}.py"{option}]
environment = dict(os.environ, PYTHONPATH=here)
run = subprocess.run(command, capture_output=True, text=True, env=environment, input={seed!r})
try:
    data = json.loads(run.stdout)
except ValueError:
    sys.exit("could not be checked: " + (run.stderr.strip().splitlines() or ["no answer"])[-1])
tests = [
    {{
        "test-name": f["name"],
        "passed": f["earned"] == f["points"],
        "score": round(100 * f["earned"]),  # whole numbers are wanted: hundredths of a point
        "max-score": 100 * f["points"],
        "output": "\\n".join(f["lines"]) or data["trouble"],
    }}
    for f in data["functions"]
]
result = {{
    "schema": "classroom50/result/v1",
    "classroom": get("CLASSROOM"),
    "assignment": get("ASSIGNMENT"),
    "submission": get("SUBMISSION_TAG"),
    "commit": get("COMMIT_URL"),
    "release": get("RELEASE_URL"),
    "review": get("REVIEW_URL") or get("COMMIT_URL"),
    "datetime": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "score": sum(test["score"] for test in tests),
    "max-score": sum(test["max-score"] for test in tests),
    "tests": tests,
}}
with open("result.json", "w") as file:
    json.dump(result, file, indent=2)
'''


def classroom50(topic, folder, seed=None):
    """The autograder's folder with the package in it, what it runs on, and the template repository's files."""
    place = folder / "autograders" / topic.name
    option = "" if seed is None else ', "--seed-file", "-"'
    text = CLASSROOM50_RUN.format(topic=topic.name, option=option, seed=str(seed or ""))
    _copy_package(place)
    runtime = {"runs-on": "ubuntu-latest", "python": "3.13", "apt": ["bubblewrap"]}
    return [
        _write(place / "autograder.py", text),
        _write(folder / "runtime.json", json.dumps(runtime, indent=2) + "\n"),
        *write_starter(topic, folder / "template"),
    ]


EXPORTS = {"nbgrader": nbgrader, "otter": otter, "gradescope": gradescope, "classroom50": classroom50}
