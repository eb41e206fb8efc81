"""Kernels, kernel learners and SGD on any shape, scale, type and layout: a right answer or a clear ValueError.

Right means: equal to the formula in extended precision, or certified by a gap computed here in extended precision.
Each property also sees that inputs are not written to, and that a second call gives the same bytes.
`LINCLASS_EXAMPLES=1000 pytest tests/test_kernel_and_sgd_properties.py` searches longer.
"""

import functools

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linclass import descent, kernels, losses, representer

LONG = np.longdouble
SLOPED = [losses.PERCEPTRON, losses.HINGE, losses.LOGISTIC, losses.EXPONENTIAL, losses.SQUARED, losses.MODIFIED_SQUARED]
LAYOUTS = {
    "plain": lambda A: A,
    "fortran": np.asfortranarray,
    "every other row, columns reversed": lambda A: np.repeat(A, 2, axis=0)[::2, ::-1][:, ::-1],
    "a column of a wider array": lambda A: np.column_stack([A, A])[:, : A.shape[1]],
    "read only": lambda A: _frozen(A),
    "list": lambda A: A.tolist(),
    "big-endian": lambda A: A.astype(A.dtype.newbyteorder(">")),
}


def _frozen(A):
    A = A.copy()
    A.flags.writeable = False
    return A


@st.composite
def matrices(draw, scales=(-6, 6), rows=(2, 12)):
    """A matrix as a caller may hold it: of any type, layout, and kind of content."""
    n, d, rng = draw(st.integers(*rows)), draw(st.integers(1, 4)), np.random.default_rng(draw(st.integers(0, 9999)))
    kind = draw(st.sampled_from(["normal", "integers", "booleans", "equal rows", "constant column", "cauchy", "zeros"]))
    A = rng.standard_cauchy((n, d)) if kind == "cauchy" else rng.normal(size=(n, d))
    if kind in ("integers", "booleans"):
        A = rng.integers(-3, 4, (n, d)).astype(draw(st.sampled_from([np.int8, np.int64, np.float32])))
        A = A > 0 if kind == "booleans" else A
    elif kind == "zeros":
        A = np.zeros((n, d))
    else:
        A = A[rng.integers(0, n, n)] if kind == "equal rows" else A
        A[:, 0] = 1.0 if kind == "constant column" else A[:, 0]
        A = A * 10.0 ** draw(st.integers(*scales))
        if np.abs(A).max() < 1e37:
            A = A.astype(draw(st.sampled_from([np.float64, np.float32])))
    return LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))](A)


@st.composite
def examples(draw, **kwargs):
    """(X, y) with both labels, y of any type that holds them."""
    X = draw(matrices(**kwargs))
    y = np.random.default_rng(draw(st.integers(0, 9999))).choice([-1, 1], len(X))
    y[:2] = 1, -1
    return X, y.astype(draw(st.sampled_from([np.float64, np.float32, np.int8, np.int64])))


def answer(call, *inputs):
    """What the call gives, twice the same and with its inputs untouched; None if it refuses them with a clear error."""
    before = [np.array(A, copy=True) for A in inputs]
    try:
        first, second = call(), call()
    except ValueError as error:
        assert " must be " in str(error) and "; got " in str(error), error
        first = None
    else:
        assert bytes_of(first) == bytes_of(second)
    for A, B in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(A, B)
    return first


def bytes_of(found):
    """All numbers of an array or of a fit."""
    if isinstance(found, np.ndarray):
        return found.tobytes()
    model = getattr(found, "model", found)
    parts = [getattr(thing, name, 0.0) for thing in (model, found) for name in ("theta", "theta_0", "alpha", "history")]
    return b"".join(np.asarray(part).tobytes() for part in parts)


def search(default):
    return settings(max_examples=oracles.rounds(default), deadline=None, derandomize=True)


# Kernels


@search(60)
@given(X=matrices(scales=(-160, 160)), Z=matrices(scales=(-160, 160)), degree=st.integers(1, 5), c=st.floats(0, 10))
def test_products_are_right_or_refused(X, Z, degree, c):
    Z = np.asarray(Z)[:, :1].repeat(np.shape(X)[1], axis=1)
    A, B = np.asarray(X, dtype=LONG), np.asarray(Z, dtype=LONG)
    size = np.abs(A) @ np.abs(B).T
    K = answer(lambda: kernels.linear_kernel(X, Z), X, Z)
    assert (K is None) == bool((np.abs(A @ B.T) > 1.7e308).any())
    if K is not None:
        assert (np.abs(K - A @ B.T) <= 1e-14 * size + 1e-300).all()
    K = answer(lambda: kernels.polynomial_kernel(X, Z, degree, c), X, Z)
    exact = (A @ B.T + LONG(c)) ** degree
    assert (K is None) == bool((np.abs(exact) > 1.7e308).any()) or size.max() > 1e300
    if K is not None:
        assert (np.abs(K - exact) <= 1e-14 * degree * (size + c) ** degree + 1e-300).all()


