"""Softmax regression: logistic regression with more than two answers.

Class k gives x the score (logit) theta_k . x + theta_0k, and P(y = k | x) is its share of the exponentials. Fitting
minimises the mean cross-entropy, which is minus the mean log-likelihood:

    risk(Theta, theta_0) = 1/n sum_t -log P(y_t | x_t) + lam/2 |Theta|^2

It is convex. The same vector added to every theta_k changes no probability, so answers are centred: they sum to 0
over the classes. Shapes: X (n, d), y (n,) in 0 .. n_classes-1, Theta (n_classes, d), theta_0 (n_classes,).
"""

import functools
from dataclasses import dataclass

import numpy as np

from linclass import _checks, _plug
from linclass._checks import takes
from linclass._fast import careful_newton, certificates, kept_hessian, scaling, softmax_by_shape
from linclass._rows import in_blocks, sources
from linclass.fit import Fit

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
    unchanged if the same is added to every s_k.

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

    def scores(self, X):
        """Logits of the rows of X, which must be finite: a column per class."""
        X = _checks.matrix("X", X, columns=np.shape(self.Theta)[1], finite=True)
        return class_scores(self.Theta, self.theta_0, X)

    def predict(self, X):
        """The class with the largest score, the first one at a tie."""
        return np.argmax(self.scores(X), axis=1)

    def probabilities(self, X):
        """P(y = k | x): a row per example, a column per class.

        Book: eq-multinomial-model.
        """
        return softmax(self.scores(X))


@dataclass(frozen=True)
class SoftmaxFit(Fit):
    """A `Fit` with its log-likelihood, the sum of log P(y_t | x_t)."""

    log_likelihood: float


def fit_softmax(X, y=None, *, lam=0.0, offset=True, progress=True):
    """Minimise the mean cross-entropy plus lam/2 |Theta|^2, any number of classes, each with at least one example.

    `converged` is a proof, as in `logistic.fit_logistic`, that the objective is within 1e-7 of its minimum, relatively,
    or within 5e-13. Answers are centred: Theta.sum(0) and theta_0.sum() are 0. At lam = 0 separable data have no
    minimiser: then `converged` is False and the message says so. Two classes give logistic regression with
    theta = Theta[1] - Theta[0], at half the lam. X and y may be anywhere that `logistic.fit_logistic` takes them from.

    Book: thm-two-classes.
    """
    lam, offset = _checks.nonnegative("lam", lam), bool(offset)
    X, y, rows = sources.located(X, y, _checks.class_numbers, progress)
    if rows:
        return _fit_elsewhere(rows, lam, offset)
    X = _checks.matrix("X", X)
    y, n_classes = _checks.classes("y", y, len(X))
    if not _plug.replaced:
        try:
            return _fit_fast(in_blocks.Rows(X, y), n_classes, lam, offset)
        except kept_hessian.NotRegular:
            pass  # or not finite, which the next line tells
    rows = in_blocks.Rows(_checks.matrix("X", X, finite=True), y)
    return _fit_carefully(rows, n_classes, lam, offset, _formulas if _plug.replaced else _looks)


def _fit_carefully(rows, n_classes, lam, offset, problem):
    """The fit by Newton's method on the risk, in coordinates in which columns that nearly coincide are far apart."""
    task, residuals = functools.partial(problem, n_classes=n_classes), certificates.softmax_residuals
    W, history, trouble, *_ = careful_newton.fit(rows, lam, offset, n_classes, task, residuals, mend=problem is _looks)
    Theta, theta_0 = W[:, : rows.d], W[:, rows.d] if offset else np.zeros(n_classes)
    if lam == 0 and trouble:
        signed = (lambda: _signed_rows(rows.X, rows.y, offset)) if rows.at_hand else None
        trouble = careful_newton.separable(_all_apart(rows, Theta, theta_0), signed, trouble)
    return _answer(rows.n, Theta, theta_0, lam, not trouble, history, trouble or careful_newton.CERTIFIED)


