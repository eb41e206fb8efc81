"""The support vector machine: formulas, theorems on data, outside solvers, degenerate data, fast and plain the same."""

import warnings
from fractions import Fraction

import clarabel
import numpy as np
import oracles
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC, LinearSVC

from linclass import _plug, conventions, descent, kernels, losses, margins, risk, svm
from linclass._fast import crossover, dual_points, duality, interior_point, linear_svm, screening, svm_by_shape, vertex


def data(n=60, d=3, seed=0, noise=0.7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + noise * rng.normal(size=n) > 0, 1.0, -1.0)
    if noise:
        y[:2] = 1.0, -1.0
    return X, y


def hinge_risk(theta, theta_0, X, y, lam):
    """Written out again, so that a slip in the package cannot hide in its mirror."""
    return np.mean(np.maximum(0, 1 - y * (X @ theta + theta_0))) + lam / 2 * theta @ theta


def by_clarabel(X, y, C):
    """(theta, theta_0, xi) of the package's quadratic program, by an outside conic solver.

    It is given centred inputs of size 1, with C times the square of their size: the same problem, in numbers it likes.
    """
    centre = X.mean(axis=0)
    size = np.sqrt(np.mean((X - centre) ** 2)) or 1.0
    H, c, A, b = svm.quadratic_program((X - centre) / size, y, C * size**2)
    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = 1e-12
    cones = [clarabel.NonnegativeConeT(len(b))]
    program = clarabel.DefaultSolver(scipy.sparse.csc_matrix(H), c, scipy.sparse.csc_matrix(A), b, cones, options)
    v = np.array(program.solve().x)
    d = X.shape[1]
    theta = v[:d] / size
    return theta, v[d] - centre @ theta, v[d + 1 :]


def check_against_clarabel(fit, X, y, lam):
    """No lower risk there. The scores, in units of the margin, are the same to 1e-5.

    Not so with a C of 1e9 and more for inputs of size 1, where Clarabel ends up to 5 margins from the exact answer.
    """
    theta, theta_0, _ = by_clarabel(X, y, 1 / (len(y) * lam))
    value = hinge_risk(fit.model.theta, fit.model.theta_0, X, y, lam)
    assert value <= hinge_risk(theta, theta_0, X, y, lam) * (1 + 1e-8)
    if np.mean(X.var(axis=0)) / (len(y) * lam) < 1e9:
        np.testing.assert_allclose((X - X.mean(axis=0)) @ (fit.model.theta - theta), 0.0, atol=1e-5)


def check_certificate(fit, X, y, lam, offset):
    """Everything the fit says, computed anew."""
    n, C = len(y), 1 / (len(y) * lam)
    theta, theta_0 = fit.model.theta, fit.model.theta_0
    value = hinge_risk(theta, theta_0, X, y, lam)
    assert fit.converged and fit.gap <= 1e-8, fit.message
    assert fit.history[-1] == pytest.approx(value, rel=1e-7)
    assert (fit.dual >= 0).all() and (fit.dual <= C).all()
    np.testing.assert_array_equal(fit.support, np.flatnonzero(fit.dual > 0))
    if offset:
        assert abs(fit.dual @ y) <= 1e-12 * n * C
    else:
        assert theta_0 == 0
    return value


# Formulas


@pytest.mark.ledger("eq-slack")
def test_slacks_are_what_the_margins_lack():
    X, y = np.array([[2.0], [0.5], [-1.0], [1.0], [0.0]]), np.array([1.0, 1.0, 1.0, 1.0, -1.0])
    # safe, inside the margin, wrong side, on the margin, on the boundary
    assert svm.slacks([1.0], 0.0, X, y).tolist() == [0.0, 0.5, 2.0, 0.0, 1.0]


@pytest.mark.ledger("eq-margin-width")
def test_margin_width_is_the_distance_between_the_lines():
    theta, theta_0 = np.array([3.0, -4.0]), 2.0
    unit = theta / 5
    up, down = unit * (1 - theta_0) / 5, unit * (-1 - theta_0) / 5  # points of score +1 and -1 along theta
    np.testing.assert_allclose(margins.scores(theta, theta_0, [up, down]), [1.0, -1.0])
    assert svm.margin_width(theta) == pytest.approx(np.linalg.norm(up - down)) == pytest.approx(0.4)
    with pytest.raises(ValueError, match="theta"):
        svm.margin_width([0.0, 0.0])


@pytest.mark.ledger("eq-svm-dual")
def test_dual_objective_by_hand_and_below_every_risk():
    X, y = data()
    K, lam = kernels.linear_kernel(X, X), 0.05
    C = conventions.C_from_lam(lam, len(y))
    rng = np.random.default_rng(0)
    for _ in range(20):
        dual = rng.uniform(0, C, len(y))
        theta = sum(a * t * x for a, t, x in zip(dual, y, X, strict=True))
        value = svm.dual_objective(dual, K, y)
        assert value == pytest.approx(dual.sum() - theta @ theta / 2)
        for _ in range(5):  # weak duality; without an offset any dual in the box will do
            assert lam * value <= hinge_risk(rng.normal(size=3), 0.0, X, y, lam)


