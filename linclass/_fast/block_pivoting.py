"""The SVM's dual by block principal pivoting (Júdice and Pires 1994): guess who is free, solve, mend the guess."""

import numpy as np

from linclass._fast.dual_points import balance
from linclass.svm import best_offset

DONE = 1e-13  # the relative gap, as computed, below which nothing is left to gain: chosen, some hundred eps
WRONG = 1e-10  # how far on the wrong side of the margin an example is wrongly guessed: chosen, above rounding
PATIENCE = 3  # rounds that need not lessen the wrong guesses: chosen, as the paper leaves it open
LARGEST = 4000  # free examples, whose system has as many unknowns: chosen, 128 MB and some seconds
ROWS = 2**22  # numbers in whole rows of the free examples that are looked at at once: chosen, 32 MiB
RESIDUAL = 1e-9  # of a system that was regular enough: chosen
ROUNDS, CG_STEPS = 30, 10  # for sparse rows, and steps in the first of them, twice as many in the second: chosen
LONG_PATIENCE = 6  # of them: chosen; each costs little
ON_MARGIN = 1e-11  # how far off it a margin may be at the end: chosen
RIDGE = 1e-10  # makes a singular system regular; refinement removes its trace: chosen


def sharpen(alpha, K, y, C, offset, rounds=100, hope=None):
    """(alpha, gap, rounds) of the dual point of least gap met by Newton steps on which examples are free.

    A guess says which multipliers are 0, which are C and which are free; a linear system then puts the free examples
    on the margin. Free ones that left the box stop at its end, the others become free if their margin asks for it. A
    right guess ends it after one round. Where changing all wrong guesses at once does not lessen them for PATIENCE
    rounds, one at a time does. With a `hope` it is a try: it gives up there, or once there are more wrong guesses than
    this share of the first free examples, as the first guess was then too far off; and only a right one is looked at.
    """
    dual, f = alpha * y, times(K, alpha)
    best = duality_gap(alpha, f, y, C, offset), alpha
    free, top = (dual > 0) & (dual < C), dual >= C
    fewest, patience, used = len(y), PATIENCE, 0
    most = len(y) if hope is None else hope * free.sum()
    while used < rounds and best[0] > DONE and 0 < free.sum() <= LARGEST:
        used += 1
        try:
            guess, theta_0 = _on_margin(np.where(top, C * y, 0.0), K, y, np.flatnonzero(free), offset)
        except np.linalg.LinAlgError:
            break
        f, alpha = f + times(K, guess - alpha), guess
        dual, z = alpha * y, y * (f + theta_0)
        wrong = np.where(free, (dual < 0) | (dual > C), np.where(top, z > 1 + WRONG, z < 1 - WRONG))
        count = np.count_nonzero(wrong)
        if hope is None or count == 0:
            inside = np.clip(dual, 0.0, C) * y
            inside = balance(inside, y, C) if offset else inside
            gap = duality_gap(inside, f + times(K, inside - alpha), y, C, offset)
            best = min(best, (gap, inside), key=lambda pair: pair[0])
        patience = PATIENCE if count < fewest else patience - 1
        fewest = min(fewest, count)
        if count == 0 or count > most or (hope is not None and patience < 0):
            break
        if patience < 0:
            wrong[: np.flatnonzero(wrong)[-1]] = False
        top = np.where(wrong, free & (dual > C), top)
        free = free ^ wrong
    return best[1], best[0], used


def times(K, v):
    """K v, by the rows of K that matter where these are few: they are copied."""
    used = np.flatnonzero(v)
    return v[used] @ K[used] if isinstance(K, np.ndarray) and 8 * len(used) < len(v) else K @ v


