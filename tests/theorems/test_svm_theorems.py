"""What chapter 9 claims about the support vector machine, held to numbers."""

import numpy as np
import pytest

from linclass import conventions, datasets, kernels, margins, svm


@pytest.fixture
def separable():
    return datasets.separable(20, np.random.default_rng(4), margin=0.4)


def fit(X, y, C):
    return svm.fit_svm(X, y, lam=conventions.lam_from_C(C, len(y)))


@pytest.mark.ledger("thm-hard-margin")
def test_no_separator_has_a_wider_street(separable):
    X, y = separable
    hard = fit(X, y, 1000.0).model
    widest = svm.margin_width(hard.theta) / 2
    assert np.min(margins.margins(hard.theta, hard.theta_0, X, y)) == pytest.approx(1)
    angles = np.linspace(0, 2 * np.pi, 3001)
    s = X @ np.array([np.cos(angles), np.sin(angles)])
    half = (s[y > 0].min(axis=0) - s[y < 0].max(axis=0)) / 2  # the best offset is in the middle
    assert half.max() <= widest + 1e-9
    assert half.max() == pytest.approx(widest, rel=1e-3)


@pytest.mark.ledger("thm-hard-margin")
def test_the_widest_street_is_the_only_one(separable):
    X, y = separable
    hard = fit(X, y, 1000.0).model
    s = X @ hard.theta
    assert 1 - s[y > 0].min() == pytest.approx(-1 - s[y < 0].max())  # theta_0 has no room


@pytest.mark.ledger("thm-strong-duality")
def test_the_gap_is_a_sum_of_terms_that_are_not_negative():
    X, y = datasets.two_gaussians(30, np.random.default_rng(0))
    rng, C, K = np.random.default_rng(1), 0.7, kernels.linear_kernel(X, X)
    for _ in range(50):
        theta, theta_0 = rng.normal(size=2), rng.normal()
        a = rng.uniform(0, C, 30)
        plus, minus = a[y > 0].sum(), a[y < 0].sum()
        a = a * np.where(y > 0, min(1, minus / plus), min(1, plus / minus))
        z = margins.margins(theta, theta_0, X, y)
        brackets = C * np.maximum(0, 1 - z) - a * (1 - z)
        assert (brackets >= -1e-12).all()
        gap = theta @ theta / 2 + C * np.maximum(0, 1 - z).sum() - svm.dual_objective(a, K, y)
        assert gap == pytest.approx(np.sum((theta - X.T @ (a * y)) ** 2) / 2 + brackets.sum())


@pytest.mark.ledger("thm-hard-margin-limit")
def test_a_finite_price_gives_the_hard_margin_where_there_is_one(separable):
    X, y = separable
    hard = fit(X, y, 1e4)
    gamma = svm.margin_width(hard.model.theta) / 2
    assert hard.dual.sum() == pytest.approx(1 / gamma**2)
    assert hard.dual.max() <= 0.5 / gamma**2 * (1 + 1e-6)
    for C in (0.5 / gamma**2, 2 / gamma**2, 50.0):
        found = fit(X, y, C)
        np.testing.assert_allclose(found.model.theta, hard.model.theta, rtol=1e-5)
        assert svm.slacks(found.model.theta, found.model.theta_0, X, y).sum() < 1e-5
    mixed = datasets.two_gaussians(40, np.random.default_rng(3))
    for C in (1.0, 100.0, 1e4):
        found = fit(*mixed, C).model
        assert svm.slacks(found.theta, found.theta_0, *mixed).sum() >= 1


def test_only_the_support_vectors_matter():
    iris = datasets.iris()
    two = iris.y > 0
    X, y = iris.X[two][:, 2:], np.where(iris.y[two] == 2, 1.0, -1.0)
    full = fit(X, y, 1.0)
    kept = full.dual > 1e-6
    part = fit(X[kept], y[kept], 1.0)
    np.testing.assert_allclose(part.model.theta, full.model.theta, rtol=1e-5)
    assert kept.sum() < len(y) / 2
