"""The support vector machine's quadratic program, solved by an interior point method in few, small systems.

    minimise 1/2 |theta|^2 - v . w + C sum xi   over w = (theta, theta_0), xi >= 0, Z w + xi - 1 = reserve >= 0

The rows of Z are y (x, 1), or y x without an offset. The multipliers of reserve >= 0 are dual in [0, C], those of
xi >= 0 are C - dual. At the optimum dual reserve = 0 and (C - dual) xi = 0; the method follows the path on which both
products are mu > 0 while mu falls to 0, predictor and corrector at each step (Mehrotra 1992). Each step solves one
system with as many unknowns as w: examples enter it only through the weighted sum Z' D Z.
"""

import numpy as np

from linclass._fast import dual_points

SIGN = np.array([[1.0], [-1.0]])  # what one gains of (dual, C - dual), the other loses
TOL = 1e-13  # what is left, of the objective, at the end: chosen; crossover does the rest
NEARLY = 0.995  # how much of the way to the boundary a step may go: chosen, as is usual
MOST_STEPS = 200  # chosen: ten times what well-scaled data take
EARLY = 20  # steps before second-order terms are damped, and steps without progress that are borne: chosen
LOST = 1e3  # times the least that was left: then rounding has taken over; chosen
NUDGE = 1e-15  # on a unit diagonal that equal columns leave singular: chosen, a few eps
BLOCK = 2**15  # numbers at a time, 256 KiB, and at least LEAST_ROWS rows: chosen, what a cache holds
LEAST_ROWS = 512


def solve(X, y, C, offset, tol=TOL, careful=False, even=False):
    """The interior point of the whole problem, (w, dual, reserve, xi, steps), w = (theta, theta_0) or theta alone.

    The multipliers of rows far out start lower, or all start `even`.
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
    Z, penalty = signed_rows(X, y, offset), penalty_of(d, offset)
    # Z w + xi - 1 = reserve and dual + (C - dual) = C hold here, and so ever after: each step is linear in them.
    dual, slack = C / 2 if even else C / 2 / dual_points.far_out(Z), np.full((2, n), [[1.0], [2.0]])
    start = np.zeros(len(penalty)), np.array([dual, C - dual]), slack
    return interior_point(Z, C, start[0], penalty, tol, start, careful=careful)


def signed_rows(X, y, offset):
    """Rows y (x, 1), or y x without an offset."""
    return y[:, None] * (np.column_stack([X, np.ones(len(y))]) if offset else X)


def central(w, Z, C, share):
    """Where to start from w: the prices and slacks at which all products are `share` C."""
    u = (1.0 - Z @ w) / (2 * share)
    root = np.hypot(u, 1.0)
    less = (1 + 1 / (root + np.abs(u))) / (2 * (root + 1))
    parts = np.array([less, 1 - less])
    price = C * np.where(u > 0, parts[::-1], parts)
    return w, price, share * C / price


def penalty_of(d, offset):
    """The diagonal of the quadratic term: ones, and a zero for the offset."""
    return np.append(np.ones(d), 0.0)[: d + offset]


# Eight parameters, for the problem has six parts, and longer than others: one loop, which a cut would tear apart.
@np.errstate(over="ignore", divide="ignore", invalid="ignore")  # a step that is not finite is the last
def interior_point(Z, C, v, penalty, tol, start, constant=0.0, careful=False):
    """Follow the central path until the sum of products is at most tol times the objective: as `solve`.

    It starts from w, the prices (dual, C - dual) and the slacks (reserve, xi). v and `constant` are what examples
    outside Z add to the objective. `careful` keeps more digits of each step where columns are equal or of very
    different size, and takes longer.
    """
    (w, price, slack), n, d = start, len(Z), int(penalty.sum())
    best = np.inf, (w, price[0], *slack, 0)
    for steps in range(MOST_STEPS):
        products = np.vdot(price, slack)
        residual = v + Z.T @ price[0] - penalty * w
        short = slack[1] - slack[0]
        objective = constant + 0.5 * w[:d] @ w[:d] - v @ w + np.sum(C * np.maximum(0.0, short))
        # What is left: the products, and what the residual of the dual's equations adds to the duality gap.
        left = products + 0.5 * residual @ residual + np.abs(residual[d:] @ w[d:])
        if left < best[0]:
            best = left, (w, price[0], *slack, steps)
        # Once rounding takes over, what is left grows again, or stays while the products vanish.
        lost = (left > LOST * best[0] and steps > EARLY // 2) or steps > best[1][-1] + EARLY or not np.isfinite(left)
        if lost or min(left, LOST * products) <= tol * objective:
            break
        try:
            step = newton_steps(Z, 1.0 / (slack / price).sum(axis=0), penalty, residual, careful)
        except np.linalg.LinAlgError:
            break
        # First look where mu = 0 would lead: while prices grow to price (1 + r), slacks fall by slack (1 + r).
        dw, ddual = step(short)
        r = SIGN * ddual / price
        t = 1.0 / max(-r.min(), 1.0 + r.max(), NEARLY)
        bend = r * (1.0 + r)
        after = (1.0 - t) * products - t * t * np.vdot(price * slack, bend)
        # Then aim at a mu that fits, with the second-order terms of that look: dslack = (mu - dprice dslack) / price -
        # slack - slack r. With care, or late, they count only as far as it got: the steps may go round in a circle.
        mu = (after / products) ** 3 * products / (2 * n)
        pull = mu / price + slack * ((t * t if careful or steps > EARLY else 1.0) * bend - 1.0)
        dw, ddual = step(pull[0] - pull[1])
        r = SIGN * ddual / price
        dslack = pull - slack * r
        t = NEARLY / max(-r.min(), -(dslack / slack).min(), NEARLY)
        w, price, slack = w + t * dw, price * (1.0 + t * r), slack + t * dslack
    return best[1]


def newton_steps(Z, weight, penalty, residual, careful):
    """q -> (dw, ddual), the solution of  penalty dw - Z' ddual = residual,  Z dw + ddual / weight = q."""
    solve = roots_solver(Z, weight, penalty) if careful else gram_solver(Z, weight, penalty)

    def step(q):
        dw = solve(residual + Z.T @ (weight * q))
        ddual = weight * (q - Z @ dw)
        for _ in range(2 * careful):
            # A large weight makes much of the rounding of Z dw: what ddual misses of the first equation is mended.
            more = solve(residual + Z.T @ ddual - penalty * dw)
            dw, ddual = dw + more, ddual - weight * (Z @ more)
        return dw, ddual

    return step


