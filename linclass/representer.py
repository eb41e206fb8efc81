"""Where the answer can be: theta = sum_i alpha_i phi(x_i), so m numbers alpha and the Gram matrix K are enough.

    J(theta) = 1/m sum_i L(theta . phi(x_i) + theta_0, y_i) + lam/2 |theta|^2
    J(alpha) = 1/m sum_i L((K alpha)_i + theta_0, y_i) + lam/2 alpha' K alpha

L is a `ScoreLoss`, a convex loss of the score and a target of any kind; a margin `Loss` is taken as L(s, y) = phi(y s).
At a minimum alpha_i = -L'(s_i, y_i) / (lam m), and sum alpha = 0 if the offset is free.

The two learners certify their risk to 1e-8 of the minimum by a point of the dual, which bounds every risk from below.
The certificates rest on K being positive semidefinite; `_checks.kernel_matrix` says how far that is looked at.
Shapes: K (m, m), alpha (m,), y (m,).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linclass import _checks, conventions, descent, logistic, losses, newton, risk, svm
from linclass._checks import gives_finite, takes
from linclass._plug import faster
from linclass.fit import Fit

__all__ = [
    "KernelClassifier",
    "KernelDescent",
    "KernelLogisticModel",
    "fit_kernel_logistic",
    "fit_kernel_svm",
    "functional_step",
    "kernel_risk",
    "kernel_risk_grad",
    "kernel_sgd",
    "kernel_sgd_step",
    "regularised_risk",
    "span_coefficients",
]

AT_A_TIME = 2**22  # entries of a kernel matrix, 32 MiB: more than that is never held to predict
DECREMENT = 1e-15  # where Newton's method ends, of the risk: as many digits as a double has


def _score_loss(loss):
    """`loss` as a loss of score and target."""
    if isinstance(loss, losses.Loss):
        return losses.on_scores(loss)
    if not isinstance(loss, losses.ScoreLoss):
        _checks.fail("loss", "a ScoreLoss, for instance losses.on_scores(losses.HINGE)", _checks.describe(loss))
    return loss


@takes(theta="d", X="n d", y="n", lam=">= 0", theta_0="", loss=_score_loss)
def regularised_risk(theta, theta_0, X, y, loss, lam):
    """1/m sum_i L(theta . x_i + theta_0, y_i) + lam/2 |theta|^2 for any loss
    of score and target.

    Book: eq-regularised-risk.
    """
    s = X @ theta + theta_0
    return float(np.mean(loss.value(s, y)) + lam / 2 * (theta @ theta))


@gives_finite("theta")
@takes(theta="d", X="n d", y="n", lam="> 0", theta_0="", loss=_score_loss)
def span_coefficients(theta, theta_0, X, y, loss, lam):
    """alpha_i = -L'(s_i, y_i) / (lam m): where the gradient is zero these give
    theta back as X' alpha.

    Book: eq-alpha-from-slopes.
    """
    s = X @ theta + theta_0
    return -loss.slope(s, y) / (lam * len(s))


@takes(K="m m", alpha="m", y="m", loss=_score_loss, lam=">= 0", theta_0="")
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    """1/m sum_i L((K alpha)_i + theta_0, y_i) + lam/2 alpha' K alpha.

    Book: eq-kernel-risk.
    """
    f = K @ alpha
    values = loss.value(f + theta_0, y)
    return float(np.mean(values) + lam / 2 * (alpha @ f))


@takes(K="m m", alpha="m", y="m", loss=_score_loss, lam=">= 0", theta_0="")
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    """The gradient in alpha: K (L' / m + lam alpha), with L' the slopes at the
    scores.

    Book: eq-kernel-risk-grad.
    """
    slopes = loss.slope(K @ alpha + theta_0, y)
    return K @ (slopes / len(y) + lam * alpha)


@takes(
    K="m m", i="m index", alpha="m", y="m", loss=_score_loss, lam=">= 0", eta="> 0"
)  # fmt: skip
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    """alpha - eta (L'(K_i . alpha, y_i) K_i + m lam alpha_i K_i), with K_i
    column i of the Gram matrix.

    The mean of the bracket over i is the gradient of the kernel risk: that is
    what the factor m is for.

    Book: eq-kernel-sgd-step.
    """
    slope = loss.slope(K[i] @ alpha, y[i])
    return alpha - eta * (slope + len(y) * lam * alpha[i]) * K[i]


@takes(
    K="m m", i="m index", alpha="m", y="m", loss=_score_loss, lam=">= 0", eta="> 0"
)  # fmt: skip
def functional_step(alpha, i, K, y, loss, lam, eta):
    """(1 - eta lam) alpha - eta L'(K_i . alpha, y_i) e_i: a gradient step on
    the function f = sum alpha_i K(x_i, .).

    With the linear kernel this is the plain stochastic step on theta = X'
    alpha.

    Book: eq-functional-step.
    """
    stepped = (1.0 - eta * lam) * alpha
    stepped[i] -= eta * loss.slope(K[i] @ alpha, y[i])
    return stepped


@dataclass(frozen=True)
class KernelDescent:
    """Where kernel SGD ended. There is no certificate; `history` is the kernel risk every m steps and at the end."""

    alpha: np.ndarray
    steps: int
    history: np.ndarray
    message: str


# Nine parameters: what the risk, a step and a draw each need, by names that are fixed.
@takes(
    K="m m", y="m finite", loss=_score_loss, lam=">= 0", steps="count", rng="rng",
    sample_weight=_checks.no_weights("every step draws one of the examples, all alike; fit_kernel_svm takes weights"),
)  # fmt: skip
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None, sample_weight=None):
    """Stochastic gradient descent on the kernel risk from alpha = 0, without an offset.

    For t = 1, …, steps: i = rng.integers(m), then `kernel_sgd_step` with eta_t = eta(t), or eta itself if a number.
    `step=functional_step` takes the other form. The factor m in the step makes it unstable unless lam is small.

    Book: eq-kernel-sgd-step.
    """
    rule, step = descent.step_rule(eta), step or kernel_sgd_step
    alpha = kept = np.zeros(len(y))
    history = []
    for t in range(1, steps + 1):
        alpha = step(alpha, rng.integers(len(y)), K, y, loss, lam, rule(t))
        if t % len(y) == 0 or t == steps:
            value = kernel_risk(alpha, K, y, loss, lam)
            if not np.isfinite(value):
                message = f"diverged within {t} steps: take a smaller eta or lam; alpha is from the look before"
                return KernelDescent(kept, t, np.array(history), message)
            kept = alpha
            history.append(value)
    return KernelDescent(alpha, steps, np.array(history), descent.NO_CERTIFICATE)


@dataclass(frozen=True)
class KernelClassifier:
    """Scores sum_i alpha_i K(x, x_i) + theta_0: every example votes, weighted by its similarity to x.

    Book: eq-kernel-vote.
    """

    alpha: np.ndarray
    theta_0: float
    X: np.ndarray
    kernel: Callable

    def __post_init__(self):
        X = _checks.matrix("X", self.X, finite=True)
        object.__setattr__(self, "X", X)  # lists become arrays, as other models take them
        object.__setattr__(self, "alpha", _checks.vector("alpha", self.alpha, len(X)))

    def votes(self, X):
        """What each example adds to the score of each row of X: K(x, x_i) alpha_i, one column per example."""
        X = _checks.matrix("X", X, columns=self.X.shape[1], finite=True)
        return self.kernel(X, self.X) * self.alpha

    def scores(self, X):
        """Scores of the rows of X, which must be finite."""
        X = _checks.matrix("X", X, columns=self.X.shape[1], finite=True)
        voters = np.flatnonzero(self.alpha)
        if len(voters) == 0:
            return np.full(len(X), self.theta_0)
        chosen, alpha, rows = self.X[voters], self.alpha[voters], max(1, AT_A_TIME // len(voters))
        parts = [self.kernel(X[k : k + rows], chosen) @ alpha for k in range(0, max(len(X), 1), rows)]
        return np.concatenate(parts) + self.theta_0

    def predict(self, X):
        """Labels in {-1, +1} of the rows of X; -1 at score 0."""
        return np.where(self.scores(X) > 0, 1.0, -1.0)


@dataclass(frozen=True)
class KernelLogisticModel(KernelClassifier):
    """A kernel classifier whose score is the log-odds of y = +1."""

    def probabilities(self, X):
        """P(y = +1 | x) for the rows of X."""
        return logistic.sigmoid(self.scores(X))


@takes(X="n d finite", y="n signs both", lam="> 0", offset=bool)
@svm.weighed
@faster("smo.fit_kernel_svm")
def fit_kernel_svm(X, y, kernel, *, lam, offset=True, sample_weight=None):
    """Minimise the mean hinge loss of K alpha + theta_0 plus lam/2 alpha' K alpha, to a relative duality gap of 1e-8.

    The result is that of `fit_svm`, with a `KernelClassifier`. At the minimum alpha = dual y, and that is returned,
    except where lam is so small beside K that sums of K alpha would lose the digits of the scores: then alpha is a
    shorter vector with these scores. The gap is that of what is returned, alpha and dual, with all rounding counted in;
    it holds for K, and for every Gram matrix within eps = 2.2e-16 of it, entry by entry relative to sqrt(K_ii K_jj).
    That leaves sum dual uncertain by eps (sum dual sqrt(K_ii))^2 / 2: with K_ii above some 1e7 lam, a fit is certified
    only if its risk is small. Of more than 8,192 examples K is not held, but made row by row. `sample_weight` is as in
    `fit_svm`.
    """
    K, C = _checks.kernel_matrix(kernel, X), sample_weight * conventions.C_from_lam(lam, len(y))
    dual, steps = svm.dual_ascent(K, y, C, offset=offset)
    alpha = dual * y
    theta_0 = svm.best_offset(K @ alpha, y, sample_weight) if offset else 0.0
    hinge = losses.on_scores(losses.WeightedLoss(losses.HINGE, sample_weight))
    upper = kernel_risk(alpha, K, y, hinge, lam, theta_0)
    lower = lam * svm.dual_objective(dual, K, y)
    gap = svm._relative_gap(upper, lower, dual, K, lam)
    model = KernelClassifier(alpha, theta_0, X, kernel)
    return svm.SVMFit.certified(model, dual, gap, steps, [upper])


@takes(X="n d finite", y="n signs both", lam="> 0", offset=bool)
@svm.weighed
@faster("irls.fit_kernel_logistic")
def fit_kernel_logistic(X, y, kernel, *, lam, offset=True, sample_weight=None):
    """Minimise the mean logistic loss of K alpha + theta_0 plus lam/2 alpha' K alpha.

    Converged if a point of the dual shows that no risk is lower by more than 1e-8 of this one, with all rounding
    counted in, as in `fit_kernel_svm`. Where lam is so small beside K that rounding spoils the dual point, all is done
    again on features that give K up to rounding. `sample_weight` is as in `fit_svm`.
    """
    K, w = _checks.kernel_matrix(kernel, X), sample_weight
    Phi, weighted = _features_of(K), losses.WeightedLoss(losses.LOGISTIC, w)
    start, loss = np.zeros(Phi.shape[1] + offset), losses.on_scores(weighted)
    found = newton.newton(*risk_of(weighted, Phi, y, lam, offset), start, tol=DECREMENT)
    theta, theta_0 = (found.point[:-1], float(found.point[-1])) if offset else (found.point, 0.0)
    alpha = span_coefficients(theta, theta_0, Phi, y, loss, lam)
    upper = kernel_risk(alpha, K, y, loss, lam, theta_0)
    pulls = lam * len(y) * alpha * y / w
    lower = np.mean(w * _entropy(pulls)) - lam / 2 * alpha @ K @ alpha
    gap = svm._relative_gap(upper, lower, alpha * y, K, lam)
    model = KernelLogisticModel(alpha, theta_0, X, kernel)
    return certified_fit(model, gap, found.steps, [*found.history, upper])


def certified_fit(model, gap, steps, history):
    """The fit of a model of probabilities, converged if the relative gap is at most 1e-8."""
    converged = bool(gap <= svm.GAP)
    message = f"the risk is within {gap:.1e} of its minimum, relatively"
    message += "" if converged else ": rescale the inputs or raise lam"
    return Fit(model, converged, steps, np.asarray(history), message)


def _entropy(p):
    """-p log p - (1 - p) log(1 - p): what a pull p adds to the dual of the logistic risk."""
    both = np.stack([p, 1.0 - p])
    return -np.sum(both * np.log(np.where(both == 0, 1.0, both)), axis=0)


def risk_of(loss, X, y, lam, offset):
    """The risk, its gradient and its Hessian as functions of (theta, theta_0), or of theta alone."""
    return risk.mean_of_sums(lambda U: risk.block_sums(U[0, :-1], U[0, -1], X, y, loss), *X.shape, lam, offset)


def _features_of(K):
    """Features Phi with Phi Phi' = K, from its eigenvectors: a kernel method is the linear one on these rows.

    The columns are orthogonal; those that rounding may have made, shorter than m eps of the longest, are left out.
    Raises where an eigenvalue is negative beyond rounding: then K holds no inner products.
    """
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    noise = len(K) * np.finfo(float).eps * np.abs(values).max() + np.finfo(float).tiny
    if values[0] < -10 * noise:
        _checks.fail("kernel", "positive semidefinite", f"a Gram matrix with the eigenvalue {values[0]:.3g}")
    values, vectors = values[values > noise], vectors[:, values > noise]
    return vectors * np.sqrt(values) if len(values) else np.zeros((len(K), 1))
