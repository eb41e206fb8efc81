# --- inverse_step: shift is added outside the fraction
# said: the shift is added to the step: it belongs in the denominator
def inverse_step(scale=1.0, shift=0.0):
    def rule(t):
        return scale / t + shift

    return rule


# --- inverse_step: counts steps from 0, adds an extra 1
# said: t is counted one too high: t = 1, 2, 3, …
def inverse_step(scale=1.0, shift=0.0):
    return lambda t: scale / (t + 1 + shift)


# --- inverse_sqrt_step: the scale goes under the root too
# said: the scale is under the root too
def inverse_sqrt_step(scale=1.0):
    return lambda t: np.sqrt(scale / t)


# --- sgd_step: sums over the batch rather than averaging
# said: the batch is summed, not averaged
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    z = y * (X @ theta + theta_0)
    g = loss.slope(z) * y
    theta_new = theta - eta * (X.T @ g + lam * theta)
    theta_0_new = theta_0 - eta * np.sum(g)
    return theta_new, theta_0_new


# --- sgd_step: shrinks the offset too
# said: the offset is shrunk by lambda, and must not be
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    margins = y * (X.dot(theta) + theta_0)
    s = loss.slope(margins)
    grad = np.mean((s * y)[:, None] * X, axis=0) + lam * theta
    grad0 = np.mean(s * y) + lam * theta_0
    return theta - eta * grad, theta_0 - eta * grad0


# --- sgd_step: offset step uses margins recomputed with the already updated theta
# said: the derivative in theta_0 is taken after theta has moved: both belong to the old (theta, theta_0)
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    n = len(y)
    z = y * (X @ theta + theta_0)
    theta = theta - eta * (X.T @ (loss.slope(z) * y) / n + lam * theta)
    z = y * (X @ theta + theta_0)
    theta_0 = theta_0 - eta * np.mean(loss.slope(z) * y)
    return theta, theta_0


# --- fit_sgd: step counter t restarts every epoch, so the step size does too
# said: t begins again at 1 in every epoch: it counts all steps
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    per_epoch = int(np.ceil(n / batch))
    steps = 0
    sum_theta, sum_0 = np.zeros(d), 0.0
    best, best_risk = None, np.inf
    history = []
    for epoch in range(epochs):
        if sampling == "shuffle":
            order = rng.permutation(n)
        else:
            order = np.arange(n)
        for t in range(1, per_epoch + 1):
            if sampling == "uniform":
                idx = rng.integers(n, size=batch)
            else:
                idx = order[(t - 1) * batch : t * batch]
            step = eta(t) if callable(eta) else eta
            z = y[idx] * (X[idx] @ theta + theta_0)
            g = loss.slope(z) * y[idx]
            theta_next = theta - step * (X[idx].T @ g / len(idx) + lam * theta)
            if offset:
                theta_0 = theta_0 - step * g.mean()
            theta = theta_next
            steps += 1
            sum_theta = sum_theta + theta
            sum_0 += theta_0
        if keep == "average":
            th, th0 = sum_theta / steps, sum_0 / steps
        else:
            th, th0 = theta, theta_0
        r = np.mean(loss.value(y * (X @ th + th0))) + lam / 2 * th @ th
        history.append(r)
        if r < best_risk:
            best_risk, best = r, (th, th0)
    if keep == "best":
        th, th0 = best
    return Fit(LinearClassifier(th, th0), False, steps, np.array(history), "done")


# --- fit_sgd: history and best leave out the penalty
# said: `lam / 2 * now @ now` is left out, in `value`
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta = np.zeros(d)
    theta_0 = 0.0
    avg, avg0 = np.zeros(d), 0.0
    t = 0
    history = []
    best = (np.inf, theta, theta_0)
    for _ in range(epochs):
        perm = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for start in range(0, n, batch):
            t += 1
            idx = rng.integers(n, size=batch) if sampling == "uniform" else perm[start : start + batch]
            Xb, yb = X[idx], y[idx]
            lr = eta(t) if callable(eta) else eta
            g = loss.slope(yb * (Xb @ theta + theta_0)) * yb
            theta = theta - lr * (g @ Xb / len(yb) + lam * theta)
            if offset:
                theta_0 = theta_0 - lr * g.mean()
            avg = avg + (theta - avg) / t
            avg0 = avg0 + (theta_0 - avg0) / t
        cur, cur0 = (avg, avg0) if keep == "average" else (theta, theta_0)
        risk = loss.value(y * (X @ cur + cur0)).mean()
        history.append(risk)
        if risk < best[0]:
            best = (risk, cur, cur0)
    if keep == "best":
        cur, cur0 = best[1], best[2]
    return Fit(LinearClassifier(cur, cur0), False, t, history, "finished all epochs")


