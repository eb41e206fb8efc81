"""The races are run fairly: gaps are checked on both sides, and a row under its must is a failure."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import families, harness

ROOT = Path(__file__).parents[1]


def fake_row(race, must=2.0, **more):
    return harness.Row("fake", "a case", "a peer", "no", must, 3.0, lambda: race, rounds=3, **more)


def race_of(ours, peers, costs):
    """Sides that answer with numbers, whose cost is given by the answer."""
    return harness.Race(
        ours=lambda: ours,
        peers=[lambda value=value: value for value in peers],
        objective=lambda value: value,
        cost=lambda side: costs[side()],
    )


def test_the_peer_runs_at_its_loosest_setting_that_reaches_the_gap():
    result = harness.run(fake_row(race_of(1.0, [1.1, 1.0 + 1e-7, 1.0], {1.0: 2.0, 1.1: 1.0, 1.0 + 1e-7: 5.0})))
    assert result["median"] == 2.5 and result["holds"] and result["gap peer"] == pytest.approx(1e-7)


def test_an_answer_off_the_optimum_is_no_answer():
    with pytest.raises(AssertionError, match="our own gap"):
        harness.run(fake_row(race_of(1.1, [1.0], {1.0: 1.0, 1.1: 1.0})))
    with pytest.raises(AssertionError, match="no setting of the peer"):
        harness.run(fake_row(race_of(1.0, [1.1], {1.0: 1.0, 1.1: 1.0})))


def test_a_row_under_its_must_fails_and_is_saved_and_shown(tmp_path, capsys):
    slow = fake_row(race_of(1.0, [1.0], {1.0: 1.0}), must=2.0)
    results, holds = harness.run_all([slow])
    assert not holds and "UNDER MUST" in capsys.readouterr().out
    harness.save(tmp_path / "bench.json", rows=results)
    saved = json.loads((tmp_path / "bench.json").read_text())["rows"]
    assert saved[0]["median"] == 1.0 and saved[0]["holds"] is False


@pytest.mark.parametrize(("ratios", "holds"), [((1.0, 2.0, 3.0), True), ((0.5, 2.0, 3.0), False), ((1.0, 1.0), False)])
def test_a_family_holds_by_its_median_and_its_worst(ratios, holds, monkeypatch, capsys):
    costs = iter(ratios)
    chosen = families.Family("fake", lambda rng: ("a draw", race_of(1.0, [1.0], {})), "a peer", 1.5, 0.9, len(ratios))
    monkeypatch.setattr(families, "FAMILIES", [chosen])
    monkeypatch.setattr(harness, "run", lambda row: {"median": next(costs)})
    result = families.run(chosen, 0)
    assert result["holds"] is holds and len(result["rows"]) == len(ratios)
    assert ("UNDER MUST" in capsys.readouterr().out) is not holds


def test_a_family_that_could_not_be_compared_does_not_hold(monkeypatch, capsys):
    def no_gap(row):
        raise AssertionError("the peer does not reach the gap")

    chosen = families.Family("fake", lambda rng: ("a draw", race_of(1.0, [1.0], {})), "a peer", 1.5, 0.9, 2)
    monkeypatch.setattr(families, "FAMILIES", [chosen])
    monkeypatch.setattr(harness, "run", no_gap)
    assert families.run(chosen, 0)["holds"] is False
    assert "NOT JUDGED" in capsys.readouterr().out


def test_a_seed_draws_the_same_shapes_again_and_another_seed_others():
    draw = next(one.draw for one in families.FAMILIES if "up to 100 rows" in one.name)
    words = [draw(np.random.default_rng(seed))[0] for seed in (1, 1, 2)]
    assert words[0] == words[1] != words[2]


@pytest.mark.long
def test_the_table_has_its_rows():
    out = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--list"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert len(out.splitlines()) >= 21 and "logistic-1e5x50" in out
