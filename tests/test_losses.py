"""The seven losses: specific values, limits, derivatives, what they bound, and what they accept."""

import mpmath
import numpy as np
import pandas as pd
import pytest

from linclass import gradcheck, losses

INF = np.inf
LOG2 = np.log(2.0)
NAMES = [name.removesuffix("_loss") for name in losses.__all__ if name.endswith("_loss")]
LOSSES = [getattr(losses, name.upper()) for name in NAMES]
SLOPED = [loss for loss in LOSSES if f"{loss.name}_slope" in losses.__all__]
CURVED = [loss for loss in LOSSES if f"{loss.name}_curvature" in losses.__all__]
FORMULAS = [
    getattr(losses, f"{name}_{kind}")
    for name in NAMES
    for kind in ("loss", "slope", "curvature")
    if hasattr(losses, f"{name}_{kind}")
]
by_name = {"ids": lambda value: getattr(value, "name", getattr(value, "__name__", None))}

every_loss = pytest.mark.parametrize("loss", LOSSES, **by_name)
every_slope = pytest.mark.parametrize("loss", SLOPED, **by_name)
every_curvature = pytest.mark.parametrize("loss", CURVED, **by_name)
every_formula = pytest.mark.parametrize("formula", FORMULAS, **by_name)

MARGINS = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0])


# --- Values ------------------------------------------------------------------------------------------------------

LOGISTIC_VALUES = [  # ln(1 + exp(-z)), by mpmath
    3.048587351573742, 1.3132616875182228, 0.9740769841801067, 0.6931471805599453,
    0.4740769841801067, 0.31326168751822286, 0.048587351573742055,
]  # fmt: skip


@pytest.mark.ledger("eq-zero-one", "eq-perceptron-loss", "eq-hinge-loss", "eq-logistic-loss", "eq-exponential-loss")
@pytest.mark.ledger("eq-squared-loss", "eq-modified-squared-loss")
@pytest.mark.parametrize(
    "formula, expected",
    [
        (losses.zero_one_loss, [1, 1, 1, 1, 0, 0, 0]),
        (losses.perceptron_loss, [3, 1, 0.5, 0, 0, 0, 0]),
        (losses.hinge_loss, [4, 2, 1.5, 1, 0.5, 0, 0]),
        (losses.logistic_loss, LOGISTIC_VALUES),
        (losses.exponential_loss, [np.e**3, np.e, np.e**0.5, 1, np.e**-0.5, 1 / np.e, np.e**-3]),
        (losses.squared_loss, [16, 4, 2.25, 1, 0.25, 0, 4]),
        (losses.modified_squared_loss, [16, 4, 2.25, 1, 0.25, 0, 0]),
    ],
    **by_name,
)
def test_values(formula, expected):
    np.testing.assert_allclose(formula(MARGINS), expected, rtol=4e-15)


@pytest.mark.ledger("eq-kink-slopes")
def test_slopes_of_the_losses_with_a_kink_push_at_the_kink():
    np.testing.assert_array_equal(losses.perceptron_slope(MARGINS), [-1, -1, -1, -1, 0, 0, 0])
    np.testing.assert_array_equal(losses.hinge_slope(MARGINS), [-1, -1, -1, -1, -1, -1, 0])
    assert losses.perceptron_slope(0) == losses.hinge_slope(1) == -1
    assert losses.perceptron_slope(np.nextafter(0, 1)) == losses.hinge_slope(np.nextafter(1, 2)) == 0


@pytest.mark.ledger("eq-smooth-slopes")
def test_slopes_of_the_smooth_losses():
    assert losses.logistic_slope(0) == -0.5
    assert losses.logistic_slope(np.log(3)) == pytest.approx(-0.25, rel=1e-15)
    assert losses.exponential_slope(-2) == -np.exp(2.0)
    np.testing.assert_array_equal(losses.squared_slope(MARGINS), [-8, -4, -3, -2, -1, 0, 4])
    np.testing.assert_array_equal(losses.modified_squared_slope(MARGINS), [-8, -4, -3, -2, -1, 0, 0])


@pytest.mark.ledger("eq-curvatures")
def test_curvatures():
    assert losses.logistic_curvature(0) == 0.25
    assert losses.logistic_curvature(np.log(3)) == pytest.approx(3 / 16, rel=1e-15)
    assert losses.exponential_curvature(-2) == np.exp(2.0)
    np.testing.assert_array_equal(losses.squared_curvature(MARGINS), 2)
    np.testing.assert_array_equal(losses.modified_squared_curvature(MARGINS), [2, 2, 2, 2, 2, 0, 0])


# --- The whole range of a double ---------------------------------------------------------------------------------

