"""The representer theorem on every loss, kernel SGD as written, kernel learners against outside solvers."""

import functools

import mpmath
import numpy as np
import oracles
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.svm import SVC

from linclass import (
    _plug,
    conventions,
    datasets,
    descent,
    gradcheck,
    kernels,
    logistic,
    losses,
    newton,
    representer,
    risk,
    softmax,
    svm,
)
from linclass._fast import duality, gram_features, gram_rows, irls, smo

SMOOTH = [losses.LOGISTIC, losses.EXPONENTIAL, losses.SQUARED, losses.MODIFIED_SQUARED]
SCORE_LOSSES = [losses.on_scores(loss) for loss in SMOOTH] + [losses.SQUARED_ERROR]


def data(n=40, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where((X**2).sum(axis=1) + 0.5 * rng.normal(size=n) > d - 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return X, y


def rbf(tau=1.0):
    return functools.partial(kernels.rbf_kernel, tau=tau)


def minimiser(X, y, loss, lam, offset=True):
    """(theta, theta_0) of least regularised risk, by Newton's method."""
    size = X.shape[1] + offset

    def split(u):
        return (u[:-1], u[-1]) if offset else (u, 0.0)

    found = newton.newton(
        lambda u: risk.risk(*split(u), X, y, loss, lam),
        lambda u: np.append(*risk.risk_grad(*split(u), X, y, loss, lam))[:size],
        lambda u: risk.risk_hess(*split(u), X, y, loss, lam)[:size, :size],
        np.zeros(size), tol=1e-16,
    )  # fmt: skip
    return split(found.point)


# The theorem


@pytest.mark.ledger("eq-regularised-risk")
def test_regularised_risk_of_any_target():
    X, y = data()
    theta, target = np.array([0.5, -1.0, 2.0]), np.linspace(-2, 2, 40)
    by_hand = np.mean([(theta @ x + 0.3 - t) ** 2 / 2 for x, t in zip(X, target, strict=True)]) + 0.05 * theta @ theta
    assert representer.regularised_risk(theta, 0.3, X, target, losses.SQUARED_ERROR, 0.1) == pytest.approx(by_hand)
    for loss in SMOOTH:
        general = representer.regularised_risk(theta, 0.3, X, y, losses.on_scores(loss), 0.1)
        assert general == pytest.approx(risk.risk(theta, 0.3, X, y, loss, 0.1))
        assert general == representer.regularised_risk(theta, 0.3, X, y, loss, 0.1)


@pytest.mark.ledger("thm-representer", "eq-alpha-from-slopes")
@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("loss", SMOOTH, ids=lambda loss: loss.name)
@pytest.mark.parametrize("shape", [(40, 3), (10, 25)])
def test_the_minimiser_is_in_the_span_with_coefficients_from_the_slopes(loss, offset, shape):
    X, y = data(*shape)
    theta, theta_0 = minimiser(X, y, loss, 0.1, offset)
    alpha = representer.span_coefficients(theta, theta_0, X, y, loss, 0.1)
    np.testing.assert_allclose(X.T @ alpha, theta, rtol=1e-5, atol=1e-6)
    slopes = losses.on_scores(loss).slope(X @ theta + theta_0, y)
    np.testing.assert_allclose(alpha, -slopes / (0.1 * len(y)), rtol=1e-14)


def test_ridge_regression_has_it_too():
    X, _ = data()
    target = X @ [1.0, -2.0, 0.5] + 0.1 * np.sin(np.arange(40))
    theta = np.linalg.solve(X.T @ X / 40 + 0.1 * np.eye(3), X.T @ target / 40)
    alpha = representer.span_coefficients(theta, 0.0, X, target, losses.SQUARED_ERROR, 0.1)
    np.testing.assert_allclose(X.T @ alpha, theta, rtol=1e-12)


@pytest.mark.ledger("thm-representer")
@pytest.mark.parametrize("loss", [losses.HINGE, *SMOOTH], ids=lambda loss: loss.name)
def test_the_part_outside_the_span_only_costs(loss):
    X, y = data(5, 12)
    rng = np.random.default_rng(0)
    projector = X.T @ np.linalg.solve(X @ X.T, X)
    for _ in range(20):
        theta, theta_0 = rng.normal(size=12), rng.normal()
        inside = projector @ theta
        np.testing.assert_allclose(X @ inside, X @ theta, atol=1e-12)  # the same scores
        higher, lower = (representer.regularised_risk(t, theta_0, X, y, loss, 0.1) for t in (theta, inside))
        assert higher - lower == pytest.approx(0.05 * np.sum((theta - inside) ** 2), rel=1e-9)


@pytest.mark.ledger("thm-representer")
def test_with_several_scores_every_row_is_in_the_span():
    X, _ = data(6, 12)
    model = softmax.fit_softmax(X, np.arange(6) % 3, lam=0.1).model
    projector = X.T @ np.linalg.solve(X @ X.T, X)
    assert np.linalg.norm(model.Theta) > 0.1
    np.testing.assert_allclose(model.Theta @ projector, model.Theta, atol=1e-6)


@pytest.mark.ledger("thm-alpha-sums-to-zero")
@pytest.mark.parametrize("loss", SMOOTH, ids=lambda loss: loss.name)
def test_with_a_free_offset_the_coefficients_sum_to_zero(loss):
    X, y = data()
    for lam in (0.01, 1.0):
        theta, theta_0 = minimiser(X, y, loss, lam)
        assert abs(representer.span_coefficients(theta, theta_0, X, y, loss, lam).sum()) < 1e-5
        theta, theta_0 = minimiser(X, y, loss, lam, offset=False)  # nothing asks for it where the offset is not free
        assert abs(representer.span_coefficients(theta, theta_0, X, y, loss, lam).sum()) > 1e-2


@pytest.mark.ledger("thm-representer", "thm-alpha-sums-to-zero")
@pytest.mark.parametrize("shape", [(40, 3), (10, 25)])
def test_for_the_hinge_the_coefficients_are_those_of_the_dual(shape):
    X, y = data(*shape)
    for offset in (True, False):
        fit = svm.fit_svm(X, y, lam=0.1, offset=offset)
        alpha = fit.dual * y
        np.testing.assert_allclose(X.T @ alpha, fit.model.theta, rtol=1e-7, atol=1e-9)
        # each is minus a sub-gradient over lam m: 0 beyond the margin, 1 / (lam m) within, between on it
        z, share = y * (X @ fit.model.theta + fit.model.theta_0), fit.dual * 0.1 * len(y)
        assert (share[z > 1 + 1e-6] < 1e-6).all() and (share[z < 1 - 1e-6] > 1 - 1e-6).all()
        assert ((share >= 0) & (share <= 1 + 1e-12)).all()
        assert (abs(alpha.sum()) < 1e-10) == offset


# The kernel risk and its stochastic gradient


@pytest.mark.ledger("eq-kernel-risk")
@pytest.mark.parametrize("loss", SCORE_LOSSES, ids=lambda loss: loss.name)
def test_kernel_risk_is_the_risk_of_the_combined_features(loss):
    X, y = data()
    alpha = np.random.default_rng(1).normal(size=40) / 40
    value = representer.kernel_risk(alpha, kernels.linear_kernel(X, X), y, loss, 0.2, 0.3)
    assert value == pytest.approx(representer.regularised_risk(X.T @ alpha, 0.3, X, y, loss, 0.2), rel=1e-12)
    phi = np.array([np.concatenate([x, np.outer(x, x).ravel()]) for x in X])  # a feature map that bends
    value = representer.kernel_risk(alpha, phi @ phi.T, y, loss, 0.2)
    assert value == pytest.approx(representer.regularised_risk(phi.T @ alpha, 0.0, phi, y, loss, 0.2), rel=1e-12)


@pytest.mark.ledger("eq-kernel-risk-grad")
@pytest.mark.parametrize("loss", SCORE_LOSSES, ids=lambda loss: loss.name)
def test_kernel_risk_grad(loss):
    X, y = data(12)
    K, alpha = rbf()(X, X), np.random.default_rng(1).normal(size=12)
    for theta_0 in (0.0, -0.7):
        numeric = gradcheck.numeric_grad(lambda a, b=theta_0: representer.kernel_risk(a, K, y, loss, 0.2, b), alpha)
        grad = representer.kernel_risk_grad(alpha, K, y, loss, 0.2, theta_0)
        np.testing.assert_allclose(grad, numeric, rtol=1e-5, atol=1e-6)


@pytest.mark.ledger("eq-kernel-sgd-step")
@pytest.mark.parametrize("loss", [losses.on_scores(losses.HINGE), *SCORE_LOSSES], ids=lambda loss: loss.name)
def test_kernel_sgd_is_the_pseudocode(loss):
    X, y = data(15)
    K, lam, rule = rbf()(X, X), 1e-3, descent.inverse_sqrt_step(0.2)
    found = representer.kernel_sgd(K, y, loss, lam=lam, eta=rule, steps=70, rng=np.random.default_rng(4))
    rng, alpha, m = np.random.default_rng(4), np.zeros(15), 15
    for t in range(1, 71):
        i = rng.integers(m)
        alpha = alpha - rule(t) * (loss.slope(K[:, i] @ alpha, y[i]) * K[:, i] + m * lam * K[:, i] * alpha[i])
    np.testing.assert_allclose(found.alpha, alpha, rtol=1e-10, atol=1e-14)
    assert found.steps == 70 and len(found.history) == 5  # after 15, 30, 45, 60 and 70 steps
    assert found.history[-1] == pytest.approx(representer.kernel_risk(alpha, K, y, loss, lam))
    assert "certificate" in found.message


@pytest.mark.ledger("thm-kernel-sgd-unbiased")
@pytest.mark.parametrize("loss", SCORE_LOSSES, ids=lambda loss: loss.name)
def test_the_factor_m_makes_the_step_unbiased(loss):
    X, y = data(12)
    K, alpha = rbf()(X, X), np.random.default_rng(1).normal(size=12)
    steps = [alpha - representer.kernel_sgd_step(alpha, i, K, y, loss, 0.2, 1.0) for i in range(12)]
    grad = representer.kernel_risk_grad(alpha, K, y, loss, 0.2)
    np.testing.assert_allclose(np.mean(steps, axis=0), grad, rtol=1e-12)
    without = [(loss.slope(K[i] @ alpha, y[i]) + 0.2 * alpha[i]) * K[i] for i in range(12)]  # the m left out
    assert np.abs(np.mean(without, axis=0) - grad).max() > 0.1


@pytest.mark.ledger("eq-functional-step")
def test_functional_step():
    X, y = data(12)
    K, alpha, loss = rbf()(X, X), np.linspace(-1, 1, 12), losses.on_scores(losses.LOGISTIC)
    stepped = representer.functional_step(alpha, 4, K, y, loss, 0.2, 0.5)
    literal = (1 - 0.5 * 0.2) * alpha
    literal[4] -= 0.5 * loss.slope(K[4] @ alpha, y[4])
    np.testing.assert_array_equal(stepped, literal)
    # On average it moves the scores along the gradient of the risk in the function: f - eta (K L'/m + lam f).
    steps = [representer.functional_step(alpha, i, K, y, loss, 0.2, 0.5) for i in range(12)]
    slopes = loss.slope(K @ alpha, y)
    expected = K @ alpha - 0.5 * K @ (slopes / 12 + 0.2 * alpha)
    np.testing.assert_allclose(K @ np.mean(steps, axis=0), expected, rtol=1e-12)


@pytest.mark.ledger("thm-two-kernel-sgds")
def test_with_the_linear_kernel_one_form_is_sgd_on_theta_and_the_other_is_preconditioned():
    X, y = data(20)
    K, lam, eta = kernels.linear_kernel(X, X), 0.01, 0.05
    loss = losses.on_scores(losses.LOGISTIC)
    rng = np.random.default_rng(0)
    plain_alpha = notes_alpha = np.zeros(20)
    theta = preconditioned = np.zeros(3)
    for _ in range(60):
        i = rng.integers(20)
        plain_alpha = representer.functional_step(plain_alpha, i, K, y, loss, lam, eta)
        theta = theta - eta * (loss.slope(theta @ X[i], y[i]) * X[i] + lam * theta)
        np.testing.assert_allclose(X.T @ plain_alpha, theta, atol=1e-12)
        # The other form moves theta = X' alpha by X'X times its direction, in which m alpha_i x_i stands for theta.
        direction = loss.slope(preconditioned @ X[i], y[i]) * X[i] + 20 * lam * notes_alpha[i] * X[i]
        preconditioned = preconditioned - eta * X.T @ X @ direction
        notes_alpha = representer.kernel_sgd_step(notes_alpha, i, K, y, loss, lam, eta)
        np.testing.assert_allclose(X.T @ notes_alpha, preconditioned, rtol=1e-9, atol=1e-12)
    assert np.abs(theta - preconditioned).max() > 0.1


def test_kernel_sgd_in_its_functional_form_approaches_the_exact_answer():
    X, y = data(60, 2)
    exact = representer.fit_kernel_logistic(X, y, rbf(), lam=0.01, offset=False)
    found = representer.kernel_sgd(
        rbf()(X, X), y, losses.LOGISTIC, lam=0.01, eta=descent.inverse_step(100.0, 100.0), steps=20_000,
        rng=np.random.default_rng(0), step=representer.functional_step,
    )  # fmt: skip
    assert exact.history[-1] <= found.history[-1] <= 1.01 * exact.history[-1]


def test_too_large_a_lam_diverges_and_says_so():
    X, y = data(40)
    found = representer.kernel_sgd(
        rbf(3.0)(X, X), y, losses.LOGISTIC, lam=10.0, eta=0.5, steps=4000, rng=np.random.default_rng(0)
    )
    assert "diverged" in found.message and np.isfinite(found.alpha).all() and np.isfinite(found.history).all()


# Kernel learners


def kernel_objective(loss, alpha, theta_0, K, y, lam):
    """Written out again, so that a slip in the package cannot hide in its mirror."""
    z = y * (K @ alpha + theta_0)
    values = np.maximum(0, 1 - z) if loss == "hinge" else np.logaddexp(0, -z)
    return np.mean(values) + lam / 2 * alpha @ K @ alpha


GRID = [(tau, lam) for tau in (0.3, 1.0, 5.0) for lam in (1e-4, 1e-2, 1.0)]


@pytest.mark.parametrize(("tau", "lam"), GRID)
def test_kernel_svm_against_libsvm(tau, lam):
    X, y = data(120)
    K, C = rbf(tau)(X, X), conventions.C_from_lam(lam, 120)
    fit = representer.fit_kernel_svm(X, y, rbf(tau), lam=lam)
    peer = SVC(gamma=conventions.gamma_from_tau(tau), C=C, tol=1e-9).fit(X, y)
    theirs = np.zeros(120)
    theirs[peer.support_] = peer.dual_coef_[0]
    ours = kernel_objective("hinge", fit.model.alpha, fit.model.theta_0, K, y, lam)
    assert fit.converged and fit.gap <= 1e-8 and fit.history[-1] == pytest.approx(ours, rel=1e-9)
    assert ours <= kernel_objective("hinge", theirs, peer.intercept_[0], K, y, lam) * (1 + 1e-9)
    np.testing.assert_allclose(fit.model.scores(X), peer.decision_function(X), atol=2e-4)
    assert (fit.dual >= 0).all() and (fit.dual <= C).all() and abs(fit.dual @ y) <= 1e-10 * C * 120
    np.testing.assert_array_equal(fit.model.alpha, fit.dual * y)
    np.testing.assert_array_equal(fit.support, np.flatnonzero(fit.dual))
    without = representer.fit_kernel_svm(X, y, rbf(tau), lam=lam, offset=False)
    assert without.converged and without.model.theta_0 == 0


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("twins", [0, 30])
def test_kernel_svm_of_many_examples_never_holds_the_gram_matrix(offset, twins, monkeypatch):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((300, 2))
    y = np.where(np.sin(2 * X[:, 0]) + 0.5 * rng.standard_normal(300) > 0, 1.0, -1.0)
    X, y, asked = np.vstack([X, X[:twins]]), np.append(y, y[:twins]), []

    def kernel(X, Z):
        asked.append(len(X) * len(Z))
        return kernels.rbf_kernel(X, Z, 1.0)

    whole = representer.fit_kernel_svm(X, y, kernel, lam=0.003, offset=offset)
    assert max(asked) == len(X) ** 2
    asked.clear()
    monkeypatch.setattr(gram_rows, "ROOM", 2**14)
    monkeypatch.setattr(gram_rows, "BLOCK", 2**13)
    few = representer.fit_kernel_svm(X, y, kernel, lam=0.003, offset=offset)
    assert few.converged and whole.converged
    assert max(asked) < len(X) ** 2 / 2
    np.testing.assert_allclose(few.model.scores(X), whole.model.scores(X), atol=1e-7)


def test_rows_on_demand_of_a_kernel_that_is_not_symmetric_are_refused(monkeypatch):
    monkeypatch.setattr(gram_rows, "ROOM", 100)
    X, y = np.random.default_rng(0).standard_normal((60, 2)), np.tile([-1.0, 1.0], 30)
    with pytest.raises(ValueError, match="symmetric"):
        representer.fit_kernel_svm(X, y, lambda X, Z: np.exp(X[:, :1] - 2 * Z[:, 0]), lam=0.1)


@pytest.mark.parametrize("offset", [True, False])
def test_kernel_svm_with_the_linear_kernel_is_the_linear_one(offset):
    X, y = data(80)
    for lam in (1e-3, 0.1):
        linear = svm.fit_svm(X, y, lam=lam, offset=offset)
        fit = representer.fit_kernel_svm(X, y, kernels.linear_kernel, lam=lam, offset=offset)
        assert fit.converged
        np.testing.assert_allclose(X.T @ fit.model.alpha, linear.model.theta, rtol=1e-5, atol=1e-8)
        np.testing.assert_allclose(fit.model.scores(X[:5]), linear.model.scores(X[:5]), atol=1e-5)


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize(("tau", "lam"), GRID)
def test_kernel_logistic_against_scipy(tau, lam, offset):
    X, y = data(50)
    K = rbf(tau)(X, X)
    fit = representer.fit_kernel_logistic(X, y, rbf(tau), lam=lam, offset=offset)
    ours = kernel_objective("logistic", fit.model.alpha, fit.model.theta_0, K, y, lam)
    assert fit.converged and fit.history[-1] == pytest.approx(ours, rel=1e-10)
    L = np.linalg.cholesky(K + 1e-14 * np.eye(50))

    def value_and_grad(u):
        s = L @ u[:50] + offset * u[50]
        g = -y / (1 + np.exp(y * s)) / 50
        value = np.mean(np.logaddexp(0, -y * s)) + lam / 2 * u[:50] @ u[:50]
        return value, np.append(L.T @ g + lam * u[:50], offset * g.sum())

    options = {"gtol": 1e-10, "ftol": 1e-16, "maxiter": 5000}
    peer = scipy.optimize.minimize(value_and_grad, np.zeros(51), jac=True, method="L-BFGS-B", options=options)
    assert ours <= peer.fun * (1 + 1e-8) and ours >= peer.fun * (1 - 1e-5)
    if offset:
        assert abs(fit.model.alpha.sum()) <= 1e-6 * np.abs(fit.model.alpha).sum()


def test_kernel_logistic_is_the_mode_of_a_gaussian_process():
    """GaussianProcessClassifier's mode minimises sum log-loss + f' K^-1 f / 2: our risk with lam = 1/m, no offset."""
    X, y = data(60)
    fit = representer.fit_kernel_logistic(X, y, rbf(1.5), lam=1 / 60, offset=False)
    peer = GaussianProcessClassifier(RBF(1.5), optimizer=None, max_iter_predict=1000).fit(X, y)
    mode = kernels.rbf_kernel(X, X, 1.5) @ (peer.base_estimator_.y_train_ - peer.base_estimator_.pi_)
    np.testing.assert_allclose(fit.model.scores(X), mode, atol=1e-4)


@pytest.mark.parametrize("offset", [True, False])
def test_kernel_logistic_with_the_linear_kernel_is_the_linear_one(offset):
    X, y = data(80)
    theta, theta_0 = minimiser(X, y, losses.LOGISTIC, 0.05, offset)
    fit = representer.fit_kernel_logistic(X, y, kernels.linear_kernel, lam=0.05, offset=offset)
    np.testing.assert_allclose(X.T @ fit.model.alpha, theta, atol=1e-6)
    assert fit.model.theta_0 == pytest.approx(theta_0, abs=1e-6)
    p = fit.model.probabilities(X)
    np.testing.assert_allclose(p, 1 / (1 + np.exp(-fit.model.scores(X))), rtol=1e-12)
    assert ((p > 0.5) == (fit.model.predict(X) > 0)).all()


HARD = {
    "duplicated rows": (np.repeat(data(20)[0], 3, axis=0), np.repeat(data(20)[1], 3)),
    "rows with both labels": (np.repeat(data(20)[0], 2, axis=0), np.tile([1.0, -1.0], 20)),
    "all rows equal": (np.ones((12, 2)), data(12)[1]),
    "n = 2": (np.array([[0.0], [1.0]]), np.array([1.0, -1.0])),
    "one rare class": (data(301)[0], np.where(np.arange(301) == 150, 1.0, -1.0)),
    "sorted by class": (data(90)[0][np.argsort(data(90)[1])], np.sort(data(90)[1])),
    "huge": (1e6 * data(40)[0], data(40)[1]),
    "beyond huge": (1e8 * data(40)[0], data(40)[1]),
    "tiny": (1e-6 * data(40)[0], data(40)[1]),
}


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("name", HARD)
def test_kernel_learners_on_hard_data(name, offset):
    X, y = HARD[name]
    square = functools.partial(kernels.polynomial_kernel, degree=2, constant=1.0)
    for kernel in (rbf(1.0), kernels.linear_kernel, square):
        for lam in (1e-3, 1.0):
            if kernel(X, X).max() > 1e9 * lam:
                continue  # too far above lam for double precision: the next test sees that this is said
            for fit in (representer.fit_kernel_svm, representer.fit_kernel_logistic):
                found = fit(X, y, kernel, lam=lam, offset=offset)
                assert found.converged, (found.message, fit.__name__, kernel, lam)


def test_beyond_double_precision_no_certificate_is_given():
    """The rounding of K, some 1e-16 K, is then as large as lam: it would lower the risk of a fit to K as it is."""
    X, y = HARD["huge"]
    for kernel in (kernels.linear_kernel, functools.partial(kernels.polynomial_kernel, degree=2, constant=1.0)):
        for fit in (representer.fit_kernel_svm, representer.fit_kernel_logistic):
            found = fit(X, y, kernel, lam=1e-3)
            assert not found.converged and "rescale the inputs" in found.message
            assert np.isfinite(found.model.scores(X)).all()


def digits(values):
    """The same numbers in 60 digits."""
    return [mpmath.mpf(float(v)) for v in values]


def exact_gram(kernel, tau, X):
    """The Gram matrix in 60 digits, from the inputs."""
    rows = [digits(x) for x in X]

    def entry(x, z):
        if kernel == "linear":
            return mpmath.fdot(x, z)
        return mpmath.exp(-sum(((a - b) / mpmath.mpf(tau)) ** 2 for a, b in zip(x, z, strict=True)) / 2)

    return [[entry(x, z) for z in rows] for x in rows]


def logistic_pulls(z, K, sign, alpha, theta_0, lam, offset):
    """-L' at the margins of the minimum, by Newton steps from alpha: scores of an outlier move fast near it."""
    m = len(sign)
    for _ in range(8):
        p = [1 / (1 + mpmath.exp(v)) for v in z]
        W = [max(v * (1 - v), mpmath.mpf("1e-50")) for v in p]
        M, rhs = mpmath.zeros(m + 1), mpmath.zeros(m + 1, 1)
        for i in range(m):
            for j in range(m):
                M[i, j] = K[i][j] + (m * lam / W[i] if i == j else 0)
            M[i, m], M[m, i], rhs[i] = offset, offset, (sign[i] * p[i] - m * lam * alpha[i]) / W[i]
        M[m, m], rhs[m] = not offset, -sum(alpha) * offset
        step = mpmath.lu_solve(M, rhs)
        alpha, theta_0 = [a + step[i] for i, a in enumerate(alpha)], theta_0 + step[m]
        z = [s * (mpmath.fdot(row, alpha) + theta_0) for s, row in zip(sign, K, strict=True)]
    return [1 / (1 + mpmath.exp(v)) for v in z]


def exact_bounds(loss, fit, K, y, lam, offset):
    """(risk, lower bound of every risk) of an answer in 60 digits; multipliers balanced by theta_0's own slope."""
    m, lam, alpha, sign = len(y), mpmath.mpf(lam), digits(fit.model.alpha), [int(v) for v in y]
    f = [mpmath.fdot(row, alpha) for row in K]
    z = [s * (v + mpmath.mpf(float(fit.model.theta_0))) for s, v in zip(sign, f, strict=True)]
    values = [max(0, 1 - v) if loss == "hinge" else mpmath.log1p(mpmath.exp(-v)) for v in z]
    value = mpmath.fsum(values) / m + lam / 2 * mpmath.fdot(alpha, f)
    if loss == "hinge":
        p = [v * lam * m for v in digits(fit.dual)]
    else:
        p = logistic_pulls(z, K, sign, alpha, mpmath.mpf(float(fit.model.theta_0)), lam, offset)
    p = [v / max(1, *p) for v in p]
    for _ in range(5 * offset):
        room = [v * (1 - v) for v in p]
        excess = mpmath.fdot(p, sign) / max(mpmath.fsum(room), mpmath.mpf("1e-40"))
        p = [min(max(v - excess * s * r, 0), 1) for v, s, r in zip(p, sign, room, strict=True)]
    a = [v * s / (lam * m) for v, s in zip(p, sign, strict=True)]
    slip = abs(mpmath.fsum(a)) * lam * abs(fit.model.theta_0) * offset
    inside = [v for v in p if 0 < v < 1]
    entropy = mpmath.fsum(-v * mpmath.log(v) - (1 - v) * mpmath.log(1 - v) for v in inside)
    first = (mpmath.fsum(p) if loss == "hinge" else entropy) / m
    return value, first - lam / 2 * mpmath.fdot(a, [mpmath.fdot(row, a) for row in K]) - slip


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.long
def test_a_certificate_holds_in_sixty_digits(kernel, loss):
    """For K as computed and for K from the inputs, with lam from 1e-12 to 1e3; a negative gap is no certificate."""
    certified = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = data(int(rng.choice([2, 3, 8, 14])), int(rng.integers(1, 4)), seed)
        X[rng.integers(len(X))] *= rng.choice([1.0, 1.0, 1e6])
        X = np.repeat(X, 2, axis=0)[: len(X)] if seed % 4 == 0 else X + 4e7 * (seed % 7 == 0)
        y[:2] = 1.0, -1.0
        lam, offset, tau = 10.0 ** rng.uniform(-12, 3), bool(rng.integers(2)), 10.0 ** rng.uniform(-0.5, 1)
        function = kernels.linear_kernel if kernel == "linear" else rbf(tau)
        learner = representer.fit_kernel_svm if loss == "hinge" else representer.fit_kernel_logistic
        fit = learner(X, y, function, lam=lam, offset=offset)
        if fit.converged:
            certified += 1
            with mpmath.workdps(60):
                for K in ([digits(row) for row in function(X, X)], exact_gram(kernel, tau, X)):
                    value, bound = exact_bounds(loss, fit, K, y, lam, offset)
                    assert -1e-8 * value <= value - bound <= max(1e-6 * value, 1e-12), (seed, lam, offset)
    assert certified >= {"linear": 22, "rbf": 36}[kernel]


@pytest.mark.parametrize("long", [True, False])
def test_both_bounds_of_a_kernel_hold(long, rng):
    """Above the risk and below the dual objective in 60 digits, by little, for any coefficients and multipliers."""
    X, y = data(12)
    K, lam = rbf()(X, X), 1e-2
    gram, alpha, p = duality.Gram(K, y), rng.normal(size=12), rng.uniform(0, 1, 12) ** 9
    dual = p / (12 * lam)
    with mpmath.workdps(60):
        matrix, a = mpmath.matrix(K.tolist()), mpmath.matrix(digits(dual * y))
        f, w = matrix * mpmath.matrix(digits(alpha)), mpmath.matrix(digits(alpha))
        z = [s * v for s, v in zip(digits(y), f, strict=True)]
        penalty, span = mpmath.mpf(lam) / 2 * (w.T * f)[0], mpmath.mpf(lam) / 2 * (a.T * matrix * a)[0]
        hinge, logistic = sum(max(0, 1 - v) for v in z) / 12, sum(mpmath.log1p(mpmath.exp(-v)) for v in z) / 12
        entropy = sum(-v * mpmath.log(v) - (1 - v) * mpmath.log(1 - v) for v in digits(p)) / 12
        total = mpmath.mpf(lam) * sum(digits(dual))
        for exact, bound, side in (
            (hinge + penalty, duality.hinge_upper(alpha, 0.0, gram, lam, long), 1),
            (logistic + penalty, duality.logistic_upper(alpha, 0.0, gram, lam, long), 1),
            (total - span, duality.hinge_lower(dual, gram, lam, False, 1.0, long), -1),
            (entropy - span, duality.logistic_lower(p, gram, lam, False, 1.0, long), -1),
        ):
            assert 0 <= side * (bound - exact) <= 1e-12
    assert duality.logistic_lower(np.full(12, 1.5), gram, lam, False, 1.0) == -np.inf


@pytest.mark.parametrize("lam", [1e-300, 1e-12, 1.0, 1e300])
@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e30, 1e70, 1e150, 1e300])
def test_sizes_near_the_ends_of_the_doubles(size, lam):
    """A finite answer that says whether it is certified, or an error that names what is too large."""
    X, y = data()
    row = X.copy()
    row[3] *= size
    for fit in (representer.fit_kernel_svm, representer.fit_kernel_logistic):
        for inputs in (size * X, row):
            for kernel in (kernels.linear_kernel, rbf()):
                try:
                    found = fit(inputs, y, kernel, lam=lam)
                except ValueError as error:
                    assert " must be " in str(error) and size >= 1e150
                else:
                    assert np.isfinite(found.model.alpha).all() and np.isfinite(found.model.theta_0)
                    assert found.converged or "rescale the inputs" in found.message


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("fit", [representer.fit_kernel_svm, representer.fit_kernel_logistic])
def test_fast_and_plain_path_agree(fit, offset, monkeypatch):
    X, y = data(90)
    for tau, lam in ((0.5, 1e-3), (2.0, 1e-2)):
        fast = fit(X, y, rbf(tau), lam=lam, offset=offset)
        with monkeypatch.context() as patch:
            patch.setitem(_plug.replaced, ("losses", "hinge_loss"), losses.hinge_loss)
            plain = fit(X, y, rbf(tau), lam=lam, offset=offset)
        assert fast.converged and plain.converged
        np.testing.assert_allclose(fast.history[-1], plain.history[-1], rtol=1e-8)
        np.testing.assert_allclose(fast.model.scores(X), plain.model.scores(X), atol=1e-4)


