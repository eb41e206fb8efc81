"""Newton's method: roots, minima, digits doubling, and the other names it goes by for the logistic risk."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linclass import _checks, datasets, fit, gradcheck, losses, margins, newton, risk, softmax


def data(n=60, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return X, y


def problem(X, y, loss, lam):
    """value, grad, hess of u = (theta, theta_0)."""
    return (
        lambda u: risk.risk(u[:-1], u[-1], X, y, loss, lam),
        lambda u: np.append(*risk.risk_grad(u[:-1], u[-1], X, y, loss, lam)),
        lambda u: risk.risk_hess(u[:-1], u[-1], X, y, loss, lam),
    )


@pytest.mark.ledger("eq-newton-root")
def test_root_by_tangents():
    found = newton.newton_root(lambda x: x**2 - 2, lambda x: 2 * x, 1.0)
    x = 1.0
    for point in found.history[1:4]:
        x = x - (x**2 - 2) / (2 * x)
        assert point == x
    assert found.converged and found.point == pytest.approx(np.sqrt(2), rel=1e-15)
    assert found.steps == len(found.history) - 1


def test_root_that_is_not_found_says_so():
    assert not newton.newton_root(lambda x: x**2 + 1, lambda x: 2 * x, 0.3).converged  # no root
    assert not newton.newton_root(lambda x: x**2 - 2, lambda x: 2 * x, 0.0).converged  # flat start
    assert not newton.newton_root(np.arctan, lambda x: 1 / (1 + x**2), 2.0).converged  # too far out
    assert newton.newton_root(np.arctan, lambda x: 1 / (1 + x**2), 1.0).converged
    assert newton.newton_root(lambda x: x, lambda x: 1.0, 0.0).steps == 0


@pytest.mark.ledger("thm-quadratic-convergence")
def test_digits_double_near_the_root():
    found = newton.newton_root(lambda x: np.exp(x) - 3, np.exp, 1.5)
    errors = np.abs(found.history - np.log(3))
    near = errors[(errors > 1e-7) & (errors < 0.5)]
    # e_{k+1} <= (max |f''| / (2 min |f'|)) e_k^2, and for exp the constant is near 1/2
    ratios = errors[1 : len(near) + 1] / errors[: len(near)] ** 2
    assert len(near) >= 3 and (ratios < 0.75).all() and (ratios > 0.3).all()


def test_quadratic_convergence_in_the_history_of_a_fit():
    X, y = data()
    found = newton.newton(*problem(X, y, losses.LOGISTIC, 0.01), np.zeros(4))
    left = found.history - found.history[-1]
    seen = [k for k in range(len(left) - 1) if 1e-13 < left[k + 1] and left[k] < 0.05]
    assert found.converged and seen and all(left[k + 1] < 5 * left[k] ** 1.8 for k in seen)


@pytest.mark.ledger("eq-newton-step")
def test_step_solves_the_system():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(4, 4))
    H, g = A @ A.T + np.eye(4), rng.normal(size=4)
    np.testing.assert_allclose(H @ newton.newton_step(g, H), -g, rtol=1e-12)
    shortest = newton.newton_step(np.array([2.0, 0.0]), np.diag([2.0, 0.0]))  # singular: the shortest minimiser
    np.testing.assert_allclose(shortest, [-1.0, 0.0], atol=1e-15)


@pytest.mark.ledger("eq-newton-minimise")
@pytest.mark.parametrize("loss", [losses.LOGISTIC, losses.EXPONENTIAL, losses.SQUARED, losses.MODIFIED_SQUARED])
def test_minimum_has_no_gradient_and_the_history_falls(loss):
    X, y = data()
    value, grad, hess = problem(X, y, loss, 0.1)
    found = newton.newton(value, grad, hess, np.zeros(4))
    assert found.converged and (np.diff(found.history) < 0).all() and found.value == found.history[-1]
    np.testing.assert_allclose(grad(found.point), 0, atol=1e-5)
    np.testing.assert_allclose(gradcheck.numeric_grad(value, found.point), 0, atol=1e-5)


def test_a_parabola_takes_one_step():
    H, b = np.array([[3.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    found = newton.newton(lambda x: x @ H @ x / 2 - b @ x, lambda x: H @ x - b, lambda x: H, [5.0, 5.0])
    assert found.steps == 1 and found.converged
    np.testing.assert_allclose(found.point, np.linalg.solve(H, b), rtol=1e-12)


def test_damping_reaches_where_full_steps_diverge():
    found = newton.newton(
        lambda x: float(np.log(np.cosh(x[0]))), np.tanh, lambda x: np.diag(1 / np.cosh(x) ** 2), [1.5]
    )
    assert found.converged and abs(found.point[0]) < 1e-5
    undamped = newton.newton_root(np.tanh, lambda x: 1 / np.cosh(x) ** 2, 1.5, max_steps=4)
    assert not undamped.converged and abs(undamped.point) > 1.5


def test_a_function_that_is_not_convex_is_reported():
    found = newton.newton(lambda x: -float(x @ x), lambda x: -2 * x, lambda x: -2 * np.eye(2), [1.0, 1.0])
    assert not found.converged and "convex" in found.message


@pytest.mark.parametrize("start", [0.0, 0.5])
def test_a_maximum_is_not_called_a_minimum(start):
    found = newton.newton(lambda x: np.cos(x[0]), lambda x: -np.sin(x), lambda x: -np.cos(x)[:, None], [start])
    assert not found.converged and found.steps == 0 and "not a minimum" in found.message


def test_a_saddle_is_not_called_a_minimum():
    H = np.diag([1.0, -1.0])
    assert not newton.newton(lambda x: x @ H @ x / 2, lambda x: H @ x, lambda x: H, [0.0, 0.0]).converged


@pytest.mark.parametrize("tilt", [1.0, 1e-6, 1e6])
def test_a_tilted_valley_is_not_called_a_minimum(tilt):
    found = newton.newton(
        lambda x: tilt * x[0] + x[1] ** 2,
        lambda x: np.array([tilt, 2 * x[1]]),
        lambda x: np.diag([0.0, 2.0]),
        [5.0, 3.0],
    )
    assert not found.converged and "without curvature" in found.message


def test_a_curvature_that_underflows_is_not_a_minimum():
    found = newton.newton(
        lambda t: np.logaddexp(t[0] / 2, -t[0] / 2),
        lambda t: np.tanh(t / 2) / 2,
        lambda t: 1 / (4 * np.cosh(t / 2) ** 2)[:, None],
        [1000.0],
    )
    assert not found.converged and "without curvature" in found.message


def test_a_flat_valley_has_a_minimum():
    H = np.diag([1.0, 0.0])
    found = newton.newton(lambda x: x @ H @ x / 2, lambda x: H @ x, lambda x: H, [3.0, 2.0])
    assert found.converged and found.point.tolist() == [0.0, 2.0]


@pytest.mark.parametrize("spread", [0.0, 0.1, 1.0])
def test_the_step_does_not_move_all_offsets_of_a_softmax_together(spread):
    """The softmax Hessian is singular along that direction, whether or not rounding lets Cholesky's method pass."""
    iris, rng = datasets.iris(), np.random.default_rng(0)
    Theta, theta_0 = spread * rng.normal(size=(3, 4)), spread * rng.normal(size=3)
    at = (Theta, theta_0, iris.X, iris.y, 0.01)
    g = np.column_stack(softmax.softmax_risk_grad(*at)).ravel()
    H = softmax.softmax_risk_hess(*at)
    step = newton.newton_step(g, H)
    np.testing.assert_allclose(H @ step, -g, atol=1e-9)
    assert abs(step.reshape(3, 5)[:, -1].sum()) < 1e-6


