"""Problems on which a certificate may go wrong, drawn from families that each take one thing to its end.

A family is a function of a generator that gives the inputs X and a signal, one number per row in coordinates in which
the problem is easy. `draw` adds what all share: labels that follow the signal more or less closely, a learner, lam, an
offset or none, a kernel, and whether the rows come in blocks. (seed, index) gives the same problem again.
"""

from dataclasses import dataclass, field

import numpy as np

LEARNERS = {  # and how often each is drawn
    "logistic": 0.3, "softmax": 0.18, "svm": 0.25, "kernel_svm": 0.1, "kernel_logistic": 0.1, "perceptron": 0.07,
}  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """What is given to a learner."""

    family: str
    learner: str
    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    lam: float = 0.0
    offset: bool = True
    kernel: tuple | None = None  # (name, its parameters)
    blocks: int = 0  # how many, 0 in memory
    w: np.ndarray | None = field(default=None, repr=False)  # weights
    estimator: bool = False  # through the class for scikit-learn
    sparse: bool = False  # the rows are given as sparse ones

    def __str__(self):
        n, d = self.X.shape
        where = f" {self.blocks} blocks" * bool(self.blocks) + " estimator" * self.estimator
        where += " weighted" * (self.w is not None) + " sparse" * self.sparse
        kernel = f" {self.kernel}" if self.kernel else ""
        return f"{self.family}: {self.learner}{kernel} {n} x {d} lam={self.lam:.3g} offset={self.offset}{where}"


def normal(rng, least=6, most=200, columns=10):
    """A matrix of normal numbers of some size."""
    n = int(np.exp(rng.uniform(np.log(least), np.log(most))))
    return rng.normal(size=(n, int(rng.integers(1, columns + 1))))


def along(rng, Z):
    """A signal: a random direction of the good coordinates Z."""
    return Z @ rng.normal(size=Z.shape[1])


def plain(rng):
    """Nothing odd."""
    X = normal(rng)
    return X, along(rng, X)


def huge_row(rng):
    """One to three rows far from all others."""
    X = normal(rng, columns=5)
    signal, rows = along(rng, X), rng.integers(len(X), size=rng.integers(1, 4))
    size = 10.0 ** rng.uniform(3, 15)
    X[rows] = size if rng.random() < 0.5 else size * X[rows]
    return X, signal


def huge_cell(rng):
    """One to three entries far from all others."""
    X = normal(rng, columns=5)
    signal = along(rng, X)
    for _ in range(rng.integers(1, 4)):
        X[rng.integers(len(X)), rng.integers(X.shape[1])] = rng.choice([-1, 1]) * 10.0 ** rng.uniform(3, 15)
    return X, signal


def times(rng):
    """Start and end in seconds: large, and nearly the same."""
    n, latest = int(rng.integers(10, 200)), rng.choice([3e7, 1.7e9])
    t, duration = rng.uniform(0 if rng.random() < 0.5 else 0.98 * latest, latest, n), rng.exponential(size=n)
    signal = duration - 1 + rng.choice([0, 1]) * (t / latest - 0.5)
    return np.c_[t, t + duration], signal


def nearly_collinear(rng):
    """Columns that differ by 1e-4 to 1e-15."""
    X = normal(rng, columns=4)
    Z = rng.normal(size=(len(X), int(rng.integers(1, 3))))
    twins = X[:, rng.integers(X.shape[1], size=Z.shape[1])] + 10.0 ** rng.uniform(-15, -4) * Z
    return np.c_[X, twins], along(rng, np.c_[X, Z])


def far_columns(rng):
    """Columns far from 0 for their spread: 4e7 + N(0, 1)."""
    X = normal(rng, columns=4)
    return 4e7 + X, along(rng, X)


def wide_scales(rng):
    """More columns than rows, of scales 10^-20 to 10^20 and beyond."""
    shape = (10, 25) if rng.random() < 0.7 else (rng.integers(4, 15), rng.integers(16, 31))
    X = rng.normal(size=shape)
    most = rng.choice([20, 20, 40, 70])
    return X * 10.0 ** rng.uniform(-most, most, X.shape[1]), along(rng, X)


def extreme_scales(rng):
    """Column scales at the ends of what a double holds."""
    X = normal(rng, columns=4)
    scales = 10.0 ** rng.choice([-310, -300, -150, -100, -30, 0, 0, 0, 30, 100, 150, 300], X.shape[1])
    return X * scales, along(rng, X)


def scales(rng):
    """Column scales from 1e-12 to 1e12."""
    X = normal(rng)
    return X * 10.0 ** rng.uniform(-12, 12, X.shape[1]), along(rng, X)


