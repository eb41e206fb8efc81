"""The support vector machine's quadratic program, solved by an interior point method in few, small systems.

    minimise 1/2 |theta|^2 - v . w + C sum xi   over w = (theta, theta_0), xi >= 0, A w + xi - 1 = s >= 0

The rows of A are y (x, 1), or y x without an offset. The multipliers of s >= 0 are a in [0, C], those of xi >= 0
are C - a. At the optimum a s = 0 and (C - a) xi = 0; the method follows the path on which both products are mu > 0
while mu falls to 0 (Mehrotra 1992). Each step solves one system with as many unknowns as w: examples enter it only
through the weighted sum A' D A.
"""

import numpy as np

from linclass._fast import dual_points

SIGN = np.array([[1.0], [-1.0]])  # what one gains of (a, C - a), the other loses


def solve(X, y, C, offset, tol=1e-12, careful=False, even=False):
    """The interior point of the whole problem, (w, a, s, xi, steps) with w = (theta, theta_0) or theta alone.

    With more columns than rows, in the coordinates of X' = Q R: theta = Q w lies in the span of the rows and |theta| =
    |w|. The largest columns come first, so that they do not drown the others' digits.
    """
    n, d = X.shape
    if d > n:
        order = np.argsort(-np.abs(X).max(axis=0))
        Q, R = np.linalg.qr(X.T[order])
        w, *rest = solve(R.T, y, C, offset, tol, careful, even)
        theta = np.empty(d)
        theta[order] = Q @ w[:n]
        return np.append(theta, w[n:]), *rest
    A, penalty = signed_rows(X, y, offset), penalty_of(d, offset)
    return interior_point(A, C, np.zeros(len(penalty)), penalty, tol, careful=careful, even=even)


def signed_rows(X, y, offset):
    """Rows y (x, 1), or y x without an offset."""
    return y[:, None] * (np.column_stack([X, np.ones(len(y))]) if offset else X)


def penalty_of(d, offset):
    """The diagonal of the quadratic term: ones, and a zero for the offset."""
    return np.append(np.ones(d), 0.0)[: d + offset]


@np.errstate(over="ignore", divide="ignore", invalid="ignore")  # a step that is not finite is the last
def interior_point(A, C, v, penalty, tol, constant=0.0, careful=False, even=False):
    """Follow the central path until the sum of products is at most tol times the objective: (w, a, s, xi, steps).

    v and `constant` are what examples outside A add to the objective. `careful` keeps more digits of each step where
    columns are equal or of very different size, and takes longer. The multipliers of rows far out start lower, or all
    start `even`.
    """
    n, d = len(A), int(penalty.sum())
    w = np.zeros(A.shape[1])
    # A w + xi - 1 = s and a + (C - a) = C hold here, and so ever after: each step is linear in them.
    a = np.full(n, C / 2) if even else C / 2 / dual_points.far_out(A)
    m, k = np.array([a, C - a]), np.full((2, n), [[1.0], [2.0]])  # multipliers (a, C - a) and their slacks (s, xi)
    best = np.inf, (w, m[0], *k, 0)
    for steps in range(200):
        products = np.vdot(m, k)
        residual = v + A.T @ m[0] - penalty * w
        q = k[1] - k[0]
        objective = constant + 0.5 * w[:d] @ w[:d] - v @ w + C * np.maximum(0.0, q).sum()
        # What is left: the products, and what the residual of the dual's equations adds to the duality gap.
        left = products + 0.5 * residual @ residual + np.abs(residual[d:] @ w[d:])
        if left < best[0]:
            best = left, (w, m[0], *k, steps)
        # Once rounding takes over, what is left grows again, or stays while the products vanish.
        lost = (left > 1e3 * best[0] and steps > 10) or steps > best[1][-1] + 20 or not np.isfinite(left)
        if lost or min(left, 1e3 * products) <= tol * objective:
            break
        try:
            step = newton_steps(A, 1.0 / (k / m).sum(axis=0), penalty, residual, careful)
        except np.linalg.LinAlgError:
            break
        # First look where mu = 0 would lead: while the multipliers grow to m (1 + r), the slacks fall by k (1 + r).
        dw, da = step(q)
        r = SIGN * da / m
        t = 1.0 / max(-r.min(), 1.0 + r.max(), 0.995)
        bend = r * (1.0 + r)
        after = (1.0 - t) * products - t * t * np.vdot(m * k, bend)
        # Then aim at a mu that fits, with the second-order terms of that look: dk = (mu - dm dk) / m - k - k r. With
        # care, or late, they count only as far as it got, since the steps may go round in a circle.
        mu = (after / products) ** 3 * products / (2 * n)
        pull = mu / m + k * ((t * t if careful or steps > 20 else 1.0) * bend - 1.0)
        dw, da = step(pull[0] - pull[1])
        r = SIGN * da / m
        dk = pull - k * r
        t = 0.995 / max(-r.min(), -(dk / k).min(), 0.995)
        w, m, k = w + t * dw, m * (1.0 + t * r), k + t * dk
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