@search(60)
@given(X=matrices(scales=(-150, 150)), exponent=st.integers(-150, 150), same=st.booleans(), seed=st.integers(0, 99))
def test_rbf_is_right_on_all_scales(X, exponent, same, seed):
    tau = 10.0**exponent
    Z = X if same else np.random.default_rng(seed).permutation(np.asarray(X, float)) + tau
    K = answer(lambda: kernels.rbf_kernel(X, Z, tau), X, Z)
    steps = (np.asarray(X, float)[:, None, :] - np.asarray(Z, float)[None, :, :]).astype(LONG) / LONG(tau)
    np.testing.assert_allclose(K, np.exp(-np.sum(steps**2, axis=2) / 2).astype(float), rtol=1e-9, atol=1e-300)
    assert ((K >= 0) & (K <= 1)).all() and (not same or (np.diag(K) == 1).all())


@search(30)
@given(values=st.lists(st.floats(-1, 1e300, width=64), min_size=1, max_size=8))
def test_min_is_right_or_refused(values):
    K = answer(lambda: kernels.min_kernel(values, values), values)
    assert (K is None) == (min(values) < 0)
    assert K is None or K.tolist() == [[min(a, b) for b in values] for a in values]


@search(40)
@given(X=matrices(scales=(-160, 160)), exponent=st.integers(-160, 160), count=st.integers(1, 20))
def test_random_features_are_the_formula_or_refused(X, exponent, count):
    tau = 10.0**exponent
    F = answer(lambda: kernels.random_fourier_features(X, tau, count, np.random.default_rng(0)), X)
    rng, A = np.random.default_rng(0), np.asarray(X, float)
    omega, phases = rng.normal(size=(A.shape[1], count)) / tau, rng.uniform(0, 2 * np.pi, count)
    size = np.abs(A).astype(LONG) @ np.abs(omega).astype(LONG)
    if F is None:
        assert size.max() > 1e6
    else:
        exact = np.sqrt(2 / count) * np.cos(A.astype(LONG) @ omega + phases)
        assert (np.abs(F - exact) <= 1e-14 * (1 + size)).all() and (np.abs(F - exact) <= 0.01).all()


# The kernel learners


def kernel_of(name, X, tau):
    spread = np.ptp(np.asarray(X, float), axis=0).max() or 1.0
    return {
        "linear": kernels.linear_kernel,
        "square": functools.partial(kernels.polynomial_kernel, degree=2, constant=1.0),
        "rbf": functools.partial(kernels.rbf_kernel, tau=tau * spread),
    }[name]


def exact_gap(loss, fit, K, y, lam, dual, offset):
    """(risk - dual objective) / risk in extended precision, of an answer and a point of the dual, and its slips."""
    K, alpha, y, dual = (np.asarray(A, dtype=LONG) for A in (K, fit.model.alpha, y, dual))
    f, m, a = K @ alpha, len(y), dual * y
    z = y * (f + fit.model.theta_0)
    values = np.maximum(0, 1 - z) if loss == "hinge" else np.logaddexp(LONG(0), -z)
    risk = values.mean() + lam / LONG(2) * alpha @ f
    if loss == "hinge":
        bound = lam * (dual.sum() - a @ K @ a / 2)
    else:
        p = dual * lam * m
        bound = -(p * np.log(p + (p == 0)) + (1 - p) * np.log(1 - p + (p == 1))).mean() - lam / LONG(2) * a @ K @ a
    slip = abs(a.sum()) * lam * abs(fit.model.theta_0) if offset else 0.0
    rounding = 1e-15 * (np.abs(K) @ np.abs(alpha)).max() / risk  # of the scores in double precision, not in the gap
    return risk, max(0, (risk - bound) / risk - rounding), slip / risk


KERNEL_PROBLEM = {
    "problem": examples(scales=(-3, 3)), "name": st.sampled_from(["linear", "square", "rbf"]), "tau": st.floats(0.1, 5),
    "power": st.integers(-5, 2), "offset": st.booleans(),
}  # fmt: skip


