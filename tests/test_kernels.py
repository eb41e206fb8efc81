"""Kernels against loops and outside code, as inner products of features, and positive semidefinite."""

import numpy as np
import oracles
import pytest
import sklearn.metrics.pairwise
from hypothesis import given, settings
from hypothesis import strategies as st

from linclass import conventions, kernels

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(30, 3)), RNG.normal(size=(7, 3))


def least_eigenvalue(K):
    """The least eigenvalue relative to the largest."""
    values = np.linalg.eigvalsh((K + K.T) / 2)
    return values[0] / values[-1]


@pytest.mark.ledger("eq-kernel")
def test_linear_kernel_is_the_inner_product():
    K = kernels.linear_kernel(X, Z)
    assert K.shape == (30, 7)
    np.testing.assert_allclose(K, [[x @ z for z in Z] for x in X], rtol=1e-12)


@pytest.mark.ledger("eq-polynomial-kernel")
def test_polynomial_kernel_is_an_inner_product_of_features():
    def features(x, c):  # of (x . z + c)^2
        pairs = [np.sqrt(2 - (i == j)) * x[i] * x[j] for i in range(3) for j in range(i, 3)]
        return np.concatenate([pairs, np.sqrt(2 * c) * x, [c]])

    for c in (0.0, 1.0, 2.5):
        exact = np.array([[features(x, c) @ features(z, c) for z in Z] for x in X])
        np.testing.assert_allclose(kernels.polynomial_kernel(X, Z, 2, c), exact, rtol=1e-10, atol=1e-12)
    peer = sklearn.metrics.pairwise.polynomial_kernel(X, Z, degree=5, gamma=1.0, coef0=0.5)
    np.testing.assert_allclose(kernels.polynomial_kernel(X, Z, 5, 0.5), peer, rtol=1e-9, atol=1e-9)


