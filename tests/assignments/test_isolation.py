"""What a submission tries costs its own points only, and no trick earns any."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from linclass.assignments import calls, checking, sandbox, wire
from linclass.assignments.topics import TOPICS

LOSSES = TOPICS["losses"]

# Each is a body for hinge_loss; beside it stands an honest zero_one_loss.
CHEATS = {
    "redefines numpy": """
        np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
        np.abs = lambda *a: np.zeros(1)
        return np.zeros(3)""",
    "patches the checker": """
        import sys
        for name, module in list(sys.modules.items()):
            if "linclass" in name or name in ("__main__", "json"):
                for attribute in ("gaps", "close", "check_source", "pack", "unpack", "dumps"):
                    if hasattr(module, attribute):
                        setattr(module, attribute, lambda *a, **k: [])
        return 0.0""",
    "exits with success": """
        import os
        os._exit(0)""",
    "raises SystemExit": """
        raise SystemExit(0)""",
    "prints a fake score": """
        print('{"earned": 18, "points": 18}')
        import sys, os
        sys.__stdout__.write("18 of 18 points") if sys.__stdout__ else None
        os.write(1, b"18 of 18 points")
        return None""",
    "writes to the channel": """
        import os
        for fd in range(3, 256):
            try:
                os.write(fd, b"\\x00\\x00\\x00\\x04\\x00\\x00\\x00\\x00true" * 3)
            except OSError:
                pass
        return None""",
    "reads the parent": """
        import os, gc
        text = open(f"/proc/{os.getppid()}/environ", "rb").read()
        return np.frombuffer(open(f"/proc/{os.getppid()}/mem", "rb").read(24))""",
    "reads the reference": """
        import importlib.util, glob, sys
        import os
        place = PACKAGE
        text = open(os.path.join(place, "losses.py")).read()
        space = {}
        exec(text, space)
        return space["hinge_loss"](z)""",
    "imports the reference": """
        import importlib
        return importlib.import_module("linclass.losses").hinge_loss(z)""",
    "spawns a process": """
        import subprocess, sys
        code = "from linclass.losses import hinge_loss; print(hinge_loss(0.5))"
        return np.array([float(subprocess.check_output([sys.executable, "-c", code]))])""",
    "forks": """
        import os
        while True:
            os.fork()""",
    "writes outside its folder": """
        open(TARGET, "w").write("x")
        return np.maximum(0, 1 - z)""",
    "forges equality": """
        class Always(float):
            def __eq__(self, other): return True
            def __le__(self, other): return True
            def __sub__(self, other): return 0.0
            def __array__(self, *a, **k): return np.zeros(1)
        return Always(3)""",
    "returns a strange object": """
        class Yes:
            def __eq__(self, other): return True
            def __getattr__(self, name): return self
        return Yes()""",
    "kills the keeper": """
        import os
        os.kill(os.getppid(), 9)
        return 0.0""",
    "takes the hook apart": """
        import gc, types
        for f in gc.get_objects():
            if isinstance(f, types.FunctionType) and f.__name__ == "hook":
                f.__code__ = (lambda event, args: None).__code__
        import subprocess
        return np.array([float(subprocess.check_output(["echo", "1"]))])""",
    "uses much memory": """
        return np.ones((1 << 20, 1 << 14))""",
}  # fmt: skip


def submission(body, **names):
    lines = "\n".join(f"{k} = {v!r}" for k, v in names.items())
    body = "\n".join(line[4:] for line in body.strip("\n").splitlines())
    honest = "def zero_one_loss(z):\n    return (z <= 0) * 1.0"
    return f"import numpy as np\n{lines}\n\n{honest}\n\ndef hinge_loss(z):\n{body}\n"


@pytest.mark.parametrize("name", CHEATS)
def test_cheats_earn_nothing_and_cost_nobody_else(name, tmp_path):
    target = tmp_path / "outside.txt"
    source = submission(CHEATS[name], TARGET=str(target), PACKAGE=str(Path(checking.__file__).parents[1]))
    result = checking.check_source(source, LOSSES, seed=5, only=["zero_one_loss", "hinge_loss"])
    honest, cheat = result.functions
    assert cheat.earned == 0, str(result)
    assert not any(check.passed for check in cheat.checks)
    assert honest.earned == honest.task.points
    assert not target.exists()
    assert not result.complete


def test_a_function_that_hangs_is_stopped_and_costs_its_own_points():
    source = submission("        while True: pass")
    with sandbox.Sandbox(seconds=1) as impatient:
        result = checking.check_source(source, LOSSES, only=["hinge_loss", "zero_one_loss"], sandbox=impatient)
    by_name = {f.task.function: f for f in result.functions}
    assert by_name["zero_one_loss"].earned == 1
    assert by_name["hinge_loss"].earned == 0
    assert "stopped" in by_name["hinge_loss"].findings[0][1]


def test_a_function_that_sleeps_is_stopped():
    began = time.monotonic()
    answers, _, ending = sandbox.run("import time\ndef f():\n    time.sleep(60)\n", "f", [_call()], wall=1)
    assert answers == [] and "stopped" in ending and time.monotonic() - began < 10


def _call(*args):
    return calls.Call(tuple(args))


def test_what_a_file_does_while_loading_costs_the_file_only():
    for source in ("import os; os._exit(0)\ndef hinge_loss(z): return z", "1 / 0\ndef hinge_loss(z): return z"):
        assert checking.check_source(source, LOSSES, only=["hinge_loss"]).earned == 0
    assert "not Python" in checking.check_source("def f(:", LOSSES).trouble


def test_the_other_side_knows_no_expected_values_and_no_seed():
    """Everything reachable from a submission's process, searched for the seed and for the answer to a call."""
    source = """
import gc, os, sys
def hinge_loss(z):
    texts = [str(o) for o in gc.get_objects() if isinstance(o, (dict, list, tuple)) and len(o) < 50]
    texts += [repr(os.environ), repr(sys.argv)]
    return float(any("-".join(["very", "secret"]) in t for t in texts))
"""
    result = checking.check_source(source, LOSSES, seed="very-secret", only=["hinge_loss"])
    came = [
        run.answer.value
        for check in result.functions[0].checks
        for run in check.runs
        if run.answer and not run.answer.error
    ]
    assert came and not any(came)


