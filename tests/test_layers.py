"""The package's shape: imports go one way, importing stays light, and the public names stay."""

import ast
import graphlib
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import linclass

PACKAGE = Path(linclass.__file__).parent

# A module imports only from lines above its own or, on its own line, from the left. One thing alone looks downwards:
# `_plug`, which finds a learner's fast twin by its name, when it is called.
ORDER = """
_checks _plug _rows
margins losses kernels conventions
risk
fit
descent newton
perceptron separability logistic svm representer softmax
_fast
gradcheck datasets plots show explore assignments estimators
"""
PLACE = {module: place for place, module in enumerate(ORDER.split())}
# What may load more than NumPy; everything else is what a fit needs.
HEAVY = {"plots", "explore", "assignments", "estimators"}


def modules():
    """The package's modules and subpackages, each with its Python files."""
    files = {path.stem: [path] for path in sorted(PACKAGE.glob("*.py")) if path.stem != "__init__"}
    return files | {path.parent.name: sorted(path.parent.rglob("*.py")) for path in PACKAGE.glob("*/__init__.py")}


def imported(source, known):
    """The modules of the package that a source text imports, wherever in the text, functions included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for parts in (name.split(".") for name in names):
            if parts[0] == "linclass":
                yield from set(parts[1:2]) & set(known)


def against_the_order(sources):
    """Every import that goes the wrong way, as a sentence; and every module that has no place yet."""
    for module in sources:
        if module not in PLACE:
            yield f"linclass.{module} has no place in the order of the layers"
            continue
        others = set(imported(sources[module], sources)) - {module}
        for other in sorted(others & PLACE.keys(), key=PLACE.get):
            if PLACE[other] > PLACE[module]:
                yield f"linclass.{module} imports linclass.{other}, which comes after it in the order of the layers"


def test_imports_go_one_way():
    sources = {module: "\n".join(path.read_text("utf-8") for path in files) for module, files in modules().items()}
    wrong = list(against_the_order(sources))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "sources, complaint",
    [
        ({"losses": "from linclass import logistic", "logistic": ""}, "linclass.losses imports linclass.logistic"),
        ({"losses": "import linclass.risk", "risk": ""}, "linclass.losses imports linclass.risk"),
        ({"risk": "def f():\n    from linclass.fit import Fit", "fit": ""}, "linclass.risk imports linclass.fit"),
        ({"margins": "from linclass import losses", "losses": ""}, "linclass.margins imports linclass.losses"),
        ({"svm": "from linclass._fast import smo", "_fast": ""}, "linclass.svm imports linclass._fast"),
        ({"_rows": "from linclass import risk", "risk": ""}, "linclass._rows imports linclass.risk"),
        ({"_checks": "from linclass import margins", "margins": ""}, "linclass._checks imports linclass.margins"),
        ({"quantum": ""}, "linclass.quantum has no place"),
    ],
)
def test_an_import_the_wrong_way_is_named(sources, complaint):
    (sentence,) = against_the_order(sources)
    assert complaint in sentence


def test_an_import_the_right_way_passes():
    sources = {"losses": "", "_fast": "from linclass import risk, svm", "risk": "from linclass import losses, _checks"}
    assert list(against_the_order(sources | {"_checks": "", "svm": "from linclass import risk, losses"})) == []


@pytest.mark.parametrize("package", ["_fast", "_rows"])
def test_the_files_behind_a_door_import_each_other_in_one_direction(package):
    graph = {}
    for path in PACKAGE.joinpath(package).glob("*.py"):
        names = re.findall(rf"from linclass\.{package}(?:\.(\w+))? import ([\w, ]+)", path.read_text("utf-8"))
        graph[path.stem] = {name.strip() for one, more in names for name in ([one] if one else more.split(","))}
    assert len(graph) > 3
    list(graphlib.TopologicalSorter(graph).static_order())  # raises on a circle


def test_a_twin_takes_what_the_plain_one_takes():
    """Every line `@faster("module.name")` leads to a function with the same arguments."""
    found = 0
    for path in sorted(PACKAGE.glob("*.py")):
        for twin, name in re.findall(r'@faster\("([\w.]+)"\)\ndef (\w+)', path.read_text("utf-8")):
            module, function = twin.split(".")
            fast = getattr(import_module(f"linclass._fast.{module}"), function)
            plain = getattr(import_module(f"linclass.{path.stem}"), name).plain
            assert list(inspect.signature(fast).parameters) == list(inspect.signature(plain).parameters), twin
            found += 1
    assert found >= 5


LOADS = """
import importlib, sys
import linclass
for name in ["linclass", *sys.argv[1:]]:
    importlib.import_module(name)
    heavy = {"matplotlib", "scipy", "sklearn", "pandas", "statsmodels", "dask"} & sys.modules.keys()
    if heavy:
        sys.exit(f"import {name} loads {', '.join(sorted(heavy))}")
