"""Logistic regression: how sure a linear score is.

The model is P(y | x) = sigmoid(y (theta . x + theta_0)), so the log-odds of y = +1 are linear in x. Its
log-likelihood is minus n times the mean logistic loss, and fitting minimises

    risk(theta, theta_0) = 1/n sum_t log(1 + exp(-y_t (theta . x_t + theta_0))) + lam/2 |theta|^2

which is convex, and optimal exactly where its gradient is 0: the residuals [y_t = +1] - P(+1 | x_t) sum to 0, and
sum_t x_t residual_t = n lam theta. Shapes: X (n, d), y (n,) in {-1, +1}, theta (d,), theta_0 a number.
"""

from dataclasses import dataclass

import numpy as np

from linclass import _checks, _rows, losses, margins, newton, risk
from linclass._checks import takes
from linclass._plug import faster
from linclass.fit import Fit, outcome

__all__ = [
    "LogisticFit",
    "LogisticModel",
    "binary_log_likelihood",
    "fit_logistic",
    "log_likelihood",
    "log_odds",
    "sigmoid",
    "standard_errors",
]

LARGEST_CONDITION = 1e13  # of a scaled matrix whose inverse has a few right digits: 1e13 eps is 0.002


@losses.elementwise
def sigmoid(z):
    """1 / (1 + exp(-z)): from 0 at -inf to 1 at +inf, and
    sigmoid(z) + sigmoid(-z) = 1.

    Book: eq-sigmoid, thm-sigmoid-identities.
    """
    # With e = exp(-|z|) <= 1 no exponential overflows:
    # 1 / (1 + e) for z >= 0 and e / (1 + e) for z < 0.
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1.0, e) / (1.0 + e)


def _from_0_to_1(p):
    """Refuse what is not a probability; NaN may be one."""
    p = _checks.real("p", p)
    return _checks.each("p", p, ~((p < 0) | (p > 1)), "a probability, from 0 to 1")


@takes(p=_from_0_to_1)
def log_odds(p):
    """log(p / (1 - p)), the inverse of the sigmoid: -inf at 0 and +inf at 1.

    Book: eq-log-odds.
    """
    return (np.log(p) - np.log1p(-p))[()]


@takes(theta="d", X="n d", theta_0="", y="n signs")
def log_likelihood(theta, theta_0, X, y):
    """sum_t log P(y_t | x_t) = -sum_t log(1 + exp(-margin_t)): a sum over the
    examples, at most 0.

    Book: eq-log-likelihood, thm-likelihood-is-risk.
    """
    z = margins.margins(theta, theta_0, X, y)
    return -float(np.sum(losses.LOGISTIC.value(z)))


@takes(theta="d", X="n d", theta_0="", y="n binary")
def binary_log_likelihood(theta, theta_0, X, y):
    """sum_t y_t log p_t + (1 - y_t) log(1 - p_t) for labels in {0, 1}, which is
    sum_t y_t s_t - log(1 + exp(s_t)).

    The same number as `log_likelihood` with labels 2 y - 1; its negative is
    the summed cross-entropy.

    Book: eq-binary-likelihood, thm-two-label-forms.
    """
    s = margins.scores(theta, theta_0, X)
    return float(np.sum(y * s - np.logaddexp(0.0, s)))


@dataclass(frozen=True)
class LogisticModel(margins.LinearClassifier):
    """A linear classifier whose score is the log-odds of y = +1."""

    @_rows.by_chunks
    def probabilities(self, X):
        """P(y = +1 | x) = sigmoid(theta . x + theta_0) for the rows of X.

        Book: eq-logistic-model.
        """
        return sigmoid(self.scores(X))


