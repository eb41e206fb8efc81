"""The risk that every learner minimises, its gradient and its Hessian."""

import numpy as np
import pandas as pd
import pytest

from linclass import gradcheck, losses, risk

SLOPED = [losses.PERCEPTRON, losses.HINGE, losses.LOGISTIC, losses.EXPONENTIAL, losses.SQUARED, losses.MODIFIED_SQUARED]
CURVED = SLOPED[2:]
every_loss = pytest.mark.parametrize("loss", [losses.ZERO_ONE, *SLOPED], ids=lambda loss: loss.name)
every_slope = pytest.mark.parametrize("loss", SLOPED, ids=lambda loss: loss.name)
every_curvature = pytest.mark.parametrize("loss", CURVED, ids=lambda loss: loss.name)
LAMS = [0.0, 0.1, 3.0]


@pytest.mark.ledger("eq-risk")
def test_the_risk_by_hand():
    X, y = [[1.0, 0.0], [0.0, 2.0]], [1, -1]
    theta, theta_0 = [3.0, 4.0], 0.5  # margins 3.5 and -8.5
    assert risk.risk(theta, theta_0, X, y, losses.HINGE) == (0 + 9.5) / 2
    assert risk.risk(theta, theta_0, X, y, losses.HINGE, lam=0.1) == pytest.approx(9.5 / 2 + 0.1 / 2 * 25)
    assert risk.risk(theta, theta_0, X, y, losses.ZERO_ONE) == 0.5
    gradient, slope = risk.risk_grad(theta, theta_0, X, y, losses.HINGE, lam=0.1)
    np.testing.assert_allclose(gradient, [0.3, 1.0 + 0.4])  # -1 * y * x / 2 of the second example, plus lam theta
    assert slope == 0.5


@every_slope
@pytest.mark.parametrize("lam", LAMS)
@pytest.mark.ledger("eq-risk-grad", "eq-central-difference")
def test_the_gradient_against_finite_differences(loss, lam, problem, rng):
    X, y = problem
    value, grad, _ = risk.as_functions(X, y, loss, lam)
    for _ in range(5):
        point = rng.normal(size=X.shape[1] + 1) / 3  # a random point is on no kink
        assert gradcheck.grad_error(value, grad, point) < 1e-7, f"risk_grad of the {loss.name} loss"


@every_curvature
@pytest.mark.parametrize("lam", LAMS)
@pytest.mark.ledger("eq-risk-hess")
def test_the_hessian_against_differences_of_the_gradient(loss, lam, problem, rng):
    X, y = problem
    _, grad, hess = risk.as_functions(X, y, loss, lam)
    for _ in range(5):
        point = rng.normal(size=X.shape[1] + 1) / 3
        exact = hess(point)
        assert exact.shape == (X.shape[1] + 1,) * 2
        np.testing.assert_allclose(exact, gradcheck.numeric_hess(grad, point), atol=1e-5 * (1 + np.abs(exact).max()))


@every_slope
@pytest.mark.ledger("eq-risk", "eq-risk-grad", "eq-risk-hess")
def test_the_offset_is_never_penalised(loss, problem):
    X, y = problem
    theta, theta_0 = np.array([0.2, -0.1, 0.4]), 7.0
    free = risk.risk(theta, theta_0, X, y, loss)
    assert risk.risk(theta, theta_0, X, y, loss, lam=2.0) == pytest.approx(free + theta @ theta, rel=1e-14)
    plain, penalised = (risk.risk_grad(theta, theta_0, X, y, loss, lam) for lam in (0.0, 2.0))
    np.testing.assert_allclose(penalised[0] - plain[0], 2 * theta, atol=1e-12)
    assert penalised[1] == plain[1]
    if loss in CURVED:
        difference = risk.risk_hess(theta, theta_0, X, y, loss, 2.0) - risk.risk_hess(theta, theta_0, X, y, loss)
        np.testing.assert_allclose(difference, np.diag([2.0, 2.0, 2.0, 0.0]), atol=1e-9)


@every_slope
@pytest.mark.parametrize("lam", LAMS)
@pytest.mark.ledger("thm-risk-convex")
def test_the_risk_is_convex(loss, lam, problem, rng):
    """Midpoint below chord, tangent plane below the risk, and no negative curvature, at random places."""
    X, y = problem
    value, grad, hess = risk.as_functions(X, y, loss, lam)
    for _ in range(20):
        a, b = rng.normal(size=(2, X.shape[1] + 1))
        slack = 1e-12 * (1 + value(a) + value(b))
        assert value((a + b) / 2) <= (value(a) + value(b)) / 2 + slack
        assert value(b) >= value(a) + grad(a) @ (b - a) - slack
        if loss in CURVED:
            H = hess(a)
            assert np.linalg.eigvalsh(H)[0] >= -1e-12 * np.abs(H).max()


def test_the_zero_one_risk_is_not_convex(problem):
    X, y = problem
    along_a_line = np.vectorize(lambda t: risk.risk([t, 0.0, 0.0], 0.3, X, y, losses.ZERO_ONE))
    assert gradcheck.convexity_witness(along_a_line, np.linspace(-1, 1, 41)) is not None


