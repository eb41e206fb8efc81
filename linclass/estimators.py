"""The learners as scikit-learn estimators: any labels, pipelines, cross-validation, grid search. No mathematics here.

The parameters are the book's. Those of scikit-learn that give the same minimum on n examples:

    ours                                            theirs
    LogisticEstimator(lam)                          LogisticRegression(C=1/(n lam)); at lam = 0 C=inf
    SVMEstimator(lam)                               SVC(kernel="linear", C=1/(n lam)); LinearSVC penalises theta_0 too
    SoftmaxEstimator(lam)                           LogisticRegression(C=1/(n lam)), three classes or more
    KernelSVMEstimator(kernel="rbf", lam, tau)      SVC(C=1/(n lam), gamma=1/(2 tau^2)); tau="scale" is gamma="scale"
    StochasticEstimator(loss, lam, eta)             SGDClassifier(alpha=lam, learning_rate="constant", eta0=eta)
    PerceptronEstimator()                           Perceptron(shuffle=False, tol=None)
    offset, class_weight, sample_weight             fit_intercept, the same, the same; n is then the sum of the weights

`linclass.conventions` has each of these as a pair of functions. The same C is another objective when n changes, as it
does in cross-validation; the same lam is not. With three classes or more, LogisticEstimator is softmax regression, as
scikit-learn's is, and the others tell each class from the rest; `coef_` then has a row and `decision_function` a column
for each. After `fit`, the learner's own answer, with its certificate, is `fit_`, or a tuple of them, one for each class
against the rest; a certificate that was sought and not found gives a `ConvergenceWarning` with the learner's message.
Numbers are taken as doubles: those of single precision are cast, since a certificate needs the digits.
"""

import functools
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_random_state, validate_data

from linclass import _checks, _rows, descent, kernels, logistic, losses, perceptron, representer, risk, softmax, svm
from linclass.fit import Fit
from linclass.margins import LinearClassifier

__all__ = [
    "KernelLogisticEstimator",
    "KernelSVMEstimator",
    "LogisticEstimator",
    "PerceptronEstimator",
    "SVMEstimator",
    "SoftmaxEstimator",
    "StochasticEstimator",
]

NOT_STREAMED = "take the functions fit_logistic, fit_softmax and fit_sgd, which read them block by block"


class _Estimator(ClassifierMixin, BaseEstimator):
    """Labels of any kind to those of the book and back; what a learner does is in `_learn(X, y, w)`.

    More than two classes are told apart one against the rest.
    """

    _certified = True  # does the learner promise a certificate?
    _in_epochs = False  # does its history have an entry for each epoch?
    _sparse = "csr"  # the sparse rows that it takes

    def fit(self, X, y, sample_weight=None):
        """Fit to the rows of X and their labels; a row of weight 0 is not there."""
        X, numbers, w = self._examples(X, y, sample_weight)
        self.fit_ = self._fit_classes(X, numbers, w)
        for fit in self._fits:
            if self._certified and not fit.converged:
                warnings.warn(fit.message, ConvergenceWarning, stacklevel=2)
        return self

    def _examples(self, X, y, sample_weight):
        """(X, numbers of the classes, weights or None), checked; `classes_` and the rows that count are remembered."""
        X, y = self._validated(X, y, NOT_STREAMED)
        check_classification_targets(y)
        self._kept = np.arange(len(y))
        if sample_weight is not None:
            sample_weight = _checks.weights("sample_weight", sample_weight, len(y))
            _checks.of_mean_one("sample_weight", sample_weight)
            self._kept = np.flatnonzero(sample_weight)
            X, y, sample_weight = X[self._kept], y[self._kept], sample_weight[self._kept]
        self.classes_, numbers = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            _checks.fail("y", "labels of at least two classes", "labels of one class")
        return X, numbers, self._weights(numbers, sample_weight)

    def _validated(self, X, y, instead, reset=True):
        """What scikit-learn makes of X, and of y if there are labels, once they are in memory and have no mask."""
        _rows.needed_at_once(X, y, type(self).__name__, instead)
        for name, array in (("X", X), ("y", y)):
            if isinstance(array, np.ma.MaskedArray):
                _checks.refuse_strange(name, array)
        return validate_data(self, X, y, dtype=np.float64, accept_sparse=self._sparse, reset=reset)

    def _weights(self, numbers, sample_weight):
        """The weights of the examples times those of their classes; None where all are 1."""
        chosen = getattr(self, "class_weight", None)
        if chosen is None:
            return sample_weight
        w = np.ones(len(numbers)) if sample_weight is None else sample_weight
        if chosen == "balanced":  # each class as heavy as any other
            return w * (w.sum() / len(self.classes_) / np.bincount(numbers, weights=w))[numbers]
        return w * compute_class_weight(chosen, classes=self.classes_, y=self.classes_)[numbers]

    def _signs(self, numbers):
        """Labels -1 and +1 for each learner: the second of two classes against the first, or each against the rest."""
        tasks = range(len(self.classes_)) if len(self.classes_) > 2 else [1]
        return [np.where(numbers == k, 1.0, -1.0) for k in tasks]

    def _fit_classes(self, X, numbers, w):
        fits = tuple(self._learn(X, y, w) for y in self._signs(numbers))
        return fits if len(fits) > 1 else fits[0]

    @property
    def _fits(self):
        return self.fit_ if isinstance(self.fit_, tuple) else (self.fit_,)

    @property
    def n_iter_(self):
        """Steps of the learner, or its epochs, the most that a class took."""
        return max(len(fit.history) if self._in_epochs else fit.steps for fit in self._fits)

    def _scores(self, model, X):
        return model.scores(X)

    def decision_function(self, X):
        """The scores of the rows of X: positive for the second of two `classes_`, else a column for each."""
        check_is_fitted(self)
        X = self._validated(X, "no_validation", "ask fit_.model, which reads them block by block", reset=False)
        scores = [self._scores(fit.model, X) for fit in self._fits]
        return scores[0] if len(scores) == 1 else np.column_stack(scores)

    def predict(self, X):
        """The labels of the rows of X."""
        s = self.decision_function(X)
        return self.classes_[s.argmax(axis=1) if s.ndim == 2 else (s > 0).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse)
        return tags


