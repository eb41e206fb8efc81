# --- linear_kernel: arguments in the wrong order, result is transposed
# said: it is transposed: rows belong to X, columns to Z
def linear_kernel(X, Z):
    return Z @ X.T


# --- polynomial_kernel: constant added after the power
# said: the constant is added after the power, not before
def polynomial_kernel(X, Z, degree, constant):
    return (X @ Z.T) ** degree + constant


# --- polynomial_kernel: multiplies by the degree instead of raising to it
def polynomial_kernel(X, Z, degree, constant):
    G = np.dot(X, Z.T)
    return degree * (G + constant)


# --- rbf_kernel: uses the distance, not the squared distance
# said: the distance is not squared
def rbf_kernel(X, Z, tau):
    n, k = len(X), len(Z)
    K = np.zeros((n, k))
    for i in range(n):
        for j in range(k):
            K[i, j] = np.exp(-np.linalg.norm(X[i] - Z[j]) / (2 * tau**2))
    return K


# --- rbf_kernel: precedence, divides by 2 and then multiplies by tau^2
# said: tau^2 multiplies: in -d / 2 * tau**2 only the 2 divides, so put 2 * tau**2 in brackets
def rbf_kernel(X, Z, tau):
    diff = X[:, None, :] - Z[None, :, :]
    sq = np.sum(diff**2, axis=2)
    return np.exp(-sq / 2 * tau**2)


# --- min_kernel: takes the maximum over pairs
# said: the larger of the two is taken
def min_kernel(x, z):
    return np.maximum(x[:, None], z[None, :])


# --- kernel_risk: penalty is |alpha|^2 instead of alpha' K alpha
# said: the penalty is |alpha|^2: it is alpha' K alpha, the squared length of theta
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    s = K @ alpha + theta_0
    return np.mean(loss.value(s, y)) + 0.5 * lam * alpha @ alpha


# --- kernel_risk_grad: forgets K in front of the penalty part
# said: the penalty's gradient is lambda alpha: it is lambda K alpha
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    m = len(y)
    s = K @ alpha + theta_0
    return K @ loss.slope(s, y) / m + lam * alpha


# --- kernel_sgd_step: factor m missing
# said: the factor m is left out of the penalty's term
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    Ki = K[:, i]
    s = Ki @ alpha
    grad = loss.slope(s, y[i]) * Ki + lam * alpha[i] * Ki
    return alpha - eta * grad


# --- kernel_sgd_step: penalises with the full alpha vector (m lam alpha) instead of alpha_i K_i
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    m = K.shape[0]
    col = K[:, i]
    slope = loss.slope(np.dot(col, alpha), y[i])
    return alpha - eta * (slope * col + m * lam * alpha)


# --- kernel_sgd: the step counter is raised before its first use, so the step sizes begin at eta(2)
# said: each step uses the step size of the next one
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    m = len(y)
    alpha = np.zeros(m)
    history = []
    t = 1
    for _ in range(steps):
        i = rng.integers(m)
        t += 1
        rate = eta(t) if callable(eta) else eta
        if step is not None:
            alpha = step(alpha, i, K, y, loss, lam, rate)
        else:
            k = K[:, i]
            alpha = alpha - rate * (loss.slope(k @ alpha, y[i]) + m * lam * alpha[i]) * k
        if (t - 1) % m == 0 or t - 1 == steps:
            history.append(np.mean(loss.value(K @ alpha, y)) + lam / 2 * alpha @ K @ alpha)
    return KernelDescent(alpha, steps, np.array(history), "done")