@pytest.mark.ledger("eq-slack-program", "eq-quadratic-program")
def test_quadratic_program_is_the_slack_form():
    X, y = data(7, 2)
    H, c, A, b = svm.quadratic_program(X, y, 3.0)
    assert H.shape == (10, 10) and c.shape == (10,) and A.shape == (14, 10) and b.shape == (14,)
    rng = np.random.default_rng(0)
    for _ in range(50):
        theta, theta_0 = rng.normal(size=2), rng.normal()
        xi = svm.slacks(theta, theta_0, X, y) + rng.choice([-0.1, 0.0, 0.1], 7)
        v = np.concatenate([theta, [theta_0], xi])
        assert v @ H @ v / 2 + c @ v == pytest.approx(theta @ theta / 2 + 3 * xi.sum())
        feasible = (y * (X @ theta + theta_0) >= 1 - xi - 1e-12).all() and (xi >= 0).all()
        assert (A @ v <= b + 1e-12).all() == feasible


def test_best_offset_is_a_minimum_in_the_middle():
    X, y = data(31)
    s = X[:, 0]
    best = svm.best_offset(s, y)
    grid = np.linspace(-5, 5, 20001)
    values = np.maximum(0, 1 - y[:, None] * (s[:, None] + grid)).mean(axis=0)
    assert np.maximum(0, 1 - y * (s + best)).mean() <= values.min() + 1e-12
    assert svm.best_offset(np.array([2.0, -4.0]), np.array([1.0, -1.0])) == 1.0  # any from -1 to 3 is as good


# Theorems


@pytest.mark.ledger("thm-hinge-equals-slack")
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_hinge_form_and_slack_program_have_the_same_answer(C):
    X, y = data(40, 2)
    lam = conventions.lam_from_C(C, len(y))
    theta, theta_0, xi = by_clarabel(X, y, C)
    fit = svm.fit_svm(X, y, lam=lam)
    np.testing.assert_allclose(fit.model.theta, theta, rtol=1e-7)
    np.testing.assert_allclose(xi, svm.slacks(theta, theta_0, X, y), atol=1e-6)
    slack_form = theta @ theta / 2 + C * xi.sum()
    assert lam * slack_form == pytest.approx(hinge_risk(fit.model.theta, fit.model.theta_0, X, y, lam), rel=1e-8)


@pytest.mark.ledger("thm-strong-duality")
@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("lam", [1e-4, 1e-2, 1.0])
def test_the_dual_value_is_the_primal_value(lam, offset):
    X, y = data()
    fit = svm.fit_svm(X, y, lam=lam, offset=offset)
    value = check_certificate(fit, X, y, lam, offset)
    assert lam * svm.dual_objective(fit.dual, kernels.linear_kernel(X, X), y) == pytest.approx(value, rel=1e-8)


@pytest.mark.ledger("thm-kkt")
@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("lam", [1e-3, 1e-2, 0.3])
def test_three_kinds_of_examples(lam, offset):
    X, y = data()
    C = conventions.C_from_lam(lam, len(y))
    fit = svm.fit_svm(X, y, lam=lam, offset=offset)
    z = margins.margins(fit.model.theta, fit.model.theta_0, X, y)
    np.testing.assert_allclose(X.T @ (fit.dual * y), fit.model.theta, rtol=1e-6, atol=1e-9)
    between = (fit.dual > 0) & (fit.dual < C)
    np.testing.assert_allclose(z[between], 1.0, atol=1e-6)
    assert (z[fit.dual == 0] >= 1 - 1e-6).all() and (z[fit.dual == C] <= 1 + 1e-6).all()
    assert between.sum() <= X.shape[1] + offset  # in general position no more can lie on the margin


@pytest.mark.ledger("thm-svm-theta-unique")
def test_theta_is_unique_and_theta_0_need_not_be():
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    lam = 10.0  # so strong that both examples stay inside the margin
    fit = svm.fit_svm(X, y, lam=lam)
    theta = fit.model.theta
    assert theta[0] == pytest.approx(0.1) and fit.model.theta_0 == pytest.approx(0.0, abs=1e-12)
    risks = [hinge_risk(theta, b, X, y, lam) for b in (-0.9, -0.5, 0.0, 0.9)]
    np.testing.assert_allclose(risks, risks[0], rtol=1e-12)  # many offsets, one risk
    # For theta: the risk's penalty is strictly convex, so half way between two minimisers it would be lower still.
    X, y = data()
    fit = svm.fit_svm(X, y, lam=0.01)
    rng = np.random.default_rng(0)
    for step in rng.normal(size=(50, 3)):
        theta = fit.model.theta + 0.1 * step
        least = hinge_risk(theta, svm.best_offset(X @ theta, y), X, y, 0.01)
        assert least >= fit.history[-1] * (1 - 1e-8) + 0.01 / 2 * 0.01 * step @ step * (1 - 1e-6)


def test_a_large_C_is_the_hard_margin_on_separable_data():
    X, y = data(30, 2, noise=0.0)
    fits = [svm.fit_svm(X, y, lam=lam) for lam in (1e-6, 1e-8)]
    for fit in fits:
        z = margins.margins(fit.model.theta, fit.model.theta_0, X, y)
        assert fit.converged and z.min() == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(fits[0].model.theta, fits[1].model.theta, rtol=1e-6)


