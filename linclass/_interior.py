"""The support vector machine's quadratic program, solved by an interior point method in few, small systems.

    minimise 1/2 |theta|^2 - v . w + C sum xi   over w = (theta, theta_0), xi >= 0, A w + xi - 1 = s >= 0

The rows of A are y (x, 1), or y x without an offset. The multipliers of s >= 0 are a in [0, C], those of xi >= 0
are C - a. At the optimum a s = 0 and (C - a) xi = 0; the method follows the path on which both products are mu > 0
while mu falls to 0 (Mehrotra 1992). Each step solves one system with as many unknowns as w: examples enter it only
through the weighted sum A' D A.
"""

import numpy as np


def solve(X, y, C, offset, rotate=False, tol=1e-12):
    """The interior point of the whole problem, (w, a, s, xi, steps) with w = (theta, theta_0) or theta alone.

    With `rotate`, or with more columns than rows, in the coordinates of X = U S V': theta = V w lies in the span of
    the rows, |theta| = |w|, and the columns U S are orthogonal, which the systems below take well however scaled.
    """
    V = None
    if rotate or X.shape[1] > len(y):
        U, S, V = np.linalg.svd(X, full_matrices=False)
        X = U * S
    A = y[:, None] * (np.column_stack([X, np.ones(len(y))]) if offset else X)
    penalty = np.ones(A.shape[1])
    penalty[X.shape[1] :] = 0.0
    w, *rest = interior_point(A, C, np.zeros(A.shape[1]), penalty, tol)
    return w if V is None else np.append(w[: len(V)] @ V, w[len(V) :]), *rest


def interior_point(A, C, v, penalty, tol, constant=0.0, max_steps=80):
    """Follow the central path until the sum of products is at most tol times the objective: (w, a, s, xi, steps).

    `penalty` is the diagonal of the quadratic term, ones with a zero for the offset; v and
    `constant` are what examples outside A add to the objective.
    """
    n = len(A)
    w = np.zeros(A.shape[1])
    # A w + xi - 1 = s and a + c = C hold here, and so ever after: each step is linear in them.
    a, c, s, xi = np.full(n, C / 2), np.full(n, C / 2), np.full(n, 1.0), np.full(n, 2.0)
    best = np.inf, None
    for steps in range(max_steps):
        products = a @ s + c @ xi
        residual = v + A.T @ a - penalty * w
        objective = constant + 0.5 * w @ (penalty * w) - v @ w + C * np.maximum(0.0, 1.0 - A @ w).sum()
        # What is left: the products, and what the residual of the dual's equations adds to the duality gap.
        left = products + 0.5 * residual @ residual + np.abs(residual[penalty == 0] * w[penalty == 0]).sum()
        if left < best[0]:
            best = left, (w, a, s, xi, steps)
        # Once rounding takes over, what is left grows again.
        if left <= tol * objective or left > 1e3 * best[0] or not np.isfinite(left):
            break
        weight = 1.0 / (s / a + xi / c)
        try:
            solve = symmetric_solver(A.T @ (weight[:, None] * A) + np.diag(penalty))
        except np.linalg.LinAlgError:
            break

        def step(r_s, r_x, weight=weight, solve=solve, c=c, a=a, s=s, xi=xi, residual=residual):
            q = r_s / a - r_x / c
            dw = solve(residual + A.T @ (weight * q))
            da = weight * (q - A @ dw)
            return dw, da, (r_s - s * da) / a, (r_x + xi * da) / c

        # First look where mu = 0 would lead, then aim at a mu that fits, with the second-order terms of that look.
        dw, da, ds, dxi = step(-a * s, -c * xi)
        t = longest(a, s, c, xi, da, ds, dxi)
        after = (a + t * da) @ (s + t * ds) + (c - t * da) @ (xi + t * dxi)
        mu = (after / products) ** 3 * products / (2 * n)
        dw, da, ds, dxi = step(mu - a * s - da * ds, mu - c * xi + da * dxi)
        t = 0.995 * longest(a, s, c, xi, da, ds, dxi)
        w, a, c, s, xi = w + t * dw, a + t * da, c - t * da, s + t * ds, xi + t * dxi
    return best[1]


def longest(a, s, c, xi, da, ds, dxi):
    """The longest step, at most 1 / 0.995, that keeps a, s, c = C - a and xi from turning negative."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worst = max(np.max(-da / a), np.max(da / c), np.max(-ds / s), np.max(-dxi / xi))
    return 1.0 / max(worst, 0.995)


def symmetric_solver(M):
    """rhs -> M^-1 rhs for a symmetric positive definite M, scaled to a unit diagonal first."""
    scale = 1.0 / np.sqrt(np.diag(M))
    scaled = M * scale[:, None] * scale
    scaled.flat[:: len(M) + 1] = 1.0 + 1e-15  # equal columns leave it singular in double precision
    inverse = np.linalg.inv(scaled)

    def solve(rhs):
        # One step of refinement gives back the digits that the explicit inverse loses.
        x = scale * (inverse @ (scale * rhs))
        return x + scale * (inverse @ (scale * (rhs - M @ x)))

    return solve
