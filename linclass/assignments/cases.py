"""The inputs of the checks: for each function a few named sets of calls, the smallest first.

The public checks draw with seed 0, so that everybody sees the same numbers; the hidden ones draw with the
instructor's. Numbers have one digit after the point, to be read and to be redone by hand. Where a tie decides, as at a
score of 0, they are multiples of 1/4 instead: these and their products are exact in binary, so that programs which sum
in another order still agree.
"""

import hashlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from linclass import _plug, descent, gradcheck, losses, risk, softmax
from linclass.assignments.cell import Call


@dataclass(frozen=True)
class Formula:
    """A function that a check hands over, with its formula, and the constants in it, for the report."""

    of: Callable
    formula: str  # after the function's name, as in "(x) = x^3 + x - 2"
    constants: tuple = ()

    def __call__(self, *args):
        return self.of(*args)


def listed(name, value):
    """A constant as text."""
    return f"{name} = {np.array2string(np.asarray(value), separator=', ', precision=6)}".replace("\n", "")


SIZES = ((1, 1), (2, 1), (3, 2), (5, 3), (7, 4))  # examples and inputs of the random problems
TENTH, QUARTER = 0.1, 0.25  # the steps of drawn numbers: to be read, and to be exact


@dataclass(frozen=True)
class Check:
    """A named set of calls. `allowed` gives the interval of right answers, where there is more than one."""

    name: str
    calls: Callable  # of a generator
    allowed: Callable | None = None
    parts: tuple = ()  # the parts of the answer that are compared, if not all of the task's

    def draw(self, key, seed):
        """The calls of this check for the function `key`, the same for the same seed (a number or any text)."""
        digest = hashlib.sha256(f"{seed}/{key}/{self.name}".encode()).digest()
        return self.calls(np.random.default_rng(list(digest)))


def numbers(rng, *shape, size=2.0, step=TENTH):
    """Normal numbers rounded to a step, none of them 0."""
    x = np.round(rng.normal(scale=size, size=shape) / step) * step
    return np.round(np.where(x == 0, step, x), 6)


def signs(rng, n):
    """Labels, both of them if there are two examples or more."""
    y = rng.choice([-1.0, 1.0], size=n)
    if n > 1:
        y[:2] = rng.permutation([-1.0, 1.0])
    return y


def problem(rng, n, d, step=TENTH):
    """theta, theta_0, X, y."""
    return numbers(rng, d, step=step), float(numbers(rng, step=step)), numbers(rng, n, d, step=step), signs(rng, n)


def problems(rng, step=TENTH):
    """One problem of each size, the smallest first."""
    return [problem(rng, n, d, step) for n, d in SIZES]


def lam(rng):
    """A penalty that leaves its mark."""
    return float(np.round(rng.uniform(0.2, 2.0), 1))


# ---- margins ----


def on_the_line(rng):
    """Problems some of whose points lie exactly on the line."""
    found = []
    for n in (1, 3, 4):
        theta = rng.choice([-2.0, -1.0, 1.0, 2.0], size=2)
        X = np.round(rng.integers(-3, 4, size=(n, 2)).astype(float))
        found.append((theta, float(-(X[0] @ theta)), X, signs(rng, n)))
    return found


def near_the_line(rng):
    """Points with scores of 0.5 and -0.5: each on its side, but by less than 1, and by way of the offset."""
    found = []
    for first in rng.permutation([-1.0, 1.0]):
        theta = rng.choice([-2.0, -1.0, 1.0, 2.0], size=2)
        theta_0 = float(rng.choice([-3.0, 3.0]))
        x = np.array([(0.5 - theta_0) / theta[0], 0.0])
        X = np.array([x, x - [1.0 / theta[0], 0.0]])
        found.append((theta, theta_0, X, np.array([first, -first])))
    return found


def scaled(rng):
    """A large offset and a short theta: what the norm contains shows."""
    return [
        (sign * np.abs(numbers(rng, 2, size=0.5)), float(rng.choice([-40.0, 40.0])), numbers(rng, 3, 2), signs(rng, 3))
        for sign in (1, -1)
    ]


def no_zero_row(X):
    return np.where(np.abs(X).max(axis=1, keepdims=True) == 0, 1.0, X)


MARGINS = {
    "margins.scores": [
        Check("random problems", lambda rng: [Call((t, t0, X)) for t, t0, X, _ in problems(rng)]),
    ],
    "margins.margins": [
        Check("random problems", lambda rng: [Call(p) for p in problems(rng)]),
    ],
    "margins.predict": [
        Check("random problems", lambda rng: [Call((t, t0, X)) for t, t0, X, _ in problems(rng, QUARTER)]),
        Check(
            "points on the line",
            lambda rng: [Call((t, t0, X)) for t, t0, X, _ in [*on_the_line(rng), *near_the_line(rng)]],
        ),
    ],
    "margins.signed_distances": [
        Check("random problems", lambda rng: [Call((t, t0, X)) for t, t0, X, _ in problems(rng)]),
        Check("a large offset", lambda rng: [Call((t, t0, X)) for t, t0, X, _ in scaled(rng)]),
    ],
    "margins.cosines": [
        Check(
            "random problems",
            lambda rng: (
                [Call((t, no_zero_row(X))) for t, _, X, _ in problems(rng)]
                + [Call((-np.abs(numbers(rng, 2)), numbers(rng, 3, 2)))]
            ),
        ),
    ],
    "margins.zero_one_error": [
        Check("random problems", lambda rng: [Call(p) for p in problems(rng, QUARTER)]),
        Check("points on the line", lambda rng: [Call(p) for p in [*on_the_line(rng), *near_the_line(rng)]]),
    ],
    "margins.affine_features": [
        Check("random inputs", lambda rng: [Call((X,)) for _, _, X, _ in problems(rng)]),
    ],
    "margins.quadratic_features": [
        Check("random inputs", lambda rng: [Call((X,)) for _, _, X, _ in problems(rng)]),
    ],
}


