"""Methods that step downhill: gradient descent on any function, its step-size rules, and SGD on examples."""

import functools
from dataclasses import dataclass

import numpy as np

from linclass import _checks, _rows, losses, margins, risk
from linclass._checks import takes
from linclass._plug import faster
from linclass._rows.in_memory import part_of
from linclass.fit import Fit, backtrack, minimises
from linclass.margins import LinearClassifier

__all__ = ["constant_step", "fit_sgd", "gradient_descent", "inverse_sqrt_step", "inverse_step", "sgd_epoch", "sgd_step"]

NO_CERTIFICATE = "stochastic steps have no certificate: judge by the history"


@takes(eta="> 0")
def constant_step(eta):
    """The rule eta_t = eta.

    Book: eq-step-rules.
    """
    return lambda t: eta


@takes(scale="> 0", shift=">= 0")
def inverse_step(scale=1.0, shift=0.0):
    """The rule eta_t = scale / (t + shift), t = 1, 2, …

    Book: eq-step-rules.
    """
    return lambda t: scale / (t + shift)


@takes(scale="> 0")
def inverse_sqrt_step(scale=1.0):
    """The rule eta_t = scale / sqrt(t), t = 1, 2, …

    Book: eq-step-rules.
    """
    return lambda t: scale / np.sqrt(t)


def step_rule(eta):
    """`eta` as a rule whose first step is positive: a number is the constant one, a callable of t = 1, 2, … itself."""
    rule = eta if callable(eta) else constant_step(eta)
    _checks.positive("eta", rule(1))
    return rule


@minimises("the gradient's norm is below tol")
def gradient_descent(value, grad, start, *, eta=None, tol=1e-8, max_steps=10_000):
    """Minimise a function by x <- x - eta_t grad(x), until the gradient's norm
    is at most tol.

    `eta` is a number or a rule; None means backtracking: a step that is halved
    until the value falls by half of what the gradient promises, and that
    starts twice as long as the last one.

    Book: eq-gradient-step, thm-backtracking.
    """
    x, length = start, _length(value, eta)
    for t in range(1, max_steps + 1):
        g = grad(x)
        if np.linalg.norm(g) <= tol:
            return True
        x = x - length(t, x, g) * g
        yield x


def _length(value, eta):
    """The length of step t from x along -g, as a function of (t, x, g): by the rule `eta`, or by backtracking."""
    if eta is not None:
        rule = step_rule(eta)
        return lambda t, x, g: rule(t)
    last = 1.0

    def backtracked(t, x, g):
        nonlocal last
        longest = 2 * last
        last = longest * backtrack(value, x, -longest * g, longest * (g @ g) / 2)
        return last

    return backtracked


@takes(theta="d", X="n d", theta_0="", y="n signs", loss="loss", lam=">= 0", eta="")
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    """One stochastic step on a batch of examples (X, y), one row or several:
    (theta, theta_0) - eta times a gradient.

        theta   <- theta   - eta (mean of phi'(z) y x + lam theta)
        theta_0 <- theta_0 - eta  mean of phi'(z) y

    For one example with lam = 0: the perceptron loss adds eta y x if z <= 0,
    the hinge loss if z <= 1, and the logistic loss adds eta y x times the
    probability of a mistake. At a kink the slope is a sub-gradient.

    Book: eq-sgd-step, eq-subgradient, eq-hinge-sgd, eq-perceptron-sgd,
    eq-logistic-sgd, eq-minibatch.
    """
    grad, grad_0 = risk.risk_grad(theta, theta_0, X, y, loss, lam)
    return theta - eta * grad, theta_0 - eta * grad_0


@dataclass(frozen=True)
class Steps:
    """What the stochastic steps of a fit have in common."""

    loss: object
    lam: float
    rule: object  # the step size as a function of t = 1, 2, …
    batch: int  # examples to a step
    sampling: str
    offset: bool
    average: bool  # is the mean of the iterates asked for?

    def loss_on(self, rows, w):
        """The loss on some of the rows, by their weights."""
        return losses.WeightedLoss(self.loss, part_of(w, rows))


@dataclass(frozen=True)
class Walk:
    """Where stochastic steps have led."""

    state: tuple  # (theta, theta_0)
    mean: tuple  # of the states after each step
    t: int  # steps so far
    rng: np.random.Generator  # comes along, so that draws are made where the rows are


def _with_slope(loss):
    """`loss`, which must have a slope."""
    _checks.loss("loss", loss).slope(0.0)
    return loss


