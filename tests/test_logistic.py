"""Logistic regression: identities, optimality, outside oracles, and data without a maximiser."""

import mpmath
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linclass import conventions, datasets, gradcheck, logistic, losses, margins, newton, risk, separability, softmax

REAL = oracles.two_class_data()
SEPARABLE = {"iris 0/1", "wine", "breast cancer", "digits 3/8", "scotland", "longley", "stackloss"}
Z = np.concatenate([np.linspace(-40, 40, 81), [-1e4, -800, -1e-300, 0.0, 1e-300, 800, 1e4]])


@pytest.mark.ledger("eq-sigmoid")
def test_sigmoid_against_mpmath():
    with mpmath.workdps(40):
        exact = [float(1 / (1 + mpmath.exp(-mpmath.mpf(float(z))))) for z in Z]
    np.testing.assert_allclose(logistic.sigmoid(Z), exact, rtol=1e-15, atol=1e-323)
    assert logistic.sigmoid(-np.inf) == 0 and logistic.sigmoid(np.inf) == 1 and np.isnan(logistic.sigmoid(np.nan))
    assert logistic.sigmoid(0.0) == 0.5 and logistic.sigmoid(np.zeros((2, 3))).shape == (2, 3)


@pytest.mark.ledger("thm-sigmoid-identities")
def test_sigmoid_identities():
    g = logistic.sigmoid
    np.testing.assert_allclose(g(Z) + g(-Z), 1.0, rtol=1e-15)
    np.testing.assert_allclose(losses.logistic_curvature(Z), g(Z) * g(-Z), rtol=1e-14, atol=1e-300)
    np.testing.assert_allclose(losses.logistic_slope(Z), -g(-Z), rtol=1e-15)
    z = np.linspace(-6, 6, 50)
    numeric = gradcheck.numeric_grad(lambda v: g(v).sum(), z)
    np.testing.assert_allclose(numeric, g(z) * (1 - g(z)), atol=1e-9)


@pytest.mark.ledger("eq-log-odds")
def test_log_odds_is_the_inverse():
    p = np.array([1e-300, 1e-9, 0.1, 0.5, 0.75, 1 - 1e-9])
    np.testing.assert_allclose(logistic.sigmoid(logistic.log_odds(p)), p, rtol=1e-12)
    assert logistic.log_odds(0.0) == -np.inf and logistic.log_odds(1.0) == np.inf and logistic.log_odds(0.5) == 0
    assert np.isnan(logistic.log_odds(np.nan))


@pytest.mark.ledger("eq-logistic-model")
def test_probabilities_are_the_sigmoid_of_the_score():
    X, y = datasets.logistic_sample([1.0, -1.0], 0.3, 200, np.random.default_rng(0))
    model = logistic.fit_logistic(X, y).model
    p = model.probabilities(X)
    np.testing.assert_allclose(logistic.log_odds(p), model.scores(X), rtol=1e-9)
    np.testing.assert_array_equal(p > 0.5, model.predict(X) > 0)  # the boundary is at probability 1/2
    # P(y | x) = sigmoid(y s) for either label
    np.testing.assert_allclose(np.where(y > 0, p, 1 - p), logistic.sigmoid(y * model.scores(X)), rtol=1e-12)


@pytest.mark.ledger("eq-log-likelihood")
@pytest.mark.ledger("thm-likelihood-is-risk")
def test_log_likelihood_is_minus_n_times_the_risk():
    rng = np.random.default_rng(1)
    X, y = datasets.logistic_sample([1.0, -1.0], 0.3, 50, rng)
    theta, theta_0 = rng.normal(size=2), 0.7
    likelihood = np.prod(logistic.sigmoid(margins.margins(theta, theta_0, X, y)))
    assert logistic.log_likelihood(theta, theta_0, X, y) == pytest.approx(np.log(likelihood), rel=1e-12)
    total = conventions.sum_from_mean(risk.risk(theta, theta_0, X, y, losses.LOGISTIC), 50)
    assert logistic.log_likelihood(theta, theta_0, X, y) == pytest.approx(-total, rel=1e-14)
    # The form for labels in {0, 1}: sum y log h + (1 - y) log (1 - h)
    h, b = logistic.sigmoid(X @ theta + theta_0), conventions.binary_from_signs(y)
    binary = np.sum(b * np.log(h) + (1 - b) * np.log(1 - h))
    assert logistic.log_likelihood(theta, theta_0, X, y) == pytest.approx(binary, rel=1e-12)