EXTREME = np.concatenate([
    np.linspace(-40, 40, 201), np.linspace(700, 750, 101), -np.linspace(700, 750, 101),
    [1e-300, 1e-20, 1e-8, 1e3, 1e4], [-1e-300, -1e-20, -1e-8, -1e3, -1e4],
])  # fmt: skip


def exact(formula, z):
    """The double nearest to `formula` at the double z, from 60 digits."""
    with mpmath.workdps(60):
        return float(formula(mpmath.mpf(float(z))))


@pytest.mark.ledger("eq-logistic-loss")
@pytest.mark.ledger("eq-smooth-slopes")
@pytest.mark.ledger("eq-curvatures")
@pytest.mark.parametrize(
    "ours, formula",
    [
        (losses.logistic_loss, lambda z: mpmath.log1p(mpmath.exp(-z))),
        (losses.logistic_slope, lambda z: -1 / (1 + mpmath.exp(z))),
        (losses.logistic_curvature, lambda z: mpmath.exp(-z) / (1 + mpmath.exp(-z)) ** 2),
    ],
    **by_name,
)
def test_logistic_to_the_last_digits(ours, formula):
    truth = np.array([exact(formula, z) for z in EXTREME])
    subnormal = np.nextafter(0.0, 1.0)
    error = np.abs(ours(EXTREME) - truth)
    wrong = EXTREME[(error > 1e-14 * np.abs(truth)) & (error > subnormal)]
    assert len(wrong) == 0, f"{ours.__name__} is off at z = {wrong[:3]} and {len(wrong)} places in all"


LIMITS = [  # at -inf, at +inf
    (losses.zero_one_loss, 1, 0),
    (losses.perceptron_loss, INF, 0),
    (losses.perceptron_slope, -1, 0),
    (losses.hinge_loss, INF, 0),
    (losses.hinge_slope, -1, 0),
    (losses.logistic_loss, INF, 0),
    (losses.logistic_slope, -1, 0),
    (losses.logistic_curvature, 0, 0),
    (losses.exponential_loss, INF, 0),
    (losses.exponential_slope, -INF, 0),
    (losses.exponential_curvature, INF, 0),
    (losses.squared_loss, INF, INF),
    (losses.squared_slope, -INF, INF),
    (losses.squared_curvature, 2, 2),
    (losses.modified_squared_loss, INF, 0),
    (losses.modified_squared_slope, -INF, 0),
    (losses.modified_squared_curvature, 2, 0),
]


@pytest.mark.parametrize("formula, left, right", LIMITS, **by_name)
def test_limits(formula, left, right):
    np.testing.assert_array_equal(formula([-INF, INF]), [left, right])


def test_the_table_of_limits_is_complete():
    assert {formula for formula, *_ in LIMITS} == set(FORMULAS)


@every_formula
def test_nan_gives_nan(formula):
    np.testing.assert_array_equal(np.isnan(formula([np.nan, 0.0, np.nan])), [True, False, True])
    assert np.isnan(formula(np.nan))


@every_formula
def test_no_warning_anywhere(formula):
    """Warnings are errors here, so an overflow that warns would fail; what exceeds a double is infinite."""
    formula(np.array([0.0, -0.0, 5e-324, 1e-308, 710.0, -710.0, 1e154, -1e155, 1.7e308, -1.7e308]))


def test_what_exceeds_a_double_is_infinite():
    assert losses.exponential_loss(-710) == INF
    assert losses.squared_loss(-1e200) == losses.squared_loss(1e200) == losses.modified_squared_loss(-1e200) == INF
    assert losses.logistic_loss(-1.7e308) == losses.hinge_loss(-1.7e308) == 1.7e308


# --- Derivatives -------------------------------------------------------------------------------------------------

AWAY_FROM_KINKS = np.array([-7.3, -2.1, -0.9, -0.2, 0.3, 0.8, 1.4, 2.6, 6.5])


@every_slope
@pytest.mark.ledger("eq-kink-slopes")
@pytest.mark.ledger("eq-smooth-slopes")
def test_slope_against_finite_differences(loss):
    for z in AWAY_FROM_KINKS:
        numeric = gradcheck.numeric_grad(lambda v: loss.value(v[0]), [z])[0]
        assert loss.slope(z) == pytest.approx(numeric, rel=1e-6, abs=1e-8), f"{loss.name}_slope at z = {z}"


@every_curvature
@pytest.mark.ledger("eq-curvatures")
def test_curvature_against_differences_of_the_slope(loss):
    for z in AWAY_FROM_KINKS:
        numeric = gradcheck.numeric_grad(lambda v: loss.slope(v[0]), [z])[0]
        assert loss.curvature(z) == pytest.approx(numeric, rel=1e-6, abs=1e-8), f"{loss.name}_curvature at z = {z}"