@search(40)
@given(**KERNEL_PROBLEM)
def test_kernel_svm_is_right_or_says_that_it_is_not(problem, name, tau, power, offset):
    (X, y), lam = problem, 10.0**power
    kernel = kernel_of(name, X, tau)
    fit = answer(lambda: representer.fit_kernel_svm(X, y, kernel, lam=lam, offset=offset), X, y)
    K, C = kernel(np.asarray(X, float), np.asarray(X, float)), 1 / (len(y) * lam)
    assert np.isfinite(fit.model.scores(X)).all() and np.isfinite(fit.gap)
    assert (fit.dual >= 0).all() and (fit.dual <= C * (1 + 1e-12)).all()
    if K.max() < 1e7 * lam or (fit.converged and K.max() < 1e9 * lam):
        risk, gap, slip = exact_gap("hinge", fit, K, y, lam, fit.dual, offset)
        assert fit.converged and gap <= 1.1e-8 and slip <= 1e-9, (gap, slip)
        assert fit.history[-1] == pytest.approx(float(risk), rel=1e-8)
    assert fit.converged or K.max() > 1e9 * lam, fit.message  # beyond, not being certified is said


@search(40)
@given(**KERNEL_PROBLEM)
def test_kernel_logistic_is_right_or_says_that_it_is_not(problem, name, tau, power, offset):
    (X, y), lam = problem, 10.0**power
    kernel = kernel_of(name, X, tau)
    fit = answer(lambda: representer.fit_kernel_logistic(X, y, kernel, lam=lam, offset=offset), X, y)
    K, m = kernel(np.asarray(X, float), np.asarray(X, float)), len(y)
    p = fit.model.probabilities(X)
    assert np.isfinite(fit.model.scores(X)).all() and ((p >= 0) & (p <= 1)).all()
    if K.max() < 1e7 * lam or (fit.converged and K.max() < 1e9 * lam):
        z = np.asarray(y, dtype=LONG) * (K.astype(LONG) @ fit.model.alpha + fit.model.theta_0)
        pull = 1 / (1 + np.exp(z))
        if offset:  # balanced, as a point of the dual has to be
            pull = pull - (y @ pull) / np.sum(pull * (1 - pull)) * y * pull * (1 - pull)
        risk, gap, slip = exact_gap("logistic", fit, K, y, lam, pull / (lam * m), offset)
        assert fit.converged and gap <= 1.1e-8 and slip <= 1e-9, (gap, slip)
        assert fit.history[-1] == pytest.approx(float(risk), rel=1e-8)
    assert fit.converged or K.max() > 1e9 * lam, fit.message  # beyond, not being certified is said


@search(40)
@given(
    problem=examples(scales=(-160, 160)), power=st.integers(-8, 4), length=st.integers(-160, 160),
    loss=st.sampled_from([*SLOPED, losses.SQUARED_ERROR]), seed=st.integers(0, 99),
)  # fmt: skip
def test_span_coefficients_are_the_formula_or_refused(problem, power, loss, length, seed):
    (X, y), lam = problem, 10.0**power
    theta = np.random.default_rng(seed).normal(size=np.shape(X)[1]) * 10.0**length
    alpha = answer(lambda: representer.span_coefficients(theta, 0.5, X, y, loss, lam), X, y, theta)
    with np.errstate(over="ignore", invalid="ignore"):
        s = np.asarray(X, float) @ theta + 0.5
        slopes = s - y if loss is losses.SQUARED_ERROR else y * loss.slope(y * s)
        exact = -slopes / (lam * len(y))
    assert (alpha is None) == (not np.isfinite(exact).all())
    if alpha is not None:
        np.testing.assert_allclose(alpha, exact, rtol=1e-12)


@search(40)
@given(
    problem=examples(scales=(-3, 3)), name=st.sampled_from(["linear", "square", "rbf"]), tau=st.floats(0.1, 5),
    power=st.integers(-5, 1), loss=st.sampled_from([*SLOPED, losses.SQUARED_ERROR]), eta=st.floats(1e-4, 2),
    functional=st.booleans(), steps=st.integers(1, 40),
)  # fmt: skip
def test_kernel_sgd_is_the_literal_walk_or_says_that_it_diverged(
    problem, name, tau, power, loss, eta, functional, steps
):
    (X, y), lam, m = problem, 10.0**power, len(problem[1])
    K = kernel_of(name, X, tau)(X, X)
    step = representer.functional_step if functional else None

    def run():
        rng = np.random.default_rng(1)
        return representer.kernel_sgd(K, y, loss, lam=lam, eta=eta, steps=steps, rng=rng, step=step)

    found = answer(run, K, y)
    assert np.isfinite(found.alpha).all() and np.isfinite(found.history).all()
    L = loss if loss is losses.SQUARED_ERROR else losses.on_scores(loss)
    rng, alpha = np.random.default_rng(1), np.zeros(m)
    with np.errstate(all="ignore"):
        for _ in range(found.steps):
            i = rng.integers(m)
            slope = L.slope(K[i] @ alpha, y[i])
            if functional:
                alpha = (1 - eta * lam) * alpha - eta * slope * np.eye(m)[i]
            else:
                alpha = alpha - eta * (slope * K[:, i] + m * lam * alpha[i] * K[:, i])
        value = np.mean(L.value(K @ alpha, y)) + lam / 2 * alpha @ K @ alpha
    if "diverged" in found.message:
        assert not np.isfinite(value)
    elif np.abs(alpha).max() * np.abs(K).max() < 1e3:  # beyond, rounding grows with the walk
        np.testing.assert_allclose(found.alpha, alpha, rtol=1e-6, atol=1e-9 * np.abs(alpha).max() + 1e-300)


