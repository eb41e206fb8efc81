"""Every catalogued mistake, applied to the reference, is caught, and nearly every one is called by its name."""

from collections import Counter
from pathlib import Path

import pytest

from linclass.assignments import checking, mistakes
from linclass.assignments.topics import TOPICS

# As many as the list of typical mistakes began with; the catalogue goes on from there.
LISTED = {
    "margin": 6,
    "loss": 12,
    "perceptron": 8,
    "logistic": 10,
    "descent": 10,
    "svm": 9,
    "kernel": 10,
    "softmax": 10,
    "newton": 9,
}
GUIDE = Path(__file__).parents[2] / "book" / "instructors.md"


def outcome(mistake, seed, in_process):
    """(caught by a public check, caught by a hidden one, the names given) of one mistake with one seed."""
    source = f"def {mistake.function}(): return 1"
    result = checking.check_source(
        source, TOPICS[mistake.topic], seed=seed, only=[mistake.function], open_cell=in_process(mistakes.load(mistake))
    ).functions[0]
    failed = [check for check in result.checks if not check.passed]
    names = "; ".join(sorted({check.name for check in failed}))
    return any(not c.hidden for c in failed), any(c.hidden for c in failed), result.mistakes, names


@pytest.fixture(scope="module")
def table(seeds, in_process):
    """{mistake: outcomes over the seeds}."""
    return {m.name: [outcome(m, seed, in_process) for seed in seeds] for m in mistakes.CATALOGUE}


def test_the_list_is_covered():
    names = {m.name for m in mistakes.CATALOGUE}
    assert len(names) == len(mistakes.CATALOGUE)
    assert names >= {f"{topic}-{k}" for topic, count in LISTED.items() for k in range(1, count + 1)}
    without = set(TOPICS) - {m.topic for m in mistakes.CATALOGUE}
    assert not without, "mistakes.CATALOGUE has no mistake of these topics"


@pytest.mark.parametrize("mistake", mistakes.CATALOGUE, ids=lambda m: m.name)
def test_the_text_to_change_is_there_and_belongs_to_a_task(mistake):
    assert mistakes.mutated_text(mistake)
    task = TOPICS[mistake.topic].task(mistake.function)
    assert task is not None and task.module == mistake.module


def test_every_mistake_is_caught_with_every_seed(table):
    missed = {name: runs for name, runs in table.items() if not all(public or hidden for public, hidden, _, _ in runs)}
    assert not missed


def test_nearly_every_mistake_is_caught_in_public_and_called_by_its_name(table):
    public = [name for name, runs in table.items() if all(run[0] for run in runs)]
    named = [name for name, runs in table.items() if all(name in run[2] for run in runs)]
    alone = [name for name, runs in table.items() if all(run[2] == [name] for run in runs)]
    print(f"\n{len(table)} mistakes: {len(public)} seen in public, {len(named)} named, {len(alone)} by one name only")
    for name, runs in table.items():
        print(f"{name:14} {runs[0][3]:60} {'named' if name in named else '-'}")
    assert len(public) >= 0.9 * len(table)
    assert len(named) >= 0.9 * len(table)


def test_the_guide_shows_who_caught_what(table):
    """The instructors' page has a row for each topic with these counts."""
    text = GUIDE.read_text()
    counts = Counter(mistake.topic for mistake in mistakes.CATALOGUE)
    for topic, count in counts.items():
        of_topic = [table[m.name] for m in mistakes.CATALOGUE if m.topic == topic]
        public = sum(all(run[0] for run in runs) for runs in of_topic)
        named = sum(all(m in run[2] for run in runs) for m, runs in table.items() if mistake_topic(m) == topic)
        row = f"| {topic} | {count} | {public} | {named} |"
        assert row in text, f"book/instructors.md lacks the row {row}"


def mistake_topic(name):
    """The topic of a mistake's name."""
    return next(m.topic for m in mistakes.CATALOGUE if m.name == name)
