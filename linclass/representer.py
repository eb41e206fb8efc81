"""Where the answer can be: theta = sum_i alpha_i phi(x_i), so m numbers alpha and the Gram matrix K are enough.

    J(theta) = 1/m sum_i L(theta . phi(x_i) + theta_0, y_i) + lam/2 |theta|^2
    J(alpha) = 1/m sum_i L((K alpha)_i + theta_0, y_i) + lam/2 alpha' K alpha

L is a `ScoreLoss`, a convex loss of the score and a target of any kind; a margin `Loss` is taken as L(s, y) = phi(y s).
At a minimum alpha_i = -L'(s_i, y_i) / (lam m), and sum alpha = 0 if the offset is free.

The two learners certify their risk to 1e-8 of the minimum by a point of the dual, which bounds every risk from below.
The certificates rest on K being positive semidefinite; `gram_matrix` says how far that is looked at.
Shapes: K (m, m), alpha (m,), y (m,).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linclass import _checks, _plug, conventions, descent, logistic, losses, newton, risk, svm
from linclass._checks import gives_finite, takes
from linclass._fast import dual_points, duality, irls, smo
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


@takes(K="m m", alpha="m", y="m", loss=_score_loss, lam=">= 0", eta="> 0")
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    """alpha - eta (L'(K_i . alpha, y_i) K_i + m lam alpha_i K_i), with K_i
    column i of the Gram matrix.

    The mean of the bracket over i is the gradient of the kernel risk: that is
    what the factor m is for.

    Book: eq-kernel-sgd-step.
    """
    slope = loss.slope(K[i] @ alpha, y[i])
    return alpha - eta * (slope + len(y) * lam * alpha[i]) * K[i]


@takes(K="m m", alpha="m", y="m", loss=_score_loss, lam=">= 0", eta="> 0")
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


@takes(K="m m", y="m finite", loss=_score_loss, lam=">= 0", steps="count", rng="rng")
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    """Stochastic gradient descent on the kernel risk from alpha = 0, without an offset.

    For t = 1, …, steps: i = rng.integers(m), then `kernel_sgd_step` with eta_t = eta(t), or eta itself if a number.
    `step=functional_step` takes the other form. The factor m in the step makes it unstable unless lam is small.

    Book: eq-kernel-sgd-step.
    """
    rule, step = descent.step_rule(eta), step or kernel_sgd_step
    _checks.positive("eta", rule(1))
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
    return KernelDescent(alpha, steps, np.array(history), "stochastic steps have no certificate: judge by the history")


@dataclass(frozen=True)
class KernelClassifier:
    """Scores sum_i alpha_i K(x, x_i) + theta_0: every example votes for its side, weighted by its similarity to x.

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
        return self.kernel(X, self.X[voters]) @ self.alpha[voters] + self.theta_0

    def predict(self, X):
        """Labels in {-1, +1} of the rows of X; -1 at score 0."""
        return np.where(self.scores(X) > 0, 1.0, -1.0)


@dataclass(frozen=True)
class KernelLogisticModel(KernelClassifier):
    """A kernel classifier whose score is the log-odds of y = +1."""

    def probabilities(self, X):
        """P(y = +1 | x) for the rows of X."""
        return logistic.sigmoid(self.scores(X))


def gram_matrix(kernel, X):
    """kernel(X, X), checked to be a Gram matrix, and positive semidefinite on up to 100 of the examples.

    The learners look further, in groups of up to 300: `fit_kernel_svm` at its support vectors, which proves up to
    300 of them to have no better combination, whatever K is elsewhere; `fit_kernel_logistic` at all examples, and it
    refuses a negative eigenvalue that its conjugate gradients come across. Beyond 300, what hides between groups can
    escape.
    """
    if not callable(kernel):
        _checks.fail("kernel", "a function of (X, Z), for instance kernels.linear_kernel", _checks.describe(kernel))
    K = _checks.gram("kernel(X, X)", kernel(X, X))
    if len(K) != len(X):
        _checks.fail("kernel(X, X)", f"of shape {(len(X), len(X))}", f"an array of shape {K.shape}")
    if (np.diag(K) < 0).any():
        _checks.fail("kernel", "positive semidefinite", f"a squared length of {np.diag(K).min():.3g}")
    refuse_indefinite(K, np.unique(np.linspace(0, len(K) - 1, 100).astype(int)))
    return K


def refuse_indefinite(K, examples):
    """Raise if K, on the examples in groups of up to 300, has an eigenvalue below -1e-10 times its trace there."""
    groups = -(-len(examples) // 300)
    for k in range(groups):
        some = examples[k::groups]
        M = K[np.ix_(some, some)]
        noise = 1e-10 * np.trace(M) + 1e-300
        M.flat[:: len(M) + 1] += noise
        try:
            np.linalg.cholesky(M)
        except np.linalg.LinAlgError:
            least = np.linalg.eigvalsh(M)[0] - noise
            _checks.fail("kernel", "positive semidefinite", f"a Gram matrix with the eigenvalue {least:.3g}")


def features_of(K):
    """Features Phi with Phi Phi' = K, from its eigenvectors: a kernel method is the linear one on these rows.

    The columns are orthogonal; those that rounding may have made, shorter than m eps of the longest, are left out.
    Raises where an eigenvalue is negative beyond rounding: then K holds no inner products.
    """
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    noise = len(K) * np.finfo(float).eps * np.abs(values).max() + 1e-300
    if values[0] < -10 * noise:
        _checks.fail("kernel", "positive semidefinite", f"a Gram matrix with the eigenvalue {values[0]:.3g}")
    values, vectors = values[values > noise], vectors[:, values > noise]
    return vectors * np.sqrt(values) if len(values) else np.zeros((len(K), 1))


def _features(K, X):
    """Features of the examples, and of those that differ alone: (Phi, function that turns theta into alpha).

    They are those of examples brought to length 1, made longer again: a long one does not drown the digits of others.
    """
    first, group, _ = smo.twins(X)
    K = K[np.ix_(first, first)]
    length = np.sqrt(np.diag(K))
    length[length < 1e-145] = 1.0  # whose square has no digits left
    unit = features_of(K / length / length[:, None])
    squares = np.maximum(np.einsum("ij,ij->j", unit, unit), 1e-300)

    def coefficients(theta):
        """The alpha on one example of each kind with theta = Phi' alpha and the shortest alpha length."""
        alpha = np.zeros(len(X))
        alpha[first] = unit @ (theta / squares) / length
        return alpha

    return (length[:, None] * unit)[group], coefficients


@svm.QUIET
def fit_kernel_svm(X, y, kernel, *, lam, offset=True):
    """Minimise the mean hinge loss of K alpha + theta_0 plus lam/2 alpha' K alpha, to a relative duality gap of 1e-8.

    The result is that of `fit_svm`, with a `KernelClassifier`. At the minimum alpha = dual y, and so it is returned,
    but where lam is so small beside K that sums of K alpha would lose the digits of the scores. Then alpha is a shorter
    vector with these scores. The gap is that of the alpha and the multipliers returned, with all rounding counted in;
    it holds for K, and for every Gram matrix within eps = 2.2e-16 of it, entry by entry relative to sqrt(K_ii K_jj).
    That leaves sum dual uncertain by eps (sum dual sqrt(K_ii))^2 / 2: with K_ii above some 1e7 lam, a fit is certified
    only if its risk is small.
    """
    X, y = _checks.examples(X, y)
    lam, offset = _checks.positive("lam", lam), bool(offset)
    K = gram_matrix(kernel, X)
    data, C = duality.Gram(K, y), conventions.C_from_lam(lam, len(y))
    alpha, steps = (np.zeros(len(y)), 0) if _plug.replaced else smo.solve(X, K, y, C, offset)
    (upper, alpha, theta_0), (lower, dual) = duality.certified([alpha], [alpha * y + 0.0], data, lam, offset)
    if not duality.relative_gap(upper, lower) <= svm.GAP:
        alphas, duals, more = _svm_on_features(X, K, y, lam, offset)
        least, most = duality.certified([*alphas, alpha, 0 * y], [*duals, dual], data, lam, offset)
        (upper, alpha, theta_0), (lower, dual), steps = least, most, steps + more
    refuse_indefinite(K, np.flatnonzero(dual))
    if _plug.replaced:
        upper = max(upper, kernel_risk(alpha, K, y, losses.on_scores(losses.HINGE), lam, theta_0))
        lower = min(lower, lam * svm.by_formula(dual, K, y))
    return svm.answer(KernelClassifier(alpha, theta_0, X, kernel), dual, upper, lower, steps, [upper])


def _svm_on_features(X, K, y, lam, offset):
    """(some alphas, some multipliers, steps) from `svm.minimise` on features of K, the most promising first.

    Besides alpha = dual y there are the shortest coefficients that give the same functions.
    """
    try:
        features, coefficients = _features(K, X)
        for found in svm.minimise(features, y, lam, offset):
            if found.gap <= svm.FINE:
                break
        sharp, _, more = dual_points.sharpen(found.duals[0] * y, K, y, conventions.C_from_lam(lam, len(y)), offset)
    except np.linalg.LinAlgError:
        return [], [], 0
    alphas = [sharp, *map(coefficients, found.thetas), found.duals[0] * y]
    return alphas, [sharp * y + 0.0, *found.duals], found.steps + more


@svm.QUIET
def fit_kernel_logistic(X, y, kernel, *, lam, offset=True):
    """Minimise the mean logistic loss of K alpha + theta_0 plus lam/2 alpha' K alpha.

    Converged if a point of the dual shows that no risk is lower by more than 1e-8 of this one, with all rounding
    counted in, as in `fit_kernel_svm`. Where lam is so small beside K that rounding spoils the dual point, all is done
    again on features that give K up to rounding.
    """
    X, y = _checks.examples(X, y)
    lam, offset = _checks.positive("lam", lam), bool(offset)
    K = gram_matrix(kernel, X)
    refuse_indefinite(K, np.arange(len(K)))
    data, upper, lower, steps = duality.Gram(K, y), np.inf, -np.inf, 0
    alpha, theta_0, history = np.zeros(len(y)), 0.0, []
    if not _plug.replaced:
        alpha, theta_0, steps, history = irls.solve(K, y, lam, offset)
        upper, lower = _logistic_bounds(alpha, theta_0, data, lam, offset)
    if not duality.relative_gap(upper, lower) <= svm.GAP:
        found, more, history = _newton_on_features(X, K, y, lam, offset)
        found += [(alpha, theta_0), (0 * y, 0.0)]
        tried = [(*_logistic_bounds(*point, data, lam, offset), *point) for point in found]
        upper, _, alpha, theta_0 = min(tried, key=lambda point: point[0])
        lower, steps = max(point[1] for point in tried), steps + more
    if _plug.replaced:
        upper = max(upper, kernel_risk(alpha, K, y, losses.on_scores(losses.LOGISTIC), lam, theta_0))
    gap = duality.relative_gap(upper, lower)
    converged = gap <= svm.GAP
    message = f"the risk is within {gap:.1e} of its minimum, relatively"
    message += "" if converged else ": rescale the inputs or raise lam"
    return Fit(KernelLogisticModel(alpha, theta_0, X, kernel), converged, steps, np.append(history, upper), message)


def _newton_on_features(X, K, y, lam, offset):
    """(some (alpha, theta_0), steps, history) by Newton's method on the logistic risk of the features of K."""
    try:
        features, coefficients = _features(K, X)
        found, further = _logistic_minimum(features, y, lam, offset)
    except np.linalg.LinAlgError:  # no decomposition of numbers so far apart
        return [], 0, []
    points = []
    for theta, theta_0 in further:
        # Both give theta back; which of them rounding has spared depends on K and lam.
        for alpha in (span_coefficients(theta, theta_0, features, y, losses.LOGISTIC, lam), coefficients(theta)):
            points.append((alpha, float(theta_0)))
    return points, found.steps, found.history


def _logistic_minimum(X, y, lam, offset):
    """(the minimum of the logistic risk by Newton's method, three (theta, theta_0): there and a step further each)."""
    size = X.shape[1] + bool(offset)

    def split(u):
        return (u[:-1], u[-1]) if offset else (u, 0.0)

    def value(u):
        return risk.risk(*split(u), X, y, losses.LOGISTIC, lam)

    def grad(u):
        return np.append(*risk.risk_grad(*split(u), X, y, losses.LOGISTIC, lam))[:size]

    def hess(u):
        return risk.risk_hess(*split(u), X, y, losses.LOGISTIC, lam)[:size, :size]

    found = newton.newton(value, grad, hess, np.zeros(size), tol=1e-15)
    points = [found.point]
    for _ in range(2):  # where the value no longer shows it, a further step may still shorten the gradient
        points.append(points[-1] + newton.newton_step(grad(points[-1]), hess(points[-1])))
    return found, [split(u) for u in points if np.isfinite(u).all()]


def _logistic_bounds(alpha, theta_0, data, lam, offset):
    """(upper bound of the risk, lower bound of every risk) by the pulls p = -L' at the scores, or p = m lam alpha y.

    They are the same at the minimum. With a large K the scores have fewer digits than alpha.
    """
    for long in (False, True):
        upper, lower = duality.logistic_upper(alpha, theta_0, data, lam, long), -np.inf
        at_scores = -losses.LOGISTIC.slope(data.y * data.scores(alpha, theta_0, long)[0])
        for p in (at_scores, np.clip(len(alpha) * lam * alpha * data.y, 0.0, 1.0)):
            p = _balanced(p, data.y) if offset else p
            lower = max(lower, duality.logistic_lower(p, data, lam, offset, upper, long))
            if duality.relative_gap(upper, lower) <= svm.GAP:
                return upper, lower
    return upper, lower


def _balanced(p, y):
    """Pulls with what is left of sum y p shared out as a step of theta_0 would."""
    for _ in range(2):
        room = p * (1 - p)
        p = np.clip(p - (y @ p) / max(room.sum(), 1e-300) * y * room, 0.0, 1.0)
    return p
