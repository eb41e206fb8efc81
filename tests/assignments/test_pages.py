"""The pages of the book say what the table says."""

import re
from pathlib import Path

import pytest

from linclass.assignments import starter
from linclass.assignments.checking import check_source
from linclass.assignments.topics import TOPICS

BOOK = Path(__file__).parents[2] / "book"


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_the_page_lists_the_tasks_with_their_points(topic):
    page = BOOK / "assignments" / f"{topic.name}.md"
    assert page.exists(), f"{topic.name} has no page book/assignments/{page.name}"
    text = page.read_text()
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (\d+) \|$", text, flags=re.MULTILINE)
    assert rows == [(task.function, task.module, str(task.points)) for task in topic.tasks]
    assert f"{topic.points} points for code" in text
    assert all(f"`{result}`" in text for result in starter.objects(topic))
    assert all((f"ten times that for `{task.function}`" in text) == (task.gap == 1e-4) for task in topic.tasks)
    assert f"(../{topic.chapter}.ipynb)" in text and (BOOK / f"{topic.chapter}.ipynb").exists()


def rubrics_of(topic):
    """[(the question's heading, the lines of its rubric)] on the page of rubrics."""
    part = (BOOK / "rubrics.md").read_text().partition(f"(assignments/{topic.name}.md)")[2].partition("\n## ")[0]
    return re.findall(r"^(\*\*\d\. [^*]+\*\* \(\d+ points\)\.)\n\n((?:- .+\n)+)", part + "\n", flags=re.MULTILINE)


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_no_student_gets_a_rubric(topic, tmp_path):
    """Neither the assignment's page nor a file that is handed out has a line of a rubric, or a link to them."""
    lines = [line.split(": ", 1)[1] for _, rubric in rubrics_of(topic) for line in rubric.splitlines()]
    assert len(lines) >= 4, f"book/rubrics.md has no rubrics for {topic.name}"
    handed_out = [BOOK / "assignments" / f"{topic.name}.md", BOOK / "students.md", BOOK / "assignments" / "index.md"]
    handed_out += starter.write_starter(topic, tmp_path)
    for path in handed_out:
        text = path.read_text()
        assert "rubric" not in text.lower(), path.name
        assert not [line for line in lines if line in text], path.name


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_the_rubrics_add_up_to_the_points_of_the_written_questions(topic):
    text = (BOOK / "assignments" / f"{topic.name}.md").read_text()
    questions = re.findall(r"^(\*\*\d\. [^*]+\*\* \((\d+) points\)\.)", text, flags=re.MULTILINE)
    rubrics = rubrics_of(topic)
    assert len(questions) == 2 and [head for head, _ in questions] == [head for head, _ in rubrics]
    for (_, points), (_, lines) in zip(questions, rubrics, strict=True):
        assert sum(map(int, re.findall(r"^- (\d) points?:", lines, flags=re.MULTILINE))) == int(points)
    total = sum(int(points) for _, points in questions)
    assert f"{total} for the written questions" in text
    row = f"| {len(topic.tasks)} | {topic.points} | {total} |"
    assert row in (BOOK / "assignments" / "index.md").read_text(), f"book/assignments/index.md lacks the row … {row}"


def test_the_students_page_shows_what_check_prints():
    source = "import numpy as np\ndef hinge_loss(z): return np.maximum(0, -z)"
    said = check_source(source, TOPICS["losses"], only=["hinge_loss"])
    assert f"```\n{said}\n```" in (BOOK / "students.md").read_text()
