"""Run the checks of an assignment on a submission, score it, and say what is wrong."""

import ast
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from linclass.assignments import cases, compare, diagnose, plugging
from linclass.assignments.sandbox import Sandbox
from linclass.assignments.topics import TOPICS


@dataclass
class Run:
    """One call of a check: what came, what should have come, and what differs."""

    call: object
    answer: object  # None if the function never got to it
    expected: object = None
    allowed: tuple | None = None
    problems: list = field(default_factory=list)
    ending: str = ""


@dataclass
class CheckResult:
    """A check on one function."""

    name: str
    hidden: bool
    runs: list

    @property
    def passed(self):
        """Did every call give the right answer?"""
        return bool(self.runs) and not any(run.problems for run in self.runs)


@dataclass
class FunctionResult:
    """All checks of one function, and what they say together."""

    task: object
    checks: list
    written: bool
    absent: bool = False  # not written, and its `def` is gone too
    findings: list = field(default_factory=list)
    printed: str = ""

    @property
    def earned(self):
        """Points: a share for each check, but none unless the first one of each kind (public, hidden) holds."""
        if not self.checks or not self.written:
            return 0.0
        first = [next(c for c in self.checks if c.hidden == hidden) for hidden in {c.hidden for c in self.checks}]
        if not all(check.passed for check in first):
            return 0.0
        return round(self.task.points * sum(check.passed for check in self.checks) / len(self.checks), 2)

    @property
    def mistakes(self):
        """The names of the catalogued mistakes found."""
        return [label for label, _ in self.findings if "-" in label]


@dataclass
class Result:
    """What an assignment's checks say of a submission."""

    topic: object
    functions: list
    trouble: str = ""  # why the file could not be run at all

    @property
    def earned(self):
        """The points of all functions."""
        return round(sum(f.earned for f in self.functions), 2)

    @property
    def complete(self):
        """Were all points earned?"""
        return bool(self.functions) and all(c.passed for f in self.functions for c in f.checks) and not self.trouble

    def __repr__(self):
        from linclass.assignments.report import as_text

        return as_text(self)


def topic_of(path, topic=None):
    """The topic named, or the one whose name the file bears."""
    name = topic or Path(path).stem
    if Path(path).is_dir():
        raise ValueError(f"path must be a file, as {Path(path) / 'losses.py'}; got a folder")
    if name not in TOPICS:
        raise ValueError(
            f"topic must be one of {', '.join(TOPICS)}; got {name!r}. Name the file after it, or give --topic"
        )
    return TOPICS[name]


def unreadable(source, topic):
    """Why the text cannot be checked, in words; empty if it can."""
    if source.lstrip().startswith("{") and '"cells"' in source:  # it would even parse, as one large dict
        return f"the file is a notebook: write the functions in {topic.name}.py, and hand that in"
    try:
        ast.parse(source)
    except SyntaxError as error:
        where = f", in or before line {error.lineno}" if error.lineno else ""
        return f"the file is not Python: {error.msg}{where}" + (f": {error.text.strip()}" if error.text else "")
    except ValueError as error:
        return f"the file is not Python: {error}"
    return ""


def written_functions(source):
    """The names of functions, classes and values with a body: more than a docstring, `...`, `pass` or a bare raise."""
    tree = ast.parse(source)
    defined = {
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not _is_empty(node)
    }
    assigned = [node.targets for node in tree.body if isinstance(node, ast.Assign)]
    return defined | {target.id for targets in assigned for target in targets if isinstance(target, ast.Name)}


def uses(source):
    """{function: the names it uses, itself or through other functions of the file}."""
    direct = {
        node.name: {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {node.name}
        for node in ast.parse(source).body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    reached = {name: set(names) for name, names in direct.items()}
    for _ in direct:
        reached = {name: names.union(*(direct.get(other, ()) for other in names)) for name, names in reached.items()}
    return reached


def _is_empty(node):
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return all(
        isinstance(s, ast.Pass)
        or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        or (isinstance(s, ast.Raise) and "NotImplemented" in ast.dump(s))
        for s in body
    )


@plugging.unplugged()
def check_source(source, topic, *, seed=None, only=None, file="submission.py", sandbox=None):
    """The `Result` of a submission's text. With `seed`, the hidden checks too."""
    trouble = unreadable(source, topic)
    written = set() if trouble else written_functions(source)
    own = sandbox or Sandbox()
    try:
        tasks = [task for task in topic.tasks if only is None or task.function in only]
        functions = [_check_function(task, source, written, seed, file, own) for task in tasks]
    finally:
        if sandbox is None:
            own.stop()
    if not trouble:
        _blame(functions, uses(source))
    return Result(topic, functions, trouble)


def _blame(functions, used):
    """Say of a function that fails which others of the file it uses that fail too."""
    failed = [f.task.function for f in functions if f.written and not all(c.passed for c in f.checks)]
    for f in functions:
        others = [name for name in failed if name != f.task.function and name in used.get(f.task.function, ())]
        if f.task.function in failed and others:
            f.findings.insert(0, ("uses", f"it uses {', '.join(others)}, which fails itself: mend that first."))


@plugging.unplugged()
def check_reference(topic, *, seed=None, only=None, sandbox=None):
    """The `Result` of the package itself."""
    own = sandbox or Sandbox()
    try:
        reference = [(task.module, task.function) for task in topic.tasks]
        tasks = [task for task in topic.tasks if only is None or task.function in only]
        names = {task.function for task in topic.tasks}
        functions = [_check_function(task, "", names, seed, "linclass", own, reference) for task in tasks]
    finally:
        if sandbox is None:
            own.stop()
    return Result(topic, functions)


def _check_function(task, source, written, seed, file, sandbox, reference=None):
    """All checks of one function, in one worker. What is expected is worked out only when the worker is gone."""
    drawn = []
    for hidden, value in ((False, 0), (True, seed)):
        if value is not None:
            drawn += [
                (check, hidden, check.draw(task.key, f"hidden {value}" if hidden else "public"))
                for check in cases.CHECKS[task.key]
            ]
    results = [CheckResult(check.name, hidden, []) for check, hidden, _ in drawn]
    if task.function not in written:
        return FunctionResult(task, results, False, absent=f"def {task.function}(" not in source)
    calls = [call for _, _, some in drawn for call in some]
    answers, printed, ending = sandbox.run(source, task.function, calls, file=file, reference=reference)
    answers = iter([*answers, *[None] * (len(calls) - len(answers))])
    for (check, _, some), result in zip(drawn, results, strict=True):
        result.runs += [_judge(task, check, call, next(answers), ending) for call in some]
    outcome = FunctionResult(task, results, True, printed=printed)
    outcome.findings = diagnose.diagnose(task, [run for result in results for run in result.runs])
    return outcome


def _judge(task, check, call, answer, ending):
    """Compare one answer with what the package answers."""
    if answer is None:
        return Run(call, None, problems=[compare.Gap("", "ended", None, None)], ending=ending)
    expected = call.make(task.reference)
    allowed = check.allowed(call) if check.allowed else None
    run = Run(call, answer, expected, allowed)
    if answer.error:
        run.problems = [compare.Gap("", "error", None, expected)]
        return run
    run.problems = compare.gaps(answer.value, expected, task.parts, task.gap, allowed)
    before = [a for a in call.args if isinstance(a, np.ndarray)]
    if len(answer.args) == len(before) and not all(
        np.array_equal(a, b, equal_nan=True) for a, b in zip(answer.args, before, strict=True)
    ):
        run.problems.append(compare.Gap("", "changed", None, None))
    return run
