"""What chapters 7 and 8 claim about gradient descent, sub-gradients and SGD, held to numbers."""

from itertools import combinations, permutations, product

import numpy as np
import pytest

from linclass import datasets, descent, gradcheck, logistic, losses, newton, risk

CORNERED = (losses.HINGE, losses.PERCEPTRON)
CONVEX = (*CORNERED, losses.LOGISTIC, losses.EXPONENTIAL, losses.SQUARED, losses.MODIFIED_SQUARED)


@pytest.fixture
def data():
    return datasets.two_gaussians(30, np.random.default_rng(0))


def single_gradients(w, X, y, loss, lam=0.0):
    """One row per example: its own gradient in (theta, theta_0)."""
    rows = [risk.risk_grad(w[:-1], w[-1], X[[t]], y[[t]], loss, lam) for t in range(len(y))]
    return np.array([np.append(*row) for row in rows])


@pytest.mark.ledger("eq-gradient-step")
@pytest.mark.parametrize("eta", [0.1, 0.5, 0.8])
def test_the_walk_on_a_parabola_is_geometric(eta):
    for steps in range(1, 6):
        walk = descent.gradient_descent(
            lambda x: (x[0] - 1) ** 2 + 2, lambda x: 2 * (x - 1), [3.0], eta=eta, tol=0, max_steps=steps
        )
        assert walk.point[0] - 1 == pytest.approx(2 * (1 - 2 * eta) ** walk.steps)


def test_beyond_the_limit_it_says_that_it_diverged():
    walk = descent.gradient_descent(lambda x: x[0] ** 2, lambda x: 2 * x, [1.0], eta=1.05)
    assert not walk.converged and "diverged" in walk.message


@pytest.mark.ledger("thm-gradient-descent")
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_strong_convexity_makes_the_error_fall_geometrically(share):
    rng = np.random.default_rng(0)
    for kappa in (1.0, 3.0, 50.0):
        turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
        A = turn @ np.diag(np.linspace(1, kappa, 4)) @ turn.T  # mu = 1, L = kappa
        walk = descent.gradient_descent(
            lambda x, A=A: float(x @ A @ x / 2),
            lambda x, A=A: A @ x,
            rng.normal(size=4),
            eta=share / kappa,
            max_steps=40,
        )
        bound = walk.history[0] * (1 - share / kappa) ** np.arange(len(walk.history))
        assert (walk.history <= bound * (1 + 1e-12) + 1e-15).all()


@pytest.mark.ledger("thm-gradient-descent")
def test_a_bound_holds_up_to_twice_one_over_the_curvature():
    rng = np.random.default_rng(1)
    curvatures = np.array([0.0, 0.01, 0.3, 1.0])  # L = 1, and a flat direction
    for eta in (1.2, 1.6, 1.95):
        start = rng.normal(size=4)
        walk = descent.gradient_descent(
            lambda x: float(curvatures @ x**2 / 2), lambda x: curvatures * x, start, eta=eta, tol=0.0, max_steps=200
        )
        steps = np.arange(1, len(walk.history))
        assert (walk.history[1:] <= start @ start / (eta * (1 - eta / 2) * steps)).all()


@pytest.mark.ledger("thm-gradient-descent")
@pytest.mark.parametrize("factor", [0.1, 0.5, 1.0, 1.9])
def test_gradient_descent_keeps_its_promises(data, factor):
    X, y = data
    value, grad, hess = risk.as_functions(X, y, losses.LOGISTIC, lam=0.01)
    A = np.column_stack([X, np.ones(len(X))])
    L = np.linalg.eigvalsh(A.T @ A / (4 * len(X)))[-1] + 0.01
    best = newton.newton(value, grad, hess, np.zeros(3))
    walk = descent.gradient_descent(value, grad, np.zeros(3), eta=factor / L, max_steps=100)
    assert (np.diff(walk.history) < 1e-15).all()
    first = descent.gradient_descent(value, grad, np.zeros(3), eta=factor / L, max_steps=1)
    promised = factor / L * (1 - factor / 2) * np.sum(grad(np.zeros(3)) ** 2)
    assert first.value <= value(np.zeros(3)) - promised + 1e-15
    if factor <= 1:
        T = np.arange(1, len(walk.history))
        assert (walk.history[1:] - best.value <= np.sum(best.point**2) / (2 * factor / L * T)).all()