@pytest.mark.ledger("eq-rbf-kernel")
@pytest.mark.parametrize("tau", [1e-3, 0.1, 1.0, 30.0])
def test_rbf_kernel(tau):
    loop = np.array([[np.exp(-np.sum((x - z) ** 2) / (2 * tau**2)) for z in Z] for x in X])
    np.testing.assert_allclose(kernels.rbf_kernel(X, Z, tau), loop, rtol=1e-9, atol=1e-15)
    peer = sklearn.metrics.pairwise.rbf_kernel(X, Z, gamma=conventions.gamma_from_tau(tau))
    np.testing.assert_allclose(kernels.rbf_kernel(X, Z, tau), peer, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("shape", [(300, 20), (1500, 3), (2100, 1)])
@pytest.mark.parametrize("tau", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("outlier", [0.0, 1e9, 1e200])
def test_rbf_matrix_of_many_rows_is_the_formula(shape, tau, outlier):
    many = np.random.default_rng(1).normal(size=shape)
    many[0] += outlier
    some = many[[0, 0, 1, 2, len(many) // 2, -1]]
    some[1] += 0.3 * tau  # nothing beside 1e9, and a neighbour beside 0
    with np.errstate(over="ignore"):
        exact = kernels.rbf_kernel.plain(some, some, tau)
    np.testing.assert_allclose(kernels.rbf_kernel(many, some, tau)[[0, 1, 2]], exact[[0, 2, 3]], rtol=1e-9, atol=1e-15)
    K = kernels.rbf_kernel(many, many, tau)
    rows = [0, 1, 2, len(many) // 2, len(many) - 1]
    assert np.abs(K - K.T).max() <= 1e-13 and (np.diag(K) == 1).all() and (K <= 1).all()
    keep = [0, 2, 3, 4, 5]
    np.testing.assert_allclose(K[np.ix_(rows, rows)], exact[np.ix_(keep, keep)], rtol=1e-9, atol=1e-15)


def test_rbf_kernel_on_hard_inputs():
    far = X + 1e6  # a shift changes no distance
    np.testing.assert_allclose(kernels.rbf_kernel(far, far, 1.0), kernels.rbf_kernel(X, X, 1.0), rtol=1e-7)
    for scale in (1e-6, 1e6):
        K = kernels.rbf_kernel(scale * X, scale * X, scale)
        np.testing.assert_allclose(K, kernels.rbf_kernel(X, X, 1.0), rtol=1e-9, atol=1e-15)
    K = kernels.rbf_kernel(X, X, 0.5)
    assert (np.diag(K) == 1).all() and (K <= 1).all() and np.abs(K - K.T).max() <= 1e-14
    np.testing.assert_allclose(kernels.rbf_kernel(X, X.copy(), 0.5), K, rtol=1e-12)
    assert kernels.rbf_kernel(np.zeros((4, 2)), np.zeros((4, 2)), 1.0).tolist() == np.ones((4, 4)).tolist()


@pytest.mark.ledger("eq-min-kernel")
def test_min_kernel_is_an_inner_product_of_steps():
    x, z = np.array([0.0, 0.5, 1.25, 2.0]), np.array([0.25, 1.0, 3.0])
    assert kernels.min_kernel(x, z).tolist() == [[min(a, b) for b in z] for a in x]
    t = (np.arange(4000) + 0.5) / 1000  # on [0, 4], where all steps fit

    def steps(v):
        return (t <= v[:, None]).astype(float)

    np.testing.assert_allclose(steps(x) @ steps(z).T / 1000, kernels.min_kernel(x, z), atol=1e-12)


def test_min_kernel_refuses_negative_numbers_and_says_why():
    assert np.linalg.eigvalsh(np.minimum.outer([-1.0, 1.0], [-1.0, 1.0]))[0] < 0
    for args, name in ((([-1.0, 1.0], [1.0]), "x"), (([1.0], [2.0, -0.5]), "z")):
        with pytest.raises(ValueError, match=f"{name} must be non-negative.*squared length.*not a kernel"):
            kernels.min_kernel(*args)
    with pytest.raises(ValueError, match="x must be 1-dimensional"):
        kernels.min_kernel([[1.0]], [1.0])


@pytest.mark.ledger("thm-kernel-psd")
@settings(max_examples=oracles.rounds(25), deadline=None, derandomize=True)
@given(n=st.integers(1, 25), d=st.integers(1, 5), scale=st.integers(-3, 3), seed=st.integers(0, 999))
def test_gram_matrices_are_positive_semidefinite(n, d, scale, seed):
    rng = np.random.default_rng(seed)
    P = rng.normal(size=(n, d)) * 10.0**scale
    P = np.concatenate([P, P[:2]])  # with duplicates
    for K in (
        kernels.linear_kernel(P, P),
        kernels.polynomial_kernel(P, P, 3, 1.0),
        kernels.rbf_kernel(P, P, 0.7 * 10.0**scale),
    ):
        assert least_eigenvalue(K) > -1e-12


@pytest.mark.ledger("thm-min-kernel-psd")
@settings(max_examples=oracles.rounds(25), deadline=None, derandomize=True)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30))
def test_min_kernel_is_positive_semidefinite_on_non_negative_numbers(values):
    K = kernels.min_kernel(values, values)
    # sum_ij c_i c_j min(x_i, x_j) is a sum of squares: gaps between sorted x times squared sums of c to their right
    order = np.argsort(values)
    c = np.random.default_rng(0).normal(size=len(values))
    gaps = np.diff(np.sort(values), prepend=0.0)
    tails = np.cumsum(c[order][::-1])[::-1]
    assert c @ K @ c == pytest.approx(gaps @ tails**2, rel=1e-9, abs=1e-12 * max(values))


@pytest.mark.ledger("eq-random-fourier")
def test_random_fourier_features_approach_the_kernel():
    exact = kernels.rbf_kernel(X, X, 1.3)
    errors = []
    for count in (100, 10_000):
        F = kernels.random_fourier_features(X, 1.3, count, np.random.default_rng(1))
        assert F.shape == (30, count)
        errors.append(np.sqrt(np.mean((F @ F.T - exact) ** 2)))
    assert errors[1] < 0.01 and 5 < errors[0] / errors[1] < 20  # like 1 / sqrt(count)
    rng = np.random.default_rng(1)
    omega, phases = rng.normal(size=(3, 50)) / 1.3, rng.uniform(0, 2 * np.pi, 50)
    literal = np.sqrt(2 / 50) * np.cos(X @ omega + phases)
    np.testing.assert_array_equal(kernels.random_fourier_features(X, 1.3, 50, np.random.default_rng(1)), literal)


@pytest.mark.ledger("thm-rbf-frequencies")
@pytest.mark.parametrize("tau", [0.5, 3.0])
def test_the_frequencies_have_variance_one_over_tau_squared(tau):
    """E cos(omega . (x - z)) is the kernel for omega of variance 1/tau^2, and is not for variance tau^2."""
    from numpy.polynomial.hermite_e import hermegauss

    nodes, weights = hermegauss(80)
    weights = weights / weights.sum()
    r = np.linspace(0, 2 * tau, 9)
    expectation = np.cos(np.outer(r, nodes / tau)) @ weights
    np.testing.assert_allclose(expectation, kernels.rbf_kernel(r[:, None], [[0.0]], tau)[:, 0], atol=1e-12)
    other = np.cos(np.outer(r, nodes * tau)) @ weights
    assert np.abs(other - expectation).max() > 0.3


def test_angles_that_are_all_rounding_are_refused():
    near = np.array([[1e12, 0.0]])
    assert np.isfinite(kernels.random_fourier_features(near, 1.0, 5, np.random.default_rng(0))).all()
    with pytest.raises(ValueError, match=r"^X must be within 1e\+12 tau of 0; got 1e\+12 at tau = 0\.1"):
        kernels.random_fourier_features(near, 0.1, 5, np.random.default_rng(0))


def test_equal_rows_have_similarity_1_whoever_holds_them():
    many = np.random.default_rng(0).normal(size=(100, 3))
    for rows in (many.tolist(), many.copy()):
        assert (np.diag(kernels.rbf_kernel(many, rows, 0.3)) == 1).all()


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: kernels.linear_kernel(X, Z[:, :2]), "Z"), (lambda: kernels.linear_kernel(X[0], Z), "X"),
        (lambda: kernels.linear_kernel(X, None), "Z"), (lambda: kernels.rbf_kernel(X, Z, 0.0), "tau"),
        (lambda: kernels.linear_kernel(X * 1e200, Z * 1e200), "X"),
        (lambda: kernels.rbf_kernel(X, Z * np.nan, 1.0), "Z"),
        (lambda: kernels.rbf_kernel(X, Z, np.nan), "tau"), (lambda: kernels.rbf_kernel(X * np.nan, Z, 1.0), "X"),
        (lambda: kernels.polynomial_kernel(X, Z, 0, 1.0), "degree"),
        (lambda: kernels.polynomial_kernel(X, Z, 1.5, 1.0), "degree"),
        (lambda: kernels.polynomial_kernel(X, Z, 2, -1.0), "constant"),
        (lambda: kernels.random_fourier_features(X, 1.0, 0, np.random.default_rng(0)), "count"),
        (lambda: kernels.random_fourier_features(X, -1.0, 5, np.random.default_rng(0)), "tau"),
        (lambda: kernels.random_fourier_features(X, 1.0, 5, None), "rng"),
        (lambda: kernels.min_kernel([np.nan], [1.0]), "x"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(call, name):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        call()


def test_no_similarity_is_above_1_in_spite_of_rounding():
    many = np.random.default_rng(0).normal(size=(200, 3)) * 100
    assert kernels.rbf_kernel(many, many.copy(), 1.0).max() <= 1.0


@pytest.mark.ledger("thm-min-kernel-norm")
@pytest.mark.parametrize("seed", range(5))
def test_the_min_kernels_norm_is_the_integral_of_the_squared_slope(seed):
    rng = np.random.default_rng(seed)
    knots, alpha = np.sort(rng.uniform(0, 3, 8)), rng.normal(size=8)
    K = kernels.min_kernel(knots, knots)
    ends = np.append(0.0, knots)
    heights = kernels.min_kernel(ends, knots) @ alpha
    roughness = np.sum(np.diff(heights) ** 2 / np.diff(ends))  # straight between the knots, flat after the last
    assert alpha @ K @ alpha == pytest.approx(roughness, rel=1e-10)
    grid = np.sort(np.append(ends, rng.uniform(0, 4, 200)))
    rival = kernels.min_kernel(grid, knots) @ alpha + rng.normal(size=len(grid)) * ~np.isin(grid, ends)
    assert np.sum(np.diff(rival) ** 2 / np.diff(grid)) > roughness