@pytest.mark.parametrize(
    ("name", "fit"), [("hinge", representer.fit_kernel_svm), ("logistic", representer.fit_kernel_logistic)]
)
def test_the_plain_path_certifies_by_the_formulas(name, fit, monkeypatch):
    """A doubled loss opens the gap between the risk and what the dual allows."""
    X, y = data(40)
    own = getattr(losses, f"{name}_loss")
    monkeypatch.setitem(_plug.replaced, ("losses", f"{name}_loss"), own)
    assert fit(X, y, rbf(), lam=0.01).converged
    monkeypatch.setattr(losses, f"{name}_loss", lambda z: 2 * own(z))
    assert not fit(X, y, rbf(), lam=0.01).converged


def spoilt(m, seed, size):
    """(X, y, kernel): an RBF matrix less `size` v v', v of length 1 on examples that `kernel_matrix` passes over."""
    X, y = data(m, 2, seed)
    rng, unseen = np.random.default_rng(seed), np.ones(m, bool)
    unseen[np.linspace(0, m - 1, 100).astype(int)] = False
    v = unseen * rng.normal(size=m)
    K = rbf()(X, X) - size * np.outer(v, v) / (v @ v)
    assert np.linalg.eigvalsh(K)[0] < -size / 2
    return X, y, lambda A, B: K


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [0.01, 0.3, 5.0])
@pytest.mark.parametrize("offset", [True, False])
def test_what_is_a_kernel_on_the_first_look_only_is_refused_or_proved_on_the_support(seed, size, offset):
    X, y, kernel = spoilt(700, seed, size)
    with pytest.raises(ValueError, match="kernel must be positive semidefinite"):
        representer.fit_kernel_logistic(X, y, kernel, lam=1e-3, offset=offset)
    try:
        fit = representer.fit_kernel_svm(X, y, kernel, lam=1e-3, offset=offset)
    except ValueError as refusal:
        assert "kernel must be positive semidefinite" in str(refusal)
    else:
        S, K = fit.support, kernel(X, X)
        assert not fit.converged or np.linalg.eigvalsh(K[np.ix_(S, S)])[0] >= -1e-9 * len(S)


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("m", [60, 400])  # systems solved as they are, and by conjugate gradients
def test_reweighted_least_squares_alone_reaches_the_minimum(m, offset):
    """m lam alpha = -L' at the scores, and no help from the way over features, which would hide a slip."""
    X, y = data(m)
    K, lam = kernels.rbf_kernel(X, X, 1.0), 1e-3
    alpha, theta_0, steps, history = irls.solve(K, y, 1.0, lam, offset)
    np.testing.assert_allclose(m * lam * alpha, -y * losses.logistic_slope(y * (K @ alpha + theta_0)), atol=1e-5)
    assert abs(alpha.sum()) < 1e-5 if offset else theta_0 == 0
    assert history[0] == pytest.approx(np.log(2)) and (np.diff(history) <= 0).all() and steps == len(history) - 1 <= 10
    assert history[-1] == pytest.approx(representer.kernel_risk(alpha, K, y, losses.LOGISTIC, lam, theta_0), rel=1e-12)


