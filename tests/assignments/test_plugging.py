"""A student's functions compute everywhere in the package, where written, and leave no trace when taken out again."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import linclass
from linclass import _plug, descent, kernels, logistic, losses, margins, newton, perceptron, representer, risk
from linclass.assignments import checking, plugging
from linclass.assignments.topics import TOPICS
from linclass.show import show

RIGHT = Path(__file__).with_name("right")
BOOK = Path(__file__).parents[2] / "book"


@pytest.fixture(autouse=True)
def unplug():
    """Whatever a test plugs in is out again after it."""
    yield
    linclass.use(None)


def plug(tmp_path, name, text):
    """Plug in one file with this text."""
    (tmp_path / f"{name}.py").write_text("import numpy as np\n" + text)
    return linclass.use(tmp_path)


def test_a_replaced_function_is_replaced_everywhere(tmp_path):
    original = losses.hinge_loss
    said = plug(tmp_path, "losses", "def hinge_loss(z):\n    return z * 0 + 42.0\n\ndef squared_loss(z):\n    ...\n")
    assert losses.HINGE.value(3.0) == 42.0
    assert losses.on_scores(losses.HINGE).value(1.0, -1.0) == 42.0
    assert risk.risk(np.ones(1), 0.0, np.ones((2, 1)), np.array([1.0, -1.0]), losses.HINGE) == 42.0
    assert losses.squared_loss(3.0) == 4.0  # not written there, so the package's
    assert list(said) == ["losses.hinge_loss"] and "hinge_loss" in repr(said)
    assert repr(linclass.use()) == repr(said)
    linclass.use(None)
    assert losses.hinge_loss is original and not _plug.replaced and "nothing" in repr(linclass.use())


def test_learners_take_their_plain_path_through_it(tmp_path):
    X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([-1.0, 1.0, -1.0, 1.0])
    flat = "def risk_grad(theta, theta_0, X, y, loss, lam=0.0):\n    return np.zeros_like(theta), 0.0\n"
    plug(tmp_path, "logistic", flat)
    assert np.array_equal(logistic.fit_logistic(X, y, lam=1.0).model.theta, [0.0])  # no gradient, no step
    plug(tmp_path, "descent", "def sgd_step(theta, theta_0, X, y, loss, lam, eta):\n    return theta + 1.0, theta_0\n")
    fit = descent.fit_sgd(X, y, losses.HINGE, eta=0.1, epochs=1, keep="last", rng=np.random.default_rng(0))
    assert fit.model.theta == [4.0]
    plug(tmp_path, "perceptron", "def perceptron_step(theta, theta_0, x, y):\n    return theta, theta_0\n")
    assert perceptron.fit_perceptron(X, y, max_epochs=3).model.theta == [0.0]


def test_lists_serve_as_arrays(tmp_path):
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [3.0, 3.0]]), np.array([-1.0, -1.0, 1.0])
    before = perceptron.fit_perceptron(X, y)
    walk = """
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = [0.0] * X.shape[1], 0.0, []
    while len(history) < max_epochs and 0 not in history[-1:]:
        history.append(0)
        for x, label in zip(X, y):
            if label * (np.dot(theta, x) + theta_0) <= 0:
                theta = [a + label * b for a, b in zip(theta, x)]
                theta_0 += label
                history[-1] += 1
    return [theta, theta_0, history]
