"""One table of bad input. Every learner joins LEARNERS, every formula FORMULAS; each case must raise a ValueError
that names the argument, and says what it should be and what came.
"""

import functools
import inspect
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from linclass import (
    descent,
    kernels,
    logistic,
    losses,
    margins,
    perceptron,
    representer,
    risk,
    separability,
    softmax,
    svm,
)
from linclass.fit import Fit

PACKAGE = Path(inspect.getfile(svm)).parent

X = np.array([[0.0, 1.0], [1.0, 0.5], [2.0, -1.0], [0.5, 2.0], [1.5, 1.0]])
SIGNS = np.array([1.0, -1.0, -1.0, 1.0, 1.0])
CLASSES = np.array([0, 1, 2, 1, 0])

# name -> (learner with its other arguments given, good labels)
LEARNERS = {
    "fit_perceptron": (perceptron.fit_perceptron, SIGNS),
    "find_separator": (separability.find_separator, SIGNS),
    "fit_logistic": (logistic.fit_logistic, SIGNS),
    "fit_softmax": (softmax.fit_softmax, CLASSES),
    "fit_sgd": (
        functools.partial(descent.fit_sgd, loss=losses.HINGE, eta=0.1, epochs=1, rng=np.random.default_rng(0)),
        SIGNS,
    ),
    "fit_svm": (functools.partial(svm.fit_svm, lam=0.1), SIGNS),
    "fit_kernel_svm": (
        functools.partial(representer.fit_kernel_svm, kernel=kernels.linear_kernel, lam=0.1),
        SIGNS,
    ),
    "fit_kernel_logistic": (
        functools.partial(representer.fit_kernel_logistic, kernel=kernels.linear_kernel, lam=0.1),
        SIGNS,
    ),
}
TAKE_LAM = {name for name, (fit, _) in LEARNERS.items() if "lam" in inspect.signature(fit).parameters}
TAKE_OTHER_LABELS = {"fit_softmax"}  # 0, 1, … are its labels
NO_MODEL = {"find_separator"}

BAD_X = {
    "NaN": np.where(X == 0.5, np.nan, X),
    "inf": np.where(X == 0.5, np.inf, X),
    "1-D": X[:, 0],
    "3-D": X[:, :, None],
    "empty": np.zeros((0, 2)),
    "no columns": np.zeros((5, 0)),
    "wrong length": X[:4],
    "strings": X.astype(str),
    "complex": X.astype(complex),
    "None": None,
    "ragged": [[1.0, 2.0], [1.0], [2.0, 3.0], [1.0, 1.0], [0.0, 0.0]],
    "objects": X.astype(object) * 1j,
}
BAD_Y = {
    "NaN": np.where(SIGNS > 0, np.nan, SIGNS),
    "inf": np.where(SIGNS > 0, np.inf, SIGNS),
    "too short": SIGNS[:4],
    "2-D": SIGNS[:, None],
    "empty": np.zeros(0),
    "booleans": SIGNS > 0,
    "strings": np.where(SIGNS > 0, "yes", "no"),
    "complex": SIGNS.astype(complex),
    "None": None,
    "ragged": [[1.0], [1.0, -1.0], 1.0, -1.0, 1.0],
    "in {1, 2}": np.where(SIGNS > 0, 1, 2),
    "fractions": SIGNS / 2,
}
BAD_SIGNS = {"in {0, 1}": (SIGNS > 0).astype(int), "a single class": np.ones(5)}
BAD_CLASSES = {"a single class": np.zeros(5, int), "negative": CLASSES - 1, "a class missing": CLASSES * 2}
BAD_LAM = {"negative": -1.0, "NaN": np.nan, "inf": np.inf, "None": None, "a string": "1", "an array": np.ones(2)}
BAD_NEW_X = {
    "too few columns": X[:, :1],
    "too many columns": np.column_stack([X, X]),
    "1-D": X[0],
    "NaN": BAD_X["NaN"],
    "inf": BAD_X["inf"],
    "strings": BAD_X["strings"],
    "None": None,
    "empty": np.zeros((0, 2)),
}

Z = np.array([0.5, -1.0])
THETA = np.array([1.0, -1.0])
ALL_LOSSES = ("zero_one", "perceptron", "hinge", "logistic", "exponential", "squared", "modified_squared")