@pytest.mark.ledger("thm-local-is-global")
@pytest.mark.parametrize("loss", [losses.LOGISTIC, losses.SQUARED, losses.MODIFIED_SQUARED, losses.EXPONENTIAL])
def test_no_point_is_below_a_stationary_one(data, loss):
    value, grad, _ = risk.as_functions(*data, loss, lam=0.1)
    found = descent.gradient_descent(value, grad, np.zeros(3), tol=1e-7)
    assert found.converged
    others = found.point + 3 * np.random.default_rng(1).normal(size=(200, 3))
    assert min(map(value, others)) >= found.value - 1e-12


@pytest.mark.ledger("thm-backtracking")
@pytest.mark.parametrize("seed", range(6))
def test_backtracked_steps_are_long_cost_two_trials_and_keep_the_bound(seed):
    rng = np.random.default_rng(seed)
    X, y = datasets.two_gaussians(40, rng, scale=10.0 ** rng.uniform(-1, 1))
    value, grad, hess = risk.as_functions(X, y, losses.LOGISTIC, lam=0.05)
    best = newton.newton(value, grad, hess, np.zeros(3))
    rows = np.column_stack([X, np.ones(len(y))])
    L = np.linalg.eigvalsh(rows.T @ rows / (4 * len(y)))[-1] + 0.05
    tried, points = [], []
    walk = descent.gradient_descent(
        lambda w: tried.append(w) or value(w), lambda w: points.append(w) or grad(w), np.ones(3), tol=1e-4
    )
    assert walk.converged
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    etas = lengths / [np.linalg.norm(grad(w)) for w in points[:-1]]
    assert (etas >= min(2, 1 / (2 * L)) * (1 - 1e-9)).all()
    assert len(tried) - 1 == round(2 * len(etas) - np.log2(etas[-1]))
    ceilings = np.sum((points[0] - best.point) ** 2) / (2 * np.cumsum(etas))
    assert (walk.history[1:] - best.value <= ceilings).all()


@pytest.mark.ledger("thm-gradient-descent")
def test_the_bound_beyond_one_over_L(data):
    X, y = data
    value, grad, hess = risk.as_functions(X, y, losses.LOGISTIC)
    best = newton.newton(value, grad, hess, np.zeros(3))
    rows = np.column_stack([X, np.ones(len(y))])
    L = np.linalg.eigvalsh(rows.T @ rows / (4 * len(y)))[-1]
    for factor in (1.2, 1.6, 1.95):
        eta = factor / L
        walk = descent.gradient_descent(value, grad, np.zeros(3), eta=eta, max_steps=60)
        T = np.arange(1, len(walk.history))
        assert (walk.history[1:] - best.value <= best.point @ best.point / (eta * (1 - factor / 2) * T)).all()


@pytest.mark.ledger("eq-gradient-step")
@pytest.mark.parametrize("kappa", [20.0, 1000.0])
def test_the_best_momentum_shrinks_like_the_root_of_the_condition_number(kappa):
    root = np.sqrt(kappa)
    eta, beta = 4 / (root + 1) ** 2, ((root - 1) / (root + 1)) ** 2
    factors = [
        np.abs(np.linalg.eigvals([[1 + beta - eta * c, -beta], [1, 0]])).max() for c in np.linspace(1, kappa, 50)
    ]
    assert max(factors) == pytest.approx((root - 1) / (root + 1), rel=1e-6)


def test_the_function_with_two_valleys_is_caught():
    assert gradcheck.convexity_witness(lambda x: x**4 / 4 - x**2 + 0.3 * x, np.linspace(-1.9, 1.8, 38))


@pytest.mark.ledger("eq-subgradient")
@pytest.mark.parametrize("loss", CONVEX)
def test_slopes_are_subgradients(loss):
    z = np.linspace(-4, 4, 161)
    value, slope = loss.value(z), loss.slope(z)
    lines = value[:, None] + slope[:, None] * (z[None, :] - z[:, None])
    assert (value[None, :] >= lines - 1e-12).all()


