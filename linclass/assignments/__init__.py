"""Assignments cut from the package: starters, checks that name the mistake, grading.

python -m linclass.assignments starter losses -o hw/
python -m linclass.assignments check hw/losses.py
"""

__all__ = ["check"]


def check(path, *functions, topic=None, seed=None):
    """The result of the checks on a file, of all its functions or of those named; it shows itself as a table."""
    from pathlib import Path

    from linclass.assignments.checking import check_source, topic_of

    which = topic_of(path, topic)
    unknown = [name for name in functions if which.task(name) is None]
    if unknown:
        known = ", ".join(task.function for task in which.tasks)
        raise ValueError(f"functions must be among {known}; got {unknown[0]!r}")
    if not Path(path).is_file():
        raise ValueError(f"path must be a file; there is no {str(path)!r} in {Path.cwd()}")
    source = Path(path).read_text(encoding="utf-8", errors="replace")
    return check_source(source, which, seed=seed, only=functions or None, file=Path(path).name)
