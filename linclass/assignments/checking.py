"""Run the checks of an assignment on a submission, score it, and say what is wrong."""

import contextlib
import os
import sys
from pathlib import Path

import numpy as np

from linclass.assignments import cases, compare, diagnose, facts, mending, plugging
from linclass.assignments.cell import Cell, Here
from linclass.assignments.diagnose import file_error
from linclass.assignments.reading import near_misses, unreadable, uses, written_functions
from linclass.assignments.results import CheckResult, FunctionResult, Result, Run
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
def check_source(source, topic, *, seed=None, only=None, file="submission.py", open_cell=None):
    """The `Result` of a submission's text. With `seed`, the hidden checks too.

    Every public call of every function is answered before the first hidden input is sent, so that nothing shown can
    hold one; and what is expected is worked out only when the cell is gone.
    """
    source = source.removeprefix("\N{BYTE ORDER MARK}")
    tasks = [task for task in topic.tasks if only is None or task.function in only]
    trouble = unreadable(source, topic)
    written = set() if trouble else written_functions(source)
    exams = [Exam(task, seed, source, task.function in written) for task in tasks]
    if any(exam.written for exam in exams):
        with (open_cell or default_cell)(source, file) as cell:
            trouble = _ask_all(exams, cell)
    functions = [exam.result() for exam in exams]
    _explain(functions, uses(source) if not trouble else None)
    if not trouble:
        _mend(functions, source, file, open_cell or default_cell)
    if not trouble:
        near = near_misses(source, [f.task.function for f in functions if f.absent])
        for f in functions:
            f.near = near.get(f.task.function, "")
    return Result(topic, functions, trouble)


def default_cell(source, file):
    """A process behind the best wall there is; where there are no processes to be had, this interpreter."""
    return Cell(source, file) if hasattr(os, "fork") and sys.platform != "emscripten" else Here(source, file)


def _ask_all(exams, cell):
    """Make all calls, the public ones first. An error of the file itself is said once and ends it."""
    for hidden in (False, True):
        for exam in exams:
            if exam.written and any(h == hidden for _, h, _ in exam.drawn):
                outcome = exam.ask(cell, hidden)
                error = outcome.answers[0].error if outcome.answers else None
                if error and error.get("loading") and not hidden:
                    return file_error(error)
    return ""


class Exam:
    """The checks of one function: what is asked, what came, and what it is worth."""

    def __init__(self, task, seed, source, written):
        self.task, self.written = task, written
        self.absent = not written and f"def {task.function}(" not in source
        self.drawn, self.came = [], {}
        for hidden, words in ((False, "public"), (True, f"hidden {seed}")):
            if not hidden or seed is not None:
                checks = cases.CHECKS[task.key]
                self.drawn += [(check, hidden, check.draw(task.key, words)) for check in checks]

    def ask(self, cell, hidden):
        """Make the public or the hidden calls."""
        calls = [call for _, h, some in self.drawn for call in some if h == hidden]
        self.came[hidden] = cell.run(self.task.function, calls)
        return self.came[hidden]

    def result(self):
        """The `FunctionResult`: answers compared with the package's, and what they say together."""
        results = [CheckResult(check.name, hidden, []) for check, hidden, _ in self.drawn]
        if not self.written or not self.came:
            return FunctionResult(self.task, results, self.written, absent=self.absent)
        answers = {hidden: iter(outcome.answers) for hidden, outcome in self.came.items()}
        for (check, hidden, calls), result in zip(self.drawn, results, strict=True):
            if hidden in answers:
                ending = self.came[hidden].ending
                result.runs += [_judge(self.task, check, call, next(answers[hidden], None), ending) for call in calls]
        return FunctionResult(self.task, results, True, printed=self.came[False].printed)


def _explain(functions, used):
    """Say what is wrong with each function that fails, and first which others of the file it uses that fail too.

    What its own text might have wrong is not guessed at then: the other's mistake would upset the guess.
    """
    failed = {f.task.function: f for f in functions if f.written and not all(c.passed for c in f.checks)}
    for name, f in failed.items():
        reached = used(name) if used else ()
        others = [other for other in failed if other != name and other in reached]
        f.findings = diagnose.diagnose(f.task, [run for check in f.checks for run in check.runs], not others)
        if others:
            fails = "which fails itself" if len(others) == 1 else "which fail themselves"
            sentence = f"it uses {' and '.join(others)}, {fails}: fix {'that' if len(others) == 1 else 'those'} first."
            f.findings.insert(0, ("uses", sentence))


def _mend(functions, source, file, open_cell):
    """Where the mistake of a function has no name yet, say which change to its own text mends it, and what is seen.

    Public runs alone are looked at. Whatever goes wrong here costs a sentence, and never a grade.
    """
    used, asked = uses(source), {f.task.function for f in functions}
    for f in functions:
        runs = [run for check in f.checks if not check.hidden for run in check.runs]
        tried = f.written and any(run.problems for run in runs) and all(run.answer is not None for run in runs)
        if tried and not diagnose.is_named(f.findings):
            f.findings = [finding for finding in f.findings if finding[0] != "weak"]
            with contextlib.suppress(Exception):
                sentence = mending.mended(f.task, source, used(f.task.function) - asked, runs, open_cell, file)
                f.findings += [("mend", sentence)] if sentence else []
            with contextlib.suppress(Exception):
                f.findings += [("fact", fact) for fact in facts.facts(f.task, runs)]


def check_reference(topic, *, seed=None, only=None):
    """The `Result` of the package itself."""
    functions = {task.function: task.reference for task in topic.tasks}
    source = "\n".join(f"def {name}(): return 1" for name in functions)
    return check_source(source, topic, seed=seed, only=only, open_cell=lambda s, f: Here(s, f, functions))


def _judge(task, check, call, answer, ending):
    """Compare one answer with what the package answers."""
    if answer is None:
        return Run(call, None, problems=[compare.Gap("", "ended", None, None)], ending=ending)
    expected = call.make(task.reference)
    allowed = check.allowed(call) if check.allowed else None
    run = Run(call, answer, expected, allowed, check.parts or task.parts)
    if answer.error:
        run.problems = [compare.Gap("", "error", None, expected)]
        return run
    run.problems = compare.gaps(answer.value, expected, run.parts, task.gap, allowed)
    before = [a for a in call.args if isinstance(a, np.ndarray)]
    if len(answer.args) == len(before) and not all(
        np.array_equal(a, b, equal_nan=True) for a, b in zip(answer.args, before, strict=True)
    ):
        run.problems.append(compare.Gap("", "changed", None, None))
    return run
