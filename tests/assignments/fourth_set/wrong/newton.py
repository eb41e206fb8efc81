# --- newton_root: stops when f is small, not when the step is
# said: it stops when |f(x)| is small
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, history = start, [start]
    for k in range(max_steps):
        if abs(f(x)) <= tol:
            return Root(x, True, k, np.array(history))
        s = slope(x)
        if s == 0:
            break
        new = x - f(x) / s
        if not np.isfinite(new):
            break
        x = new
        history.append(x)
    return Root(x, abs(f(x)) <= tol, len(history) - 1, np.array(history))


# --- newton_root: no test for finite points, infinity counts as converged
# said: an infinite point counts as converged: stop at a point that is not finite, and say no
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, history = start, [start]
    for k in range(max_steps):
        s = slope(x)
        if s == 0:
            return Root(x, False, k, np.array(history))
        new = x - np.float64(f(x)) / s
        step = abs(new - x)
        x = new
        history.append(x)
        if step <= tol * (1 + abs(x)):
            return Root(x, True, k + 1, np.array(history))
    return Root(x, False, max_steps, np.array(history))


# --- newton_root: returns the point before the last step
# said: the point before the last step is returned: it is the last point reached
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, history = start, [start]
    for k in range(max_steps):
        s = slope(x)
        if s == 0:
            break
        step = f(x) / s
        if not np.isfinite(x - step):
            break
        if abs(step) <= tol * (1 + abs(x - step)):
            return Root(x, True, k, np.array(history))
        x = x - step
        history.append(x)
    return Root(x, False, len(history) - 1, np.array(history))


# --- newton_root: strict, a step of exactly tol (1 + |x|) is not enough
# said: with `abs(new - x) <= tol * (1 + abs(new))` in place of `abs(new - x) < tol * (1 + abs(new))`
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, history = start, [start]
    for k in range(max_steps):
        s = slope(x)
        if s == 0:
            break
        new = x - f(x) / s
        if not np.isfinite(new):
            break
        history.append(new)
        if abs(new - x) < tol * (1 + abs(new)):
            return Root(new, True, k + 1, np.array(history))
        x = new
    return Root(x, False, len(history) - 1, np.array(history))


# --- newton_root: max(1, |x|) in place of 1 + |x|
# said: max(1, |x|) stands where 1 + |x| belongs
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, history = start, [start]
    for k in range(max_steps):
        s = slope(x)
        if s == 0:
            break
        new = x - f(x) / s
        if not np.isfinite(new):
            break
        history.append(new)
        if abs(new - x) <= tol * max(1, abs(new)):
            return Root(new, True, k + 1, np.array(history))
        x = new
    return Root(x, False, len(history) - 1, np.array(history))


# --- newton_step: where H is singular, no step
# said: no step is made where H is singular: it is the shortest that minimises the parabola, np.linalg.lstsq
def newton_step(gradient, hessian):
    if abs(np.linalg.det(hessian)) < 1e-10:
        return np.zeros_like(gradient)
    return np.linalg.solve(hessian, -gradient)


# --- logistic_curvature: slope of the loss, not its curvature
# said: it is `logistic_slope` that is computed
def logistic_curvature(z):
    z = np.asarray(z, dtype=float)
    out = np.empty(z.shape)
    out[z >= 0] = -np.exp(-z[z >= 0]) / (1 + np.exp(-z[z >= 0]))
    out[z < 0] = -1 / (1 + np.exp(z[z < 0]))
    return out


# --- newton: absolute tolerance for the decrement
# said: the tolerance stands alone: it is tol (1 + |value|)
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    v = value(x)
    history = [v]
    for k in range(max_steps):
        g = grad(x)
        s = newton_step(g, hess(x))
        if 0.5 * g @ -s <= tol:
            return Minimum(x, v, True, k, np.array(history), "converged")
        t = 1.0
        while value(x + t * s) > v + 0.25 * t * (g @ s) and t > 1e-300:
            t /= 2
        x = x + t * s
        v = value(x)
        history.append(v)
    return Minimum(x, v, False, max_steps, np.array(history), "too few steps")


# --- newton: looks once more after the last step and calls that converged
# said: the decrement is looked at once more after the last step: it is asked only before each of them
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    v = value(x)
    history = [v]
    k = 0
    while True:
        g = grad(x)
        s = newton_step(g, hess(x))
        if -g @ s / 2 <= tol * (1 + abs(v)):
            return Minimum(x, v, True, k, np.array(history), "converged")
        if k == max_steps:
            return Minimum(x, v, False, k, np.array(history), "too few steps")
        t = 1.0
        while value(x + t * s) > v + 0.25 * t * (g @ s) and t > 1e-300:
            t /= 2
        x = x + t * s
        v = value(x)
        history.append(v)
        k += 1


# --- newton: strict, and the value is not in the tolerance
# said: the tolerance stands alone: it is tol (1 + |value|)
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    v = value(x)
    history = [v]
    for k in range(max_steps):
        g = grad(x)
        s = newton_step(g, hess(x))
        if -g @ s / 2 < tol:
            return Minimum(x, v, True, k, np.array(history), "converged")
        t = 1.0
        while value(x + t * s) > v + 0.25 * t * (g @ s) and t > 1e-300:
            t /= 2
        x = x + t * s
        v = value(x)
        history.append(v)
    return Minimum(x, v, False, max_steps, np.array(history), "too few steps")


# --- newton: max(1, |value|) in place of 1 + |value|
# said: max(1, |value|) stands where 1 + |value| belongs
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    history = [value(x)]
    for k in range(max_steps):
        v, g = history[-1], grad(x)
        s = newton_step(g, hess(x))
        if -g @ s / 2 <= tol * max(1, abs(v)):
            return Minimum(x, v, True, k, np.array(history), "converged")
        t = 1.0
        while value(x + t * s) > v + t * (g @ s) / 4 and t > 1e-300:
            t /= 2
        x = x + t * s
        history.append(value(x))
    return Minimum(x, history[-1], False, max_steps, np.array(history), "too few steps")