@pytest.mark.ledger("eq-logistic-grad")
def test_the_gradient_is_minus_the_mean_of_residual_times_x():
    rng = np.random.default_rng(2)
    X, y = datasets.logistic_sample([1.0, -1.0, 0.5], 0.3, 40, rng)
    theta, theta_0 = rng.normal(size=3), 0.7
    residual = conventions.binary_from_signs(y) - logistic.sigmoid(X @ theta + theta_0)
    grad, grad_0 = risk.risk_grad(theta, theta_0, X, y, losses.LOGISTIC)
    np.testing.assert_allclose(grad, -residual @ X / 40, rtol=1e-12)
    assert grad_0 == pytest.approx(-residual.mean())
    numeric = gradcheck.numeric_grad(lambda v: logistic.log_likelihood(v[:3], v[3], X, y), np.append(theta, theta_0))
    np.testing.assert_allclose(numeric, -40 * np.append(grad, grad_0), rtol=1e-7)


@pytest.mark.ledger("thm-residuals-orthogonal")
@pytest.mark.parametrize("name", sorted(set(REAL) - SEPARABLE))
def test_residuals_are_orthogonal_to_every_affine_function(name):
    X, y = REAL[name]
    fit = logistic.fit_logistic(X, y)
    assert fit.converged
    residual = conventions.binary_from_signs(y) - fit.model.probabilities(X)
    assert abs(residual.sum()) < 1e-7 * len(X)
    assert np.mean(fit.model.probabilities(X)) == pytest.approx(np.mean(y > 0), abs=1e-7)  # the base rate
    rng = np.random.default_rng(0)
    for _ in range(3):
        a, b = rng.normal(size=X.shape[1]) / np.abs(X).max(axis=0), rng.normal()
        assert abs(residual @ (X @ a + b)) < 1e-7 * len(X)


