"""Solutions written blind: the wrong ones are caught in public and with every seed, most by name; the right ones pass.

As they came, of the third set 164 of 164 wrong ones were caught, 125 named and 4 explained with a sentence that misled,
and 27 of 27 right ones had full marks; of the fourth 521 of 531, 286, 25, and 24 of 27. What the tests hold is what was
made of that; of the fourth set they keep what taught most.
"""

from collections import Counter
from pathlib import Path

import pytest
from assignments import blind

from linclass.assignments import cell, checking
from linclass.assignments.topics import TOPICS

GUIDE = Path(__file__).parents[2] / "book" / "instructors.md"
RIGHT = [(blinded.name, path) for blinded in blind.SETS for path in blinded.right]
WRONG = [(blinded.name, wrong) for blinded in blind.SETS for wrong in blinded.wrong]

SENTENCES = ("error", "hint", "changed", "factor", "finite", "missing", "transposed", "truth", "change", "whole")
SENTENCES += ("mend", "fact")


@pytest.mark.parametrize("blinded", blind.SETS, ids=lambda blinded: blinded.name)
def test_the_set_is_as_large_as_it_is_said_to_be(blinded):
    wrong, right = Counter(w.topic for w in blinded.wrong), Counter(p.stem.split("_")[0] for p in blinded.right)
    assert set(wrong) == set(right) == set(TOPICS)
    assert min(wrong.values()) >= 10
    assert f"{wrong.total()} wrong solutions" in GUIDE.read_text()
    assert sum(w.said is not None for w in blinded.wrong) >= 0.85 * wrong.total()


def test_the_guide_says_how_many_are_explained_and_how_many_right_ones_there_are():
    others = list((Path(__file__).parent / "right").glob("*.py"))
    said = sum(wrong.said is not None for _, wrong in WRONG)
    assert f"{said} of the {len(WRONG)} are explained" in GUIDE.read_text()
    assert f"The {len(RIGHT) + len(others)} right ones" in GUIDE.read_text()


@pytest.mark.parametrize("path", [path for _, path in RIGHT], ids=[f"{name}: {path.stem}" for name, path in RIGHT])
def test_right_solutions_have_full_marks(path, seeds):
    for seed in seeds:
        topic = TOPICS[path.stem.split("_")[0]]
        result = checking.check_source(path.read_text(), topic, seed=seed, open_cell=cell.Here)
        assert result.complete, str(result)


@pytest.mark.parametrize("wrong", [w for _, w in WRONG], ids=[f"{n}: {w.function}: {w.mistake}" for n, w in WRONG])
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
