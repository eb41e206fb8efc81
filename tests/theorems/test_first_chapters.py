"""What chapters 1 to 5 say in passing, without a number of its own, under the label that it belongs to."""

import itertools
import math

import numpy as np
import pytest

from linclass import datasets, logistic, losses, margins, perceptron


@pytest.mark.ledger("thm-best-line")
@pytest.mark.parametrize("n", [3, 5, 7])
def test_lines_achieve_covers_number_of_labellings(n):
    points = np.random.default_rng(n).normal(size=(n, 2))
    found = 0
    for signs in itertools.product((-1.0, 1.0), repeat=n):
        line = margins.best_line(points, np.array(signs))
        found += margins.zero_one_error(*line, points, np.array(signs)) == 0
    assert found == n**2 - n + 2 == 2 * sum(math.comb(n - 1, k) for k in range(3))


@pytest.mark.ledger("thm-novikoff")
@pytest.mark.parametrize("seed", range(8))
def test_one_pass_over_nearly_separable_data_keeps_the_bound_of_freund_and_schapire(seed):
    rng = np.random.default_rng(seed)
    X, y = datasets.two_gaussians(80, rng, scale=rng.uniform(0.5, 2))
    _, _, history = perceptron.perceptron_walk(X, y, 1, True)
    rows = y[:, None] * np.column_stack([X, np.ones(len(y))])
    R = np.linalg.norm(rows, axis=1).max()
    for u in rng.normal(loc=(3, 3, 0), size=(20, 3)):
        for gamma in (0.1, 0.5, 1.0):
            D = np.linalg.norm(np.maximum(0, gamma - rows @ u / np.linalg.norm(u)))
            assert history[0] <= ((R + D) / gamma) ** 2


@pytest.mark.ledger("eq-hinge-loss", "eq-logistic-loss", "eq-exponential-loss", "eq-squared-loss")
@pytest.mark.ledger("eq-modified-squared-loss", "eq-perceptron-loss")
@pytest.mark.parametrize("p", [0.1, 0.35, 0.6, 0.9])
def test_what_each_loss_estimates(p):
    s = np.linspace(-4, 4, 80_001)
    odds = logistic.log_odds(p)
    claimed = {
        losses.LOGISTIC: odds,
        losses.EXPONENTIAL: odds / 2,
        losses.SQUARED: 2 * p - 1,
        losses.MODIFIED_SQUARED: 2 * p - 1,
        losses.HINGE: np.sign(2 * p - 1),
        losses.PERCEPTRON: 0.0,
    }
    for loss, best in claimed.items():
        expected = p * loss.value(s) + (1 - p) * loss.value(-s)
        assert abs(s[np.argmin(expected)] - best) < 2e-4, loss.name


@pytest.mark.ledger("eq-exponential-loss")
def test_the_best_stagewise_step_on_the_exponential_loss_is_adaboosts():
    rng = np.random.default_rng(2)
    y, h, F = rng.choice([-1.0, 1.0], 50), rng.choice([-1.0, 1.0], 50), rng.normal(size=50)
    w = losses.exponential_loss(y * F)
    wrong = w[h != y].sum() / w.sum()
    c = np.linspace(-2, 2, 40_001)
    risks = losses.exponential_loss(y * (F + c[:, None] * h)).mean(axis=1)
    assert abs(c[np.argmin(risks)] - np.log((1 - wrong) / wrong) / 2) < 2e-4
    assert np.isclose(risks.min() / w.mean(), 2 * np.sqrt(wrong * (1 - wrong)))


@pytest.mark.ledger("eq-binary-likelihood")
@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.8])
def test_the_log_likelihood_is_largest_in_expectation_at_the_true_probability(p):
    q = np.linspace(0.001, 0.999, 999)
    expected = [
        p * logistic.binary_log_likelihood([1.0], 0.0, [[s]], [1.0])
        + (1 - p) * logistic.binary_log_likelihood([1.0], 0.0, [[s]], [0.0])
        for s in logistic.log_odds(q)
    ]
    assert np.isclose(q[np.argmax(expected)], p)