@every_slope
def test_without_the_penalty_the_gradient_is_a_mean(loss, problem):
    X, y = problem
    whole = risk.risk_grad([0.1, 0.2, 0.3], 0.4, X, y, loss)
    parts = [risk.risk_grad([0.1, 0.2, 0.3], 0.4, X[i : i + 1], y[i : i + 1], loss) for i in range(len(y))]
    np.testing.assert_allclose(whole[0], np.mean([part[0] for part in parts], axis=0))
    assert whole[1] == pytest.approx(np.mean([part[1] for part in parts]))


@every_slope
def test_every_kind_of_input_gives_the_same(loss, problem):
    X, y = problem[0].round(1), problem[1]
    theta = [0.5, -0.25, 1.0]
    kinds = [
        (theta, X.tolist(), y.tolist()),
        (np.array(theta), np.asfortranarray(X), y.astype(np.int8)),
        (np.array(theta, np.float32), X, y),
        (pd.Series(theta, index=list("abc")), pd.DataFrame(X, index=range(40, 0, -1)), pd.Series(y, index=range(40))),
    ]
    expected = risk.risk_grad(np.array(theta), 0.1, X, y, loss, 0.3)
    for some_theta, some_X, some_y in kinds:
        gradient, slope = risk.risk_grad(some_theta, 0.1, some_X, some_y, loss, 0.3)
        assert type(gradient) is np.ndarray and type(slope) is float
        np.testing.assert_allclose(gradient, expected[0], rtol=1e-12)
        assert slope == pytest.approx(expected[1])
        assert type(risk.risk(some_theta, 0.1, some_X, some_y, loss, 0.3)) is float
        if loss in CURVED:
            assert type(risk.risk_hess(some_theta, 0.1, some_X, some_y, loss, 0.3)) is np.ndarray


def test_as_functions_of_one_vector(problem):
    X, y = problem
    theta, theta_0 = np.array([0.1, 0.2, 0.3]), 0.4
    value, grad, hess = risk.as_functions(X, y, losses.LOGISTIC, 0.5)
    u = np.append(theta, theta_0)
    assert value(u) == risk.risk(theta, theta_0, X, y, losses.LOGISTIC, 0.5)
    np.testing.assert_array_equal(grad(u)[:3], risk.risk_grad(theta, theta_0, X, y, losses.LOGISTIC, 0.5)[0])
    assert grad(u)[3] == risk.risk_grad(theta, theta_0, X, y, losses.LOGISTIC, 0.5)[1]
    np.testing.assert_array_equal(hess(u), risk.risk_hess(theta, theta_0, X, y, losses.LOGISTIC, 0.5))
    unpenalised, *_ = risk.as_functions(X, y, losses.LOGISTIC)
    assert unpenalised(u) == risk.risk(theta, theta_0, X, y, losses.LOGISTIC, 0.0)


def test_the_risk_follows_a_replaced_loss(monkeypatch, problem):
    monkeypatch.setattr(losses, "hinge_loss", lambda z: np.full_like(z, 42.0))
    assert risk.risk([0.0, 0.0, 0.0], 0.0, *problem, losses.HINGE) == 42.0


def test_nan_gives_nan_and_overflow_gives_infinity_without_a_warning():
    assert np.isnan(risk.risk([1.0], 0.0, [[np.nan]], [1], losses.LOGISTIC))
    assert risk.risk([1e4], 0.0, [[1.0]], [-1], losses.EXPONENTIAL) == np.inf
    assert risk.risk([1e200], 0.0, [[1e-200]], [1], losses.HINGE, lam=1.0) == np.inf
    assert risk.risk([1e200], 0.0, [[1e-200]], [1], losses.HINGE, lam=0.0) == 0.0
    gradient, slope = risk.risk_grad([1e4], 0.0, [[1.0]], [-1], losses.EXPONENTIAL)
    assert gradient[0] == slope == np.inf
    assert risk.risk_hess([1e4], 0.0, [[1.0]], [-1], losses.EXPONENTIAL)[0, 0] == np.inf


@pytest.mark.parametrize("function", [risk.risk, risk.risk_grad, risk.risk_hess])
@pytest.mark.parametrize("lam", [-1.0, -1e-300, np.nan, np.inf, None, "1", [0.1, 0.2]], ids=repr)
def test_a_bad_lam_is_named(function, lam, problem):
    with pytest.raises(ValueError, match=r"^lam must be .*; got "):
        function([0.0, 0.0, 0.0], 0.0, *problem, losses.LOGISTIC, lam)


@pytest.mark.parametrize("function", [risk.risk, risk.risk_grad, risk.risk_hess])
@pytest.mark.parametrize("loss", ["logistic", None, losses.logistic_loss, 0.5])
def test_a_bad_loss_is_named(function, loss, problem):
    with pytest.raises(ValueError, match=r"^loss must be a loss of the margin, for instance losses.LOGISTIC; got "):
        function([0.0, 0.0, 0.0], 0.0, *problem, loss)


def test_a_loss_that_lacks_a_derivative_is_named(problem):
    with pytest.raises(ValueError, match=r"^loss must be a loss with a slope; got zero_one"):
        risk.risk_grad([0.0, 0.0, 0.0], 0.0, *problem, losses.ZERO_ONE)
    with pytest.raises(ValueError, match=r"^loss must be a loss with a curvature; got hinge"):
        risk.risk_hess([0.0, 0.0, 0.0], 0.0, *problem, losses.HINGE)
