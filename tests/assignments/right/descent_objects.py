"""A rule that is an object, a generator of iterates, and small objects that watch it."""

import itertools
import math
from dataclasses import dataclass, field

import numpy as np

from linclass.fit import Fit
from linclass.margins import LinearClassifier


@dataclass(frozen=True)
class inverse_step:
    scale: float = 1.0
    shift: float = 0.0

    def __call__(self, t):
        return self.scale / (t + self.shift)


def inverse_sqrt_step(scale=1.0):
    def rule(t):
        return scale * t**-0.5

    return rule


def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    slopes = loss.slope(y * (X.dot(theta) + theta_0))
    push = np.zeros(len(theta))
    push_0 = 0.0
    for u, label, row in zip(slopes, y, X, strict=True):
        push = push + u * label * row
        push_0 += u * label
    shrink = 1.0 - eta * lam
    return shrink * theta - eta / len(y) * push, theta_0 - eta / len(y) * push_0


def _batches(n, size, sampling, rng):
    if sampling == "uniform":
        return [rng.integers(n, size=size) for _ in range(math.ceil(n / size))]
    rows = {"shuffle": lambda: rng.permutation(n), "cycle": lambda: np.arange(n)}[sampling]()
    return np.split(rows, range(size, n, size))


@dataclass
class _Keeper:
    """Sees every iterate and every end of an epoch, and answers what was asked for."""

    what: str
    risk: object
    total: np.ndarray
    count: int = 0
    history: list = field(default_factory=list)
    best: tuple = None
    now: np.ndarray = None

    def after_step(self, w):
        self.now = w
        self.total = self.total + w
        self.count += 1

    def after_epoch(self):
        shown = self.total / self.count if self.what == "average" else self.now
        r = self.risk(shown)
        self.history.append(r)
        if self.best is None or r < self.best[0]:
            self.best = (r, shown)

    def answer(self):
        if self.what == "best":
            return self.best[1]
        return self.total / self.count if self.what == "average" else self.now


def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    rate = eta if callable(eta) else lambda t: eta

    def risk(w):
        return float(np.mean(loss.value(y * (X @ w[:d] + w[d]))) + lam / 2 * np.dot(w[:d], w[:d]))

    keeper = _Keeper(keep, risk, np.zeros(d + 1))
    clock = itertools.count(1)
    w = np.zeros(d + 1)
    for _ in range(epochs):
        for rows in _batches(n, batch, sampling, rng):
            theta, theta_0 = sgd_step(w[:d], w[d], X[rows], y[rows], loss, lam, rate(next(clock)))
            w = np.append(theta, theta_0 if offset else 0.0)
            keeper.after_step(w)
        keeper.after_epoch()
    w = keeper.answer()
    return Fit(LinearClassifier(w[:d], float(w[d])), False, keeper.count, np.array(keeper.history), "all epochs done")