def gram_solver(Z, weight, penalty):
    """rhs -> M^-1 rhs for M = Z' diag(weight) Z + diag(penalty), scaled to a unit diagonal first."""
    M = weighted_gram(Z, weight)
    M.flat[:: len(M) + 1] += penalty
    scale = 1.0 / np.sqrt(M.diagonal())
    scaled = M * scale[:, None] * scale
    scaled.flat[:: len(M) + 1] = 1.0 + NUDGE
    inverse = np.linalg.inv(scaled)

    def solve(rhs):
        # One step of refinement gives back the digits that the explicit inverse loses.
        x = scale * (inverse @ (scale * rhs))
        return x + scale * (inverse @ (scale * (rhs - M @ x)))

    return solve


def roots_solver(Z, weight, penalty):
    """The same from M = B' B = R' R with B = Q R: no square, so half as many digits are lost; large rows first."""
    B = np.vstack([np.sqrt(weight)[:, None] * Z, np.diag(np.sqrt(penalty))])
    scale = 1.0 / np.linalg.norm(B, axis=0)
    B = B * scale
    R = np.linalg.qr(B[np.argsort(-np.abs(B).max(axis=1), kind="stable")], mode="r")
    inverse = scale[:, None] * np.linalg.inv(R)
    return lambda rhs: inverse @ (inverse.T @ rhs)


def weighted_gram(Z, weight):
    """Z' diag(weight) Z, block after block of rows that fit the cache."""
    rows = max(LEAST_ROWS, BLOCK // Z.shape[1])
    root, M = np.sqrt(weight)[:, None], 0.0
    for start in range(0, len(Z), rows):
        B = root[start : start + rows] * Z[start : start + rows]
        M = M + B.T @ B
    return M
