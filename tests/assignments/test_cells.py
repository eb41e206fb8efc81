"""A cell takes one message for each it is sent, of a bounded size, in bounded time; and it keeps no secrets."""

import os
import time

import numpy as np
import pytest

from linclass.assignments import cell, checking, wall, wire
from linclass.assignments.topics import TOPICS

LOSSES = TOPICS["losses"]


def run(source, calls, function="f", **options):
    """The outcome of a function in a cell of its own."""
    with cell.Cell(source, **options) as one:
        return one.run(function, calls)


def test_a_function_that_hangs_costs_its_own_points():
    source = "def hinge_loss(z):\n    while True: pass\n\ndef zero_one_loss(z):\n    return (z <= 0) * 1.0\n"
    result = checking.check_source(
        source,
        LOSSES,
        only=["hinge_loss", "zero_one_loss"],
        open_cell=lambda text, name: cell.Cell(text, name, seconds=1),
    )
    by_name = {f.task.function: f for f in result.functions}
    assert by_name["zero_one_loss"].earned == 1 and by_name["hinge_loss"].earned == 0
    assert "it was stopped: more than 1 second" in by_name["hinge_loss"].findings[0][1]


def test_a_function_that_sleeps_is_stopped_and_the_file_has_a_limit_too():
    began = time.monotonic()
    with cell.Cell("import time\ndef f():\n    time.sleep(60)\n", seconds=1, total=2.5) as one:
        endings = [one.run("f", [cell.Call(())]).ending for _ in range(4)]
    assert "stopped" in endings[0] and "stopped" in endings[1]
    assert "used up its" in endings[3] and time.monotonic() - began < 20


@pytest.mark.parametrize("walled", [True, False])
def test_a_process_for_each_submission_ends_with_it(walled, request):
    found = request.getfixturevalue("bubblewrap") if walled else wall.none("a test")
    with cell.Cell("import os\ndef f():\n    return os.getpid()\n", walls=found) as one:
        assert one.run("f", [cell.Call(())]).answers[0].value > 0
        process, folder = one.process, one.folder
    assert process.returncode is not None and (folder is None or not os.path.exists(folder))


def test_the_command_line_and_the_environment_of_a_cell_hold_no_seed(monkeypatch):
    monkeypatch.setenv("LINCLASS_SEED", "very-secret")
    source = "import os, sys\ndef f():\n    return repr(os.environ) + repr(sys.orig_argv)\n"
    said = run(source, [cell.Call(())]).answers[0].value
    assert "OPENBLAS" in said and "very-secret" not in said


def test_what_is_asked_for_is_bounded_before_it_is_made():
    source = "import numpy as np\ndef f(g, n):\n    return g(np.ones(n))\n"
    made = []
    few, many = run(source, [cell.Call((lambda x: made.append(x.size) or x.sum(), n)) for n in (10, 5000)]).answers
    assert few.value == 10.0 and "at most 1000 numbers" in many.error["text"] and made == [10]
    outcome = run("def f(g):\n    while True: g(1.0)\n", [cell.Call((abs,))])
    assert "more than 10,000 times" in outcome.ending or "stopped" in outcome.ending
    for strange in ("'a' * 99", "{1: 2}", "[[1], [2, 3]]", "f", "10 ** 30", "True"):
        answer = run(f"def f(g):\n    return g({strange})\n", [cell.Call((lambda x: x,))]).answers[0]
        assert answer.error, strange


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"1234567",
        wire.SIZES.pack(4, 0) + b"true" + b"x",
        wire.SIZES.pack(9000, 0) + b"[" * 9000,
        wire.SIZES.pack(2, 0) + b"{}",
        wire.SIZES.pack(2, 0) + b"[]",
        wire.SIZES.pack(20, 0) + b'{"dict": [[1, 2, 3]]}'[:20],
        wire.pack({"x": 1}).replace(b"1", b"9" * 1),
    ],
)
def test_what_is_no_message_is_refused(payload):
    try:
        value = wire.unpack(payload)
    except ValueError:
        return
    assert isinstance(value, dict)


@pytest.mark.parametrize(
    "body",
    ['["f8", [1000000], 8]', '["O", [1], 8]', '["f8", [-1], 8]', '["f8", [true], 8]', '["f8", 1, 8]', '["V8", [1], 8]'],
)
def test_an_array_that_lies_about_itself_is_refused(body):
    text = f'{{"array": {body}}}'.encode()
    with pytest.raises(ValueError):
        wire.unpack(wire.SIZES.pack(len(text), 8) + text + b"x" * 8)


def test_messages_survive_the_trip_and_nothing_else_does():
    tree = {"a": np.arange(6.0).reshape(2, 3), "b": [1, 2.5, True, None, "x"], "c": (np.float32(1.5), np.inf)}
    back = wire.unpack(wire.pack(tree))
    assert np.array_equal(back["a"], tree["a"]) and back["b"] == tree["b"] and back["c"] == (1.5, np.inf)
    big_endian = np.arange(3.0).astype(">f8")
    assert np.array_equal(wire.unpack(wire.pack(big_endian)), big_endian)
    assert wire.unpack(wire.pack(np.float64(2.0))) == 2.0 and wire.unpack(wire.pack(np.zeros(()))).shape == ()
    for strange in (object(), np.array([object()]), 10**30):
        assert isinstance(wire.unpack(wire.pack({"o": strange}))["o"], wire.Other)
    assert wire.unpack(wire.pack("a\x1b[2J\ud800b")) == "a\ufffd[2J?b"


def test_a_write_that_nobody_reads_ends_in_time():
    read, write = os.pipe()
    os.set_blocking(write, False)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        wire.write_all(write, b"x" * (1 << 22), time.monotonic() + 0.2)
    with pytest.raises(TimeoutError):
        wire.read_exactly(read, 1 << 23, time.monotonic() + 0.2)
    assert time.monotonic() - began < 5
    os.close(read)
    os.close(write)


def test_the_far_side_needs_no_linclass():
    """It is handed over as text: what a container without the package runs."""
    assert "linclass" not in "".join(line for line in cell.far_side().splitlines() if "import" in line[:12])
    assert run("def f(x):\n    return x + 1\n", [cell.Call((1.0,))]).answers[0].value == 2.0


def test_in_a_page_the_interpreter_itself_is_the_cell():
    source = "import numpy as np\ndef hinge_loss(z):\n    print('here')\n    return np.maximum(0, 1 - z)\n"
    result = checking.check_source(source, LOSSES, only=["hinge_loss"], open_cell=cell.Here)
    assert result.complete and result.functions[0].printed.startswith("here")
    assert checking.check_source("1 / 0\ndef hinge_loss(z): return z", LOSSES, open_cell=cell.Here).trouble