# ---- losses: functions of one array ----


def array_checks(kinks=(), far=(), allowed=None):
    """Random margins in several shapes; the kinks; and margins far out on both sides."""

    def random(rng):
        drawn = [numbers(rng, *shape) for shape in ((1,), (1,), (6,), (20,), (2, 3))]
        return [Call((np.where(z == 1.0, 1.1, z),)) for z in drawn]  # kinks have a check of their own

    checks = [Check("random margins", random)]
    if kinks:
        checks.append(Check("at the kink", lambda rng: [Call((np.array([k]),)) for k in kinks], allowed))
    if far:

        def far_out(rng):
            factors = [(f, s) for f in far for s in (1.0, -1.0)]
            return [Call((np.array([s * np.round(f * rng.uniform(1.02, 1.4), 1)]),)) for f, s in factors]

        checks.append(Check("far out", far_out))
    return checks


def as_far_as_single_precision(rng):
    """Margins beyond 50, where some cut the exponential off, and not so far that it is too large for a float32."""
    sizes = (*rng.uniform(5, 24, size=2), *rng.uniform(55, 85, size=2))
    return [Call((np.array([s * np.round(size, 1)]),)) for size in sizes for s in (1.0, -1.0)]


def between(low, high):
    """Any value in [low, high] is right: the sub-gradients at a kink."""
    return lambda call: (low, high)


FAR, MODERATE = (5.0, 30.0, 800.0), (5.0, 12.0)

LOSSES = {
    "losses.zero_one_loss": array_checks(kinks=(0.0,), far=FAR),
    "losses.perceptron_loss": array_checks(kinks=(0.0,), far=FAR),
    "losses.perceptron_slope": array_checks(kinks=(0.0,), far=FAR, allowed=between(-1.0, 0.0)),
    "losses.hinge_loss": array_checks(kinks=(1.0, 0.0), far=FAR),
    "losses.hinge_slope": array_checks(kinks=(1.0,), far=FAR, allowed=between(-1.0, 0.0)),
    "losses.logistic_loss": array_checks(far=FAR),
    "losses.logistic_slope": array_checks(far=FAR),
    "losses.logistic_curvature": array_checks(far=FAR),
    "losses.exponential_loss": [*array_checks(), Check("far out", as_far_as_single_precision)],
    "losses.squared_loss": array_checks(far=MODERATE),
    "losses.squared_slope": array_checks(far=MODERATE),
    "losses.modified_squared_loss": array_checks(kinks=(1.0,), far=MODERATE),
    "losses.modified_squared_slope": array_checks(kinks=(1.0,), far=MODERATE),
}


# ---- perceptron ----


def steps(rng, labels):
    """One example at a time, on both sides of the line, and from zero."""
    found = []
    for d in (1, 2, 2, 3, 3):
        theta, theta_0, X, _ = problem(rng, 1, d, QUARTER)
        found += [Call((theta, theta_0, X[0], label)) for label in labels]
    return found


def just_right(rng):
    """Examples on the right side with a margin below 1, and a distance below 1."""
    calls = []
    for _ in range(3):
        theta, x = numbers(rng, 2, step=QUARTER), numbers(rng, 2, step=QUARTER)
        label = float(rng.choice([-1.0, 1.0]))
        calls.append(Call((theta, float(label * 0.5 - theta @ x), x, label)))
    return calls


def offset_decides(labels):
    """Scores of 0.5 and -0.5 where theta . x alone has the other sign."""

    def calls(rng):
        found = []
        for sign in (1.0, -1.0):
            theta, x = numbers(rng, 2, step=QUARTER), numbers(rng, 2, step=QUARTER)
            x = x if theta @ x * sign < 0 else -x
            theta_0 = float(sign * 0.5 - theta @ x)
            found += [Call((theta, theta_0, x, label)) for label in labels]
        return found

    return calls


def on_zero(labels):
    """A score of exactly 0."""

    def calls(rng):
        x = rng.integers(-3, 4, size=2).astype(float)
        x[0] = x[0] or 1.0
        return [Call((np.zeros(2), 0.0, x, label)) for label in labels] + [
            Call((np.ones(2), float(-x.sum()), x, label)) for label in labels
        ]

    return calls


def separated(rng, n, d, push=1.0):
    """Data that a line separates, away from the origin so that the offset matters."""
    theta, X = numbers(rng, d), numbers(rng, n, d) + 3.0
    s = (X - 3.0) @ theta
    y = np.where(s > 0, 1.0, -1.0)
    X = QUARTER * np.round((X + push * y[:, None] * theta / np.linalg.norm(theta)) / QUARTER)
    y[0] = 1.0 if (y[1:] < 0).all() else -1.0 if (y[1:] > 0).all() else y[0]
    return X, y


def walk_separated(rng):
    return [
        Call((*separated(rng, n, d), 200, offset))
        for n, d in ((2, 1), (3, 2), (6, 2), (10, 3))
        for offset in (True, False)
    ]


def walk_overlapping(rng):
    """Data that no line may separate, with and without an offset; the last have a row of zeros, always a mistake."""
    sizes = ((3, 1, True), (6, 4, True), (8, 7, True), (6, 5, False), (5, 3, False))
    calls = [Call((numbers(rng, n, 2, step=QUARTER), signs(rng, n), epochs, offset)) for n, epochs, offset in sizes]
    calls[-1].args[0][int(rng.integers(5))] = 0.0
    return calls


