"""The kernel SVM's dual by sequential minimal optimisation in signed coefficients, finished by Newton's method.

    maximise alpha . y - 1/2 alpha' K alpha   over alpha y in [0, C], and sum alpha = 0 with an offset

With g = y - K alpha a step raises one coefficient and lowers another by as much (without an offset, changes one), where
that gains most to second order (Platt 1998; Fan, Chen and Lin 2005). It soon knows which examples are free but then
takes ever smaller steps, so `block_pivoting.sharpen` solves for the free ones at once; where it cannot yet, they go on.

At the maximum g_i <= theta_0 where alpha_i may rise and g_i >= theta_0 where it may fall. A step along
which K is found not to be positive semidefinite raises a ValueError. Equal examples walk
as one, with a longer side of the box: apart they would be free together, and no system tells which has how much.
"""

import contextlib
import functools

import numpy as np

from linclass import _checks, conventions
from linclass._fast import block_pivoting, dual_points, duality, gram_features, gram_rows, linear_svm
from linclass.representer import KernelClassifier
from linclass.svm import GAP, SVMFit

TOLERANCES = 0.03, 3e-3, 3e-4, 3e-5, 3e-6, 3e-7  # slopes at which block pivoting is tried: chosen
HOPE = 0.5  # what a try needs, a guess with fewer wrong ones: measured
GLIDES = 300  # at most: chosen
SPREAD = 0.05  # the mean eigenvalue over their root mean square, squared, from which on glides are quicker: measured
ENOUGH = 1e-9  # the relative gap, as computed, that is small enough: chosen, a tenth of what certifies
FULL = 1e-12  # a share of C that is 0, or of 1: chosen; see `dual_points.DUST`
FLAT = 1e-12  # of the largest squared length: stands for a curvature of 0; chosen
INDEFINITE = 1e-10  # of the same: a squared distance below minus that is no rounding; as in `_checks`
REMEMBERED = 2**23  # numbers of a walk's own that are kept, 64 MiB: chosen
NONE = 1e-300


def fit_kernel_svm(X, y, kernel, *, lam, offset, sample_weight):
    """`representer.fit_kernel_svm`, and the gap has all rounding counted in."""
    K = gram_rows.gram_of(kernel, X)
    found, steps = certified(X, K, duality.Gram(K, y, sample_weight), lam, offset, np.copy)
    _checks.refuse_indefinite(K, np.flatnonzero(found.dual))
    model = KernelClassifier(found.w, found.theta_0, X, kernel)
    return SVMFit.certified(model, found.dual, found.gap, steps, [found.upper])


def certified(X, K, data, lam, offset, parameters):
    """(certificate, steps) by the Gram matrix K of the rows of X; `parameters` turns an alpha into what `data` takes.

    Where sums over K lose their digits, by the linear machine on features of K: besides alpha = dual y there are then
    the shortest coefficients that give the same functions.
    """
    y, C = data.y, data.w * conventions.C_from_lam(lam, len(data.y))
    alpha, steps = solve(X, K, y, C, offset)
    found = duality.certified([parameters(alpha)], [alpha * y + 0.0], data, lam, offset)
    if found.gap <= GAP or not isinstance(K, np.ndarray):
        return found, steps
    with contextlib.suppress(np.linalg.LinAlgError):
        features, coefficients = gram_features.features(K, X)
        linear, more, _ = linear_svm.solve(features, y, data.w, lam, offset)
        sharp, _, rounds = block_pivoting.sharpen(linear.dual * y, K, y, C, offset)
        thetas = [parameters(alpha) for alpha in (sharp, coefficients(linear.w), linear.dual * y, 0 * y)]
        duals = [sharp * y + 0.0, linear.dual, found.dual]
        found, steps = duality.certified([*thetas, found.w], duals, data, lam, offset), steps + more + rounds
    return found, steps


def solve(X, K, y, C, offset):
    """(alpha, steps) with a relative gap of at most ENOUGH, as computed, or the least one reached."""
    first, group = gram_features.twins(np.column_stack([X, y]))
    K_1, y_1 = K, y[first]
    if len(first) < len(y):
        K_1 = K[np.ix_(first, first)] if isinstance(K, np.ndarray) else K.among(first)
    C_1 = np.bincount(group, weights=np.broadcast_to(C, len(y)))
    alpha, g, most = np.zeros(len(first)), y_1.copy(), 20 * len(y) + 1000
    walk, best = pairs if offset else singles, (np.zeros(len(y)), np.inf)
    steps = 0 if offset or not spread_out(K_1) else glides(alpha, g, K_1, y_1, C_1, TOLERANCES[0], GLIDES)
    for tol in TOLERANCES:
        more = walk(alpha, g, K_1, y_1, C_1, tol, most)
        start = y * shared_out(alpha * y_1, C, group)
        start = dual_points.balance(start, y, C) if offset else start
        sharp, gap, rounds = block_pivoting.sharpen(start, K, y, C, offset, rounds=15, hope=HOPE)
        steps += more + rounds
        best = min(best, (sharp, gap), key=lambda pair: pair[1])
        if gap <= ENOUGH or more == most:
            break
    return best[0], steps


