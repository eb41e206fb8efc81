"""Rows for the support vector machine, SGD and the kernel learners."""

import functools
import warnings

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import pairwise
from sklearn.svm import SVC, LinearSVC

from benchmarks.harness import Race, row
from benchmarks.rows_linear import words
from linclass import conventions, descent, kernels, losses, representer, svm


@functools.lru_cache(maxsize=1)
def linear_data(n, d):
    """Gaussian features, labels by a line and noise of half the score's size."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    theta = rng.standard_normal(d) / np.sqrt(d)
    return X, np.where(X @ theta + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)


@functools.lru_cache(maxsize=1)
def curved_data(m, d=5):
    """Gaussian features, labels by a curved score and noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((m, d))
    score = np.sin(1.5 * X[:, 0]) + 0.7 * X[:, 1] * X[:, 2]
    return X, np.where(score + 0.4 * rng.standard_normal(m) > 0, 1.0, -1.0)


def svm_race(n, d, C, tolerances):
    """fit_svm against LinearSVC with the hinge loss, both without an offset."""
    return hinge_race(*linear_data(n, d), C, tolerances)


def hinge_race(X, y, C, tolerances):
    """The same on these data."""
    lam = conventions.lam_from_C(C, len(y))

    def peer(tol):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fit = LinearSVC(loss="hinge", C=C, tol=tol, fit_intercept=False, max_iter=10**6, random_state=0).fit(X, y)
        return fit.coef_[0]

    return Race(
        ours=lambda: svm.fit_svm(X, y, lam=lam, offset=False).model.theta,
        peers=[functools.partial(peer, tol) for tol in tolerances],
        objective=lambda theta: np.mean(np.maximum(0, 1 - y * (X @ theta))) + lam / 2 * theta @ theta,
    )


@row("svm-1e4x20", "hinge SVM, 1e4 x 20, C = 1", "LinearSVC", must=8, aim=15, quick=True)
def _():
    return svm_race(10_000, 20, 1.0, (1e-1, 1e-2, 3e-3, 1e-3, 1e-4))


@row("svm-1e5x50", "hinge SVM, 1e5 x 50, C = 1", "LinearSVC", must=50, aim=150, rounds=1)
def _():
    return svm_race(100_000, 50, 1.0, (1e-2, 3e-3))


@row("svm-small-C", "hinge SVM, 1e4 x 20, C = 0.01", "LinearSVC", must=0.85, aim=1.2, quick=True, rounds=15)
def _():
    return svm_race(10_000, 20, 0.01, (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4))


@row("svm-words", "hinge SVM, sparse, 1e4 x 5e4, C = 1", "LinearSVC", must=0.15, aim=0.5, rounds=9)
def _():
    return hinge_race(*words(), 1.0, (1e-2, 1e-3, 1e-4, 1e-5, 1e-6))


@row("svm-offset", "hinge SVM with offset, 1e4 x 20, C = 1", "SVC(linear)", must=80, aim=150, offset="yes", rounds=1)
def _():
    X, y = linear_data(10_000, 20)

    def parameters(fit):
        return np.append(fit.coef_, fit.intercept_)

    def ours():
        model = svm.fit_svm(X, y, lam=1e-4).model
        return np.append(model.theta, model.theta_0)

    return Race(
        ours=ours,
        peers=[functools.partial(lambda tol: parameters(SVC(kernel="linear", C=1.0, tol=tol).fit(X, y)), 1e-3)],
        objective=lambda w: np.mean(np.maximum(0, 1 - y * (X @ w[:-1] + w[-1]))) + 5e-5 * w[:-1] @ w[:-1],
    )


@row("sgd-1e5x20", "SGD, one pass over 1e5 x 20", "SGDClassifier", must=2, aim=4, quick=True, rounds=25)
def _():
    X, y = linear_data(100_000, 20)
    lam = 1e-4

    def objective(theta):
        return np.mean(np.maximum(0, 1 - y * (X @ theta))) + lam / 2 * theta @ theta

    def ours():
        return descent.fit_sgd(
            X, y, losses.HINGE, lam=lam, eta=descent.inverse_sqrt_step(3.0), epochs=1, batch=8000, sampling="cycle",
            keep="last", rng=np.random.default_rng(0), offset=False,
        ).model.theta  # fmt: skip

    def peer():  # the rows come in random order already, so neither side shuffles
        return SGDClassifier(
            alpha=lam, max_iter=1, tol=None, shuffle=False, fit_intercept=False, random_state=0
        ).fit(X, y).coef_[0]  # fmt: skip

    mine, theirs = objective(ours()), objective(peer())
    assert mine <= theirs, f"our objective {mine:.4f} is above the peer's {theirs:.4f}"
    return Race(ours=ours, peers=[peer])