def test_sgd_stays_above_the_exact_minimum():
    X, y = data()
    exact = svm.fit_svm(X, y, lam=0.1)
    rule = descent.inverse_step(10.0)
    sgd = descent.fit_sgd(X, y, losses.HINGE, lam=0.1, eta=rule, epochs=100, rng=np.random.default_rng(0))
    assert exact.history[-1] <= sgd.history.min() <= 1.05 * exact.history[-1]


# Outside solvers


def odd_cases():
    rng = np.random.default_rng(7)
    X, y = data(80, 4, seed=1)
    yield "plain", X, y
    yield "n = 2", X[:2, :3], y[:2]
    yield "n = 2, d = 1", np.array([[3.0], [-1.0]]), np.array([1.0, -1.0])
    yield "d = 1", X[:, :1], y
    yield "n < d", *data(15, 40)
    yield "n = d", *data(20, 20)
    yield "separable", *data(50, 3, noise=0.0)
    yield "duplicated rows", np.repeat(X[:20], 3, axis=0), np.repeat(y[:20], 3)
    yield "rows with both labels", np.repeat(X[:20], 2, axis=0), np.tile([1.0, -1.0], 20)
    yield "constant and equal columns", np.column_stack([X, np.full(80, 7.0), X[:, 0], np.zeros(80)]), y
    yield "all rows equal", np.ones((20, 3)), y[:20]
    yield "tiny", 1e-6 * X, y
    yield "huge", 1e6 * X, y
    yield "mixed scales", X * 10.0 ** np.array([-6, -2, 2, 6]), y
    yield "far from the origin", X + 1e4, y
    yield "integers", rng.integers(-2, 3, (60, 2)).astype(float), np.where(rng.random(60) < 0.5, 1.0, -1.0)
    rare = np.full(1001, -1.0)
    rare[500] = 1.0
    yield "1:1000", rng.normal(size=(1001, 2)), rare


ODD = {name: (X, y) for name, X, y in odd_cases()}


@pytest.mark.parametrize("lam", [1e-4, 1e-2, 10.0])
@pytest.mark.parametrize("name", ODD)
def test_no_outside_solver_does_better_on_odd_data(name, lam):
    X, y = ODD[name]
    fit = svm.fit_svm(X, y, lam=lam)
    check_certificate(fit, X, y, lam, True)
    check_against_clarabel(fit, X, y, lam)
    check_certificate(svm.fit_svm(X, y, lam=lam, offset=False), X, y, lam, False)


def exact_theta(X, y, C, dual, offset):
    """The minimiser in rational numbers, if the examples at 0, at C and between them are those that `dual` says.

    Solves for the multipliers between 0 and C, checks that all optimality conditions hold without any rounding.
    """
    between, top = np.flatnonzero((dual > 0) & (dual < C)), np.flatnonzero(dual == C)
    X, y, C = [[Fraction(v) for v in x] for x in X.tolist()], [Fraction(v) for v in y.tolist()], Fraction(C)

    def dot(u, v):
        return sum(p * q for p, q in zip(u, v, strict=True))

    base = [sum(C * y[t] * X[t][j] for t in top) for j in range(len(X[0]))]
    table = [[dot(X[s], X[t]) for t in between] + [1] * offset + [y[s] - dot(X[s], base)] for s in between]
    table += [[Fraction(1)] * len(between) + [0, -sum(C * y[t] for t in top)]] * offset
    for i in range(len(table)):  # Gauss and Jordan
        pivot = next(r for r in range(i, len(table)) if table[r][i])
        table[i], table[pivot] = table[pivot], table[i]
        table[i] = [v / table[i][i] for v in table[i]]
        for r in set(range(len(table))) - {i}:
            table[r] = [u - table[r][i] * v for u, v in zip(table[r], table[i], strict=True)]
    alpha, theta_0 = [row[-1] for row in table[: len(between)]], table[-1][-1] if offset else 0
    theta = [v + sum(a * X[t][j] for a, t in zip(alpha, between, strict=True)) for j, v in enumerate(base)]
    z = [t * (dot(x, theta) + theta_0) for x, t in zip(X, y, strict=True)]
    assert all(0 < a * y[t] < C for a, t in zip(alpha, between, strict=True))
    assert all(z[t] <= 1 if t in top else z[t] == 1 if t in between else z[t] >= 1 for t in range(len(y)))
    return np.array([float(v) for v in theta])


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("lam", [1e-5, 1e-4, 1e-3, 1e-2])
def test_theta_is_exact(lam, offset):
    """Clarabel comes within 1e-7 of the rational answer, LIBSVM stops up to 1e-4 away; ours has nearly all digits."""
    for seed, (scale, rtol) in enumerate([(1.0, 1e-11), (1e4, 1e-11), (1e6, 1e-9), ([1e-3, 1.0, 1e3, 1e6], 1e-5)]):
        X, y = data(40, 4, seed)
        X, C = X * scale, 1 / (40 * lam)
        fit = svm.fit_svm(X, y, lam=lam, offset=offset)
        theta = exact_theta(X, y, C, fit.dual, offset)
        np.testing.assert_allclose(fit.model.theta, theta, rtol=rtol)