# --- fit_sgd: average is taken over the ends of epochs instead of every step
# said: the average is one of the epochs' ends: it is the mean of the iterates after each step
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    def full_risk(w, b):
        return np.mean(loss.value(y * (X @ w + b))) + 0.5 * lam * np.dot(w, w)

    n = len(y)
    w, b = np.zeros(X.shape[1]), 0.0
    t = 0
    ends = []
    history = []
    for e in range(epochs):
        if sampling == "shuffle":
            order = rng.permutation(n)
        elif sampling == "cycle":
            order = np.arange(n)
        for k in range(0, n, batch):
            if sampling == "uniform":
                rows = rng.integers(n, size=batch)
            else:
                rows = order[k : k + batch]
            t += 1
            step = eta(t) if callable(eta) else eta
            z = y[rows] * (X[rows] @ w + b)
            c = loss.slope(z) * y[rows]
            gw = np.mean(c[:, None] * X[rows], axis=0) + lam * w
            gb = np.mean(c)
            w = w - step * gw
            if offset:
                b = b - step * gb
        ends.append((w, b))
        if keep == "average":
            mw = np.mean([p[0] for p in ends], axis=0)
            mb = np.mean([p[1] for p in ends])
            history.append(full_risk(mw, mb))
        else:
            history.append(full_risk(w, b))
    if keep == "best":
        j = int(np.argmin(history))
        w, b = ends[j]
    elif keep == "average":
        w, b = mw, mb
    return Fit(LinearClassifier(w, b), False, t, history, "ok")


# --- fit_sgd: drops the last incomplete batch (n // batch steps per epoch)
# said: the last `batch` is left out where it is shorter
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    n_batches = max(1, n // batch)
    t = 0
    total, total_0 = np.zeros(d), 0.0
    history, iterates = [], []
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for b in range(n_batches):
            if sampling == "uniform":
                idx = rng.integers(n, size=batch)
            else:
                idx = order[b * batch : (b + 1) * batch]
            t += 1
            eta_t = eta(t) if callable(eta) else eta
            z = y[idx] * (X[idx] @ theta + theta_0)
            s = loss.slope(z) * y[idx]
            theta = theta - eta_t * (X[idx].T @ s / len(idx) + lam * theta)
            theta_0 = theta_0 - eta_t * np.mean(s) if offset else 0.0
            total = total + theta
            total_0 = total_0 + theta_0
        if keep == "average":
            now = (total / t, total_0 / t)
        else:
            now = (theta, theta_0)
        iterates.append(now)
        history.append(np.mean(loss.value(y * (X @ now[0] + now[1]))) + lam / 2 * np.sum(now[0] ** 2))
    final = iterates[np.argmin(history)] if keep == "best" else iterates[-1]
    return Fit(LinearClassifier(*final), False, t, np.array(history), "")


# --- fit_sgd: keep="best" returns the last iterate (best is never stored)
# said: the last iterate is returned where the best is asked for: keep a copy of the best one
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta = np.zeros(d)
    theta_0 = 0.0
    s_theta = np.zeros(d)
    s_0 = 0.0
    t = 0
    history = []
    for epoch in range(epochs):
        if sampling == "shuffle":
            order = rng.permutation(n)
        else:
            order = np.arange(n)
        i = 0
        while i < n:
            if sampling == "uniform":
                pick = rng.integers(n, size=batch)
            else:
                pick = order[i : i + batch]
            i += batch
            t += 1
            rate = eta(t) if callable(eta) else eta
            xb, yb = X[pick], y[pick]
            coef = loss.slope(yb * (xb @ theta + theta_0)) * yb
            theta = theta - rate * (coef @ xb / len(pick) + lam * theta)
            if offset:
                theta_0 = theta_0 - rate * coef.mean()
            s_theta = s_theta + theta
            s_0 = s_0 + theta_0
        if keep == "average":
            a, a0 = s_theta / t, s_0 / t
        else:
            a, a0 = theta, theta_0
        history.append(loss.value(y * (X @ a + a0)).mean() + lam / 2 * a @ a)
    return Fit(LinearClassifier(a, a0), False, t, history, "sgd finished")