def test_exactly_the_slopes_from_minus_one_to_zero_are_subgradients_at_the_corner():
    z = np.linspace(-3, 3, 601)
    for v in np.linspace(-1.5, 0.5, 41):
        assert (losses.hinge_loss(z) >= v * (z - 1) - 1e-12).all() == (-1 - 1e-9 <= v <= 1e-9)


@pytest.mark.ledger("thm-risk-subgradient")
@pytest.mark.parametrize("loss", CONVEX)
def test_the_risk_has_this_subgradient(data, loss):
    value, grad, _ = risk.as_functions(*data, loss, lam=0.1)
    rng = np.random.default_rng(2)
    for w, u in zip(rng.normal(size=(30, 3)), rng.normal(size=(30, 3)), strict=True):
        assert value(u) >= value(w) + grad(w) @ (u - w) - 1e-12


@pytest.mark.ledger("thm-closer")
def test_a_step_may_go_up_and_come_closer():
    x, g = np.array([1.0, 0.0]), np.array([1.0, 2.0])
    for eta in (0.01, 0.1, 0.3):
        after = x - eta * g
        assert np.abs(after) @ [1, 2] == pytest.approx(1 + 3 * eta)
        assert after @ after <= x @ x - 2 * eta * 1 + eta**2 * (g @ g) + 1e-12
        assert after @ after < x @ x


@pytest.mark.ledger("eq-sgd-step", "eq-perceptron-sgd", "eq-hinge-sgd", "eq-logistic-sgd")
@pytest.mark.parametrize("lam", [0.0, 0.3])
def test_one_line_three_updates(lam):
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal(size=(20, 2)), [[1.0, 0.0], [2.0, 0.0]]])  # the last two at margins 1 and 2
    theta, theta_0, eta = np.array([1.0, 0.5]), 0.0, 0.2
    for x, y in product(X, (-1.0, 1.0)):
        z = y * (theta @ x + theta_0)
        push = {"perceptron": float(z <= 0), "hinge": float(z <= 1), "logistic": logistic.sigmoid(-z)}
        for loss in (losses.PERCEPTRON, losses.HINGE, losses.LOGISTIC):
            after, after_0 = descent.sgd_step(theta, theta_0, x[None], np.array([y]), loss, lam, eta)
            np.testing.assert_allclose(after, (1 - eta * lam) * theta + eta * push[loss.name] * y * x, atol=1e-14)
            assert after_0 == pytest.approx(theta_0 + eta * push[loss.name] * y)


@pytest.mark.ledger("thm-sgd-unbiased")
@pytest.mark.parametrize("loss", CONVEX)
def test_the_mean_over_the_examples_is_the_gradient(data, loss):
    w = np.array([0.4, -0.2, 0.1])
    _, grad, _ = risk.as_functions(*data, loss, lam=0.2)
    np.testing.assert_allclose(single_gradients(w, *data, loss, 0.2).mean(axis=0), grad(w), atol=1e-12)


def test_a_shuffled_place_is_uniform_until_one_knows_the_past():
    orders = np.array(list(permutations(range(4))))
    for place in range(4):
        assert np.array_equal(np.bincount(orders[:, place]), [6, 6, 6, 6])
    after_zero = orders[orders[:, 0] == 0]
    assert (after_zero[:, 1] != 0).all()


@pytest.mark.ledger("eq-step-rules")
def test_step_rules_are_their_formulas():
    t = np.arange(1, 50)
    np.testing.assert_allclose([descent.constant_step(0.3)(k) for k in t], 0.3)
    np.testing.assert_allclose([descent.inverse_step(2.0, 5.0)(k) for k in t], 2 / (t + 5))
    np.testing.assert_allclose([descent.inverse_sqrt_step(2.0)(k) for k in t], 2 / np.sqrt(t))


@pytest.mark.ledger("thm-robbins-monro-rules")
def test_the_inequalities_that_decide_the_sums():
    t = np.arange(1, 2**16 + 1)
    harmonic = np.cumsum(descent.inverse_step()(t))
    k = np.arange(1, 17)
    assert (harmonic[2**k - 1] >= 1 + k / 2).all()  # every group that ends at a power of 2 adds a half
    for shift in (0, 1, 2.5):
        assert (np.cumsum(descent.inverse_step(shift=shift)(t) ** 2) <= 2).all()
    np.testing.assert_allclose(np.cumsum(descent.inverse_sqrt_step()(t) ** 2), harmonic)
    assert (np.cumsum(descent.inverse_sqrt_step()(t)) >= harmonic - 1e-9).all()


