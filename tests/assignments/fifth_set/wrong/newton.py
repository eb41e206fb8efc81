# --- newton_root: plus instead of minus
# said: `step` has the wrong sign, in `x`
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x = start
    history = [x]
    for k in range(1, max_steps + 1):
        d = slope(x)
        if d == 0:
            return Root(x, False, k - 1, history)
        new = x + f(x) / d
        history.append(new)
        if not np.isfinite(new):
            return Root(new, False, k, history)
        if abs(new - x) <= tol * (1 + abs(new)):
            return Root(new, True, k, history)
        x = new
    return Root(x, False, max_steps, history)


# --- newton_root: tests convergence by |f(x)| <= tol, not by the step
# said: it stops when |f(x)| is small: how small that is depends on the scale of f, so the size of the step decides
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x = float(start)
    hist = [x]
    steps = 0
    converged = False
    while steps < max_steps:
        s = slope(x)
        if s == 0:
            break
        x_new = x - f(x) / s
        steps += 1
        hist.append(x_new)
        x = x_new
        if not np.isfinite(x):
            break
        if abs(f(x)) <= tol:
            converged = True
            break
    return Root(x, converged, steps, np.array(hist))


# --- newton_step: forgets the minus sign
# said: the minus before `np.linalg.pinv(hessian)` is missing
def newton_step(gradient, hessian):
    try:
        return np.linalg.solve(hessian, gradient)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(hessian, gradient, rcond=None)[0]


# --- newton_step: plain solve, breaks on a singular Hessian
# said: a singular Hessian is left to np.linalg.solve, which refuses it: np.linalg.lstsq gives the shortest step
def newton_step(gradient, hessian):
    step = np.linalg.solve(hessian, -gradient)
    return step


# --- logistic_curvature: literal formula, nan for very negative margins
# said: exp(-z) overflows, and infinity over infinity is not a number: the curvature is the same for z and -z, so take exp(-|z|)
def logistic_curvature(z):
    e = np.exp(-z)
    return e / (1 + e) ** 2


# --- logistic_curvature: forgets the square in the denominator
# said: the power of `1.0 + e` is left out
def logistic_curvature(z):
    e = np.exp(-np.abs(z))
    return e / (1 + e)


# --- risk_hess: lam on the whole diagonal, the offset too
# said: the offset is penalised in the Hessian
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    z = y * (X @ theta + theta_0)
    c = loss.curvature(z)
    X1 = np.hstack([X, np.ones((n, 1))])
    H = X1.T @ (c[:, None] * X1) / n
    return H + lam * np.eye(d + 1)


# --- risk_hess: multiplies the curvature by y, as in the gradient
# said: the label stands in front of the curvature: the chain rule gives it twice, y^2 = 1
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    H = np.zeros((d + 1, d + 1))
    z = y * (X @ theta + theta_0)
    curv = loss.curvature(z)
    for t in range(n):
        v = np.append(X[t], 1.0)
        H += curv[t] * y[t] * np.outer(v, v)
    H /= n
    for j in range(d):
        H[j, j] += lam
    return H


# --- risk_hess: the offset comes first
# said: the offset comes first: its row and column are the last
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    A = np.column_stack([np.ones(n), X])
    w = loss.curvature(y * (X @ theta + theta_0))
    H = (A.T * w) @ A / n
    H[1:, 1:] += lam * np.eye(d)
    return H


# --- newton: no damping, always the full step
# said: every step is taken in full: where it overshoots, halve it until the value falls
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    history = [value(x)]
    for k in range(max_steps):
        g = grad(x)
        s = np.linalg.lstsq(hess(x), -g, rcond=None)[0]
        if -(g @ s) / 2 <= tol * (1 + abs(history[-1])):
            return Minimum(x, history[-1], True, k, np.array(history), "converged")
        x = x + s
        history.append(value(x))
    return Minimum(x, history[-1], False, max_steps, np.array(history), "too many steps")


# --- newton: t is not reset to 1 at each step, the damping stays on
# said: the size of the step stays halved: each step begins again with the full Newton step
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    v = value(x)
    history = [v]
    t = 1.0
    for k in range(max_steps):
        g, H = grad(x), hess(x)
        try:
            s = np.linalg.solve(H, -g)
        except np.linalg.LinAlgError:
            s = np.linalg.lstsq(H, -g, rcond=None)[0]
        gain = -np.dot(g, s)
        if gain / 2 <= tol * (1 + abs(v)):
            return Minimum(x, v, True, k, history, "converged")
        while value(x + t * s) > v - 0.25 * t * gain and t > 1e-14:
            t = t / 2
        x = x + t * s
        v = value(x)
        history.append(v)
    return Minimum(x, v, False, max_steps, history, "not converged")
