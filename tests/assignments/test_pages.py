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


@pytest.mark.parametrize("topic", TOPICS.values(), ids=TOPICS)
def test_the_rubrics_add_up_to_the_points_of_the_written_questions(topic):
    text = (BOOK / "assignments" / f"{topic.name}.md").read_text()
    questions = re.findall(r"^\*\*\d\. [^*]+\*\* \((\d+) points\)(.*?)</details>", text, flags=re.MULTILINE | re.DOTALL)
    assert len(questions) == 2
    for points, rest in questions:
        assert sum(map(int, re.findall(r"^- (\d) points?:", rest, flags=re.MULTILINE))) == int(points)
    total = sum(int(points) for points, _ in questions)
    assert f"{total} for the written questions" in text
    row = f"| {len(topic.tasks)} | {topic.points} | {total} |"
    assert row in (BOOK / "assignments" / "index.md").read_text(), f"book/assignments/index.md lacks the row … {row}"


def test_the_students_page_shows_what_check_prints():
    source = "import numpy as np\ndef hinge_loss(z): return np.maximum(0, -z)"
    said = check_source(source, TOPICS["losses"], only=["hinge_loss"])
    assert f"```\n{said}\n```" in (BOOK / "students.md").read_text()
