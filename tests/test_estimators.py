"""The scikit-learn adapter: scikit-learn's own checks, and the same scores as its estimators at the same objective."""

import pickle

import numpy as np
import pytest
from sklearn import datasets, linear_model, svm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from linclass import conventions, estimators, losses
from linclass.estimators import (
    KernelLogisticEstimator,
    KernelSVMEstimator,
    LogisticEstimator,
    PerceptronEstimator,
    SoftmaxEstimator,
    StochasticEstimator,
    SVMEstimator,
)

ALL = [
    LogisticEstimator(),
    SVMEstimator(),
    SoftmaxEstimator(),
    KernelSVMEstimator(),
    KernelLogisticEstimator(),
    PerceptronEstimator(max_epochs=10),
    StochasticEstimator(epochs=100),
    LogisticEstimator(lam=0.1),
    SoftmaxEstimator(lam=0.1),
]


# A row drawn once with weight 2 is not two rows drawn apart. Scikit-learn's own SGDClassifier is excused likewise.
STOCHASTIC = "the objective is the same, the steps to it are not"
NO_MINIMUM = "its data are separable, so at lam = 0 there is no minimiser to agree on; checked at lam = 0.1"
NONE_AT_0 = dict.fromkeys(
    ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"], NO_MINIMUM
)
XFAIL = {
    "StochasticEstimator": {
        "check_sample_weight_equivalence_on_dense_data": STOCHASTIC,
        "check_sample_weight_equivalence_on_sparse_data": STOCHASTIC,
    }
}


def expected(estimator):
    """Checks that ask for what cannot be, with the reason."""
    return NONE_AT_0 if getattr(estimator, "lam", 1) == 0 else XFAIL.get(type(estimator).__name__, {})


# The checks use separable data too, on which a fit at lam = 0 rightly warns, as the perceptron does on others. One
# check per estimator, of arrays that are not NumPy's, scikit-learn itself skips unless SCIPY_ARRAY_API is set.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ALL, expected_failed_checks=expected)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def cancer():
    """565 tumours, so that 5 folds have 452 each to learn from: C and lam then mean the same in all of them."""
    X, y = datasets.load_breast_cancer(return_X_y=True)
    return X[:565], np.array(["malignant", "benign"])[y[:565]]


LAMS = [1e-3, 1e-2, 1e-1]
CS = [conventions.C_from_lam(lam, 452) for lam in LAMS]


def search(estimator, grid, X, y, scoring):
    """Scores of a grid search over a pipeline with scaling, five folds."""
    pipeline = make_pipeline(StandardScaler(), estimator)
    name = pipeline.steps[-1][0]
    grid = {f"{name}__{key}": values for key, values in grid.items()}
    found = GridSearchCV(pipeline, grid, cv=KFold(5), scoring=scoring, refit=False, error_score="raise").fit(X, y)
    return found.cv_results_["mean_test_score"]


@pytest.mark.parametrize(
    "ours, theirs, scoring",
    [
        (LogisticEstimator(), linear_model.LogisticRegression(tol=1e-10, max_iter=10_000), "accuracy"),
        (LogisticEstimator(), linear_model.LogisticRegression(tol=1e-10, max_iter=10_000), "neg_log_loss"),
        (SVMEstimator(), svm.SVC(kernel="linear", tol=1e-8), "accuracy"),
        (SVMEstimator(), svm.SVC(kernel="linear", tol=1e-8), "roc_auc"),
    ],
)
def test_a_grid_search_scores_as_scikit_learn_does(ours, theirs, scoring):
    X, y = cancer()
    scores = search(ours, {"lam": LAMS}, X, y, scoring), search(theirs, {"C": CS}, X, y, scoring)
    np.testing.assert_allclose(*scores, rtol=1e-5)


def test_a_kernel_machine_scores_as_scikit_learn_does():
    X, y = cancer()
    theirs = svm.SVC(C=conventions.C_from_lam(0.01, 120), gamma=conventions.gamma_from_tau(4.0), tol=1e-8)
    ours = search(KernelSVMEstimator(lam=0.01), {"tau": [4.0]}, X[:150], y[:150], "roc_auc")
    np.testing.assert_allclose(ours, search(theirs, {}, X[:150], y[:150], "roc_auc"), rtol=1e-6)


