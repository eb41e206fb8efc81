# --- linear_kernel: rows and columns exchanged
def linear_kernel(X, Z):
    return Z @ X.T


# --- polynomial_kernel: the constant is added after the power
def polynomial_kernel(X, Z, degree, constant):
    return (X @ Z.T) ** degree + constant


# --- polynomial_kernel: always 1 for the constant
def polynomial_kernel(X, Z, degree, constant):
    return (X @ Z.T + 1) ** degree


# --- rbf_kernel: / 2 * tau ** 2 multiplies by tau ** 2
def rbf_kernel(X, Z, tau):
    d2 = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-d2 / 2 * tau**2)


# --- rbf_kernel: the 2 in the exponent forgotten
def rbf_kernel(X, Z, tau):
    d2 = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-d2 / tau**2)


# --- rbf_kernel: the distance in place of its square
def rbf_kernel(X, Z, tau):
    d = np.sqrt(((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2))
    return np.exp(-d / (2 * tau**2))


# --- rbf_kernel: tau in place of its square
def rbf_kernel(X, Z, tau):
    d2 = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-d2 / (2 * tau))


# --- min_kernel: entry by entry in place of all pairs
def min_kernel(x, z):
    return np.minimum(x, z)


# --- kernel_risk: alpha . alpha in place of alpha' K alpha
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    return np.mean(loss.value(K @ alpha + theta_0, y)) + lam / 2 * alpha @ alpha


# --- kernel_risk: the offset forgotten
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    s = K @ alpha
    return np.mean(loss.value(s, y)) + lam / 2 * alpha @ s


# --- kernel_risk_grad: K left out in front, the gradient in another geometry
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    return loss.slope(K @ alpha + theta_0, y) / len(y) + lam * alpha


# --- kernel_risk_grad: the slopes are not divided by m
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    return K @ (loss.slope(K @ alpha + theta_0, y) + lam * alpha)


# --- kernel_risk_grad: lam alpha stands outside, not multiplied by K
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    return K @ loss.slope(K @ alpha + theta_0, y) / len(y) + lam * alpha


# --- kernel_sgd_step: the factor m forgotten
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    g = loss.slope(K[i] @ alpha, y[i])
    return alpha - eta * (g * K[i] + lam * alpha[i] * K[i])


# --- kernel_sgd_step: only the entry i is changed, the other algorithm
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    new = (1 - eta * lam) * alpha
    new[i] -= eta * loss.slope(K[i] @ alpha, y[i])
    return new


# --- kernel_sgd_step: the whole of alpha in the penalty in place of alpha_i
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    m = len(y)
    return alpha - eta * (loss.slope(K[i] @ alpha, y[i]) * K[i] + m * lam * alpha * K[i])


# --- kernel_sgd: t counted from 0
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