@pytest.mark.parametrize("walk", [smo.pairs, smo.singles, smo.glides])
@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_a_walk_ends_where_no_step_gains(walk, C):
    """In the box, g = y - K alpha to the end, and then no slope leads uphill: of a pair with sum 0, or of one alone."""
    X, y = data(80)
    K, alpha, g, tol = kernels.rbf_kernel(X, X, 1.0), np.zeros(80), y.copy(), 1e-3
    assert walk(alpha, g, K, y, np.full(80, C), tol, 100_000) < 100_000
    np.testing.assert_allclose(g, y - K @ alpha, atol=1e-10)
    dual = alpha * y
    assert dual.min() >= 0 and dual.max() <= C and dual.any()
    may_rise, may_fall = np.where(y > 0, dual < C, dual > 0), np.where(y > 0, dual > 0, dual < C)
    if walk is smo.pairs:
        assert abs(alpha.sum()) < 1e-10 and g[may_rise].max() - g[may_fall].min() <= tol
    else:
        assert g[may_rise].max() <= 10 * tol and g[may_fall].min() >= -10 * tol


def test_equal_rows_walk_as_one_and_share_what_they_get():
    first, group = gram_features.twins(np.array([[2.0, 1.0], [0.0, 3.0], [2.0, 1.0], [1.0, 2.0], [2.0, 1.0]]))
    assert len(first) == 3 and group[0] == group[2] == group[4] and len({*group}) == 3
    np.testing.assert_array_equal(first[group], [0, 1, 0, 3, 0])
    dual = np.zeros(3)
    dual[group[0]], dual[group[1]], dual[group[3]] = 3.0, 2.0, 0.5  # of at most 6, 2 and 2
    np.testing.assert_allclose(smo.shared_out(dual, 2.0, group), [2.0, 2.0, 1.0, 0.5, 0.0])
    np.testing.assert_allclose(
        smo.shared_out(dual, np.array([2.0, 2.0, 0.5, 1.0, 4.0]), group), [2.0, 2.0, 0.5, 0.5, 0.5]
    )


