"""What a straight line knows: scores, margins, distances, mistakes, and what happens at exactly 0."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.naive_bayes import BernoulliNB

from linclass import losses, margins

THETA, THETA_0 = np.array([3.0, -4.0]), 5.0
X = np.array([[0.0, 0.0], [1.0, 2.0], [-3.0, 0.0], [3.0, 4.0]])  # the second row lies on the boundary
Y = np.array([1.0, -1.0, -1.0, 1.0])
SCORES = np.array([5.0, 0.0, -4.0, -2.0])


@pytest.mark.ledger("eq-score", "eq-margin", "eq-sign-rule", "eq-distance", "eq-training-error")
def test_one_example_by_hand():
    np.testing.assert_array_equal(margins.scores(THETA, THETA_0, X), SCORES)
    np.testing.assert_array_equal(margins.margins(THETA, THETA_0, X, Y), [5.0, 0.0, 4.0, -2.0])
    np.testing.assert_array_equal(margins.predict(THETA, THETA_0, X), [1, -1, -1, -1])
    np.testing.assert_allclose(margins.signed_distances(THETA, THETA_0, X), SCORES / 5, rtol=1e-15)
    assert margins.zero_one_error(THETA, THETA_0, X, Y) == 0.5


@pytest.mark.ledger("eq-sign-rule", "eq-training-error", "eq-zero-one")
@pytest.mark.parametrize("label", [-1, 1])
def test_at_score_zero(label):
    """predict says -1, and the mistake is counted whatever the label: no label is rewarded for a tie."""
    tie = [[0.0, 0.0]]
    assert margins.scores(THETA, 0.0, tie) == 0
    assert margins.predict(THETA, 0.0, tie) == -1
    assert margins.zero_one_error(THETA, 0.0, tie, [label]) == 1
    assert losses.zero_one_loss(margins.margins(THETA, 0.0, tie, [label])) == 1


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_the_sign_of_zero_does_not_matter(zero):
    assert margins.predict([1.0], zero, [[0.0]]) == margins.predict([-1.0], zero, [[0.0]]) == -1


def test_the_smallest_score_counts():
    least = np.nextafter(0.0, 1.0)
    assert margins.predict([1.0], 0.0, [[least]]) == 1
    assert margins.zero_one_error([1.0], 0.0, [[least]], [1]) == 0


@pytest.mark.ledger("eq-margin")
def test_a_margin_is_positive_exactly_where_the_prediction_is_right(rng):
    points, theta = rng.normal(size=(200, 3)), rng.normal(size=3)
    y = rng.choice([-1.0, 1.0], 200)
    right = margins.predict(theta, 0.3, points) == y
    np.testing.assert_array_equal(margins.margins(theta, 0.3, points, y) > 0, right)
    assert margins.zero_one_error(theta, 0.3, points, y) == np.mean(~right)


@pytest.mark.ledger("thm-scaling")
@given(st.integers(-300, 300), st.integers(0, 10_000))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_scaling_theta_scales_margins_and_nothing_else(exponent, seed):
    rng = np.random.default_rng(seed)
    theta, theta_0, points = rng.normal(size=2), rng.normal(), rng.normal(size=(20, 2))
    y, c = rng.choice([-1.0, 1.0], 20), 2.0**exponent  # a power of two, so that nothing is rounded
    np.testing.assert_array_equal(
        margins.margins(c * theta, c * theta_0, points, y), c * margins.margins(theta, theta_0, points, y)
    )
    np.testing.assert_array_equal(
        margins.predict(c * theta, c * theta_0, points), margins.predict(theta, theta_0, points)
    )
    np.testing.assert_array_equal(
        margins.signed_distances(c * theta, c * theta_0, points), margins.signed_distances(theta, theta_0, points)
    )


# --- Distances and angles ----------------------------------------------------------------------------------------


@pytest.mark.ledger("thm-distance", "eq-distance")
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_distance_is_that_of_the_nearest_boundary_point(rng, d):
    theta, theta_0 = rng.normal(size=d), rng.normal()
    points = rng.normal(size=(10, d)) * 3
    distances = margins.signed_distances(theta, theta_0, points)
    unit = theta / np.linalg.norm(theta)
    for x, distance in zip(points, distances, strict=True):
        foot = x - distance * unit
        assert margins.scores(theta, theta_0, foot[None])[0] == pytest.approx(0, abs=1e-12)
        assert np.linalg.norm(x - foot) == pytest.approx(abs(distance))
        # No other point of the boundary is nearer: walk along it from the foot.
        along = rng.normal(size=(50, d))
        others = foot + along - (along @ unit)[:, None] * unit
        assert np.all(np.linalg.norm(x - others, axis=1) >= abs(distance) - 1e-12)


@pytest.mark.ledger("eq-cosine")
def test_cosines():
    directions = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0], [1.0, 1.0], [1e-200, 1e-200]]
    np.testing.assert_allclose(
        margins.cosines([5.0, 0.0], directions), [1, 0, -1, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-15
    )


def test_a_cosine_never_leaves_its_range(rng):
    theta = rng.normal(size=7)
    cosines = margins.cosines(theta, np.outer([1e-3, 1.0, 7.7, -0.3], theta))
    assert np.all(np.abs(cosines) <= 1)
    np.testing.assert_allclose(cosines, [1, 1, 1, -1], rtol=1e-15)


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-160, 1e160, 1e300, 1e307])
def test_huge_and_tiny_theta(scale):
    """|theta|^2 would underflow or overflow at these scales; the distance and the angle do not."""
    theta = scale * np.array([1.0, -1.0])
    root = np.sqrt(0.5)
    np.testing.assert_allclose(margins.signed_distances(theta, 0.0, [[1.0, 0.0], [0.0, 1.0]]), [root, -root])
    np.testing.assert_allclose(margins.cosines(theta, [[1.0, 0.0], [0.0, 1.0]]), [root, -root])


def test_huge_and_tiny_inputs():
    np.testing.assert_allclose(margins.signed_distances([1.0, 1.0], 0.0, [[1e308, 1e308]]), np.sqrt(2) * 1e308)
    np.testing.assert_allclose(margins.cosines([1.0, 1.0], [[1e308, 1e308], [5e-324, 0.0]]), [1.0, np.sqrt(0.5)])
    assert margins.scores([1e200], 0.0, [[1e200]]) == np.inf
    assert margins.signed_distances([1e-300], 1e300, [[0.0]]) == np.inf


@pytest.mark.parametrize(
    "formula", [margins.scores, margins.signed_distances, lambda theta, theta_0, X: margins.cosines(theta, X)]
)
def test_nan_in_one_row_stays_there(formula):
    answer = formula([1.0, 2.0], 0.5, [[1.0, 1.0], [np.nan, 1.0], [2.0, 0.0]])
    np.testing.assert_array_equal(np.isnan(answer), [False, True, False])


def test_nan_elsewhere():
    assert np.isnan(margins.scores([np.nan], 0.0, [[1.0]]))
    assert np.isnan(margins.scores([1.0], np.nan, [[1.0]]))
    assert np.isnan(margins.signed_distances([np.nan, 1.0], 0.0, [[1.0, 1.0]]))
    assert np.isnan(margins.cosines([np.nan, 1.0], [[1.0, 1.0]]))
    assert np.isnan(margins.zero_one_error([1.0], np.nan, [[1.0]], [1]))


def test_infinite_inputs_give_the_limit():
    np.testing.assert_array_equal(margins.scores([1.0, -1.0], 0.0, [[np.inf, 1.0], [1.0, np.inf]]), [np.inf, -np.inf])
    np.testing.assert_array_equal(margins.margins([1.0], 0.0, [[np.inf], [np.inf]], [1, -1]), [np.inf, -np.inf])


def test_a_score_that_is_nan_has_no_sign():
    with pytest.raises(ValueError, match="X must be without NaN; got a score that is NaN at row 1"):
        margins.predict([1.0], 0.0, [[1.0], [np.nan]])


# --- Features ----------------------------------------------------------------------------------------------------


@pytest.mark.ledger("eq-affine-features")
def test_the_offset_is_one_more_entry_of_theta(rng):
    points = rng.normal(size=(6, 3))
    features = margins.affine_features(points)
    np.testing.assert_array_equal(features[:, 0], 1)
    np.testing.assert_array_equal(features[:, 1:], points)
    np.testing.assert_allclose(
        margins.scores([0.7, 1.0, 2.0, 3.0], 0.0, features), margins.scores([1.0, 2.0, 3.0], 0.7, points)
    )


@pytest.mark.ledger("eq-quadratic-features")
def test_quadratic_features_by_hand():
    np.testing.assert_array_equal(margins.quadratic_features([[2.0, 3.0, 5.0]]), [[2, 3, 5, 4, 6, 10, 9, 15, 25]])
    for d in range(1, 6):
        assert margins.quadratic_features(np.ones((2, d))).shape == (2, d + d * (d + 1) // 2)


def test_quadratic_features_bend_the_line(rng):
    """x_1^2 + x_2^2 - 1 is linear in them: the unit circle."""
    points = rng.normal(size=(100, 2))
    inside = margins.predict([0, 0, -1.0, 0, -1.0], 1.0, margins.quadratic_features(points)) == 1
    np.testing.assert_array_equal(inside, np.linalg.norm(points, axis=1) < 1)


# --- Other roads to a linear classifier --------------------------------------------------------------------------


@pytest.mark.ledger("thm-bayes-linear")
def test_the_best_rule_under_a_logistic_model_is_linear(rng):
    theta, theta_0 = np.array([1.5, -1.0]), 0.4
    points = rng.normal(size=(20_000, 2))
    p = np.exp(-losses.logistic_loss(margins.scores(theta, theta_0, points)))  # P(y = +1 | x)
    more_probable = np.where(p > 0.5, 1.0, -1.0)
    np.testing.assert_array_equal(margins.predict(theta, theta_0, points), more_probable)
    y = np.where(rng.random(len(p)) < p, 1.0, -1.0)
    error = margins.zero_one_error(theta, theta_0, points, y)
    assert error == pytest.approx(np.mean(np.minimum(p, 1 - p)), abs=4 * 0.5 / np.sqrt(len(p)))
    # Other lines, and rules that are no lines, err more: their expected error is exact here, not sampled.
    best = np.mean(np.minimum(p, 1 - p))
    for other in [*rng.normal(size=(50, 3)), (1.5, -1.0, 0.5), (1.5, -1.1, 0.4)]:
        says_plus = margins.predict(other[:2], other[2], points) == 1
        assert np.mean(np.where(says_plus, 1 - p, p)) > best
    ring = np.linalg.norm(points, axis=1) < 1
    assert np.mean(np.where(ring, 1 - p, p)) > best


@pytest.mark.ledger("thm-naive-bayes-linear")
def test_naive_bayes_with_binary_features_has_linear_log_odds(rng):
    p, q, prior = rng.uniform(0.05, 0.95, 4), rng.uniform(0.05, 0.95, 4), 0.3
    theta, theta_0 = margins.from_naive_bayes(p, q, prior)
    corners = np.array(list(itertools.product([0.0, 1.0], repeat=4)))
    joint_plus = prior * np.prod(np.where(corners == 1, p, 1 - p), axis=1)  # Bayes' rule, written out
    joint_minus = (1 - prior) * np.prod(np.where(corners == 1, q, 1 - q), axis=1)
    np.testing.assert_allclose(margins.scores(theta, theta_0, corners), np.log(joint_plus / joint_minus), atol=1e-12)


@pytest.mark.ledger("thm-naive-bayes-linear")
def test_naive_bayes_beside_scikit_learn(rng):
    features = (rng.random((300, 5)) < 0.4).astype(float)
    y = np.where(features.sum(axis=1) + rng.normal(size=300) > 2, 1, -1)
    theirs = BernoulliNB(alpha=1.0).fit(features, y)
    minus, plus = np.exp(theirs.feature_log_prob_)
    theta, theta_0 = margins.from_naive_bayes(plus, minus, np.mean(y == 1))
    log_odds = np.diff(theirs.predict_joint_log_proba(features), axis=1)[:, 0]
    np.testing.assert_allclose(margins.scores(theta, theta_0, features), log_odds, atol=1e-12)


@pytest.mark.ledger("thm-gaussian-linear")
def test_gaussian_classes_with_shared_variances_have_linear_log_odds(rng):
    a, b, variances, prior = rng.normal(size=3), rng.normal(size=3), rng.uniform(0.5, 2, 3), 0.7
    points = rng.normal(size=(20, 3)) * 2
    log_density = [-np.sum((points - mean) ** 2 / (2 * variances), axis=1) for mean in (a, b)]  # up to one constant
    theta, theta_0 = margins.from_gaussians(a, b, variances, prior)
    expected = log_density[0] - log_density[1] + np.log(prior / (1 - prior))
    np.testing.assert_allclose(margins.scores(theta, theta_0, points), expected, atol=1e-12)


@pytest.mark.parametrize("prior", [0.0, 1.0, -0.1, 1.5, np.nan, None])
def test_a_prior_is_a_probability(prior):
    for make in (lambda: margins.from_naive_bayes([0.5], [0.4], prior),
                 lambda: margins.from_gaussians([0.5], [0.4], [1.0], prior)):  # fmt: skip
        with pytest.raises(ValueError, match=r"^prior must be"):
            make()


@pytest.mark.ledger("thm-gaussian-linear")
def test_a_shared_covariance_gives_the_linear_discriminant():
    rng = np.random.default_rng(3)
    half = rng.normal(size=(3, 3))
    a, b, sigma, x = rng.normal(size=3), rng.normal(size=3), half @ half.T + np.eye(3), rng.normal(size=(20, 3))
    theta = np.linalg.solve(sigma, a - b)
    theta_0 = np.log(0.3 / 0.7) + (b @ np.linalg.solve(sigma, b) - a @ np.linalg.solve(sigma, a)) / 2
    density = stats.multivariate_normal.logpdf
    odds = np.log(0.3) + density(x, a, sigma) - np.log(0.7) - density(x, b, sigma)
    np.testing.assert_allclose(margins.scores(theta, theta_0, x), odds, atol=1e-9)
    # With independent coordinates it is the function's formula.
    apart = np.diag(np.diag(sigma))
    np.testing.assert_allclose(margins.from_gaussians(a, b, np.diag(sigma), 0.3)[0], np.linalg.solve(apart, a - b))


@pytest.mark.ledger("thm-best-line")
@pytest.mark.parametrize("seed", range(8))
def test_no_line_beats_the_best_line(seed):
    rng = np.random.default_rng(seed)
    points, y = rng.normal(size=(14, 2)), rng.choice([-1.0, 1.0], 14)
    theta, theta_0 = margins.best_line(points, y)
    best = margins.zero_one_error(theta, theta_0, points, y)
    assert best <= min(np.mean(y == 1), np.mean(y == -1))  # a line far away already does that well
    for direction in np.linspace(0, 2 * np.pi, 720, endpoint=False):
        other = np.array([np.cos(direction), np.sin(direction)])
        s = points @ other
        for offset in -(np.sort(s)[:-1] + np.diff(np.sort(s)) / 2):
            assert margins.zero_one_error(other, offset, points, y) >= best


@pytest.mark.parametrize("labels", list(itertools.product([-1.0, 1.0], repeat=3)), ids=str)
def test_lines_tell_three_points_apart_however_they_are_labelled(labels, rng):
    for points in rng.normal([4.0, -2.0], size=(5, 3, 2)):
        for k in (2, 3):
            y = np.array(labels[:k])
            assert margins.zero_one_error(*margins.best_line(points[:k], y), points[:k], y) == 0


# --- Inputs ------------------------------------------------------------------------------------------------------


def test_every_kind_of_input_gives_the_same():
    expected = margins.margins(THETA, THETA_0, X, Y)
    frozen = X.copy()
    frozen.flags.writeable = False
    frame = pd.DataFrame(X, columns=["height", "width"], index=[3, 1, 2, 0])
    for points in (X.tolist(), X.astype(int), X.astype(np.float32), np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2],
                   frozen, frame):  # fmt: skip
        for labels in (Y, Y.tolist(), Y.astype(int), Y.astype(np.int8), pd.Series(Y, index=[3, 1, 2, 0])):
            for theta in (THETA, [3, -4], np.array([3.0, -4.0], dtype=np.float32), pd.Series(THETA, index=["a", "b"])):
                answer = margins.margins(theta, THETA_0, points, labels)
                assert isinstance(answer, np.ndarray)
                np.testing.assert_array_equal(answer, expected)


def test_inputs_are_not_changed():
    arrays = [THETA.copy(), X.copy(), Y.copy()]
    theta, points, y = arrays
    before = [a.copy() for a in arrays]
    margins.margins(theta, 1.0, points, y)
    margins.signed_distances(theta, 1.0, points)
    margins.cosines(theta, points[1:])
    margins.affine_features(points)[:] = 0
    margins.quadratic_features(points)[:] = 0
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


BAD = [
    # what is wrong, the call, the start of the message
    ("X one-dimensional", lambda: margins.scores([1.0], 0, [1.0, 2.0]), "X must be a matrix"),
    ("X three-dimensional", lambda: margins.scores([1.0], 0, np.ones((1, 1, 1))), "X must be a matrix"),
    ("X empty", lambda: margins.scores([1.0], 0, np.ones((0, 1))), "X must be a matrix with at least one row"),
    ("X without columns", lambda: margins.scores([], 0, np.ones((2, 0))), "X must be a matrix with at least one row"),
    ("X too wide", lambda: margins.scores([1.0], 0, np.ones((2, 3))), "X must be a matrix with 1 columns"),
    ("X ragged", lambda: margins.scores([1.0], 0, [[1.0], [1.0, 2.0]]), "X must be a rectangular array"),
    ("X of strings", lambda: margins.scores([1.0], 0, [["a"]]), "X must be real numbers"),
    ("X complex", lambda: margins.scores([1.0], 0, [[1j]]), "X must be real numbers"),
    ("X None", lambda: margins.scores([1.0], 0, None), "X must be real numbers"),
    ("theta a number", lambda: margins.scores(1.0, 0, [[1.0]]), "theta must be 1-dimensional"),
    ("theta a matrix", lambda: margins.scores([[1.0]], 0, [[1.0]]), "theta must be 1-dimensional"),
    ("theta None", lambda: margins.scores(None, 0, [[1.0]]), "theta must be real numbers"),
    ("theta_0 a vector", lambda: margins.scores([1.0], [0.0], [[1.0]]), "theta_0 must be a single number"),
    ("theta_0 None", lambda: margins.scores([1.0], None, [[1.0]]), "theta_0 must be real numbers"),
    ("theta_0 text", lambda: margins.signed_distances([1.0], "0", [[1.0]]), "theta_0 must be real numbers"),
    ("y too short", lambda: margins.margins([1.0], 0, [[1.0], [2.0]], [1]), "y must be of length 2, one label per"),
    ("y in {0, 1}", lambda: margins.margins([1.0], 0, [[1.0], [2.0]], [0, 1]), "y must be a vector of labels -1 and"),
    ("y in {1, 2}", lambda: margins.margins([1.0], 0, [[1.0], [2.0]], [1, 2]), "y must be a vector of labels -1 and"),
    ("y boolean", lambda: margins.margins([1.0], 0, [[1.0]], [True]), "y must be a vector of labels -1 and"),
    ("y of strings", lambda: margins.margins([1.0], 0, [[1.0]], ["+1"]), "y must be a vector of labels -1 and"),
    ("y a column", lambda: margins.margins([1.0], 0, [[1.0]], [[1]]), "y must be a vector of labels -1 and"),
    ("theta zero", lambda: margins.signed_distances([0.0, 0.0], 0, [[1.0, 1.0]]), "theta must be a vector that is no"),
    ("theta zero", lambda: margins.cosines([0.0], [[1.0]]), "theta must be a vector that is not zero"),
    ("a zero row", lambda: margins.cosines([1.0], [[1.0], [0.0]]), "X must be without zero rows"),
    ("features of a vector", lambda: margins.affine_features([1.0]), "X must be a matrix"),
    ("features of a vector", lambda: margins.quadratic_features([1.0]), "X must be a matrix"),
    ("variances too many", lambda: margins.from_gaussians([1.0], [0.0], [1.0, 1.0]), "variances must be of length 1"),
    ("a variance of 0", lambda: margins.from_gaussians([1.0], [0.0], [0.0]), "variances must be positive"),
    ("best_line in one place", lambda: margins.best_line(np.ones((2, 2)), [1, -1]), "X must be at least two different"),
    ("best_line in space", lambda: margins.best_line(np.ones((2, 3)), [1, -1]), "X must be a matrix with 2 columns"),
]


@pytest.mark.parametrize("call, message", [pytest.param(*rest, id=what) for what, *rest in BAD])
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{message}") as error:
        call()
    assert "; got " in str(error.value)


def test_a_classifier_is_its_functions():
    model = margins.LinearClassifier(THETA, THETA_0)
    np.testing.assert_array_equal(model.scores(X), SCORES)
    np.testing.assert_array_equal(model.predict(X), [1, -1, -1, -1])
    with pytest.raises(AttributeError):
        model.theta_0 = 0.0
    for method in (model.scores, model.predict):
        with pytest.raises(ValueError, match=r"X must be finite; got NaN or infinity at index \(0, 1\)"):
            method([[1.0, np.nan]])
        with pytest.raises(ValueError, match="X must be a matrix with 2 columns"):
            method([[1.0]])
