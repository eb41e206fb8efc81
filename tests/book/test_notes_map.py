"""The map of the notes is complete, and every link in it leads somewhere."""

import re
from pathlib import Path

import contents
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
MAP = yaml.safe_load((ROOT / "book" / "notes_map.yml").read_text(encoding="utf-8"))
OURS = {  # what the book adds to the notes: the map must not charge them with it
    "thm-novikoff",
    "eq-mistake-bound",
    "thm-separation-certificate",
    "thm-gap-weights",
    "thm-ln2-separates",
    "thm-no-perceptron-bound",
    "thm-kernel-psd",
    "thm-min-kernel-psd",
    "thm-shift-invariance",
    "thm-backtracking",
}
# What the notes contain, by id: margins, perceptron, losses, logistic regression, descent, SVM, kernels, classes,
# Newton, and the slips.
COUNTS = {"M": 11, "P": 7, "L": 9, "G": 13, "D": 11, "S": 6, "K": 9, "C": 5, "W": 3, "X": 26}


def test_a_row_for_every_claim():
    ids = [row["id"] for row in MAP["rows"]]
    assert sorted(ids) == sorted(f"{letter}{k}" for letter, count in COUNTS.items() for k in range(1, count + 1))


def test_every_section_of_every_note_is_mapped():
    for name, note in MAP["notes"].items():
        mapped = {section for row in MAP["rows"] for section in row["notes"].get(name, [])}
        assert mapped == set(note["sections"]), f"{name}: {mapped ^ set(note['sections'])}"


@pytest.mark.parametrize("row", MAP["rows"], ids=lambda row: row["id"])
def test_links_resolve(row):
    for target in row["in"]:
        path, _, label = target.partition("#")
        page = ROOT / "book" / path
        assert page.exists(), f"{row['id']} points to {path}, which is not there"
        assert not label or re.search(f'<a id="{label}">', contents.prose(page)), f"{row['id']}: no {label} in {path}"


@pytest.mark.parametrize("row", MAP["rows"], ids=lambda row: row["id"])
def test_a_row_leads_to_the_very_place_and_to_nothing_that_is_ours(row):
    labels = [target.partition("#")[2] for target in row["in"] if target != "notation.ipynb"]
    assert all(labels), f"{row['id']} leads to a whole page"
    assert not OURS & set(labels), f"{row['id']} charges the notes with what is ours"
