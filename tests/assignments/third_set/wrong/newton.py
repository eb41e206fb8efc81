# --- newton_root: the step goes the wrong way
# said: `step` has the wrong sign, in `x`
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, points = start, [start]
    for _ in range(max_steps):
        if slope(x) == 0:
            return Root(x, False, len(points) - 1, points)
        new = x + f(x) / slope(x)
        if not np.isfinite(new):
            return Root(x, False, len(points) - 1, points)
        done = abs(new - x) <= tol * (1 + abs(new))
        x = new
        points.append(x)
        if done:
            return Root(x, True, len(points) - 1, points)
    return Root(x, False, len(points) - 1, points)


# --- newton_root: stops when |f| is small and not when the step is
# said: it stops when |f(x)| is small: how small that is depends on the scale of f, so the size of the step decides
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, points = start, [start]
    for _ in range(max_steps):
        if abs(f(x)) <= tol:
            return Root(x, True, len(points) - 1, points)
        if slope(x) == 0:
            break
        new = x - f(x) / slope(x)
        if not np.isfinite(new):
            break
        x = new
        points.append(x)
    return Root(x, False, len(points) - 1, points)


# --- newton_root: the slope is computed once, at the start
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, points = start, [start]
    m = slope(start)
    for _ in range(max_steps):
        if m == 0:
            break
        new = x - f(x) / m
        if not np.isfinite(new):
            break
        done = abs(new - x) <= tol * (1 + abs(new))
        x = new
        points.append(x)
        if done:
            return Root(x, True, len(points) - 1, points)
    return Root(x, False, len(points) - 1, points)


# --- newton_root: converged is true also when max_steps were not enough
# said: with `Root(x, done, len(points) - 1, points)` in place of `Root(x, True, len(points) - 1, points)`
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, points = start, [start]
    for _ in range(max_steps):
        if slope(x) == 0:
            return Root(x, False, len(points) - 1, points)
        new = x - f(x) / slope(x)
        if not np.isfinite(new):
            return Root(x, False, len(points) - 1, points)
        done = abs(new - x) <= tol * (1 + abs(new))
        x = new
        points.append(x)
        if done:
            break
    return Root(x, True, len(points) - 1, points)


# --- newton_root: a slope of 0 is not looked for
# said: ZeroDivisionError
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, points = float(start), [start]
    for _ in range(max_steps):
        new = x - float(f(x)) / float(slope(x))
        done = abs(new - x) <= tol * (1 + abs(new))
        x = new
        points.append(x)
        if done:
            return Root(x, True, len(points) - 1, points)
    return Root(x, False, len(points) - 1, points)


# --- newton_step: the minus forgotten
# said: the minus before `np.linalg.pinv(hessian)` is missing
def newton_step(gradient, hessian):
    return np.linalg.lstsq(hessian, gradient, rcond=None)[0]


# --- newton_step: no answer for a singular Hessian
# said: a singular Hessian is left to np.linalg.solve, which refuses it: np.linalg.lstsq gives the shortest step
def newton_step(gradient, hessian):
    return np.linalg.solve(hessian, -gradient)


# --- newton_step: only the diagonal of the Hessian is used
# said: only the diagonal of the Hessian is used
def newton_step(gradient, hessian):
    return -gradient / np.diag(hessian)


# --- logistic_curvature: the square in the denominator forgotten
# said: the power of `1.0 + e` is left out
def logistic_curvature(z):
    e = np.exp(-np.abs(z))
    return e / (1 + e)


# --- logistic_curvature: overflows for very negative margins
# said: exp(-z) overflows, and infinity over infinity is not a number: the curvature is the same for z and -z, so take exp(-|z|)
def logistic_curvature(z):
    e = np.exp(-z)
    return e / (1 + e) ** 2


# --- logistic_curvature: p (1 + p) in place of p (1 - p)
# said: `p` has the wrong sign
def logistic_curvature(z):
    e = np.exp(-np.abs(z))
    p = np.where(z >= 0, 1 / (1 + e), e / (1 + e))
    return p * (1 + p)


# --- risk_hess: lam stands on the diagonal of the offset too
# said: the offset is penalised in the Hessian
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    A = np.column_stack([X, np.ones(n)])
    c = loss.curvature(y * (A @ np.append(theta, theta_0)))
    return A.T @ (c[:, None] * A) / n + lam * np.eye(d + 1)