def test_softmax_scores_as_scikit_learn_does():
    X, y = datasets.load_wine(return_X_y=True)
    X, y = X[:175], np.array(["barolo", "grignolino", "barbera"])[y[:175]]
    rows = np.random.default_rng(0).permutation(175)
    theirs = linear_model.LogisticRegression(tol=1e-10, max_iter=10_000)
    Cs = [conventions.C_from_lam(lam, 140) for lam in LAMS]
    for scoring in ("accuracy", "neg_log_loss"):
        ours = search(SoftmaxEstimator(), {"lam": LAMS}, X[rows], y[rows], scoring)
        np.testing.assert_allclose(ours, search(theirs, {"C": Cs}, X[rows], y[rows], scoring), rtol=1e-5)


def test_coefficients_are_those_of_scikit_learn():
    X, y = cancer()
    X = StandardScaler().fit_transform(X)
    ours = LogisticEstimator(lam=0.01).fit(X, y)
    theirs = linear_model.LogisticRegression(C=conventions.C_from_lam(0.01, len(y)), tol=1e-10).fit(X, y)
    assert list(ours.classes_) == list(theirs.classes_)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-4)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    two = SoftmaxEstimator(lam=0.02).fit(X, y)  # with two classes logistic regression at half the lam
    np.testing.assert_allclose(two.coef_, ours.coef_, atol=1e-6)
    np.testing.assert_allclose(two.intercept_, ours.intercept_, atol=1e-6)


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_copies_pickles_and_feature_names(estimator):
    X, y = datasets.load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.iloc[::5, :4] / X.iloc[::5, :4].std()
    fitted = clone(estimator).fit(X, y.iloc[::5])
    assert list(fitted.feature_names_in_) == list(X.columns)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(again.decision_function(X), fitted.decision_function(X))
    assert fitted.score(X, y.iloc[::5]) > (0.6 if isinstance(estimator, PerceptronEstimator) else 0.8)
    assert type(estimator).__name__ in estimator._repr_html_()
    with pytest.raises(NotFittedError):
        clone(fitted).predict(X)


def test_more_than_two_classes_by_one_against_the_rest():
    X, y = datasets.load_iris(return_X_y=True)
    scores = cross_val_score(OneVsRestClassifier(SVMEstimator()), X, y, cv=5)
    assert scores.mean() > 0.9
    one, other = SVMEstimator().fit(X, y), OneVsRestClassifier(SVMEstimator()).fit(X, y)
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))
    assert one.coef_.shape == (3, 4) and one.intercept_.shape == (3,) and len(one.fit_) == 3


def test_what_was_not_found_is_said():
    X, y = np.array([[-1.0], [-2.0], [1.0], [2.0]]), ["no", "no", "yes", "yes"]
    with pytest.warns(ConvergenceWarning, match="separable"):
        LogisticEstimator().fit(X, y)
    with pytest.raises(ValueError, match="kernel must be one of"):
        KernelSVMEstimator(kernel="sigmoid").fit(X, y)
    with pytest.raises(ValueError, match="one class"):
        SVMEstimator().fit(X, ["no"] * 4)


def test_kernels_by_name_are_those_of_the_package(problem):
    X, y = problem
    by_name = KernelSVMEstimator(kernel="polynomial", degree=3, constant=2.0).fit(X, y)
    by_function = KernelSVMEstimator(kernel=lambda X, Z: (X @ Z.T + 2.0) ** 3).fit(X, y)
    np.testing.assert_allclose(by_name.decision_function(X), by_function.decision_function(X), rtol=1e-5, atol=1e-5)
    linear = KernelSVMEstimator(kernel="linear").fit(X, y)
    np.testing.assert_allclose(linear.decision_function(X), SVMEstimator().fit(X, y).decision_function(X), atol=1e-5)


def test_a_loss_by_its_name_or_itself(problem):
    X, y = problem
    one, other = StochasticEstimator("logistic").fit(X, y), StochasticEstimator(losses.LOGISTIC).fit(X, y)
    np.testing.assert_array_equal(one.coef_, other.coef_)
    assert not np.array_equal(one.coef_, StochasticEstimator("logistic", random_state=1).fit(X, y).coef_)


def test_every_estimator_is_checked():
    public = {name for name in vars(estimators) if name.endswith("Estimator") and name[0] != "_"} - {"BaseEstimator"}
    assert public == {type(estimator).__name__ for estimator in ALL}
