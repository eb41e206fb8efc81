"""Grade a class: many files at a time, resumable, a page for each student and a summary for the teacher."""

import sys
from dataclasses import dataclass
from pathlib import Path

from linclass.assignments import crew, tables
from linclass.assignments.cell import Call, Cell, NotGraded
from linclass.assignments.handins import hand_ins
from linclass.assignments.report import as_html
from linclass.assignments.store import Store, write
from linclass.assignments.wall import find


@dataclass(frozen=True)
class Settings:
    """How to grade: the topic if names do not say it, the secret seed, how many at a time, and behind which wall."""

    topic: str | None = None
    seed: str | None = None
    jobs: int = 2
    runner: str | None = None
    require_wall: bool = False


def grade_folder(folder, output, *, stream=None, **settings):
    """Grade every submission in a folder; the table, the pages and the summary are written beside each other.

    The code is 0 if all were graded, and 1 if some were not.
    """
    settings, stream, output = Settings(**settings), stream or sys.stderr, Path(output)
    reports = output.with_name(output.stem + "-reports")
    todo = _todo(folder, output, settings)
    wall = _wall(settings, [folder, reports])
    print(f"submissions run {wall.words}", file=stream)
    store = Store(reports, settings.seed, wall.stands)
    results = {one: kept for one in todo if (kept := store.kept(one)) is not None}
    if results:
        print(f"{len(results)} of {len(todo)} were graded before and have not changed", file=stream)
    waiting = [one for one in todo if one not in results]
    for one, result in crew.results(waiting, settings.seed, wall, settings.jobs):
        results[one] = result | {"wall": wall.words}
        store.put(one, results[one], as_html(results[one], one.student))
        bar(len(results), len(todo), stream)
    write(output, tables.table(results, wall))
    text = tables.summary(results, wall)
    write(reports / "summary.txt", text + "\n")
    print(text)
    return 0 if all(data["graded"] for data in results.values()) else 1


def _todo(folder, output, settings):
    """What there is to grade, or why nothing can be."""
    if not Path(folder).is_dir():
        raise ValueError(f"folder must be a folder of submissions; got {str(folder)!r}")
    if Path(folder).resolve() in output.resolve().parents:
        raise ValueError("output must lie outside the folder of submissions; give another with -o")
    if settings.jobs < 1:
        raise ValueError(f"jobs must be at least 1; got {settings.jobs}")
    todo = hand_ins(folder, settings.topic)
    if not todo:
        raise ValueError(f"folder must hold .py files; got none in {str(folder)!r}")
    return todo


def _wall(settings, cover):
    """The wall, tried with one line: nobody's work is to be lost because it does not stand."""
    wall = find(settings.runner, [str(Path(path).resolve()) for path in cover])
    if settings.require_wall and not wall.stands:
        raise ValueError(f"a wall is required, and there is none: {wall.why}")
    try:
        with Cell("def one():\n    return 1", walls=wall) as cell:
            came = [answer.value for answer in cell.run("one", [Call(())]).answers]
    except NotGraded:
        came = []
    if came != [1]:
        what = f"runner must start a Python that has NumPy; nothing came back from {settings.runner!r}"
        raise ValueError(what if settings.runner else f"a submission cannot be run {wall.words}")
    return wall


def bar(done, total, stream):
    """A progress bar on a terminal; a line every tenth elsewhere."""
    if stream.isatty():
        filled = 40 * done // max(total, 1)
        shown = f"\r[{'#' * filled}{' ' * (40 - filled)}] {done}/{total}"
        print(shown, end="" if done < total else "\n", file=stream, flush=True)
    elif done == total or done % max(1, total // 10) == 0:
        print(f"{done}/{total}", file=stream, flush=True)
