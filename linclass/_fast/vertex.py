"""The support vector machine's quadratic program in few unknowns, solved exactly: an active set of margins.

Some examples are held on the margin, the others keep their side, with the multiplier C or 0. A step goes towards the
best w for that, through margins beyond which the risk still falls, and holds the example at whose margin it does not.
In the best w itself the one is let go whose multiplier is farthest outside [0, C].
"""

import numpy as np

MOST = 5  # steps for each unknown: chosen; one or two are enough, most often
STILL = 1e-10  # of the steepest rise, or of w: what is less is rounding, where others hold a row or w: chosen
NONE = 1e-300  # stands for a curvature of 0
BALANCED = 1e-12  # of the sum of C, by which the multipliers may miss what the offset asks of them: chosen


@np.errstate(divide="ignore", over="ignore", invalid="ignore")  # a step that is not finite is the last
def solve(w, Z, C, v, penalty):
    """The solution as `interior_point.interior_point` gives it, from a w near it, or None if that takes too long."""
    m, short = int(penalty.sum()), 1.0 - Z @ w
    still, balanced = STILL**2 * (w @ w), BALANCED * C.sum()
    side = np.where(short > 0, C, -C)  # C below the margin, 0 on it, -C beyond
    for steps in range(MOST * len(w)):
        held, base = (side == 0).nonzero()[0], v + np.maximum(side, 0.0) @ Z
        try:
            best, q = best_held(w, Z[held], base, m, balanced)
        except np.linalg.LinAlgError:  # rows that depend on each other
            break
        dw = best - w
        dz, bend = Z @ dw, dw[:m] @ dw[:m]
        falling = bend if len(held) else bend + dw[m:] @ base[m:]
        moves = bend > still or not len(held)
        t, passed, met = way(short, dz, side * dz if moves else 0 * dz, falling, bend)
        w, short = w + t * dw, short - t * dz
        side[passed] *= -1.0
        side[met] = 0.0
        if len(passed) or len(met):
            continue
        off = np.maximum(-q, q - C[held])
        if (off > 0).any():
            j = off.argmax()
            side[held[j]] = np.copysign(C[held[j]], q[j])
        elif np.abs(base[m:] + q @ Z[held, m:]).sum() <= balanced:
            dual, z = np.maximum(side, 0.0), Z @ best
            dual[held], z[held] = q, 1.0
            return best, dual, np.maximum(z - 1, 0.0), np.maximum(1 - z, 0.0), steps
    return None


def best_held(w, B, base, m, balanced):
    """(the w of least 1/2 |theta|^2 - base . w with B w = 1, the multipliers of B).

    Without B nothing holds the offset: it moves alone, unless it is `balanced`.
    """
    h, more = len(B), len(w) - m
    if not h:
        alone = np.abs(base[m:]).sum() > balanced
        return (np.append(w[:m], w[m:] + base[m:]) if alone else np.append(base[:m], w[m:])), base[:0]
    if not more:
        q = np.linalg.solve(B @ B.T, 1.0 - B @ base)
        return base + q @ B, q
    T, M = B[:, :m], np.zeros((h + more, h + more))
    M[:h, :h], M[:h, h:], M[h:, :h] = T @ T.T, B[:, m:], B[:, m:].T
    x = np.linalg.solve(M, np.append(1 - T @ base[:m], -base[m:]))
    return np.append(base[:m] + x[:h] @ T, x[h:]), x[:h]


def way(short, dz, rise, falling, bend):
    """(t, margins passed, margin met at t if any) where z + t dz, with short = 1 - z, has its least risk.

    The risk falls with slope `falling` at first, flattened by `bend` t and by `rise` beyond each margin.
    """
    ahead = (rise > STILL * max(rise.max(), 0.0)).nonzero()[0]
    t = np.maximum(short[ahead] / dz[ahead], 0.0)
    order = t.argsort()
    ahead, t = ahead[order], t[order]
    risen = rise[ahead].cumsum()
    count = np.count_nonzero(t * bend + risen < falling)
    before = risen[count - 1] if count else 0.0
    if count < len(t) and t[count] * bend + before < falling:
        return t[count], ahead[:count], ahead[count : count + 1]
    return (falling - before) / max(bend, NONE), ahead[:count], ahead[:0]