def shifts(rng):
    """Columns shifted by up to 1e14."""
    X = normal(rng, columns=5)
    return X + rng.choice([-1, 1], X.shape[1]) * 10.0 ** rng.uniform(0, 14, X.shape[1]), along(rng, X)


def duplicated_rows(rng):
    """Every row several times."""
    X = normal(rng, most=60, columns=5)
    rows = np.repeat(np.arange(len(X)), rng.integers(1, 5, len(X)))
    return X[rows], along(rng, X)[rows]


def duplicated_columns(rng):
    """Columns that are there twice, or a multiple of another."""
    X = normal(rng, columns=5)
    return np.c_[X, X[:, rng.integers(X.shape[1], size=2)], 2.0 ** rng.integers(-3, 4) * X[:, 0]], along(rng, X)


def constant_columns(rng):
    """Columns that say nothing: 0, 1, 0.1 or 1e8."""
    X = normal(rng, columns=5)
    constants = np.ones((len(X), 1)) * rng.choice([0.0, 1.0, 0.1, 1e8], size=rng.integers(1, 3))
    return np.c_[constants, X], along(rng, X)


def dependent(rng):
    """Columns dependent exactly: dummies that sum to one, or integer combinations."""
    n = int(rng.integers(10, 150))
    if rng.random() < 0.5:
        D = np.eye(4)[rng.integers(4, size=n)]
        X = np.c_[D, rng.normal(size=(n, int(rng.integers(0, 3))))]
        return X, along(rng, X)
    Z = rng.integers(-9, 10, (n, 3)).astype(float)
    return np.c_[Z, Z @ rng.integers(-3, 4, (3, 2))], along(rng, Z)


def dependent_but_for_rounding(rng):
    """Columns dependent up to rounding: a + b, or a third of one."""
    X = normal(rng, columns=4) * 10.0 ** rng.uniform(-3, 6)
    return np.c_[X, X[:, 0] + X[:, -1], X[:, 0] / 3, X @ rng.uniform(size=X.shape[1])], along(rng, X)


def imbalance(rng):
    """One to three of one class in up to 1000: see `labels`."""
    X = normal(rng, least=20, most=1000, columns=4)
    return X, along(rng, X)


def wide(rng):
    """More columns than rows."""
    X = rng.normal(size=(rng.integers(3, 20), rng.integers(20, 31)))
    return X, along(rng, X)


def tall(rng):
    """Many rows."""
    X = rng.normal(size=(rng.integers(300, 1001), rng.integers(1, 6)))
    return X, along(rng, X)


def tiny(rng):
    """Two to six rows."""
    X = rng.normal(size=(rng.integers(2, 7), rng.integers(1, 4)))
    return (np.round(X) if rng.random() < 0.3 else X), along(rng, X)


def separable(rng):
    """A gap between the classes, of a size from 1e-6 to 1e3 beside the spread: see `labels`."""
    X = normal(rng, columns=5)
    signal = along(rng, X)
    direction = np.linalg.lstsq(X, signal, rcond=None)[0]
    gap = np.sign(signal) * 10.0 ** rng.uniform(-6, 3)
    return X + np.outer(gap, direction / (direction @ direction + 1e-9)), signal


def quasi_separable(rng):
    """A column that separates but for ties, and others that do not."""
    n = int(rng.integers(8, 120))
    signal = rng.normal(size=n)
    tied = rng.random(n) < 0.4
    column = np.where(tied, 0.0, np.sign(signal))
    return np.c_[column, rng.normal(size=(n, int(rng.integers(0, 3))))], signal


def small_risk(rng):
    """Data with a wide gap, times up to 1e4, for small lam: risks near 0."""
    X = normal(rng, columns=4)
    X[:, 0] = np.sign(X[:, 0]) * (1 + np.abs(X[:, 0]))
    return X * 10.0 ** rng.uniform(0, 4), X[:, 0]


def integers(rng):
    """Small integers, with many ties."""
    X = rng.integers(-3, 4, (int(rng.integers(6, 150)), int(rng.integers(1, 6)))).astype(float)
    return X, along(rng, X)


def heavy_tails(rng):
    """Inputs with outliers of every size."""
    X = rng.standard_t(rng.choice([0.3, 0.6, 1.0]), size=normal(rng, columns=5).shape)
    return X, along(rng, np.tanh(X))


