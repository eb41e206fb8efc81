# --- linear_kernel: rows and columns exchanged
# said: it is transposed: rows belong to X, columns to Z
def linear_kernel(X, Z):
    return Z @ X.T


# --- polynomial_kernel: the constant is added after the power
# said: the constant is added after the power, not before
def polynomial_kernel(X, Z, degree, constant):
    return (X @ Z.T) ** degree + constant


# --- polynomial_kernel: always 1 for the constant
# said: 1 stands in the place of the constant
def polynomial_kernel(X, Z, degree, constant):
    return (X @ Z.T + 1) ** degree


# --- rbf_kernel: / 2 * tau ** 2 multiplies by tau ** 2
# said: tau^2 multiplies: in -d / 2 * tau**2 only the 2 divides, so put 2 * tau**2 in brackets
def rbf_kernel(X, Z, tau):
    d2 = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-d2 / 2 * tau**2)


# --- rbf_kernel: the 2 in the exponent forgotten
# said: the distance is divided by tau^2: it is 2 tau^2
def rbf_kernel(X, Z, tau):
    d2 = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-d2 / tau**2)


# --- rbf_kernel: the distance in place of its square
# said: the distance is not squared
def rbf_kernel(X, Z, tau):
    d = np.sqrt(((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2))
    return np.exp(-d / (2 * tau**2))


# --- rbf_kernel: tau in place of its square
# said: the distance is divided by 2 tau: the tau is squared
def rbf_kernel(X, Z, tau):
    d2 = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-d2 / (2 * tau))


# --- min_kernel: entry by entry in place of all pairs
# said: the entries are compared one by one: the answer has a row for each x and a column for each z
def min_kernel(x, z):
    return np.minimum(x, z)


# --- kernel_risk: alpha . alpha in place of alpha' K alpha
# said: the penalty is |alpha|^2: it is alpha' K alpha, the squared length of theta
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    return np.mean(loss.value(K @ alpha + theta_0, y)) + lam / 2 * alpha @ alpha


# --- kernel_risk: the offset forgotten
# said: `theta_0` is left out
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    s = K @ alpha
    return np.mean(loss.value(s, y)) + lam / 2 * alpha @ s


# --- kernel_risk_grad: K left out in front, the gradient in another geometry
# said: the K in front is missing: the scores are K alpha, and the chain rule brings it
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    return loss.slope(K @ alpha + theta_0, y) / len(y) + lam * alpha


# --- kernel_risk_grad: the slopes are not divided by m
# said: it is not divided by `len(y)`
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    return K @ (loss.slope(K @ alpha + theta_0, y) + lam * alpha)


# --- kernel_risk_grad: lam alpha stands outside, not multiplied by K
# said: the penalty's gradient is lambda alpha: it is lambda K alpha
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    return K @ loss.slope(K @ alpha + theta_0, y) / len(y) + lam * alpha


# --- kernel_sgd_step: the factor m forgotten
# said: the factor m is left out of the penalty's term
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    g = loss.slope(K[i] @ alpha, y[i])
    return alpha - eta * (g * K[i] + lam * alpha[i] * K[i])


# --- kernel_sgd_step: only the entry i is changed, the other algorithm
# said: alpha changes at i alone: the functional gradient, a valid algorithm but another one than the task's
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    new = (1 - eta * lam) * alpha
    new[i] -= eta * loss.slope(K[i] @ alpha, y[i])
    return new


# --- kernel_sgd_step: the whole of alpha in the penalty in place of alpha_i
# said: the penalty's term has the whole vector alpha: it is the number alpha_i
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    m = len(y)
    return alpha - eta * (loss.slope(K[i] @ alpha, y[i]) * K[i] + m * lam * alpha * K[i])


# --- kernel_sgd: t counted from 0
# said: the first step is counted as t = 0: it is t = 1
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    m = len(y)
    alpha, history = np.zeros(m), []
    for t in range(steps):
        i = rng.integers(m)
        rate = eta(t) if callable(eta) else eta
        alpha = (step or kernel_sgd_step)(alpha, i, K, y, loss, lam, rate)
        if (t + 1) % m == 0 or t + 1 == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, steps, np.array(history), "")


# --- kernel_sgd: goes through the rows in order and draws nothing
# said: the examples come in order: each step draws one with rng.integers(m)
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    m = len(y)
    alpha, history = np.zeros(m), []
    for t in range(1, steps + 1):
        i = (t - 1) % m
        alpha = (step or kernel_sgd_step)(alpha, i, K, y, loss, lam, eta(t) if callable(eta) else eta)
        if t % m == 0 or t == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, steps, np.array(history), "")


# --- kernel_sgd: steps taken for passes over the data, m times too many
# said: `steps` is taken for a number of passes over the data: it counts single steps
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    m = len(y)
    alpha, history, t = np.zeros(m), [], 0
    for _ in range(steps):
        for _ in range(m):
            t += 1
            i = rng.integers(m)
            alpha = (step or kernel_sgd_step)(alpha, i, K, y, loss, lam, eta(t) if callable(eta) else eta)
        history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, t, np.array(history), "")
