# --- inverse_step: the scale multiplies t
# said: `scale` stands below the line, in `scale * t + shift`
def inverse_step(scale=1.0, shift=0.0):
    def eta(t):
        return 1 / (scale * t + shift)

    return eta


# --- inverse_step: forgets the scale
# said: 1 stands in the place of `scale`
def inverse_step(scale=1.0, shift=0.0):
    return lambda t: 1.0 / (t + shift)


# --- inverse_step: shift has the default 1, to be safe from 1 / 0
# said: `shift` is 1 by default, and should be 0
def inverse_step(scale=1.0, shift=1.0):
    return lambda t: scale / (t + shift)


# --- inverse_sqrt_step: the scale is under the root
# said: the scale is under the root, below
def inverse_sqrt_step(scale=1.0):
    return lambda t: 1 / np.sqrt(scale * t)


# --- inverse_sqrt_step: root of t + 1
# said: `t` is counted one too high
def inverse_sqrt_step(scale=1.0):
    def rule(t):
        return scale / np.sqrt(t + 1)

    return rule


# --- sgd_step: shrinks after the step, so the new push shrinks too
# said: theta is shrunk after the step, and the step with it: lambda theta is that of the old theta
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    push = loss.slope(y * (X @ theta + theta_0)) * y
    theta = theta - eta * (push @ X) / len(y)
    theta = (1 - eta * lam) * theta
    return theta, theta_0 - eta * push.mean()


# --- sgd_step: looks at the first row of the batch only
# said: only the first example of the batch is looked at
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    z = y[0] * (theta @ X[0] + theta_0)
    g = loss.slope(np.array([z]))[0] * y[0]
    return theta - eta * (g * X[0] + lam * theta), theta_0 - eta * g


# --- fit_sgd: history is the risk of the last batch
# said: the history is the risk on the last batch: it is over all examples
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    total, total_0 = np.zeros(d), 0.0
    best, lowest, history, t = None, np.inf, [], 0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for start in range(0, n, batch):
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[start : start + batch]
            t += 1
            rate = eta(t) if callable(eta) else eta
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, rate)
            theta_0 = new_0 if offset else 0.0
            total, total_0 = total + theta, total_0 + theta_0
        now = (total / t, total_0 / t) if keep == "average" else (theta, theta_0)
        value = np.mean(loss.value(y[rows] * (X[rows] @ now[0] + now[1]))) + lam / 2 * now[0] @ now[0]
        history.append(value)
        if best is None or value < lowest:
            best, lowest = now, value
    answer = best if keep == "best" else now
    return Fit(LinearClassifier(*answer), False, t, np.array(history), "done")


# --- fit_sgd: steps counts the epochs
# said: `steps` counts epochs: it counts steps
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    total, total_0 = np.zeros(d), 0.0
    best, lowest, history, t = None, np.inf, [], 0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for start in range(0, n, batch):
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[start : start + batch]
            t += 1
            rate = eta(t) if callable(eta) else eta
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, rate)
            theta_0 = new_0 if offset else 0.0
            total, total_0 = total + theta, total_0 + theta_0
        now = (total / t, total_0 / t) if keep == "average" else (theta, theta_0)
        value = np.mean(loss.value(y * (X @ now[0] + now[1]))) + lam / 2 * now[0] @ now[0]
        history.append(value)
        if best is None or value < lowest:
            best, lowest = now, value
    answer = best if keep == "best" else now
    return Fit(LinearClassifier(*answer), False, epochs, np.array(history), "done")


# --- fit_sgd: eta must be a function, a number is called too
# said: raised TypeError
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    def value(theta, theta_0):
        return np.mean(loss.value(y * (X @ theta + theta_0))) + lam / 2 * theta @ theta

    theta, theta_0, t = np.zeros(X.shape[1]), 0.0, 0
    path, kept, history = [], [], []
    for _ in range(epochs):
        if sampling == "shuffle":
            order = rng.permutation(len(y))
        else:
            order = np.arange(len(y))
        for start in range(0, len(y), batch):
            i = order[start : start + batch]
            if sampling == "uniform":
                i = rng.integers(len(y), size=batch)
            t += 1
            theta, b = sgd_step(theta, theta_0, X[i], y[i], loss, lam, eta(t))
            theta_0 = b if offset else theta_0
            path.append((theta, theta_0))
        if keep == "average":
            kept.append((np.mean([p[0] for p in path], axis=0), np.mean([p[1] for p in path])))
        else:
            kept.append((theta, theta_0))
        history.append(value(*kept[-1]))
    index = int(np.argmin(history)) if keep == "best" else -1
    return Fit(LinearClassifier(*kept[index]), False, t, np.array(history), "")


# --- fit_sgd: without offset the steps keep it at 0, but the average takes the moved one
# said: with offset False the average takes a theta_0 that has moved: it is 0 at every step
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    total, total_0 = np.zeros(d), 0.0
    best, lowest, history, t = None, np.inf, [], 0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for start in range(0, n, batch):
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[start : start + batch]
            t += 1
            rate = eta(t) if callable(eta) else eta
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, rate)
            theta_0 = new_0 if offset else 0.0
            total, total_0 = total + theta, total_0 + new_0
        now = (total / t, total_0 / t) if keep == "average" else (theta, theta_0)
        value = np.mean(loss.value(y * (X @ now[0] + now[1]))) + lam / 2 * now[0] @ now[0]
        history.append(value)
        if best is None or value < lowest:
            best, lowest = now, value
    answer = best if keep == "best" else now
    return Fit(LinearClassifier(*answer), False, t, np.array(history), "done")