def test_conjugate_gradients_meet_a_negative_eigenvalue():
    d = np.append(np.linspace(1, 50, 40), -3.0)
    with pytest.raises(ValueError, match="kernel must be positive semidefinite"):
        irls.conjugate_gradients(np.eye(41), lambda v, K_v: d * v, np.ones(41), np.ones(41), 1.0, 0.5, 1e-4)
    ones, least = np.ones(16), d[:16]
    found = irls.conjugate_gradients(np.eye(16), lambda v, K_v: least * v, ones, ones, 1.0, 0.5, 1e-4)
    np.testing.assert_allclose(found, 1 / least, rtol=1e-2)


def test_conjugate_gradients_end_where_the_features_see_nothing():
    """With a Gram matrix of ones a residual that sums to 0 has no length but by rounding."""
    r, K = np.array([0.3, -0.1, -0.2]), np.ones((3, 3))
    found = irls.conjugate_gradients(K, lambda v, K_v: K_v + 4.0 * v, r, K @ r, 4.0, 0.0, 1e-4)
    np.testing.assert_array_equal(found, np.zeros(3))


@pytest.mark.parametrize("offset", [True, False])
def test_few_features_take_few_steps(offset):
    """A linear kernel of 5 columns: most of alpha is of no effect, and must not hold the method up."""
    X, y = data(300, 5)
    *_, steps, history = irls.solve(X @ X.T, y, 1.0, 1e-5, offset)
    assert steps <= 10
    fit = logistic.fit_logistic(X, y, lam=1e-5, offset=offset)
    assert history[-1] == pytest.approx(fit.history[-1], rel=1e-10)


