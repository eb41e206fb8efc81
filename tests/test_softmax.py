"""Softmax: invariance, derivatives, two classes, outside oracles, and data without a minimiser."""

import mpmath
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linclass import datasets, gradcheck, logistic, softmax

REAL = oracles.many_class_data()


@pytest.mark.ledger("eq-softmax")
def test_softmax_against_mpmath_and_at_the_limits():
    S = np.array([[0.0, 1.0, -2.0], [800.0, 1e-3, -800.0], [-1e4, -1e4, 5.0], [1e-300, 0.0, 0.0]])
    with mpmath.workdps(40):
        E = [[mpmath.exp(mpmath.mpf(float(s))) for s in row] for row in S]
        exact = np.array([[float(e / sum(row)) for e in row] for row in E])
        logs = np.array([[float(mpmath.log(e / sum(row))) for e in row] for row in E])
    np.testing.assert_allclose(softmax.softmax(S), exact, rtol=1e-14, atol=1e-323)
    np.testing.assert_allclose(softmax.log_softmax(S), logs, rtol=1e-14, atol=1e-323)
    np.testing.assert_allclose(softmax.softmax(S).sum(axis=-1), 1.0, rtol=1e-15)
    np.testing.assert_array_equal(softmax.softmax([np.inf, 0.0, -np.inf]), [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(softmax.log_softmax([np.inf, 0.0]), [0.0, -np.inf])
    assert np.isnan(softmax.softmax([np.nan, 1.0])).all()
    assert softmax.softmax(np.zeros((2, 3, 4))).shape == (2, 3, 4)


@pytest.mark.ledger("thm-shift-invariance")
def test_a_shift_changes_nothing():
    rng = np.random.default_rng(0)
    S = rng.normal(size=(20, 5))
    np.testing.assert_allclose(softmax.softmax(S + rng.normal(size=(20, 1))), softmax.softmax(S), rtol=1e-13)
    X, y = rng.normal(size=(20, 3)), rng.integers(0, 4, 20)
    Theta, theta_0, shift = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=3)
    moved = softmax.softmax_risk(Theta + shift, theta_0 + 2.0, X, y)
    assert moved == pytest.approx(softmax.softmax_risk(Theta, theta_0, X, y), rel=1e-13)


@pytest.mark.ledger("eq-multinomial-model")
def test_probabilities_are_the_softmax_of_the_scores():
    X, y = datasets.gaussian_classes(90, np.random.default_rng(0))
    model = softmax.fit_softmax(X, y, lam=0.1).model
    P = model.probabilities(X)
    np.testing.assert_allclose(P, softmax.softmax(X @ model.Theta.T + model.theta_0), rtol=1e-13)
    np.testing.assert_array_equal(model.predict(X), P.argmax(axis=1))
    # Odds of two classes are exponential in the difference of their scores.
    s = model.scores(X)
    np.testing.assert_allclose(np.log(P[:, 0] / P[:, 2]), s[:, 0] - s[:, 2], rtol=1e-8, atol=1e-10)


@pytest.mark.ledger("eq-cross-entropy")
def test_cross_entropy_from_labels_and_from_one_hot_vectors():
    rng = np.random.default_rng(1)
    S, y = 5 * rng.normal(size=(30, 4)), rng.integers(0, 4, 30)
    direct = -np.log(softmax.softmax(S)[np.arange(30), y])
    np.testing.assert_allclose(softmax.cross_entropy(S, y), direct, rtol=1e-12)
    from_one_hot = -np.sum(softmax.one_hot(y, 4) * softmax.log_softmax(S), axis=1)
    np.testing.assert_allclose(softmax.cross_entropy(S, y), from_one_hot, rtol=1e-14)
    assert softmax.cross_entropy([[60.0, 0.0]], [0])[0] == pytest.approx(np.exp(-60.0), rel=1e-14)
    np.testing.assert_array_equal(softmax.one_hot([2, 0], 3), [[0, 0, 1], [1, 0, 0]])


@pytest.mark.ledger("eq-cross-entropy-grad")
def test_the_gradient_in_the_logits_is_p_minus_e_y():
    rng = np.random.default_rng(2)
    s, y = rng.normal(size=4), 2
    numeric = gradcheck.numeric_grad(lambda v: softmax.cross_entropy(v[None], [y])[0], s)
    expected = softmax.softmax(s) - np.eye(4)[y]
    np.testing.assert_allclose(numeric, expected, atol=1e-9)
    np.testing.assert_allclose(softmax.cross_entropy_grad(s[None], [y])[0], expected, rtol=1e-14)


def random_problem(seed, n=25, d=3, k=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(k, d)), rng.normal(size=k), rng.normal(size=(n, d)), rng.permutation(np.arange(n) % k)


@pytest.mark.ledger("eq-softmax-risk")
def test_the_risk_is_the_mean_cross_entropy_plus_the_penalty():
    Theta, theta_0, X, y = random_problem(0)
    expected = oracles.softmax_objective(Theta, theta_0, X, y, 0.3)
    assert softmax.softmax_risk(Theta, theta_0, X, y, 0.3) == pytest.approx(expected, rel=1e-13)
    small = np.round(Theta).astype(np.int8) * np.int8(20)  # whose squares do not fit into a byte
    expected = oracles.softmax_objective(small.astype(float), theta_0, X, y, 0.3)
    assert softmax.softmax_risk(small, theta_0, X, y, 0.3) == pytest.approx(expected, rel=1e-13)


@pytest.mark.ledger("eq-softmax-grad")
@pytest.mark.ledger("eq-softmax-hess")
@pytest.mark.parametrize("lam", [0.0, 0.3])
def test_gradient_and_hessian_by_finite_differences(lam):
    Theta, theta_0, X, y = random_problem(1)

    def split(w):
        W = w.reshape(4, 4)
        return W[:, :-1], W[:, -1]

    def value(w):
        return softmax.softmax_risk(*split(w), X, y, lam)

    def grad(w):
        return np.column_stack(softmax.softmax_risk_grad(*split(w), X, y, lam)).ravel()

    w = np.column_stack([Theta, theta_0]).ravel()
    assert gradcheck.grad_error(value, grad, w) < 1e-8
    np.testing.assert_allclose(
        softmax.softmax_risk_hess(Theta, theta_0, X, y, lam), gradcheck.numeric_hess(grad, w), atol=1e-8
    )


@pytest.mark.ledger("thm-softmax-convex")
def test_the_risk_is_convex():
    for seed in range(10):
        Theta, theta_0, X, y = random_problem(seed)
        Other, other_0, _, _ = random_problem(seed + 100)
        H = softmax.softmax_risk_hess(5 * Theta, theta_0, X, y)
        assert np.linalg.eigvalsh(H).min() > -1e-14
        middle = softmax.softmax_risk((Theta + Other) / 2, (theta_0 + other_0) / 2, X, y)
        ends = softmax.softmax_risk(Theta, theta_0, X, y) + softmax.softmax_risk(Other, other_0, X, y)
        assert middle <= ends / 2


@pytest.mark.ledger("thm-two-classes")
@pytest.mark.parametrize("name", ["iris 1/2", "spector", "diabetes", "anes96"])
@pytest.mark.parametrize("lam", [0.0, 0.02])
def test_two_classes_are_logistic_at_half_the_lambda(name, lam):
    X, y = oracles.two_class_data()[name]
    two = softmax.fit_softmax(X, (y > 0).astype(int), lam=lam)
    one = logistic.fit_logistic(X, y, lam=lam / 2)
    np.testing.assert_allclose(two.model.Theta[1] - two.model.Theta[0], one.model.theta, rtol=1e-6, atol=1e-8)
    assert two.model.theta_0[1] - two.model.theta_0[0] == pytest.approx(one.model.theta_0, rel=1e-6)
    np.testing.assert_allclose(two.model.probabilities(X)[:, 1], one.model.probabilities(X), atol=1e-7)
    assert two.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-8)


