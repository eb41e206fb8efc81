"""What is behind the wall and what is not; and what is said where there is none."""

import io
import os
import stat
import sys
from pathlib import Path

import pytest

from linclass.assignments import cell, grade, wall

RIGHT = (Path(__file__).with_name("right") / "losses.py").read_text()
PACKAGE = Path(wall.__file__).parents[1]


def ask(body, found, *args):
    """What a function with this body answers in a cell, past the courtesy hook."""
    source = f"import os, sys\nimport numpy as np\ndef f(*args):\n    {body}\n"
    with cell.Cell(source, walls=found, seconds=50, total=50) as one:
        (answer,) = one.run("f", [cell.Call(args)]).answers
    return answer.value if answer.error is None else answer.error["kind"]


def test_ci_has_a_wall():
    """Where a missing wall would go unnoticed, it is a failure."""
    if not os.environ.get("CI"):
        pytest.skip("not in CI")
    assert wall.find().stands, wall.find().why


def test_the_disk_behind_it_has_neither_the_package_nor_a_home(bubblewrap):
    seen = ask("return [os.path.exists(p) for p in args]", bubblewrap, str(PACKAGE), str(Path.home()), os.getcwd())
    places = [str(PACKAGE), str(Path.home()), os.getcwd()]
    for place, there in zip(places, seen, strict=True):
        names = ask("return [sorted(os.listdir(args[0])), 0][0]", bubblewrap, place) if there else []
        assert names == "FileNotFoundError" or not {"losses.py", "linclass", "pyproject.toml"} & set(names), place
    tops = "[p for p in os.listdir('/') if p not in ('proc', 'usr')] + ['usr/lib', 'usr/local']"
    found = f"[os.path.join(d, n) for p in {tops} for d, _, names in os.walk('/' + p) for n in names]"
    assert ask(f"return [n for n in {found} if n.endswith(('losses.py', 'cases.py', 'grades.csv'))]", bubblewrap) == []


def test_nothing_behind_it_can_be_written_but_a_small_folder(bubblewrap):
    tried = "return [os.access(p, os.W_OK) for p in ('/', '/usr', '/dev', '/etc', '/tmp')]"
    assert ask(tried, bubblewrap) == [False, False, False, False, True]
    fill = "return sum(open(f'/tmp/f{k}', 'wb').write(b'x' * 1000000) for k in range(100))"
    assert ask(fill, bubblewrap) in ("OSError", "PermissionError")


def test_behind_it_there_are_only_its_own_processes(bubblewrap):
    count = ask("return len([p for p in os.listdir('/proc') if p.isdigit()])", bubblewrap)
    assert count <= 4


def test_the_filter_stops_processes_and_sockets_without_a_wall_too():
    if not sys.platform.startswith("linux"):
        pytest.skip("the filter of system calls is Linux's")
    body = (
        "import ctypes; c = ctypes.CDLL(None, use_errno=True); "
        "return [c.fork(), c.socket(2, 1, 0), c.kill(os.getppid(), 0), c.shmget(0, 4096, 0o600)]"
    )
    source = f"import os\ndef f():\n    {body}\n"
    with cell.Cell(source, walls=wall.none("a test")) as one:
        (answer,) = one.run("f", [cell.Call(())]).answers
    assert (answer.error or {}).get("kind") == "PermissionError" or answer.value == [-1, -1, -1, -1]


def test_the_filters_program_is_well_formed():
    from linclass.assignments import manners

    for machine in manners.FORBIDDEN:
        program = manners.filter_program(machine)
        assert len(program) % 8 == 0 and len(program) // 8 < 4096


def test_folders_where_the_systems_libraries_lie_are_covered(bubblewrap):
    command = wall.bubblewrap(["/usr/share"]).command
    place = command.index("/usr/share")
    assert command[place - 1] == "--tmpfs" and "--remount-ro" in command[place:]
    assert ask("return os.listdir('/usr/share')", wall.bubblewrap(["/usr/share"])) == []


def test_without_a_wall_it_is_said_and_can_be_refused(tmp_path, monkeypatch):
    (tmp_path / "in" / "ann").mkdir(parents=True)
    (tmp_path / "in" / "ann" / "losses.py").write_text(RIGHT)
    monkeypatch.setattr(wall.shutil, "which", lambda name: None)
    with pytest.raises(ValueError, match="a wall is required, and there is none: bubblewrap is not installed"):
        grade.grade_folder(tmp_path / "in", tmp_path / "g.csv", require_wall=True, stream=io.StringIO())
    assert not (tmp_path / "g.csv").exists()
    said = io.StringIO()
    assert grade.grade_folder(tmp_path / "in", tmp_path / "g.csv", stream=said) == 0
    assert "WITHOUT A WALL (bubblewrap is not installed)" in said.getvalue()
    assert "WITHOUT A WALL" in (tmp_path / "g-reports" / "ann-losses.html").read_text()
    assert "WITHOUT A WALL" in (tmp_path / "g-reports" / "summary.txt").read_text()
    assert (tmp_path / "g.csv").read_text().splitlines()[1].endswith(",none")


def test_a_wall_that_is_installed_but_does_not_stand_gives_its_reason(tmp_path, monkeypatch):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: no permission to make a namespace' >&2\nexit 1\n")
    fake.chmod(fake.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    wall._options.cache_clear()
    wall._fault.cache_clear()
    try:
        assert "no permission to make a namespace" in wall.find().why
    finally:
        wall._options.cache_clear()
        wall._fault.cache_clear()


STAND_IN = """#!/bin/sh
echo "$*" | head -c 300 >> "{log}"
while [ "$1" != python3 ]; do shift; done
shift
exec "{python}" "$@"
"""


@pytest.fixture
def stand_in(tmp_path):
    """A command that takes docker's arguments and starts Python here."""
    script, log = tmp_path / "docker", tmp_path / "log"
    script.write_text(STAND_IN.format(log=log, python=sys.executable))
    script.chmod(0o755)
    return f"{script} run -i --rm --network none --read-only IMAGE python3", log


def test_a_container_gets_a_program_and_nothing_secret(stand_in, tmp_path):
    runner, log = stand_in
    for name in ("ann", "bob"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "losses.py").write_text(RIGHT)
    said = io.StringIO()
    assert grade.grade_folder(tmp_path / "in", tmp_path / "g.csv", runner=runner, seed="words", stream=said) == 0
    assert "in the container of --runner" in said.getvalue()
    assert [row.split(",")[3] for row in (tmp_path / "g.csv").read_text().splitlines()[1:]] == ["18.0", "18.0"]
    lines = log.read_text()
    assert lines.count("run -i --rm --network none --read-only IMAGE python3 -I -c import sys") == 3
    assert "words" not in lines and str(tmp_path / "in") not in lines