# SGD


@search(80)
@given(
    problem=examples(), loss=st.sampled_from(SLOPED), sampling=st.sampled_from(["shuffle", "uniform", "cycle"]),
    batch=st.integers(1, 14), keep=st.sampled_from(["best", "last", "average"]), lam=st.sampled_from([0.0, 1e-3, 1.0]),
    eta=st.sampled_from([1e-3, 0.1, 3.0]), falls=st.booleans(), offset=st.booleans(),
)  # fmt: skip
def test_sgd_is_the_literal_walk_or_says_that_it_diverged(
    problem, loss, sampling, batch, keep, lam, eta, falls, offset
):
    X, y = problem
    rule = descent.inverse_sqrt_step(eta) if falls else descent.constant_step(eta)

    def run():
        return descent.fit_sgd(
            X, y, loss, lam=lam, eta=rule, epochs=3, batch=batch, sampling=sampling, keep=keep,
            rng=np.random.default_rng(2), offset=offset,
        )  # fmt: skip

    fit = answer(run, X, y)
    theta, theta_0 = fit.model.theta, fit.model.theta_0
    assert np.isfinite(theta).all() and np.isfinite(theta_0) and np.isfinite(fit.history).all() and not fit.converged
    assert (offset or theta_0 == 0) and ("diverged" in fit.message) == (len(fit.history) < 3)
    with np.errstate(all="ignore"):
        walk = literal_walk(np.asarray(X, float), np.asarray(y, float), loss, lam, rule, batch, sampling, offset)
        ends, expected = kept_of(walk, keep, lambda u: risk_of(u, X, y, loss, lam))
    if len(fit.history) < 3:  # from a point that such steps flee, rounding sets off the one walk and not the other
        assert not np.isfinite(ends[len(fit.history)]) or eta * np.max(np.asarray(X, float) ** 2) > 1
    elif np.abs(walk).max() * (1 + np.abs(np.asarray(X, float)).max()) < 1e3 and len(set(ends)) == 3:
        at_kink = loss in (losses.PERCEPTRON, losses.HINGE)  # rounding may take the other side
        if not at_kink:
            np.testing.assert_allclose(np.append(theta, theta_0), expected, rtol=1e-6, atol=1e-9 * np.abs(walk).max())
            np.testing.assert_allclose(fit.history, ends, rtol=1e-6)


def risk_of(u, X, y, loss, lam):
    return np.mean(loss.value(y * (np.asarray(X, float) @ u[:-1] + u[-1]))) + lam / 2 * u[:-1] @ u[:-1]


def literal_walk(X, y, loss, lam, rule, batch, sampling, offset):
    """The iterates after each step of three epochs, shape (3, steps, d + 1)."""
    (n, d), rng, t, walk = X.shape, np.random.default_rng(2), 0, []
    u = np.zeros(d + 1)
    for _ in range(3):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for k in range(-(-n // batch)):
            t += 1
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[k * batch : (k + 1) * batch]
            pull = loss.slope(y[rows] * (X[rows] @ u[:-1] + u[-1])) * y[rows]
            g = np.append(X[rows].T @ pull / len(rows) + lam * u[:-1], offset * np.mean(pull))
            u = u - rule(t) * g
            walk.append(u)
    return np.array(walk).reshape(3, -1, d + 1)


def kept_of(walk, keep, value):
    """(the value at the end of each epoch, the point kept)."""
    points, count = walk[:, -1], walk.shape[0] * walk.shape[1]
    if keep == "average":
        sums = np.cumsum(walk.reshape(count, -1), axis=0)
        points = (sums / np.arange(1, count + 1)[:, None]).reshape(walk.shape)[:, -1]
    values = [value(u) for u in points]
    return values, points[np.nanargmin(values) if keep == "best" and np.isfinite(values).any() else -1]
