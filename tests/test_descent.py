"""Gradient descent, step rules and SGD: the updates literally, the theorems on data, fast and plain the same."""

import itertools

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linclass import _plug, descent, losses, margins, risk

SLOPED = [losses.Loss(name.removesuffix("_slope")) for name in losses.__all__ if name.endswith("_slope")]
CLASSIC = [losses.PERCEPTRON, losses.HINGE, losses.LOGISTIC]


def data(n=40, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return X, y


def literal_sgd(X, y, loss, lam, eta, epochs, batch, sampling, rng, offset=True):
    """The loop of the book, one draw after the other: the iterates after each step."""
    n, d = X.shape
    theta, theta_0, t, iterates = np.zeros(d), 0.0, 0, []
    for _ in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for k in range(-(-n // batch)):
            t += 1
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[k * batch : (k + 1) * batch]
            g, g_0 = np.zeros(d), 0.0
            for i in rows:
                slope = loss.slope(y[i] * (theta @ X[i] + theta_0))
                g = g + slope * y[i] * X[i] / len(rows)
                g_0 = g_0 + slope * y[i] / len(rows)
            theta = theta - eta(t) * (g + lam * theta)
            theta_0 = theta_0 - eta(t) * g_0 if offset else 0.0
            iterates.append(np.append(theta, theta_0))
    return np.array(iterates)


def parameters(fit):
    return np.append(fit.model.theta, fit.model.theta_0)


# Step rules


@pytest.mark.ledger("eq-step-rules")
def test_step_rules():
    assert descent.constant_step(0.1)(7) == 0.1
    assert descent.inverse_step()(4) == 0.25
    assert descent.inverse_step(2.0, 1.0)(3) == 0.5
    assert descent.inverse_sqrt_step(3.0)(9) == 1.0
    for bad in (0, -1, np.nan, np.inf, None, "1"):
        with pytest.raises(ValueError, match=r"eta|scale"):
            descent.constant_step(bad)
        with pytest.raises(ValueError, match="scale"):
            descent.inverse_step(bad)


@pytest.mark.ledger("thm-robbins-monro-rules")
def test_which_rules_have_a_diverging_sum_and_a_converging_sum_of_squares():
    t = np.arange(1, 2**18 + 1)

    def last_doubling(rule, power):
        """What the second half of the terms adds: falls to 0 for a converging sum, else stays or grows."""
        sums = np.cumsum(rule(t) ** power * np.ones(len(t)))
        return [sums[k - 1] - sums[k // 2 - 1] for k in (2**12, 2**18)]

    grows = {"constant": (True, True), "inverse": (True, False), "shifted": (True, False), "sqrt": (True, True)}
    rules = {
        "constant": descent.constant_step(0.1),
        "inverse": descent.inverse_step(),
        "shifted": descent.inverse_step(1.0, 1.0),
        "sqrt": descent.inverse_sqrt_step(),
    }
    for name, rule in rules.items():
        for power, diverges in zip((1, 2), grows[name], strict=True):
            early, late = last_doubling(rule, power)
            assert (late > 0.9 * early) == diverges, (name, power)


# Gradient descent


@pytest.mark.ledger("eq-gradient-step")
def test_gradient_descent_is_the_literal_update():
    H, start = np.diag([1.0, 4.0]), np.array([3.0, -2.0])
    found = descent.gradient_descent(lambda x: x @ H @ x / 2, lambda x: H @ x, start, eta=0.1, max_steps=25, tol=0)
    x = start
    for _ in range(25):
        x = x - 0.1 * (H @ x)
    np.testing.assert_allclose(found.point, x, rtol=1e-14)
    assert found.steps == 25 and not found.converged and len(found.history) == 26
    np.testing.assert_array_equal(start, [3.0, -2.0])


def test_gradient_descent_converges_oscillates_and_diverges_as_the_curvature_says():
    def run(eta):
        return descent.gradient_descent(lambda x: 2 * x @ x, lambda x: 4 * x, np.ones(1), eta=eta, max_steps=2000)

    assert run(0.1).converged and run(0.24).converged
    assert not run(0.5).converged and abs(run(0.5).point[0]) == 1.0  # |1 - 4 eta| = 1: back and forth for ever
    diverged = run(0.6)
    assert not diverged.converged and "smaller eta" in diverged.message
    rule = descent.gradient_descent(lambda x: 2 * x @ x, lambda x: 4 * x, np.ones(1), eta=descent.inverse_step(0.25))
    assert rule.converged and rule.steps == 1


@pytest.mark.parametrize("loss", [losses.LOGISTIC, losses.SQUARED, losses.MODIFIED_SQUARED, losses.EXPONENTIAL])
def test_backtracking_reaches_a_small_gradient_and_never_goes_up(loss):
    X, y = data()
    found = descent.gradient_descent(
        lambda u: risk.risk(u[:-1], u[-1], X, y, loss, 0.1),
        lambda u: np.append(*risk.risk_grad(u[:-1], u[-1], X, y, loss, 0.1)),
        np.zeros(4),
    )
    assert found.converged and (np.diff(found.history) <= 0).all()
    grad = np.append(*risk.risk_grad(found.point[:-1], found.point[-1], X, y, loss, 0.1))
    assert np.linalg.norm(grad) <= 1e-8


def test_a_value_is_asked_for_once_at_each_point():
    points = []
    descent.gradient_descent(lambda x: points.append(x.tobytes()) or float(x @ x), lambda x: 2 * x, np.ones(2), eta=0.3)
    assert len(points) == len(set(points)) > 10


def test_a_gradient_of_the_wrong_shape_is_named():
    with pytest.raises(ValueError, match=r"^grad\(x\) must be an array of shape \(2,\)"):
        descent.gradient_descent(lambda x: x @ x, lambda x: 1.0, np.ones(2))
    stopped = descent.gradient_descent(lambda x: x @ x, lambda x: np.inf * x, np.ones(2))
    assert not stopped.converged and "not finite" in stopped.message


# SGD


@pytest.mark.ledger("eq-sgd-step", "eq-minibatch")
@pytest.mark.parametrize("loss", SLOPED, ids=lambda loss: loss.name)
@pytest.mark.parametrize(("sampling", "batch"), list(itertools.product(["shuffle", "uniform", "cycle"], [1, 7, 64])))
def test_sgd_is_the_literal_loop_with_the_same_draws(loss, sampling, batch):
    X, y = data()
    rule = descent.inverse_step(0.5, 10.0)
    walk = literal_sgd(X, y, loss, 0.05, rule, 3, batch, sampling, np.random.default_rng(3))
    per_epoch = len(walk) // 3
    ends = walk[per_epoch - 1 :: per_epoch]
    risks = [risk.risk(u[:-1], u[-1], X, y, loss, 0.05) for u in ends]
    answers = {"best": ends[np.argmin(risks)], "last": walk[-1], "average": walk.mean(axis=0)}
    for keep, expected in answers.items():
        fit = descent.fit_sgd(
            X, y, loss, lam=0.05, eta=rule, epochs=3, batch=batch, sampling=sampling, keep=keep,
            rng=np.random.default_rng(3),
        )  # fmt: skip
        np.testing.assert_allclose(parameters(fit), expected, rtol=1e-11, atol=1e-13)
        assert fit.steps == len(walk) and not fit.converged and "certificate" in fit.message
        if keep != "average":
            np.testing.assert_allclose(fit.history, risks, rtol=1e-12)
        else:
            np.testing.assert_allclose(fit.history[-1], risk.risk(*split(fit), X, y, loss, 0.05), rtol=1e-12)


def split(fit):
    return fit.model.theta, fit.model.theta_0


@pytest.mark.ledger("eq-perceptron-sgd")
def test_perceptron_update():
    check_update(losses.PERCEPTRON, lambda z: 1.0 * (z <= 0))


@pytest.mark.ledger("eq-hinge-sgd")
def test_hinge_update():
    check_update(losses.HINGE, lambda z: 1.0 * (z <= 1))


@pytest.mark.ledger("eq-logistic-sgd")
def test_logistic_update():
    check_update(losses.LOGISTIC, lambda z: 1 / (1 + np.exp(z)))


def check_update(loss, weight):
    """One step on one example adds eta y x times `weight` of the margin, also where the margin is on the kink."""
    rng = np.random.default_rng(0)
    for z in (-2.0, 0.0, 0.5, 1.0, 1.5):
        for y in (-1.0, 1.0):
            x, theta = rng.integers(-4, 5, (2, 3)).astype(float)
            theta_0 = y * z - theta @ x
            new, new_0 = descent.sgd_step(theta, theta_0, x[None], np.array([y]), loss, 0.0, 0.25)
            np.testing.assert_allclose(new, theta + 0.25 * weight(z) * y * x, rtol=1e-15)
            np.testing.assert_allclose(new_0, theta_0 + 0.25 * weight(z) * y, rtol=1e-15)


@pytest.mark.ledger("eq-subgradient")
@pytest.mark.parametrize("loss", SLOPED, ids=lambda loss: loss.name)
def test_the_slope_is_a_subgradient(loss):
    z, u = np.meshgrid(np.linspace(-3, 3, 61), np.linspace(-3, 3, 61))
    assert (loss.value(u) >= loss.value(z) + loss.slope(z) * (u - z) - 1e-12).all()
    # Of the risk too, kinks included: the step's direction supports the risk from below.
    X, y = data()
    rng = np.random.default_rng(1)
    X, theta = np.round(X), rng.integers(-2, 3, 3).astype(float)
    g, g_0 = risk.risk_grad(theta, 0.0, X, y, loss, 0.1)
    here = risk.risk(theta, 0.0, X, y, loss, 0.1)
    for other in rng.normal(size=(50, 4)):
        below = here + g @ (other[:3] - theta) + g_0 * other[3]
        assert risk.risk(other[:3], other[3], X, y, loss, 0.1) >= below - 1e-9 * abs(below)


def all_batches(n, size, replace):
    return itertools.product(range(n), repeat=size) if replace else itertools.combinations(range(n), size)


def batch_gradients(X, y, loss, lam, size, replace):
    """The direction of `sgd_step` for every batch that can be drawn, each as likely as the others."""
    theta, theta_0 = np.array([0.3, -0.2]), 0.1
    for rows in all_batches(len(y), size, replace):
        new, new_0 = descent.sgd_step(theta, theta_0, X[list(rows)], y[list(rows)], loss, lam, 1.0)
        yield np.append(theta - new, theta_0 - new_0)


@pytest.mark.ledger("thm-sgd-unbiased")
@pytest.mark.parametrize("loss", SLOPED, ids=lambda loss: loss.name)
def test_the_stochastic_gradient_is_the_gradient_on_average(loss):
    X, y = data(6, 2)
    exact = np.append(*risk.risk_grad(np.array([0.3, -0.2]), 0.1, X, y, loss, 0.2))
    for size, replace in ((1, True), (2, True), (3, False), (5, False)):
        mean = np.mean(list(batch_gradients(X, y, loss, 0.2, size, replace)), axis=0)
        np.testing.assert_allclose(mean, exact, rtol=1e-12, atol=1e-14)


@pytest.mark.ledger("thm-minibatch-variance")
def test_minibatch_variance():
    X, y = data(6, 2)

    def variance(size, replace):
        return np.var(list(batch_gradients(X, y, losses.LOGISTIC, 0.2, size, replace)), axis=0)

    one = variance(1, True)
    for size in (2, 3, 4):
        np.testing.assert_allclose(variance(size, True), one / size, rtol=1e-12)
        np.testing.assert_allclose(variance(size, False), one / size * (6 - size) / 5, rtol=1e-12)


@pytest.mark.ledger("thm-span")
@pytest.mark.parametrize("loss", SLOPED, ids=lambda loss: loss.name)
def test_iterates_stay_in_the_span_of_the_examples(loss):
    X, y = data(5, 12)
    for batch in (1, 2):
        fit = descent.fit_sgd(
            X, y, loss, lam=0.1, eta=0.05, epochs=4, batch=batch, keep="last", rng=np.random.default_rng(0)
        )
        alpha, *_ = np.linalg.lstsq(X.T, fit.model.theta, rcond=None)
        np.testing.assert_allclose(X.T @ alpha, fit.model.theta, atol=1e-12)


def test_best_is_never_above_what_was_seen_and_the_start_is_no_candidate():
    X, y = data()
    fit = descent.fit_sgd(X, y, losses.HINGE, eta=50.0, epochs=8, rng=np.random.default_rng(0))
    assert risk.risk(*split(fit), X, y, losses.HINGE) == pytest.approx(fit.history.min(), rel=1e-12)
    assert fit.history.min() > 1.0  # theta = 0 would have risk 1
    assert len(fit.history) == 8


def test_no_offset_stays_without():
    X, y = data()
    for batch in (1, 5):
        fit = descent.fit_sgd(
            X, y, losses.LOGISTIC, eta=0.1, epochs=2, batch=batch, rng=np.random.default_rng(0), offset=False
        )
        assert fit.model.theta_0 == 0
        rng = np.random.default_rng(0)
        walk = literal_sgd(X, y, losses.LOGISTIC, 0.0, lambda t: 0.1, 2, batch, "shuffle", rng, offset=False)
        np.testing.assert_allclose(parameters(fit), walk[-1], rtol=1e-10)


@pytest.mark.parametrize("loss", SLOPED, ids=lambda loss: loss.name)
@pytest.mark.parametrize("batch", [1, 6])
@pytest.mark.parametrize("keep", ["best", "last", "average"])
def test_fast_and_plain_path_agree(loss, batch, keep, monkeypatch):
    X, y = data(83, 4, seed=2)

    def fit():
        rng = np.random.default_rng(5)
        return descent.fit_sgd(X, y, loss, lam=0.01, eta=0.05, epochs=2, batch=batch, keep=keep, rng=rng)

    fast = fit()
    monkeypatch.setitem(_plug.replaced, ("losses", "hinge_loss"), losses.hinge_loss)
    plain = fit()
    np.testing.assert_allclose(parameters(fast), parameters(plain), rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(fast.history, plain.history, rtol=1e-12)


def test_integer_data_take_the_same_side_of_a_kink_as_the_literal_loop():
    rng = np.random.default_rng(0)
    X = rng.integers(-2, 3, (60, 3)).astype(float)
    y = np.where(rng.random(60) < 0.5, 1.0, -1.0)
    for loss in (losses.HINGE, losses.PERCEPTRON):
        fit = descent.fit_sgd(X, y, loss, eta=0.25, epochs=5, sampling="cycle", keep="last", rng=rng)
        walk = literal_sgd(X, y, loss, 0.0, lambda t: 0.25, 5, 1, "cycle", rng)
        np.testing.assert_array_equal(parameters(fit), walk[-1])


class Halved:
    """A reader's own loss, half of the hinge loss, with no name or a misleading one."""

    def value(self, z):
        return losses.hinge_loss(z) / 2

    def slope(self, z):
        return losses.hinge_slope(z) / 2

    curvature = slope


@pytest.mark.parametrize("own", [Halved, type("Named", (Halved,), {"name": "hinge"})])
@pytest.mark.parametrize("batch", [1, 4])
def test_a_loss_of_ones_own_is_followed_by_its_own_slope(own, batch):
    X, y = data()
    how = {"epochs": 3, "batch": batch, "sampling": "cycle", "keep": "last", "rng": np.random.default_rng(0)}
    ours, half = descent.fit_sgd(X, y, losses.HINGE, eta=0.1, **how), descent.fit_sgd(X, y, own(), eta=0.2, **how)
    np.testing.assert_allclose(parameters(half), parameters(ours), rtol=1e-12)


def test_divergence_is_reported_and_the_answer_stays_finite():
    X, y = data()
    for keep in ("best", "last", "average"):
        for batch in (1, 8):
            fit = descent.fit_sgd(
                1e3 * X, y, losses.SQUARED, eta=10.0, epochs=30, batch=batch, keep=keep, rng=np.random.default_rng(0)
            )
            assert "diverged" in fit.message and "smaller eta" in fit.message and not fit.converged
            assert np.isfinite(parameters(fit)).all() and np.isfinite(fit.history).all()


def test_sgd_comes_close_to_the_minimum():
    X, y = data(200)
    fit = descent.fit_sgd(
        X, y, losses.LOGISTIC, lam=0.1, eta=descent.inverse_step(10.0, 20.0), epochs=60, keep="average",
        rng=np.random.default_rng(0),
    )  # fmt: skip
    least = descent.gradient_descent(
        lambda u: risk.risk(u[:-1], u[-1], X, y, losses.LOGISTIC, 0.1),
        lambda u: np.append(*risk.risk_grad(u[:-1], u[-1], X, y, losses.LOGISTIC, 0.1)),
        np.zeros(4),
    ).value
    assert least <= fit.history[-1] <= least * 1.001


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("loss", losses.ZERO_ONE), ("loss", "hinge"), ("loss", None), ("loss", losses.SQUARED_ERROR),
        ("lam", -1.0), ("lam", np.nan), ("eta", 0.0), ("eta", -0.1), ("eta", np.inf), ("eta", None), ("eta", "fast"),
        ("eta", lambda t: -1.0), ("epochs", 0), ("epochs", 1.5), ("epochs", None), ("batch", 0), ("batch", 2.0),
        ("sampling", "random"), ("sampling", None), ("keep", "first"), ("rng", None), ("rng", 0),
        ("rng", np.random.RandomState(0)),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(argument, value):
    X, y = data()
    good = {"loss": losses.HINGE, "eta": 0.1, "epochs": 1, "rng": np.random.default_rng(0)}
    with pytest.raises(ValueError, match=argument):
        descent.fit_sgd(X, y, **good | {argument: value})


def test_same_seed_same_bytes_and_inputs_untouched():
    X, y = data()
    before = X.tobytes(), y.tobytes()
    fits = [descent.fit_sgd(X, y, losses.LOGISTIC, eta=0.1, epochs=3, rng=np.random.default_rng(9)) for _ in range(2)]
    assert parameters(fits[0]).tobytes() == parameters(fits[1]).tobytes()
    assert (X.tobytes(), y.tobytes()) == before


@settings(max_examples=oracles.rounds(20), deadline=None, derandomize=True)
@given(
    n=st.integers(2, 12), d=st.integers(1, 4), batch=st.integers(1, 14), exponent=st.integers(-6, 6),
    sampling=st.sampled_from(["shuffle", "uniform", "cycle"]), loss=st.sampled_from(CLASSIC),
    seed=st.integers(0, 99),
)  # fmt: skip
def test_any_shape_and_scale_gives_the_literal_walk(n, d, batch, exponent, sampling, loss, seed):
    X, y = data(n, d, seed)
    X = X * 10.0**exponent
    rule = descent.inverse_sqrt_step(0.1)
    fit = descent.fit_sgd(
        X, y, loss, eta=rule, epochs=2, batch=batch, sampling=sampling, keep="last", rng=np.random.default_rng(seed)
    )
    walk = literal_sgd(X, y, loss, 0.0, rule, 2, batch, sampling, np.random.default_rng(seed))
    np.testing.assert_allclose(parameters(fit), walk[-1], rtol=1e-9, atol=1e-12 * 10.0**exponent + 1e-15)
    assert set(margins.predict(*split(fit), X)) <= {-1.0, 1.0}
