"""Can a hyperplane tell the two classes apart? Decided for sure, with a certificate for either answer.

With a_t = y_t (x_t, 1) and w = (theta, theta_0), the margins are A w. One of three holds:

    strict   some w has A w > 0 everywhere
    quasi    some w has A w >= 0 everywhere and > 0 somewhere, but none is strict
    none     A w >= 0 only where A w = 0

There is no strict separator if and only if weights mu >= 0, not all 0, give sum_t mu_t y_t (x_t, 1) = 0; and not
even a quasi one if and only if such weights can all be positive. One linear program finds separator and weights.
"""

from dataclasses import dataclass

import numpy as np

from linclass import _checks
from linclass._fast import scaling

__all__ = ["Separation", "find_separator", "separate_rows"]


@dataclass(frozen=True)
class Separation:
    """The kind of separation and what proves it.

    strict: (theta, theta_0) has every margin > 0, weights is None. quasi: (theta, theta_0) has every margin >= 0 and
    some > 0, and weights prove that no other does better. none: weights, all positive, prove that there is no such
    (theta, theta_0), which are None.
    """

    kind: str
    theta: np.ndarray | None
    theta_0: float | None
    weights: np.ndarray | None


def find_separator(X, y):
    """The kind of separation of the data, with its separator or weights, verified before they are returned.

    strict is verified beyond rounding; equalities (margins of 0, weights that balance) hold up to rounding. Raises
    ArithmeticError if the data are too close to call in double precision. Needs SciPy, for its linear programs.

    Book: thm-separation-certificate, eq-separator-lp.
    """
    X, y = _checks.examples(X, y)
    centre, scale = scaling.column_scaling(X)
    kind, w, weights = separate_rows(signed_rows(X, y))
    if w is None:
        return Separation(kind, None, None, weights)
    theta, theta_0 = scaling.to_parameters(w, centre, scale)
    if kind == "strict" and not separates(X, y, theta, theta_0):
        raise ArithmeticError("X is too close to call: its classes are closer to each other than rounding allows")
    return Separation(kind, theta, float(theta_0), weights)


def signed_rows(X, y, offset=True):
    """The rows y (x, 1), or y x without an offset, columns shifted and scaled: the same hyperplanes, better posed."""
    centre, scale = scaling.column_scaling(X, offset)
    Z = (X - centre) / scale
    return y[:, None] * (np.column_stack([Z, np.ones(len(Z))]) if offset else Z)


@np.errstate(over="ignore", invalid="ignore")
def separates(X, y, theta, theta_0):
    """Is every margin positive beyond doubt: larger than the rounding error that its sum can have?"""
    z = y * (X @ theta + theta_0)
    rounding = (len(theta) + 2) * np.finfo(float).eps * (np.abs(X) @ np.abs(theta) + abs(theta_0))
    return bool((z > rounding).all())


def separate_rows(A):
    """(kind, w, weights) for the rows a_t of A: A w > 0, or A w >= 0 and not
    all 0, or neither.

    Solves  maximise sum_t s_t  over w and 0 <= s_t <= 1 with A w >= s.  At the
    optimum every s_t is 0 or 1, since separators can be added and scaled: all
    1 is strict, some 1 is quasi. Its dual variables are the weights.
    """
    w, mu = _linear_program(A)
    apart = A @ w > 0.5  # the rows with s_t = 1
    if apart.all():
        return "strict", w, None
    # Rounding of the program is polished away:
    # on the other rows the margin is 0 and the weights balance.
    rest = A[~apart]
    w = w - np.linalg.pinv(rest) @ (rest @ w)
    weights = np.zeros(len(A))
    weights[~apart] = mu[~apart] - np.linalg.pinv(rest.T) @ (rest.T @ mu[~apart])
    kind = "quasi" if apart.any() else "none"
    if not _verified(A, apart, w, weights):
        raise ArithmeticError(
            "X is too close to call: neither a separator nor weights hold "
            "in double precision"
        )
    return kind, w if kind == "quasi" else None, weights


def _verified(A, apart, w, weights):
    """Do the margins vanish and the weights balance on the rest, up to rounding, and are both positive elsewhere?"""
    rest = A[~apart]
    tiny = 64 * len(A) * np.finfo(float).eps
    flat = np.abs(rest @ w) <= tiny * (np.abs(rest) @ np.abs(w) + 1)
    balanced = np.abs(rest.T @ weights[~apart]) <= tiny * (np.abs(rest.T) @ weights[~apart] + 1)
    return flat.all() and balanced.all() and (A[apart] @ w > 0.25).all() and (weights[~apart] > 0.25).all()


def _linear_program(A):
    """(w, mu) of the program in `separate_rows`, through its dual, which has only as many constraints as columns:

    maximise sum_t min(mu_t, 1)  over mu >= 0 with A' mu = 0,   mu = p + q, 0 <= p <= 1, q >= 0.
    """
    from scipy.optimize import linprog

    n = len(A)
    answer = linprog(
        np.append(-np.ones(n), np.zeros(n)),
        A_eq=np.hstack([A.T, A.T]),
        b_eq=np.zeros(A.shape[1]),
        bounds=[(0, 1)] * n + [(0, None)] * n,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9},
    )
    if answer.status != 0:
        raise ArithmeticError(f"the linear program was not solved: {answer.message}")
    return -answer.eqlin.marginals, answer.x[:n] + answer.x[n:]
