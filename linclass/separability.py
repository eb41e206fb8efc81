"""Can a hyperplane tell the two classes apart? Decided for sure, with a certificate for either answer.

With a_t = y_t (x_t, 1) and w = (theta, theta_0), the margins are A w. One of three holds:

    strict   some w has A w > 0 everywhere
    quasi    some w has A w >= 0 everywhere and > 0 somewhere, but none is strict
    none     A w >= 0 only where A w = 0

There is no strict separator if and only if weights mu >= 0, not all 0, give sum_t mu_t y_t (x_t, 1) = 0; and not
even a quasi one if and only if such weights can all be positive. One linear program, `separator_program`, finds
separator and weights.
"""

from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._checks import takes
from linclass._plug import faster

__all__ = ["Separation", "find_separator", "separate_rows", "separator_program"]

HALF = 0.5  # between the only two values, 0 and 1, that a reward s_t and a weight have at the optimum
CONSTANT = 1e-13  # beside its mean, what rounding may leave of a column that does not vary; some hundred roundings
FEASIBILITY = 1e-9  # how far HiGHS may leave a constraint; its own choice is 1e-7, and 1e-10 the least it takes
HIGHS = {
    "method": "highs",
    "options": {"primal_feasibility_tolerance": FEASIBILITY, "dual_feasibility_tolerance": FEASIBILITY},
}
UNWEIGHTED = "a separator must be right on every row, however little it weighs: drop the rows that should not count"
SUM_ROUNDING = 64  # in units of n eps, what polishing and a sum over n rows may leave; chosen wide


@dataclass(frozen=True)
class Separation:
    """The kind of separation and what proves it.

    strict: (theta, theta_0) has every margin > 0, weights is None. quasi: (theta, theta_0) has every margin >= 0 and
    some > 0, and weights prove that no other does better. none: weights, all positive, prove that there is no such
    pair, and theta and theta_0 are None.
    """

    kind: str
    theta: np.ndarray | None
    theta_0: float | None
    weights: np.ndarray | None


@takes(X="n d finite", y="n signs both", sample_weight=_checks.no_weights(UNWEIGHTED))
def find_separator(X, y, *, sample_weight=None):
    """The kind of separation of the data, with its separator or weights, verified before they are returned.

    strict is verified beyond rounding; equalities (margins of 0, weights that balance) hold up to rounding. Raises
    ArithmeticError if the data are too close to call in double precision. Needs SciPy, for its linear programs.

    Book: thm-separation-certificate.
    """
    centre, scale = column_scaling(X)
    kind, w, weights = separate_rows(signed_rows(X, y))
    if w is None:
        return Separation(kind, None, None, weights)
    theta = w[:-1] / scale
    theta_0 = w[-1] - theta @ centre
    if kind == "strict" and not separates(X, y, theta, theta_0):
        raise ArithmeticError("X is too close to call: its classes are closer to each other than rounding allows")
    return Separation(kind, theta, float(theta_0), weights)


def column_scaling(X, offset=True):
    """(centre, scale) of the columns: their means and root mean squares about them.

    Without an offset nothing can be shifted, and the centre is 0. A constant column has its value, to the last digit,
    as centre, and scale 1.
    """
    centre = X.mean(axis=0) if offset else np.zeros(X.shape[1])
    largest = np.max(np.abs(X - centre), axis=0)
    largest[largest <= CONSTANT * np.abs(centre)] = 0.0  # constant but for rounding
    safe = np.where(largest > 0, largest, 1.0)  # divided by first, so that no square overflows
    scale = safe * np.sqrt(np.mean(((X - centre) / safe) ** 2, axis=0))
    return np.where(largest > 0, centre, X[0] if offset else 0.0), np.where(largest > 0, scale, safe)


def signed_rows(X, y, offset=True):
    """The rows y (x, 1), or y x without an offset, columns shifted and scaled: the same hyperplanes, better posed."""
    centre, scale = column_scaling(X, offset)
    Z = (X - centre) / scale
    return y[:, None] * (np.column_stack([Z, np.ones(len(Z))]) if offset else Z)


@np.errstate(over="ignore", invalid="ignore")
def separates(X, y, theta, theta_0):
    """Is every margin positive beyond doubt: larger than the rounding error that its sum can have?"""
    z = y * (X @ theta + theta_0)
    rounding = (len(theta) + 2) * np.finfo(float).eps * (abs(X) @ np.abs(theta) + abs(theta_0))
    return bool((z > rounding).all())


def separate_rows(A):
    """(kind, w, weights) for the rows a_t of A: A w > 0, or A w >= 0 and not all 0, or neither.

    From `separator_program`. At its optimum every s_t is 0 or 1, since separators can be added and scaled: all 1 is
    strict, some 1 is quasi. The rounding of the solver is then polished away: where s_t = 0 the margin is 0 and the
    weights balance. Raises ArithmeticError if they do not, beyond rounding.
    """
    w, s, mu = separator_program(A)
    apart = s > HALF
    if apart.all():
        return "strict", w, None
    rest = A[~apart]
    w = w - np.linalg.pinv(rest) @ (rest @ w)
    weights = np.zeros(len(A))
    weights[~apart] = mu[~apart] - np.linalg.pinv(rest.T) @ (rest.T @ mu[~apart])
    tiny = SUM_ROUNDING * len(A) * np.finfo(float).eps
    flat = np.abs(rest @ w) <= tiny * (np.abs(rest) @ np.abs(w) + 1)
    balanced = np.abs(rest.T @ weights[~apart]) <= tiny * (np.abs(rest.T) @ weights[~apart] + 1)
    positive = np.append(A[apart] @ w, weights[~apart]) > HALF / 2
    if not (flat.all() and balanced.all() and positive.all()):
        raise ArithmeticError("X is too close to call: neither a separator nor weights hold in double precision")
    return ("quasi", w, weights) if apart.any() else ("none", None, weights)


@takes(A="n d finite")
@faster("separator_dual.separator_program")
def separator_program(A):
    """(w, s, mu): maximise sum_t s_t over w and s with A w >= s and
    0 <= s <= 1.

    The rows of A are a_t = y_t (x_t, 1). mu are the dual variables of the
    inequalities A w >= s, one per row.

    Book: eq-separator-lp.
    """
    from scipy import sparse

    n, d = A.shape
    reward = np.append(np.zeros(d), np.ones(n))  # of (w, s)
    excess = sparse.hstack([-A, sparse.eye(n)])  # s - A w, at most 0
    bounds = [(None, None)] * d + [(0, 1)] * n
    best, mu = maximise(reward, excess, bounds)
    return best[:d], best[d:], mu


def maximise(reward, excess, bounds):
    """(x, mu): maximise reward . x with excess x <= 0 and x within the bounds; mu are the inequalities' multipliers."""
    from scipy.optimize import linprog

    answer = solved(linprog(-reward, A_ub=excess, b_ub=np.zeros(excess.shape[0]), bounds=bounds, **HIGHS))
    return answer.x, -answer.ineqlin.marginals


def solved(answer):
    """The answer of a solver that found one."""
    if answer.status != 0:
        raise ArithmeticError(f"the linear program was not solved: {answer.message}")
    return answer