"""


def test_what_a_fit_needs_loads_numpy_alone():
    in_order = sorted(modules(), key=lambda module: PLACE.get(module, len(PLACE)))
    light = [f"linclass.{module}" for module in in_order if module not in HEAVY]
    run = subprocess.run([sys.executable, "-c", LOADS, *light], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_nothing_is_given_a_second_name():
    """The modules are the public surface; the package itself re-exports no formula and no learner."""
    functions = {name for names in NAMES.values() for name in names if name not in modules()}
    assert functions & set(vars(linclass)) == set()


# --- The public names, with the arguments that stay --------------------------------------------------------------

LOSS_NAMES = ["zero_one", "perceptron", "hinge", "logistic", "exponential", "squared", "modified_squared"]
PUBLIC = {
    "margins": """
        scores(theta, theta_0, X)
        margins(theta, theta_0, X, y)
        predict(theta, theta_0, X)
        signed_distances(theta, theta_0, X)
        cosines(theta, X)
        zero_one_error(theta, theta_0, X, y)
        affine_features(X)
        quadratic_features(X)
        LinearClassifier(theta, theta_0)""",
    "losses": "\n".join(
        [f"{name}_loss(z)" for name in LOSS_NAMES]
        + [f"{name}_slope(z)" for name in LOSS_NAMES[1:]]
        + [f"{name}_curvature(z)" for name in LOSS_NAMES[3:]]
        + [name.upper() for name in LOSS_NAMES]
        + ["Loss", "ScoreLoss", "on_scores(loss)", "SQUARED_ERROR", "weighted(loss, w)"]
    ),
    "risk": """
        risk(theta, theta_0, X, y, loss, lam=0.0)
        risk_grad(theta, theta_0, X, y, loss, lam=0.0)
        risk_hess(theta, theta_0, X, y, loss, lam=0.0)""",
    "fit": "Fit\nMinimum\nRoot",
    "descent": """
        gradient_descent(value, grad, start, *, eta=None, tol, max_steps)
        constant_step(eta)
        inverse_step(scale=1.0, shift=0.0)
        inverse_sqrt_step(scale=1.0)
        fit_sgd(X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True)""",
    "newton": """
        newton_root(f, slope, start)
        newton(value, grad, hess, start)
        Root""",
    "perceptron": """
        perceptron_step(theta, theta_0, x, y)
        threshold_step
        fit_perceptron(X, y, *, max_epochs=1000, offset=True)""",
    "separability": """
        find_separator(X, y)
        Separation(kind, theta, theta_0, weights)""",
    "logistic": """
        sigmoid(z)
        log_odds(p)
        log_likelihood(theta, theta_0, X, y)
        fit_logistic(X, y, *, lam=0.0, offset=True)""",
    "svm": """
        fit_svm(X, y, *, lam, offset=True)
        slacks(theta, theta_0, X, y)
        dual_objective(dual, K, y)
        quadratic_program(X, y, C)""",
    "kernels": """
        linear_kernel(X, Z)
        polynomial_kernel(X, Z, degree, constant)
        rbf_kernel(X, Z, tau)
        min_kernel(x, z)
        random_fourier_features(X, tau, count, rng)""",
    "representer": """
        kernel_risk(alpha, K, y, loss, lam, theta_0=0.0)
        kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0)
        kernel_sgd(K, y, loss, *, lam, eta, steps, rng)
        fit_kernel_svm(X, y, kernel, *, lam, offset=True)
        fit_kernel_logistic(X, y, kernel, *, lam, offset=True)
        span_coefficients(theta, theta_0, X, y, loss, lam)
        KernelClassifier(alpha, theta_0, X, kernel)""",
    "softmax": """
        softmax(S)
        log_softmax(S)
        one_hot(y, n_classes)
        cross_entropy(logits, y)
        softmax_risk(Theta, theta_0, X, y, lam=0.0)
        softmax_risk_grad(Theta, theta_0, X, y, lam=0.0)
        fit_softmax(X, y, *, lam=0.0, offset=True)""",
    "conventions": """
        lam_from_C(C, n)
        C_from_lam(lam, n)
        signs_from_binary(y)
        binary_from_signs(y)
        lam_from_summed(lam_summed, n)
        summed_from_lam(lam, n)
        lam_from_unhalved(weight)
        unhalved_from_lam(lam)
        sum_from_mean(mean, n)
        mean_from_sum(total, n)
        gamma_from_tau(tau)
        tau_from_gamma(gamma)""",
    "gradcheck": """
        numeric_grad(value, point)
        numeric_hess(grad, point)
        grad_error(value, grad, point)
        convexity_witness(f, points)""",
    "show": "show(function)",
}
NAMES = {
    module: {line.split("(")[0].strip(): line.strip() for line in lines.strip().splitlines()}
    for module, lines in PUBLIC.items()
}


def promised(call):
    """The signature that a line of the table promises."""
    name = call.split("(")[0]
    arguments = call.removeprefix(name)
    # A keyword without a default in the table may have one in the package: only its name is promised.
    return inspect.signature(eval(f"lambda {arguments[1:-1]}: None")) if arguments else None


@pytest.mark.parametrize("module", sorted(name for name in PLACE if not name.startswith("_")))
def test_a_public_module_says_what_it_offers(module):
    """What is promised, and what the book's ledger leads to, is among it; nothing private is."""
    imported = import_module(f"linclass.{module}")
    offered = imported.__all__
    assert set(NAMES.get(module, ())) <= set(offered)
    assert all(hasattr(imported, name) and not name.startswith("_") for name in offered)
    own = [item for item in vars(imported).items() if getattr(item[1], "__module__", "") == f"linclass.{module}"]
    labelled = {name for name, item in own if "Book: " in (getattr(item, "__doc__", "") or "")}
    assert {name for name in labelled if not name.startswith("_")} <= set(offered)


@pytest.mark.parametrize("module, name", [(module, name) for module, names in NAMES.items() for name in names])
def test_public_names_stay(module, name):
    public = getattr(import_module(f"linclass.{module}"), name, None)
    assert public is not None, f"linclass.{module}.{name} is gone"
    promise = promised(NAMES[module][name])
    if promise is None:
        return
    actual = inspect.signature(public).parameters
    for place, (argument, wanted) in enumerate(promise.parameters.items()):
        assert argument in actual, f"linclass.{module}.{name} takes no {argument}"
        if wanted.kind is not wanted.KEYWORD_ONLY:
            assert list(actual)[place] == argument, f"linclass.{module}.{name}: {argument} is in another place"
        if wanted.default is not wanted.empty:
            assert actual[argument].default == wanted.default, f"linclass.{module}.{name}: {argument} has a new default"
    for argument in actual.keys() - promise.parameters.keys():
        assert actual[argument].default is not inspect.Parameter.empty, f"{module}.{name} now insists on {argument}"
