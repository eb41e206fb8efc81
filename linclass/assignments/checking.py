"""Run the checks of an assignment on a submission, score it, and say what is wrong."""

from pathlib import Path

import numpy as np

from linclass.assignments import cases, compare, diagnose, plugging
from linclass.assignments.reading import unreadable, uses, written_functions
from linclass.assignments.results import CheckResult, FunctionResult, Result, Run
from linclass.assignments.sandbox import Sandbox
from linclass.assignments.topics import TOPICS


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