@every_slope
@pytest.mark.ledger("eq-kink-slopes")
def test_slope_is_a_sub_gradient_everywhere(loss):
    """phi(w) >= phi(z) + phi'(z) (w - z) for all pairs, the kinks at 0 and 1 among them."""
    z = np.linspace(-4, 4, 81)[:, None]
    w = np.linspace(-6, 6, 241)[None, :]
    above = loss.value(z) + loss.slope(z) * (w - z) - loss.value(w) > 1e-12
    assert not above.any(), f"{loss.name}_slope is no sub-gradient at z = {z[above.any(axis=1)][0, 0]:.1f}"


# --- Bounds, and the losses beside each other --------------------------------------------------------------------

WIDE = np.concatenate([np.linspace(-50, 50, 20_001), [-1e6, -1e-12, 0.0, 1e-12, 1e6]])


@pytest.mark.parametrize("loss", [losses.HINGE, losses.EXPONENTIAL, losses.SQUARED, losses.MODIFIED_SQUARED], **by_name)
def test_these_bound_zero_one_as_they_are(loss):
    assert np.all(loss.value(WIDE) >= losses.zero_one_loss(WIDE))


@pytest.mark.ledger("thm-logistic-bound")
def test_logistic_over_ln_2_is_the_tight_bound():
    assert np.all(losses.logistic_loss(WIDE) / LOG2 >= losses.zero_one_loss(WIDE))
    for smaller in (1.0, 1.4, (1 - 1e-12) / LOG2):
        assert smaller * losses.logistic_loss(0.0) < losses.zero_one_loss(0.0)


@pytest.mark.ledger("thm-no-perceptron-bound")
def test_the_perceptron_loss_bounds_zero_one_at_no_scale():
    for scale in 10.0 ** np.arange(-3, 13):
        assert scale * losses.perceptron_loss(0.0) < losses.zero_one_loss(0.0)
        close = -1 / (2 * scale)  # not only at the tie: every scale leaves mistakes below 1
        assert scale * losses.perceptron_loss(close) < losses.zero_one_loss(close)


@pytest.mark.ledger("thm-hinge-is-shifted-perceptron")
def test_hinge_is_the_perceptron_loss_moved_by_one():
    z = np.arange(-64, 65) / 8  # eighths, so that z - 1 is exact
    np.testing.assert_array_equal(losses.hinge_loss(z), losses.perceptron_loss(z - 1))
    np.testing.assert_array_equal(losses.hinge_slope(z), losses.perceptron_slope(z - 1))


@pytest.mark.ledger("thm-loss-convexity")
@pytest.mark.ledger("eq-midpoint")
def test_zero_one_is_not_convex_and_there_is_a_witness():
    a, b = gradcheck.convexity_witness(losses.zero_one_loss, np.linspace(-2, 2, 17))
    middle, chord = losses.zero_one_loss((a + b) / 2), (losses.zero_one_loss(a) + losses.zero_one_loss(b)) / 2
    assert middle > chord


@every_slope
@pytest.mark.ledger("thm-loss-convexity")
def test_the_six_others_are_convex(loss):
    points = np.concatenate([np.linspace(-8, 8, 65), [-700.0, -30.0, 30.0, 700.0]])
    assert gradcheck.convexity_witness(loss.value, points) is None
    assert np.all(np.diff(loss.slope(np.linspace(-8, 8, 1001))) >= 0), "the slope of a convex function never falls"
    if loss in CURVED:
        assert np.all(loss.curvature(WIDE) >= 0)


@every_slope
def test_all_but_the_squared_loss_never_rise(loss):
    falls = np.all(loss.slope(WIDE) <= 0)
    assert falls == (loss is not losses.SQUARED)


# --- Inputs ------------------------------------------------------------------------------------------------------


@every_formula
def test_a_number_in_a_number_out(formula):
    for z in (0.5, 2, True, np.float32(0.5), np.int8(-1), np.array(0.5)):
        assert isinstance(formula(z), np.float64)


@every_formula
def test_shapes_are_kept(formula):
    for shape in [(0,), (1,), (5,), (2, 3), (4, 1, 2), (0, 3)]:
        assert formula(np.ones(shape)).shape == shape
        assert formula(np.ones(shape)).dtype == np.float64


def kinds_of_input():
    z = np.array([[-2.0, -1.0, 0.0], [0.0, 1.0, 2.0]])
    frozen = z.copy()
    frozen.flags.writeable = False
    wide = np.zeros((4, 9))
    wide[::2, ::3] = z
    return {
        "integers": z.astype(int),
        "small integers": z.astype(np.int8),
        "float32": z.astype(np.float32),
        "Fortran order": np.asfortranarray(z),
        "read-only": frozen,
        "every third column": wide[::2, ::3],
        "backwards": z[::-1, ::-1][::-1, ::-1],
        "list": z.tolist(),
        "tuple": tuple(map(tuple, z)),
        "data frame": pd.DataFrame(z, index=[7, 3], columns=list("abc")),
        "data frame of integers": pd.DataFrame(z.astype(int)),
    }