def test_no_unit_makes_a_direction_look_flat():
    """In units 1e-9 as large, beside a direction that is really flat, a curvature stays a curvature."""
    unit = np.array([1.0, 1e-9, 1.0])
    H = np.outer(unit, unit) * [[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]
    step = newton.newton_step(unit * [3.0, 3.0, 0.0], H)
    np.testing.assert_allclose(step, [-1.0, -1e9, 0.0], rtol=1e-12)


def test_a_hessian_of_subnormal_numbers_has_a_step():
    H = 1e-315 * np.array([[1.0, 1.0], [1.0, 1.0]])
    np.testing.assert_allclose(newton.newton_step(np.array([2e-315, 2e-315]), H), [-1.0, -1.0], rtol=1e-6)


@pytest.mark.parametrize("kind", ["value", "grad", "hess"])
def test_what_a_callers_function_returns_is_checked(kind):
    good = {"value": lambda x: x @ x, "grad": lambda x: 2 * x, "hess": lambda x: 2 * np.eye(2)}
    for wrong in (lambda x: "high", lambda x: np.ones(3), lambda x: None):
        with pytest.raises(ValueError, match=rf"^{kind}\(x\) must be "):
            newton.newton(**good | {kind: wrong}, start=[1.0, 1.0])
    with pytest.raises(ValueError, match=f"^{kind} must be a function"):
        newton.newton(**good | {kind: 3.0}, start=[1.0, 1.0])
    found = newton.newton(**good | {kind: lambda x: np.full(np.shape(good[kind](x)), np.nan)[()]}, start=[1.0, 1.0])
    assert not found.converged and found.steps == 0


def test_a_callers_function_is_checked_even_inside_a_chain_of_calls():
    @_checks.takes(v="d")
    def outer(v):
        return newton.newton(lambda x: risk.risk(x, 0.0, [[1.0, 2.0]], [0], losses.LOGISTIC), None, None, v)

    with pytest.raises(ValueError, match=r"^grad must be a function"):
        outer([0.0, 0.0])
    good = {"grad": lambda x: x, "hess": lambda x: np.eye(2)}

    @_checks.takes(v="d")
    def other(v):
        return newton.newton(lambda x: risk.risk(x, 0.0, [[1.0, 2.0]], [0], losses.LOGISTIC), start=v, **good)

    with pytest.raises(ValueError, match=r"^y must be a vector of labels -1 and"):
        other([0.0, 0.0])


def test_the_first_step_that_falls_enough():
    asked = []

    def value(x):
        asked.append(float(x[0]))
        return float(x @ x)

    x, step = np.array([1.0]), np.array([-8.0])  # t = 1/2 lands at -3, 1/4 at -1, 1/8 at 0
    assert fit.backtrack(value, x, step, 1.0) == 0.125 and asked == [1.0, -7.0, -3.0, -1.0, 0.0]
    with pytest.raises(fit.Stopped, match="no shorter step"):
        fit.backtrack(value, x, -step, 1.0)


def test_a_root_search_ends_at_the_last_finite_point():
    found = newton.newton_root(lambda x: np.exp(x) - 1, np.exp, 800.0)  # infinity over infinity
    assert not found.converged and found.steps == 0 and found.point == 800.0


def test_the_answer_is_not_the_array_of_the_start():
    start = np.zeros(1)
    found = newton.newton(lambda x: x @ x, lambda x: 2 * x, lambda x: 2 * np.eye(1), start)
    assert found.steps == 0 and not np.shares_memory(found.point, start)


def test_too_few_steps_are_reported():
    found = newton.newton(*problem(*data(), losses.LOGISTIC, 0.01), np.zeros(4), max_steps=2)
    assert not found.converged and found.steps == 2 and "stopped after 2 steps" in found.message


def test_a_gradient_that_promises_what_the_value_does_not_keep_is_reported():
    found = newton.newton(lambda x: -float(x[0]), lambda x: np.ones(1), lambda x: np.eye(1), [2.0])  # a wrong sign
    assert not found.converged and found.steps == 0 and found.point == 2.0 and "no shorter step" in found.message


@pytest.mark.parametrize(("height", "steps"), [(0.0, 1), (1e10, 0)])
def test_the_tolerance_is_relative_to_the_value(height, steps):
    """From x = 0.1 on x^2 / 2 the decrement is 0.005: above 1e-12, and below 1e-12 (1 + 1e10)."""
    found = newton.newton(lambda x: height + float(x @ x) / 2, lambda x: x, lambda x: np.eye(1), [0.1])
    assert found.converged and found.steps == steps


@pytest.mark.parametrize("start", [np.inf, np.nan])
def test_a_start_is_finite(start):
    with pytest.raises(ValueError, match=r"^start must be "):
        newton.newton_root(np.sin, np.cos, start)
    with pytest.raises(ValueError, match=r"^start must be "):
        newton.newton(lambda x: x @ x, lambda x: 2 * x, lambda x: 2 * np.eye(1), [start])


@pytest.mark.ledger("thm-newton-is-fisher-scoring")
def test_the_hessian_is_the_fisher_information():
    """Expected over labels of the model, the product of scores is the Hessian, which does not feel the labels."""
    X, y = data(20)
    theta, theta_0 = np.array([0.5, -1.0, 0.2]), 0.3
    A = np.roll(margins.affine_features(X), -1, axis=1)
    expected = np.zeros((4, 4))
    for label in (-1.0, 1.0):
        z = label * (X @ theta + theta_0)
        probability = 1 / (1 + np.exp(-z))
        score = -losses.logistic_slope(z)[:, None] * label * A  # gradient of the log-likelihood of each example
        expected += score.T @ (probability[:, None] * score) / len(y)
    for labels in (y, -y):
        np.testing.assert_allclose(risk.risk_hess(theta, theta_0, X, labels, losses.LOGISTIC), expected, rtol=1e-12)


@pytest.mark.ledger("thm-newton-is-irls")
def test_the_newton_step_is_a_weighted_least_squares_fit():
    X, y = data()
    A = np.roll(margins.affine_features(X), -1, axis=1)
    u = np.array([0.5, -1.0, 0.2, 0.3])
    _, grad, hess = problem(X, y, losses.LOGISTIC, 0.0)
    s = A @ u
    p = 1 / (1 + np.exp(-s))
    w = p * (1 - p)
    response = s + ((y + 1) / 2 - p) / w
    least_squares, *_ = np.linalg.lstsq(np.sqrt(w)[:, None] * A, np.sqrt(w) * response, rcond=None)
    np.testing.assert_allclose(u + newton.newton_step(grad(u), hess(u)), least_squares, rtol=1e-10)


@settings(max_examples=oracles.rounds(25), deadline=None, derandomize=True)
@given(
    n=st.integers(2, 30), d=st.integers(1, 6), scale=st.integers(-3, 3), lam=st.floats(1e-4, 10),
    seed=st.integers(0, 99),
)  # fmt: skip
def test_penalised_logistic_risk_always_converges(n, d, scale, lam, seed):
    X, y = data(n, d, seed)
    value, grad, hess = problem(X * 10.0**scale, y, losses.LOGISTIC, lam)
    found = newton.newton(value, grad, hess, np.zeros(d + 1))
    assert found.converged and found.value <= value(np.zeros(d + 1))
