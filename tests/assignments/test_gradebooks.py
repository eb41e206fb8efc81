"""Tables for Canvas and Moodle, against golden files in the services' own form. The services were not tried."""

from pathlib import Path

import pytest

from linclass.assignments.__main__ import main
from linclass.assignments.gradebook import fill

GOLDEN = Path(__file__).with_name("gradebooks")


@pytest.mark.parametrize(
    "form, column, without", [("canvas", "Losses (4711)", ["stranger"]), ("moodle", None, ["stranger"])]
)
def test_the_table_is_the_golden_one(form, column, without):
    text, missing = fill(form, GOLDEN / f"{form}-grades.csv", GOLDEN / f"{form}-roster.csv", column=column)
    assert text == (GOLDEN / f"{form}-import.csv").read_text()
    assert missing == without


def test_on_the_command_line(tmp_path, capsys):
    files = [str(GOLDEN / "moodle-grades.csv"), str(GOLDEN / "moodle-roster.csv")]
    assert main(["gradebook", "moodle", *files, "-o", str(tmp_path / "out.csv")]) == 1
    assert "not in the roster: stranger" in capsys.readouterr().err
    assert (tmp_path / "out.csv").read_text() == (GOLDEN / "moodle-import.csv").read_text()


def test_what_is_no_roster_and_what_is_not_one_topic_is_said(tmp_path):
    with pytest.raises(ValueError, match="roster must be Canvas's own export, with a column 'ID'"):
        (tmp_path / "r.csv").write_text("Student,Section\n")
        fill("canvas", GOLDEN / "canvas-grades.csv", tmp_path / "r.csv")
    both = (GOLDEN / "canvas-grades.csv").read_text() + "ada,margins,yes,9,16,,,,bubblewrap\n"
    (tmp_path / "g.csv").write_text(both)
    with pytest.raises(ValueError, match="topic must be one of losses, margins"):
        fill("canvas", tmp_path / "g.csv", GOLDEN / "canvas-roster.csv")
