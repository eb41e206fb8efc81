"""What chapter 14 claims about Newton's method, held to numbers."""

import numpy as np
import pytest

from linclass import datasets, gradcheck, logistic, losses, newton, risk


@pytest.fixture
def iris_pair():
    """Versicolor and virginica, which no line separates."""
    iris = datasets.iris()
    two = iris.y > 0
    return iris.X[two], np.where(iris.y[two] == 2, 1.0, -1.0)


@pytest.mark.ledger("eq-newton-root")
def test_one_step_goes_to_the_root_of_the_tangent():
    for x in (0.3, 1.0, 4.0):
        found = newton.newton_root(lambda u: u**3 - 2, lambda u: 3 * u**2, x, max_steps=1)
        tangent = (x**3 - 2) + 3 * x**2 * (found.point - x)
        assert abs(tangent) < 1e-12


@pytest.mark.ledger("thm-quadratic-convergence")
@pytest.mark.parametrize(
    ("f", "slope", "curvature", "root", "start"),
    [
        (lambda x: x**2 - 2, lambda x: 2 * x, lambda x: 2.0, np.sqrt(2), 1.6),
        (lambda x: np.exp(x) - 1, np.exp, np.exp, 0.0, 0.4),
        (lambda x: np.log(x), lambda x: 1 / x, lambda x: -1 / x**2, 1.0, 1.3),
    ],
)
def test_the_error_is_squared(f, slope, curvature, root, start):
    found = newton.newton_root(f, slope, start)
    assert found.converged
    error = found.history - root
    error = error[np.abs(error) > 1e-7]
    assert len(error) >= 3
    assert error[-1] / error[-2] ** 2 == pytest.approx(curvature(root) / (2 * slope(root)), rel=0.05)


def test_a_double_root_only_halves_the_error():
    found = newton.newton_root(lambda x: x**2, lambda x: 2 * x, 1.0, max_steps=10)
    np.testing.assert_allclose(found.history, 0.5 ** np.arange(11))


@pytest.mark.parametrize(("start", "comes_home"), [(2.17, True), (2.18, False)])
def test_full_steps_on_the_smallest_logistic_risk_may_run_away(start, comes_home):
    path = [start]
    for _ in range(5):
        path.append(path[-1] - np.sinh(path[-1]))
    assert (abs(path[-1]) < abs(path[0])) == comes_home


@pytest.mark.ledger("eq-newton-step")
def test_the_step_minimises_the_parabola(iris_pair):
    _, grad, hess = risk.as_functions(*iris_pair, losses.LOGISTIC, lam=0.1)
    rng = np.random.default_rng(0)
    w = rng.normal(size=5)
    g, H = grad(w), hess(w)
    step = newton.newton_step(g, H)
    lowest = g @ step + step @ H @ step / 2
    for other in rng.normal(size=(50, 5)):
        p = step + other
        assert g @ p + p @ H @ p / 2 >= lowest


@pytest.mark.ledger("eq-newton-minimise")
def test_damped_steps_keep_their_promise(iris_pair):
    value, grad, hess = risk.as_functions(*iris_pair, losses.LOGISTIC, lam=0.01)
    w = np.array([3.0, -2.0, 1.0, 4.0, 0.0])
    one = newton.newton(value, grad, hess, w, max_steps=1)
    g, H = grad(w), hess(w)
    step = newton.newton_step(g, H)
    t = (one.point - w) @ step / (step @ step)
    assert np.log2(t) == pytest.approx(round(np.log2(t)))  # 1, 1/2, 1/4, …
    np.testing.assert_allclose(one.point, w + t * step)
    promise = g @ np.linalg.inv(H) @ g
    assert value(one.point) <= value(w) - t * promise / 4
    assert t == 1 or value(w + 2 * t * step) > value(w) - 2 * t * promise / 4


@pytest.mark.ledger("thm-newton-invariant")
def test_newton_has_no_units(iris_pair):
    X, y = iris_pair
    A = np.random.default_rng(1).normal(size=(5, 5))
    _, grad, hess = risk.as_functions(X, y, losses.LOGISTIC)
    u = np.random.default_rng(2).normal(size=5)
    step = newton.newton_step(grad(A @ u), hess(A @ u))
    changed = newton.newton_step(A.T @ grad(A @ u), A.T @ hess(A @ u) @ A)
    np.testing.assert_allclose(A @ changed, step, rtol=1e-6)
    runs = [newton.newton(*risk.as_functions(X * unit, y, losses.LOGISTIC), np.zeros(5)) for unit in (1.0, 1000.0)]
    assert runs[0].steps == runs[1].steps
    np.testing.assert_allclose(runs[0].history, runs[1].history, rtol=1e-9)


@pytest.mark.ledger("thm-newton-local")
def test_the_error_is_squared_in_many_dimensions(iris_pair):
    X, y = iris_pair
    value, grad, hess = risk.as_functions(X, y, losses.LOGISTIC, lam=0.01)
    best = newton.newton(value, grad, hess, np.zeros(5), tol=1e-18).point
    m = np.linalg.eigvalsh(hess(best))[0] / 2
    rng = np.random.default_rng(3)
    longest = np.linalg.norm(np.column_stack([X, np.ones(len(X))]), axis=1).max()
    L = longest**3 * 0.1  # |third derivative of the logistic loss| <= 1 / (6 sqrt 3) < 0.1
    for _ in range(20):
        e = rng.normal(size=5) * 1e-3
        w = best + e
        assert np.linalg.eigvalsh(hess(w))[0] >= m
        after = w + newton.newton_step(grad(w), hess(w))
        assert np.linalg.norm(after - best) <= L / (2 * m) * np.linalg.norm(e) ** 2