@pytest.mark.parametrize(
    ("name", "lam", "offset"),
    [(name, lam, offset) for name in REAL if name != "digits" for lam in (1e-3, 1.0) for offset in (True, False)]
    + [("digits", 1.0, True)],
)
def test_real_data_against_scikit_learn(name, lam, offset):
    X, y = REAL[name]
    fit = softmax.fit_softmax(X, y, lam=lam, offset=offset)
    assert fit.converged
    ours = oracles.softmax_objective(fit.model.Theta, fit.model.theta_0, X, y, lam)
    others = [oracles.by_scikit_learn(X, y, lam, offset, solver) for solver in ("lbfgs", "newton-cholesky")]
    assert ours <= min(oracles.softmax_objective(*other, X, y, lam) for other in others) * (1 + 1e-8)
    theirs = others[1][0] - others[1][0].mean(axis=0)
    assert np.max(np.abs(fit.model.Theta - theirs)) <= 1e-5 * np.max(np.abs(theirs))
    centred(fit.model)


def centred(model):
    """Sums over the classes are 0."""
    assert np.abs(model.Theta.sum(axis=0)).max() <= 1e-12 * (1 + np.abs(model.Theta).max())
    assert abs(model.theta_0.sum()) <= 1e-12 * (1 + np.abs(model.theta_0).max())