def _fit_fast(rows, n_classes, lam, offset):
    """The same fit by a faster way, see `softmax_by_shape`; a test holds the two equal."""
    W, history = softmax_by_shape.minimise(rows, n_classes, lam, offset)
    W = W - W.mean(axis=0)
    Theta, theta_0 = W[:, : rows.d], W[:, rows.d] if offset else np.zeros(n_classes)
    if lam == 0 and rows.n * history[-1] < np.log(2):
        if not _all_apart(rows, Theta, theta_0):
            raise kept_hessian.NotRegular
        return _answer(rows.n, Theta, theta_0, lam, False, history, careful_newton.SEPARABLE.format("completely"))
    return _answer(rows.n, Theta, theta_0, lam, True, history, careful_newton.CERTIFIED)


def _fit_elsewhere(rows, lam, offset):
    """The fit to rows that are not in memory, by passes over them."""
    _, n_classes = _checks.classes("y", rows.labels)
    try:
        return _fit_fast(rows, n_classes, lam, offset)
    except kept_hessian.NotRegular:
        rows.check()
    return _fit_carefully(rows, n_classes, lam, offset, _looks)


def _all_apart(rows, Theta, theta_0):
    """Is the right class ahead on every row, beyond doubt?"""
    return not rows.total(lambda X, y: (not _separates(X, y, Theta, theta_0),))[0]


def _answer(n, Theta, theta_0, lam, converged, history, message):
    """Everything found, in its place."""
    return SoftmaxFit(
        model=SoftmaxModel(Theta, theta_0),
        converged=bool(converged),
        steps=len(history) - 1,
        history=np.asarray(history),
        message=message,
        log_likelihood=-n * (history[-1] - lam / 2 * float(np.vdot(Theta, Theta))),
    )


def _looks(rows, n_classes):
    """(value, grad, hess) of the risk as functions of a vector, class by class, for rows that need no offset."""
    return careful_newton.by_passes(softmax_by_shape.softmax_look(rows, n_classes, 0.0, False))


def _formulas(rows, n_classes):
    """The same by the formulas of the book."""
    Z, y, none = rows.X, rows.y, np.zeros(n_classes)
    theta = np.tile(np.arange(Z.shape[1] + 1) < Z.shape[1], n_classes)
    # The risk is flat where all classes move alike, and its gradient has no part there. A curvature added there
    # makes the Hessian regular and leaves the step as it is.
    gauge = np.kron(np.full((n_classes, n_classes), 1 / n_classes), np.eye(Z.shape[1]))

    def classes(u):
        return u.reshape(n_classes, -1), none, Z, y

    return (
        lambda u: softmax_risk(*classes(u)),
        lambda u: softmax_risk_grad(*classes(u))[0].ravel(),
        lambda u: softmax_risk_hess(*classes(u))[np.ix_(theta, theta)] + gauge,
    )


@np.errstate(over="ignore", invalid="ignore")
def _separates(X, y, Theta, theta_0):
    """Is the right class ahead of every other on every example, by more than rounding?"""
    S = class_scores(Theta, theta_0, X)
    right = np.take_along_axis(S, y[:, None], axis=1)
    lead = right - np.where(one_hot(y, len(Theta)) > 0, -np.inf, S)
    bound = np.max(np.abs(X) @ np.abs(Theta).T + np.abs(theta_0), axis=1, keepdims=True)
    return bool((lead > 2 * (X.shape[1] + 2) * np.finfo(float).eps * bound).all())


def _signed_rows(X, y, offset):
    """A row (e_y - e_k) (x) (x, 1) for every example and every wrong class k: its product with Theta is the lead."""
    centre, scale = scaling.column_scaling(X, offset)
    Z = (X - centre) / scale
    A = np.column_stack([Z, np.ones(len(Z))]) if offset else Z
    E = np.eye(y.max() + 1)
    leads = E[y][:, None, :] - E[None, :, :]
    rows = (leads[..., None] * A[:, None, None, :]).reshape(len(y), len(E), -1)
    return rows[np.arange(len(E)) != y[:, None]]
