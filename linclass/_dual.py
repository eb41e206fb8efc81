"""Points of the SVM's dual in signed coefficients alpha = dual y: kept feasible, and sharpened to full precision.

The box is [0, C] for y = +1 and [-C, 0] for y = -1; with an offset the coefficients also sum to 0.
"""

import numpy as np


def balance(alpha, y, C):
    """The coefficients changed by as little as needed to sum to 0, within the box, those between its ends first."""
    low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    for chosen in ((alpha > low) & (alpha < high), slice(None)):
        excess = alpha.sum()
        room = (alpha - low if excess > 0 else high - alpha)[chosen]
        if abs(excess) <= 1e-15 * np.abs(alpha).sum() or room.sum() == 0:
            continue
        alpha = alpha.copy()
        alpha[chosen] -= np.sign(excess) * room * min(1.0, abs(excess) / room.sum())
    return np.clip(alpha, low, high)


def newton_on_free(alpha, y, C, free, X, offset):
    """Coefficients in which those strictly between the ends put their examples exactly on the margin.

    Solves theta - X_free' alpha_free = theta of the others, X_free theta + theta_0 = y and sum alpha = 0: Newton's
    step, exact if the right ones are free.
    """
    Z, f, d = X[free], len(free), X.shape[1]
    size = np.linalg.norm(Z, axis=0)
    size[size == 0] = 1.0
    fixed = alpha.copy()
    fixed[free] = 0.0
    M = np.zeros((d + f + 1, d + f + 1))  # unknowns theta size, -alpha_free, theta_0
    M[:d, :d] = np.diag(size**-2.0)
    M[d : d + f, :d] = Z / size
    M[:d, d : d + f] = M[d : d + f, :d].T
    M[d : d + f, -1] = M[-1, d : d + f] = offset
    M[-1, -1] = not offset
    rhs = np.concatenate([X.T @ fixed / size, y[free], [fixed.sum() * offset]])
    sharp = fixed
    sharp[free] = -np.linalg.lstsq(M, rhs, rcond=None)[0][d : d + f]
    sharp = np.clip(sharp, np.minimum(0.0, C * y), np.maximum(0.0, C * y))
    return balance(sharp, y, C) if offset else sharp


def sharpen(alpha, K, y, C, offset, rounds=100):
    """(alpha, gap) of the dual point of least gap met by Newton steps on which examples are free.

    A guess says which multipliers are 0, which are C and which are free; a linear system then puts the free examples
    on the margin. Free ones that left the box stop at its end, the others become free if their margin asks for it:
    block principal pivoting (Júdice and Pires 1994). A right guess ends it after one round. Where changing all wrong
    guesses at once does not lessen them three times in a row, one at a time does.
    """
    dual = alpha * y
    best = duality_gap(alpha, K, y, C, offset)[0], alpha
    free, top = (dual > 0) & (dual < C), dual >= C
    fewest, patience = len(y) + 1, 3
    for _ in range(rounds):
        if best[0] <= 1e-13 or not free.any():
            break
        alpha, theta_0 = _on_margin(np.where(top, C * y, 0.0), K, y, np.flatnonzero(free), offset)
        dual, z = alpha * y, y * (K @ alpha + theta_0)
        inside = np.clip(dual, 0.0, C) * y
        inside = balance(inside, y, C) if offset else inside
        gap = duality_gap(inside, K, y, C, offset)[0]
        if gap < best[0]:
            best = gap, inside
        wrong = np.where(free, (dual < 0) | (dual > C), np.where(top, z > 1, z < 1))
        if not wrong.any():
            break
        patience = 3 if wrong.sum() < fewest else patience - 1
        fewest = min(fewest, wrong.sum())
        if patience < 0:
            wrong[: np.flatnonzero(wrong)[-1]] = False
        top = np.where(wrong, free & (dual > C), top)
        free = free ^ wrong
    return best[1], best[0]


def _on_margin(alpha, K, y, F, offset):
    """(coefficients, theta_0) with which the examples F have scores y, the others' kept; sum 0 with an offset."""
    K_free = K[np.ix_(F, F)]
    scale = np.diag(K_free).mean() or 1.0
    M, rhs = K_free / scale, y[F] - K[F] @ alpha
    if offset:
        M = np.block([[M, np.ones((len(F), 1))], [np.ones((1, len(F))), np.zeros((1, 1))]])
        rhs = np.append(rhs, -scale * alpha.sum())
    x = np.linalg.lstsq(M, rhs, rcond=1e-15)[0]
    alpha[F] = x[: len(F)] / scale
    return alpha, x[-1] if offset else 0.0


def duality_gap(alpha, K, y, C, offset):
    """(relative gap, margins) of the signed coefficients alpha, as a dual point and as theta = sum alpha phi."""
    f = K @ alpha
    z = y * (f + best_offset(f, y)) if offset else y * f
    square = alpha @ f
    primal = square / 2 + C * np.maximum(0.0, 1.0 - z).sum()
    return (primal - (alpha @ y - square / 2)) / primal, z


def best_offset(s, y):
    """The theta_0 of least mean hinge loss for scores s without offset; the middle one where many are best.

    In theta_0 the summed hinge loss is a chain of straight pieces with corners at y_t - s_t. Its slope starts at
    minus the number of positives and rises by 1 at each corner: the minimum lies where as many corners are passed.
    """
    positives = int((y > 0).sum())
    corners = np.partition(y - s, [positives - 1, positives])
    return float((corners[positives - 1] + corners[positives]) / 2)
