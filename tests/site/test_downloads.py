"""The way in without a repository: the zip on the site, and what the first cell of a notebook does."""

import importlib.util
import json
import subprocess
import sys
import zipfile

import pytest
from IPython.core.interactiveshell import InteractiveShell


@pytest.fixture
def unpacked(site, tmp_path):
    with zipfile.ZipFile(site / "downloads" / "linclass-notebooks.zip") as archive:
        archive.extractall(tmp_path)
    return tmp_path / "linclass-notebooks"


@pytest.fixture
def run_first_cell(monkeypatch):
    """Runs a notebook's first cell in a folder; the answer is what it would have given to pip."""
    shell, asked = InteractiveShell.instance(), []
    monkeypatch.setitem(shell.magics_manager.magics["line"], "pip", asked.append)

    def run(notebook, missing):
        if missing:
            monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        monkeypatch.chdir(notebook.parent)
        cell = json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]
        outcome = shell.run_cell("".join(cell["source"]))
        return asked, outcome.error_in_exec

    return run


def test_the_zip_holds_every_notebook_and_the_wheel_beside_them(unpacked, chapters):
    names = {path.name for path in unpacked.iterdir()}
    assert {f"{name}.ipynb" for name in chapters} <= names and "README.txt" in names
    assert len([name for name in names if name.endswith(".whl")]) == 1


def test_the_first_cell_installs_the_wheel(unpacked, chapters, run_first_cell, tmp_path):
    asked, error = run_first_cell(unpacked / f"{chapters[0]}.ipynb", missing=True)
    assert error is None and len(asked) == 1
    wheel = unpacked / asked[0].split('"')[1].removesuffix("[run]")
    target = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", target, wheel]
    subprocess.run(command, check=True)
    code = f"import sys; sys.path.insert(0, {str(target)!r}); import linclass.margins; print(linclass.margins.__file__)"
    said = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert said.stdout.startswith(str(target))


def test_the_first_cell_leaves_an_installed_package_alone(unpacked, chapters, run_first_cell):
    asked, error = run_first_cell(unpacked / f"{chapters[0]}.ipynb", missing=False)
    assert asked == [] and error is None


def test_a_notebook_alone_says_what_is_missing(unpacked, chapters, run_first_cell):
    next(unpacked.glob("*.whl")).unlink()
    asked, error = run_first_cell(unpacked / f"{chapters[0]}.ipynb", missing=True)
    assert asked == [] and isinstance(error, FileNotFoundError) and "linclass-notebooks.zip" in str(error)


def test_pages_lead_to_it(browser, address, chapters):
    page = browser.new_page()
    page.goto(f"{address}book/{chapters[0]}.html")
    for words, name in (("Download this notebook", f"{chapters[0]}.ipynb"), ("All notebooks and the package", ".zip")):
        with page.expect_download() as started:
            page.get_by_role("link", name=words).first.click()
        assert started.value.suggested_filename.endswith(name)
    page.close()
