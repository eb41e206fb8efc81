"""Families of shapes: a few draws from each, by a seed that changes from run to run and is printed.

A fixed table can be fitted to. So each run also draws shapes, conditions and penalties that nobody has seen before,
and shows every row, the median and the worst ratio of each family, and the most memory that a fit took beyond its data.
"""

import functools
import statistics
import tracemalloc
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC

from benchmarks import harness
from benchmarks.harness import Race
from linclass import conventions, kernels, logistic, representer, softmax, svm

FAMILIES = []
ROUNDS = 3  # of each draw
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)  # of the peers, loose ones first


@dataclass(frozen=True)
class Family:
    """What is drawn, and the median and the worst ratio that its draws must reach."""

    name: str
    draw: Callable  # rng -> (what was drawn, in words; a Race)
    peer: str
    median: float
    worst: float
    draws: int


def family(name, peer, *, median, worst, draws=5):
    """Enter a function that draws a race as a family."""

    def enter(draw):
        FAMILIES.append(Family(name, draw, peer, median, worst, draws))
        return draw

    return enter


def between(rng, low, high):
    """A whole number, its logarithm uniform."""
    return int(np.exp(rng.uniform(np.log(low), np.log(high))))


def features(rng, n, d):
    """(X, a word on them): Gaussian, independent or with the correlations of neighbouring pixels, and scales."""
    X = rng.standard_normal((n, d))
    alike = rng.uniform() < 0.5
    if alike:
        for j in range(1, d):
            X[:, j] = 0.9 * X[:, j - 1] + np.sqrt(1 - 0.9**2) * X[:, j]
    return X, "correlated" if alike else "independent"


def labels(rng, X, n_classes):
    """Class numbers from a softmax model."""
    S = X @ rng.standard_normal((X.shape[1], n_classes)) / np.sqrt(np.mean(np.sum(X**2, axis=1)))
    return np.argmax(2 * S + rng.gumbel(size=S.shape), axis=1)


def softmax_race(X, y, lam):
    """Two classes are logistic regression, with labels -1 and +1; no offset on either side."""
    n, two = len(X), y.max() == 1
    signs, at = 2.0 * y - 1.0, np.arange(n)

    def ours():
        if two:
            return logistic.fit_logistic(X, signs, lam=lam, offset=False).model.theta
        return softmax.fit_softmax(X, y, lam=lam, offset=False).model.Theta

    def peer(tol):
        C = np.inf if lam == 0 else conventions.C_from_lam(lam, n)
        return LogisticRegression(C=C, tol=tol, max_iter=10_000, fit_intercept=False).fit(X, y).coef_

    def objective(Theta):
        if two:
            return np.mean(np.logaddexp(0, -signs * (X @ Theta.ravel()))) + lam / 2 * np.sum(Theta**2)
        S = X @ Theta.T
        S -= S[at, y][:, None]
        return np.mean(np.logaddexp.reduce(S, axis=1)) + lam / 2 * np.sum(Theta**2)

    return Race(ours, [functools.partial(peer, tol) for tol in TOLERANCES], objective)


def smooth(rng, n, d, n_classes, lam):
    """(words, race) of a smooth risk."""
    X, kind = features(rng, n, d)
    return f"{n} x {d} x {n_classes}, lam = {lam:.1e}, {kind}", softmax_race(X, labels(rng, X, n_classes), lam)


