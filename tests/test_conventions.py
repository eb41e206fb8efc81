"""Each pair of converters undoes itself, and leads to the minimiser that scikit-learn's parameter leads to."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC

from linclass import conventions, losses, risk

NUMBERS = [1e-200, 1e-6, 0.1, 1.0, 37.0, 1e150]
PAIRS = [
    (lambda C: conventions.lam_from_C(C, 40), lambda lam: conventions.C_from_lam(lam, 40)),
    (lambda lam: conventions.summed_from_lam(lam, 40), lambda lam: conventions.lam_from_summed(lam, 40)),
    (conventions.unhalved_from_lam, conventions.lam_from_unhalved),
    (lambda mean: conventions.sum_from_mean(mean, 40), lambda total: conventions.mean_from_sum(total, 40)),
]


@pytest.mark.parametrize("there, back", PAIRS)
@pytest.mark.parametrize("number", NUMBERS)
def test_each_pair_undoes_itself(there, back, number):
    assert back(there(number)) == pytest.approx(number, rel=1e-15)
    assert there(back(number)) == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize("number", [1e-150, 1e-6, 0.1, 1.0, 37.0, 1e150])
def test_bandwidths_undo_themselves(number):
    assert conventions.tau_from_gamma(conventions.gamma_from_tau(number)) == pytest.approx(number, rel=1e-14)
    assert conventions.gamma_from_tau(conventions.tau_from_gamma(number)) == pytest.approx(number, rel=1e-14)


def test_bandwidths_out_of_range_give_the_limit():
    assert conventions.gamma_from_tau(1e200) == 0.0
    assert conventions.gamma_from_tau(1e-200) == np.inf


def test_specific_values():
    assert conventions.lam_from_C(0.5, 40) == 0.05
    assert conventions.C_from_lam(0.05, 40) == 0.5
    assert conventions.lam_from_summed(2.0, 40) == 0.05
    assert conventions.lam_from_unhalved(0.3) == 0.6
    assert conventions.sum_from_mean(0.5, 40) == 20.0
    assert conventions.gamma_from_tau(2.0) == 0.125
    np.testing.assert_array_equal(conventions.signs_from_binary([0, 1, 1]), [-1, 1, 1])
    np.testing.assert_array_equal(conventions.binary_from_signs([-1, 1, 1]), [0, 1, 1])


@pytest.mark.parametrize("y", [[0, 1, 1], [0.0, 1.0], [False, True], [1], []], ids=repr)
def test_labels_undo_themselves(y):
    signs = conventions.signs_from_binary(y)
    assert signs.dtype == np.float64
    np.testing.assert_array_equal(conventions.binary_from_signs(signs), y)


# --- Against scikit-learn ----------------------------------------------------------------------------------------


def our_minimiser(X, y, loss, lam, offset=True):
    """The minimiser of our risk by a general method: what each learner of the package must reach, too."""
    d = X.shape[1]

    def parts(v):
        return v[:d], v[d] if offset else 0.0

    def grad(v):
        gradient, slope = risk.risk_grad(*parts(v), X, y, loss, lam)
        return np.append(gradient, slope) if offset else gradient

    def value(v):
        return risk.risk(*parts(v), X, y, loss, lam)

    found = minimize(value, np.zeros(d + offset), jac=grad, method="BFGS", options={"gtol": 1e-10})
    return found.x


def hinge_minimiser(X, y, lam, offset=True):
    """The hinge risk's minimiser as the quadratic program it is: slacks beside (theta, theta_0)."""
    n, d = X.shape
    A = np.column_stack([y[:, None] * X, y * offset, np.eye(n)])
    start = np.concatenate([np.zeros(d + 1), np.ones(n)])
    found = minimize(
        lambda v: v[d + 1 :].mean() + lam / 2 * v[:d] @ v[:d],
        start,
        jac=lambda v: np.concatenate([lam * v[:d], [0.0], np.full(n, 1 / n)]),
        bounds=[(None, None)] * (d + 1) + [(0, None)] * n,
        constraints={"type": "ineq", "fun": lambda v: A @ v - 1, "jac": lambda v: A},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success, found.message
    return found.x[: d + offset]


@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
def test_C_of_logistic_regression(problem, C):
    X, y = problem
    theirs = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(X, y)
    ours = our_minimiser(X, y, losses.LOGISTIC, conventions.lam_from_C(C, len(y)))
    np.testing.assert_allclose(ours, np.append(theirs.coef_[0], theirs.intercept_), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("C", [0.05, 1.0])
def test_C_of_svc(problem, C):
    X, y = problem
    theirs = SVC(kernel="linear", C=C, tol=1e-10).fit(X, y)
    lam = conventions.lam_from_C(C, len(y))
    ours = hinge_minimiser(X, y, lam)
    np.testing.assert_allclose(ours[:3], theirs.coef_[0], rtol=1e-3, atol=1e-4)
    # The offset need not be unique: the two may differ, the risk at them may not.
    reached = risk.risk(theirs.coef_[0], theirs.intercept_[0], X, y, losses.HINGE, lam)
    assert risk.risk(ours[:3], ours[3], X, y, losses.HINGE, lam) == pytest.approx(reached, rel=1e-6)


def test_C_of_linear_svc(problem):
    X, y = problem
    theirs = LinearSVC(loss="hinge", C=0.5, tol=1e-10, max_iter=1_000_000, fit_intercept=False).fit(X, y)
    ours = hinge_minimiser(X, y, conventions.lam_from_C(0.5, len(y)), offset=False)
    np.testing.assert_allclose(ours, theirs.coef_[0], rtol=1e-3, atol=1e-4)


def test_alpha_of_sgd_classifier_is_our_lam(problem):
    """Stochastic steps do not reach the minimiser exactly; with the wrong factor they would settle elsewhere."""
    X, y = problem
    X, lam = X / X.std(axis=0), 0.1
    sgd = SGDClassifier(loss="log_loss", alpha=lam, fit_intercept=False, max_iter=3000, tol=None, random_state=0)
    reached = sgd.fit(X, y).coef_[0]
    distance = {
        factor: np.linalg.norm(reached - our_minimiser(X, y, losses.LOGISTIC, factor * lam, offset=False))
        for factor in (0.5, 1, 2)
    }
    assert distance[1] < 0.02
    assert min(distance[0.5], distance[2]) > 10 * distance[1]


def test_a_penalty_beside_the_sum_or_without_the_half(problem):
    """The three ways to write one penalty have one minimiser."""
    X, y = problem
    n, weight = len(y), 3.0

    def summed_and_unhalved(v):
        margins = y * (X @ v[:3] + v[3])
        return np.sum(np.logaddexp(0, -margins)) + weight * v[:3] @ v[:3]

    theirs = minimize(summed_and_unhalved, np.zeros(4), method="BFGS", options={"gtol": 1e-7}).x
    lam = conventions.lam_from_summed(conventions.lam_from_unhalved(weight), n)
    np.testing.assert_allclose(our_minimiser(X, y, losses.LOGISTIC, lam), theirs, rtol=1e-4, atol=1e-5)
    assert lam == pytest.approx(2 * weight / n)


def test_gamma_of_the_rbf_kernel(rng):
    X, Z, tau = rng.normal(size=(4, 3)), rng.normal(size=(5, 3)), 0.7
    squares = np.sum((X[:, None, :] - Z[None, :, :]) ** 2, axis=2)
    np.testing.assert_allclose(
        rbf_kernel(X, Z, gamma=conventions.gamma_from_tau(tau)), np.exp(-squares / (2 * tau**2)), rtol=1e-12
    )


# --- Inputs ------------------------------------------------------------------------------------------------------

BAD = [
    (lambda: conventions.lam_from_C(0, 10), "C must be a finite number > 0"),
    (lambda: conventions.lam_from_C(-1.0, 10), "C must be a finite number > 0"),
    (lambda: conventions.lam_from_C(np.inf, 10), "C must be a finite number > 0"),
    (lambda: conventions.lam_from_C(1.0, 0), "n must be a number of examples, or a sum of weights, > 0"),
    (lambda: conventions.lam_from_C(1.0, True), "n must be a number of examples, or a sum of weights, > 0; got bool"),
    (lambda: conventions.C_from_lam(0.0, 10), "lam must be a finite number > 0"),
    (lambda: conventions.lam_from_summed(-1.0, 10), "lam_summed must be a finite number >= 0"),
    (lambda: conventions.summed_from_lam(np.nan, 10), "lam must be a finite number >= 0"),
    (lambda: conventions.lam_from_unhalved("1"), "weight must be real numbers"),
    (lambda: conventions.unhalved_from_lam(None), "lam must be real numbers"),
    (lambda: conventions.sum_from_mean([1.0], 10), "mean must be a single number"),
    (lambda: conventions.mean_from_sum(1.0, None), "n must be a number of examples, or a sum of weights, > 0"),
    (lambda: conventions.gamma_from_tau(0.0), "tau must be a finite number > 0"),
    (lambda: conventions.tau_from_gamma(-1.0), "gamma must be a finite number > 0"),
    (lambda: conventions.signs_from_binary([-1, 1]), "y must be labels 0 and 1; got the values {-1, 1}"),
    (lambda: conventions.signs_from_binary(["no"]), "y must be labels 0 and 1"),
    (lambda: conventions.binary_from_signs([0, 1]), "y must be a vector of labels -1 and +1"),
]


@pytest.mark.parametrize("call, message", BAD, ids=[message for _, message in BAD])
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("n", [0, -1, np.inf, np.nan, None, "3"])
def test_n_is_a_number_of_examples(n):
    for convert in ("lam_from_C", "C_from_lam", "lam_from_summed", "summed_from_lam", "sum_from_mean", "mean_from_sum"):
        with pytest.raises(ValueError, match=r"^n must be a number of examples, or a sum of weights, > 0"):
            getattr(conventions, convert)(0.5, n)
