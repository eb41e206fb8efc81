"""The scikit-learn adapter: scikit-learn's own checks, and the same scores as its estimators at the same objective."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context, datasets, linear_model, svm
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from linclass import conventions, estimators, kernels, losses
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
XFAIL = {
    "StochasticEstimator": {
        "check_sample_weight_equivalence_on_dense_data": STOCHASTIC,
        "check_sample_weight_equivalence_on_sparse_data": STOCHASTIC,
    }
}


def expected(estimator):
    """Checks that ask for what cannot be, with the reason."""
    return XFAIL.get(type(estimator).__name__, {})


# The checks use separable data too, on which a fit at lam = 0 rightly warns, as the perceptron does on others. One
# check per estimator, of arrays that are not NumPy's, scikit-learn itself skips unless SCIPY_ARRAY_API is set.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.long
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


THREE = [
    LogisticEstimator(lam=0.01),
    SoftmaxEstimator(lam=0.01),
    SVMEstimator(),
    KernelSVMEstimator(tau="scale"),
    KernelLogisticEstimator(tau="scale"),
    PerceptronEstimator(max_epochs=50),
    StochasticEstimator(epochs=50),
]


def flowers():
    X, y = datasets.load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), np.array(["setosa", "versicolor", "virginica"])[y]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", THREE, ids=lambda e: type(e).__name__)
def test_many_classes_have_the_shapes_that_users_expect(estimator):
    X, y = flowers()
    fitted = clone(estimator).fit(X, y)
    S = fitted.decision_function(X)
    assert S.shape == (150, 3) and fitted.score(X, y) > 0.6 and fitted.n_iter_ >= 1
    assert (fitted.classes_[S.argmax(axis=1)] == fitted.predict(X)).all()
    if hasattr(fitted, "coef_"):
        assert fitted.coef_.shape == (3, 4) and fitted.intercept_.shape == (3,)
        np.testing.assert_allclose(X @ fitted.coef_.T + fitted.intercept_, S, atol=1e-9)
    if hasattr(fitted, "predict_proba"):
        P = fitted.predict_proba(X)
        np.testing.assert_allclose(P.sum(axis=1), 1.0)
        np.testing.assert_allclose(np.exp(fitted.predict_log_proba(X)), P)
    two = clone(estimator).fit(X[:100], y[:100])
    assert two.decision_function(X).shape == (150,)
    assert not hasattr(two, "coef_") or two.coef_.shape == (1, 4)


def test_logistic_regression_of_many_classes_is_scikit_learns():
    X, y = flowers()
    ours = LogisticEstimator(lam=0.01).fit(X, y)
    theirs = linear_model.LogisticRegression(C=conventions.C_from_lam(0.01, 150), tol=1e-10, max_iter=1000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-4)
    far = LogisticEstimator(lam=1e-6).fit(X[:100], y[:100]).predict_log_proba(1e3 * X)
    assert np.isfinite(far).all() and far.min() < -1000  # where the probability itself is 0


@pytest.mark.parametrize("weight", [None, "balanced", {"benign": 5.0}])
@pytest.mark.parametrize(
    "ours, theirs",
    [
        (LogisticEstimator(lam=0.01), linear_model.LogisticRegression(tol=1e-10, max_iter=10_000)),
        (SVMEstimator(lam=0.01), svm.SVC(kernel="linear", tol=1e-8)),
        (KernelSVMEstimator(lam=0.01, tau="scale"), svm.SVC(tol=1e-8)),
    ],
    ids=["logistic", "svm", "kernel"],
)
def test_weights_of_classes_and_examples_are_those_of_scikit_learn(ours, theirs, weight):
    X, y = cancer()
    X, y, w = StandardScaler().fit_transform(X)[:200], y[:200], np.random.default_rng(0).uniform(0.2, 3.0, 200)
    ours = clone(ours).set_params(class_weight=weight).fit(X, y, sample_weight=w)
    total = ours._weights(np.searchsorted(ours.classes_, y), w)
    balanced = {label: total[y == label][0] / w[y == label][0] for label in ours.classes_}
    C = conventions.C_from_lam(0.01, (w * [balanced[label] for label in y]).sum())  # n is the sum of the weights
    theirs = clone(theirs).set_params(class_weight=balanced, C=C)
    # SVC takes gamma from the rows without their weights.
    if "gamma" in theirs.get_params() and theirs.kernel == "rbf":
        theirs.set_params(gamma=conventions.gamma_from_tau(ours.tau_))
    theirs.fit(X, y, sample_weight=w)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=2e-3)
    if weight == "balanced":
        assert total[y == "benign"].sum() == pytest.approx(total[y == "malignant"].sum())


def test_boosting_calibration_and_routing_pass_weights_on():
    X, y = cancer()
    X, y = StandardScaler().fit_transform(X)[:200, :3], y[:200]
    w = np.random.default_rng(0).integers(0, 3, 200).astype(float)
    boosted = AdaBoostClassifier(LogisticEstimator(lam=0.1), n_estimators=5).fit(X, y, sample_weight=w + 1)
    assert len(boosted.estimators_) >= 2 and boosted.score(X, y) > 0.8
    calibrated = CalibratedClassifierCV(SVMEstimator(), cv=3).fit(X, y, sample_weight=w)
    assert calibrated.predict_proba(X).shape == (200, 2)
    with config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        routed = make_pipeline(scaler, SVMEstimator().set_fit_request(sample_weight=True))
        routed.fit(X, y, sample_weight=w)
        scaled = routed[0].transform(X)
        np.testing.assert_array_equal(routed[-1].coef_, SVMEstimator().fit(scaled, y, sample_weight=w).coef_)


def test_support_vectors_are_rows_of_the_data():
    X, y = flowers()
    w = np.ones(150)
    w[::3] = 0.0
    for estimator in (SVMEstimator(), KernelSVMEstimator()):
        for rows in (slice(None), slice(50, None)):
            fitted = estimator.fit(X[rows], y[rows], sample_weight=w[rows])
            np.testing.assert_array_equal(fitted.support_vectors_, X[rows][fitted.support_])
            assert (w[rows][fitted.support_] > 0).all() and 0 < len(fitted.support_) < 100


@pytest.mark.parametrize("kind", [KernelSVMEstimator, KernelLogisticEstimator])
@pytest.mark.parametrize("rows", [slice(None), slice(50, None)], ids=["three classes", "two"])
def test_a_precomputed_kernel_is_the_kernel_itself(kind, rows):
    X, y = flowers()
    X, y = X[rows], y[rows]
    w = np.resize([1.0, 0.0, 2.0], len(y))
    K = kernels.rbf_kernel(X, X, 1.3)
    one = kind(tau=1.3).fit(X, y, sample_weight=w)
    other = kind(kernel="precomputed").fit(K, y, sample_weight=w)
    np.testing.assert_allclose(other.decision_function(K), one.decision_function(X), atol=1e-6)
    assert other.__sklearn_tags__().input_tags.pairwise and not one.__sklearn_tags__().input_tags.pairwise
    scores = [cross_val_score(e, A, y, cv=3) for e, A in ((kind(tau=1.3), X), (kind(kernel="precomputed"), K))]
    np.testing.assert_allclose(*scores)
    again = pickle.loads(pickle.dumps(other))
    np.testing.assert_array_equal(again.predict(K[:5]), other.predict(K[:5]))
    with pytest.raises(ValueError, match="symmetric"):
        kind(kernel="precomputed").fit(np.triu(K) + 5, y)


def test_a_bandwidth_from_the_data_is_scikit_learns():
    X, y = cancer()
    ours = KernelSVMEstimator(tau="scale", lam=0.01).fit(X[:200], y[:200])
    theirs = svm.SVC(C=conventions.C_from_lam(0.01, 200), tol=1e-8).fit(X[:200], y[:200])
    assert conventions.gamma_from_tau(ours.tau_) == pytest.approx(theirs._gamma, rel=1e-12)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)


@pytest.mark.parametrize("count", [2, 3])
def test_steps_go_on_from_where_they_were(count):
    X, y = flowers()
    X, y = X[: 50 * count], y[: 50 * count]
    settings = {"sampling": "cycle", "keep": "last", "eta": losses_rule, "loss": "logistic"}
    whole = StochasticEstimator(epochs=3, **settings).fit(X, y)
    parts = StochasticEstimator(**settings)
    for _ in range(3):
        parts.partial_fit(X, y, classes=np.unique(y))
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-12)
    np.testing.assert_allclose(parts.intercept_, whole.intercept_, rtol=1e-12)
    one_class = StochasticEstimator(**settings).partial_fit(X[:10], y[:10], classes=np.unique(y))
    assert set(one_class.partial_fit(X[50:60], y[50:60]).predict(X)) <= set(y)
    weighted = StochasticEstimator(**settings).partial_fit(X, y, np.unique(y), np.resize([2.0, 0.0], len(y)))
    doubled = StochasticEstimator(**settings | {"class_weight": dict.fromkeys(y, 2.0)})
    np.testing.assert_allclose(doubled.partial_fit(X[::2], y[::2], np.unique(y)).coef_, weighted.coef_)
    csr = StochasticEstimator(**settings).partial_fit(sparse.csr_array(X), y, np.unique(y))
    np.testing.assert_allclose(csr.coef_, StochasticEstimator(**settings | {"epochs": 1}).fit(X, y).coef_, rtol=1e-9)
    warm = StochasticEstimator(epochs=5, warm_start=True, loss="logistic", sampling="cycle", keep="last")
    before = warm.fit(X, y).fit_
    after = warm.fit(X, y).fit_
    first = [fit[0] if count == 3 else fit for fit in (before, after)]
    assert first[1].history[0] < first[0].history[-1] * 1.01 < first[0].history[0]
    with pytest.raises(ValueError, match="classes must be all labels"):
        StochasticEstimator().partial_fit(X, y)
    with pytest.raises(ValueError, match="y must be labels of the classes"):
        parts.partial_fit(X, np.where(y == y[0], "rose", y))
    with pytest.raises(ValueError, match="class_weight must be None or a table"):
        StochasticEstimator(class_weight="balanced").partial_fit(X, y, np.unique(y))


def losses_rule(t):
    """A step size that falls, so that steps must be counted on."""
    return 0.5 / np.sqrt(t)


def test_masks_and_dask_are_refused_and_single_precision_is_cast():
    da = pytest.importorskip("dask.array")
    X, y = flowers()
    masked = np.ma.masked_array(X, X > 2)
    for estimator in (SVMEstimator(), PerceptronEstimator(), StochasticEstimator()):
        with pytest.raises(ValueError, match="X must be an array without a mask"):
            clone(estimator).fit(masked, y)
        with pytest.raises(ValueError, match=f"X must be in memory .* since {type(estimator).__name__} needs all rows"):
            clone(estimator).fit(da.from_array(X), y)
    fitted = LogisticEstimator(lam=0.1).fit(X.astype(np.float32), y)
    with pytest.raises(ValueError, match=r"ask fit_.model, which reads them block by block"):
        fitted.predict(da.from_array(X))
    assert fitted.coef_.dtype == np.float64 and fitted.fit_.converged