PERCEPTRON = {
    "perceptron.perceptron_step": [
        Check("random examples", lambda rng: steps(rng, (1.0, -1.0))),
        Check("from zero", on_zero((1.0, -1.0))),
        Check("just on the right side", lambda rng: [*just_right(rng), *offset_decides((1.0, -1.0))(rng)]),
    ],
    "perceptron.threshold_step": [
        Check("random examples", lambda rng: steps(rng, (1.0, 0.0))),
        Check("from zero", on_zero((1.0, 0.0))),
        Check("where the offset decides", offset_decides((1.0, 0.0))),
    ],
    "perceptron.perceptron_walk": [
        Check("separable data", walk_separated),
        Check("a given number of epochs", walk_overlapping),
    ],
}


# ---- logistic ----


def risks(rng):
    return [Call((*p, loss, lam(rng))) for p in problems(rng) for loss in (losses.LOGISTIC, losses.SQUARED)]


def risks_without_penalty(rng):
    """A penalty of 0, said or not."""
    return [Call((*p, losses.LOGISTIC, *zero)) for p in problems(rng) for zero in ((0.0,), ())]


LOGISTIC = {
    "logistic.sigmoid": array_checks(far=FAR),
    "logistic.log_odds": [
        Check(
            "random probabilities",
            lambda rng: [Call((np.round(rng.uniform(0.02, 0.98, size=s), 2),)) for s in (1, 1, 5, (2, 2))],
        ),
        Check("at 0 and 1", lambda rng: [Call((np.array([p]),)) for p in (0.0, 1.0)]),
    ],
    "logistic.log_likelihood": [
        Check("random problems", lambda rng: [Call(p) for p in problems(rng)]),
        Check("far out", lambda rng: [Call((t * 400, t0, X, y)) for t, t0, X, y in problems(rng)]),
    ],
    "risk.risk": [Check("random problems", risks), Check("no penalty", risks_without_penalty)],
    "risk.risk_grad": [Check("random problems", risks), Check("no penalty", risks_without_penalty)],
}


# ---- descent ----


def rule_calls(rng, *ranges):
    def draw():
        return tuple(float(np.round(rng.uniform(low, high), 1)) for low, high in ranges)

    moments = (1, 2, 3, 10, 100)
    return [*(Call(draw(), then=moments) for _ in range(3)), Call(draw()[:1], then=moments), Call((), then=moments)]


def batches(rng):
    """One step each on one example and on several, for a loss with a kink and one without."""
    calls = []
    for n, d in ((1, 1), (1, 2), (3, 2), (4, 3)):
        for loss in (losses.HINGE, losses.LOGISTIC):
            theta, theta_0, X, y = problem(rng, n, d, QUARTER)
            calls.append(Call((theta, theta_0, X, y, loss, lam(rng), float(np.round(rng.uniform(0.1, 0.9), 1)))))
    return calls


def both_sides(rng):
    """Single examples with margins of about -2, 0.5 and 3: wrong, inside the margin, safe."""
    calls = []
    for target in (-2.0, 0.5, 3.0):
        theta, _, X, y = problem(rng, 1, 2)
        theta_0 = float(np.round(y[0] * target - X[0] @ theta, 2))
        calls.append(Call((theta, theta_0, X, y, losses.HINGE, lam(rng), 0.5)))
    return calls


@dataclass(frozen=True)
class Watched(losses.Loss):
    """A loss that notes how near to 1, where the hinge has its kink, a slope was asked for."""

    gaps: list = field(default_factory=list)

    def slope(self, z):
        """The slope at z."""
        self.gaps.append(np.abs(np.asarray(z) - 1.0).min())
        return super().slope(z)


NEAR = 1e-6  # a margin this near to a kink may be on its other side in a program that sums in another order


def sgd_call(rng, n, loss, options, draws=False):
    """A call of `fit_sgd` on small data whose walk comes to no kink."""
    while True:
        _, _, X, y = problem(rng, n, 2)
        some = {name: value(rng) if callable(value) else value for name, value in options.items()}
        call = Call((X, y, loss), some, rngs={"rng": int(rng.integers(99)) if draws else 0})
        watched = Watched(loss.name)
        with _plug.plain_path():
            call.make(lambda X, y, _, watched=watched, **rest: descent.fit_sgd(X, y, watched, **rest))
        if loss is not losses.HINGE or min(watched.gaps) > NEAR:
            return call


def sgd_runs(keep, epochs, eta, batches=(1, 2), **more):
    """Cycles through small data: nothing is drawn, so that every right program makes the same steps."""
    options = {"lam": lam, "eta": eta, "epochs": epochs, "sampling": "cycle", "keep": keep, **more}
    # The last batch of the last is shorter.
    sizes = ((2, 1, losses.LOGISTIC), (5, batches[0], losses.HINGE), (7, batches[1], losses.LOGISTIC))
    return lambda rng: [sgd_call(rng, n, loss, options | {"batch": batch}) for n, batch, loss in sizes]


def falling(rng):
    scale, shift = float(np.round(rng.uniform(0.5, 1.0), 1)), float(rng.integers(1, 4))
    return Formula(lambda t: scale / (t + shift), f"(t) = {scale:g} / (t + {shift:g})")


def too_long(rng):
    """A step so long that the risk rises now and then: the last iterate is not the best."""
    return float(np.round(rng.uniform(1.5, 2.5), 1))