def test_maximum_likelihood_against_statsmodels():
    import statsmodels.api as sm

    X, y = REAL["anes96"]
    X = X / np.abs(X).max(axis=0)
    theirs = sm.MNLogit(y, np.column_stack([X, np.ones(len(X))])).fit(disp=0, maxiter=100, tol=1e-12)
    fit = softmax.fit_softmax(X, y)
    assert fit.converged and fit.log_likelihood == pytest.approx(theirs.llf, rel=1e-10)
    W = np.column_stack([fit.model.Theta, fit.model.theta_0])
    np.testing.assert_allclose((W[1:] - W[0]).T, np.asarray(theirs.params), rtol=1e-5, atol=1e-6)
    centred(fit.model)


@pytest.mark.parametrize("seed", range(20))
def test_odd_data(seed):
    _, X, y = oracles.odd_data(seed)
    y = (y > 0).astype(int) + (np.arange(len(y)) % 3 == 0)
    y[: min(3, len(y))] = np.arange(min(3, len(y)))
    for lam in (1e-3, 1.0):
        fit = softmax.fit_softmax(X, y, lam=lam)
        assert fit.converged
        ours = oracles.softmax_objective(fit.model.Theta, fit.model.theta_0, X, y, lam)
        if y.max() > 1:
            theirs = oracles.by_scikit_learn(X, y, lam, True, "newton-cholesky")
            assert ours <= oracles.softmax_objective(*theirs, X, y, lam) * (1 + 1e-8)
        centred(fit.model)


def test_separable_classes_have_no_minimiser():
    X, y = datasets.gaussian_classes(60, np.random.default_rng(0), scale=0.2)
    fit = softmax.fit_softmax(X, y)
    assert not fit.converged and "separable (completely)" in fit.message
    assert softmax.fit_softmax(X, y, lam=1e-6).converged
    X, y = REAL["iris"]  # setosa stands apart, the other two overlap
    fit = softmax.fit_softmax(X, y)
    assert not fit.converged and "separable (quasi-completely)" in fit.message
    assert softmax.fit_softmax(X[50:], y[50:] - 1).converged


def test_a_column_that_one_row_alone_has_is_seen_by_the_certificate():
    """Along it the likelihood rises for ever, and a bound from some of the rows must not take it for a column of 0."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((6000, 320))
    y = np.argmax(X[:, :5] + rng.gumbel(size=(6000, 5)), axis=1)
    X[:, -1] = 0.0
    assert softmax.fit_softmax(X, y, offset=False).converged
    X[0, -1] = 3.0
    assert not softmax.fit_softmax(X, y, offset=False).converged


@settings(max_examples=oracles.rounds(15), deadline=None, derandomize=True)
@given(
    st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 5), st.sampled_from([0.0, 1e-4, 1.0]),
    st.integers(0, 6), st.booleans(),
)  # fmt: skip
def test_any_data_give_a_stationary_point_or_the_word_separable(seed, k, d, lam, power, offset):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 40))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-power, power + 1, d)
    y = rng.permutation(np.arange(n) % k)
    fit = softmax.fit_softmax(X, y, lam=lam, offset=offset)
    centred(fit.model)
    if fit.converged:
        grad, grad_0 = softmax.softmax_risk_grad(fit.model.Theta, fit.model.theta_0, X, y, lam)
        assert (np.abs(grad) <= 1e-6 * np.abs(X).max(axis=0)).all()
        assert not offset or np.abs(grad_0).max() <= 1e-6
    else:
        assert lam == 0 and "separable" in fit.message


def test_two_fits_give_the_same_bytes_and_leave_the_data_alone():
    X, y = datasets.gaussian_classes(200, np.random.default_rng(0))
    before = X.copy()
    first, _, second = (softmax.fit_softmax(X, y, lam=lam) for lam in (0.1, 1.0, 0.1))
    assert first.model.Theta.tobytes() == second.model.Theta.tobytes()
    np.testing.assert_array_equal(X, before)


@pytest.mark.ledger("thm-honest-price")
@pytest.mark.parametrize("seed", range(5))
def test_the_mean_cross_entropy_is_least_at_the_true_probabilities(seed):
    rng = np.random.default_rng(seed)
    p, S = softmax.softmax(rng.normal(size=4)), rng.normal(size=(50, 4))
    entropy = -p @ np.log(p)
    mean_prices = sum(p[j] * softmax.cross_entropy(S, np.full(50, j)) for j in range(4))
    assert (mean_prices > entropy).all()
    at_the_truth = sum(p[j] * softmax.cross_entropy(np.log(p)[None], np.array([j]))[0] for j in range(4))
    assert at_the_truth == pytest.approx(entropy, rel=1e-12)
