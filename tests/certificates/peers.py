"""Where a learner did not certify its answer: is it at the minimum, and who else is? One judge for all."""

import warnings
from types import SimpleNamespace

import clarabel
import numpy as np
import scipy.sparse
from certificates import judge
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from statsmodels.discrete.discrete_model import Logit


def found(problem, fit):
    """Whose answers are at the minimum, "ours" for the fit itself, and "tried"; or nothing if there is no minimum."""
    if problem.w is not None or problem.learner not in PEERS:
        return []
    names = ["tried"]
    for name, solve in ({"ours": lambda _: fit.model} | PEERS[problem.learner]).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                model = solve(problem)
            except Exception:  # whatever stops a peer, it has found nothing
                continue
        kind, detail = judge.judge(problem, SimpleNamespace(model=model, converged=True)) if model else ("", "")
        if judge.NO_MINIMUM in detail:
            return []
        names += [name] if kind == "held" else []
    return names


def _linear(theta, theta_0):
    return SimpleNamespace(theta=np.ravel(theta), theta_0=float(np.ravel(theta_0)[0]))


def _regression(problem, X, solver):
    """The coefficients and the intercepts of scikit-learn's logistic regression."""
    binary = len(np.unique(problem.y)) == 2
    lam = problem.lam / 2 if problem.learner == "softmax" and binary else problem.lam
    C = 1 / (len(X) * lam) if lam else np.inf
    options = {"solver": solver, "tol": 1e-10, "max_iter": 10_000}
    found = LogisticRegression(C=C, fit_intercept=problem.offset, **options).fit(X, problem.y)
    return found.coef_, np.broadcast_to(found.intercept_, len(found.coef_))


def _as_model(problem, coef, intercept):
    """What the learner would return."""
    if problem.learner == "logistic":
        return _linear(coef, intercept)
    if len(coef) == 1:  # two classes
        coef, intercept = np.r_[-coef, coef] / 2, np.r_[-intercept, intercept] / 2
    return SimpleNamespace(Theta=coef, theta_0=intercept)


def lbfgs(problem):
    """scikit-learn's L-BFGS on the data as they are."""
    return _as_model(problem, *_regression(problem, problem.X, "lbfgs"))


def newton_cholesky(problem):
    """scikit-learn's Newton method on the data as they are."""
    return _as_model(problem, *_regression(problem, problem.X, "newton-cholesky"))


def standardised(problem):
    """scikit-learn's Newton method on standardised columns; with a penalty that would be another problem."""
    if problem.lam:
        return None
    centre = problem.X.mean(axis=0) if problem.offset else np.zeros(problem.X.shape[1])
    scale = problem.X.std(axis=0)
    scale[scale == 0] = 1.0
    coef, intercept = _regression(problem, (problem.X - centre) / scale, "newton-cholesky")
    return _as_model(problem, coef / scale, intercept - (coef / scale) @ centre)


def statsmodels(problem):
    """statsmodels' maximum likelihood, without a penalty only."""
    if problem.lam:
        return None
    A = np.c_[problem.X, np.ones(len(problem.X))] if problem.offset else problem.X
    w = Logit((problem.y > 0).astype(float), A).fit(method="newton", maxiter=200, disp=0).params
    return _linear(w[: problem.X.shape[1]], w[-1] if problem.offset else 0.0)


def svc(problem):
    """LIBSVM, which has no way without an offset."""
    if not problem.offset:
        return None
    options = {"C": 1 / (len(problem.y) * problem.lam), "tol": 1e-9, "max_iter": 1_000_000}
    if not problem.kernel:
        found = SVC(kernel="linear", **options).fit(problem.X, problem.y)
        return _linear(found.coef_, found.intercept_)
    K = judge.kernel_function(problem.kernel)(problem.X, problem.X)
    found = SVC(kernel="precomputed", **options).fit(K, problem.y)
    alpha = np.zeros(len(K))
    alpha[found.support_] = found.dual_coef_[0]
    return SimpleNamespace(alpha=alpha, theta_0=float(found.intercept_[0]))


def interior(problem):
    """Clarabel on the slack form."""
    X, y, (n, d) = problem.X, problem.y, problem.X.shape
    m = d + problem.offset
    A = np.c_[X, np.ones(n)][:, :m]
    P = scipy.sparse.diags_array(np.r_[np.full(d, problem.lam), np.zeros(m - d + n)]).tocsc()
    q = np.r_[np.zeros(m), np.full(n, 1 / n)]
    rows = np.block([[-y[:, None] * A, -np.eye(n)], [np.zeros((n, m)), -np.eye(n)]])
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.tol_gap_rel, settings.tol_gap_abs, settings.tol_feas = False, 1e-12, 1e-14, 1e-12
    cones = [clarabel.NonnegativeConeT(2 * n)]
    b = np.r_[-np.ones(n), np.zeros(n)]
    w = np.array(clarabel.DefaultSolver(P, q, scipy.sparse.csc_matrix(rows), b, cones, settings).solve().x)
    return _linear(w[:d], w[d] if problem.offset else 0.0)


REGRESSION = {"lbfgs": lbfgs, "newton-cholesky": newton_cholesky, "standardised": standardised}
PEERS = {
    "logistic": REGRESSION | {"statsmodels": statsmodels},
    "softmax": REGRESSION,
    "svm": {"SVC": svc, "Clarabel": interior},
    "kernel_svm": {"SVC": svc},
}