# --- risk_hess: the labels left in, though y^2 = 1
# said: the label stands in front of the curvature: the chain rule gives it twice, y^2 = 1
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    A = np.column_stack([X, np.ones(n)])
    c = y * loss.curvature(y * (A @ np.append(theta, theta_0)))
    H = A.T @ (c[:, None] * A) / n
    H[:d, :d] += lam * np.eye(d)
    return H


# --- risk_hess: the offset comes first
# said: the offset comes first: its row and column are the last
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    A = np.column_stack([np.ones(n), X])
    c = loss.curvature(y * (X @ theta + theta_0))
    H = A.T @ (c[:, None] * A) / n
    H[1:, 1:] += lam * np.eye(d)
    return H


# --- risk_hess: lam is added to every entry of theta's part, not to its diagonal
# said: lambda is added to every entry of theta's part: it belongs on the diagonal
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    A = np.column_stack([X, np.ones(n)])
    c = loss.curvature(y * (X @ theta + theta_0))
    H = A.T @ (c[:, None] * A) / n
    H[:d, :d] += lam
    return H


# --- newton: full steps, no halving
# said: every step is taken in full: where it overshoots, halve it until the value falls
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    history = [value(x)]
    for k in range(max_steps):
        g = grad(x)
        s = np.linalg.lstsq(hess(x), -g, rcond=None)[0]
        if -g @ s / 2 <= tol * (1 + abs(history[-1])):
            return Minimum(x, history[-1], True, k, history, "")
        x = x + s
        history.append(value(x))
    return Minimum(x, history[-1], False, max_steps, history, "")


# --- newton: t is not set back to 1, the next step begins with the last length
# said: the size of the step stays halved: each step begins again with the full Newton step
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    history, t = [value(x)], 1.0
    for k in range(max_steps):
        g = grad(x)
        s = np.linalg.lstsq(hess(x), -g, rcond=None)[0]
        if -g @ s / 2 <= tol * (1 + abs(history[-1])):
            return Minimum(x, history[-1], True, k, history, "")
        while not value(x + t * s) <= history[-1] + t * (g @ s) / 4:
            t /= 2
        x = x + t * s
        history.append(value(x))
    return Minimum(x, history[-1], False, max_steps, history, "")


# --- newton: the Hessian is computed once, at the start
# said: the Hessian of the start is used at every step: it belongs to the current point
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    history, H = [value(x)], hess(x)
    for k in range(max_steps):
        g = grad(x)
        s = np.linalg.lstsq(H, -g, rcond=None)[0]
        if -g @ s / 2 <= tol * (1 + abs(history[-1])):
            return Minimum(x, history[-1], True, k, history, "")
        t = 1.0
        while not value(x + t * s) <= history[-1] + t * (g @ s) / 4:
            t /= 2
        x = x + t * s
        history.append(value(x))
    return Minimum(x, history[-1], False, max_steps, history, "")


# --- newton: any fall of the value is enough, a quarter of the promise is not asked for
# said: any fall of the value is enough: it must be at least a quarter of t (-g . s)
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    history = [value(x)]
    for k in range(max_steps):
        g = grad(x)
        s = np.linalg.lstsq(hess(x), -g, rcond=None)[0]
        if -g @ s / 2 <= tol * (1 + abs(history[-1])):
            return Minimum(x, history[-1], True, k, history, "")
        t = 1.0
        while not value(x + t * s) < history[-1]:
            t /= 2
        x = x + t * s
        history.append(value(x))
    return Minimum(x, history[-1], False, max_steps, history, "")


# --- newton: converged is true also when max_steps were not enough
# said: `converged` is True where it should be False: the steps ran out before it converged
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    history = [value(x)]
    for k in range(max_steps):
        g = grad(x)
        s = np.linalg.lstsq(hess(x), -g, rcond=None)[0]
        if -g @ s / 2 <= tol * (1 + abs(history[-1])):
            break
        t = 1.0
        while not value(x + t * s) <= history[-1] + t * (g @ s) / 4:
            t /= 2
        x = x + t * s
        history.append(value(x))
    return Minimum(x, history[-1], True, len(history) - 1, history, "")
