"""Right solutions in other styles earn everything; wrong ones are caught, most of them by name."""

from pathlib import Path

import pytest

from linclass.assignments import checking
from linclass.assignments.topics import TOPICS

RIGHT = sorted(Path(__file__).with_name("right").glob("*.py"))


def topic_of(path):
    """The topic a file's name begins with."""
    return TOPICS[path.stem.partition("_")[0]]


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_right_solutions_in_other_styles_earn_full_marks(path, seeds, sandbox):
    for seed in seeds:
        result = checking.check_source(path.read_text(), topic_of(path), seed=seed, sandbox=sandbox)
        assert result.complete, str(result)


def test_there_is_a_right_solution_in_another_style_for_every_topic():
    assert {topic_of(path).name for path in RIGHT} == set(TOPICS)
    assert len(RIGHT) >= 10
