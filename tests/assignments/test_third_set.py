"""Solutions written blind: the wrong ones are caught in public and with every seed, most by name; the right ones pass.

As they came, 164 of 164 wrong ones were caught, 125 named and 4 explained with a sentence that misled, and 27 of 27
right ones had full marks. What the tests hold is what was made of that.
"""

from collections import Counter
from pathlib import Path

import pytest
from assignments import third_set

from linclass.assignments import cell, checking
from linclass.assignments.topics import TOPICS

GUIDE = Path(__file__).parents[2] / "book" / "instructors.md"


SENTENCES = ("error", "hint", "changed", "factor", "finite", "missing", "transposed", "truth", "change")


def test_the_set_is_as_large_as_it_is_said_to_be():
    wrong, right = Counter(w.topic for w in third_set.WRONG), Counter(p.stem.split("_")[0] for p in third_set.RIGHT)
    assert set(wrong) == set(right) <= set(TOPICS)
    assert min(wrong.values()) >= 10 and set(right.values()) == {3}
    assert f"{wrong.total()} wrong solutions" in GUIDE.read_text()
    assert sum(w.said is not None for w in third_set.WRONG) >= 0.85 * wrong.total()


@pytest.mark.parametrize("path", third_set.RIGHT, ids=lambda path: path.stem)
def test_right_solutions_have_full_marks(path, seeds):
    for seed in seeds:
        topic = TOPICS[path.stem.split("_")[0]]
        result = checking.check_source(path.read_text(), topic, seed=seed, open_cell=cell.Here)
        assert result.complete, str(result)


@pytest.mark.parametrize("wrong", third_set.WRONG, ids=lambda w: f"{w.function}: {w.mistake}")
def test_wrong_solutions_are_caught_and_the_mistake_is_said(wrong, seeds):
    for seed in seeds:
        only = [wrong.function]
        result = checking.check_source(wrong.source, TOPICS[wrong.topic], seed=seed, only=only, open_cell=cell.Here)
        (function,) = result.functions
        assert {c.hidden for c in function.checks if not c.passed} == {False, True}
        sentences = [sentence for label, sentence in function.findings if label in SENTENCES or "-" in label]
        assert wrong.said is None or any(wrong.said in sentence for sentence in sentences), function.findings
        named = [sentence for sentence in sentences if sentence.startswith("what one gets when")]
        assert wrong.said is not None or seed or not named, "a mistake is named that nobody has judged"
