"""The kernel SVM's dual by sequential minimal optimisation in signed coefficients, finished by Newton's method.

    maximise alpha . y - 1/2 alpha' K alpha   over alpha y in [0, C], and sum alpha = 0 with an offset

With g = y - K alpha a step raises one coefficient and lowers another by as much (without an offset, changes one), where
that gains most to second order (Platt 1998; Fan, Chen and Lin 2005). It soon knows which examples are free but then
takes ever smaller steps, so `_dual.sharpen` solves for the free ones at once; where it cannot yet, the steps go on.
"""

import numpy as np

from linclass import _dual


def solve(K, y, C, offset):
    """(alpha, relative gap, steps) with a gap of at most 1e-9, or the least one reached."""
    alpha, g = np.zeros(len(y)), y.copy()
    walk = pairs if offset else singles
    best, steps = (alpha, np.inf), walk(alpha, g, K, y, C, 0.5, 20 * len(y))
    for tol in (0.03, 0.003, 0.0003):
        steps += walk_near_the_margin(walk, alpha, g, K, y, C, tol)
        steps += walk(alpha, g, K, y, C, tol, 20 * len(y) + 1000)
        sharp, gap, rounds = _dual.sharpen(alpha, K, y, C, offset, rounds=15, growth=2)
        steps += rounds
        best = min(best, (sharp, gap), key=lambda pair: pair[1])
        if gap <= 1e-9:
            break
    return *best, steps


def walk_near_the_margin(walk, alpha, g, K, y, C, tol):
    """Steps among the examples with margins between 1/2 and 3/2 and the free ones, which short vectors make cheap."""
    dual = alpha * y
    free = (dual > 0) & (dual < C)
    theta_0 = np.median(g[free]) if walk is pairs and free.any() else 0.0  # on the margin y - K alpha = theta_0
    near = np.flatnonzero(free | (np.abs(g - theta_0) < 0.5))
    if not 50 < len(near) < 0.7 * len(y) or len(y) < 1000:
        return 0
    before, now, slopes = alpha[near], alpha[near], g[near]
    steps = walk(now, slopes, K[np.ix_(near, near)], y[near], C, tol, 20 * len(y) + 1000)
    alpha[near] = now
    g -= (now - before) @ K[near]
    return steps


def pairs(alpha, g, K, y, C, tol, max_steps):
    """Steps that keep sum alpha, until no pair's slopes differ by more than tol; alpha and g change in place."""
    low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    shut_up, shut_down = np.where(alpha < high, 0.0, -np.inf), np.where(alpha > low, 0.0, np.inf)
    square, gain, bend = np.diag(K).copy(), np.empty_like(g), np.empty_like(g)
    least = 1e-12 * square.max() + 1e-300  # stands for a curvature of 0
    for step in range(max_steps):
        i = int(np.add(g, shut_up, out=gain).argmax())
        top, row = gain[i], K[i]
        # For each j that may fall: (slope difference)^2 / curvature, twice what the best step gains.
        np.subtract(top, np.add(g, shut_down, out=gain), out=gain)
        if gain.max() <= tol:
            return step
        np.maximum(gain, 0.0, out=gain)
        np.multiply(row, -2.0, out=bend)
        bend += square
        bend += square[i]
        np.maximum(bend, least, out=bend)
        gain *= gain
        gain /= bend
        j = int(gain.argmax())
        t = min((top - g[j]) / bend[j], high[i] - alpha[i], alpha[j] - low[j])
        alpha[i] = high[i] if t == high[i] - alpha[i] else alpha[i] + t
        alpha[j] = low[j] if t == alpha[j] - low[j] else alpha[j] - t
        g -= t * (row - K[j])
        shut_up[i], shut_down[i] = 0.0 if alpha[i] < high[i] else -np.inf, 0.0
        shut_down[j], shut_up[j] = 0.0 if alpha[j] > low[j] else np.inf, 0.0
    return max_steps


def singles(alpha, g, K, y, C, tol, max_steps):
    """Steps on one coefficient each, until no slope that may be followed exceeds tol; alpha and g change in place."""
    low, high, square = np.minimum(0.0, C * y), np.maximum(0.0, C * y), np.diag(K).copy()
    bend = np.maximum(square, 1e-12 * square.max() + 1e-300)
    for step in range(max_steps):
        room = np.clip(alpha + g / bend, low, high) - alpha  # where each would go alone
        gain = np.abs(room * g)
        i = int(gain.argmax())
        if np.abs(g[i]) <= tol or room[i] == 0:
            return step
        alpha[i] += room[i]
        g -= room[i] * K[i]
    return max_steps
