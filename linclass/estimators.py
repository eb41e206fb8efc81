"""The learners as scikit-learn estimators: any labels, pipelines, cross-validation, grid search. No mathematics here.

The parameters are the book's. Those of scikit-learn that give the same minimum on n examples:

    ours                                            theirs
    LogisticEstimator(lam)                          LogisticRegression(C=1/(n lam)); at lam = 0 C=inf
    SVMEstimator(lam)                               SVC(kernel="linear", C=1/(n lam)); LinearSVC penalises theta_0 too
    SoftmaxEstimator(lam)                           LogisticRegression(C=1/(n lam)), three classes or more
    KernelSVMEstimator(kernel="rbf", lam, tau)      SVC(C=1/(n lam), gamma=1/(2 tau^2))
    StochasticEstimator(loss, lam, eta)             SGDClassifier(alpha=lam, learning_rate="constant", eta0=eta)
    PerceptronEstimator()                           Perceptron(shuffle=False, tol=None)
    offset                                          fit_intercept

`linclass.conventions` has each of these as a pair of functions. The same C is another objective when n changes, as it
does in cross-validation; the same lam is not. All but the softmax tell two classes apart; for more, wrap them in
`OneVsRestClassifier`. After `fit`, the learner's own answer, with its certificate, is `fit_`; a certificate that was
sought and not found gives a `ConvergenceWarning` with the learner's message.
"""

import functools
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, check_random_state, validate_data

from linclass import _checks, descent, kernels, logistic, losses, perceptron, representer, softmax, svm

__all__ = [
    "KernelLogisticEstimator",
    "KernelSVMEstimator",
    "LogisticEstimator",
    "PerceptronEstimator",
    "SVMEstimator",
    "SoftmaxEstimator",
    "StochasticEstimator",
]