@pytest.mark.parametrize("offset", [True, False])
def test_a_negative_squared_distance_is_refused(offset):
    X, y, kernel = spoilt(700, 0, 0.01)
    K = kernel(X, X).copy()
    K[[1, 2], [2, 1]] = 3.0  # a negative squared distance: |phi(x_1) - phi(x_2)|^2 = 1 + 1 - 6
    y[1:3] = 1.0, -1.0
    with pytest.raises(ValueError, match="kernel must be positive semidefinite"):
        representer.fit_kernel_svm(X, y, lambda A, B: K, lam=1e-3, offset=offset)


def test_what_is_no_kernel_is_refused():
    X, y = data(30)
    with pytest.raises(ValueError, match=r"kernel must be positive semidefinite.*eigenvalue"):
        representer._features_of(-np.eye(3))
    for fit in (representer.fit_kernel_svm, representer.fit_kernel_logistic):
        for kernel in (lambda A, B: -kernels.rbf_kernel(A, B, 1.0), lambda A, B: A[:, :1] - B[:, :1].T, None):
            with pytest.raises(ValueError, match="kernel"):
                fit(X, y, kernel, lam=0.1)
        with pytest.raises(ValueError, match=r"kernel\(X, X\)"):
            fit(X, y, lambda A, B: kernels.linear_kernel(A, B)[:5, :5], lam=0.1)