def equal_risks(rng):
    """The squared loss of x and -x, with a step that jumps from one side of its minimum to the other and back.

    The risks are the same to the last digit, as all numbers are powers of 2: of equals the first is the best.
    """
    x, y = rng.choice([-2.0, -1.0, 1.0, 2.0]), rng.choice([-1.0, 1.0])
    options = {"eta": float(1 / x**2), "epochs": 4, "batch": 2, "sampling": "cycle", "keep": "best", "offset": False}
    return [Call((np.array([[x], [-x]]), np.array([y, -y]), losses.SQUARED), options, rngs={"rng": 0})]


def drawn_runs(sampling):
    """Steps on examples that are drawn: a program that draws as the docstring says draws the same."""
    options = {"lam": lam, "eta": falling, "epochs": 2, "sampling": sampling, "keep": "last"}
    sizes = ((3, 1, losses.LOGISTIC), (5, 2, losses.HINGE), (6, 2, losses.LOGISTIC))
    return lambda rng: [sgd_call(rng, n, loss, options | {"batch": batch}, draws=True) for n, batch, loss in sizes]


def by_default(rng):
    """What is not said: no penalty, one example a step, shuffled, the best iterate, with an offset."""
    return [sgd_call(rng, 4, losses.LOGISTIC, {"eta": too_long, "epochs": 3}, draws=True)]


DESCENT = {
    "descent.inverse_step": [Check("random rules", lambda rng: rule_calls(rng, (0.1, 3.0), (0.5, 9.0)))],
    "descent.inverse_sqrt_step": [Check("random rules", lambda rng: rule_calls(rng, (0.1, 3.0)))],
    "descent.sgd_step": [
        Check("random batches", batches),
        Check("wrong, inside the margin and safe", both_sides),
    ],
    "descent.fit_sgd": [
        Check(
            "the last iterate", lambda rng: [*sgd_runs("last", 2, falling)(rng), *sgd_runs("last", 6, too_long)(rng)]
        ),
        Check("the best iterate", lambda rng: [*equal_risks(rng), *sgd_runs("best", 6, too_long)(rng)]),
        Check("the average", sgd_runs("average", 3, falling)),
        Check(
            "without an offset",
            lambda rng: [
                call
                for keep in ("last", "average", "best")
                for call in sgd_runs(keep, 2, falling, offset=False)(rng)[: 3 if keep == "last" else 2]
            ],
        ),
        Check("shuffled", lambda rng: [*drawn_runs("shuffle")(rng), *by_default(rng)]),
        Check("drawn with replacement", drawn_runs("uniform")),
    ],
}


# ---- svm ----


def gram(rng, n):
    """A Gram matrix of rounded numbers, multipliers and labels."""
    X = numbers(rng, n, 2)
    return np.round(np.abs(numbers(rng, n, size=1.0)), 1), X @ X.T, signs(rng, n)


def two_or_more(rng):
    return [(X, y) for n, d in ((2, 1), (3, 2), (5, 3)) for _, _, X, y in [problem(rng, n, d)]]


def one_safe_point(rng):
    """Points well beyond the margin on the right side."""
    found = []
    for n in (1, 2, 4):
        theta, theta_0, X, _ = problem(rng, n, 2)
        y = np.where(X @ theta + theta_0 > 0, 1.0, -1.0)
        found.append((theta * 20, theta_0 * 20, X, y))
    return found


SVM = {
    "conventions.lam_from_C": [
        Check(
            "random values",
            lambda rng: [Call((float(np.round(rng.uniform(0.1, 9), 1)), int(n))) for n in rng.integers(3, 50, 5)],
        ),
    ],
    "conventions.C_from_lam": [
        Check(
            "random values",
            lambda rng: [Call((float(np.round(rng.uniform(0.1, 9), 1)), int(n))) for n in rng.integers(3, 50, 5)],
        ),
    ],
    "svm.slacks": [
        Check("random problems", lambda rng: [Call(p) for p in problems(rng)]),
        Check("safe points", lambda rng: [Call(p) for p in one_safe_point(rng)]),
        Check("inside the margin", lambda rng: [Call(p) for p in near_the_line(rng)]),
    ],
    "svm.margin_width": [
        Check("random directions", lambda rng: [Call((numbers(rng, d),)) for d in (1, 2, 3, 5)]),
    ],
    "svm.dual_objective": [
        Check("random multipliers", lambda rng: [Call(gram(rng, n)) for n in (1, 2, 3, 5)]),
    ],
    "svm.quadratic_program": [
        Check(
            "random problems",
            lambda rng: [Call((X, y, float(np.round(rng.uniform(2, 9), 1)))) for X, y in two_or_more(rng)],
        ),
    ],
}


# ---- kernels ----


def pairs(rng):
    """X and Z of different lengths."""
    return [(numbers(rng, n, d), numbers(rng, k, d)) for n, k, d in ((1, 1, 1), (1, 2, 2), (3, 2, 2), (4, 5, 3))]


def equal_rows(rng):
    """Each row against itself or a very near one, with a small bandwidth: rounding is all there is to see.

    The near ones are single numbers whose x^2 + z^2 - 2 x z rounds to less than 0 on every machine, added in any order.
    """
    x = np.round(rng.uniform(1e2, 1e3, size=300), 2)
    z = x + 2.0**-30
    squares = x**2, z**2, -2 * x * z
    below = np.all([(a + b) + c < 0 for a, b, c in itertools.permutations(squares)], axis=0)
    found = [Call((x[below][:2, None], z[below][:2, None], 1e-5))]
    for n in (2, 30):
        X = np.round(rng.uniform(-1e3, 1e3, size=(n, 3)), 1)
        found.append(Call((X, X.copy(), 1e-5)))
    return found


