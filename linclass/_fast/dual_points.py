"""Points of the SVM's dual in signed coefficients alpha = dual y: kept feasible, and sharpened to full precision.

The box is [0, C] for y = +1 and [-C, 0] for y = -1; with an offset the coefficients also sum to 0.
"""

import numpy as np

from linclass.svm import best_offset


def far_out(X):
    """How many times longer each row is than the median one, at least 1: the longer, the less of it is needed."""
    size = np.sqrt(np.einsum("ij,ij->i", X, X))
    return np.maximum(1.0, size / (np.median(size) or 1.0))


def feasible(alpha, y, C, offset, X):
    """The coefficients without dust, clipped to the box and balanced.

    Dust is below 1e-12 of the largest, and so is what it adds to X' alpha: a row far out counts with less.
    """
    dual = np.clip(alpha * y, 0.0, C)
    largest = dual.argmax()
    small = np.flatnonzero((dual > 0) & (dual <= 1e-12 * dual[largest]))
    pull = dual[small] * np.abs(X[small]).max(axis=1)
    dual[small[pull <= 1e-12 * dual[largest] * np.abs(X[largest]).max()]] = 0.0
    return balance(dual * y, y, C) if offset else dual * y


def balance(alpha, y, C):
    """The coefficients changed by as little as needed to sum to 0, within the box, those between its ends first."""
    low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    free = (alpha > low) & (alpha < high)
    for chosen in (free, slice(None)):
        excess = alpha.sum()
        room = (alpha - low if excess > 0 else high - alpha)[chosen]
        if abs(excess) <= (0.0 if chosen is free else 1e-14 * np.abs(alpha).sum()) or room.sum() == 0:
            continue
        alpha = alpha.copy()
        alpha[chosen] -= np.sign(excess) * room * min(1.0, abs(excess) / room.sum())
    return np.clip(alpha, low, high)


def newton_on_free(w, alpha, y, C, free, X, offset):
    """(w, alpha) one Newton step on, so that the free coefficients put their examples exactly on the margin.

    The step solves theta = X' alpha, X_free theta + theta_0 = y_free and sum alpha = 0 for w = (theta, theta_0) and
    alpha_free. Each call starts from what is left of the equations, so that calling it again mends its own rounding.
    """
    d, Z = X.shape[1], X[free]
    theta, theta_0 = w[:d], w[d] if offset else 0.0
    left = X.T @ alpha - theta, y[free] - Z @ theta - theta_0, alpha.sum()
    if d <= len(free):
        dtheta, dalpha, dtheta_0 = _on_margin_step(Z, *left, offset)
    else:  # in the coordinates of Z' = Q R, large columns first, in which theta moves as far as there are free examples
        order = np.argsort(-np.abs(Z).max(axis=0))
        Q, R = np.linalg.qr(Z.T[order])
        moved, dalpha, dtheta_0 = _on_margin_step(R.T, np.zeros(len(free)), left[1] - Z @ left[0], left[2], offset)
        dtheta = left[0].copy()
        dtheta[order] += Q @ moved
    sharp = alpha.copy()
    sharp[free] += dalpha
    return w + np.append(dtheta, dtheta_0)[: len(w)], feasible(sharp, y, C, offset, X)


def _on_margin_step(Z, span, margin, total, offset):
    """(dtheta, dalpha, dtheta_0) with dtheta - Z' dalpha = span, Z dtheta + dtheta_0 = margin, sum dalpha = -total."""
    f, d = Z.shape
    far = far_out(Z)  # such a row is shortened, with a longer coefficient
    Z, margin = Z / far[:, None], margin / far
    size = np.linalg.norm(Z, axis=0)
    largest = size.max() or 1.0
    size = np.maximum(size, 1e-4 * largest)
    M = np.zeros((d + f + 1, d + f + 1))  # unknowns dtheta size, -dalpha far largest^2, dtheta_0: all about as large
    M[:d, :d] = np.diag((largest / size) ** 2)
    M[d : d + f, :d] = Z / size
    M[:d, d : d + f] = M[d : d + f, :d].T
    M[d : d + f, -1] = M[-1, d : d + f] = offset / far
    M[-1, -1] = not offset
    rhs = np.concatenate([largest**2 / size * span, margin, [largest**2 * total * offset]])
    x = np.linalg.lstsq(M, rhs, rcond=None)[0]
    with np.errstate(over="ignore"):  # of numbers near the end of the doubles; the gap then says that this led nowhere
        return x[:d] / size, -x[d : d + f] / far / largest**2, x[-1]