# The classifier


@pytest.mark.ledger("eq-kernel-vote")
def test_a_score_is_a_sum_of_votes():
    X, y = data()
    model = representer.fit_kernel_svm(X, y, rbf(), lam=0.01).model
    new = np.random.default_rng(3).normal(size=(6, 3))
    votes = model.votes(new)
    by_hand = [[a * np.exp(-np.sum((x - t) ** 2) / 2) for a, t in zip(model.alpha, X, strict=True)] for x in new]
    np.testing.assert_allclose(votes, by_hand, rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(model.scores(new), votes.sum(axis=1) + model.theta_0, rtol=1e-12)
    assert set(model.predict(new)) <= {-1.0, 1.0}
    nobody = representer.KernelClassifier(np.zeros(40), 0.0, X, rbf())
    assert nobody.scores(new).tolist() == [0.0] * 6 and nobody.predict(new).tolist() == [-1.0] * 6


def test_same_bytes_again_and_inputs_untouched():
    X, y = data()
    before = X.tobytes(), y.tobytes()
    for fit in (representer.fit_kernel_svm, representer.fit_kernel_logistic):
        one, two = fit(X, y, rbf(), lam=0.01), fit(X, y, rbf(), lam=0.01)
        assert one.model.alpha.tobytes() == two.model.alpha.tobytes() and one.model.theta_0 == two.model.theta_0
    assert (X.tobytes(), y.tobytes()) == before


@pytest.mark.parametrize("step", [representer.kernel_sgd_step, representer.functional_step])
@pytest.mark.parametrize("i", [8, -1, 1.5, None, "a", True, [1]])
def test_a_step_names_an_index_that_is_none(step, i):
    with pytest.raises(ValueError, match=r"^i must be a whole number from 0 to 7"):
        step(np.zeros(8), i, np.eye(8), np.ones(8), losses.SQUARED_ERROR, 0.1, 0.1)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("K", np.ones((3, 2))), ("K", np.triu(np.ones((8, 8)))), ("K", np.full((8, 8), np.nan)), ("K", None),
        ("y", np.ones(5)), ("y", None), ("loss", "hinge"), ("loss", None), ("lam", -1.0), ("lam", np.nan), ("eta", 0.0),
        ("eta", None), ("steps", 0), ("steps", 1.5), ("rng", None), ("rng", 7),
    ],
)  # fmt: skip
def test_kernel_sgd_names_bad_arguments(argument, value):
    good = {"K": np.eye(8), "y": np.ones(8), "loss": losses.LOGISTIC, "lam": 0.1, "eta": 0.1, "steps": 5}
    with pytest.raises(ValueError, match=argument):
        representer.kernel_sgd(**good | {"rng": np.random.default_rng(0)} | {argument: value})


