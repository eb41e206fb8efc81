"""Softmax regression: logistic regression with more than two answers.

Class k gives x the score (logit) theta_k . x + theta_0k, and P(y = k | x) is its share of the exponentials. Fitting
minimises the mean cross-entropy, which is minus the mean log-likelihood:

    risk(Theta, theta_0) = 1/n sum_t -log P(y_t | x_t) + lam/2 |Theta|^2

It is convex. The same vector added to every theta_k changes no probability, so answers are centred: they sum to 0
over the classes. Shapes: X (n, d), y (n,) in 0 .. n_classes-1, Theta (n_classes, d), theta_0 (n_classes,).
"""

from dataclasses import dataclass

import numpy as np

from linclass import _checks, _rows, newton, risk
from linclass._checks import takes
from linclass._plug import faster
from linclass.fit import Fit, outcome

__all__ = [
    "SoftmaxFit",
    "SoftmaxModel",
    "class_scores",
    "cross_entropy",
    "cross_entropy_grad",
    "fit_softmax",
    "log_softmax",
    "one_hot",
    "softmax",
    "softmax_risk",
    "softmax_risk_grad",
    "softmax_risk_hess",
]


def _logits(S):
    """Refuse what has no classes along its last axis."""
    S = _checks.real("S", S)
    if S.ndim == 0 or S.shape[-1] == 0:
        _checks.fail("S", "an array of logits, with at least one class on its last axis", f"shape {S.shape}")
    return S


@takes(S=_logits)
def softmax(S):
    """exp(s_k) / sum_j exp(s_j) along the last axis: positive, sum 1,
    unchanged if one number is added to every s_k.

    Book: eq-softmax, thm-shift-invariance.
    """
    E = np.exp(_below_largest(S))
    return E / E.sum(axis=-1, keepdims=True)


@takes(S=_logits)
def log_softmax(S):
    """s_k - log sum_j exp(s_j) along the last axis.

    Book: eq-softmax.
    """
    D = _below_largest(S)
    E = np.exp(D)
    # The largest term is exp(0) = 1; log1p of the others keeps every digit.
    np.put_along_axis(E, np.argmax(D, axis=-1, keepdims=True), 0.0, axis=-1)
    return D - np.log1p(E.sum(axis=-1, keepdims=True))


def _below_largest(S):
    """S minus its largest entry along the last axis, so that no exponential overflows; infinity minus itself is 0."""
    largest = S.max(axis=-1, keepdims=True)
    return np.where(S == largest, 0.0, S - largest)


@takes(n_classes="k count", y="n classes")
def one_hot(y, n_classes):
    """Row t is the unit vector e_k with k = y_t."""
    return np.eye(n_classes)[y]


@takes(logits="n k", y="n classes")
def cross_entropy(logits, y):
    """-log P(y_t | x_t), the negative logarithm of the softmax at the right
    class, one per row of logits.

    Book: eq-cross-entropy.
    """
    return -np.take_along_axis(log_softmax(logits), y[:, None], axis=1)[:, 0]


@takes(logits="n k", y="n classes")
def cross_entropy_grad(logits, y):
    """Its gradient in the logits: softmax(logits) - one_hot(y), one row per example.

    Book: eq-cross-entropy-grad.
    """
    return softmax(logits) - one_hot(y, logits.shape[1])


@takes(Theta="k d", X="n d", theta_0="k")
def class_scores(Theta, theta_0, X):
    """Logits theta_k . x + theta_0k: a row per example, a column per class."""
    return X @ Theta.T + theta_0


@takes(Theta="k d", X="n d", theta_0="k", y="n classes", lam=">= 0")
def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    """Mean cross-entropy plus lam/2 times the sum of the squares of Theta.

    Book: eq-softmax-risk.
    """
    values = cross_entropy(class_scores(Theta, theta_0, X), y)
    return float(np.mean(values) + lam / 2 * np.sum(Theta**2))


@takes(Theta="k d", X="n d", theta_0="k", y="n classes", lam=">= 0")
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    """(gradient in Theta, gradient in theta_0): the means of (p_k - [y = k])
    x, plus lam Theta, and of p_k - [y = k].

    Book: eq-softmax-grad.
    """
    W = cross_entropy_grad(class_scores(Theta, theta_0, X), y) / len(X)
    return W.T @ X + lam * Theta, W.sum(axis=0)


