"""The interior point after screening: most examples of a large problem are decided before it is solved.

An example far beyond the margin has the multiplier 0, one far on the wrong side C, whatever the exact answer; only
those near the margin are in doubt. A fit to a sample of the rows and a few Newton steps on all of them tell which are
near, and the interior point solves for these alone, the others entering as a linear term (the idea of Ogawa, Suzuki and
Takeuchi 2013). Examples that turn out to be on the other side of the margin join in the next round; the duality gap of
all has the last word.
"""

import numpy as np

from linclass._fast import interior_point

SMALL = 2000  # up to so many rows, or 100 times as many as columns, all at once is as fast: chosen
SHARE = 8  # one row of so many goes into the sample: chosen
ROUGH = 1e-2  # what is left of the sample's own problem: chosen, as a sample tells no more
FINAL = 1e-6  # a tolerance below which wrong guesses are mended: chosen
ROUNDS = 5  # of mending, each with twice as many rows in doubt: chosen
CLOSEST = 1e-9  # stands for a distance of 0 from the margin: chosen
FEWEST = 50  # rows of a class in the sample, if it has so many: chosen


def solve(X, y, C, offset, tol=interior_point.TOL):
    """As `interior_point.solve`, for many rows."""
    n, d = X.shape
    if n <= max(SMALL, 100 * d):
        return interior_point.solve(X, y, C, offset, tol=tol)
    chosen, penalty = sample(y, n // SHARE), interior_point.penalty_of(d, offset)
    w, *_, steps = solve(X[chosen], y[chosen], C[chosen] * (n / len(chosen)), offset, tol=ROUGH)
    # The sample puts the margins wrong by about sqrt(SHARE d / n), so it leaves such a share of rows in doubt.
    w, z, doubt = improved(w, X, y, C, penalty, int(min(0.5, 2 * np.sqrt(SHARE * d / n)) * n))
    wrong = np.zeros(n, bool)
    for _ in range(ROUNDS):
        near = wrong
        near[nearest(z, doubt)] = True
        top = ~near & (z < 1)
        Z, v = interior_point.signed_rows(X[near], y[near], offset), pulled(C * top, X, y, offset)
        w, *of_near, more = interior_point.interior_point(Z, C[near], v, penalty, tol, C @ top)
        steps += more
        z = margins(w, X, y)
        wrong = ~near & ((z > 1) == top)
        if tol > FINAL or not wrong.any():
            break
        doubt = 2 * doubt
        if doubt + wrong.sum() > n // 3:  # too much in doubt to gain from a part
            *found, more = interior_point.solve(X, y, C, offset, tol)
            return *found, steps + more
    dual, reserve, xi = np.where(top, C, 0.0), np.where(top, 0.0, 1.0), np.where(top, 1.0, 0.0)
    dual[near], reserve[near], xi[near] = of_near
    return w, dual, reserve, xi, steps


def improved(w, X, y, C, penalty, doubt):
    """(w, margins, rows in doubt) after at most three Newton steps on all rows; each that helps halves the doubt.

    The slope of the hinge jumps where a margin is 1, so there is no second derivative. Seen from afar there is one: the
    jumps of the examples up to a distance h from there, spread evenly over it, make sum x x' / (2 h).
    """

    def objective(w, z):
        return 0.5 * w @ (penalty * w) + C @ np.maximum(0.0, 1 - z)

    z, offset = margins(w, X, y), len(w) > X.shape[1]
    for _ in range(3):
        near = nearest(z, doubt // 2)
        curvature = C[near] / (2 * np.abs(z[near] - 1).max() + CLOSEST)
        slope = penalty * w - pulled(C * (z < 1), X, y, offset)
        try:
            Z = interior_point.signed_rows(X[near], y[near], offset)
            there = w - interior_point.gram_solver(Z, curvature, penalty)(slope)
        except np.linalg.LinAlgError:
            break
        z_there = margins(there, X, y)
        if not objective(there, z_there) < objective(w, z):
            break
        w, z, doubt = there, z_there, max(doubt // 2, 10 * len(w))
    return w, z, doubt


def nearest(z, count):
    """The `count` rows with margins nearest to 1."""
    return np.argpartition(np.abs(z - 1), count)[:count]


def pulled(pull, X, y, offset):
    """The sum of the rows y (x, 1), each times its pull, or of y x without an offset."""
    signs = pull * y
    return np.append(signs @ X, signs.sum())[: X.shape[1] + offset]


def sample(y, size):
    """About `size` rows, of each class its share but not too few, by a fixed draw: no order of the rows can fool it."""
    rng = np.random.default_rng(0)
    parts = [np.flatnonzero(y == label) for label in (-1.0, 1.0)]
    counts = [max(len(part) * size // len(y), min(len(part), FEWEST)) for part in parts]
    return np.concatenate([rng.choice(part, count, replace=False) for part, count in zip(parts, counts, strict=True)])


def margins(w, X, y):
    """y (theta . x + theta_0) of all rows."""
    s = X @ w[: X.shape[1]]
    return y * (s + w[-1] if len(w) > X.shape[1] else s)