def shared_out(dual, C, group):
    """The groups' multipliers given to their examples: each is filled up to C in turn, so that one at most is free."""
    C, taken = np.broadcast_to(C, len(group)), np.zeros(len(group))
    for several in np.flatnonzero(np.bincount(group) > 1):
        members = np.flatnonzero(group == several)
        taken[members] = np.cumsum(C[members]) - C[members]  # by those before it
    share = (dual[group] - taken) / C
    return C * np.where(share < FULL, 0.0, np.where(share > 1 - FULL, 1.0, share))


def pairs(alpha, g, K, y, C, tol, max_steps):
    """Steps that keep sum alpha, until no pair's slopes differ by more than tol; alpha and g change in place."""
    square, change = K.diagonal(), np.empty_like(g)
    half, least = square / 2, FLAT * square.max() + NONE  # which stands for a curvature of 0
    steepest = 1.0 / np.sqrt(least)

    @functools.lru_cache(max(1, REMEMBERED // len(y)))
    def steepness(i):
        """For each j, 1 / sqrt(curvature) along the step that raises i and lowers j, but for a constant."""
        bend = half - K[i]
        bend += half[i]
        return 1.0 / np.sqrt(np.maximum(bend, least, out=bend), out=bend)

    # Slopes where alpha may rise, and where it may fall; numbers that are looked at one by one are quicker in lists.
    up, down = np.where(alpha < C * (y > 0), g, -np.inf), np.where(alpha > -C * (y < 0), g, np.inf)
    at, low, high = alpha.tolist(), (-C * (y < 0)).tolist(), (C * (y > 0)).tolist()
    for step in range(max_steps + 1):
        i = int(up.argmax())
        top, steep = float(up[i]), steepness(i)
        np.subtract(top, down, out=change)
        change *= steep  # its square is four times what the best step gains
        j = int(change.argmax())
        apart, curved = top - float(down[j]), 2.0 / float(steep[j]) ** 2
        if step == max_steps or (not apart > tol and not top - down.min() > tol):
            break
        row, other = K[i], K[j]
        if steep[j] == steepest and square[i] + square[j] - 2.0 * row[j] < -INDEFINITE * square.max():
            _checks.fail("kernel", "positive semidefinite", f"a negative squared distance, of examples {i} and {j}")
        t = min(apart / curved, high[i] - at[i], at[j] - low[j])
        at[i] = high[i] if t == high[i] - at[i] else at[i] + t
        at[j] = low[j] if t == at[j] - low[j] else at[j] - t
        np.subtract(row, other, out=change)
        change *= t
        up -= change
        down -= change
        down[i], up[j] = up[i], down[j]
        if at[i] == high[i]:
            up[i] = -np.inf
        if at[j] == low[j]:
            down[j] = np.inf
    alpha[:], g[:] = at, np.where(np.isfinite(up), up, down)
    return step


def spread_out(K):
    """Whether K is an array whose eigenvalues are about as large, as those of many columns are."""
    return isinstance(K, np.ndarray) and NONE < np.sqrt(SPREAD * len(K) * np.vdot(K, K)) < K.trace()


@np.errstate(over="ignore")
def glides(alpha, g, K, y, C, tol, max_steps):
    """Steps of all coefficients along their slopes, cut off at the box, until no slope that may be followed exceeds
    tol; alpha and g change in place.

    Their lengths are the two of Barzilai and Borwein (1988) in turn. They may end early, and `singles` goes on.
    """
    low, high, t = -C * (y < 0), C * (y > 0), g @ g / max(g @ (K @ g), NONE)
    for step in range(max_steps):
        there = np.minimum(np.maximum(alpha + t * g, low), high)
        d = there - alpha
        if not t < np.inf or np.abs(np.where(d, g, 0.0)).max() <= tol:
            return step
        change = K @ d
        bend = d @ change
        alpha[:] = there
        g -= change
        t = d @ d / max(bend, NONE) if step % 2 else bend / max(change @ change, NONE)
    return max_steps


def singles(alpha, g, K, y, C, tol, max_steps):
    """Steps on one coefficient each, until no slope that may be followed exceeds tol; alpha and g change in place."""
    low, high, square = -C * (y < 0), C * (y > 0), K.diagonal()
    bend, room, gain = np.maximum(square, FLAT * square.max() + NONE), np.empty_like(g), np.empty_like(g)
    for step in range(max_steps):
        np.divide(g, bend, out=room)
        room += alpha
        np.minimum(np.maximum(room, low, out=room), high, out=room)
        room -= alpha  # where each would go alone
        i = int(np.multiply(room, g, out=gain).argmax())
        t = room[i]
        if np.abs(g[i]) <= tol or t == 0:
            return step
        alpha[i] += t
        g -= np.multiply(K[i], t, out=room)
    return max_steps
