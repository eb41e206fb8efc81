"""The README keeps its word: its example prints what it says, its commands and its files exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_example_prints_what_the_readme_says():
    (code,), (printed,) = blocks("python"), blocks("text")
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert run.stdout == printed


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_make_target_exists(page):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+(?:-[a-z]+)*)", "\n".join(re.findall(r"`[^`]*`", text(page)))))
    assert named and named <= targets, f"{page} names make {', '.join(sorted(named - targets))}"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"])
def test_every_file_exists(page):
    linked = re.findall(r"\]\((?!http|#)([^)#]+)", text(page))
    named = re.findall(r"(?<![\w/.-])((?:linclass|book|tests|benchmarks)/[\w/.-]+\.\w+)", text(page))
    missing = [name for name in linked + named if not any((folder / name).exists() for folder in (ROOT, ROOT / "book"))]
    missing = {name for name in missing if "NAME" not in name.upper()}  # a name yet to be given
    assert not missing, f"{page} names files that are not there"


def text(page):
    return (ROOT / page).read_text("utf-8")