# (formula, good arguments by name, {argument: bad values})
NOT_NUMBERS = {"strings": ["a", "b"], "complex": Z * 1j, "None": None, "ragged": [[1.0], [1.0, 2.0]]}
BAD_VECTOR = NOT_NUMBERS | {"wrong length": np.ones(3), "2-D": np.ones((2, 2))}
BAD_MATRIX = {k: v for k, v in BAD_X.items() if k not in ("NaN", "inf", "wrong length")} | {
    "wrong columns": np.ones((5, 3))
}
BAD_FEATURES = {k: v for k, v in BAD_MATRIX.items() if k != "wrong columns"}
BAD_LABELS = {k: v for k, v in BAD_Y.items() if k != "empty"} | {"in {0, 1}": BAD_SIGNS["in {0, 1}"]}
BAD_LOSS = {"a name": "logistic", "None": None, "no slope": losses.ZERO_ONE}
BAD_NUMBER = NOT_NUMBERS | {"a vector": Z}
BAD_LABEL = {"2": 2, "None": None, "a vector": Z}
LINE = {"theta": BAD_VECTOR, "theta_0": BAD_NUMBER, "X": BAD_MATRIX}
FORMULAS = {
    **{f"{name}_loss": (getattr(losses, f"{name}_loss"), {"z": Z}, {"z": NOT_NUMBERS}) for name in ALL_LOSSES},
    **{f"{name}_slope": (getattr(losses, f"{name}_slope"), {"z": Z}, {"z": NOT_NUMBERS}) for name in ALL_LOSSES[1:]},
    "scores": (margins.scores, {"theta": THETA, "theta_0": 0.0, "X": X}, LINE),
    "margins": (margins.margins, {"theta": THETA, "theta_0": 0.0, "X": X, "y": SIGNS}, LINE | {"y": BAD_LABELS}),
    **{
        f"{name}_curvature": (getattr(losses, f"{name}_curvature"), {"z": Z}, {"z": NOT_NUMBERS})
        for name in ALL_LOSSES[3:]
    },
    "predict": (margins.predict, {"theta": THETA, "theta_0": 0.0, "X": X}, LINE),
    "signed_distances": (
        margins.signed_distances,
        {"theta": THETA, "theta_0": 0.0, "X": X},
        LINE | {"theta": BAD_VECTOR | {"zero": np.zeros(2)}},
    ),
    "cosines": (
        margins.cosines,
        {"theta": THETA, "X": X},
        {"theta": BAD_VECTOR | {"zero": np.zeros(2)}, "X": BAD_MATRIX | {"a zero row": X * [[0], [1], [1], [1], [1]]}},
    ),
    "zero_one_error": (
        margins.zero_one_error,
        {"theta": THETA, "theta_0": 0.0, "X": X, "y": SIGNS},
        LINE | {"y": BAD_LABELS},
    ),
    "affine_features": (margins.affine_features, {"X": X}, {"X": BAD_FEATURES}),
    "quadratic_features": (margins.quadratic_features, {"X": X}, {"X": BAD_FEATURES}),
    **{
        derivative: (
            lambda theta, theta_0, X, y, lam, loss, derivative=derivative: getattr(risk, derivative)(
                theta, theta_0, X, y, loss, lam
            ),
            {"theta": THETA, "theta_0": 0.0, "X": X, "y": SIGNS, "lam": 0.1, "loss": losses.LOGISTIC},
            LINE | {"y": BAD_LABELS, "lam": BAD_LAM, "loss": BAD_LOSS},
        )
        for derivative in ("risk_grad", "risk_hess")
    },
    "risk": (
        lambda theta, theta_0, X, y, lam: risk.risk(theta, theta_0, X, y, losses.LOGISTIC, lam),
        {"theta": THETA, "theta_0": 0.0, "X": X, "y": SIGNS, "lam": 0.1},
        LINE | {"y": BAD_LABELS, "lam": BAD_LAM},
    ),
    "sigmoid": (logistic.sigmoid, {"z": Z}, {"z": NOT_NUMBERS}),
    "log_odds": (logistic.log_odds, {"p": [0.2, 0.7]}, {"p": NOT_NUMBERS | {"outside [0, 1]": [0.5, 1.5]}}),
    "log_likelihood": (
        logistic.log_likelihood,
        {"theta": THETA, "theta_0": 0.0, "X": X, "y": SIGNS},
        LINE | {"y": BAD_LABELS},
    ),
    "binary_log_likelihood": (
        logistic.binary_log_likelihood,
        {"theta": THETA, "theta_0": 0.0, "X": X, "y": SIGNS > 0},
        LINE | {"y": {"signs": SIGNS, "a number": 1, "one label": [1], "2-D": [[1]] * 5, "None": None}},
    ),
    "linear_kernel": (
        kernels.linear_kernel,
        {"X": X, "Z": X},
        {name: BAD_FEATURES | {"NaN": BAD_X["NaN"], "inf": BAD_X["inf"]} for name in ("X", "Z")},
    ),
    "perceptron_step": (
        perceptron.perceptron_step,
        {"theta": THETA, "theta_0": 0.0, "x": X[0], "y": 1},
        {"theta": NOT_NUMBERS, "theta_0": BAD_NUMBER, "x": BAD_VECTOR, "y": {"0": 0} | BAD_LABEL},
    ),
    "threshold_step": (
        perceptron.threshold_step,
        {"theta": THETA, "theta_0": 0.0, "x": X[0], "y": 1},
        {"theta": NOT_NUMBERS, "theta_0": BAD_NUMBER, "x": BAD_VECTOR, "y": {"-1": -1} | BAD_LABEL},
    ),
    "softmax": (softmax.softmax, {"S": Z}, {"S": NOT_NUMBERS | {"a number": 1.0, "no classes": np.zeros((3, 0))}}),
    "log_softmax": (softmax.log_softmax, {"S": Z}, {"S": NOT_NUMBERS | {"a number": 1.0}}),
    "one_hot": (
        softmax.one_hot,
        {"y": [0, 1, 1], "n_classes": 2},
        {"y": {"too large": [0, 2], "negative": [-1], "fractions": [0.5], "strings": ["a"], "2-D": [[0]], "None": None},
         "n_classes": {"0": 0, "None": None, "a fraction": 2.5}},
    ),
    "cross_entropy": (
        softmax.cross_entropy,
        {"logits": np.ones((3, 2)), "y": [0, 1, 1]},
        {"logits": NOT_NUMBERS | {"1-D": Z}, "y": {"too large": [0, 1, 2], "too short": [0, 1], "None": None}},
    ),
}


