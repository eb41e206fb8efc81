"""The shipped data are what they say, and the drawn ones have the property they are drawn for."""

import hashlib

import numpy as np
import pytest
import sklearn.datasets

from linclass import datasets, margins

SHA256 = {
    "iris.csv": "f26cba9258c5bc17d60f92a5a25dcb08cdb90b04b901f6cddd7c1d1e1f23fbe1",
    "breast_cancer.csv.gz": "a3643fd4b6b20f8345b754c023e48efda147bfa267a1044b44a72ff776458ef8",
    "digits.csv.gz": "ce8649a0b0c5bf657b35d7c0af7d13ec63b9f05e0d3c26140256aa8c614201ad",
}
DRAWN = [
    datasets.two_gaussians,
    datasets.gaussian_classes,
    datasets.separable,
    datasets.circle,
    datasets.xor,
    datasets.moons,
    datasets.spam,
    datasets.sine,
    lambda n, rng: datasets.logistic_sample([1.0, -2.0, 0.5], 0.5, n, rng),
]


@pytest.mark.parametrize("name", SHA256)
def test_a_shipped_file_has_its_checksum(name):
    assert hashlib.sha256((datasets.FOLDER / name).read_bytes()).hexdigest() == SHA256[name]


def test_every_shipped_file_is_written_down():
    files = {path.name for path in datasets.FOLDER.iterdir()} - {"README.md"}
    assert files == set(SHA256)
    notes = (datasets.FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in notes for name in files) and notes.count("CC BY 4.0") == len(files)


@pytest.mark.parametrize("name", ["iris", "breast_cancer", "digits"])
def test_the_numbers_are_those_of_scikit_learn(name):
    ours, theirs = getattr(datasets, name)(), getattr(sklearn.datasets, f"load_{name}")()
    np.testing.assert_array_equal(ours.X, theirs.data)
    target = 1 - 2 * theirs.target if name == "breast_cancer" else theirs.target  # they count benign as 1
    np.testing.assert_array_equal(ours.y, target)
    assert len(ours.feature_names) == ours.X.shape[1]
    assert len(ours.class_names) == len(np.unique(ours.y))
    assert ours.licence == "CC BY 4.0" and "doi:" in ours.source


def test_iris_names_are_in_the_order_of_the_labels():
    assert datasets.iris().class_names == tuple(sklearn.datasets.load_iris().target_names)
    assert datasets.iris().feature_names == tuple(sklearn.datasets.load_iris().feature_names)


@pytest.mark.parametrize("draw", DRAWN)
def test_the_same_seed_draws_the_same_data(draw):
    (X, y), (X2, y2) = draw(51, np.random.default_rng(3)), draw(51, np.random.default_rng(3))
    np.testing.assert_array_equal(X, X2)
    np.testing.assert_array_equal(y, y2)
    assert X.ndim == 2 and X.shape[0] == 51 and y.shape == (51,) and np.isfinite(X).all()


@pytest.mark.parametrize("draw", DRAWN)
def test_a_draw_needs_a_generator_and_a_count(draw):
    with pytest.raises(ValueError, match="rng"):
        draw(10, None)
    with pytest.raises(ValueError, match="n must"):
        draw(-1, np.random.default_rng(0))


@pytest.mark.parametrize("draw", DRAWN[:1] + DRAWN[2:7])
def test_labels_are_balanced_signs(draw):
    y = draw(11, np.random.default_rng(0))[1]
    assert set(y) == {-1.0, 1.0} and abs(y.sum()) <= 1


def test_separable_data_keep_their_margin():
    theta, theta_0 = np.array([1.0, -2.0, 2.0]), 1.5
    X, y = datasets.separable(200, np.random.default_rng(0), margin=0.3, theta=theta, theta_0=theta_0)
    distances = y * margins.signed_distances(theta, theta_0, X)
    assert distances.min() >= 0.3 - 1e-12 and distances.min() < 0.35


def test_a_circle_is_a_line_in_quadratic_features():
    X, y = datasets.circle(300, np.random.default_rng(0))
    theta = np.array([0, 0, -1.0, 0, -1.0])
    assert margins.zero_one_error(theta, 1.0, margins.quadratic_features(X), y) == 0


@pytest.mark.parametrize(("radius", "gap"), [(1.0, 0.1), (2.0, 0.5), (0.5, 0.0)])
def test_a_circle_fills_its_disc_and_its_ring_evenly(radius, gap):
    X, y = datasets.circle(4000, np.random.default_rng(0), radius=radius, gap=gap)
    squares = np.sum(X**2, axis=1) / radius**2
    for label, low, high in ((1, 0.0, (1 - gap / 2) ** 2), (-1, (1 + gap / 2) ** 2, 4.0)):
        own = squares[y == label]
        assert low <= own.min() < low + 0.01 and high - 0.01 < own.max() <= high * (1 + 1e-12)
        assert own.mean() == pytest.approx((low + high) / 2, abs=0.1)  # as many in every part of equal area
    assert np.abs(X.mean(axis=0)).max() < 0.1 * radius


def test_moons_without_noise_are_two_half_circles():
    X, y = datasets.moons(300, np.random.default_rng(0), noise=0.0)
    upper, lower = X[y < 0], X[y > 0] - [1.0, 0.5]
    np.testing.assert_allclose(np.sum(upper**2, axis=1), 1.0)
    np.testing.assert_allclose(np.sum(lower**2, axis=1), 1.0)
    for half, side in ((upper, 1), (lower, -1)):
        assert (side * half[:, 1] >= 0).all() and half[:, 0].min() < -0.9 and half[:, 0].max() > 0.9


def test_a_sine_without_noise_is_one():
    X, y = datasets.sine(50, np.random.default_rng(0), noise=0.0)
    assert X.shape == (50, 1) and 0 <= X.min() and X.max() <= 1
    np.testing.assert_array_equal(y, np.sin(2 * np.pi * X[:, 0]))


def test_xor_is_a_line_in_the_product():
    X, y = datasets.xor(300, np.random.default_rng(0), noise=0.1)
    assert margins.zero_one_error([0, 0, 0, 1.0, 0], 0.0, margins.quadratic_features(X), y) == 0


def test_flipped_labels():
    y = np.ones(50)
    assert (datasets.flip_labels(y, 0.3, np.random.default_rng(0)) == -1).sum() == 15 and (y == 1).all()
    assert (datasets.flip_labels(np.ones(100), 0.29, np.random.default_rng(0)) == -1).sum() == 29  # 0.29 * 100 < 29


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match=r"means must be two rows.*; got 3 rows"):
        datasets.two_gaussians(10, np.random.default_rng(0), means=np.eye(3))
    with pytest.raises(ValueError, match="gap must be below 2"):
        datasets.circle(10, np.random.default_rng(0), gap=3.0)