def kernel_problem(rng, n):
    """Coefficients, a Gram matrix whose diagonal is not 1, and labels."""
    X, scale = numbers(rng, n, 2, size=1.0), rng.choice([0.6, 1.6])
    K = np.round(scale * np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / 2), 3)
    return numbers(rng, n, size=1.0), K, signs(rng, n)


def kernel_risks(rng):
    calls = []
    for n in (1, 2, 3, 5):
        alpha, K, y = kernel_problem(rng, n)
        for loss in (losses.on_scores(losses.LOGISTIC), losses.SQUARED_ERROR):
            calls.append(Call((alpha, K, y, loss, lam(rng)), {"theta_0": float(numbers(rng))}))
    return [*calls, Call((*kernel_problem(rng, 3), losses.SQUARED_ERROR, lam(rng)))]


def kernel_steps(rng):
    calls = []
    for n in (1, 2, 3, 5):
        alpha, K, y = kernel_problem(rng, n)
        for loss in (losses.on_scores(losses.LOGISTIC), losses.SQUARED_ERROR):
            i, eta = int(rng.integers(n)), float(np.round(rng.uniform(0.1, 0.9), 1))
            calls.append(Call((alpha, i, K, y, loss, lam(rng), eta)))
    return calls


def kernel_walks(rng):
    calls = []
    logistic, squared = losses.on_scores(losses.LOGISTIC), losses.SQUARED_ERROR
    walks = (
        (1, 1, logistic, 0.5),
        (2, 2, squared, falling(rng)),
        (3, 7, logistic, 0.3),
        (5, 20, logistic, falling(rng)),
    )
    for n, steps, loss, eta in walks:
        _, K, y = kernel_problem(rng, n)
        options = {"lam": 0.1, "eta": eta, "steps": steps}
        calls.append(Call((K, y, loss), options, rngs={"rng": int(rng.integers(99))}))
    return calls


def kernel_walks_up(rng):
    """Steps so long that the risk rises, and rises again: the last iterate is neither the best nor the end."""
    calls = []
    for n in (2, 3):
        _, K, y = kernel_problem(rng, n)
        options = {"lam": 0.1, "eta": float(np.round(rng.uniform(2.5, 3.5), 1)), "steps": 4 * n}
        calls.append(Call((K + np.eye(n), y, losses.SQUARED_ERROR), options, rngs={"rng": int(rng.integers(99))}))
    return calls


def powers(rng):
    """Squares and cubes, and the cube of negative numbers."""
    drawn = [(X, Z, int(rng.integers(2, 4)), float(np.round(rng.uniform(0.5, 2), 1))) for X, Z in pairs(rng)]
    below, above = -np.abs(numbers(rng, 1, 2)) - 2.0, np.abs(numbers(rng, 2, 2)) + 2.0
    return [*map(Call, drawn), Call((below, above, 3, 1.0))]


def rbf_pairs(rng):
    """Random pairs; then single ones at a little more than three bandwidths, where the kernel is 0.005."""
    calls = [Call((X, Z, float(np.round(rng.uniform(1.2, 3), 1)))) for X, Z in pairs(rng)]
    for sign in (1.0, -1.0):
        x, tau = numbers(rng, 1, 1), float(np.round(rng.uniform(1.2, 3), 1))
        calls.append(Call((x, np.round(x + sign * tau * rng.uniform(3.1, 3.3), 2), tau)))
    return calls


KERNELS = {
    "kernels.linear_kernel": [Check("random inputs", lambda rng: [Call(p) for p in pairs(rng)])],
    "kernels.polynomial_kernel": [Check("random inputs", powers)],
    "kernels.rbf_kernel": [
        Check("random inputs", rbf_pairs),
        Check("equal rows", equal_rows, between(0.0, 1.0)),
    ],
    "kernels.min_kernel": [
        Check(
            "random inputs",
            lambda rng: [Call((np.abs(numbers(rng, n)), np.abs(numbers(rng, k)))) for n, k in ((1, 1), (2, 3), (4, 2))],
        ),
    ],
    "representer.kernel_risk": [Check("random problems", kernel_risks)],
    "representer.kernel_risk_grad": [Check("random problems", kernel_risks)],
    "representer.kernel_sgd_step": [Check("random problems", kernel_steps)],
    "representer.kernel_sgd": [Check("short walks", kernel_walks), Check("walks uphill", kernel_walks_up)],
}


# ---- softmax ----


def score_tables(rng):
    return [Call((numbers(rng, *shape),)) for shape in ((2,), (1, 3), (2, 3), (4, 3), (3, 3))]


def far_tables(rng):
    """Large scores; rows at very different heights, so that one maximum does not do for all; and a probability of 0."""
    calls = [Call((numbers(rng, n, 3) + rng.choice([-1.0, 1.0]) * np.round(rng.uniform(800, 3000)),)) for n in (1, 2)]
    unlikely = numbers(rng, 1, 3) + rng.permutation([0.0, -900.0, -2000.0])
    return [*calls, Call((heights(rng),)), Call((unlikely,))]


def heights(rng):
    """Scores of two examples, one of which has much larger ones."""
    return numbers(rng, 2, 3) + np.array([[0.0], [2000.0]])


def class_labels(rng, n, k):
    return rng.integers(0, k, size=n)


def one_hot_calls(rng):
    """Random labels, then without the last class, and without one in the middle."""
    sizes = ((1, 2, 2), (2, 3, 3), (5, 4, 4), (3, 3, 4))
    calls = [Call((class_labels(rng, n, k), columns)) for n, k, columns in sizes]
    return [*calls, Call((rng.permutation([0, 2, 3, 0]), 4))]


