"""What an input must be: every refusal names the argument, what it should be and what came."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from linclass import _checks, logistic

NAN, INF = float("nan"), float("inf")

REFUSED = [
    # the check, what came, the whole message
    (_checks.real, None, "real numbers; got NoneType None"),
    (_checks.real, "high", "real numbers; got str 'high'"),
    (_checks.real, [1 + 2j], "real numbers; got list [(1+2j)]"),
    (_checks.real, np.array([1 + 2j]), "real numbers; got an array of shape (1,) and dtype complex128"),
    (_checks.real, [[1], [1, 2]], "a rectangular array of numbers; got rows of different lengths"),
    (_checks.real, pd.Series(["a", "b"]), "real numbers; got Series 0 a 1 b dtype: "),
    (_checks.matrix, [1.0, 2.0], "a matrix with one row per example; got an array of shape (2,)"),
    (_checks.matrix, np.ones((2, 2, 2)), "a matrix with one row per example; got an array of shape (2, 2, 2)"),
    (_checks.matrix, np.ones((0, 2)), "a matrix with at least one row and one column; got an array of shape (0, 2)"),
    (_checks.matrix, np.ones((2, 0)), "a matrix with at least one row and one column; got an array of shape (2, 0)"),
    (lambda n, v: _checks.matrix(n, v, columns=3), [[1.0, 2.0]], "a matrix with 3 columns, as many as the parameters"),
    (lambda n, v: _checks.matrix(n, v, finite=True), [[1.0, NAN]], "finite; got NaN or infinity at index (0, 1)"),
    (lambda n, v: _checks.matrix(n, v, finite=True), [[1.0], [-INF]], "finite; got NaN or infinity at index (1, 0)"),
    (_checks.vector, [[1.0]], "1-dimensional; got an array of shape (1, 1)"),
    (lambda n, v: _checks.vector(n, v, length=3), [1.0], "of length 3; got length 1"),
    (lambda n, v: _checks.vector(n, v, finite=True), [1.0, INF], "finite; got NaN or infinity at index 1"),
    (_checks.scalar, [1.0], "a single number; got an array of shape (1,)"),
    (lambda n, v: _checks.scalar(n, v, finite=True), NAN, "a finite number; got float nan"),
    (lambda n, v: _checks.positive(n, v, or_zero=True), -0.1, "a finite number >= 0; got float -0.1"),
    (lambda n, v: _checks.positive(n, v, or_zero=True), NAN, "a finite number >= 0; got float nan"),
    (lambda n, v: _checks.positive(n, v, or_zero=True), INF, "a finite number >= 0; got float inf"),
    (_checks.positive, 0, "a finite number > 0; got int 0"),
    (_checks.positive, INF, "a finite number > 0; got float inf"),
    (_checks.probabilities, 1.0, "strictly between 0 and 1; got 1"),
    (_checks.probabilities, np.array([0.5, NAN]), "strictly between 0 and 1; got nan at index 1"),
    (_checks.count, 0, "a whole number >= 1; got int 0"),
    (_checks.count, 2.0, "a whole number >= 1; got float 2.0"),
    (_checks.count, True, "a whole number >= 1; got bool True"),
    (_checks.count, None, "a whole number >= 1; got NoneType None"),
    (lambda n, v: _checks.choice(n, v, ("best", "last")), "first", "one of 'best', 'last'; got str 'first'"),
    (lambda n, v: _checks.choice(n, v, ("best", "last")), np.ones(2), "one of 'best', 'last'; got an array"),
    (_checks.generator, None, "a numpy.random.Generator, for instance np.random.default_rng(0); got NoneType None"),
    (_checks.generator, 0, "a numpy.random.Generator, for instance np.random.default_rng(0); got int 0"),
    (_checks.loss, "hinge", "a loss of the margin, for instance losses.LOGISTIC; got str 'hinge'"),
    (_checks.loss, type("Half", (), {"value": abs})(), "a loss of the margin, for instance losses.LOGISTIC; got Half"),
    (_checks.gram, [[1.0, 2.0]], "a square matrix, one row and one column per example; got an array of shape (1, 2)"),
    (_checks.gram, [[1.0, 2.0], [0.0, 1.0]], "symmetric, as inner products are; got a matrix that differs from its"),
    (_checks.gram, [[NAN]], "finite; got NaN or infinity at index (0, 0)"),
    (_checks.binary, [0, 1, 2], "labels 0 and 1; got the values {0, 1, 2}"),
    (_checks.binary, [NAN, 1], "labels 0 and 1; got the values {1.0, nan}"),
    (_checks.binary, [[0], [0, 1]], "labels 0 and 1; got rows of different lengths"),
    (lambda n, v: _checks.binary(n, v, 2), [[0], [1]], "labels 0 and 1; got an array of shape (2, 1)"),
    (lambda n, v: _checks.binary(n, v, 2), [0, 1, 1], "of length 2, one label per example; got length 3"),
    (_checks.binary, ["0"], "labels 0 and 1; got the values {'0'}"),
    (_checks.signs, [1, 2], "a vector of labels -1 and +1; got the values {1, 2}"),
    (_checks.signs, [0, 1], "a vector of labels -1 and +1; got the values {0, 1} (linclass.conventions.signs_from_bin"),
    (_checks.signs, [True, False], "a vector of labels -1 and +1; got the values {False, True} (linclass.conventions."),
    (_checks.signs, ["yes"], "a vector of labels -1 and +1; got the values {'yes'}"),
    (_checks.signs, [1.0, NAN], "a vector of labels -1 and +1; got the values {1.0, nan}"),
    (_checks.signs, [1, -1j], "a vector of labels -1 and +1; got the values {"),
    (_checks.signs, range(9), "a vector of labels -1 and +1; got the values {0, 1, 2, 3, 4, …}"),
    (_checks.signs, None, "a vector of labels -1 and +1; got an array of shape ()"),
    (_checks.signs, [[1, -1]], "a vector of labels -1 and +1; got an array of shape (1, 2)"),
    (_checks.signs, [[1], [1, 1]], "a vector of labels -1 and +1; got rows of different lengths"),
    (lambda n, v: _checks.signs(n, v, length=3), [1, -1], "of length 3, one label per example; got length 2"),
    (lambda n, v: _checks.signs(n, v, both=True), [-1, -1], "labels of both classes, -1 and +1; got only -1"),
    (_checks.classes, [], "a vector of class numbers 0, 1, 2, …; got the values {}"),
    (_checks.classes, [0.5, 1], "a vector of class numbers 0, 1, 2, …; got the values {0.5, 1.0}"),
    (_checks.classes, [0, INF], "a vector of class numbers 0, 1, 2, …; got the values {0.0, inf}"),
    (_checks.classes, [0, NAN], "a vector of class numbers 0, 1, 2, …; got the values {0.0, nan}"),
    (_checks.classes, ["cat"], "a vector of class numbers 0, 1, 2, …; got the values {'cat'}"),
    (_checks.classes, [[0, 1]], "a vector of class numbers; got an array of shape (1, 2)"),
    (_checks.classes, [-1, 0], "class numbers from 0 to 0; got the values {-1, 0}"),
    (_checks.classes, [0, 0], "labels of at least two classes, 0 .. n_classes-1; got only class 0"),
    (_checks.classes, [0, 1, 3], "class numbers 0 .. 3, each at least once; got no example of class 2"),
    (_checks.classes, [1, 2], "class numbers 0 .. 2, each at least once; got no example of class 0"),
    (_checks.classes, [0, 1e9], "each at least once; got no example of class 1"),
    (lambda n, v: _checks.classes(n, v, n_classes=2), [0, 2], "class numbers from 0 to 1; got the values {0, 2}"),
    (lambda n, v: _checks.classes(n, v, length=3), [0, 1], "of length 3, one label per example; got length 2"),
]


@pytest.mark.parametrize("check, came, message", REFUSED, ids=[message[:50] for *_, message in REFUSED])
def test_refused(check, came, message):
    with pytest.raises(ValueError) as error:
        check("weight", came)
    assert str(error.value).startswith("weight must be ")
    assert message in str(error.value)


def test_a_message_stays_short():
    assert len(_checks.describe("x" * 10_000)) < 60
    assert "\n" not in _checks.describe(pd.DataFrame({"a": range(100)}))


def test_accepted():
    assert _checks.real("x", 3).dtype == np.float64
    assert _checks.scalar("x", np.array(2)) == 2.0
    assert _checks.count("n", np.int64(3)) == 3
    assert _checks.positive("lam", 0, or_zero=True) == 0.0
    np.testing.assert_array_equal(_checks.signs("y", [1, -1, 1.0]), [1, -1, 1])
    np.testing.assert_array_equal(_checks.binary("y", [[True], [False]]), [[1], [0]])
    labels = _checks.classes("y", [2.0, 0.0, 1.0])
    assert labels.dtype == np.intp and labels.tolist() == [2, 0, 1]
    assert len(_checks.classes("y", [0, 0], n_classes=4)) == 2, "a class may be absent if their number is given"


def test_a_table_of_numbers_of_several_kinds_is_numbers():
    """As `pandas.get_dummies` makes them, flags beside lengths; NumPy would see objects."""
    table = pd.DataFrame({"length": [1.5, 2.0], "count": [3, 4], "flag": [True, False]})
    for numbers in (table, table.convert_dtypes()):
        np.testing.assert_array_equal(_checks.matrix("X", numbers, finite=True), [[1.5, 3, 1], [2, 4, 0]])
    with pytest.raises(ValueError, match=r"X must be finite; got NaN or infinity at index \(1, 0\)"):
        _checks.matrix("X", table.convert_dtypes().where(table["flag"]), finite=True)
    for words in (table.assign(name=["a", "1"]), table.assign(name=pd.Categorical(["a", "b"]))):
        with pytest.raises(ValueError, match="X must be real numbers; got DataFrame"):
            _checks.matrix("X", words)


def test_floats_are_not_copied():
    x = np.ones(3)
    assert _checks.vector("x", x, finite=True) is x
    assert _checks.signs("y", x) is x


def test_finite_numbers_whose_sum_overflows_are_finite():
    assert _checks.is_finite(np.array([1.7e308, 1.7e308]))
    assert not _checks.is_finite(np.array([INF, -INF]))
    assert not _checks.is_finite(np.array([1.0, NAN]))


@_checks.takes(theta="d", X="n d", y="n signs", lam=">= 0")
def declared(theta, X, y, lam=0.0):
    return theta, X, y, lam


def test_what_a_function_takes_is_made_of_the_line_above_it():
    theta, X, y, lam = declared([1, 2], [[1, 2], [3, 4], [5, 6]], y=[1, -1, 1])
    assert [a.dtype.kind for a in (theta, X, y)] == ["f", "f", "f"] and lam == 0.0
    assert declared.__name__ == "declared"


@pytest.mark.parametrize(
    "given, complaint",
    [
        (([1, 2], [[1.0]], [1]), "X must be a matrix with 2 columns"),
        (([1, 2], [[1, 2]], [1, -1]), "y must be of length 1"),
        (([1, 2], [[1, 2]], [0]), "y must be a vector of labels -1 and"),
        (([1, 2], [[1, 2]], [1], -1.0), "lam must be a finite number >= 0"),
        ((None, [[1, 2]], [1]), "theta must be real numbers"),
    ],
)
def test_what_it_does_not_take_is_refused_by_name(given, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        declared(*given)


def test_a_chain_of_calls_is_checked_once_in_each_thread_and_again_in_code_of_others(monkeypatch):
    looked = []
    monkeypatch.setattr(_checks, "vector", lambda name, value, *_: looked.append(name) or np.asarray(value, float))

    @_checks.takes(v="d")
    def inner(v):
        return v.sum()

    @_checks.takes(v="d")
    def outer(v, call=lambda f, v: f(v)):
        return call(inner, v)

    assert outer([1.0, 2.0]) == 3.0 and looked == ["v"]

    def by_others(f, v):
        with _checks.afresh():
            return f(v)

    outer([1.0], by_others)
    assert looked == 3 * ["v"]
    with ThreadPoolExecutor(1) as pool:
        outer([1.0], lambda f, v: pool.submit(f, v).result())
    assert looked == 5 * ["v"]
    with pytest.raises(AttributeError):
        outer([1.0], lambda f, v: v.missing)
    inner([1.0])
    assert looked == 7 * ["v"], "an error ends the chain"


def test_the_other_words():
    @_checks.takes(
        lambda k, X, p, v, q: _checks.fail("q", "below v", f"{q}") if q >= v[0] else None,
        k="k count", X="n 2", p="k probabilities", v="k positive", q="probability",
    )  # fmt: skip
    def words(k, X, p, v, q):
        return X.shape, v.dtype

    good = {"k": 2, "X": [[1, 2]], "p": [0.5, 0.1], "v": [1, 2], "q": 0.5}
    assert words(**good) == ((1, 2), float)
    for bad, complaint in (
        ({"k": 0}, "k must be a whole number >= 1"),
        ({"k": 3}, "p must be of length 3"),
        ({"X": [[1, 2, 3]]}, "X must be a matrix with 2 columns"),
        ({"p": [0.5, 1.0]}, "p must be strictly between 0 and 1; got 1 at index 1"),
        ({"v": [1, 0]}, "v must be positive; got 0 at index 1"),
        ({"v": [1, NAN]}, "v must be positive; got nan at index 1"),
        ({"q": 1.0}, "q must be strictly between 0 and 1"),
        ({"v": [0.1, 1]}, "q must be below v; got 0.5"),
    ):
        with pytest.raises(ValueError, match=f"^{complaint}"):
            words(**good | bad)


def test_a_function_of_the_callers_own(monkeypatch):
    @_checks.takes(v="d")
    def inner(v):
        return v.sum()

    @_checks.takes(f="function", v="d")
    def outer(f, v):
        return f(v)

    assert outer(lambda v: [1, 2], [1.0]).dtype == float
    for f, complaint in (
        (3.0, "f must be a function; got float 3.0"),
        (lambda v: "high", r"f\(…\) must be real numbers"),
        (lambda v: inner(None), "v must be real numbers"),
    ):
        with pytest.raises(ValueError, match=f"^{complaint}"):
            outer(f, [1.0])


def test_a_result_that_must_be_finite():
    @_checks.gives_finite("X")
    @_checks.takes(X="n d")
    def squares(X):
        return X**2

    assert squares([[2.0]]) == [[4.0]]
    with pytest.raises(ValueError, match="X must be finite and small enough"):
        squares([[1e200]])
    assert squares.takes(lambda X: X + 1)([[2.0]]) == [[3.0]], "what replaces it is checked in the same way"


@pytest.mark.parametrize("name", ["X", "y"])
def test_a_masked_array_is_refused(name):
    given = {"X": np.array([[1.0], [-1.0], [2.0]]), "y": np.array([1.0, -1.0, 1.0])}
    given[name] = np.ma.masked_array(given[name], np.zeros(given[name].shape, bool))
    with pytest.raises(ValueError, match=f"{name} must be an array without a mask"):
        logistic.fit_logistic(**given, lam=0.1)