def sharpen(alpha, K, y, C, offset, rounds=100, growth=None):
    """(alpha, gap, rounds) of the dual point of least gap met by Newton steps on which examples are free.

    A guess says which multipliers are 0, which are C and which are free; a linear system then puts the free examples
    on the margin. Free ones that left the box stop at its end, the others become free if their margin asks for it:
    block principal pivoting (Júdice and Pires 1994). A right guess ends it after one round. Where changing all wrong
    guesses at once does not lessen them three times in a row, one at a time does. Gives up after `rounds`, or once
    there are `growth` times as many free examples as at first: then the first guess was too far off.
    """
    dual, f = alpha * y, K @ alpha
    best = duality_gap(alpha, f, y, C, offset), alpha
    free, top = (dual > 0) & (dual < C), dual >= C
    fewest, patience, used = len(y) + 1, 3, 0
    most = len(y) if growth is None else growth * free.sum() + 50
    while used < rounds and best[0] > 1e-13 and 0 < free.sum() <= most:
        used += 1
        try:
            guess, theta_0 = _on_margin(np.where(top, C * y, 0.0), K, y, np.flatnonzero(free), offset)
        except np.linalg.LinAlgError:
            break
        f, alpha = _moved(f, alpha, guess, K), guess
        dual, z = alpha * y, y * (f + theta_0)
        inside = np.clip(dual, 0.0, C) * y
        inside = balance(inside, y, C) if offset else inside
        gap = duality_gap(inside, _moved(f, alpha, inside, K), y, C, offset)
        if gap < best[0]:
            best = gap, inside
        wrong = np.where(free, (dual < 0) | (dual > C), np.where(top, z > 1 + 1e-10, z < 1 - 1e-10))
        if not wrong.any():
            break
        patience = 3 if wrong.sum() < fewest else patience - 1
        fewest = min(fewest, wrong.sum())
        if patience < 0:
            wrong[: np.flatnonzero(wrong)[-1]] = False
        top = np.where(wrong, free & (dual > C), top)
        free = free ^ wrong
    return best[1], best[0], used


def _moved(f, old, new, K):
    """K new from f = K old, by the rows of K that matter."""
    changed = np.flatnonzero(old != new)
    return K @ new if 2 * len(changed) > len(new) else f + (new - old)[changed] @ K[changed]


def _on_margin(alpha, K, y, F, offset):
    """(coefficients, theta_0) with which the examples F have scores y, the others' kept; sum 0 with an offset."""
    rows = K[F]
    scale = rows[np.arange(len(F)), F].mean() or 1.0
    M, rhs = np.zeros((len(F) + offset, len(F) + offset)), np.zeros(len(F) + offset)
    M[: len(F), : len(F)] = rows[:, F] / scale
    rhs[: len(F)] = y[F] - rows @ alpha
    if offset:
        M[-1, :-1] = M[:-1, -1] = 1.0
        rhs[-1] = -scale * alpha.sum()
    x = _solution(M, rhs)
    alpha[F] = x[: len(F)] / scale
    return alpha, x[-1] if offset else 0.0


def _solution(M, rhs):
    """x with M x = rhs; where M is singular, by equal examples or a very smooth kernel, one near the shortest."""
    if len(M) <= 200:
        return np.linalg.lstsq(M, rhs, rcond=1e-15)[0]
    try:
        x = np.linalg.solve(M, rhs)
        if np.abs(M @ x - rhs).max() <= 1e-9 * (1 + np.abs(x).max()):
            return x
    except np.linalg.LinAlgError:
        pass
    # A little ridge makes it regular, and its trace is removed by refinement.
    inverse = np.linalg.inv(M + 1e-10 * np.eye(len(M)))
    x = inverse @ rhs
    for _ in range(3):
        x = x + inverse @ (rhs - M @ x)
    return x


def duality_gap(alpha, f, y, C, offset):
    """The relative gap of alpha with scores f = K alpha, as a dual point and as a primal one."""
    z = y * (f + best_offset(f, y)) if offset else y * f
    square = alpha @ f
    primal = square / 2 + C * np.maximum(0.0, 1.0 - z).sum()
    return (primal - (alpha @ y - square / 2)) / primal
