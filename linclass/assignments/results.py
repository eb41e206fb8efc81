"""What the checks say: of a call, of a check, of a function, of a submission."""

from dataclasses import dataclass, field

from linclass.assignments.report import as_text


@dataclass
class Run:
    """One call of a check: what came, what should have come, and what differs."""

    call: object
    answer: object  # None if the function never got to it
    expected: object = None
    allowed: tuple | None = None
    parts: tuple = ()  # of the answer, that are compared
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
    near: str = ""  # not written, but there is one of nearly this name

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
        return as_text(self)
