"""One table of bad input. Every learner stands in LEARNERS, every other public function in GOOD; each case must raise a
ValueError that names the argument, and says what it should be and what came.
"""

import functools
import inspect
import re
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from linclass import (
    descent,
    kernels,
    logistic,
    losses,
    perceptron,
    representer,
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

# Every public function with good arguments. What is bad for one goes by its name, unless BAD_FOR says otherwise.
Z = np.array([0.5, -1.0])
THETA = np.array([1.0, -1.0])
K = X @ X.T
LINE = {"theta": THETA, "theta_0": 0.0, "X": X}
EXAMPLES = LINE | {"y": SIGNS}
RISK = EXAMPLES | {"loss": losses.LOGISTIC, "lam": 0.1}
KERNEL = {"alpha": np.ones(5), "K": K, "y": SIGNS, "loss": losses.on_scores(losses.HINGE), "lam": 0.1}
KERNEL_STEP = KERNEL | {"i": 2, "eta": 0.1}
CLASS_LINES = {"Theta": np.ones((3, 2)), "theta_0": np.zeros(3), "X": X}
CLASS_RISK = CLASS_LINES | {"y": CLASSES, "lam": 0.1}
STEP = {"theta": THETA, "theta_0": 0.0, "x": X[0], "y": 1}
SMOOTH = {"value": lambda x: x @ x, "grad": lambda x: 2 * x, "start": Z}
STEPS = descent.Steps(losses.HINGE, 0.1, descent.constant_step(0.1), 1, "cycle", True, False)
WALK = descent.Walk((THETA, 0.0), (THETA, 0.0), 0, np.random.default_rng(0))
GOOD = {
    **{f"losses.{name}": {"z": Z} for name in losses.__all__ if name.endswith(("_loss", "_slope", "_curvature"))},
    "losses.on_scores": {"loss": losses.HINGE},
    "losses.weighted": {"loss": losses.HINGE, "w": np.ones(5)},
    "margins.scores": LINE,
    "margins.margins": EXAMPLES,
    "margins.predict": LINE,
    "margins.signed_distances": LINE,
    "margins.cosines": {"theta": THETA, "X": X + 0.1},
    "margins.zero_one_error": EXAMPLES,
    "margins.affine_features": {"X": X},
    "margins.quadratic_features": {"X": X},
    "margins.best_line": {"X": X, "y": SIGNS},
    "margins.from_gaussians": {"mean_plus": Z, "mean_minus": -Z, "variances": np.ones(2), "prior": 0.5},
    "margins.from_naive_bayes": {"p_plus": np.array([0.2, 0.5]), "p_minus": np.array([0.4, 0.5]), "prior": 0.5},
    "kernels.linear_kernel": {"X": X, "Z": X},
    "kernels.polynomial_kernel": {"X": X, "Z": X, "degree": 2, "constant": 1.0},
    "kernels.rbf_kernel": {"X": X, "Z": X, "tau": 1.0},
    "kernels.min_kernel": {"x": np.ones(3), "z": np.ones(2)},
    "kernels.random_fourier_features": {"X": X, "tau": 1.0, "count": 4, "rng": np.random.default_rng(0)},
    "conventions.lam_from_C": {"C": 1.0, "n": 5},
    "conventions.C_from_lam": {"lam": 1.0, "n": 5},
    "conventions.lam_from_summed": {"lam_summed": 1.0, "n": 5},
    "conventions.summed_from_lam": {"lam": 1.0, "n": 5},
    "conventions.lam_from_unhalved": {"weight": 1.0},
    "conventions.unhalved_from_lam": {"lam": 1.0},
    "conventions.sum_from_mean": {"mean": 1.0, "n": 5},
    "conventions.mean_from_sum": {"total": 1.0, "n": 5},
    "conventions.gamma_from_tau": {"tau": 1.0},
    "conventions.tau_from_gamma": {"gamma": 1.0},
    "conventions.signs_from_binary": {"y": SIGNS > 0},
    "conventions.binary_from_signs": {"y": SIGNS},
    "risk.risk": RISK,
    "risk.risk_grad": RISK,
    "risk.risk_hess": RISK,
    "risk.block_sums": EXAMPLES | {"loss": losses.LOGISTIC},
    "risk.as_functions": {"X": X, "y": SIGNS, "loss": losses.LOGISTIC, "lam": 0.1},
    "descent.constant_step": {"eta": 0.1},
    "descent.inverse_step": {"scale": 1.0, "shift": 0.0},
    "descent.inverse_sqrt_step": {"scale": 1.0},
    "descent.gradient_descent": SMOOTH | {"eta": 0.1, "tol": 1e-8, "max_steps": 5},
    "descent.sgd_step": RISK | {"eta": 0.1},
    "descent.sgd_epoch": {"steps": STEPS, "walk": WALK, "X": X, "y": SIGNS},
    "newton.newton": SMOOTH | {"hess": lambda x: 2 * np.eye(2), "tol": 1e-8, "max_steps": 5},
    "newton.newton_root": {"f": np.sin, "slope": np.cos, "start": 1.0, "tol": 1e-8, "max_steps": 5},
    "newton.newton_step": {"gradient": Z, "hessian": np.eye(2)},
    "newton.excess_bound": {"nu": 0.1, "rho": 1.0},
    "perceptron.perceptron_step": STEP,
    "perceptron.threshold_step": STEP,
    "perceptron.perceptron_walk": {"X": X, "y": SIGNS, "max_epochs": 3, "offset": True},
    "perceptron.mistake_bound": {"theta": [1.0, 0.0], "theta_0": 0.0, "X": [[1.0, 0.0], [-1.0, 0.0]], "y": [1, -1]},
    "separability.separate_rows": {"A": SIGNS[:, None] * X},
    "separability.separator_program": {"A": SIGNS[:, None] * X},
    "logistic.sigmoid": {"z": Z},
    "logistic.log_odds": {"p": [0.2, 0.7]},
    "logistic.log_likelihood": EXAMPLES,
    "logistic.binary_log_likelihood": LINE | {"y": SIGNS > 0},
    "logistic.standard_errors": {"information": np.eye(2), "T": np.eye(2)},
    "svm.slacks": EXAMPLES,
    "svm.margin_width": {"theta": THETA},
    "svm.dual_objective": {"dual": np.ones(5), "K": K, "y": SIGNS},
    "svm.quadratic_program": {"X": X, "y": SIGNS, "C": 1.0},
    "svm.best_offset": {"s": SIGNS, "y": SIGNS},
    "svm.dual_ascent": {"K": K, "y": SIGNS, "C": 1.0},
    "svm.dual_step": {"alpha": np.zeros(5), "chosen": [0, 1], "K": K, "y": SIGNS, "C": 1.0},
    "representer.regularised_risk": RISK,
    "representer.span_coefficients": RISK,
    "representer.kernel_risk": KERNEL | {"theta_0": 0.0},
    "representer.kernel_risk_grad": KERNEL | {"theta_0": 0.0},
    "representer.kernel_sgd_step": KERNEL_STEP,
    "representer.functional_step": KERNEL_STEP,
    "softmax.softmax": {"S": Z},
    "softmax.log_softmax": {"S": Z},
    "softmax.one_hot": {"y": CLASSES, "n_classes": 3},
    "softmax.cross_entropy": {"logits": np.ones((5, 3)), "y": CLASSES},
    "softmax.cross_entropy_grad": {"logits": np.ones((5, 3)), "y": CLASSES},
    "softmax.class_scores": CLASS_LINES,
    "softmax.softmax_risk": CLASS_RISK,
    "softmax.softmax_risk_grad": CLASS_RISK,
    "softmax.softmax_risk_hess": CLASS_RISK,
    "gradcheck.numeric_grad": {"value": lambda x: x @ x, "point": Z},
    "gradcheck.numeric_hess": {"grad": lambda x: 2 * x, "point": Z},
    "gradcheck.grad_error": {"value": lambda x: x @ x, "grad": lambda x: 2 * x, "point": Z},
    "gradcheck.convexity_witness": {"f": lambda z: z**2, "points": Z},
}

NOT_NUMBERS = {"strings": ["a", "b"], "complex": Z * 1j, "None": None, "ragged": [[1.0], [1.0, 2.0]]}
NUMBER = NOT_NUMBERS | {"a vector": Z}
POSITIVE = NUMBER | {"negative": -1.0, "0": 0.0, "NaN": np.nan, "inf": np.inf}
VECTOR = NOT_NUMBERS | {"wrong length": np.ones(7), "2-D": np.ones((2, 2))}
VECTOR_OF_ANY_LENGTH = {case: bad for case, bad in VECTOR.items() if case != "wrong length"}
MATRIX = {case: bad for case, bad in BAD_X.items() if case not in ("NaN", "inf", "wrong length")}
FINITE = MATRIX | {"NaN": BAD_X["NaN"], "inf": BAD_X["inf"]}
GRAM = FINITE | {"not square": X, "not symmetric": np.triu(K)}
LABELS = {case: bad for case, bad in BAD_Y.items() if case != "empty"} | {"in {0, 1}": BAD_SIGNS["in {0, 1}"]}
COUNT = {"0": 0, "a fraction": 2.5, "None": None, "a flag": True}
LOSS = {"a name": "logistic", "None": None}
FUNCTION = {"None": None, "a number": 1.0}
OF_CLASSES = {"too large": CLASSES + 1, "too short": CLASSES[:3], "negative": CLASSES - 1, "None": None}
ONE_LABEL = {"2": 2, "None": None, "a vector": Z}
BAD = {
    **dict.fromkeys(("z", "S"), NOT_NUMBERS),
    **dict.fromkeys(("theta", "s", "alpha", "dual", "start", "point", "gradient", "mean_plus", "mean_minus"), VECTOR),
    **dict.fromkeys(("theta_0", "constant", "mean", "total"), NUMBER),
    **dict.fromkeys(("lam", "shift", "nu", "rho"), BAD_LAM),
    **dict.fromkeys(("C", "tau", "gamma", "eta", "scale"), POSITIVE),
    "n": {"0": 0, "infinite": np.inf, "None": None, "a flag": True},
    "w": {"negative": -np.ones(5), "NaN": np.full(5, np.nan), "all zero": np.zeros(5), "a matrix": np.ones((5, 5))},
    **dict.fromkeys(("count", "max_steps", "max_epochs", "n_classes", "degree"), COUNT),
    **dict.fromkeys(("value", "grad", "hess", "f", "slope"), FUNCTION),
    "X": MATRIX,
    "Z": FINITE,
    "K": GRAM,
    "y": LABELS,
    "x": VECTOR,
    "loss": LOSS,
    "rng": {"None": None, "a seed": 0},
    "i": {"too large": 5, "negative": -1, "a fraction": 0.5, "None": None},
    "Theta": MATRIX | {"wrong columns": np.ones((3, 5))},
    "logits": NOT_NUMBERS | {"1-D": Z},
    "p": NOT_NUMBERS | {"outside [0, 1]": [0.5, 1.5]},
    "prior": {"0": 0.0, "1": 1.0, "None": None},
    "variances": VECTOR | {"0": np.zeros(2)},
    "p_plus": VECTOR | {"0": np.zeros(2)},
    "p_minus": VECTOR | {"1": np.ones(2)},
    "lam_summed": BAD_LAM,
    "weight": BAD_LAM,
    "hessian": {"1-D": Z, "None": None, "wrong size": np.eye(3)},
    "information": {"1-D": Z, "None": None},
    "A": FINITE,
    "points": NOT_NUMBERS,
    "chosen": {"too large": [7], "fractions": [0.5], "None": None},
}
WITHOUT_ZERO = {"zero": np.zeros(2)}
BAD_FOR = {  # (function, argument): what goes beyond, or in place of, what its name says
    ("margins.signed_distances", "theta"): VECTOR | WITHOUT_ZERO,
    ("margins.cosines", "theta"): VECTOR | WITHOUT_ZERO,
    ("margins.cosines", "X"): MATRIX | {"a zero row": X * [[0], [1], [1], [1], [1]]},
    ("margins.best_line", "X"): FINITE | {"three columns": np.ones((5, 3))},
    ("kernels.linear_kernel", "X"): FINITE,
    ("kernels.min_kernel", "x"): NOT_NUMBERS | {"negative": [-1.0], "2-D": X},
    ("kernels.min_kernel", "z"): NOT_NUMBERS | {"negative": [-1.0], "2-D": X},
    ("kernels.polynomial_kernel", "constant"): BAD_LAM,
    ("conventions.signs_from_binary", "y"): {"signs": SIGNS, "None": None},
    ("conventions.binary_from_signs", "y"): {"binary": SIGNS > 0, "None": None},
    ("descent.gradient_descent", "eta"): {case: bad for case, bad in POSITIVE.items() if case != "None"},
    ("descent.sgd_step", "eta"): NUMBER,
    ("descent.sgd_step", "loss"): LOSS | {"no slope": losses.ZERO_ONE},
    ("risk.risk_grad", "loss"): LOSS | {"no slope": losses.ZERO_ONE},
    ("risk.risk_hess", "loss"): LOSS | {"no curvature": losses.HINGE},
    ("risk.block_sums", "loss"): LOSS | {"no curvature": losses.HINGE},
    ("newton.newton_root", "start"): NUMBER,
    **{(f"gradcheck.{name}", "point"): VECTOR_OF_ANY_LENGTH for name in ("numeric_grad", "numeric_hess", "grad_error")},
    ("descent.gradient_descent", "start"): VECTOR_OF_ANY_LENGTH,
    ("perceptron.perceptron_step", "y"): ONE_LABEL | {"0": 0},
    ("perceptron.threshold_step", "y"): ONE_LABEL | {"-1": -1},
    ("perceptron.mistake_bound", "X"): {case: bad for case, bad in MATRIX.items() if case != "3-D"},
    ("logistic.binary_log_likelihood", "y"): {"signs": SIGNS, "a number": 1, "2-D": [[1]] * 5, "None": None},
    ("svm.margin_width", "theta"): {**NOT_NUMBERS, "2-D": np.ones((2, 2))} | WITHOUT_ZERO,
    ("svm.quadratic_program", "X"): FINITE,
    ("softmax.softmax", "S"): NOT_NUMBERS | {"a number": 1.0, "no classes": np.zeros((3, 0))},
    ("softmax.one_hot", "y"): {"too large": [0, 3], "negative": [-1], "fractions": [0.5], "2-D": [[0]], "None": None},
    **{(f"softmax.{name}", "y"): OF_CLASSES for name in ("cross_entropy", "cross_entropy_grad", "softmax_risk")},
    **{(f"softmax.{name}", "y"): OF_CLASSES for name in ("softmax_risk_grad", "softmax_risk_hess")},
    **{(f"softmax.{name}", "theta_0"): VECTOR for name in ("class_scores", "softmax_risk", "softmax_risk_grad")},
    ("softmax.softmax_risk_hess", "theta_0"): VECTOR,
    **{(f"representer.{name}", "y"): VECTOR for name in ("regularised_risk", "span_coefficients", "kernel_risk")},
    **{(f"representer.{name}", "y"): VECTOR for name in ("kernel_risk_grad", "kernel_sgd_step", "functional_step")},
    ("representer.span_coefficients", "lam"): BAD_LAM | {"0": 0.0},
}
TRUSTED = {"offset", "tol", "steps", "walk", "T"}  # taken as a flag, compared with, or made by the package
CASES = [
    (name, argument, case)
    for name, good in GOOD.items()
    for argument in sorted(good.keys() - TRUSTED)
    for case in BAD_FOR.get((name, argument), BAD[argument])
]


def public(name):
    """The function of that name, as in "margins.scores"."""
    module, function = name.split(".")
    return getattr(import_module(f"linclass.{module}"), function)


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


def bad_labels(name):
    """What a learner refuses for labels."""
    return BAD_Y | (BAD_CLASSES if name in TAKE_OTHER_LABELS else BAD_SIGNS)


@pytest.mark.parametrize(("name", "case"), [(name, case) for name in LEARNERS for case in bad_labels(name)])
def test_learner_refuses_bad_labels(name, case):
    fit, _ = LEARNERS[name]
    must_refuse(fit, ("y",), X, bad_labels(name)[case])


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


@pytest.mark.parametrize(("name", "argument", "case"), CASES)
def test_function_refuses_bad_input(name, argument, case):
    good = GOOD[name]
    bad = BAD_FOR.get((name, argument), BAD[argument])[case]
    # Two arguments that do not fit each other may both be to blame.
    blamed = set(good) if case in ("wrong length", "wrong columns", "wrong size") else {argument}
    must_refuse(public(name), blamed, **good | {argument: bad})


@pytest.mark.parametrize("name", GOOD)
def test_the_good_arguments_are_good(name):
    public(name)(**GOOD[name])


def test_every_public_function_is_in_the_table():
    modules = "margins losses kernels conventions risk descent newton perceptron separability logistic svm representer "
    modules += "softmax gradcheck"
    functions = {
        f"{module}.{name}"
        for module in modules.split()
        for name in import_module(f"linclass.{module}").__all__
        if inspect.isfunction(public(f"{module}.{name}"))
    }
    elsewhere = {f"{module}.{name}" for module in modules.split() for name in [*LEARNERS, "kernel_sgd"]}
    assert functions - elsewhere == GOOD.keys(), functions - elsewhere ^ GOOD.keys()


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
