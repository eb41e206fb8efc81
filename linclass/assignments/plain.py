"""Formulas as a student writes them down, where the package's own lines guard against more than the checks do.

Each gives the package's answers on every check, which a test holds it to; small changes are made to it as to the
package's own text. In a text, the names are those of the package's module, and the results below.
"""

from linclass.fit import Fit, Minimum, Root
from linclass.margins import LinearClassifier
from linclass.representer import KernelDescent

RESULTS = (Fit, Minimum, Root, LinearClassifier, KernelDescent)
TEXTS = {
    "margins.signed_distances": """
def signed_distances(theta, theta_0, X):
    return (X @ theta + theta_0) / np.linalg.norm(theta)
""",
    "margins.cosines": """
def cosines(theta, X):
    return X @ theta / (np.linalg.norm(X, axis=1) * np.linalg.norm(theta))
""",
    "margins.predict": """
def predict(theta, theta_0, X):
    return np.where(X @ theta + theta_0 > 0, 1.0, -1.0)
""",
    "margins.margins": """
def margins(theta, theta_0, X, y):
    return y * (X @ theta + theta_0)
""",
    "margins.zero_one_error": """
def zero_one_error(theta, theta_0, X, y):
    return np.mean(y * (X @ theta + theta_0) <= 0)
""",
    "losses.logistic_loss": """
def logistic_loss(z):
    return np.log1p(np.exp(-np.abs(z))) + np.maximum(0.0, -z)
""",
    "losses.logistic_slope": """
def logistic_slope(z):
    return -(1 / (1 + np.exp(z)))
""",
    "logistic.sigmoid": """
def sigmoid(z):
    return 1 / (1 + np.exp(-z))
""",
    "logistic.log_likelihood": """
def log_likelihood(theta, theta_0, X, y):
    return -np.sum(np.logaddexp(0.0, -(y * (X @ theta + theta_0))))
""",
    "perceptron.perceptron_step": """
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) <= 0:
        theta, theta_0 = theta + y * x, theta_0 + y
    return theta, theta_0
""",
    "perceptron.perceptron_walk": """
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for epoch in range(max_epochs):
        mistakes = 0
        for t in range(len(y)):
            if y[t] * (X[t] @ theta + theta_0) <= 0:
                theta = theta + y[t] * X[t]
                theta_0 = theta_0 + y[t] if offset else 0.0
                mistakes += 1
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)
""",
    "risk.risk_grad": """
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0))
    return X.T @ (slope * y) / len(y) + lam * theta, np.sum(slope * y) / len(y)
""",
    "svm.slacks": """
def slacks(theta, theta_0, X, y):
    return np.maximum(0.0, 1.0 - y * (X @ theta + theta_0))
""",
    "svm.dual_objective": """
def dual_objective(dual, K, y):
    return np.sum(dual) - (dual * y) @ K @ (dual * y) / 2
""",
    "representer.kernel_risk": """
def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    return np.mean(loss.value(K @ alpha + theta_0, y)) + lam / 2 * (alpha @ K @ alpha)
""",
    "representer.kernel_risk_grad": """
def kernel_risk_grad(alpha, K, y, loss, lam, theta_0=0.0):
    return K @ loss.slope(K @ alpha + theta_0, y) / len(y) + lam * (K @ alpha)
""",
    "representer.kernel_sgd_step": """
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    slope = loss.slope(K[i] @ alpha, y[i])
    return alpha - eta * (slope * K[i] + len(y) * lam * alpha[i] * K[i])
""",
    "softmax.softmax_risk": """
def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    losses = cross_entropy(X @ Theta.T + theta_0, y)
    return np.mean(losses) + lam / 2 * np.sum(Theta**2)
""",
    "perceptron.threshold_step": """
def threshold_step(theta, theta_0, x, y):
    h = 1.0 if theta @ x + theta_0 >= 0 else 0.0
    theta, theta_0 = theta + (y - h) * x, theta_0 + (y - h)
    return theta, theta_0
""",
    "descent.inverse_step": """
def inverse_step(scale=1.0, shift=0.0):
    return lambda t: scale / (t + shift)
""",
    "descent.inverse_sqrt_step": """
def inverse_sqrt_step(scale=1.0):
    return lambda t: scale / np.sqrt(t)
""",
    "descent.sgd_step": """
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    z = y * (X @ theta + theta_0)
    slope = loss.slope(z)
    grad = X.T @ (slope * y) / len(y) + lam * theta
    grad_0 = np.sum(slope * y) / len(y)
    theta_new = theta - eta * grad
    return theta_new, theta_0 - eta * grad_0
""",
    "descent.fit_sgd": """
def fit_sgd(X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling="shuffle", keep="best", rng, offset=True):
    n, d = X.shape
    theta, theta_0, t, history = np.zeros(d), 0.0, 0, []
    best = np.inf
    total, total_0 = np.zeros(d), 0.0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)
        for start in range(0, n, batch):
            rows = rng.integers(n, size=batch) if sampling == "uniform" else order[start : start + batch]
            t += 1
            rate = eta(t) if callable(eta) else eta
            z = y[rows] * (X[rows] @ theta + theta_0)
            slope = loss.slope(z) * y[rows]
            grad = X[rows].T @ slope / len(rows) + lam * theta
            theta = theta - rate * grad
            if offset:
                theta_0 = theta_0 - rate * np.sum(slope) / len(rows)
            total, total_0 = total + theta, total_0 + theta_0
        now, now_0 = (total / t, total_0 / t) if keep == "average" else (theta, theta_0)
        value = np.mean(loss.value(y * (X @ now + now_0))) + lam / 2 * now @ now
        if keep != "best" or value < best:
            kept, kept_0 = now, now_0
        best = min(best, value)
        history.append(value)
    return Fit(LinearClassifier(kept, float(kept_0)), False, t, np.array(history), "")
""",
    "kernels.rbf_kernel": """
def rbf_kernel(X, Z, tau):
    squares = np.sum((X[:, None, :] - Z[None, :, :]) ** 2, axis=2)
    return np.exp(-squares / (2 * tau**2))
""",
    "kernels.polynomial_kernel": """
def polynomial_kernel(X, Z, degree, constant):
    return (X @ Z.T + constant) ** degree
""",
    "svm.quadratic_program": """
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.concatenate([np.ones(d), np.zeros(1), np.zeros(n)]))
    c = np.concatenate([np.zeros(d + 1), C * np.ones(n)])
    margins = np.hstack([y[:, None] * X, y[:, None] * np.ones((n, 1)), np.eye(n)])
    slacks = np.hstack([np.zeros((n, d + 1)), np.eye(n)])
    return H, c, -np.vstack([margins, slacks]), -np.concatenate([np.ones(n), np.zeros(n)])
""",
    "softmax.softmax": """
def softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)
""",
    "softmax.log_softmax": """
def log_softmax(S):
    largest = S.max(axis=-1, keepdims=True)
    return S - (np.log(np.exp(S - largest).sum(axis=-1, keepdims=True)) + largest)
""",
    "softmax.cross_entropy": """
def cross_entropy(logits, y):
    largest = logits.max(axis=1)
    total = np.log(np.exp(logits - largest[:, None]).sum(axis=1)) + largest
    return total - logits[np.arange(len(y)), y]
""",
    "softmax.softmax_risk_grad": """
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    P = softmax(X @ Theta.T + theta_0)
    R = (P - one_hot(y, len(Theta))) / len(y)
    return R.T @ X + lam * Theta, R.sum(axis=0)
""",
    "newton.newton_root": """
def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x, history = start, [start]
    for made in range(max_steps):
        height, rise = f(x), slope(x)
        if height == 0:
            return Root(x, True, made, history)
        if rise == 0:
            return Root(x, False, made, history)
        step = height / rise
        if not np.isfinite(x - step):
            return Root(x, False, made, history)
        x = x - step
        history.append(x)
        if abs(step) <= tol * (1 + abs(x)):
            return Root(x, True, made, history)
    return Root(x, False, max_steps, history)
""",
    "newton.newton": """
def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x, history = start, [value(start)]
    for made in range(max_steps):
        g, H = grad(x), hess(x)
        step = newton_step(g, H)
        promise = -(g @ step)
        if promise / 2 <= tol * (1 + abs(value(x))):
            return Minimum(x, value(x), True, made, history, "")
        size = 1.0
        while value(x + size * step) > value(x) - size * promise / 4:
            size = size / 2
        x = x + size * step
        history.append(value(x))
    return Minimum(x, value(x), False, max_steps, history, "")
""",
    "representer.kernel_sgd": """
def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    alpha, history = np.zeros(len(y)), []
    for t in range(1, steps + 1):
        i = rng.integers(len(y))
        rate = eta(t) if callable(eta) else eta
        slope = loss.slope(K[i] @ alpha, y[i])
        alpha = alpha - rate * (slope * K[i] + len(y) * lam * alpha[i] * K[i])
    return KernelDescent(alpha, steps, history, "")
""",
    "newton.newton_step": """
def newton_step(gradient, hessian):
    return -np.linalg.pinv(hessian) @ gradient
""",
    "losses.logistic_curvature": """
def logistic_curvature(z):
    p = 1 / (1 + np.exp(-z))
    return p * (1 - p)
""",
}

# Walks: the package's own text is in other hands, so that this one alone is changed.
ALONE = {"perceptron.perceptron_walk", "descent.fit_sgd", "representer.kernel_sgd"}
ALONE |= {
    "newton.newton_root",
    "newton.newton_step",
    "newton.newton",
    "descent.inverse_step",
    "descent.inverse_sqrt_step",
}