@pytest.mark.parametrize("lam", [1e-3, 0.1])
def test_against_libsvm(lam):
    X, y = data(200, 5)
    peer = SVC(kernel="linear", C=conventions.C_from_lam(lam, 200), tol=1e-9).fit(X, y)
    fit = svm.fit_svm(X, y, lam=lam)
    # LIBSVM's own stopping leaves it up to 1e-4 from the answer in rational numbers; here it comes nearer.
    np.testing.assert_allclose(fit.model.theta, peer.coef_[0], atol=1e-5)
    np.testing.assert_array_equal(fit.support, peer.support_[np.argsort(peer.support_)])
    assert fit.history[-1] <= hinge_risk(peer.coef_[0], peer.intercept_[0], X, y, lam) * (1 + 1e-9)


@pytest.mark.parametrize("lam", [1e-3, 0.1])
def test_against_liblinear_without_an_offset(lam):
    X, y = data(200, 5)
    fit = svm.fit_svm(X, y, lam=lam, offset=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        C = conventions.C_from_lam(lam, 200)
        peer = LinearSVC(loss="hinge", C=C, fit_intercept=False, tol=1e-10, max_iter=100_000, random_state=0).fit(X, y)
    np.testing.assert_allclose(fit.model.theta, peer.coef_[0], rtol=1e-5, atol=1e-6)
    assert fit.history[-1] <= hinge_risk(peer.coef_[0], 0.0, X, y, lam) * (1 + 1e-9)


REAL = oracles.two_class_data()


@pytest.mark.parametrize("name", REAL)
def test_no_outside_solver_does_better_on_data_of_others(name):
    """In their own units, at two penalties that suit them; Clarabel where its program is small, else LinearSVC."""
    X, y = REAL[name]
    size = np.mean(X.var(axis=0))
    for lam in (1e-3 * size, size):
        fit = svm.fit_svm(X, y, lam=lam)
        value = check_certificate(fit, X, y, lam, True)
        if len(y) <= 1000:
            check_against_clarabel(fit, X, y, lam)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = LinearSVC(loss="hinge", C=1 / (len(y) * lam), tol=1e-6, intercept_scaling=10, random_state=0)
            theta = peer.fit(X, y).coef_[0]
        # LinearSVC penalises its offset as one more input, so the best one is taken.
        assert value <= hinge_risk(theta, svm.best_offset(X @ theta, y), X, y, lam) * (1 + 1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_no_outside_solver_does_better_on_odd_random_data(seed):
    _, X, y = oracles.odd_data(seed)
    lam = 0.01 * max(1.0, np.mean(X.var(axis=0)) * 1e-6)
    fit = svm.fit_svm(X, y, lam=lam)
    check_certificate(fit, X, y, lam, True)
    if len(y) <= 1000:
        check_against_clarabel(fit, X, y, lam)


# Certificates, judged without rounding


def rational(values):
    return [Fraction(float(v)) for v in values]


def exact_risk(model, X, y, lam):
    """The risk of the parameters, in rational numbers."""
    theta, theta_0, total = rational(model.theta), Fraction(float(model.theta_0)), Fraction(0)
    for x, sign in zip(X, y, strict=True):
        z = int(sign) * (sum(a * b for a, b in zip(rational(x), theta, strict=True)) + theta_0)
        total += max(0, 1 - z)
    return total / len(y) + Fraction(lam) / 2 * sum(v * v for v in theta)


def exact_bound(dual, X, y, lam, offset):
    """lam times the dual objective in rational numbers, of multipliers brought into the box and balanced exactly."""
    C = 1 / (len(y) * Fraction(lam))
    dual = rational(dual)
    dual = [v * C / max(C, *dual) for v in dual]
    excess = offset * sum(v * int(sign) for v, sign in zip(dual, y, strict=True))
    for i in sorted(range(len(y)), key=lambda i: -min(dual[i], C - dual[i])):
        moved = min(max(dual[i] - excess * int(y[i]), 0), C)
        excess, dual[i] = excess + (moved - dual[i]) * int(y[i]), moved
    assert excess == 0 or not offset
    span = [Fraction(0)] * X.shape[1]
    for x, v, sign in zip(X, dual, y, strict=True):
        span = [s + v * int(sign) * a for s, a in zip(span, rational(x), strict=True)]
    return Fraction(lam) * (sum(dual) - sum(s * s for s in span) / 2)


def hard_families(seed):
    """name -> (X, y): what rounding makes hard."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.choice([2, 3, 8, 20, 60])), int(rng.integers(1, 6))
    X, y = data(n, d, seed, noise=float(rng.choice([0.01, 0.7, 5.0])))
    y[:2] = 1.0, -1.0
    row, cell = X.copy(), X.copy()
    row[rng.integers(n)] *= 10.0 ** rng.uniform(3, 15)
    cell[rng.integers(n), rng.integers(d)] *= 10.0 ** rng.uniform(3, 15)
    return {
        "plain": (X, y),
        "a huge row": (row, y),
        "a huge cell": (cell, y),
        "nearly collinear": (np.column_stack([X, X[:, 0] + 10.0 ** rng.uniform(-15, -5) * rng.normal(size=n)]), y),
        "far from the origin": (4e7 + X, y),
        "small columns": (X * 10.0 ** rng.uniform(-20, 0, d), y),
        "columns of all sizes": (X * 10.0 ** rng.uniform(-20, 20, d), y),
        "wide": data(10, 25, seed),
        "duplicated rows": (np.repeat(X, 2, axis=0), np.repeat(y, 2) * np.where(rng.random(2 * n) < 0.1, -1, 1)),
        "a constant column": (np.column_stack([X, np.full(n, 10.0 ** rng.uniform(-3, 8))]), y),
        "one rare class": (X, np.where(np.arange(n) == 0, 1.0, -1.0)),
    }


@pytest.mark.parametrize("name", hard_families(0))
def test_a_certificate_holds_without_rounding(name):
    """Of 40 draws with lam from 1e-12 to 1e8 none is said to have converged that has not; most have."""
    certified = 0
    for seed in range(40):
        X, y = hard_families(seed)[name]
        y[:2] = 1.0, -1.0
        rng = np.random.default_rng(seed + 1000)
        lam, offset = 10.0 ** rng.uniform(-12, 8), bool(rng.integers(2))
        fit = svm.fit_svm(X, y, lam=lam, offset=offset)
        assert fit.gap >= 0 and fit.converged == (fit.gap <= 1e-8)
        if fit.converged:
            certified += 1
            value = exact_risk(fit.model, X, y, lam)
            # To balance the multipliers exactly may cost as much as the bound on theta_0 that the fit takes instead.
            assert value - exact_bound(fit.dual, X, y, lam, offset) <= Fraction(1e-7) * value, (seed, lam, offset)
    assert certified >= {"columns of all sizes": 10, "far from the origin": 32}.get(name, 40)


@pytest.mark.parametrize(("C", "scale", "falls_short"), [(0.05, 1.0, False), (1.0, 1.0, False), (100.0, 1e-3, True)])
def test_somewhat_more_rows_than_columns(C, scale, falls_short):
    """Products of rows come first; where they fall short the interior point takes over. The minimum is the same."""
    n, d = 480, 400
    X, y = data(n, d, noise=3.0)
    X, lam = X * np.geomspace(scale, 1, d), conventions.lam_from_C(C, n)
    assert svm_by_shape.few_rows(X, lam) and not svm_by_shape.few_rows(np.tile(X, (5, 1)), lam)
    tried, _ = svm_by_shape.by_products(X, duality.Rows(X, y), lam, True)
    assert (tried.gap > svm.GAP) == falls_short
    fit = svm.fit_svm(X, y, lam=lam)
    expected, *_ = linear_svm.solve(X, y, np.ones(n), lam, True)
    assert fit.converged and fit.history[-1] == pytest.approx(expected.upper, rel=2e-8)
    np.testing.assert_allclose(fit.model.scores(X), X @ expected.w + expected.theta_0, rtol=1e-4, atol=1e-4)


def test_a_small_penalty_far_from_the_origin():
    """Three examples near 4e7: the margins should be 1, for which theta_0 has too few digits, and theta not always."""
    rng, certified = np.random.default_rng(1), 0
    for _ in range(20):
        X, y = 4e7 + rng.normal(size=(3, 6)), np.array([1.0, -1.0, 1.0])
        fit = svm.fit_svm(X, y, lam=1e-8)
        value = exact_risk(fit.model, X, y, 1e-8)
        assert value - exact_bound(fit.dual, X, y, 1e-8, True) <= Fraction(max(fit.gap, 1e-8)) * value
        certified += fit.converged
    assert certified >= 10


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("long", [True, False])
@pytest.mark.parametrize("shift", [0.0, 4e7])
def test_both_bounds_hold_and_are_close(shift, long, offset, rng):
    X, y = data(30)
    X, lam = X + shift, 1e-3
    model = margins.LinearClassifier(rng.normal(size=3), -shift if offset else 0.0)
    rows, dual = duality.Rows(X, y), rng.uniform(0, 1 / (30 * lam), 30)
    dual = np.abs(dual_points.balance(dual * y, y, 1 / (30 * lam))) if offset else dual
    value, bound = exact_risk(model, X, y, lam), exact_bound(dual, X, y, lam, offset)
    upper = duality.hinge_upper(model.theta, model.theta_0, rows, lam, long)
    lower = duality.hinge_lower(dual, rows, lam, offset, 1.0, long)
    close = Fraction(1e-12 if long or not shift else 1e-4)
    assert value <= Fraction(upper) <= value * (1 + close)
    assert bound - close * (abs(bound) + 1) <= Fraction(lower) <= bound + Fraction(1e-14) * abs(bound)


def test_what_is_no_point_of_the_dual_bounds_nothing():
    X, y = data(30)
    rows, C = duality.Rows(X, y), 1 / (30 * 0.01)
    for dual in (np.full(30, 1.001 * C), np.full(30, -1e-9), np.full(30, np.nan)):
        assert duality.hinge_lower(dual, rows, 0.01, False, 1.0) == -np.inf
    unbalanced = np.where(y > 0, C, 0.0)  # with an offset this would need theta_0 to be 0
    assert duality.hinge_lower(unbalanced, rows, 0.01, True, 1.0) < 0
    assert duality.relative_gap(1.0, 1.0 + 1e-9) == duality.relative_gap(np.nan, 0.0) == np.inf


# Behaviour


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("name", ["plain", "n < d", "duplicated rows", "separable", "rows with both labels"])
def test_fast_and_plain_path_agree(name, offset, monkeypatch):
    X, y = ODD[name]
    fast = svm.fit_svm(X, y, lam=0.01, offset=offset)
    monkeypatch.setitem(_plug.replaced, ("losses", "hinge_loss"), losses.hinge_loss)
    plain = svm.fit_svm(X, y, lam=0.01, offset=offset)
    assert fast.converged and plain.converged
    np.testing.assert_allclose(fast.history[-1], plain.history[-1], rtol=1e-8)
    scale = np.abs(X).max(axis=0)
    np.testing.assert_allclose(fast.model.theta * scale, plain.model.theta * scale, atol=1e-5)


def test_the_plain_path_says_so_where_the_gram_matrix_has_too_few_digits(monkeypatch):
    X, y = ODD["mixed scales"]
    monkeypatch.setitem(_plug.replaced, ("losses", "hinge_loss"), losses.hinge_loss)
    fit = svm.fit_svm(X, y, lam=0.01)
    assert not fit.converged and "rescale the inputs" in fit.message


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_dual_ascent_ends_where_no_step_gains(C, offset):
    """In the box and balanced; then every risk of the multipliers' own parameters is met by their dual value."""
    X, y = data(40)
    K, lam = kernels.linear_kernel(X, X), conventions.lam_from_C(C, 40)
    dual, steps = svm.dual_ascent(K, y, C, offset=offset)
    assert dual.min() >= 0 and dual.max() <= C and 0 < steps < 2000
    theta = X.T @ (dual * y)
    theta_0 = svm.best_offset(X @ theta, y) if offset else 0.0
    value = hinge_risk(theta, theta_0, X, y, lam)
    assert lam * svm.dual_objective(dual, K, y) == pytest.approx(value, rel=1e-11)
    assert not offset or abs(dual @ y) <= 1e-12 * dual.sum()


@pytest.mark.parametrize("offset", [True, False])
def test_a_dual_step_climbs_and_stays_in_the_box(offset, rng):
    X, y = data(30)
    K, C = kernels.linear_kernel(X, X), 2.0
    alpha = dual_points.balance(rng.uniform(0, C, 30) * y, y, C)
    for chosen in ([0, 1], [2], np.arange(30), []):
        stepped = svm.dual_step(alpha, chosen, K, y, C, offset=offset)
        rest = np.setdiff1d(np.arange(30), chosen)
        np.testing.assert_array_equal(stepped[rest], alpha[rest])
        assert (stepped * y >= 0).all() and (stepped * y <= C).all()
        assert svm.dual_objective(stepped * y, K, y) >= svm.dual_objective(alpha * y, K, y) - 1e-9
        assert not offset or abs(stepped.sum() - alpha.sum()) <= 1e-9


def orders(n):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4)) * [1.0, 1e3, 1e-3, 1.0]
    score = X @ [1.0, 1e-3, 0.0, -1.0] + 0.7 * rng.normal(size=n)
    y = np.where(score > 0, 1.0, -1.0)
    by_class, rare = np.argsort(y), np.where(np.arange(n) == n // 2, 1.0, -1.0)
    yield "random", X, y
    yield "sorted by class", X[by_class], y[by_class]
    yield "sorted by score", X[np.argsort(score)], y[np.argsort(score)]
    yield "every eighth of one class", X, np.where(np.arange(n) % 8 == 0, 1.0, -1.0)
    yield "one rare class", X, rare
    yield "separable", X + 3 * y[:, None] * [1.0, 0.0, 0.0, -1.0], y
    yield "duplicated columns", np.column_stack([X, X]), y
    yield "scales of 1e6", X * [1e6, 1.0, 1e-6, 1.0], y
    yield "two clouds far apart", X + np.where(np.arange(n) % 2 == 0, 1e3, 0.0)[:, None], y


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("name", [name for name, _, _ in orders(20)])
def test_no_order_of_the_rows_fools_the_screening(name, offset):
    X, y = next((X, y) for other, X, y in orders(5000) if other == name)
    for lam in (1e-4, 1e-1):
        fit = svm.fit_svm(X, y, lam=lam, offset=offset)
        value = check_certificate(fit, X, y, lam, offset)
        theta = (X - offset * X.mean(axis=0)).T @ (fit.dual * y)
        assert lam * (fit.dual.sum() - theta @ theta / 2) == pytest.approx(value, rel=1e-7)


def test_the_plain_path_certifies_by_the_formulas(monkeypatch):
    X, y = data()
    monkeypatch.setitem(_plug.replaced, ("losses", "hinge_loss"), losses.hinge_loss)
    monkeypatch.setattr(losses, "hinge_loss", lambda z: 2 * np.maximum(0.0, 1.0 - np.asarray(z)))
    assert not svm.fit_svm(X, y, lam=0.01).converged  # a wrong loss opens the gap


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("n", [60, 5000])
def test_order_and_repetition_change_nothing(n, offset):
    """The same bytes from the same data; with its rows shuffled, theta and risk to 1e-11, the rest to 1e-9."""
    X, y = data(n)
    before = X.tobytes(), y.tobytes()
    first, again = svm.fit_svm(X, y, lam=0.01, offset=offset), svm.fit_svm(X, y, lam=0.01, offset=offset)
    assert first.model.theta.tobytes() == again.model.theta.tobytes() and first.dual.tobytes() == again.dual.tobytes()
    assert first.model.theta_0 == again.model.theta_0 and first.gap == again.gap
    assert (X.tobytes(), y.tobytes()) == before
    order = np.random.default_rng(0).permutation(n)
    shuffled = svm.fit_svm(X[order], y[order], lam=0.01, offset=offset)
    np.testing.assert_allclose(shuffled.model.theta, first.model.theta, rtol=1e-11)
    assert shuffled.history[-1] == pytest.approx(first.history[-1], rel=1e-11)
    assert shuffled.model.theta_0 == pytest.approx(first.model.theta_0, rel=1e-9)
    np.testing.assert_allclose(shuffled.dual, first.dual[order], atol=1e-9 * first.dual.max())


def test_support_has_no_dust():
    """An example is listed if its multiplier is above 1e-12 of the largest: none is there by rounding alone."""
    for name, (X, y) in ODD.items():
        for lam, offset in [(1e-4, True), (1e-2, False), (10.0, True)]:
            fit = svm.fit_svm(X, y, lam=lam, offset=offset)
            assert fit.dual[fit.support].min() > 1e-12 * fit.dual.max(), name
    X, y = data(5000, 5)
    fit = svm.fit_svm(X, y, lam=1e-3)
    z = margins.margins(fit.model.theta, fit.model.theta_0, X, y)
    np.testing.assert_array_equal(fit.support, np.flatnonzero(z < 1 + 1e-9))  # on or inside the margin, and no other


def test_flipping_labels_flips_the_answer():
    X, y = data()
    one, other = svm.fit_svm(X, y, lam=0.01), svm.fit_svm(X, -y, lam=0.01)
    np.testing.assert_allclose(one.model.theta, -other.model.theta, rtol=1e-7)
    assert one.model.theta_0 == pytest.approx(-other.model.theta_0, rel=1e-7)


@pytest.mark.parametrize("lam", [0, -1.0, np.nan, np.inf, None, "1", [1.0]])
def test_lam_must_be_positive(lam):
    with pytest.raises(ValueError, match="lam"):
        svm.fit_svm(*data(), lam=lam)


@pytest.mark.parametrize("lam", [1e-300, 1e-12, 1.0, 1e12, 1e300])
@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e-30, 1e30, 1e100, 1e155, 1e300])
def test_sizes_near_the_ends_of_the_doubles(size, lam):
    """An answer that is finite and says whether it is certified, or an error that names lam."""
    X, y = data()
    try:
        fit = svm.fit_svm(size * X, y, lam=lam)
    except ValueError as error:
        assert str(error).startswith("lam must be of a size that suits the squares of X")
        assert size >= 1e100 or not 1e-280 < lam < 1e280
    else:
        assert np.isfinite(fit.model.theta).all() and np.isfinite(fit.dual).all() and fit.gap >= -1e-12
        assert fit.converged == (size < 1e11 * np.sqrt(lam))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda X, y: svm.quadratic_program(X, y, 0.0), "C"),
        (lambda X, y: svm.quadratic_program(X[:5], y, 1.0), "y"),
        (lambda X, y: svm.dual_objective(y, X, y), "K"),
        (lambda X, y: svm.dual_objective(y[:5], X @ X.T, y), "dual"),
        (lambda X, y: svm.dual_objective(y, np.triu(X @ X.T), y), "K"),
        (lambda X, y: svm.slacks([1.0], 0.0, X, y), "X"),
    ],
)
def test_bad_arguments_are_named(call, name):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        call(*data())