@pytest.mark.ledger("thm-penalised-residuals")
@pytest.mark.parametrize("name", ["iris 0/1", "spector", "diabetes", "heart"])
def test_with_a_penalty_they_sum_to_zero_and_balance_it(name):
    X, y = REAL[name]
    fit = logistic.fit_logistic(X, y, lam=0.1)
    residual = conventions.binary_from_signs(y) - fit.model.probabilities(X)
    assert abs(residual.sum()) < 1e-8 * len(X)
    np.testing.assert_allclose(residual @ X, len(X) * 0.1 * fit.model.theta, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("lam", [0.0, 1e-3, 1.0])
@pytest.mark.parametrize("name", REAL)
def test_real_data_against_other_solvers(name, lam):
    X, y = REAL[name]
    against_other_solvers(X, y, lam, lam > 0 or name not in SEPARABLE)


@pytest.mark.parametrize("seed", range(20))
def test_odd_data_against_other_solvers(seed):
    name, X, y = oracles.odd_data(seed)
    for lam in (1e-3, 1.0):
        against_other_solvers(X, y, lam, True)
    unique = name not in ("duplicated columns", "a constant column", "all rows equal")
    expected = separability.find_separator(X, y).kind == "none"
    against_other_solvers(X, y, 0.0, expected, unique)


@pytest.mark.parametrize("name", ["iris 1/2", "spector", "anes96"])
@pytest.mark.parametrize("lam", [0.0, 0.01])
def test_without_an_offset(name, lam):
    X, y = REAL[name]
    against_other_solvers(X, y, lam, True, offset=False)


def against_other_solvers(X, y, lam, expected, unique=True, offset=True):
    """Converged where a minimum exists; the objective is the best of all to 1e-8, the coefficients to 1e-5."""
    fit = logistic.fit_logistic(X, y, lam=lam, offset=offset)
    theta, theta_0 = fit.model.theta, fit.model.theta_0
    assert fit.converged == expected, fit.message
    if not expected:
        assert "separable" in fit.message and fit.standard_errors is None
        return
    # An older SciPy never comes back from an exactly singular Hessian: a trace of a penalty makes it regular.
    others = [oracles.by_scipy(X, y, lam if unique else 1e-9, offset)]
    if lam:
        others += [oracles.by_scikit_learn(X, y, lam, offset, solver) for solver in ("lbfgs", "newton-cholesky")]
    best = min(oracles.logistic_objective(*other, X, y, lam) for other in others)
    assert oracles.logistic_objective(theta, theta_0, X, y, lam) <= best * (1 + 1e-8)
    assert fit.history[-1] == pytest.approx(oracles.logistic_objective(theta, theta_0, X, y, lam), rel=1e-9)
    if unique:
        size = np.maximum(np.abs(X).max(axis=0), 1e-300)
        error = np.max(np.abs(theta - others[0][0]) * size)
        assert error <= 1e-5 * max(np.max(np.abs(theta) * size), 1e-6)


@pytest.mark.ledger("eq-standard-errors")
@pytest.mark.parametrize("name", sorted(set(REAL) - SEPARABLE))
def test_standard_errors_against_statsmodels(name):
    X, y = REAL[name]
    fit = logistic.fit_logistic(X, y)
    params, errors, llf = oracles.by_statsmodels(X, y)
    ours = np.append(fit.model.theta, fit.model.theta_0)
    assert fit.log_likelihood == pytest.approx(llf, rel=1e-9)
    np.testing.assert_allclose(ours, params, rtol=1e-5, atol=1e-5 * np.min(np.abs(errors)))
    np.testing.assert_allclose(fit.standard_errors, errors, rtol=1e-5)
    np.testing.assert_allclose(fit.z_values, ours / fit.standard_errors)


def test_standard_errors_only_where_they_mean_something():
    X, y = REAL["spector"]
    assert logistic.fit_logistic(X, y, lam=0.1).standard_errors is None
    assert logistic.fit_logistic(np.column_stack([X, X[:, 0]]), y).standard_errors is None
    assert logistic.fit_logistic(X, y, offset=False).standard_errors.shape == (3,)


@pytest.mark.ledger("thm-separable-no-maximiser")
@pytest.mark.parametrize("seed", range(6))
def test_along_a_separating_ray_the_likelihood_only_rises(seed):
    X, y = datasets.separable(50, np.random.default_rng(seed), 0.1 * seed)
    s = separability.find_separator(X, y)
    values = [logistic.log_likelihood(t * s.theta, t * s.theta_0, X, y) for t in (0, 1, 2, 4, 8, 16, 32, 64)]
    assert (np.diff(values) > 0).all() and values[-1] > -1e-10
    fit = logistic.fit_logistic(X, y)
    assert not fit.converged and "separable (completely)" in fit.message and fit.standard_errors is None
    assert logistic.fit_logistic(X, y, lam=1e-6).converged


@pytest.mark.ledger("thm-separable-no-maximiser")
def test_quasi_separation_is_told_apart():
    x, y = np.array([0.0, 1.0, 1.0, 2.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    fit = logistic.fit_logistic(x[:, None], y)
    assert not fit.converged and "separable (quasi-completely)" in fit.message
    rng = np.random.default_rng(0)
    X, y = datasets.two_gaussians(300, rng)
    rare = (y > 0) * (rng.random(300) < 0.05)  # a mark that only one class bears
    for scale in (1.0, 1e6, 1e-6):
        fit = logistic.fit_logistic(np.column_stack([X, scale * rare]), y)
        assert not fit.converged and "quasi" in fit.message
    assert logistic.fit_logistic(X, y).converged


@pytest.mark.ledger("thm-ridge-exists-unique")
def test_a_penalty_makes_the_minimiser_exist_and_be_one():
    X, y = datasets.separable(40, np.random.default_rng(1), 0.3)
    fit = logistic.fit_logistic(X, y, lam=0.01)
    answer = np.append(fit.model.theta, fit.model.theta_0)

    def value(w):
        return risk.risk(w[:-1], w[-1], X, y, losses.LOGISTIC, 0.01)

    def grad(w):
        return np.append(*risk.risk_grad(w[:-1], w[-1], X, y, losses.LOGISTIC, 0.01))

    def hess(w):
        return risk.risk_hess(w[:-1], w[-1], X, y, losses.LOGISTIC, 0.01)

    rng = np.random.default_rng(2)
    for _ in range(5):  # from anywhere to the same point, and higher everywhere else
        start = rng.normal(size=3)
        np.testing.assert_allclose(newton.newton(value, grad, hess, start).point, answer, atol=1e-5)
        assert value(answer + start) > value(answer)
        assert np.linalg.eigvalsh(hess(start)).min() > 0


@settings(max_examples=oracles.rounds(25), deadline=None, derandomize=True)
@given(
    st.integers(0, 10**6), st.integers(2, 40), st.integers(1, 8), st.sampled_from([0.0, 1e-6, 1e-2, 10.0]),
    st.sampled_from([np.float64, np.float32, np.int64]), st.integers(0, 6), st.booleans(),
)  # fmt: skip
def test_any_data_give_a_stationary_point_or_the_word_separable(seed, n, d, lam, dtype, power, offset):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * 3).astype(dtype)
    X = X * 10.0 ** rng.integers(-power, power + 1, d) if dtype is np.float64 else X
    y = rng.permutation(np.where(np.arange(n) % 2, 1, -1))
    fit = logistic.fit_logistic(X, y, lam=lam, offset=offset)
    X = np.asarray(X, float)
    w = -y * logistic.sigmoid(-y * fit.model.scores(X)) / n
    if fit.converged:
        size = np.abs(X).max(axis=0) + 1e-300
        balance = X.T @ w + lam * fit.model.theta
        assert (np.abs(balance) <= 1e-6 * size * np.abs(w).mean() * n + 1e-12 * size).all()
        assert not offset or abs(w.sum()) <= 1e-7
    else:
        assert lam == 0 and "separable" in fit.message


def test_two_fits_give_the_same_bytes_and_leave_the_data_alone():
    X, y = datasets.two_gaussians(500, np.random.default_rng(0))
    before = X.copy()
    first, _, second = (logistic.fit_logistic(X, y, lam=lam) for lam in (0.1, 1.0, 0.1))
    assert first.model.theta.tobytes() == second.model.theta.tobytes()
    assert first.history.tobytes() == second.history.tobytes()
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("lam", [0.0, 0.1])
@pytest.mark.parametrize("value", [0.0, 3.0])
def test_columns_that_do_not_vary_say_nothing(value, lam):
    """With an offset the answer is the share of each class; without one, and with nothing but zeros, one half."""
    X, y = np.full((6, 2), value), np.array([1.0, 1.0, 1.0, 1.0, -1.0, -1.0])
    fit = logistic.fit_logistic(X, y, lam=lam)
    assert fit.converged and fit.model.probabilities(X) == pytest.approx(np.full(6, 2 / 3), rel=1e-9)
    two = softmax.fit_softmax(X, (y > 0).astype(int), lam=lam)
    assert two.converged and two.model.probabilities(X)[:, 1] == pytest.approx(np.full(6, 2 / 3), rel=1e-9)
    fit = logistic.fit_logistic(np.zeros((6, 2)), y, lam=lam, offset=False)
    assert fit.converged and fit.history[-1] == pytest.approx(np.log(2))


def test_a_combination_but_for_rounding_is_named():
    X, y = datasets.two_gaussians(300, np.random.default_rng(0))
    third = X[:, 0] + X[:, 1]
    fit = logistic.fit_logistic(np.column_stack([X, third]), y)
    assert not fit.converged and "column 2 is a combination of column 0 and column 1 but for rounding" in fit.message
    alone = logistic.fit_logistic(X, y)
    assert fit.history[-1] == pytest.approx(alone.history[-1], rel=1e-9)  # the answer is good all the same
    assert logistic.fit_logistic(np.column_stack([X, third]), y, lam=1e-6).converged
    exact = np.round(X * 1024) / 1024
    assert logistic.fit_logistic(np.column_stack([exact, exact[:, 0] + exact[:, 1]]), y).converged


@pytest.mark.parametrize("lam", [0.0, 1e-3])
def test_numbers_at_the_end_of_the_doubles(lam):
    rng = np.random.default_rng(0)
    X, y = rng.uniform(-1, 1, (20, 2)), oracles.signs(rng.random(20) > 0.5)
    assert logistic.fit_logistic(1e305 * X, y, lam=lam).converged
    with pytest.raises(ValueError, match="X must be small enough"):
        logistic.fit_logistic(1.7e308 * np.sign(X), y, lam=lam)