@pytest.mark.ledger("thm-sgd-rate")
@pytest.mark.parametrize("loss", [losses.HINGE, losses.LOGISTIC])
@pytest.mark.parametrize("rule", [descent.constant_step(0.1), descent.inverse_step(), descent.inverse_sqrt_step()])
def test_average_and_best_are_below_the_bound(data, loss, rule):
    X, y = data
    value, grad, hess = risk.as_functions(X, y, loss)
    if loss is losses.LOGISTIC:
        best = newton.newton(value, grad, hess, np.zeros(3)).point
    else:
        scipy_optimize = pytest.importorskip("scipy.optimize")
        n = len(y)
        A = np.column_stack([-y[:, None] * X, -y, -np.eye(n)])
        bounds = [(None, None)] * 3 + [(0, None)] * n
        best = scipy_optimize.linprog(np.append(np.zeros(3), np.full(n, 1 / n)), A, -np.ones(n), bounds=bounds).x[:3]
    G2 = np.max(np.sum(X**2, axis=1) + 1)  # the slopes of both losses are at most 1 in size
    etas = np.array([rule(t) for t in range(1, 201)])
    bound = (best @ best + G2 * np.sum(etas**2)) / (2 * etas.sum())
    averages, bests = [], []
    for seed in range(10):
        rng, w, points = np.random.default_rng(seed), (np.zeros(2), 0.0), []
        for eta in etas:
            points.append(np.append(*w))
            i = rng.integers(len(y), size=1)
            w = descent.sgd_step(*w, X[i], y[i], loss, 0.0, eta)
        averages.append(value(etas @ np.array(points) / etas.sum()) - value(best))
        bests.append(min(map(value, points)) - value(best))
    assert np.mean(averages) <= bound and np.mean(bests) <= bound


@pytest.mark.ledger("eq-minibatch")
def test_a_batch_is_the_mean_of_its_examples(data):
    X, y = data
    w, rows, eta = np.array([0.4, -0.2, 0.1]), [3, 7, 7, 11], 0.3
    after = np.append(*descent.sgd_step(w[:2], w[2], X[rows], y[rows], losses.HINGE, 0.1, eta))
    mean = single_gradients(w, X, y, losses.HINGE, 0.1)[rows].mean(axis=0)
    np.testing.assert_allclose(after, w - eta * mean)


@pytest.mark.ledger("thm-minibatch-variance")
@pytest.mark.parametrize("B", [1, 2, 3, 5])
def test_minibatch_variance_over_all_batches(data, B):
    X, y = data
    g = single_gradients(np.array([0.4, -0.2, 0.1]), X[:5], y[:5], losses.LOGISTIC)
    a = g - g.mean(axis=0)
    single = np.mean(np.sum(a**2, axis=1))
    replaced = [np.sum(a[list(rows)].mean(axis=0) ** 2) for rows in product(range(5), repeat=B)]
    assert np.mean(replaced) == pytest.approx(single / B)
    distinct = [np.sum(a[list(rows)].mean(axis=0) ** 2) for rows in combinations(range(5), B)]
    assert np.mean(distinct) == pytest.approx(single / B * (5 - B) / 4, abs=1e-15)


@pytest.mark.ledger("thm-span")
@pytest.mark.parametrize("loss", CONVEX)
@pytest.mark.parametrize("keep", ["last", "best", "average"])
def test_the_iterate_stays_in_the_span(loss, keep):
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(6, 15)) / 4, np.array([1.0, -1, 1, -1, 1, -1])
    fit = descent.fit_sgd(X, y, loss, lam=0.1, eta=0.05, epochs=5, batch=2, keep=keep, rng=rng)
    theta = fit.model.theta
    alpha = np.linalg.lstsq(X.T, theta, rcond=None)[0]
    np.testing.assert_allclose(X.T @ alpha, theta, atol=1e-12)