@every_formula
@pytest.mark.parametrize("kind", kinds_of_input())
def test_every_kind_of_array_gives_the_same(formula, kind):
    z = kinds_of_input()[kind]
    before = np.array(z, copy=True)
    answer = formula(z)
    assert isinstance(answer, np.ndarray)
    np.testing.assert_array_equal(answer, formula(np.array([[-2.0, -1.0, 0.0], [0.0, 1.0, 2.0]])))
    np.testing.assert_array_equal(np.array(z), before)


@every_formula
def test_a_series(formula):
    z = pd.Series([-1.0, 0.0, 1.0], index=["c", "a", "b"])
    np.testing.assert_array_equal(formula(z), formula([-1.0, 0.0, 1.0]))


@every_formula
@pytest.mark.parametrize("bad", ["high", None, 1j, [[1.0, 2.0], [3.0]], [1.0, "a"], {}, [None]], ids=repr)
def test_what_is_no_number_is_refused(formula, bad):
    with pytest.raises(ValueError, match=r"^z must be .*; got "):
        formula(bad)


# --- The Loss objects --------------------------------------------------------------------------------------------


@every_loss
def test_a_loss_is_its_functions(loss):
    np.testing.assert_array_equal(loss.value(MARGINS), getattr(losses, f"{loss.name}_loss")(MARGINS))
    for kind in ("slope", "curvature"):
        if hasattr(losses, f"{loss.name}_{kind}"):
            np.testing.assert_array_equal(getattr(loss, kind)(MARGINS), getattr(losses, f"{loss.name}_{kind}")(MARGINS))


@pytest.mark.parametrize("kind, method", [("loss", "value"), ("slope", "slope"), ("curvature", "curvature")])
def test_a_loss_looks_its_functions_up_when_called(monkeypatch, kind, method):
    monkeypatch.setattr(losses, f"logistic_{kind}", lambda z: 42.0)
    assert getattr(losses.LOGISTIC, method)(0.0) == 42.0


def test_a_loss_without_slope_or_curvature_says_so():
    with pytest.raises(ValueError, match="loss must be a loss with a slope; got zero_one"):
        losses.ZERO_ONE.slope(0.0)
    for loss in (losses.PERCEPTRON, losses.HINGE):
        with pytest.raises(ValueError, match=f"loss must be a loss with a curvature; got {loss.name}"):
            loss.curvature(0.0)


def test_a_loss_of_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"name of a loss must be one of 'zero_one', .*; got str 'log_loss'"):
        losses.Loss("log_loss")
    with pytest.raises(ValueError, match="loss must be a loss of the margin"):
        losses.on_scores(None)


def test_a_loss_cannot_be_changed():
    with pytest.raises(AttributeError):
        losses.HINGE.name = "logistic"


@every_slope
@pytest.mark.ledger("eq-on-scores")
def test_a_margin_loss_as_a_loss_of_scores(loss):
    s, y = np.repeat(AWAY_FROM_KINKS, 2), np.tile([-1.0, 1.0], len(AWAY_FROM_KINKS))
    on_scores = losses.on_scores(loss)
    np.testing.assert_array_equal(on_scores.value(s, y), loss.value(y * s))
    for score, label in zip(s, y, strict=True):
        numeric = gradcheck.numeric_grad(lambda v, label=label: on_scores.value(v[0], label), [score])[0]
        assert on_scores.slope(score, label) == pytest.approx(numeric, rel=1e-6, abs=1e-8)


def test_a_loss_of_scores_looks_its_functions_up_when_called(monkeypatch):
    on_scores = losses.on_scores(losses.HINGE)
    monkeypatch.setattr(losses, "hinge_loss", lambda z: 42.0)
    monkeypatch.setattr(losses, "hinge_slope", lambda z: 3.0)
    assert on_scores.value(1.0, -1.0) == 42.0
    assert on_scores.slope(1.0, -1.0) == -3.0


def test_squared_error_for_real_targets():
    s, y = np.array([-1.5, 0.0, 2.0]), np.array([0.5, 0.0, -3.0])
    np.testing.assert_array_equal(losses.SQUARED_ERROR.value(s, y), [2.0, 0.0, 12.5])
    np.testing.assert_array_equal(losses.SQUARED_ERROR.slope(s, y), [-2.0, 0.0, 5.0])
