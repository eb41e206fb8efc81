"""The support vector machine's quadratic program, solved by an interior point method in few, small systems.

    minimise 1/2 |theta|^2 - v . w + C sum xi   over w = (theta, theta_0), xi >= 0, A w + xi - 1 = s >= 0

The rows of A are y (x, 1), or y x without an offset. The multipliers of s >= 0 are a in [0, C], those of xi >= 0
are C - a. At the optimum a s = 0 and (C - a) xi = 0; the method follows the path on which both products are mu > 0
while mu falls to 0 (Mehrotra 1992). Each step solves one system with as many unknowns as w: examples enter it only
through the weighted sum A' D A.
"""

import numpy as np


def solve(X, y, C, offset, tol=1e-12, careful=False):
    """The interior point of the whole problem, (w, a, s, xi, steps) with w = (theta, theta_0) or theta alone.

    With more columns than rows, in the coordinates of X' = Q R: theta = Q w lies in the span of the rows and |theta| =
    |w|. The largest columns come first, so that they do not drown the others' digits.
    """
    n, d = X.shape
    order, Q = np.argsort(-np.abs(X).max(axis=0)) if d > n else None, None
    if d > n:
        Q, R = np.linalg.qr(X.T[order])
        X = R.T
    A = signed_rows(X, y, offset)
    penalty = np.ones(A.shape[1])
    penalty[X.shape[1] :] = 0.0
    w, *rest = interior_point(A, C, np.zeros(A.shape[1]), penalty, tol, careful=careful)
    if d > n:
        theta = np.empty(d)
        theta[order] = Q @ w[:n]
        w = np.append(theta, w[n:])
    return w, *rest


def signed_rows(X, y, offset):
    """Rows y (x, 1), or y x without an offset."""
    return y[:, None] * (np.column_stack([X, np.ones(len(y))]) if offset else X)


def interior_point(A, C, v, penalty, tol, constant=0.0, careful=False, max_steps=80):
    """Follow the central path until the sum of products is at most tol times the objective: (w, a, s, xi, steps).

    `penalty` is the diagonal of the quadratic term, ones with a zero for the offset; v and `constant` are what
    examples outside A add to the objective. `careful` keeps more digits of each step where columns are equal or of
    very different size, for twice the time.
    """
    n = len(A)
    w = np.zeros(A.shape[1])
    # A w + xi - 1 = s and a + c = C hold here, and so ever after: each step is linear in them.
    a, c, s, xi = np.full(n, C / 2), np.full(n, C / 2), np.full(n, 1.0), np.full(n, 2.0)
    best = np.inf, None
    for steps in range(max_steps):
        products = a @ s + c @ xi
        residual = v + A.T @ a - penalty * w
        objective = constant + 0.5 * w @ (penalty * w) - v @ w + C * np.maximum(0.0, xi - s).sum()
        # What is left: the products, and what the residual of the dual's equations adds to the duality gap.
        left = products + 0.5 * residual @ residual + np.abs(residual[penalty == 0] * w[penalty == 0]).sum()
        if left < best[0]:
            best = left, (w, a, s, xi, steps)
        # Once rounding takes over, what is left grows again, or stays while the products vanish.
        if min(left, 1e3 * products) <= tol * objective or left > 1e3 * best[0] or not np.isfinite(left):
            break
        weight = 1.0 / (s / a + xi / c)
        try:
            step = newton_steps(A, weight, penalty, residual, careful)
        except np.linalg.LinAlgError:
            break
        # First look where mu = 0 would lead, then aim at a mu that fits, with the second-order terms of that look (as
        # far as it got, or the steps may go round in a circle). From a s = mu: ds = (mu - da ds)/a - s - (s/a) da, and
        # likewise for c xi = mu with dc = -da.
        dw, da = step(xi - s)
        ratio_a, ratio_c = da / a, da / c
        ds, dxi = -s - s * ratio_a, -xi + xi * ratio_c
        t = longest(ratio_a, ratio_c, ds / s, dxi / xi)
        after = (a + t * da) @ (s + t * ds) + (c - t * da) @ (xi + t * dxi)
        mu, bend = (after / products) ** 3 * products / (2 * n), t * t if careful else 1.0
        pull_s, pull_xi = mu / a - bend * ratio_a * ds - s, mu / c + bend * ratio_c * dxi - xi
        dw, da = step(pull_s - pull_xi)
        ratio_a, ratio_c = da / a, da / c
        ds, dxi = pull_s - s * ratio_a, pull_xi + xi * ratio_c
        t = 0.995 * longest(ratio_a, ratio_c, ds / s, dxi / xi)
        w, a, c, s, xi = w + t * dw, a + t * da, c - t * da, s + t * ds, xi + t * dxi
    return best[1]


def newton_steps(A, weight, penalty, residual, careful):
    """q -> (dw, da), the solution of  penalty dw - A' da = residual,  A dw + da / weight = q."""
    solve = roots_solver(A, weight, penalty) if careful else gram_solver(A, weight, penalty)

    def step(q):
        dw = solve(residual + A.T @ (weight * q))
        da = weight * (q - A @ dw)
        for _ in range(2 * careful):
            # A large weight makes much of the rounding of A dw: what da misses of the first equation is mended.
            more = solve(residual + A.T @ da - penalty * dw)
            dw, da = dw + more, da - weight * (A @ more)
        return dw, da

    return step


def gram_solver(A, weight, penalty):
    """rhs -> M^-1 rhs for M = A' diag(weight) A + diag(penalty), scaled to a unit diagonal first."""
    M = weighted_gram(A, weight) + np.diag(penalty)
    scale = 1.0 / np.sqrt(np.diag(M))
    scaled = M * scale[:, None] * scale
    scaled.flat[:: len(M) + 1] = 1.0 + 1e-15  # equal columns leave it singular in double precision
    inverse = np.linalg.inv(scaled)

    def solve(rhs):
        # One step of refinement gives back the digits that the explicit inverse loses.
        x = scale * (inverse @ (scale * rhs))
        return x + scale * (inverse @ (scale * (rhs - M @ x)))

    return solve


def roots_solver(A, weight, penalty):
    """The same from M = B' B = R' R with B = Q R: no square, so half as many digits are lost; large rows first."""
    B = np.vstack([np.sqrt(weight)[:, None] * A, np.diag(np.sqrt(penalty))])
    scale = 1.0 / np.linalg.norm(B, axis=0)
    B = B * scale
    R = np.linalg.qr(B[np.argsort(-np.abs(B).max(axis=1), kind="stable")], mode="r")
    inverse = scale[:, None] * np.linalg.inv(R)
    return lambda rhs: inverse @ (inverse.T @ rhs)


def weighted_gram(A, weight):
    """A' diag(weight) A, block after block of rows that fit the cache."""
    rows = max(512, 2**15 // A.shape[1])
    root, M = np.sqrt(weight)[:, None], 0.0
    for start in range(0, len(A), rows):
        B = root[start : start + rows] * A[start : start + rows]
        M = M + B.T @ B
    return M


def longest(ratio_a, ratio_c, ratio_s, ratio_xi):
    """The longest step, at most 1 / 0.995, that keeps a, c, s and xi from turning negative, by their changes/values."""
    return 1.0 / max(-ratio_a.min(), ratio_c.max(), -ratio_s.min(), -ratio_xi.min(), 0.995)