def class_problem(rng, n, d, k):
    return numbers(rng, k, d), numbers(rng, k), numbers(rng, n, d), class_labels(rng, n, k)


def softmax_calls(rng):
    sizes = ((1, 1, 2), (2, 1, 2), (3, 2, 3), (5, 3, 4))
    calls = [Call((*class_problem(rng, *size), float(penalty))) for size in sizes for penalty in (0.0, lam(rng))]
    return [*calls, Call(class_problem(rng, 3, 2, 3))]


def far_classes(rng):
    """Scores of thousands."""
    sizes = ((1, 1, 2), (3, 2, 3))
    return [Call((1000 * Theta, *rest, 0.0)) for Theta, *rest in (class_problem(rng, *size) for size in sizes)]


SOFTMAX = {
    "softmax.softmax": [Check("random scores", score_tables), Check("large scores", far_tables)],
    "softmax.log_softmax": [Check("random scores", score_tables), Check("large scores", far_tables)],
    "softmax.one_hot": [
        Check("random labels", one_hot_calls),
    ],
    "softmax.cross_entropy": [
        Check(
            "random scores",
            lambda rng: [Call((numbers(rng, n, k), class_labels(rng, n, k))) for n, k in ((1, 2), (2, 3), (5, 4))],
        ),
        Check(
            "large scores",
            lambda rng: [
                *(Call((numbers(rng, n, 3) * 500, class_labels(rng, n, 3))) for n in (1, 3)),
                Call((heights(rng), class_labels(rng, 2, 3))),
            ],
        ),
    ],
    "softmax.softmax_risk": [Check("random problems", softmax_calls), Check("large scores", far_classes)],
    "softmax.softmax_risk_grad": [Check("random problems", softmax_calls), Check("large scores", far_classes)],
}


# ---- newton ----


def matrices(rng):
    """Gradients and positive definite Hessians that are not diagonal."""
    calls = []
    for d in (1, 2, 3, 4):
        A = numbers(rng, d + 1, d)
        calls.append(Call((numbers(rng, d), A.T @ A + np.eye(d))))
    return calls


def flat_directions(rng):
    """Singular Hessians v v', and gradients along v: the parabola is flat across v. Powers of 2, so nothing rounds."""
    calls = []
    for d in (2, 2, 3):
        v = rng.choice([-2.0, -1.0, 1.0, 2.0], size=d)
        calls.append(Call((float(numbers(rng)) * v, np.outer(v, v))))
    return calls


def cubic(shift, scale=1.0):
    """x^3 + x - shift, times a scale, and its slope."""
    front = "" if scale == 1 else f"{scale:g} "
    inner = f"x^3 + x {'-' if shift >= 0 else '+'} {abs(shift):g}" if shift else "x^3 + x"
    value = Formula(lambda x: scale * (x**3 + x - shift), f"(x) = {front}({inner})" if front else f"(x) = {inner}")
    return value, Formula(lambda x: scale * (3 * x**2 + 1), f"(x) = {front}(3 x^2 + 1)" if front else "(x) = 3 x^2 + 1")


def roots(rng):
    """The last two starts are on a root, and where f is -1."""
    shifts = np.round(rng.uniform(-9, 9, size=4), 1)
    calls = [Call((*cubic(float(s)), float(np.round(rng.uniform(-3, 3), 1)))) for s in shifts]
    root = float(rng.choice([-2, -1, 1, 2]))
    return [*calls, Call((*cubic(root**3 + root), root)), Call((*cubic(1.0), 0.0))]


def without_success(rng):
    """x^2 + 1 has no root, and its tangent at 0 is flat; and from far out two steps are not enough."""
    f, slope = cubic(float(np.round(rng.uniform(-9, 9), 1)))
    far = float(np.round(rng.uniform(20, 40), 1))
    never = Formula(lambda x: x**2 + 1.0, "(x) = x^2 + 1"), Formula(lambda x: 2 * x, "(x) = 2 x")
    return [Call((*never, 0.0)), Call((f, slope, far), {"max_steps": 2})]


def beyond_all_numbers(rng):
    """The tangent of x^2 + 1 next to 0 meets the axis beyond all numbers: not converged, whichever point is named."""
    never = Formula(lambda x: x**2 + 1.0, "(x) = x^2 + 1"), Formula(lambda x: 2 * x, "(x) = 2 x")
    return [Call((*never, 1e-310)), Call((*never, -1e-310))]


def a_coarse_tolerance(rng):
    """Straight lines, whose root one step finds, with so large a tolerance that one step is all there is.

    With the root at 1 or -1 and tol = 1/2 a step of 1 is just small enough. One of 3/4 is, but not beside max(1, |x|).
    The starts are further out than the roots, so that the x before the step serves as well as the one after it.
    """
    calls = []
    for step in (1.0, 0.75):
        root = float(rng.choice([-1.0, 1.0]))
        line = Formula(lambda x, root=root: x - root, f"(x) = x {'-' if root > 0 else '+'} 1")
        start = root * (1.0 + step)
        calls.append(Call((line, Formula(lambda x: 1.0, "(x) = 1"), start), {"tol": 0.5, "max_steps": 1}))
    return calls


def small_values(rng):
    """Cubics times 1e-11: |f| is small long before x is near the root, and the steps are the same as ever."""
    shifts = np.round(rng.uniform(-9, 9, size=3), 1)
    return [Call((*cubic(float(s), 1e-11), float(np.round(rng.uniform(-3, 3), 1)))) for s in shifts]