@family("logistic, more rows than columns", "lbfgs", median=0.9, worst=0.65)
def _(rng):
    n = between(rng, 2000, 200_000)
    return smooth(rng, n, between(rng, 2, min(100, 2_000_000 // n)), 2, 10 ** rng.uniform(-1, 1) / n)


@family("logistic, 200 to 2,000 columns", "lbfgs", median=0.9, worst=0.65)
def _(rng):
    d = between(rng, 200, 2000)
    n = between(rng, max(500, d), 6000)
    return smooth(rng, n, d, 2, 10 ** rng.uniform(-1, 1) / n)


@family("logistic at lam = 0, separable, wide", "lbfgs", median=0.1, worst=0.1)
def _(rng):
    n = between(rng, 100, 800)
    X, kind = features(rng, n, int(n * rng.uniform(1.5, 6)))
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    peer = LogisticRegression(C=np.inf, max_iter=10_000)
    return f"{n} x {X.shape[1]}, {kind}", Race(lambda: logistic.fit_logistic(X, y), [lambda: peer.fit(X, y)])


@family("softmax, up to 20 classes", "lbfgs", median=0.9, worst=0.65)
def _(rng):
    n, k = between(rng, 1000, 50_000), int(rng.integers(3, 21))
    return smooth(rng, n, between(rng, 5, 60), k, 10 ** rng.uniform(-1, 1) / n)


@family("softmax, many columns, lam = 0 or not", "lbfgs", median=0.9, worst=0.65, draws=4)
def _(rng):
    d = between(rng, 200, 800)
    n = 25 * d
    return smooth(rng, n, d, int(rng.integers(5, 11)), float(rng.integers(2)) / n)


@family("softmax, 60,000 x 784 x 10, lam = 0 or not", "lbfgs", median=1.0, worst=1.0, draws=1)
def _(rng):
    X, kind = features(rng, 60_000, 784)
    while kind == "independent":  # pixels are not
        X, kind = features(rng, 60_000, 784)
    lam = float(rng.integers(2)) / 60_000
    return f"lam = {lam:.1e}, {kind}", softmax_race(X, labels(rng, X, 10), lam)


def svm_draw(rng, n, d, largest=0.5):
    """(words, race) of the hinge risk without an offset, C up to 10^largest."""
    X, kind = features(rng, n, d)
    y, C = 2.0 * labels(rng, X, 2) - 1.0, 10 ** rng.uniform(-2, largest)
    lam = conventions.lam_from_C(C, n)

    def peer(tol):
        fit = LinearSVC(loss="hinge", C=C, tol=tol, fit_intercept=False, max_iter=10**6, random_state=0)
        return fit.fit(X, y).coef_[0]

    return f"{n} x {d}, C = {C:.2g}, {kind}", Race(
        ours=lambda: svm.fit_svm(X, y, lam=lam, offset=False).model.theta,
        peers=[functools.partial(peer, tol) for tol in (*TOLERANCES, 1e-8)],
        objective=lambda theta: np.mean(np.maximum(0, 1 - y * (X @ theta))) + lam / 2 * theta @ theta,
    )


@family("linear SVM, more rows than columns", "LinearSVC", median=0.9, worst=0.65)
def _(rng):
    n = between(rng, 1000, 20_000)
    return svm_draw(rng, n, between(rng, 2, min(50, n // 20)))


@family("linear SVM, up to 100 rows", "LinearSVC", median=0.4, worst=0.4)
def _(rng):
    n = between(rng, 50, 100)
    return svm_draw(rng, n, between(rng, 2, n // 4))


@family("linear SVM, 1 to 2 rows to a column, small C", "LinearSVC", median=0.9, worst=0.65)
def _(rng):
    n = between(rng, 800, 3000)
    return svm_draw(rng, n, int(n / rng.uniform(1, 2)), largest=-1)


@family("linear SVM, as many columns as rows or more", "LinearSVC", median=1.5, worst=0.65)
def _(rng):
    n = between(rng, 200, 1000)
    return svm_draw(rng, n, int(n * rng.uniform(1, 4)))


@family("kernel SVM (RBF)", "SVC", median=0.7, worst=0.5)
def _(rng):
    m, tau, C = between(rng, 500, 2500), rng.uniform(0.7, 3.0), 10 ** rng.uniform(-1, 1)
    X = rng.standard_normal((m, 5))
    score = np.sin(1.5 * X[:, 0]) + 0.7 * X[:, 1] * X[:, 2]
    y = np.where(score + 0.4 * rng.standard_normal(m) > 0, 1.0, -1.0)
    lam, kernel = conventions.lam_from_C(C, m), functools.partial(kernels.rbf_kernel, tau=tau)
    K = kernel(X, X)

    def ours():
        model = representer.fit_kernel_svm(X, y, kernel, lam=lam).model
        return model.alpha, model.theta_0

    def peer(tol):
        fit, alpha = SVC(C=C, gamma=conventions.gamma_from_tau(tau), tol=tol).fit(X, y), np.zeros(m)
        alpha[fit.support_] = fit.dual_coef_[0]
        return alpha, fit.intercept_[0]

    def objective(answer):
        f = K @ answer[0]
        return np.mean(np.maximum(0, 1 - y * (f + answer[1]))) + lam / 2 * answer[0] @ f

    peers = [functools.partial(peer, tol) for tol in (1e-3, 1e-4, 1e-5, 1e-6)]
    return f"m = {m}, tau = {tau:.2f}, C = {C:.2g}", Race(ours, peers, objective)


def peak_memory(call):
    """MiB that Python and NumPy hold at most during a call, beyond what they hold before it."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return peak


def run(chosen, seed):
    """The draws of one family and what they come to, each printed as it is done."""
    rng, rows = np.random.default_rng([seed, FAMILIES.index(chosen)]), []
    print(f"\n{chosen.name}, against {chosen.peer}", flush=True)
    for _ in range(chosen.draws):
        words, race = chosen.draw(rng)
        row = harness.Row(
            "", words, chosen.peer, "", chosen.worst, chosen.median, lambda race=race: race, rounds=ROUNDS
        )
        try:
            ratio, problem = harness.run(row)["median"], None
        except AssertionError as failed:
            ratio, problem = None, str(failed)
        rows.append({"draw": words, "ratio": ratio, "memory": peak_memory(race.ours), "problem": problem})
        shown = f"{ratio:6.2f}" if ratio else f"{problem:.70}"
        print(f"  {shown}  {words}; {rows[-1]['memory']:.0f} MiB", flush=True)
    ratios = [row["ratio"] for row in rows if row["ratio"]]
    own_fault = any(row["problem"] and "our own" in row["problem"] for row in rows)
    median, worst = (statistics.median(ratios), min(ratios)) if ratios else (None, None)
    holds = bool(ratios) and not own_fault and median >= chosen.median and worst >= chosen.worst
    most = max(row["memory"] for row in rows)
    if ratios:
        print(
            f"  median {median:.2f} (must {chosen.median:g}), worst {worst:.2f} (must {chosen.worst:g}), "
            f"most memory {most:.0f} MiB" + ("" if holds else "  UNDER MUST"),
            flush=True,
        )
    else:
        print("  no draw could be compared: NOT JUDGED, and so not held", flush=True)
    musts = {"must median": chosen.median, "must worst": chosen.worst}
    found = {"median": median, "worst": worst, "memory": most, "holds": holds, "rows": rows}
    return {"family": chosen.name, "peer": chosen.peer} | musts | found


def run_all(seed, chosen=FAMILIES):
    """Every family by one seed; a draw whose peer does not reach the gap is shown, and counts for neither side."""
    print(f"\nfamilies of shapes, seed {seed}", flush=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [run(one, seed) for one in chosen]