class _Estimator(ClassifierMixin, BaseEstimator):
    """Labels of any kind to those of the book and back; what a learner does is in `_learn(X, y)`."""

    _certified = True  # does the learner promise a certificate?

    def fit(self, X, y):
        """Fit to the rows of X and their labels."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, numbers = np.unique(y, return_inverse=True)
        self._check_classes(y)
        self.fit_ = self._learn(X, self._labels(numbers))
        if self._certified and not self.fit_.converged:
            warnings.warn(self.fit_.message, ConvergenceWarning, stacklevel=2)
        return self

    def _check_classes(self, y):
        if len(self.classes_) < 2:
            _checks.fail("y", "labels of at least two classes", "labels of one class")
        if len(self.classes_) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            kind = type_of_target(y)
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")

    def _labels(self, numbers):
        return 2.0 * numbers - 1.0

    def decision_function(self, X):
        """The scores of the rows of X: positive for the second of `classes_`."""
        check_is_fitted(self)
        return self.fit_.model.scores(validate_data(self, X, reset=False, dtype=np.float64))

    def predict(self, X):
        """The labels of the rows of X."""
        s = self.decision_function(X)
        return self.classes_[s.argmax(axis=1) if s.ndim == 2 else (s > 0).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class _Linear(_Estimator):
    """An estimator with theta and theta_0."""

    @property
    def coef_(self):
        """theta, as one row."""
        return self.fit_.model.theta[None, :]

    @property
    def intercept_(self):
        """theta_0, as an array of one."""
        return np.array([self.fit_.model.theta_0])


class _Probabilities:
    """An estimator with a probability for each class."""

    def predict_proba(self, X):
        """P(class | x): a row per example, a column for each of `classes_`."""
        check_is_fitted(self)
        p = self.fit_.model.probabilities(validate_data(self, X, reset=False, dtype=np.float64))
        return p if p.ndim == 2 else np.column_stack([1 - p, p])


class LogisticEstimator(_Probabilities, _Linear):
    """`logistic.fit_logistic`: maximum likelihood at lam = 0."""

    def __init__(self, lam=0.0, offset=True):
        self.lam = lam
        self.offset = offset

    def _learn(self, X, y):
        return logistic.fit_logistic(X, y, lam=self.lam, offset=self.offset)


class SVMEstimator(_Linear):
    """`svm.fit_svm`: the hinge loss, to a certified gap."""

    def __init__(self, lam=0.01, offset=True):
        self.lam = lam
        self.offset = offset

    def _learn(self, X, y):
        return svm.fit_svm(X, y, lam=self.lam, offset=self.offset)


class SoftmaxEstimator(_Probabilities, _Estimator):
    """`softmax.fit_softmax`: two classes or more. With two, the score is the difference of theirs."""

    def __init__(self, lam=0.0, offset=True):
        self.lam = lam
        self.offset = offset

    def _learn(self, X, y):
        return softmax.fit_softmax(X, y, lam=self.lam, offset=self.offset)

    def _labels(self, numbers):
        return numbers

    @property
    def coef_(self):
        """Theta, a row per class; with two classes the difference of their rows."""
        Theta = self.fit_.model.Theta
        return Theta[1:] - Theta[:1] if len(Theta) == 2 else Theta

    @property
    def intercept_(self):
        """The offsets, one per class; with two classes their difference."""
        theta_0 = self.fit_.model.theta_0
        return theta_0[1:] - theta_0[:1] if len(theta_0) == 2 else theta_0

    def decision_function(self, X):
        """The logits of the rows of X, a column per class; with two classes their difference."""
        S = super().decision_function(X)
        return S[:, 1] - S[:, 0] if S.shape[1] == 2 else S

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags


class _Kernel(_Estimator):
    """An estimator with a kernel: "linear", "polynomial", "rbf", or a function of (X, Z)."""

    def __init__(self, kernel="rbf", lam=0.01, tau=1.0, degree=2, constant=1.0, offset=True):
        self.kernel = kernel
        self.lam = lam
        self.tau = tau
        self.degree = degree
        self.constant = constant
        self.offset = offset

    def _kernel(self):
        if callable(self.kernel):
            return self.kernel
        name = _checks.choice("kernel", self.kernel, ("linear", "polynomial", "rbf"))
        return {
            "linear": kernels.linear_kernel,
            "polynomial": functools.partial(kernels.polynomial_kernel, degree=self.degree, constant=self.constant),
            "rbf": functools.partial(kernels.rbf_kernel, tau=self.tau),
        }[name]


class KernelSVMEstimator(_Kernel):
    """`representer.fit_kernel_svm`."""

    def _learn(self, X, y):
        return representer.fit_kernel_svm(X, y, self._kernel(), lam=self.lam, offset=self.offset)


class KernelLogisticEstimator(_Probabilities, _Kernel):
    """`representer.fit_kernel_logistic`."""

    def _learn(self, X, y):
        return representer.fit_kernel_logistic(X, y, self._kernel(), lam=self.lam, offset=self.offset)


class PerceptronEstimator(_Linear):
    """`perceptron.fit_perceptron`: for data that a line can separate."""

    def __init__(self, max_epochs=1000, offset=True):
        self.max_epochs = max_epochs
        self.offset = offset

    def _learn(self, X, y):
        return perceptron.fit_perceptron(X, y, max_epochs=self.max_epochs, offset=self.offset)


class StochasticEstimator(_Linear):
    """`descent.fit_sgd` with any loss of the margin, by its name: "hinge", "logistic", …

    There is never a certificate, and so no warning: look at `fit_.history`.
    """

    _certified = False

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
        self.random_state = random_state

    def _learn(self, X, y):
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        return descent.fit_sgd(
            X,
            y,
            losses.Loss(self.loss) if isinstance(self.loss, str) else self.loss,
            lam=self.lam,
            eta=self.eta,
            epochs=self.epochs,
            batch=self.batch,
            sampling=self.sampling,
            keep=self.keep,
            rng=np.random.default_rng(seed),
            offset=self.offset,
        )