def test_messages_survive_the_trip_and_nothing_else_does():
    tree = {"a": np.arange(6.0).reshape(2, 3), "b": [1, 2.5, True, None, "x"], "c": (np.float32(1.5), np.inf)}
    back = wire.unpack(wire.pack(tree))
    assert np.array_equal(back["a"], tree["a"]) and back["b"] == tree["b"] and back["c"] == (1.5, np.inf)
    assert isinstance(wire.unpack(wire.pack({"o": object()}))["o"], wire.Other)
    assert isinstance(wire.unpack(wire.pack({"o": np.array([object()])}))["o"], wire.Other)


def test_the_keeper_needs_no_linclass():
    """It is handed over as text: what a container without the package runs."""
    code = sandbox.far_side()
    assert "import linclass" not in code.replace("from linclass import losses", "")
    with sandbox.Sandbox([sys.executable]) as keeper:
        assert keeper.run("def f(x):\n    return x + 1\n", "f", [_call(1.0)])[0][0].value == 2.0


def test_it_says_so_by_its_exit_code(tmp_path):
    file = tmp_path / "losses.py"
    file.write_text("def hinge_loss(z):\n    print('18 of 18 points')\n    return 0\n")
    command = [sys.executable, "-m", "linclass.assignments", "check", str(file)]
    run = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
    assert run.returncode == 1 and run.stdout.startswith("Losses of the margin: 0 of 18 points")
    assert subprocess.run([*command[:-1], "--reference", "margins"], capture_output=True).returncode == 0
    assert subprocess.run([*command[:-1], str(tmp_path / "none.py")], capture_output=True).returncode == 2