@takes(Theta="k d", X="n d", theta_0="k", y="n classes", lam=">= 0")
def softmax_risk_hess(Theta, theta_0, X, y, lam=0.0):
    """The Hessian, a (d+1, d+1) block for each pair of classes (offset last):
    mean of p_j ([j = k] - p_k) (x,1)(x,1)'.

    With Z = P (x) A, each row p_t (x) (x_t, 1), it is the block diagonal of
    Z'A minus Z'Z, over n, plus lam on Theta.

    Book: eq-softmax-hess, thm-softmax-convex.
    """
    P = softmax(class_scores(Theta, theta_0, X))
    A = np.column_stack([X, np.ones(len(P))])
    (n, k), m = P.shape, A.shape[1]
    Z = (P[:, :, None] * A[:, None, :]).reshape(n, k * m)
    H = -(Z.T @ Z) / n
    penalty = lam * np.diag(np.append(np.ones(m - 1), 0.0))
    blocks = (Z.T @ A / n).reshape(k, m, m) + penalty
    for j in range(k):
        H[j * m : (j + 1) * m, j * m : (j + 1) * m] += blocks[j]
    return H


@dataclass(frozen=True)
class SoftmaxModel:
    """A linear classifier with a score for each class."""

    Theta: np.ndarray
    theta_0: np.ndarray

    @_rows.by_chunks
    def scores(self, X):
        """Logits of the rows of X, which must be finite, dense, sparse or of Dask: a column per class."""
        X = _checks.rows("X", X, columns=np.shape(self.Theta)[1])
        with _checks.as_checked():
            return class_scores(self.Theta, self.theta_0, X)

    @_rows.by_chunks
    def predict(self, X):
        """The class with the largest score, the first one at a tie."""
        return np.argmax(self.scores(X), axis=1)

    @_rows.by_chunks
    def probabilities(self, X):
        """P(y = k | x): a row per example, a column per class.

        Book: eq-multinomial-model.
        """
        return softmax(self.scores(X))


@dataclass(frozen=True)
class SoftmaxFit(Fit):
    """A `Fit` with its log-likelihood, the sum of log P(y_t | x_t)."""

    log_likelihood: float

    @classmethod
    def of(cls, W, history, trouble, rows, lam):
        """Everything found, in its place: W has a row for each class, theta_0 last if there is an offset."""
        Theta, theta_0 = W[:, : rows.d], W[:, rows.d] if W.shape[1] > rows.d else np.zeros(len(W))
        return cls(
            model=SoftmaxModel(Theta, theta_0),
            **outcome(history, trouble),
            log_likelihood=-rows.count * (history[-1] - lam / 2 * float(np.vdot(Theta, Theta))),
        )


@takes(lam=">= 0", offset=bool)
@faster("softmax_by_shape.fit_softmax")
def fit_softmax(X, y=None, *, lam=0.0, offset=True, sample_weight=None, progress=True):
    """Minimise the mean cross-entropy plus lam/2 |Theta|^2, any number of classes, each with at least one example.

    `converged` is a proof, as in `logistic.fit_logistic`, that the objective is within 1e-7 of its minimum, relatively,
    or within 5e-13. Answers are centred: Theta.sum(0) and theta_0.sum() are 0. At lam = 0 separable data have no
    minimiser: then `converged` is False and the message says so. Two classes give logistic regression with
    theta = Theta[1] - Theta[0], at half the lam. X and y may be anywhere that `logistic.fit_logistic` takes them from,
    and `sample_weight` means what it does there.

    Book: thm-two-classes.
    """
    rows = _rows.of(X, y, "classes", progress, sample_weight=sample_weight)
    inside, back = risk.in_the_span(rows)
    k, m = shape = len(rows.labels), inside.d + offset
    value, grad, curvature = risk.over_rows(inside, _block_sums, lam, offset, k)
    # The risk is flat where all classes move alike, and its gradient has no part there. A curvature added there
    # makes the Hessian regular and leaves the step as it is.
    gauge = np.kron(np.full((k, k), 1 / k), np.eye(m))

    def hess(u):
        return curvature(u) + gauge

    found = newton.newton(value, grad, hess, np.zeros(k * m))
    trouble = newton.doubt(found, grad, hess, _reach(inside), rows.no_mistake, lam)
    W = np.array([back(w) for w in found.point.reshape(shape)])
    return SoftmaxFit.of(W - W.mean(axis=0), found.history, trouble, rows, lam)


def _block_sums(U, X, y):
    """(sum of the cross-entropies, its gradient, its Hessian) over a block of examples, U with a row for each class."""
    n, at = len(y), (U[:, :-1], U[:, -1], X, y)
    grad = np.column_stack(softmax_risk_grad(*at))
    return n * softmax_risk(*at), n * grad.ravel(), n * softmax_risk_hess(*at)


def _reach(rows):
    """A function of H^-1: the most by which a difference of scores can change along a step of length 1 in that norm."""
    of_one, k = risk.reach(rows), len(rows.labels)
    return lambda inverse: 2 * max(map(of_one, np.einsum("jajb->jab", inverse.reshape(k, -1, k, len(inverse) // k))))