def just_enough_steps(rng):
    """Just as many steps as are needed. Near a root at 0 a step is small beside 1 before it is beside |x|.

    The last root is below -1, where 1 + x has another sign than 1 + |x|.
    """
    calls = []
    for shift, sign in ((0.0, 1.0), (0.0, -1.0), (float(np.round(rng.uniform(-9, -4), 1)), -3.0)):
        steps = 0
        while not steps:
            start = sign * float(np.round(rng.uniform(0.3, 0.9), 3))
            steps = _tangents(start, shift)
        calls.append(Call((*cubic(shift), start), {"max_steps": steps}))
    return [*calls, *a_large_root(rng), *not_quite_there(rng)]


def a_large_root(rng):
    """A root of about 50: the third step is below tol (1 + |x|), and not below tol or tol / (1 + |x|)."""
    root = int(rng.choice([-1, 1]) * rng.integers(40, 60))
    start = float(np.round(root + rng.uniform(0.03, 0.04), 4))
    return [Call((*cubic(root**3 + root), start), {"max_steps": 3})]


def not_quite_there(rng):
    """A root at 0: the third step is between 1 and 2 tol, so that three are not enough."""
    start = float(rng.choice([-1, 1]) * np.round(rng.uniform(0.0355, 0.0360), 4))
    return [Call((*cubic(0.0), start), {"max_steps": 3})]


def _tangents(x, shift, tol=1e-12):
    """How many tangents lead from x to the root of x^3 + x - shift; 0 if one of them hits it too soon to tell."""
    for made in range(1, 50):
        if x**3 + x == shift:
            return 0
        step = (x**3 + x - shift) / (3 * x**2 + 1)
        x = x - step
        if abs(step) <= tol * (1 + abs(x)):
            return made if shift or abs(step) > tol * abs(x) else 0
    return 0


def quadratic_bowl(rng, d, bottom=0.0):
    """(x - c)' H (x - c) / 2 plus the value at the bottom, with its derivatives."""
    A = numbers(rng, d + 1, d)
    H, centre = A.T @ A + np.eye(d), numbers(rng, d)
    constants = (listed("c", centre), listed("H", H))
    said = "(x) = (x - c)' H (x - c) / 2" + (f" {'-' if bottom < 0 else '+'} {abs(bottom):g}" if bottom else "")
    return (
        Formula(lambda x: float((x - centre) @ H @ (x - centre) / 2 + bottom), said, constants),
        Formula(lambda x: H @ (x - centre), "(x) = H (x - c)", constants),
        Formula(lambda x: H, "(x) = H", constants),
    )


def bowls(rng):
    """Parabolas; then with two steps, one to get there and one to see it, where a diagonal of H is not enough.

    Last with one step, which gets there and is not converged: that is found out before a step, and there is no other.
    """
    calls = [Call((*quadratic_bowl(rng, d), np.zeros(d))) for d in (1, 2, 3)]
    few = ((2, 2), (3, 2), (2, 1))
    return calls + [Call((*quadratic_bowl(rng, d), np.zeros(d)), {"max_steps": steps}) for d, steps in few]


def near_the_minimum(rng):
    """Starts so near that the decrement is below tolerance and the gradient is not: there is nothing left to do."""
    calls = []
    for d in (1, 2):
        value, grad, hess = quadratic_bowl(rng, d)
        start = 1e-8 - np.linalg.solve(hess(np.zeros(d)), grad(np.zeros(d)))
        calls.append(Call((value, grad, hess, start), {"max_steps": 1}))
    return [*calls, *at_the_tolerance(rng)]


def at_the_tolerance(rng, tol=1e-12):
    """A parabola with a bottom below 0, where the decrement is a little less than tol (1 + |value|): no step is due.

    Then x^4, whose decrement is 2/3 x^4, where it is a little more: one step is due.
    """
    value, grad, hess = quadratic_bowl(rng, 1, bottom=-3.0)
    H = hess(np.zeros(1))
    there = -np.linalg.solve(H, grad(np.zeros(1)))
    starts = [there + np.sqrt(2 * share * tol * 4 / H[0]) for share in (0.9, 0.45)]
    near = [Call((value, grad, hess, start), {"max_steps": 1}) for start in starts]
    start = rng.choice([-1.0, 1.0]) * (1.5 * rng.uniform(1.2, 1.3, size=1) * tol) ** 0.25
    return [*near, Call((*fourth_power(), start))]


def fourth_power():
    """x^4 of one number, with its derivatives."""
    return (
        Formula(lambda x: float(x[0] ** 4), "(x) = x^4"),
        Formula(lambda x: 4 * x**3, "(x) = 4 x^3"),
        Formula(lambda x: 12 * x[:, None] ** 2, "(x) = 12 x^2"),
    )


def quartic(c):
    """(x - c)^4 + (x - c)^2 of one number, with its derivatives: far out a Newton step is too short, not too long."""
    constants = (listed("c", c),)
    return (
        Formula(lambda x: float((x - c)[0] ** 4 + (x - c)[0] ** 2), "(x) = (x - c)^4 + (x - c)^2", constants),
        Formula(lambda x: 4 * (x - c) ** 3 + 2 * (x - c), "(x) = 4 (x - c)^3 + 2 (x - c)", constants),
        Formula(lambda x: 12 * (x - c)[:, None] ** 2 + 2, "(x) = 12 (x - c)^2 + 2", constants),
    )


def steep_at_the_start(rng):
    """From far out all the way, as a tolerance that goes with the first value ends too soon; and two steps of it."""
    calls = []
    for options in ({}, {"max_steps": 2}):
        centre = numbers(rng, 1)
        calls.append(Call((*quartic(centre), centre + float(rng.integers(600, 900))), options))
    return calls