"""
    plug(tmp_path, "margins", "def scores(theta, theta_0, X):\n    return X.dot(theta.T) + theta_0\n")
    assert np.array_equal(margins.scores([1.0, 2.0], 0.5, [[1.0, 1.0]]), [3.5])
    plug(tmp_path, "perceptron", walk)
    after = perceptron.fit_perceptron(X, y)
    assert np.array_equal(after.model.theta, before.model.theta) and after.message == before.message
    assert np.array_equal(after.history, before.history) and after.history.dtype == before.history.dtype
    text = "from linclass.fit import Minimum\ndef newton(*a, **k):\n    return Minimum([1], 2, np.True_, 0, [3], 'm')\n"
    plug(tmp_path, "newton", text)
    found = newton.newton(None, None, None, [0.0])
    assert found.point.dtype == float and found.history.tolist() == [3.0] and found.converged is True


def test_a_kernel_risk_of_scores_serves_losses_of_the_margin(tmp_path):
    X, y = np.array([[0.0], [1.0], [3.0]]), np.array([-1.0, 1.0, -1.0])
    before = representer.fit_kernel_logistic(X, y, kernels.linear_kernel, lam=0.1).model.scores(X)
    text = """
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    return np.mean(loss.value(K @ alpha + theta_0, y)) + lam / 2 * alpha @ K @ alpha
"""
    plug(tmp_path, "kernels", text)
    after = representer.fit_kernel_logistic(X, y, kernels.linear_kernel, lam=0.1).model.scores(X)
    assert np.allclose(after, before, atol=1e-5)
    assert representer.kernel_risk(np.zeros(3), X @ X.T, y, losses.HINGE, 0.1) == 1.0


def test_more_columns_than_rows_take_no_longer_for_it():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(10, 3000)), np.repeat([-1.0, 1.0], 5)
    before = logistic.fit_logistic(X, y, lam=0.1)
    linclass.use(RIGHT / "newton.py")
    after = logistic.fit_logistic(X, y, lam=0.1)
    assert np.allclose(after.model.theta, before.model.theta) and after.converged


def test_a_share_is_printed_as_such(tmp_path):
    text = "def zero_one_error(theta, theta_0, X, y):\n    return 1 - np.mean(y * (X @ theta + theta_0) > 0)\n"
    plug(tmp_path, "margins", text)
    X = np.ones((20, 1))
    assert repr(margins.zero_one_error(np.ones(1), 0.0, X, np.array([-1.0] + [1.0] * 19))) == "0.05"


def test_where_all_went_well_the_message_is_the_packages():
    X, y, rng = np.array([[0.0], [1.0], [3.0]]), np.array([-1.0, 1.0, -1.0]), np.random.default_rng

    def messages():
        logistic = losses.on_scores(losses.LOGISTIC)
        return {
            "newton": newton.newton(lambda x: x @ x, lambda x: 2 * x, lambda x: 2 * np.eye(1), np.ones(1)).message,
            "fit_sgd": descent.fit_sgd(X, y, losses.HINGE, eta=0.1, epochs=1, rng=rng(0)).message,
            "kernel_sgd": representer.kernel_sgd(X @ X.T, y, logistic, lam=0.1, eta=0.1, steps=3, rng=rng(0)).message,
        }

    assert messages() == plugging.ALL_WELL
    linclass.use(RIGHT)
    assert messages() == plugging.ALL_WELL
    assert "too many" in newton.newton(np.sum, np.ones_like, lambda x: np.eye(1), np.zeros(1), max_steps=1).message


def test_half_finished_work_falls_back_inside_the_students_own_file(tmp_path):
    empty = "def scores(theta, theta_0, X):\n    'what it does'\n    ...\n\n"
    plug(tmp_path, "margins", empty + "def margins(theta, theta_0, X, y):\n    return y * scores(theta, theta_0, X)\n")
    assert np.array_equal(margins.margins([1.0], 1.0, [[2.0]], [-1.0]), [-3.0])


@pytest.mark.parametrize("topic", TOPICS)
def test_right_functions_give_the_packages_own_numbers_and_types(topic):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.repeat([-1.0, 1.0], 15)
    before = logistic.fit_logistic(X, y, lam=0.1), perceptron.fit_perceptron(X, y, max_epochs=5)
    value = margins.zero_one_error([1.0, 2.0], 0.5, X, y), losses.zero_one_loss(X), margins.predict([1.0, 2.0], 0.5, X)
    similar = representer.fit_kernel_svm, representer.fit_kernel_logistic
    scores = [fit(X, y, kernels.linear_kernel, lam=0.1).model.scores(X) for fit in similar]
    linclass.use(RIGHT / f"{topic}.py")
    assert _plug.replaced
    for fit, expected in zip(similar, scores, strict=True):
        assert np.allclose(fit(X, y, kernels.linear_kernel, lam=0.1).model.scores(X), expected, atol=1e-5)
    after = logistic.fit_logistic(X, y, lam=0.1), perceptron.fit_perceptron(X, y, max_epochs=5)
    for a, b in zip(before, after, strict=True):
        assert np.allclose(a.model.theta, b.model.theta, atol=1e-8) and a.converged == b.converged
    again = margins.zero_one_error([1.0, 2.0], 0.5, X, y), losses.zero_one_loss(X), margins.predict([1.0, 2.0], 0.5, X)
    for a, b in zip(value, again, strict=True):
        assert np.array_equal(a, b) and type(a) is type(b) and np.asarray(a).dtype == np.asarray(b).dtype


def test_show_goes_on_showing_the_packages_own_source(tmp_path):
    before = repr(show(losses.hinge_loss))
    plug(tmp_path, "losses", "def hinge_loss(z):\n    return 0 * z\n")
    assert repr(show(losses.hinge_loss)) == before


def test_checks_compare_with_the_package_whatever_is_plugged_in(tmp_path):
    plug(tmp_path, "losses", "def hinge_loss(z):\n    return 0 * z\n")
    topic = TOPICS["losses"]
    assert checking.check_source((tmp_path / "losses.py").read_text(), topic).earned == 0
    assert checking.check_source((RIGHT / "losses.py").read_text(), topic).complete
    assert losses.hinge_loss(-1.0) == 0.0  # still plugged in


def test_what_cannot_be_plugged_in_is_said_and_changes_nothing(tmp_path):
    for path, words in ((tmp_path / "none", "not there"), (tmp_path, "named margins, losses")):
        with pytest.raises(ValueError, match=words):
            linclass.use(path)
    (tmp_path / "margins.py").write_text("def scores(theta, theta_0, X):\n    return 1\n")
    (tmp_path / "newton.py").write_text("1 / 0\n")
    with pytest.raises(ZeroDivisionError):
        linclass.use(tmp_path)
    assert not _plug.replaced


def run(code, tmp_path, **environment):
    """A fresh interpreter in a folder below tmp_path."""
    (tmp_path / "below").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, cwd=tmp_path / "below", env=os.environ | {"PWD": str(tmp_path)} | environment,
    )  # fmt: skip


def test_the_environment_variable_does_the_same_without_a_word(tmp_path):
    (tmp_path / "hw").mkdir()
    (tmp_path / "hw" / "losses.py").write_text("def hinge_loss(z):\n    return 0 * z + 7\n")
    done = run("from linclass import losses; print(losses.HINGE.value(0.0))", tmp_path, LINCLASS_IMPL="hw/")
    assert (done.stdout, done.stderr) == ("7.0\n", "")


def test_unset_it_costs_nothing(tmp_path):
    code = "import linclass, sys; print([m for m in sys.modules if m.startswith('linclass.') or m == 'numpy'])"
    assert run(code, tmp_path, LINCLASS_IMPL="").stdout == "[]\n"
    assert plugging.use() == {}


def nbval(paths, impl, folder, *options):
    """Run notebooks under nbval with a student's functions plugged in."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env"]
    where = [*options, "--rootdir", str(folder), *map(str, paths)]
    environment = os.environ | {"LINCLASS_IMPL": str(impl), "PYTHONPATH": str(Path(linclass.__file__).parents[1])}
    return subprocess.run([*command, *where], cwd=folder, env=environment, capture_output=True, text=True)