# As many parameters as a course on stochastic descent has choices: the names are fixed, and all but four have defaults.
@takes(
    loss=_with_slope, lam=">= 0", eta=step_rule, epochs="count", batch="count",
    sampling=("uniform", "shuffle", "cycle"), keep=("best", "last", "average"), rng="rng", offset=bool,
)  # fmt: skip
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True,
    sample_weight=None, start=None, progress=True,
):  # fmt: skip
    """Minimise the risk of any loss with a slope by steps that look at `batch` examples each, from theta = 0.

    Step t = 1, 2, … is `sgd_step` with eta_t = eta(t), or eta itself if a number. An epoch is ceil(n / batch) steps.
    Which examples they see, and every draw that is made:
        "shuffle"   one `rng.permutation(n)` per epoch, cut into batches; the last may be shorter
        "uniform"   one `rng.integers(n, size=batch)` per step, with replacement
        "cycle"     rows 0, 1, 2, … cut into batches, the same each epoch; no draw
    The answer: "best" is the iterate of least risk among those at the end of an epoch, "last" the last one,
    "average" the mean of the iterates after each step. `history` is the risk at the end of each epoch, of the
    average if that is kept, else of the current iterate. There is no certificate, so `converged` is never true.

    X and y may also be arrays or tables of Dask, or X blocks (X, y) and y None, as for `logistic.fit_logistic`. Then
    blocks are visited in order, "shuffle" is a permutation of each block as it comes, a batch ends with its block, and
    "uniform" is not available. To shuffle well, write the rows in random order once. With `sample_weight` w the risk is
    sum_t w_t phi(z_t) / sum_t w_t, and a step counts an example w_t / mean(w) times; one of weight 0 is not there.
    `start` is another (theta, theta_0) to begin from.
    """
    rows = _rows.of(X, y, "signs", progress, as_they_come=True, sample_weight=sample_weight)
    if not rows.at_hand:  # nothing can be drawn from all rows at once where they come one block after the other
        _checks.choice("sampling", sampling, ("shuffle", "cycle"))
    steps = Steps(loss, lam, eta, batch, sampling, offset, keep == "average")
    start = (np.zeros(rows.d), 0.0) if start is None else _pair(*start, rows.d)
    walk, kept, history = Walk(start, start, 0, rng), start, []
    while len(history) < epochs and np.isfinite(history[-1:]).all():
        walk = rows.chain(functools.partial(sgd_epoch, steps), walk)
        now = walk.mean if keep == "average" else walk.state
        value = _risk(rows, *now, loss, lam)
        if value < (min(history, default=np.inf) if keep == "best" else np.inf):
            kept = now
        history.append(value)
    rng.bit_generator.state = walk.rng.bit_generator.state  # the same one, unless it went elsewhere
    return _judged(rows, LinearClassifier(kept[0], float(kept[1])), walk.t, history)


def _judged(rows, model, steps, history):
    """The fit, without a certificate; if it diverged, model and history end before that."""
    if np.isfinite(history[-1]):
        return Fit(model, False, steps, np.array(history), NO_CERTIFICATE)
    rows.check()
    message = f"diverged in epoch {len(history)}: take a smaller eta, or one that falls"
    return Fit(model, False, steps, np.array(history[:-1]), message)


def _pair(theta, theta_0, d):
    """The checked parameters to begin from."""
    theta_0 = _checks.scalar("theta_0 of start", theta_0, finite=True)
    return _checks.vector("theta of start", theta, d, finite=True), theta_0


def _risk(rows, theta, theta_0, loss, lam):
    """The risk, from sums over the rows; NaN if a number in X is not finite, since its score is not finite either."""

    def losses_of(X, y, w):
        z = margins.margins(theta, theta_0, X, y)
        return (float(np.sum(w * loss.value(z)) + 0.0 * z.sum()),)

    (total,) = rows.total(losses_of)
    return total / rows.n + lam / 2 * float(theta @ theta)


def draw_order(n, batch, sampling, rng):
    """The rows that one epoch looks at, in order; see `fit_sgd` for the draws."""
    if sampling == "cycle":
        return np.arange(n)
    # One call gives the numbers that a call for each step would give.
    return rng.permutation(n) if sampling == "shuffle" else rng.integers(n, size=-(-n // batch) * batch)


@takes(X="n d rows", y="n signs")
@faster("sgd_epochs.sgd_epoch")
def sgd_epoch(steps, walk, X, y, w=1.0):
    """One epoch over the rows of X: `sgd_step` on one batch after another,
    and the mean of the points they lead to. Losses count w times.
    """
    state, mean, t, rng = walk.state, walk.mean, walk.t, walk.rng
    order = draw_order(len(y), steps.batch, steps.sampling, rng)
    for start in range(0, len(order), steps.batch):
        rows, t = order[start : start + steps.batch], t + 1
        loss, eta = steps.loss_on(rows, w), steps.rule(t)
        state = sgd_step(*state, X[rows], y[rows], loss, steps.lam, eta)
        state = state if steps.offset else (state[0], 0.0)
        mean = [m + (new - m) / t for m, new in zip(mean, state, strict=True)]
    return Walk(state, mean, t, rng)