def hyperbola(c, bottom=1.0):
    """sqrt(1 + |x - c|^2), lowered so that its least value is `bottom`, with its derivatives."""

    def r(x):
        return float(np.sqrt(1 + (x - c) @ (x - c)))

    constants = (listed("c", c),)
    lower = f" - {1 - bottom:g}" if bottom < 1 else ""
    return (
        Formula(lambda x: r(x) - (1 - bottom), f"(x) = sqrt(1 + |x - c|^2){lower}", constants),
        Formula(lambda x: (x - c) / r(x), "(x) = (x - c) / sqrt(1 + |x - c|^2)", constants),
        Formula(
            lambda x: np.eye(len(x)) / r(x) - np.outer(x - c, x - c) / r(x) ** 3,
            "(x) = I / r - (x - c)(x - c)' / r^3, r = sqrt(1 + |x - c|^2)",
            constants,
        ),
    )


def steep_sides(rng):
    """sqrt(1 + |x - c|^2): from far away a full Newton step overshoots, each time further.

    From the third start the first step must be halved often, and the later ones not at all. From the fourth a full step
    lowers the value, but by too little; two steps show which was taken. From the last two, after two steps, so does a
    fall that is compared with the value at the start, or with an eighth of the promise.
    """
    calls, two = [], {"max_steps": 2}
    starts = ((1, 2, 4, {}), (2, 2, 4, {}), (1, 8, 12, {"max_steps": 30}), (1, 0.8, 0.9, two))
    for d, near, far, options in (*starts, (1, 7.2, 7.4, two), (1, 10.2, 10.5, two)):
        centre = numbers(rng, d)
        calls.append(Call((*hyperbola(centre), centre + np.round(rng.uniform(near, far), 1)), options))
    centre = numbers(rng, 1)
    return [*calls, Call((*hyperbola(centre, -20.0), centre + np.round(rng.uniform(2, 4), 1)))]


def hessians(rng):
    """The logistic loss has the same curvature at z and -z; the modified squared loss has not, and jumps at 1."""
    drawn = [(theta, _off_the_kink(theta, theta_0, X), X, y) for theta, theta_0, X, y in problems(rng)]
    return [Call((*p, loss, lam(rng))) for p in drawn for loss in (losses.LOGISTIC, losses.MODIFIED_SQUARED)]


def _off_the_kink(theta, theta_0, X):
    """The offset, moved by tenths until no score, and so no margin, is 1 or -1."""
    while np.isclose(np.abs(X @ theta + theta_0), 1.0, atol=1e-6).any():
        theta_0 = round(theta_0 + 0.1, 1)
    return theta_0


NEWTON = {
    "newton.newton_root": [
        Check("cubics", roots),
        Check("without success", without_success),
        Check("small values", small_values),
        Check("just enough steps", lambda rng: [*just_enough_steps(rng), *a_coarse_tolerance(rng)]),
        Check("beyond all numbers", beyond_all_numbers, parts=("converged",)),
    ],
    "newton.newton_step": [Check("random matrices", matrices), Check("a singular Hessian", flat_directions)],
    "risk.risk_hess": [
        Check("random problems", hessians),
        Check("no penalty", risks_without_penalty),
    ],
    "newton.newton": [
        Check("parabolas", bowls),
        Check("a steep start", steep_at_the_start),
        Check("where a full step overshoots", steep_sides),
        Check("near the minimum", near_the_minimum),
    ],
}

CHECKS = MARGINS | LOSSES | PERCEPTRON | LOGISTIC | DESCENT | SVM | KERNELS | SOFTMAX | NEWTON


# ---- what a derivative should be, by finite differences of the value it is the derivative of ----


def _along_z(value):
    return lambda z: gradcheck_each(value, z)


def gradcheck_each(value, z):
    h = 6e-6 * np.maximum(1.0, np.abs(z))
    return (np.asarray(value(z + h)) - np.asarray(value(z - h))) / (2 * h)


def _risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    def value(u):
        return risk.risk(u[:-1], u[-1], X, y, loss, lam)

    g = gradcheck.numeric_grad(value, np.append(theta, theta_0))
    return g[:-1], g[-1]


def _risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    def grad(u):
        return np.append(*risk.risk_grad(u[:-1], u[-1], X, y, loss, lam))

    return gradcheck.numeric_hess(grad, np.append(theta, theta_0))


def _kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    from linclass import representer

    return gradcheck.numeric_grad(lambda a: representer.kernel_risk(a, K, y, loss, lam, theta_0), alpha)


def _softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    def value(u):
        return softmax.softmax_risk(u[: Theta.size].reshape(Theta.shape), u[Theta.size :], X, y, lam)

    g = gradcheck.numeric_grad(value, np.append(Theta.ravel(), theta_0))
    return g[: Theta.size].reshape(Theta.shape), g[Theta.size :]


DIFFERENCES = {
    "losses.perceptron_slope": _along_z(losses.perceptron_loss),
    "losses.hinge_slope": _along_z(losses.hinge_loss),
    "losses.logistic_slope": _along_z(losses.logistic_loss),
    "losses.squared_slope": _along_z(losses.squared_loss),
    "losses.modified_squared_slope": _along_z(losses.modified_squared_loss),
    "losses.logistic_curvature": _along_z(losses.logistic_slope),
    "risk.risk_grad": _risk_grad,
    "risk.risk_hess": _risk_hess,
    "representer.kernel_risk_grad": _kernel_risk_grad,
    "softmax.softmax_risk_grad": _softmax_risk_grad,
}