long = pytest.mark.skipif(not os.environ.get("ASSIGNMENTS_LONG"), reason="chapters under nbval: make assignments-long")
CHAPTERS = [page for page in sorted(BOOK.glob("[01]*.ipynb")) if "memory" not in page.name]  # that one is about files

# One wrong function a topic, and the chapter that must notice: (chapter, topic, what is changed, into what).
WRONG = (
    ("01-margins", "margins", "math.hypot(*theta)\n", "math.hypot(*theta) ** 2\n"),
    ("02-perceptron", "perceptron", "w = w + y * v", "w = w - y * v"),
    ("04-surrogate-losses", "losses", "np.clip(1 - z, 0, None)", "np.clip(2 - z, 0, None)"),
    ("05-logistic-regression", "logistic", "np.tanh(0.5", "np.tanh(1.0"),
    ("08-sgd", "descent", "(1 - eta * lam) * theta", "theta"),
    ("09-support-vector-machines", "svm", "- 0.5 * quadratic", "- quadratic"),
    ("11-kernels", "kernels", "(2 * tau**2)", "tau**2"),
    ("13-softmax", "softmax", "np.exp(log_softmax(S))", "np.exp(2 * log_softmax(S))"),
    ("14-newton", "newton", "H[range(d), range(d)] += lam", "H += lam"),
)


@long
@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.stem)
def test_chapters_pass_with_right_functions_of_another_style(page):
    done = nbval([page], RIGHT, BOOK)
    assert done.returncode == 0, done.stdout[-3000:]


@long
@pytest.mark.parametrize(("page", "topic", "old", "new"), WRONG, ids=[row[0] for row in WRONG])
def test_a_chapter_with_a_wrong_function_fails_and_names_the_cell(page, topic, old, new, tmp_path):
    text = (RIGHT / f"{topic}.py").read_text()
    assert text.count(old) == 1
    (tmp_path / f"{topic}.py").write_text(text.replace(old, new))
    done = nbval([BOOK / f"{page}.ipynb"], tmp_path, BOOK, "-x")
    assert done.returncode == 1 and f"{page}.ipynb::Cell" in done.stdout