def _on_margin(alpha, K, y, free, offset):
    """(coefficients, theta_0) with which the free examples have scores y, the others' kept; sum 0 with an offset."""
    n, part = len(free), K[np.ix_(free, free)]
    scale = part.diagonal().mean() or 1.0
    M, rhs = np.zeros((n + offset, n + offset)), np.zeros(n + offset)
    M[:n, :n] = part / scale
    rhs[:n] = y[free] - (K[free] @ alpha if n * len(y) <= ROWS else times(K, alpha)[free])
    if offset:
        M[-1, :-1] = M[:-1, -1] = 1.0
        rhs[-1] = -scale * alpha.sum()
    x = _solution(M, rhs)
    alpha[free] = x[:n] / scale
    return alpha, x[-1] if offset else 0.0


def _solution(M, rhs):
    """x with M x = rhs; where M is singular, by equal examples or a very smooth kernel, one near the shortest."""
    try:
        x = np.linalg.solve(M, rhs)
        if np.abs(M @ x - rhs).max() <= RESIDUAL * (1 + np.abs(x).max()):
            return x
    except np.linalg.LinAlgError:
        pass
    inverse = np.linalg.inv(M + RIDGE * np.eye(len(M)))
    x = inverse @ rhs
    for _ in range(3):
        x = x + inverse @ (rhs - M @ x)
    return x


def duality_gap(alpha, f, y, C, offset):
    """The relative gap of alpha with scores f = K alpha, as a dual point and as a primal one."""
    z = y * (f + best_offset(f, y, C)) if offset else y * f
    square = alpha @ f
    primal = square / 2 + np.sum(C * np.maximum(0.0, 1.0 - z))
    return (primal - (alpha @ y - square / 2)) / primal


def by_products(X, y, C, offset):
    """(alpha, rounds) for sparse rows of which no Gram matrix is made: a product with K = X X' is two with X.

    Most rows with many columns are nearly at right angles. Their systems are well conditioned, and the first guess can
    be that all examples are free. A system is solved by conjugate gradients from where the last one ended, roughly at
    first: a wrong guess needs no digits.
    """
    n = len(y)
    alpha, free, top, fewest, patience = np.zeros(n), np.ones(n, bool), np.zeros(n, bool), n, LONG_PATIENCE
    for used in range(1, ROUNDS + 1):
        alpha = np.where(free, alpha, np.where(top, C * y, 0.0))
        alpha, theta_0, off = _towards_the_margin(alpha, X, y, np.flatnonzero(free), offset, CG_STEPS * used)
        dual, z = alpha * y, y * (X @ (alpha @ X) + theta_0)
        wrong = np.where(free, (dual < 0) | (dual > C), np.where(top, z > 1 + WRONG, z < 1 - WRONG))
        count = np.count_nonzero(wrong)
        patience = LONG_PATIENCE if count < fewest else patience - 1
        fewest = min(fewest, count)
        if (count == 0 and off <= ON_MARGIN) or patience < 0:
            break
        top = np.where(wrong, free & (dual > C), top)
        free = free ^ wrong
        if not free.any():
            break
    inside = np.clip(dual, 0.0, C) * y
    return balance(inside, y, C) if offset else inside, used


def _towards_the_margin(alpha, X, y, free, offset, steps):
    """(alpha, theta_0, how far off the margin the free examples are at most) after some steps on the free ones.

    With an offset they start where all coefficients sum to 0, and leave the sum as it is.
    """
    from scipy.sparse.linalg import LinearOperator, cg

    def level(v):
        return v - v.mean() if offset else v

    def left():
        return y[free] - Z @ (alpha @ X)

    Z, m, alpha = X[free], len(free), alpha.copy()
    if offset:
        alpha[free] -= alpha.sum() / m
    K = LinearOperator((m, m), matvec=lambda v: level(Z @ (v @ Z)), dtype=float)
    step, _ = cg(K, level(left()), atol=0.0, maxiter=steps)
    alpha[free] += step
    theta_0 = left().mean() if offset else 0.0
    return alpha, theta_0, np.abs(left() - theta_0).max()
