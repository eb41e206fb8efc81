"""Judges: processes that grade one hand-in at a time. What befalls one of them befalls no other hand-in."""

import multiprocessing
import signal
import time
from multiprocessing.connection import wait

from linclass.assignments.cell import Cell, NotGraded
from linclass.assignments.checking import check_source
from linclass.assignments.handins import Unreadable, read
from linclass.assignments.report import as_data
from linclass.assignments.topics import TOPICS

PATIENCE = 300  # seconds for one hand-in, whatever happens: each of its parts has a limit of its own


def blank(topic, **more):
    """A result without functions."""
    data = {"topic": topic or "", "earned": 0, "points": TOPICS[topic].points if topic else 0, "functions": []}
    return data | {"graded": True, "trouble": ""} | more


def not_graded(topic, why):
    """The result of a hand-in that nobody could judge. It has no points, not even 0."""
    return blank(topic, earned=None, graded=False, trouble=f"not graded: {why}")


def grade_one(one, seed, walls):
    """The result of one hand-in as plain data, whatever may be wrong with it."""
    try:
        source = read(one).decode("utf-8", errors="replace")
        file = one.path.name.encode("utf-8", "replace").decode()
        result = check_source(
            source, TOPICS[one.topic], seed=seed, file=file, open_cell=lambda text, name: Cell(text, name, walls)
        )
        return as_data(result) | {"graded": True}
    except Unreadable as error:
        return blank(one.topic, trouble=str(error))
    except NotGraded as error:
        return not_graded(one.topic, str(error))
    except Exception as error:  # a fault of ours, and no reason for anybody to lose points
        return not_graded(one.topic, f"{type(error).__name__}: {str(error)[:200]}")


def _judge(line, seed, walls):
    """The life of a judge: hand-ins come in, results go out, until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            one, began = line.recv(), time.monotonic()
            result = grade_one(one, seed, walls)
            line.send(result | {"seconds": round(time.monotonic() - began, 2)})
    except (EOFError, OSError):
        return


class _Judge:
    """A judge and what it has on its desk."""

    def __init__(self, seed, walls):
        context = multiprocessing.get_context("spawn")
        self.line, far = context.Pipe()
        self.process = context.Process(target=_judge, args=(far, seed, walls), daemon=True)
        self.process.start()
        far.close()
        self.one, self.until = None, 0.0

    def take(self, one):
        self.one, self.until = one, time.monotonic() + PATIENCE
        self.line.send(one)

    def end(self):
        self.line.close()
        self.process.kill()
        self.process.join()


def results(hand_ins, seed, walls, jobs):
    """(hand-in, result) as they come. One that could not be graded is tried again, alone, when all others are done."""
    again = []
    for one, result in _round(hand_ins, seed, walls, jobs):
        if result["graded"]:
            yield one, result
        else:
            again.append(one)
    for one in again:
        yield from _round([one], seed, walls, 1)


def _round(hand_ins, seed, walls, jobs):
    """Each hand-in once, with as many judges as asked for; a judge that is lost is replaced."""
    waiting, judges = list(hand_ins)[::-1], []
    try:
        while waiting or any(judge.one for judge in judges):
            while waiting and len(judges) < jobs:
                judges.append(_Judge(seed, walls))
            for judge in judges:
                if judge.one is None and waiting:
                    judge.take(waiting.pop())
            for judge in _heard(judges):
                one, judge.one = judge.one, None
                result = _word(judge)
                if result is None:
                    judge.end()
                    judges.remove(judge)
                yield one, result or not_graded(one.topic, "the judge ended while it was being graded")
    finally:
        for judge in judges:
            judge.end()


def _heard(judges):
    """The judges that have something to say, that have gone, or whose time is up."""
    busy = [judge for judge in judges if judge.one is not None]
    ready = wait([judge.line for judge in busy], timeout=1.0)
    return [judge for judge in busy if judge.line in ready or time.monotonic() > judge.until]


def _word(judge):
    try:
        return judge.line.recv() if judge.line.poll() else None
    except (EOFError, OSError):
        return None
