"""What the learners are held to: data that no one here made, random data of odd shapes, and other people's solvers.

The objectives are written out again here, so that a slip in the package cannot hide in its own mirror.
"""

import functools
import importlib
import os
import warnings

import numpy as np
import scipy.optimize
import sklearn.datasets
from sklearn.linear_model import LogisticRegression


def signs(condition):
    """+1 where true, -1 elsewhere."""
    return np.where(condition, 1.0, -1.0)


def _statsmodels(name, target, label):
    """A data set of statsmodels as (X, y): y is +1 where `label` of the target column(s) holds."""
    data = importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data
    columns = [target] if isinstance(target, str) else list(target)
    return data.drop(columns=columns).to_numpy(float), signs(label(*(data[c].to_numpy() for c in columns)))


def _above_median(values):
    return values > np.median(values)


@functools.cache
def two_class_data():
    """name -> (X, y in {-1, +1}), all shipped inside scikit-learn or statsmodels, with their own units."""
    iris, wine = sklearn.datasets.load_iris(), sklearn.datasets.load_wine()
    cancer, digits = sklearn.datasets.load_breast_cancer(), sklearn.datasets.load_digits()
    diabetes, linnerud = sklearn.datasets.load_diabetes(), sklearn.datasets.load_linnerud()
    some = np.isin(digits.target, (3, 8))
    return {
        "iris 0/1": (iris.data[:100], signs(iris.target[:100] == 1)),
        "iris 1/2": (iris.data[50:], signs(iris.target[50:] == 2)),
        "wine": (wine.data, signs(wine.target == 1)),
        "breast cancer": (cancer.data, signs(cancer.target == 0)),
        "digits 3/8": (digits.data[some], signs(digits.target[some] == 8)),
        "diabetes": (diabetes.data, signs(_above_median(diabetes.target))),
        "linnerud": (linnerud.data, signs(_above_median(linnerud.target[:, 0]))),
        "spector": _statsmodels("spector", "GRADE", lambda v: v == 1),
        "anes96": _statsmodels("anes96", "vote", lambda v: v == 1),
        "fair": _statsmodels("fair", "affairs", lambda v: v > 0),
        "heart": _statsmodels("heart", "censors", lambda v: v == 1),
        "ccard": _statsmodels("ccard", "AVGEXP", _above_median),
        "randhie": _statsmodels("randhie", "mdvis", lambda v: v > 0),
        "star98": _statsmodels("star98", ("NABOVE", "NBELOW"), lambda above, below: above > below),
        "modechoice": _statsmodels("modechoice", "choice", lambda v: v == 1),
        "scotland": _statsmodels("scotland", "YES", _above_median),
        "longley": _statsmodels("longley", "TOTEMP", _above_median),
        "stackloss": _statsmodels("stackloss", "STACKLOSS", _above_median),
    }


@functools.cache
def many_class_data():
    """name -> (X, y in 0 .. n_classes-1), shipped inside scikit-learn or statsmodels."""
    sets = {name: getattr(sklearn.datasets, f"load_{name}")() for name in ("iris", "wine", "digits")}
    anes = importlib.import_module("statsmodels.datasets.anes96").load_pandas().data
    fair = importlib.import_module("statsmodels.datasets.fair").load_pandas().data[:1500]
    return {
        "iris": (sets["iris"].data, sets["iris"].target),
        "wine": (sets["wine"].data, sets["wine"].target),
        "digits": (sets["digits"].data[:600], sets["digits"].target[:600]),
        "anes96": (anes.drop(columns="PID").to_numpy(float), anes["PID"].to_numpy(int)),
        "fair": (fair.drop(columns="rate_marriage").to_numpy(float), fair["rate_marriage"].to_numpy(int) - 1),
    }