@dataclass(frozen=True)
class LogisticFit(Fit):
    """A `Fit` with its log-likelihood and, at lam = 0 and full rank, standard errors and z values, offset last."""

    log_likelihood: float
    standard_errors: np.ndarray | None
    z_values: np.ndarray | None

    @classmethod
    def of(cls, w, history, trouble, rows, lam, errors):
        """Everything found, in its place: w is theta, and theta_0 last if there is an offset."""
        theta, theta_0 = w[: rows.d], float(w[rows.d]) if len(w) > rows.d else 0.0
        return cls(
            model=LogisticModel(theta, theta_0),
            **outcome(history, trouble),
            log_likelihood=-rows.count * (history[-1] - lam / 2 * float(theta.dot(theta))),
            standard_errors=errors,
            z_values=None if errors is None else w / errors,
        )


@takes(lam=">= 0", offset=bool)
@faster("logistic_by_shape.fit_logistic")
def fit_logistic(X, y=None, *, lam=0.0, offset=True, sample_weight=None, progress=True):
    """Minimise the mean logistic loss plus lam/2 |theta|^2: maximum likelihood at lam = 0.

    `converged` is a proof, from the parameters returned and the data given and with rounding counted in, that the
    objective is within 1e-7 of its minimum, relatively, or within 5e-13. At lam = 0 separable data, completely or
    quasi, have no maximiser: then `converged` is False, the message says so, and the model is the last iterate. If a
    column is exactly a combination of others, lam = 0 leaves theta free: the answer is one of the minimisers, and there
    are no standard errors. If it is one but for rounding, nothing is proved, and the message names it.

    `sample_weight` has a weight w_t >= 0 for each example, and the mean becomes sum_t w_t loss_t / sum_t w_t: weight 2
    is the example twice, weight 0 is not there, and log-likelihood and standard errors count sum_t w_t examples.

    X may be sparse, and is never made dense; a Hessian is then made of up to 1,000 unknowns, and beyond that only lam >
    0 is certified. X and y may also be mapped files, or arrays or tables of Dask. Without y, X is blocks (X, y) or (X,
    y, sample_weight): a list of them, or a function that makes an iterator. `progress` shows a bar on a terminal while
    such data are read. Numbers are taken as doubles: those of single precision are cast, since a certificate needs the
    digits.

    Book: eq-logistic-grad, thm-residuals-orthogonal, thm-penalised-residuals, thm-ridge-exists-unique.
    """
    rows = _rows.of(X, y, "signs", progress, sample_weight=sample_weight)
    inside, back = risk.in_the_span(rows)
    value, grad, hess = risk.over_rows(inside, _block_sums, lam, offset)
    found = newton.newton(value, grad, hess, np.zeros(inside.d + offset))
    trouble = newton.doubt(found, grad, hess, risk.reach(inside), rows.no_mistake, lam)
    information, same = rows.count * hess(found.point), np.eye(len(found.point))
    errors = None if lam > 0 or trouble else standard_errors(information, same)
    w = back(found.point)
    return LogisticFit.of(w, found.history, trouble, rows, lam, errors)


def _block_sums(U, X, y):
    """`risk.block_sums` of the logistic loss, U with (theta, theta_0) as its only row."""
    return risk.block_sums(U[0, :-1], U[0, -1], X, y, losses.LOGISTIC)


@takes(information="d d square", T="n d")
def standard_errors(information, T):
    """Square roots of the diagonal of T information^-1 T', or None if the information does not have full rank.

    The information is n times the Hessian of the mean loss in coordinates u in which the units of the features do not
    blur it, and T takes it to the parameters, (theta, theta_0) = T u.

    Book: eq-standard-errors.
    """
    size = np.sqrt(np.diag(information))
    scaled = information / np.outer(size, size)
    if not ((size > 0).all() and np.linalg.cond(scaled) <= LARGEST_CONDITION):
        return None
    T = T / size
    unit = np.abs(T).max(axis=1)  # so that no square overflows
    T = T / unit[:, None]
    return unit * np.sqrt(np.diag(T @ np.linalg.inv(scaled) @ T.T))