class _Linear(_Estimator):
    """An estimator with theta and theta_0; those of softmax for two classes are the differences of theirs."""

    @property
    def coef_(self):
        """theta, as one row, or a row per class."""
        models = [fit.model for fit in self._fits]
        return np.vstack([_of_two(model.Theta) if hasattr(model, "Theta") else model.theta for model in models])

    @property
    def intercept_(self):
        """theta_0, as an array of one, or one per class."""
        return np.hstack([_of_two(np.atleast_1d(fit.model.theta_0)) for fit in self._fits])


def _of_two(parameters):
    return parameters[1:] - parameters[:1] if len(parameters) == 2 else parameters


class _Probabilities:
    """An estimator with a probability for each class."""

    def predict_proba(self, X):
        """P(class | x): a row per example, a column for each of `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X):
        """log P(class | x), to all digits."""
        s = self.decision_function(X)
        if len(self._fits) > 1:  # each against the rest: their shares
            P = logistic.sigmoid(s)
            return np.log(P) - np.log(P.sum(axis=1, keepdims=True))
        return softmax.log_softmax(np.column_stack([np.zeros(len(s)), s]) if s.ndim == 1 else s)


class SoftmaxEstimator(_Probabilities, _Linear):
    """`softmax.fit_softmax`: two classes or more. With two, the score is the difference of theirs."""

    def __init__(self, lam=0.0, offset=True, class_weight=None):
        self.lam = lam
        self.offset = offset
        self.class_weight = class_weight

    def _fit_classes(self, X, numbers, w):
        return softmax.fit_softmax(X, numbers, lam=self.lam, offset=self.offset, sample_weight=w)

    def _scores(self, model, X):
        S = model.scores(X)
        return S[:, 1] - S[:, 0] if S.shape[1:] == (2,) else S


class LogisticEstimator(SoftmaxEstimator):
    """`logistic.fit_logistic`: maximum likelihood at lam = 0. Three classes or more: `softmax.fit_softmax`."""

    def _fit_classes(self, X, numbers, w):
        if len(self.classes_) > 2:
            return super()._fit_classes(X, numbers, w)
        return logistic.fit_logistic(X, 2.0 * numbers - 1.0, lam=self.lam, offset=self.offset, sample_weight=w)


class _SupportVectors:
    """An estimator whose learner has multipliers: `support_` are the rows that some class has one above 0 for."""

    def _fit_classes(self, X, numbers, w):
        self.fit_ = super()._fit_classes(X, numbers, w)
        support = functools.reduce(np.union1d, (fit.support for fit in self._fits))
        self.support_, self.support_vectors_ = self._kept[support], X[support]
        return self.fit_


class SVMEstimator(_SupportVectors, _Linear):
    """`svm.fit_svm`: the hinge loss, to a certified gap."""

    def __init__(self, lam=0.01, offset=True, class_weight=None):
        self.lam = lam
        self.offset = offset
        self.class_weight = class_weight

    def _learn(self, X, y, w):
        return svm.fit_svm(X, y, lam=self.lam, offset=self.offset, sample_weight=w)


class _Kernel(_Estimator):
    """An estimator with a kernel: "linear", "polynomial", "rbf", "precomputed", or a function of (X, Z).

    A precomputed kernel means that X is K(x, z) itself: of all pairs of rows to `fit`, and later of each new row with
    each of those. tau="scale" takes the bandwidth from the data, as `tau_`: its square is half the squared length of a
    row about its mean, if columns vary alike.
    """

    _sparse = False

    def __init__(self, kernel="rbf", lam=0.01, tau=1.0, degree=2, constant=1.0, offset=True, class_weight=None):
        self.kernel = kernel
        self.lam = lam
        self.tau = tau
        self.degree = degree
        self.constant = constant
        self.offset = offset
        self.class_weight = class_weight

    def _fit_classes(self, X, numbers, w):
        self.tau_ = _bandwidth(X, w) if self.tau == "scale" else self.tau
        if self.kernel == "precomputed":
            self._gram = _checks.gram("X", X[:, self._kept])
            X = np.arange(len(X), dtype=float)[:, None]  # the numbers of the rows
        return super()._fit_classes(X, numbers, w)

    def _kernel(self):
        if callable(self.kernel):
            return self.kernel
        name = _checks.choice("kernel", self.kernel, ("linear", "polynomial", "rbf", "precomputed"))
        if name == "precomputed":
            return functools.partial(_looked_up, self._gram)
        return {
            "linear": kernels.linear_kernel,
            "polynomial": functools.partial(kernels.polynomial_kernel, degree=self.degree, constant=self.constant),
            "rbf": functools.partial(kernels.rbf_kernel, tau=self.tau_),
        }[name]

    def _scores(self, model, X):
        return X[:, self._kept] @ model.alpha + model.theta_0 if self.kernel == "precomputed" else model.scores(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def _looked_up(K, X, Z):
    """The entries of K for rows whose numbers are in X and in Z."""
    return K[X.astype(int), Z.astype(int).T]


def _bandwidth(X, w):
    """tau with 2 tau^2 = d times the variance of all entries: scikit-learn's gamma="scale"."""
    w = np.broadcast_to(1.0 if w is None else w[:, None], X.shape)
    variance = np.average((X - np.average(X, weights=w)) ** 2, weights=w)
    return float(np.sqrt(X.shape[1] * variance / 2)) or 1.0


