# --- inverse_step: the shift is added to the fraction and not to t
# said: the shift is added to the step: it belongs in the denominator
def inverse_step(scale=1.0, shift=0.0):
    return lambda t: scale / t + shift


# --- inverse_step: a number, the step at t = 1, in place of a function
# said: it should return a function of t, and returned a float
def inverse_step(scale=1.0, shift=0.0):
    t = 1
    return scale / (t + shift)


# --- inverse_sqrt_step: t ** 1 / 2 is t / 2
# said: t ** 1 / 2 is read as (t ** 1) / 2: write t ** 0.5, or np.sqrt(t)
def inverse_sqrt_step(scale=1.0):
    return lambda t: scale / (t**1 / 2)


# --- inverse_sqrt_step: the root of the scale too
# said: the scale is under the root too
def inverse_sqrt_step(scale=1.0):
    return lambda t: np.sqrt(scale / t)


# --- sgd_step: the batch is summed and not averaged
# said: the batch is summed, not averaged
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    s = loss.slope(y * (X @ theta + theta_0)) * y
    return theta - eta * (X.T @ s + lam * theta), theta_0 - eta * np.sum(s)


# --- sgd_step: uphill, plus eta times the gradient
# said: the step goes uphill
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    s = loss.slope(y * (X @ theta + theta_0)) * y
    return theta + eta * (X.T @ s / len(y) + lam * theta), theta_0 + eta * np.mean(s)


# --- sgd_step: theta_0 is moved with the margins of the new theta
# said: the derivative in theta_0 is taken after theta has moved: both belong to the old (theta, theta_0)
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    s = loss.slope(y * (X @ theta + theta_0)) * y
    theta = theta - eta * (X.T @ s / len(y) + lam * theta)
    s = loss.slope(y * (X @ theta + theta_0)) * y
    return theta, theta_0 - eta * np.mean(s)


# --- sgd_step: no shrinking when every slope is 0
# said: theta is not shrunk where every slope is 0: lambda theta belongs to every step
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    s = loss.slope(y * (X @ theta + theta_0)) * y
    if not np.any(s):
        return theta, theta_0
    return theta - eta * (X.T @ s / len(y) + lam * theta), theta_0 - eta * np.mean(s)


# --- sgd_step: the penalty is not multiplied by eta
# said: lambda theta is subtracted without the factor eta
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    s = loss.slope(y * (X @ theta + theta_0)) * y
    return theta - eta * X.T @ s / len(y) - lam * theta, theta_0 - eta * np.mean(s)


# --- sgd_step: the label forgotten in the step of theta_0
# said: the factor `y` is left out, in `grad_0`
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    s = loss.slope(y * (X @ theta + theta_0))
    return theta - eta * (X.T @ (s * y) / len(y) + lam * theta), theta_0 - eta * np.mean(s)


# --- fit_sgd: t starts again at 1 in every epoch
# said: t begins again at 1 in every epoch: it counts all steps
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    return _descend(X, y, loss, lam, eta, epochs, batch, sampling, keep, rng, offset, restart=True)


def _rows_of_step(sampling, order, n, batch, k, rng):
    if sampling == "uniform":
        return rng.integers(n, size=batch)
    return order[k * batch : (k + 1) * batch]


def _risk(theta, theta_0, X, y, loss, lam):
    return float(np.mean(loss.value(y * (X @ theta + theta_0))) + lam / 2 * theta @ theta)


