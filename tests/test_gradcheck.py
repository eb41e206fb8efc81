"""Finite differences: right on functions whose derivatives are known, and able to tell a wrong gradient."""

import numpy as np
import pytest

from linclass import gradcheck


def cubic(x):
    return x[0] ** 3 + 2 * x[0] * x[1] + np.exp(x[1])


def cubic_grad(x):
    return np.array([3 * x[0] ** 2 + 2 * x[1], 2 * x[0] + np.exp(x[1])])


@pytest.mark.ledger("eq-central-difference")
def test_numeric_gradient_and_hessian(rng):
    for point in rng.normal(size=(10, 2)):
        np.testing.assert_allclose(gradcheck.numeric_grad(cubic, point), cubic_grad(point), rtol=1e-8, atol=1e-8)
        hessian = [[6 * point[0], 2], [2, np.exp(point[1])]]
        np.testing.assert_allclose(gradcheck.numeric_hess(cubic_grad, point), hessian, rtol=1e-8, atol=1e-8)


@pytest.mark.ledger("eq-central-difference")
def test_a_central_difference_is_exact_on_a_parabola_in_exact_arithmetic():
    """The error is of order h^2 with the third derivative as factor, which a parabola does not have."""
    assert gradcheck.numeric_grad(lambda x: x[0] ** 2, [3.0])[0] == pytest.approx(6.0, abs=1e-9)


def test_large_points_get_wide_steps():
    for x in (1e8, -1e8):
        assert gradcheck.numeric_grad(lambda x: x[0] ** 2, [x])[0] == pytest.approx(2 * x, rel=1e-8)
        assert gradcheck.numeric_hess(lambda x: x**2, [x])[0, 0] == pytest.approx(2 * x, rel=1e-8)


def test_the_hessian_comes_back_symmetric(rng):
    H = gradcheck.numeric_hess(cubic_grad, rng.normal(size=2))
    np.testing.assert_array_equal(H, H.T)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: -cubic_grad(x),
        lambda x: 2 * cubic_grad(x),
        lambda x: cubic_grad(x) + np.array([0, 1e-4]),
        lambda x: cubic_grad(x)[::-1],
        lambda x: cubic_grad(x) * np.nan,
    ],
)
def test_a_wrong_gradient_is_told(wrong):
    point = np.array([0.7, -0.3])
    assert gradcheck.grad_error(cubic, cubic_grad, point) < 1e-8
    assert not gradcheck.grad_error(cubic, wrong, point) < 1e-6


def test_the_error_is_relative_to_a_large_gradient():
    """A gradient of 1e6 that is off by 1 is off by one part in a million."""
    off_by_one = gradcheck.grad_error(lambda x: 1e6 * x[0], lambda x: np.array([1e6 + 1]), [0.0])
    assert off_by_one == pytest.approx(1e-6, rel=1e-2)


@pytest.mark.parametrize("wrong", [lambda x: 1.0, lambda x: np.ones((2, 2)), lambda x: np.ones(3)])
def test_a_gradient_of_the_wrong_shape_is_named(wrong):
    with pytest.raises(ValueError, match=r"^grad\(point\) must be "):
        gradcheck.grad_error(cubic, wrong, [1.0, 2.0])


@pytest.mark.ledger("eq-midpoint")
def test_convexity_witness():
    points = np.linspace(-3, 3, 25)
    for convex in (np.square, np.abs, np.exp, lambda x: 3 * x - 1, lambda x: np.zeros_like(x)):
        assert gradcheck.convexity_witness(convex, points) is None
    for other in (np.sin, np.sign, lambda x: -(x**2), lambda x: -np.abs(x)):
        a, b = gradcheck.convexity_witness(other, points)
        assert other((a + b) / 2) > (other(a) + other(b)) / 2


def test_two_points_can_be_a_witness():
    assert gradcheck.convexity_witness(lambda x: -(x**2), [-1.0, 1.0]) is not None


def test_rounding_and_infinity_are_no_witness():
    assert gradcheck.convexity_witness(lambda x: 1e12 * x + 0.1, np.linspace(-1, 1, 30) / 3) is None
    assert gradcheck.convexity_witness(lambda x: np.where(np.abs(x) > 1, np.inf, x**2), np.linspace(-3, 3, 25)) is None


def test_infinite_values_hide_no_witness():
    def overflows(x):
        return np.where(x > 700, np.inf, np.where(x < 0, 1.0, 0.0))

    assert gradcheck.convexity_witness(overflows, np.array([-3.0, -0.5, 1.0, 800.0, 900.0])) is not None


@pytest.mark.parametrize("points", [[], [1.0], [1.0, np.nan], "abc", [[1.0, 2.0]]], ids=repr)
def test_bad_points_are_named(points):
    with pytest.raises(ValueError, match=r"^points must be "):
        gradcheck.convexity_witness(np.square, points)


@pytest.mark.parametrize("point", [1.0, [np.inf], None, [[1.0]]], ids=repr)
def test_a_bad_point_is_named(point):
    for check in (gradcheck.numeric_grad, gradcheck.numeric_hess, lambda f, x: gradcheck.grad_error(f, f, x)):
        with pytest.raises(ValueError, match=r"^point must be "):
            check(np.sum, point)