@settings(max_examples=oracles.rounds(10), deadline=None, derandomize=True)
@given(
    n=st.integers(2, 30), d=st.integers(1, 4), tau=st.floats(0.1, 10), power=st.integers(-4, 1), offset=st.booleans(),
    seed=st.integers(0, 999),
)  # fmt: skip
def test_any_shape_bandwidth_and_penalty_is_certified(n, d, tau, power, offset, seed):
    X, y = data(n, d, seed)
    for fit in (representer.fit_kernel_svm, representer.fit_kernel_logistic):
        found = fit(X, y, rbf(tau), lam=10.0**power, offset=offset)
        assert found.converged, found.message


# Real data


def standardised(X):
    """Columns of mean 0 and deviation 1; constant ones are left at 0."""
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)


def real_data(most=600):
    """name -> (X, y): what ships with the package, scikit-learn and statsmodels; of long ones every k-th row."""
    sets = {name: (standardised(X), y) for name, (X, y) in oracles.two_class_data().items()}
    for read in (datasets.iris, datasets.breast_cancer, datasets.digits):
        shipped = read()
        sets[f"{read.__name__}, shipped"] = standardised(shipped.X), np.where(shipped.y == shipped.y[-1], 1.0, -1.0)
    return {name: (X[:: -(-len(y) // most)], y[:: -(-len(y) // most)]) for name, (X, y) in sets.items()}


REAL = real_data()


def libsvm(K, y, lam):
    """The objective that LIBSVM reaches on the Gram matrix, with an offset."""
    peer = SVC(kernel="precomputed", C=conventions.C_from_lam(lam, len(y)), tol=1e-8).fit(K, y)
    alpha = np.zeros(len(y))
    alpha[peer.support_] = peer.dual_coef_[0]
    return kernel_objective("hinge", alpha, peer.intercept_[0], K, y, lam)


def newton_cg(K, y, lam, offset):
    """The logistic objective that scipy.optimize reaches, in u with f = V sqrt(S) u for K = V S V'."""
    values, vectors = np.linalg.eigh(K)
    Phi = vectors * np.sqrt(np.maximum(values, 0.0))
    A = np.column_stack([Phi, np.ones(len(y))]) if offset else Phi
    penalty = np.append(np.full(len(y), lam), 0.0)[: A.shape[1]]

    def value(u):
        return np.mean(np.logaddexp(0, -y * (A @ u))) + penalty @ u**2 / 2

    def grad(u):
        return -A.T @ (y / (1 + np.exp(y * (A @ u)))) / len(y) + penalty * u

    def product(u, v):
        p = 1 / (1 + np.exp(y * (A @ u)))
        return A.T @ (p * (1 - p) * (A @ v)) / len(y) + penalty * v

    return scipy.optimize.minimize(
        value, np.zeros(A.shape[1]), jac=grad, hessp=product, method="Newton-CG", options={"xtol": 1e-12}
    ).fun


def gaussian_process(X, K, y, tau):
    """The logistic objective at the mode of GaussianProcessClassifier, for lam = 1/m and no offset."""
    peer = GaussianProcessClassifier(RBF(tau), optimizer=None, max_iter_predict=1000).fit(X, y).base_estimator_
    return kernel_objective("logistic", peer.y_train_ - peer.pi_, 0.0, K, y, 1 / len(y))


def worst_differences(name):
    """{oracle: (our objective - its objective) / its objective, at most} on one data set; all fits certified."""
    X, y = REAL[name]
    worst = {}

    def compare(oracle, fit, loss, lam, theirs):
        ours = kernel_objective(loss, fit.model.alpha, fit.model.theta_0, K, y, lam)
        assert fit.converged, (name, oracle, lam, fit.message)
        worst[oracle] = max(worst.get(oracle, -np.inf), (ours - theirs) / theirs)

    for tau in (1.0, np.sqrt(X.shape[1])):
        K = rbf(tau)(X, X)
        for lam in (1e-3, 1.0 / len(y)):
            fit = representer.fit_kernel_svm(X, y, rbf(tau), lam=lam)
            compare("LIBSVM", fit, "hinge", lam, libsvm(K, y, lam))
            for offset in (True, False):
                fit = representer.fit_kernel_logistic(X, y, rbf(tau), lam=lam, offset=offset)
                compare("scipy Newton-CG", fit, "logistic", lam, newton_cg(K, y, lam, offset))
        compare("GaussianProcessClassifier", fit, "logistic", lam, gaussian_process(X, K, y, tau))
    return worst


@pytest.mark.parametrize("name", REAL)
def test_kernel_learners_on_real_data_are_as_good_as_every_oracle(name):
    for oracle, difference in worst_differences(name).items():
        assert difference <= 1e-8, oracle


def test_the_kernel_formulas_pass_their_limits_on_without_a_warning():
    K, y, hinge = np.diag([10.0, 10.0]), np.ones(2), losses.HINGE
    assert representer.kernel_risk([-1e308, -1e308], K, y, hinge, 0.1) == np.inf
    assert representer.regularised_risk([-1e308], 0.0, [[10.0], [1.0]], y, hinge, 0.1) == np.inf
    assert np.isnan(representer.kernel_risk_grad([np.inf, 1.0], K, y, hinge, 0.1)).any()


def test_a_kernel_classifier_of_lists():
    model = representer.KernelClassifier([1.0, 2.0], 0.5, [[1.0], [2.0]], kernels.linear_kernel)
    np.testing.assert_array_equal(model.scores([[1.0]]), [5.5])
    np.testing.assert_array_equal(model.votes([[1.0]]), [[1.0, 4.0]])
    with pytest.raises(ValueError, match="alpha must be of length 2"):
        representer.KernelClassifier([1.0], 0.5, [[1.0], [2.0]], kernels.linear_kernel)


def test_equal_rows_are_grouped_in_the_order_in_which_they_come():
    """Sums that coincide do not make rows equal; then every row is a group of its own, and none changes its place."""
    apart = np.array([[3.0, 1.0], [1.0, 3.0], [2.0, 2.0]])
    for array in gram_features.twins(apart):
        np.testing.assert_array_equal(array, [0, 1, 2])
    first, group = gram_features.twins(apart[[0, 1, 0, 2, 1]])
    np.testing.assert_array_equal(first, [0, 1, 3])
    np.testing.assert_array_equal(group, [0, 1, 0, 2, 1])