@pytest.mark.ledger("thm-damped-newton")
@pytest.mark.parametrize("seed", range(5))
def test_damped_newton_arrives_from_anywhere(iris_pair, seed):
    value, grad, hess = risk.as_functions(*iris_pair, losses.LOGISTIC, lam=0.01)
    w = np.random.default_rng(seed).normal(size=5)
    found = newton.newton(value, grad, hess, w)
    assert found.converged and (np.diff(found.history) < 0).all()
    best = newton.newton(value, grad, hess, np.zeros(5))
    np.testing.assert_allclose(found.point, best.point, atol=1e-4)
    last = newton.newton(value, grad, hess, best.point + 1e-3, max_steps=1)  # near the end the full step is taken
    full = best.point + 1e-3 + newton.newton_step(grad(best.point + 1e-3), hess(best.point + 1e-3))
    np.testing.assert_allclose(last.point, full)


@pytest.mark.ledger("thm-newton-is-irls")
def test_newton_is_reweighted_least_squares(iris_pair):
    X, y = iris_pair
    _, grad, hess = risk.as_functions(X, y, losses.LOGISTIC)
    A, w = np.column_stack([X, np.ones(len(X))]), np.array([-0.3, -0.5, 0.8, 1.0, -2.0])
    p = logistic.sigmoid(A @ w)
    D = p * (1 - p)
    u = A @ w + ((1 + y) / 2 - p) / D
    beta = np.linalg.lstsq(np.sqrt(D)[:, None] * A, np.sqrt(D) * u, rcond=None)[0]
    np.testing.assert_allclose(w + newton.newton_step(grad(w), hess(w)), beta, rtol=1e-8)


@pytest.mark.ledger("thm-newton-is-fisher-scoring")
def test_the_hessian_is_the_fisher_information():
    rng = np.random.default_rng(5)
    X, w = rng.normal(size=(4, 2)), np.array([0.7, -1.2, 0.4])
    A = np.column_stack([X, np.ones(4)])
    p = logistic.sigmoid(A @ w)
    outer, seen = np.zeros((3, 3)), []
    for bits in np.ndindex(2, 2, 2, 2):  # the exact expectation over all labellings
        y01 = np.array(bits, dtype=float)
        score = A.T @ (y01 - p)
        outer += np.prod(np.where(y01 > 0, p, 1 - p)) * np.outer(score, score)
        seen.append(4 * risk.risk_hess(w[:-1], w[-1], X, 2 * y01 - 1, losses.LOGISTIC))
        numeric = gradcheck.numeric_hess(lambda v, s=2 * y01 - 1: -logistic_score(A, s, v), w)
        np.testing.assert_allclose(seen[-1], numeric, atol=1e-8)
    np.testing.assert_allclose(seen[0], outer, atol=1e-12)
    np.testing.assert_allclose(seen, [seen[0]] * 16, atol=1e-12)


def logistic_score(A, signs, w):
    """The gradient of the log-likelihood."""
    return A.T @ ((1 + signs) / 2 - logistic.sigmoid(A @ w))


@pytest.mark.ledger("thm-decrement-proves")
@pytest.mark.parametrize("seed", range(20))
def test_a_small_decrement_bounds_what_is_left(seed):
    """From points near and far: where nu rho is at most 1/2, the minimum is no lower than the bound says."""
    rng = np.random.default_rng(seed)
    X, y = datasets.logistic_sample(rng.normal(size=3), 0.5, 60, rng)
    lam = 0.1 * (seed % 2)
    value, grad, hess = risk.as_functions(X, y, losses.LOGISTIC, lam)
    best = newton.newton(value, grad, hess, np.zeros(4))
    assert best.converged
    A, proved = np.column_stack([X, np.ones(60)]), 0
    for far in np.geomspace(1e-3, 3, 12):
        w = best.point + far * rng.normal(size=4)
        inverse = np.linalg.inv(hess(w))
        nu = np.sqrt(grad(w) @ inverse @ grad(w))
        rho = np.sqrt(np.einsum("ti,ij,tj->t", A, inverse, A).max())
        bound = newton.excess_bound(nu, rho)
        assert value(w) - best.value <= bound
        assert (bound < np.inf) == (nu * rho <= 0.5)
        proved += bound < np.inf
    assert 3 <= proved < 12


@pytest.mark.ledger("thm-decrement-proves")
def test_on_separable_data_no_decrement_proves_a_minimum():
    iris = datasets.iris()
    y = np.where(iris.y == 0, 1.0, -1.0)
    _, grad, hess = risk.as_functions(iris.X, y, losses.LOGISTIC)
    A, w = np.column_stack([iris.X, np.ones(150)]), np.zeros(5)
    for _ in range(12):
        w = w + newton.newton_step(grad(w), hess(w))
        inverse = np.linalg.inv(hess(w))
        nu = np.sqrt(grad(w) @ inverse @ grad(w))
        assert nu * np.sqrt(np.einsum("ti,ij,tj->t", A, inverse, A).max()) > 0.5
