"""Races: our fit and a peer's on the same data, turn by turn, in one process with one BLAS thread.

A row of the table is a function decorated with `@row(...)` that returns a `Race`. Both sides must reach a relative gap
of at most 1e-6 to the best objective known; the peer runs at the loosest of its settings that does, its best case.
What is compared is processor time, which on one thread is the time of a quiet machine, and does not see its neighbours.
"""

import functools
import json
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

GAP = 1e-6
ROWS = {}


@dataclass(frozen=True)
class Race:
    """Two sides of a comparison.

    ours(): our answer; peers: the peer's fits, from the loosest setting to the tightest; objective(answer): what both
    minimise, None if both do the same work by construction; best: the best value known besides those two reach.
    cost: what a call costs, its processor time if None.
    """

    ours: Callable
    peers: list
    objective: Callable | None = None
    best: float = float("inf")
    cost: Callable | None = None


@dataclass(frozen=True)
class Row:
    """A line of the table: what is compared, and what ratio it must and should reach."""

    name: str
    case: str
    peer: str
    offset: str
    must: float
    aim: float
    make: Callable
    quick: bool = False
    rounds: int = 7
    calls: int = 1  # in a turn, for what takes less than a millisecond
    less_is_better: bool = False  # a number of its own (MiB), not a ratio


def row(name, case, peer, *, must, aim, offset="no", quick=False, rounds=7, calls=1, less_is_better=False):
    """Enter a function that makes a `Race` as a row of the table."""

    def enter(make):
        ROWS[name] = Row(name, case, peer, offset, must, aim, make, quick, rounds, calls, less_is_better)
        return make

    return enter


def processor_time(call, calls=1):
    """Seconds of processor time that a call takes."""
    start = time.process_time()
    for _ in range(calls):
        call()
    return (time.process_time() - start) / calls


def run(row):
    """The measured line as a dictionary: ratios (or numbers), their median, both gaps, and whether it holds."""
    race = row.make()
    ours, peer, gaps = _checked_sides(race)
    cost = race.cost or functools.partial(processor_time, calls=row.calls)
    if row.less_is_better:
        values = [cost(ours) for _ in range(row.rounds)]
        costs = []
    else:
        costs = [(cost(ours), cost(peer)) for _ in range(row.rounds)]
        values = [theirs / own for own, theirs in costs]
    median = statistics.median(values)
    return {
        "row": row.name,
        "case": row.case,
        "peer": row.peer,
        "offset": row.offset,
        "gap ours": gaps[0],
        "gap peer": gaps[1],
        "median": median,
        "values": values,
        "milliseconds": [[1e3 * a, 1e3 * b] for a, b in costs],
        "must": row.must,
        "aim": row.aim,
        "holds": median <= row.must if row.less_is_better else median >= row.must,
    }


def _checked_sides(race):
    """(ours, the peer at its loosest setting that reaches the gap, both gaps)."""
    if race.objective is None:
        race.ours(), race.peers[0]()
        return race.ours, race.peers[0], (None, None)
    mine = race.objective(race.ours())
    theirs = [race.objective(peer()) for peer in race.peers]
    best = min([mine, race.best, *theirs])
    gaps = [value / best - 1 for value in theirs]
    if mine / best - 1 > GAP:
        raise AssertionError(f"our own gap is {mine / best - 1:.1e}")
    first = next((i for i, gap in enumerate(gaps) if gap <= GAP), None)
    if first is None:
        raise AssertionError(f"no setting of the peer reaches the gap: {gaps}")
    return race.ours, race.peers[first], (mine / best - 1, gaps[first])


HEADINGS = ("case", "offset", "peer", "gap ours", "gap peer", "ratio", "must", "aim", "")
WIDTHS = (46, 6, 28, 9, 9, 8, 6, 6, 10)


def line(result):
    """A line of the printed table."""
    verdict = "" if result["holds"] else "UNDER MUST"
    if result["holds"] and not _reaches_aim(result):
        verdict = "under aim"
    cells = (
        result["case"], result["offset"], result["peer"], _gap(result["gap ours"]), _gap(result["gap peer"]),
        f"{result['median']:.2f}", f"{result['must']:g}", f"{result['aim']:g}", verdict,
    )  # fmt: skip
    return _columns(cells)


def _columns(cells):
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()


def _gap(value):
    return "-" if value is None else f"{max(value, 0):.0e}"


def _reaches_aim(result):
    smaller = result["must"] > result["aim"]
    return result["median"] <= result["aim"] if smaller else result["median"] >= result["aim"]


def run_all(rows):
    """(results, do all rows hold?): run the rows, print each line as it is done."""
    results = []
    print(_columns(HEADINGS), flush=True)
    for chosen in rows:
        try:
            result = run(chosen)
            print(line(result), flush=True)
        except AssertionError as problem:
            result = {"row": chosen.name, "case": chosen.case, "holds": False, "problem": str(problem)}
            print(f"{chosen.case}: {problem}", flush=True)
        results.append(result)
    fallen = [result["row"] for result in results if not result["holds"]]
    print(f"{len(results) - len(fallen)} of {len(results)} rows hold" + (f"; under must: {fallen}" if fallen else ""))
    return results, not fallen


def save(path, **results):
    """Write what was measured as JSON, with what it was measured on."""
    import numpy
    import scipy
    import sklearn

    machine = {"machine": platform.machine(), "python": platform.python_version()}
    versions = {module.__name__: module.__version__ for module in (numpy, scipy, sklearn)}
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps({"about": machine | versions} | results, indent=1) + "\n")
    print(f"saved in {path}")