def odd_data(seed):
    """One of 20 kinds of random data with an odd shape, by its seed: (name, X, y)."""
    rng = np.random.default_rng(1000 + seed)
    kinds = [
        ("n < d", 8, 20), ("n = d", 12, 12), ("d = 1", 60, 1), ("n = 2", 2, 3), ("n = 3, d = 1", 3, 1),
        ("duplicated rows", 40, 3), ("duplicated columns", 60, 4), ("a constant column", 60, 3),
        ("scales 1e-6 to 1e6", 80, 7), ("scales 1e6, shifted", 80, 4), ("1:1000", 2002, 3), ("1:300 and d = 1", 301, 1),
        ("margins near 0", 50, 5), ("margins huge", 50, 5), ("all rows equal", 20, 3), ("integers", 90, 4),
        ("0/1 columns", 150, 6), ("heavy tails", 120, 4), ("nearly collinear", 100, 3), ("one outlier", 70, 2),
    ]  # fmt: skip
    name, n, d = kinds[seed % len(kinds)]
    X = rng.standard_normal((n, d))
    y = signs(X[:, 0] + 0.5 * rng.standard_normal(n) > 0)
    if name == "duplicated rows":
        X, y = np.repeat(X, 3, axis=0), np.concatenate([y, -y, y])
    elif name == "duplicated columns":
        X = np.column_stack([X, X[:, :2], -4 * X[:, 0]])  # exactly so: a factor of 3 would round
    elif name == "a constant column":
        X[:, 1] = 7.0
    elif name == "scales 1e-6 to 1e6":
        X = X * 10.0 ** np.linspace(-6, 6, d)
    elif name == "scales 1e6, shifted":
        X = X * [1.0, 1e6, 1e-6, 1.0] + [100.0, -1e7, 1e-5, 0.0]
    elif name.startswith("1:"):
        y = signs(np.arange(n) % (n // (2 if n > 1000 else 1)) == n // 3)
    elif name == "margins near 0":
        X = 1e-9 * X
    elif name == "margins huge":
        X = 1e9 * X
    elif name == "all rows equal":
        X[:] = X[0]
    elif name == "integers":
        X = rng.integers(-3, 4, (n, d)).astype(float)
    elif name == "0/1 columns":
        X = (X > 0.5).astype(float)
    elif name == "heavy tails":
        X = rng.standard_cauchy((n, d))
    elif name == "nearly collinear":
        X[:, 2] = X[:, 0] + 1e-5 * X[:, 2]
    elif name == "one outlier":
        X[0], y[0] = [1e4, -1e4], -1.0
    y[:2] = [1.0, -1.0]
    return name, X, y


def logistic_objective(theta, theta_0, X, y, lam):
    """Mean of log(1 + exp(-margin)) plus lam/2 |theta|^2."""
    return np.mean(np.logaddexp(0, -y * (X @ theta + theta_0))) + lam / 2 * theta @ theta


def softmax_objective(Theta, theta_0, X, y, lam):
    """Mean of log sum_k exp(s_k - s_y) plus lam/2 |Theta|^2."""
    S = X @ Theta.T + theta_0
    return np.mean(np.logaddexp.reduce(S - S[np.arange(len(y)), y][:, None], axis=1)) + lam / 2 * np.sum(Theta**2)


def by_scikit_learn(X, y, lam, offset, solver):
    """(theta, theta_0), or (Theta, theta_0) for many classes, of LogisticRegression; lam > 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = LogisticRegression(
            C=1 / (len(X) * lam), tol=1e-10, max_iter=2000, solver=solver, fit_intercept=offset
        ).fit(X, y)
    return (fit.coef_[0], fit.intercept_[0]) if len(fit.coef_) == 1 else (fit.coef_, fit.intercept_)


def by_scipy(X, y, lam, offset):
    """(theta, theta_0) of scipy.optimize's trust-region Newton method on columns scaled to curvature 1."""
    centre = X.mean(axis=0) * offset
    scale = np.sqrt(np.mean((X - centre) ** 2, axis=0) + lam)
    scale[scale <= 1e-12 * np.abs(centre)] = 1.0
    A = np.column_stack([(X - centre) / scale, np.ones(len(X))])[:, : X.shape[1] + offset]
    penalty = np.append(lam / scale**2, 0.0)[: A.shape[1]]

    def value_and_grad(u):
        z = y * (A @ u)
        p = np.exp(-np.logaddexp(0, z))
        return np.mean(np.logaddexp(0, -z)) + penalty @ u**2 / 2, -A.T @ (y * p) / len(y) + penalty * u

    def hess(u):
        p = np.exp(-np.logaddexp(0, A @ u))
        return A.T @ ((p * (1 - p))[:, None] * A) / len(y) + np.diag(penalty)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        u = scipy.optimize.minimize(
            value_and_grad, np.zeros(A.shape[1]), jac=True, hess=hess, method="trust-exact",
            options={"gtol": 1e-13, "maxiter": 300},
        ).x  # fmt: skip
    u = np.append(u, 0.0)[: X.shape[1] + 1]
    theta = u[:-1] / scale
    return theta, u[-1] - centre @ theta


def rounds(default):
    """How many examples a property test tries: `default`, or LINCLASS_EXAMPLES for a longer search."""
    return int(os.environ.get("LINCLASS_EXAMPLES", default))


def by_statsmodels(X, y):
    """(theta, theta_0), standard errors (offset last) and log-likelihood of statsmodels' Logit at its maximum."""
    import statsmodels.api as sm

    # Scaled columns keep its Hessian well posed; parameters and errors are scaled back.
    scale = np.abs(X).max(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = sm.Logit((y + 1) / 2, np.column_stack([X / scale, np.ones(len(X))])).fit(disp=0, maxiter=200, tol=1e-12)
    back = np.append(scale, 1.0)
    return fit.params / back, fit.bse / back, fit.llf