def mixed(rng):
    """Several of these at once."""
    X, signal = PARTS[rng.integers(len(PARTS))](rng)
    X = X * 10.0 ** rng.uniform(-8, 8, X.shape[1]) if rng.random() < 0.5 else X + 10.0 ** rng.uniform(0, 9)
    if rng.random() < 0.4:
        X[rng.integers(len(X)), rng.integers(X.shape[1])] *= 10.0 ** rng.uniform(2, 9)
    if rng.random() < 0.3:
        X = np.c_[X, X[:, 0] + X[:, -1]]
    if rng.random() < 0.3:
        X, signal = np.r_[X, X[: len(X) // 2]], np.r_[signal, signal[: len(X) // 2]]
    return X, signal


PARTS = (nearly_collinear, times, far_columns, dependent, duplicated_rows, huge_cell, separable, constant_columns)
FAMILIES = {
    family.__name__: family
    for family in (
        plain, huge_row, huge_cell, times, nearly_collinear, far_columns, wide_scales, extreme_scales, scales, shifts,
        duplicated_rows, duplicated_columns, constant_columns, dependent, dependent_but_for_rounding, imbalance, wide,
        tall, tiny, separable, quasi_separable, small_risk, integers, heavy_tails, mixed,
    )
}  # fmt: skip
CLEAN = ("separable", "quasi_separable", "small_risk")  # labels follow the signal without noise


def draw(seed, index, family=None):
    """Problem `index` of a drawing: the families in turn, unless one is named."""
    rng = np.random.default_rng([seed, index])
    name = family or list(FAMILIES)[index % len(FAMILIES)]
    X, signal = FAMILIES[name](rng)
    learner = str(rng.choice(list(LEARNERS), p=list(LEARNERS.values())))
    X, signal = (X[:80], signal[:80]) if learner.startswith("kernel") else (X, signal)
    y = labels(rng, signal, name, int(rng.integers(2, 5)) if learner == "softmax" else 2)
    y = y if learner == "softmax" else 2.0 * y - 1.0
    blocks = int(rng.integers(1, 5)) if learner in ("logistic", "softmax") and rng.random() < 0.3 else 0
    return Problem(
        family=name,
        learner=learner,
        X=np.ascontiguousarray(X),
        y=y,
        lam=penalty(rng, learner, name),
        offset=bool(rng.random() < 0.7),
        kernel=kernel(rng, X) if learner.startswith("kernel") else None,
        blocks=blocks,
        estimator=bool(not blocks and rng.random() < 0.1),
        w=weights(rng, y) if learner != "perceptron" and rng.random() < 0.25 else None,
        sparse=bool(learner in ("logistic", "softmax", "svm") and not blocks and rng.random() < 0.2),
    )


def weights(rng, y):
    """Weights: whole numbers, of one size, or of very different ones; no class is without any."""
    kind, n = rng.choice(["whole", "even", "far apart"]), len(y)
    w = {
        "whole": rng.integers(0, 5, n).astype(float),
        "even": rng.uniform(0.1, 3.0, n),
        "far apart": 10.0 ** rng.uniform(-8, 8, n),
    }[kind]
    w[np.unique(y, return_index=True)[1]] += 1.0
    return w


def labels(rng, signal, family, count):
    """Class numbers 0 .. count-1, by the rank of the signal and some noise; every class has at least one example."""
    n, count = len(signal), min(count, len(signal))
    spread = np.std(signal) or 1.0
    noise = 0.0 if family in CLEAN else rng.choice([0.0, 0.01, 0.3, 1.0, 3.0]) * spread
    ranks = np.argsort(np.argsort(signal + noise * rng.logistic(size=n), kind="stable"), kind="stable")
    if family in CLEAN and count == 2:
        y = (signal > 0).astype(int)
        if 0 < y.sum() < n:
            return y
    few = family == "imbalance" or rng.random() < 0.05
    cuts = n - np.arange(count - 1, 0, -1) * int(rng.integers(1, 4)) if few else n * np.arange(1, count) / count
    y = np.searchsorted(cuts, ranks, side="right")
    y[np.argsort(ranks)[np.linspace(0, n - 1, count).astype(int)]] = np.arange(count)
    return y


def penalty(rng, learner, family):
    """lam: 0 where a learner takes it, else from 1e-12 to 1e8, most often below 1."""
    if learner in ("logistic", "softmax") and rng.random() < (0.1 if family == "small_risk" else 0.3):
        return 0.0
    low, high = (-12, -4) if family == "small_risk" else (-12, 0) if rng.random() < 0.75 else (0, 8)
    return float(10.0 ** rng.uniform(low, high))


def kernel(rng, X):
    """A kernel and its parameters, of a size that suits X about half of the time."""
    name = rng.choice(["linear", "polynomial", "rbf"])
    if name == "linear":
        return "linear", {}
    if name == "polynomial":
        return "polynomial", {"degree": int(rng.integers(1, 4)), "constant": float(rng.choice([0.0, 1.0]))}
    spread = float(np.clip(np.median(np.abs(X - np.median(X, axis=0))), 1e-100, 1e100))
    return "rbf", {"tau": float(rng.choice([0.3, 1.0, 10.0, 1e3]) * (spread if rng.random() < 0.7 else 1.0))}