def must_refuse(function, argument, *args, **kwargs):
    """The call raises the one kind of error, naming the argument, without a warning on the way."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError) as caught:
            function(*args, **kwargs)
    message = str(caught.value)
    assert " must be " in message and "; got " in message, message
    assert any(name in message.split(" must be ")[0] for name in argument), message


@pytest.mark.parametrize("case", BAD_X)
@pytest.mark.parametrize("name", LEARNERS)
def test_learner_refuses_bad_examples(name, case):
    fit, y = LEARNERS[name]
    must_refuse(fit, ("X", "y") if case == "wrong length" else ("X",), BAD_X[case], y)


@pytest.mark.parametrize("case", BAD_Y | BAD_SIGNS | BAD_CLASSES)
@pytest.mark.parametrize("name", LEARNERS)
def test_learner_refuses_bad_labels(name, case):
    fit, _ = LEARNERS[name]
    bad = BAD_Y | (BAD_CLASSES if name in TAKE_OTHER_LABELS else BAD_SIGNS)
    if case in bad:
        must_refuse(fit, ("y",), X, bad[case])


def test_fit_svm_without_labels():
    """An array or lists of numbers lack their labels; only blocks are told that they should be in memory."""
    fit, y = LEARNERS["fit_svm"]
    for rows in (X, X.tolist(), tuple(map(tuple, X))):
        must_refuse(fit, ("y",), rows, None)
        must_refuse(fit, ("y",), rows)
    for blocks in ([(X, y), (X, y)], iter([(X, y)]), lambda: iter([(X, y)])):
        must_refuse(fit, ("X",), blocks)
    must_refuse(fit, ("X",), None)


@pytest.mark.parametrize("case", BAD_LAM)
@pytest.mark.parametrize("name", sorted(TAKE_LAM))
def test_learner_refuses_bad_lam(name, case):
    fit, y = LEARNERS[name]
    must_refuse(fit, ("lam",), X, y, lam=BAD_LAM[case])


@pytest.mark.parametrize("case", BAD_NEW_X)
@pytest.mark.parametrize("name", sorted(set(LEARNERS) - NO_MODEL))
def test_model_refuses_bad_new_examples(name, case):
    fit, y = LEARNERS[name]
    model = fit(X, y).model
    for method in ("scores", "predict", "probabilities"):
        if hasattr(model, method):
            must_refuse(getattr(model, method), ("X",), BAD_NEW_X[case])


@pytest.mark.parametrize(
    ("name", "argument", "case"),
    [(name, arg, case) for name, (_, _, bad) in FORMULAS.items() for arg, cases in bad.items() for case in cases],
)
def test_formula_refuses_bad_input(name, argument, case):
    formula, good, bad = FORMULAS[name]
    formula(**good)
    must_refuse(formula, (argument, "X", "y") if case == "wrong length" else (argument,),
                **good | {argument: bad[argument][case]})


def test_every_learner_is_in_the_table_and_answers_with_a_fit():
    texts = [path.read_text("utf-8") for path in PACKAGE.glob("[!_]*.py")]
    found = {name for text in texts for name in re.findall(r"^def (fit_\w+)", text, re.MULTILINE)}
    without = found - set(LEARNERS)
    assert not without, "learners without a row in LEARNERS"
    for name in found:
        learn, y = LEARNERS[name]
        assert isinstance(learn(X, y), Fit), f"{name} should return a linclass.fit.Fit"


@pytest.mark.parametrize("name", LEARNERS)
def test_learner_takes_what_holds_the_same_numbers(name):
    fit, y = LEARNERS[name]
    fit(X.tolist(), y.tolist())
    fit(np.asfortranarray(X, dtype=np.float32), y.astype(np.int8))
    frozen = X.copy()
    frozen.flags.writeable = False
    fit(frozen, y)
    np.testing.assert_array_equal(frozen, X)


@pytest.mark.parametrize("value", [0, -1, 2.5, None, True])
def test_max_epochs(value):
    must_refuse(perceptron.fit_perceptron, ("max_epochs",), X, SIGNS, max_epochs=value)