@row("sgd-by-example", "SGD, example by example (Numba), 1e5 x 20", "SGDClassifier", must=1, aim=2, offset="yes",
     rounds=9)  # fmt: skip
def _():
    X, y = linear_data(100_000, 20)
    lam = 1e-4
    return Race(
        ours=lambda: descent.fit_sgd(
            X, y, losses.HINGE, lam=lam, eta=descent.inverse_step(1 / lam, 1 / lam), epochs=5, sampling="cycle",
            keep="last", rng=np.random.default_rng(0),
        ),
        peers=[lambda: SGDClassifier(alpha=lam, max_iter=5, tol=None, shuffle=False).fit(X, y)],
    )  # fmt: skip


def rbf_race(m):
    """rbf_kernel against scikit-learn's."""
    X, _ = linear_data(m, 20)
    gamma = conventions.gamma_from_tau(3.0)
    difference = np.abs(kernels.rbf_kernel(X, X, 3.0) - pairwise.rbf_kernel(X, gamma=gamma)).max()
    assert difference < 1e-12, f"the two matrices differ by {difference:.1e}"
    return Race(ours=lambda: kernels.rbf_kernel(X, X, 3.0), peers=[lambda: pairwise.rbf_kernel(X, gamma=gamma)])


@row("rbf-2000", "RBF Gram matrix, m = 2000", "rbf_kernel", must=1.5, aim=3, quick=True, rounds=25)
def _():
    return rbf_race(2000)


@row("rbf-5000", "RBF Gram matrix, m = 5000", "rbf_kernel", must=1.5, aim=3, rounds=9)
def _():
    return rbf_race(5000)


def kernel_svm_race(m, tolerances, tau=2.0, C=1.0):
    """fit_kernel_svm against SVC with the RBF kernel and an offset."""
    X, y = curved_data(m)
    lam, gamma = conventions.lam_from_C(C, m), conventions.gamma_from_tau(tau)
    kernel = functools.partial(kernels.rbf_kernel, tau=tau)
    K = kernel(X, X)

    def ours():
        model = representer.fit_kernel_svm(X, y, kernel, lam=lam).model
        return model.alpha, model.theta_0

    def peer(tol):
        fit = SVC(C=C, gamma=gamma, tol=tol).fit(X, y)
        alpha = np.zeros(m)
        alpha[fit.support_] = fit.dual_coef_[0]
        return alpha, fit.intercept_[0]

    def objective(answer):
        alpha, theta_0 = answer
        f = K @ alpha
        return np.mean(np.maximum(0, 1 - y * (f + theta_0))) + lam / 2 * alpha @ f

    return Race(ours=ours, peers=[functools.partial(peer, tol) for tol in tolerances], objective=objective)


@row("kernel-svm-500", "kernel SVM (RBF), m = 500", "SVC", must=0.65, aim=1, offset="yes", quick=True, rounds=25)
def _():
    return kernel_svm_race(500, (1e-3, 1e-4, 1e-5, 1e-6))


@row("kernel-svm-2000", "kernel SVM (RBF), m = 2000", "SVC", must=0.65, aim=1, offset="yes", rounds=15)
def _():
    return kernel_svm_race(2000, (1e-3, 1e-4, 1e-5, 1e-6))


@row("kernel-svm-5000", "kernel SVM (RBF), m = 5000", "SVC", must=0.65, aim=1, offset="yes", rounds=5)
def _():
    return kernel_svm_race(5000, (1e-3, 1e-4, 1e-5))


def kernel_logistic_race(m):
    """fit_kernel_logistic against the mode of GaussianProcessClassifier: lam = 1/m, no offset."""
    X, y = curved_data(m)
    kernel = functools.partial(kernels.rbf_kernel, tau=2.0)
    K = kernel(X, X)

    def peer():
        fit = GaussianProcessClassifier(RBF(2.0), optimizer=None).fit(X, y).base_estimator_
        return fit.y_train_ - fit.pi_

    def objective(alpha):
        f = K @ alpha
        return np.mean(np.logaddexp(0, -y * f)) + alpha @ f / (2 * m)

    ours = lambda: representer.fit_kernel_logistic(X, y, kernel, lam=1 / m, offset=False).model.alpha  # noqa: E731
    return Race(ours=ours, peers=[peer], objective=objective)


@row("kernel-logistic-500", "kernel logistic, m = 500", "GaussianProcessClassifier", must=6, aim=10, quick=True)
def _():
    return kernel_logistic_race(500)


@row("kernel-logistic-2000", "kernel logistic, m = 2000", "GaussianProcessClassifier", must=6, aim=10, rounds=3)
def _():
    return kernel_logistic_race(2000)
