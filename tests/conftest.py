"""What several test files share: a seeded generator, and a small problem whose two classes overlap."""

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def problem(rng):
    """(X, y): 40 examples, 3 inputs of different scale, both labels, not separable."""
    X = rng.normal(size=(40, 3)) * [1.0, 3.0, 0.3] + [0.5, 0.0, -1.0]
    y = np.where(X @ [1.0, -0.5, 2.0] + 1.5 + rng.normal(size=40) > 0, 1.0, -1.0)
    return X, y
