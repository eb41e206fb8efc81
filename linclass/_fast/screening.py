"""The interior point after screening: most examples of a large problem are decided before it is solved.

An example far beyond the margin has the multiplier 0, one far on the wrong side C, whatever the exact answer; only
those near the margin are in doubt. A rounder hinge tells which: an arc of half-width h takes the place of its corner.
Newton steps lower that risk, most often one, and where they end the next begins, with a quarter of h, until few
examples are on the arc. Then an active set, if w has few unknowns, or the interior point solves for those near the
margin alone, the others entering as a linear term (the idea of Ogawa, Suzuki and Takeuchi 2013). Examples that turn out
to be on the other side of the margin join in the next round; the duality gap of all has the last word.
"""

import contextlib

import numpy as np

from linclass._fast import interior_point, vertex

SMALL, FEW_TIMES = 500, 10  # up to so many rows, or times as many as columns, all at once is as fast: measured
MANY, SHARE = 4000, 8  # of more rows one of SHARE goes into a sample, which finds the start: measured
ON_ARC = 2.5, 20  # examples for each unknown, and in all, that are few: measured
NARROWER = 4.0  # from one arc to the next: chosen
AROUND = 5.0  # half-widths from the margin: examples beyond are decided for now; chosen
STEPS = 15  # at most: chosen; a dozen arcs, of which the last is some 1e-7 wide, and a few steps more
TURNS = 6  # of a line search, at most: chosen
STEEP = 0.5  # of the slope where a step begins, at which it may end: chosen
FEW = 25  # unknowns up to which an active set is quicker than an interior point: measured
ROUNDS = 5  # of mending, each with a stretch twice as wide: chosen
FEWEST = 50  # rows of a class in the sample, if it has so many: chosen


def solve(X, y, C, offset, tol=interior_point.TOL):
    """As `interior_point.solve`, for many rows."""
    if len(X) > max(SMALL, FEW_TIMES * X.shape[1]):
        with contextlib.suppress(np.linalg.LinAlgError):
            if found := screened(X, y, C, offset, tol):
                return found
    return interior_point.solve(X, y, C, offset, tol=tol)


def screened(X, y, C, offset, tol):
    """The same, or None where too much is in doubt to gain from a part, or nothing."""
    n, d = X.shape
    Z, penalty = interior_point.signed_rows(X, y, offset), interior_point.penalty_of(d, offset)
    w, h, steps = narrowed(Z, y, C, penalty)
    z, near = Z @ w, np.zeros(n, bool)
    for _ in range(ROUNDS):
        near |= np.abs(z - 1) <= AROUND * h
        if not 0 < 3 * np.count_nonzero(near) < n:
            return None
        top = ~near & (z < 1)
        part = Z[near], C[near], (C * top) @ Z, penalty
        found = vertex.solve(w, *part) if len(w) <= FEW else None
        if not found:
            start = interior_point.central(w, *part[:2], h / 2)
            found = interior_point.interior_point(*part, tol, start, C @ top)
        w, *of_near, more = found
        z, h, steps = Z @ w, 2 * h, steps + more
        wrong = ~near & ((z > 1) == top)
        if not wrong.any():
            dual, reserve, xi = np.where(top, C, 0.0), np.where(top, 0.0, 1.0), np.where(top, 1.0, 0.0)
            dual[near], reserve[near], xi[near] = of_near
            return w, dual, reserve, xi, steps
        near |= wrong
    return None


def narrowed(Z, y, C, penalty):
    """(w, half-width, steps) of an arc that few examples are on; those far from an arc are left out of the next."""
    n, d = Z.shape
    w, h, steps, v = np.zeros(d), 1.0, 0, np.zeros(d)
    if n > MANY:
        chosen = sample(y, n // SHARE)
        w, _, steps = narrowed(Z[chosen], y[chosen], C[chosen] * (n / len(chosen)), penalty)
    z = Z @ w
    if n > MANY:  # the sample puts margins wrong by about sqrt(SHARE d / n), so it leaves such a share of rows in doubt
        doubt = int(min(0.5, np.sqrt(SHARE * d / n)) * n)
        h = np.partition(np.abs(z - 1), doubt)[doubt]
    for _ in range(STEPS):
        before = z
        w, z, on_arc = newton_step(w, z, Z, C, v, penalty, h)
        steps, moved = steps + 1, np.abs(z - before)
        if 2 * np.count_nonzero(moved[on_arc] > h) > len(on_arc):
            continue  # far from where this arc leads
        if len(on_arc) <= max(ON_ARC[0] * d, ON_ARC[1]):
            break
        near = np.abs(z - 1) <= AROUND * h + moved  # they may move as far once more
        if 2 * np.count_nonzero(near) < len(z):
            v = v + (C * (~near & (z < 1))) @ Z
            Z, C, z = Z[near], C[near], z[near]
        h /= NARROWER
    return w, h, steps


def newton_step(w, z, Z, C, v, penalty, h):
    """(w, margins, who was on the arc): a step that lowers 1/2 w' penalty w - v . w + the sum of C times the arcs.

    An arc has the slope -1 for z < 1 - h, 0 for z > 1 + h, and on a straight line between.
    """

    def pull(z):
        p = (1 + h - z) / (2 * h)
        return np.minimum(np.maximum(p, 0.0, out=p), 1.0, out=p) * C

    on_arc = np.flatnonzero(np.abs(z - 1) <= h)
    linear, B = penalty * w - v, Z[on_arc]
    g = linear - pull(z) @ Z
    H = (B.T * (C[on_arc] / (2 * h))) @ B
    # With nobody on the arc nothing holds the offset; it is moved as if somebody were.
    H.flat[:: len(w) + 1] += penalty if len(on_arc) else np.maximum(penalty, C.mean() / (2 * h))
    dw = np.linalg.solve(H, -g)
    dz, rising, bending = Z @ dw, linear @ dw, dw @ (penalty * dw)
    low, high, before, after = 0.0, 1.0, g @ dw, 0.0
    enough = -STEEP * before
    for turn in range(TURNS):
        t = low + (high - low) * min(max(before / (before - after), 0.1), 0.9) if turn else 1.0
        there = z + t * dz
        slope = rising + t * bending - pull(there) @ dz
        if abs(slope) <= enough or (t == 1.0 and slope < 0):
            break
        if slope > 0:
            high, after = t, slope
        else:
            low, before = t, slope
    return w + t * dw, there, on_arc


def sample(y, size):
    """About `size` rows, of each class its share but not too few, by a fixed draw: no order of the rows can fool it."""
    rng = np.random.default_rng(0)
    parts = [np.flatnonzero(y == label) for label in (-1.0, 1.0)]
    counts = [max(len(part) * size // len(y), min(len(part), FEWEST)) for part in parts]
    return np.concatenate([rng.choice(part, count, replace=False) for part, count in zip(parts, counts, strict=True)])
