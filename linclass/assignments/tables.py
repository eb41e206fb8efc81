"""Grades as tables: ours, Canvas's and Moodle's; and a summary in words."""

import csv
import io
from collections import Counter

from linclass.assignments import mistakes


def plain(text):
    """Text that no spreadsheet takes for a formula."""
    return "'" + text if text[:1] in "=+-@\t\r" and text else text


def as_csv(rows):
    """Rows as the text of a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def table(results, wall):
    """One row a hand-in: points in all, points by function, mistakes found, trouble, and where it ran."""
    names = list(dict.fromkeys(f["name"] for data in results.values() for f in data["functions"]))
    rows = [["student", "topic", "graded", "earned", "points", *names, "mistakes", "trouble", "wall"]]
    for one, data in sorted(results.items(), key=lambda item: (item[0].student, item[0].topic or "")):
        by_name = {f["name"]: f["earned"] for f in data["functions"]}
        found = " ".join(m for f in data["functions"] for m in f["mistakes"])
        cells = [by_name.get(name, "") for name in names]
        earned = data["earned"] if data["graded"] else ""
        head = [plain(one.student), data["topic"], "yes" if data["graded"] else "NO", earned, data["points"]]
        rows.append([*head, *cells, found, plain(data["trouble"]), wall.kind])
    return as_csv(rows)


def summary(results, wall):
    """How many, how well, and the commonest mistakes in words."""
    graded = [data for data in results.values() if data["graded"]]
    shares = [data["earned"] / data["points"] if data["points"] else 0.0 for data in graded]
    full, mean = sum(share >= 1 for share in shares), sum(shares) / max(len(shares), 1)
    lines = [f"{len(results)} submissions, {full} with full marks, mean {mean:.0%} of the points", f"run {wall.words}"]
    left = [one.student for one, data in results.items() if not data["graded"]]
    if left:
        lines += ["", f"NOT GRADED: {len(left)}", *(f"       {_why(results, name)}" for name in left)]
    lost = Counter(f["name"] for data in graded for f in data["functions"] if f["earned"] < f["points"])
    if lost:
        lines += ["", "functions that lost points:", *(f"{count:5}  {name}" for name, count in lost.most_common(10))]
    words = {m.name: m.words for m in mistakes.CATALOGUE}
    found = Counter(m for data in graded for f in data["functions"] for m in f["mistakes"])
    if found:
        lines += ["", "commonest mistakes:"]
        lines += [f"{count:5}  {name}: {words.get(name, '')}" for name, count in found.most_common(10)]
    troubled = [(one.student, data["trouble"]) for one, data in results.items() if data["graded"] and data["trouble"]]
    if troubled:
        more = [f"       and {len(troubled) - 10} more, in the table"] if len(troubled) > 10 else []
        lines += ["", "not run:", *(f"       {student}: {trouble[:100]}" for student, trouble in troubled[:10]), *more]
    return "\n".join(lines)


def _why(results, student):
    return next(f"{one.student}: {data['trouble'][:100]}" for one, data in results.items() if one.student == student)
