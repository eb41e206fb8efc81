"""Methods that step downhill: gradient descent on any function, its step-size rules, and SGD on examples."""

import numpy as np

from linclass import _checks, _plug, risk
from linclass._checks import takes
from linclass._fast import sgd_epochs
from linclass._rows import in_blocks, sources
from linclass.fit import Fit, backtrack, minimises
from linclass.margins import LinearClassifier

__all__ = ["constant_step", "fit_sgd", "gradient_descent", "inverse_sqrt_step", "inverse_step", "sgd_step"]


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
    """`eta` as a rule: a number is the constant rule, a callable of t = 1, 2, … is itself."""
    return eta if callable(eta) else constant_step(eta)


@minimises("the gradient's norm is below tol")
def gradient_descent(value, grad, start, *, eta=None, tol=1e-8, max_steps=10_000):
    """Minimise a function by x <- x - eta_t grad(x), until the gradient's norm
    is at most tol.

    `eta` is a number or a rule; None means backtracking: a step that is halved
    until the value falls by half of what the gradient promises, and that
    starts twice as long as the last one.

    Book: eq-gradient-step.
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
    the hinge loss if z <= 1, the logistic loss adds eta y x times the
    probability of a mistake. At a kink the slope is a sub-gradient.

    Book: eq-sgd-step, eq-subgradient, eq-hinge-sgd, eq-perceptron-sgd,
    eq-logistic-sgd, eq-minibatch.
    """
    grad, grad_0 = risk.risk_grad(theta, theta_0, X, y, loss, lam)
    return theta - eta * grad, theta_0 - eta * grad_0


def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    """Minimise the risk of any loss with a slope by steps that look at `batch` examples each, from theta = 0.

    Step t = 1, 2, … is `sgd_step` with eta_t = eta(t), or eta itself if a number. An epoch is ceil(n / batch) steps.
    Which examples they see, and every draw that is made:
        "shuffle"   one `rng.permutation(n)` an epoch, cut into batches; the last may be shorter
        "uniform"   one `rng.integers(n, size=batch)` a step, with replacement
        "cycle"     rows 0, 1, 2, … cut into batches, the same each epoch; no draw
    The answer: "best" is the iterate of least risk among those at the end of an epoch, "last" the last one,
    "average" the mean of the iterates after each step. `history` is the risk at the end of each epoch, of the
    average if that is kept, else of the current iterate. There is no certificate, so `converged` is never true.

    X and y may also be arrays or tables of Dask, or X blocks (X, y) and y None, as for `logistic.fit_logistic`. Then
    blocks are visited in order, "shuffle" is a permutation of each block as it comes, a batch ends with its block, and
    "uniform" is not to be had. To shuffle well, write the rows in random order once.
    """
    rows, lengths = _rows(X, y, sampling, progress)
    loss, lam = _checks.loss("loss", loss), _checks.nonnegative("lam", lam)
    epochs, batch = _checks.count("epochs", epochs), _checks.count("batch", batch)
    _checks.choice("sampling", sampling, ("uniform", "shuffle", "cycle"))
    _checks.choice("keep", keep, ("best", "last", "average"))
    _checks.generator("rng", rng)
    rule = step_rule(eta)
    _checks.positive("eta", rule(1))
    loss.slope(0.0)  # refuses a loss that has none
    one_epoch = _epoch if _plug.replaced else sgd_epochs.epoch

    def visit(carried, X, y):
        """The steps on one piece of the data. The generator comes along, so that draws are made where the rows are."""
        state, mean, t, rng = carried
        steps = -(-len(y) // batch)
        order = draw_order(len(y), batch, sampling, rng)
        etas = [rule(t + k) for k in range(1, steps + 1)]
        with np.errstate(over="ignore", invalid="ignore"):
            state, mean_k = one_epoch(state, X, y, order, batch, etas, loss, lam, offset, keep == "average")
            mean = tuple(m + (new - m) / ((t + steps) / steps) for m, new in zip(mean, mean_k, strict=True))
        return state, mean, t + steps, rng

    steps = sum(-(-length // batch) for length in lengths)
    state = np.zeros(rows.d), 0.0
    carried = state, state, 0, rng
    kept, history, message = state, [], "stochastic steps have no certificate: judge by the history"
    for k in range(epochs):
        carried = rows.chain(visit, carried)
        state, mean, *_ = carried
        now = mean if keep == "average" else state
        value = _risk(rows, *now, loss, lam)
        if not np.isfinite(value):
            message = f"diverged in epoch {k + 1}: take a smaller eta, or one that falls"
            break
        if keep != "best" or value < min(history, default=np.inf):
            kept = now
        history.append(value)
    rng.bit_generator.state = carried[3].bit_generator.state  # the same one, unless it went elsewhere
    return Fit(LinearClassifier(kept[0], float(kept[1])), False, (k + 1) * steps, np.array(history), message)


def _rows(X, y, sampling, progress):
    """(the examples as a source of rows, the lengths of its pieces)."""
    if y is None or sources.is_dask(X):
        _checks.choice("sampling", sampling, ("shuffle", "cycle"))
        X, y, rows = sources.located(X, y, _checks.signs, progress, gather=False)
        _checks.signs("y", rows.labels, both=True)
        return rows, rows.lengths
    X, y = _checks.examples(X, y)
    return in_blocks.Rows(X, y), (len(y),)


def _risk(rows, theta, theta_0, loss, lam):
    """The risk, from sums over the pieces."""
    with np.errstate(over="ignore", invalid="ignore"):
        if rows.at_hand:
            return (risk.risk if _plug.replaced else sgd_epochs.risk)(theta, theta_0, rows.X, rows.y, loss, lam)
        (total,) = rows.total(lambda X, y: (len(y) * risk.risk(theta, theta_0, X, y, loss),))
        return total / rows.n + lam / 2 * float(theta @ theta)


def draw_order(n, batch, sampling, rng):
    """The rows that one epoch looks at, in order: None stands for 0, 1, 2, …; see `fit_sgd` for the draws."""
    if sampling == "cycle":
        return None
    # One call gives the numbers that a call for each step would give.
    return rng.permutation(n) if sampling == "shuffle" else rng.integers(n, size=-(-n // batch) * batch)


def _epoch(state, X, y, order, batch, etas, loss, lam, offset, average):
    """One epoch by the formula: the state after it, and the mean of its
    iterates where asked (else its start).
    """
    order = np.arange(len(y)) if order is None else order
    mean = state
    for k, eta in enumerate(etas):
        rows = order[k * batch : (k + 1) * batch]
        theta, theta_0 = sgd_step(*state, X[rows], y[rows], loss, lam, eta)
        state = theta, theta_0 if offset else 0.0
        if average:
            pairs = zip(mean, state, strict=True)
            mean = tuple(m + (new - m) / (k + 1) for m, new in pairs)
    return state, mean
