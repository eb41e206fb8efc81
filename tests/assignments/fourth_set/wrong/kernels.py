# --- linear_kernel: row by row and not all pairs
def linear_kernel(X, Z):
    return np.sum(X * Z, axis=1)


# --- polynomial_kernel: degree and constant exchanged
# said: `degree` and `constant` have changed places
def polynomial_kernel(X, Z, degree, constant):
    return (X @ Z.T + degree) ** constant


# --- polynomial_kernel: power through exp and log, nan where the base is negative
# said: the power is taken by way of a logarithm, and a negative number has none
def polynomial_kernel(X, Z, degree, constant):
    base = X @ Z.T + constant
    return np.exp(degree * np.log(base))


# --- rbf_kernel: exactly 0 beyond three bandwidths
# said: it is 0 beyond three bandwidths: it falls, and is never 0
def rbf_kernel(X, Z, tau):
    G = np.zeros((len(X), len(Z)))
    for i, x in enumerate(X):
        for j, z in enumerate(Z):
            r = np.linalg.norm(x - z)
            if r < 3 * tau:
                G[i, j] = np.exp(-(r**2) / (2 * tau**2))
    return G


# --- min_kernel: capped at 1, as if the integral ran over [0, 1]
# said: it is cut off at 1
def min_kernel(x, z):
    return np.minimum(np.minimum.outer(x, z), 1.0)


# --- kernel_risk: penalty takes only the diagonal of K
# said: the penalty takes the diagonal of K alone: it is alpha' K alpha
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    s = K @ alpha + theta_0
    penalty = 0
    for i in range(len(alpha)):
        penalty += alpha[i] ** 2 * K[i, i]
    return np.mean(loss.value(s, y)) + lam / 2 * penalty


# --- kernel_risk_grad: multiplies by y again, although L' is already the slope in the score
# said: the label multiplies the slope once more: this slope is already that in the score
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    m = len(y)
    g = np.zeros(m)
    for i in range(m):
        g += loss.slope(K[i] @ alpha + theta_0, y[i]) * y[i] * K[i] / m
    return g + lam * K @ alpha


# --- kernel_sgd_step: m on both terms
# said: both terms have the factor m: only the penalty's has it
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    m = K.shape[0]
    k = K[:, i]
    return alpha - eta * m * (loss.slope(k @ alpha, y[i]) + lam * alpha[i]) * k


# --- kernel_sgd: returns the best iterate at the end of an epoch, as fit_sgd does
# said: the best alpha on the way is returned: the last one is asked for
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    if step is None:
        step = kernel_sgd_step
    m = len(y)
    alpha, history = np.zeros(m), []
    best, least = alpha, np.inf
    for t in range(1, steps + 1):
        alpha = step(alpha, rng.integers(m), K, y, loss, lam, eta(t) if callable(eta) else eta)
        if t % m == 0 or t == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
            if history[-1] < least:
                best, least = alpha, history[-1]
    return KernelDescent(best, steps, np.array(history), "best")


# --- kernel_sgd: takes eta for a function always
# said: raised TypeError
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    if step is None:
        step = kernel_sgd_step
    m = len(y)
    alpha, history = np.zeros(m), []
    for t in range(1, steps + 1):
        alpha = step(alpha, rng.integers(m), K, y, loss, lam, eta(t))
        if t % m == 0 or t == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, steps, np.array(history), "done")


# --- kernel_sgd: stops when a whole epoch has not lowered the risk
# said: the walk stops when the risk has not fallen: it makes all `steps`
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    if step is None:
        step = kernel_sgd_step
    m = len(y)
    alpha, history = np.zeros(m), [np.inf]
    for t in range(1, steps + 1):
        alpha = step(alpha, rng.integers(m), K, y, loss, lam, eta(t) if callable(eta) else eta)
        if t % m == 0 or t == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
            if history[-1] >= history[-2]:
                break
    return KernelDescent(alpha, t, np.array(history[1:]), "done")