def _descend(X, y, loss, lam, eta, epochs, batch, sampling, keep, rng, offset, restart=False):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    mean, mean_0 = np.zeros(d), 0.0
    best, history, t, total = None, [], 0, 0
    for _ in range(epochs):
        if restart:
            t = 0
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for k in range(-(-n // batch)):
            t, total = t + 1, total + 1
            rows = _rows_of_step(sampling, order, n, batch, k, rng)
            step = eta(t) if callable(eta) else eta
            s = loss.slope(y[rows] * (X[rows] @ theta + theta_0)) * y[rows]
            theta = theta - step * (X[rows].T @ s / len(rows) + lam * theta)
            if offset:
                theta_0 = theta_0 - step * np.mean(s)
            mean, mean_0 = mean + (theta - mean) / total, mean_0 + (theta_0 - mean_0) / total
        now = (mean, mean_0) if keep == "average" else (theta, theta_0)
        history.append(_risk(*now, X, y, loss, lam))
        if best is None or history[-1] < best[0]:
            best = (history[-1], theta, theta_0)
    answer = {"best": best and best[1:], "last": (theta, theta_0), "average": (mean, mean_0)}[keep]
    return Fit(LinearClassifier(answer[0], float(answer[1])), False, total, np.array(history), "done")


# --- fit_sgd: the step size is counted in epochs, eta(epoch) in place of eta(t)
# said: t counts the epochs: it counts the steps
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    iterates, ends, history, steps = [], [], [], 0
    for epoch in range(1, epochs + 1):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for first in range(0, n, batch):
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[first : first + batch]
            rate = eta(epoch) if callable(eta) else eta
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, rate)
            theta_0 = new_0 if offset else 0.0
            iterates.append((theta, theta_0))
            steps += 1
        if keep == "average":
            ends.append((np.mean([a for a, _ in iterates], axis=0), np.mean([b for _, b in iterates])))
        else:
            ends.append((theta, theta_0))
        a, b = ends[-1]
        history.append(np.mean(loss.value(y * (X @ a + b))) + lam / 2 * a @ a)
    a, b = ends[int(np.argmin(history))] if keep == "best" else ends[-1]
    return Fit(LinearClassifier(a, float(b)), False, steps, np.array(history), "")


# --- fit_sgd: the last, shorter batch of an epoch is dropped
# said: the last `batch` is left out where it is shorter
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    iterates, ends, history, t = [], [], [], 0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for first in range(0, n - batch + 1, batch):
            t += 1
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[first : first + batch]
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, eta(t) if callable(eta) else eta)
            theta_0 = new_0 if offset else 0.0
            iterates.append((theta, theta_0))
        if keep == "average":
            ends.append((np.mean([a for a, _ in iterates], axis=0), np.mean([b for _, b in iterates])))
        else:
            ends.append((theta, theta_0))
        a, b = ends[-1]
        history.append(np.mean(loss.value(y * (X @ a + b))) + lam / 2 * a @ a)
    a, b = ends[int(np.argmin(history))] if keep == "best" else ends[-1]
    return Fit(LinearClassifier(a, float(b)), False, t, np.array(history), "")


# --- fit_sgd: one permutation for all epochs
# said: `order` is set once, before the loop, and not anew in each turn
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    iterates, ends, history, t = [], [], [], 0
    order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
    for epoch in range(epochs):
        for first in range(0, n, batch):
            t += 1
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[first : first + batch]
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, eta(t) if callable(eta) else eta)
            theta_0 = new_0 if offset else 0.0
            iterates.append((theta, theta_0))
        if keep == "average":
            ends.append((np.mean([a for a, _ in iterates], axis=0), np.mean([b for _, b in iterates])))
        else:
            ends.append((theta, theta_0))
        a, b = ends[-1]
        history.append(np.mean(loss.value(y * (X @ a + b))) + lam / 2 * a @ a)
    a, b = ends[int(np.argmin(history))] if keep == "best" else ends[-1]
    return Fit(LinearClassifier(a, float(b)), False, t, np.array(history), "")


# --- fit_sgd: the average is over the ends of the epochs, not over all steps
# said: the average is one of the epochs' ends: it is the mean of the iterates after each step
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    iterates, ends, history, t = [], [], [], 0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for first in range(0, n, batch):
            t += 1
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[first : first + batch]
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, eta(t) if callable(eta) else eta)
            theta_0 = new_0 if offset else 0.0
        iterates.append((theta, theta_0))
        if keep == "average":
            ends.append((np.mean([a for a, _ in iterates], axis=0), np.mean([b for _, b in iterates])))
        else:
            ends.append((theta, theta_0))
        a, b = ends[-1]
        history.append(np.mean(loss.value(y * (X @ a + b))) + lam / 2 * a @ a)
    a, b = ends[int(np.argmin(history))] if keep == "best" else ends[-1]
    return Fit(LinearClassifier(a, float(b)), False, t, np.array(history), "")


# --- fit_sgd: the penalty is missing in the history
# said: `lam / 2 * now @ now` is left out, in `value`
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    iterates, ends, history, t = [], [], [], 0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for first in range(0, n, batch):
            t += 1
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[first : first + batch]
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, eta(t) if callable(eta) else eta)
            theta_0 = new_0 if offset else 0.0
            iterates.append((theta, theta_0))
        if keep == "average":
            ends.append((np.mean([a for a, _ in iterates], axis=0), np.mean([b for _, b in iterates])))
        else:
            ends.append((theta, theta_0))
        a, b = ends[-1]
        history.append(np.mean(loss.value(y * (X @ a + b))))
    a, b = ends[int(np.argmin(history))] if keep == "best" else ends[-1]
    return Fit(LinearClassifier(a, float(b)), False, t, np.array(history), "")


# --- fit_sgd: the last iterate whatever keep says
# said: the last iterate is returned whatever `keep` says
def fit_sgd(
    X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True, progress=True
):
    n, d = X.shape
    theta, theta_0, history, t = np.zeros(d), 0.0, [], 0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for first in range(0, n, batch):
            t += 1
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[first : first + batch]
            theta, new_0 = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, eta(t) if callable(eta) else eta)
            theta_0 = new_0 if offset else 0.0
        history.append(np.mean(loss.value(y * (X @ theta + theta_0))) + lam / 2 * theta @ theta)
    return Fit(LinearClassifier(theta, float(theta_0)), False, t, np.array(history), "")