@settings(max_examples=oracles.rounds(40), deadline=None, derandomize=True)
@given(
    n=st.integers(2, 60), d=st.integers(1, 12), low=st.integers(-6, 6), high=st.integers(-6, 6),
    odd=st.sets(st.sampled_from(["equal rows", "equal columns", "constant", "separable", "rare", "integers"])),
    power=st.integers(-6, 1), offset=st.booleans(), dtype=st.sampled_from([np.float64, np.float32]),
    seed=st.integers(0, 9999),
)  # fmt: skip
def test_any_shape_scale_and_dtype_is_certified(n, d, low, high, odd, power, offset, dtype, seed):
    X, y = data(n, d, seed, noise=0.0 if "separable" in odd else 0.7)
    if "integers" in odd:
        X = np.round(X)
    X = X * 10.0 ** np.random.default_rng(seed).uniform(min(low, high), max(low, high), d)
    if "equal rows" in odd:
        X = X[np.arange(n) // 2]
    if "equal columns" in odd:
        X = np.column_stack([X, X[:, 0], -2 * X[:, -1]])
    if "constant" in odd:
        X = np.column_stack([X, np.full(n, 10.0**low)])
    if "rare" in odd:
        y = -np.ones(n)
    y[:2] = 1.0, -1.0
    X, lam = X.astype(dtype), 10.0**power
    fit = svm.fit_svm(X, y, lam=lam, offset=offset)
    value = check_certificate(fit, X.astype(float), y, lam, offset)
    zero = np.zeros(X.shape[1])
    assert value <= risk.risk(zero, svm.best_offset(np.zeros(n), y) * offset, X, y, losses.HINGE, lam) + 1e-12


def test_rounding_is_counted_in_the_gap():
    """Multipliers are doubles: with |x| = 1e14 sqrt(lam) none of them can close the gap, and the fit says so."""
    X, y = data(200, 1, noise=5.0)
    hopeless, fine = svm.fit_svm(1e11 * X, y, lam=1e-6), svm.fit_svm(1e8 * X, y, lam=1e-6)
    assert fine.converged and not hopeless.converged and "rescale" in hopeless.message


# Parts of the solver, one by one: where one fails another takes over, and a fit would not show it


@pytest.mark.parametrize("solver", [interior_point.gram_solver, interior_point.roots_solver])
def test_both_ways_to_the_step_solve_the_same_system(solver, rng):
    A, weight, penalty, rhs = rng.normal(size=(30, 4)), rng.uniform(0.1, 10, 30), np.array([1.0, 1, 1, 0]), np.ones(4)
    M = A.T @ (weight[:, None] * A) + np.diag(penalty)
    np.testing.assert_allclose(solver(A, weight, penalty)(rhs), np.linalg.solve(M, rhs), rtol=1e-10)


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("d", [2, 40])  # fewer columns than free examples, and more
def test_free_examples_come_to_lie_on_the_margin(d, offset, rng):
    X, y, C, free = rng.normal(size=(30, d)), np.tile([1.0, -1.0], 15), 100.0, np.arange(2 if d == 2 else 10)
    alpha = np.where(np.arange(30) < len(free), 1.0, 0.0) * y
    w, alpha = crossover.newton_on_free(np.zeros(d + offset), alpha, y, C, free, X, offset)
    theta, theta_0 = w[:d], w[d] if offset else 0.0
    np.testing.assert_allclose(y[free] * (X[free] @ theta + theta_0), 1.0, rtol=1e-9)
    if (alpha * y)[free].min() > 0:  # within the box, so nothing was cut off
        np.testing.assert_allclose(X.T @ alpha, theta, atol=1e-9)


@pytest.mark.parametrize("offset", [True, False])
def test_newton_steps_on_an_arc_lead_to_its_minimum(offset, rng):
    X, y, C, h = rng.normal(size=(200, 3)), rng.choice([-1.0, 1.0], 200), rng.uniform(0.1, 1.0, 200), 0.3
    Z, penalty = interior_point.signed_rows(X, y, offset), interior_point.penalty_of(3, offset)
    w, z, v = np.zeros(3 + offset), np.zeros(200), 0.5 * penalty
    for _ in range(20):
        w, z, on_arc = screening.newton_step(w, z, Z, C, v, penalty, h)
    np.testing.assert_allclose(z, Z @ w, atol=1e-12)
    slopes = -np.interp(Z @ w, [1 - h, 1 + h], [1.0, 0.0])  # of the rounded hinge
    np.testing.assert_allclose(penalty * w - v + Z.T @ (C * slopes), 0.0, atol=1e-9)
    np.testing.assert_array_equal(on_arc, np.flatnonzero(np.abs(z - 1) <= h))


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("times", [1, 3])  # equal rows cannot all be held on the margin
def test_an_active_set_ends_where_nothing_is_left_to_gain(times, offset, rng):
    X, y, C = rng.normal(size=(60, 3)), rng.normal(size=60), np.ones(60 * times)
    X, y = np.repeat(X, times, axis=0), np.repeat(np.where(X[:, 0] + 0.5 * y > 0, 1.0, -1.0), times)
    Z, penalty = interior_point.signed_rows(X, y, offset), interior_point.penalty_of(3, offset)
    v = 0.5 * penalty
    w, dual, reserve, xi, _ = vertex.solve(np.eye(len(penalty))[0], Z, C, v, penalty)
    np.testing.assert_allclose(penalty * w - v, Z.T @ dual, atol=1e-9)
    np.testing.assert_allclose(Z @ w + xi - 1, reserve, atol=1e-12)
    assert dual.min() >= 0 and (dual <= C).all() and ((dual > 0) & (dual < C)).any()
    np.testing.assert_allclose([dual * reserve, (C - dual) * xi], 0.0, atol=1e-9)


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("d", [3, 30])  # by an active set, and by the interior point
def test_screening_leaves_the_interior_point_as_it_is(d, offset, rng):
    """The point found with most rows decided beforehand is that of all rows, and one round of it certifies the fit."""
    X = rng.normal(size=(6000, d))
    y = np.where(X[:, :3] @ [1.0, -1.0, 0.5] + 0.3 * offset + 0.3 * rng.normal(size=6000) > 0, 1.0, -1.0)
    assert screening.screened(X, y, np.full(6000, 0.1), offset, interior_point.TOL)
    w, a, *_ = screening.solve(X, y, np.full(6000, 0.1), offset)
    expected, all_a, *_ = interior_point.solve(X, y, 0.1, offset)
    np.testing.assert_allclose(w, expected, rtol=1e-4)
    np.testing.assert_allclose(X.T @ (a * y), X.T @ (all_a * y), rtol=1e-4)
    assert len(svm.fit_svm(X, y, lam=conventions.lam_from_C(0.1, 6000), offset=offset).history) == 1