class KernelSVMEstimator(_SupportVectors, _Kernel):
    """`representer.fit_kernel_svm`."""

    def _learn(self, X, y, w):
        return representer.fit_kernel_svm(X, y, self._kernel(), lam=self.lam, offset=self.offset, sample_weight=w)


class KernelLogisticEstimator(_Probabilities, _Kernel):
    """`representer.fit_kernel_logistic`; with three classes or more, the shares of their probabilities."""

    def _learn(self, X, y, w):
        return representer.fit_kernel_logistic(X, y, self._kernel(), lam=self.lam, offset=self.offset, sample_weight=w)


class PerceptronEstimator(_Linear):
    """`perceptron.fit_perceptron`: for data that a line can separate. It counts mistakes, so there are no weights."""

    _sparse = False
    _in_epochs = True

    def __init__(self, max_epochs=1000, offset=True):
        self.max_epochs = max_epochs
        self.offset = offset

    def fit(self, X, y):
        """Fit to the rows of X and their labels."""
        return super().fit(X, y)

    def _learn(self, X, y, w):
        return perceptron.fit_perceptron(X, y, max_epochs=self.max_epochs, offset=self.offset)


class StochasticEstimator(_Linear):
    """`descent.fit_sgd` with any loss of the margin, by its name: "hinge", "logistic", …

    There is never a certificate, and so no warning: look at `fit_.history`. With `warm_start`, `fit` begins where the
    last one ended. `partial_fit` is one epoch over the rows it is given, which goes on counting steps.
    """

    _certified = False
    _in_epochs = True

    # Eleven parameters: scikit-learn wants each of `fit_sgd` by its name.
    def __init__(
        self,
        loss="hinge",
        lam=0.01,
        eta=0.01,
        epochs=10,
        batch=1,
        sampling="shuffle",
        keep="best",
        offset=True,
        class_weight=None,
        warm_start=False,
        random_state=0,
    ):
        self.loss = loss
        self.lam = lam
        self.eta = eta
        self.epochs = epochs
        self.batch = batch
        self.sampling = sampling
        self.keep = keep
        self.offset = offset
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state

    def _fit_classes(self, X, numbers, w):
        count = len(self._signs(numbers))
        before = self._fits if self.warm_start and hasattr(self, "fit_") else [None] * count
        if len(before) != count:
            _checks.fail("y", "labels of the same classes as before, with warm_start", f"{len(self.classes_)} classes")
        self._starts, self._walks = [fit and (fit.model.theta, fit.model.theta_0) for fit in before], None
        return super()._fit_classes(X, numbers, w)

    def _rng(self):
        return np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _loss(self):
        return losses.Loss(self.loss) if isinstance(self.loss, str) else self.loss

    def _learn(self, X, y, w):
        names = "lam", "eta", "epochs", "batch", "sampling", "keep", "offset"
        chosen = {name: getattr(self, name) for name in names}
        start = self._starts.pop(0)
        return descent.fit_sgd(X, y, self._loss(), rng=self._rng(), sample_weight=w, start=start, **chosen)

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """One epoch over these rows, from where the last one ended; the first call names all `classes`.

        A step counts an example as often as its weight says. `class_weight` may be a table; "balanced" has to be known
        beforehand.
        """
        X, numbers, w = self._more_examples(X, y, classes, sample_weight)
        rule, average, signs = descent.step_rule(self.eta), self.keep == "average", self._signs(numbers)
        steps = descent.Steps(self._loss(), self.lam, rule, self.batch, self.sampling, self.offset, average)
        walks = self._walks_so_far(X.shape[1], len(signs))
        if len(numbers):
            walks = [descent.sgd_epoch(steps, walk, X, y, w) for walk, y in zip(walks, signs, strict=True)]
            fits = tuple(self._after(walk, X, y, w) for walk, y in zip(walks, signs, strict=True))
            self.fit_ = fits if len(fits) > 1 else fits[0]
        self._walks = walks
        return self

    def _more_examples(self, X, y, classes, sample_weight):
        """(X, numbers of the classes, weights) of rows for `partial_fit`, without those of weight 0."""
        first = not hasattr(self, "fit_")
        X, y = self._validated(X, y, "call partial_fit with one chunk after another", reset=first)
        check_classification_targets(y)
        if first:
            if classes is None:
                _checks.fail("classes", "all labels there are, in the first call of partial_fit", "None")
            self.classes_ = np.unique(classes)
        if classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            _checks.fail("classes", f"those of the first call, {self.classes_}", _checks.describe(classes))
        if not np.isin(y, self.classes_).all():
            others = _checks.describe(np.setdiff1d(y, self.classes_))
            _checks.fail("y", f"labels of the classes {self.classes_}", others)
        if isinstance(self.class_weight, str):
            _checks.fail("class_weight", "None or a table of weights, for partial_fit", repr(self.class_weight))
        w = np.ones(len(y)) if sample_weight is None else _checks.weights("sample_weight", sample_weight, len(y))
        numbers = np.searchsorted(self.classes_, y)
        w = self._weights(numbers, w)
        kept = np.flatnonzero(w)
        return X[kept], numbers[kept], w[kept]

    def _walks_so_far(self, d, count):
        """Where the steps of each class have led."""
        if getattr(self, "_walks", None) is not None:
            return self._walks
        if hasattr(self, "fit_"):  # by `fit`
            starts = [((fit.model.theta, fit.model.theta_0), fit.steps) for fit in self._fits]
        else:
            starts = [((np.zeros(d), 0.0), 0)] * count
        return [descent.Walk(state, state, t, self._rng()) for state, t in starts]

    def _after(self, walk, X, y, w):
        """The fit after an epoch: its history has the risk on the rows that it saw."""
        theta, theta_0 = walk.mean if self.keep == "average" else walk.state
        with _checks.as_checked():
            value = risk.risk(theta, theta_0, X, y, losses.WeightedLoss(self._loss(), w), self.lam)
        return Fit(LinearClassifier(theta, float(theta_0)), False, walk.t, np.array([value]), descent.NO_CERTIFICATE)
