"""One figure of each kind, as small as it can be and still have something to drag."""

import numpy as np

from linclass import datasets, explore, losses
from linclass.explore.figures.losses import LOSSES


def cloud(n=12, seed=4):
    """Two classes side by side, with coordinates of two decimals."""
    X, y = datasets.two_gaussians(n, np.random.default_rng(seed), scale=0.9)
    return np.round(X, 2), y


X, y = cloud()
apart, sides = datasets.separable(14, np.random.default_rng(2), margin=0.3)
apart = np.round(apart, 2)
mixed, signs = cloud(16, 9)  # no line separates them
FIGURES = {
    "margins": lambda: explore.margins(X, y, [1.0, 0.6], 0.2),
    "losses": lambda: explore.losses(0.5, LOSSES),
    "softmax": lambda: explore.softmax((1.0, 0.25, -1.0), 2),
    "newton": lambda: explore.newton(-1.0),
    "perceptron": lambda: explore.perceptron(apart, sides),
    "logistic": lambda: explore.logistic(apart, sides),
    "probabilities": lambda: explore.probabilities(mixed, signs, 9),
    "sgd": lambda: explore.sgd(X, y, losses.HINGE, 0.1),
    "svm": lambda: explore.svm(X, y, 1.0),
    "kernels": lambda: explore.kernels(X, y, 0.01),
    "kernel_sgd": lambda: explore.kernel_sgd(mixed[:, 0], signs, 0.5, 0.01),
}
CHAPTERS = {
    "margins": "01-margins",
    "perceptron": "02-perceptron",
    "losses": "04-surrogate-losses",
    "logistic": "06-separable-data",
    "probabilities": "05-logistic-regression",
    "sgd": "08-sgd",
    "svm": "09-support-vector-machines",
    "kernels": "11-kernels",
    "kernel_sgd": "12-kernel-sgd",
    "softmax": "13-softmax",
    "newton": "14-newton",
}
