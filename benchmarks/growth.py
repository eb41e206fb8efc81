"""How time grows with n and with d, ours beside a peer's: `make bench-growth`.

One BLAS thread, ours and theirs in turn, the least processor time of three runs each. The
appendix "How fast is it?" draws the saved numbers; they are never compared with anything.
"""

import argparse
import json
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.svm import LinearSVC

from benchmarks.harness import processor_time
from linclass import conventions, datasets, descent, logistic, losses, perceptron, softmax, svm

HERE = Path(__file__).parent
SIZES = {"n": [1000, 2000, 4000, 8000, 16000, 32000, 64000], "d": [5, 10, 20, 40, 80]}
FIXED = {"n": 8000, "d": 20}


def binary(n, d):
    """Overlapping classes from a logistic model."""
    rng = np.random.default_rng(0)
    return datasets.logistic_sample(rng.normal(size=d) / np.sqrt(d) * 2, 0.3, n, rng)


def five_classes(n, d):
    """Five overlapping Gaussian clouds."""
    rng = np.random.default_rng(0)
    return datasets.gaussian_classes(n, rng, means=rng.normal(size=(5, d)), scale=1.5)


def clear(n, d):
    """Separable classes."""
    return datasets.separable(n, np.random.default_rng(0), 0.2, theta=np.ones(d))


CASES = {
    "logistic": (
        binary,
        lambda X, y: logistic.fit_logistic(X, y, lam=1 / len(y)),
        lambda X, y: LogisticRegression(C=1.0, tol=1e-6, max_iter=1000).fit(X, y),
    ),
    "softmax, 5 classes": (
        five_classes,
        lambda X, y: softmax.fit_softmax(X, y, lam=1 / len(y)),
        lambda X, y: LogisticRegression(C=1.0, tol=1e-6, max_iter=1000).fit(X, y),
    ),
    "support vector machine": (
        binary,
        lambda X, y: svm.fit_svm(X, y, lam=conventions.lam_from_C(0.1, len(y)), offset=False),
        lambda X, y: LinearSVC(C=0.1, loss="hinge", fit_intercept=False, tol=1e-4, max_iter=100_000).fit(X, y),
    ),
    "SGD, one pass": (
        binary,
        lambda X, y: descent.fit_sgd(
            X, y, losses.HINGE, lam=1e-4, eta=0.01, epochs=1, keep="last", rng=np.random.default_rng(0)
        ),
        lambda X, y: SGDClassifier(alpha=1e-4, learning_rate="constant", eta0=0.01, max_iter=1, tol=None).fit(X, y),
    ),
    "perceptron": (
        clear,
        lambda X, y: perceptron.fit_perceptron(X, y, max_epochs=200),
        lambda X, y: Perceptron(shuffle=False, max_iter=200, tol=1e-9).fit(X, y),
    ),
}


def measure():
    """One row per case, axis and size: the least time of ours and of theirs."""
    rows = []
    for name, (draw, ours, theirs) in CASES.items():
        for axis, sizes in SIZES.items():
            for size in sizes:
                X, y = draw(**(FIXED | {axis: size}))
                pairs = [[processor_time(partial(fit, X, y)) for fit in (ours, theirs)] for _ in range(3)]
                mine, peer = np.min(pairs, axis=0)
                rows.append({"case": name, "axis": axis, "size": size, "ours": float(mine), "peer": float(peer)})
                print(f"{name:24} {axis} = {size:6}: {mine:.4f} s, peer {peer:.4f} s", flush=True)
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", default=HERE / "growth.json", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    options.save.write_text(json.dumps(measure(), indent=1) + "\n")
