"""Our grades in a table that Canvas or Moodle imports: with the roster's own columns, and one for the assignment."""

import csv
import re
from pathlib import Path

from linclass.assignments.tables import as_csv

# What identifies a person in each, and what must come back unchanged for the import to know them.
FORMS = {
    "canvas": ("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
    "moodle": ("First name", "Last name", "ID number", "Email address"),
}
NEEDED = {"canvas": ("Student", "ID"), "moodle": ("Email address",)}


def fill(form, grades, roster, topic=None, column=None):
    """(the table's text, the students who are not in the roster). A cell is empty for whoever was not graded."""
    earned = _earned(grades, topic)
    heading, *people = list(csv.reader(Path(roster).read_text(encoding="utf-8-sig").splitlines()))
    lacking = [name for name in NEEDED[form] if name not in heading]
    if lacking:
        raise ValueError(f"roster must be {form.capitalize()}'s own export, with a column {lacking[0]!r}")
    kept = [name for name in FORMS[form] if name in heading]
    rows, taken = [], set()
    for person in people:
        cells = dict(zip(heading, person, strict=False))
        if form == "canvas" and cells["Student"].strip() == "Points Possible":
            rows.append([*(cells.get(name, "") for name in kept), cells.get(column, "")])
            continue
        if not cells.get("ID" if form == "canvas" else "Email address"):
            continue
        mine = [student for student in earned if _is(student, form, cells)]
        if len(mine) > 1:
            raise ValueError(f"grades must have one row a person; got {' and '.join(mine)} for {person[0]}")
        taken.update(mine)
        rows.append([*(cells[name] for name in kept), earned[mine[0]] if mine else ""])
    return as_csv([[*kept, column or _title(grades, topic)], *rows]), sorted(set(earned) - taken)


def _rows(grades, topic):
    rows = list(csv.DictReader(Path(grades).read_text(encoding="utf-8").splitlines()))
    topics = sorted({row["topic"] for row in rows if row["topic"]})
    if topic is None and len(topics) > 1:
        raise ValueError(f"topic must be one of {', '.join(topics)}: the table has several")
    return [row for row in rows if topic in (None, row["topic"])]


def _title(grades, topic):
    rows = _rows(grades, topic)
    return rows[0]["topic"] if rows else topic or ""


def _earned(grades, topic):
    """{student: points as text}, empty for those who were not graded."""
    rows = _rows(grades, topic)
    return {row["student"].removeprefix("'"): row["earned"] if row["graded"] == "yes" else "" for row in rows}


def _is(student, form, cells):
    """Is a hand-in this person's? By a name, a login, a number or an address, or as the service names its downloads."""
    plain = student.strip().lower()
    known = {value.strip().lower() for value in cells.values() if value and value.strip()}
    if form == "canvas":
        number = re.search(r"_(?:late_)?(\d+)_\d+", plain)
        return plain in known - {cells.get("Section", "").lower()} or (number and number[1] == cells["ID"].strip())
    address = cells["Email address"].strip().lower()
    name = f"{cells.get('First name', '')} {cells.get('Last name', '')}".strip().lower()
    named = re.match(r"(.+?)_\d+_assignsubmission", plain)
    return plain in {address, address.partition("@")[0], name, cells.get("ID number", "").lower()} - {""} or bool(
        named and named[1] == name
    )
