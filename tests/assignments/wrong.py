"""Wrong solutions in other styles than the package's, as students write them: (topic, function, text).

The first twenty were written beside the checks. The rest were written from the pages alone, in sets of twenty and of
twenty-seven: the eleven and the sixteen that were not named at first. The last three were not even caught.
"""

WRONG = {
    "distance by hypot of everything": ("margins", "signed_distances", """
def signed_distances(theta, theta_0, X):
    length = np.hypot.reduce(np.concatenate([theta, [theta_0]]))
    return np.array([(np.inner(theta, x) + theta_0) / length for x in X])
"""),
    "labels by np.sign": ("margins", "predict", """
def predict(theta, theta_0, X):
    return np.sign(np.einsum("d,nd->n", theta, X) + theta_0)
"""),
    "products with every pair twice": ("margins", "quadratic_features", """
def quadratic_features(X):
    pairs = np.einsum("ni,nj->nij", X, X).reshape(len(X), -1)
    return np.hstack([X, pairs])
"""),
    "error rate by comparing labels": ("margins", "zero_one_error", """
def zero_one_error(theta, theta_0, X, y):
    guess = np.where(X.dot(theta) + theta_0 > 0, 1, -1)
    return 1 - np.mean(guess == y)
"""),
    "softplus as in a neural network": ("losses", "logistic_loss", """
def logistic_loss(z):
    return np.array([math.log(1 + math.exp(-min(max(v, -500.0), 500.0))) for v in z.ravel()]).reshape(z.shape)
"""),
    "sigmoid of the wrong argument": ("losses", "logistic_slope", """
def logistic_slope(z):
    p = 0.5 * (1 + np.tanh(z / 2))
    return -p
"""),
    "hinge with relu of the score": ("losses", "hinge_loss", """
def hinge_loss(z):
    relu = np.vectorize(lambda t: t if t > 0 else 0.0)
    return relu(z - 1)
"""),
    "slope in a loop that forgets flat parts": ("losses", "modified_squared_slope", """
def modified_squared_slope(z):
    return 2 * (z - 1)
"""),
    "update with predicted label": ("perceptron", "perceptron_step", """
def perceptron_step(theta, theta_0, x, y):
    guess = 1 if np.vdot(theta, x) + theta_0 > 0 else -1
    if guess != y:
        theta, theta_0 = theta - guess * x, theta_0 - guess
    return theta, theta_0 * 1.0 + 0.0 if y > 0 else theta_0
"""),
    "walk that forgets the first epoch": ("perceptron", "perceptron_walk", """
def perceptron_walk(X, y, max_epochs, offset):
    w, b, history = np.zeros(X.shape[1]), 0.0, []
    while len(history) < max_epochs:
        errors = 0
        for xi, ti in zip(X, y):
            if ti * (np.dot(w, xi) + b) < 0:
                w, b, errors = w + ti * xi, b + ti * offset, errors + 1
        history.append(errors)
        if errors == 0:
            break
    return w, b, np.array(history)
"""),
    "likelihood with probabilities first": ("logistic", "log_likelihood", """
def log_likelihood(theta, theta_0, X, y):
    p = 1 / (1 + np.exp(-y * (X @ theta + theta_0)))
    return np.log(p).sum()
"""),
    "risk with a norm that is not squared": ("logistic", "risk", """
def risk(theta, theta_0, X, y, loss, lam=0.0):
    return loss.value(y * (X @ theta + theta_0)).mean() + lam / 2 * np.linalg.norm(theta)
"""),
    "gradient in the style of 0/1 labels": ("logistic", "risk_grad", """
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    g, n = loss.slope(y * (X @ theta + theta_0)), len(y)
    return np.einsum("n,nd->d", g * y, X) / n + lam * theta, np.sum(g * y)
"""),
    "weight decay on everything": ("descent", "sgd_step", """
def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    w = np.append(theta, theta_0)
    A = np.hstack([X, np.ones((len(X), 1))])
    g = sum(loss.slope(np.array([t * (a @ w)]))[0] * t * a for a, t in zip(A, y)) / len(y)
    w = w - eta * (g + lam * w)
    return w[:-1], w[-1]
"""),
    "C taken from another library": ("svm", "lam_from_C", """
def lam_from_C(C, n):
    alpha = 1.0 / (2.0 * n * C)
    return alpha
"""),
    "dual as a solver wants it": ("svm", "dual_objective", """
def dual_objective(dual, K, y):
    P = np.outer(y, y) * K
    return 0.5 * dual.dot(P).dot(dual) - np.ones(len(y)).dot(dual)
"""),
    "gamma for tau": ("kernels", "rbf_kernel", """
def rbf_kernel(X, Z, tau):
    gamma = 1 / tau**2
    return np.array([[math.exp(-gamma * math.dist(x, z) ** 2) for z in Z] for x in X])
"""),
    "softmax over the wrong axis": ("softmax", "softmax", """
def softmax(S):
    e = np.exp(S - np.amax(S))
    return e / np.sum(e, axis=-1, keepdims=True)
"""),
    "residual with the sign of a target": ("softmax", "softmax_risk_grad", """
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    S = np.einsum("nd,kd->nk", X, Theta) + theta_0
    P = np.exp(S - S.max(1)[:, None])
    P /= P.sum(1)[:, None]
    D = (np.arange(len(Theta)) == y[:, None]) - P
    return D.T @ X / len(X) + lam * Theta, D.mean(0)
"""),
    "Hessian with lambda everywhere on the diagonal": ("newton", "risk_hess", """
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    A = np.c_[X, np.ones(len(X))]
    c = loss.curvature(y * (X @ theta + theta_0))
    return np.einsum("n,ni,nj->ij", c, A, A) / len(y) + lam * np.identity(A.shape[1])
"""),
    "cosine with the norm of the table": ("margins", "cosines", """
def cosines(theta, X):
    return X @ theta / (np.linalg.norm(theta) * np.linalg.norm(X))
"""),
    "vectorize that makes integers": ("losses", "hinge_loss", """
def hinge_loss(z):
    def one(m):
        if m >= 1:
            return 0
        else:
            return 1 - m

    return np.vectorize(one)(z)
"""),
    "an epoch at once": ("perceptron", "perceptron_walk", """
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        wrong = y * (X @ theta + theta_0) <= 0
        theta = theta + np.sum((wrong * y)[:, None] * X, axis=0)
        if offset:
            theta_0 = theta_0 + np.sum(wrong * y)
        history.append(np.count_nonzero(wrong))
        if not wrong.any():
            break
    return theta, theta_0, np.array(history)
"""),
    "an offset taken back at the end": ("perceptron", "perceptron_walk", """
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history, epoch = np.zeros(X.shape[1]), 0.0, [], 0
    while epoch < max_epochs:
        mistakes = 0
        for t in range(len(y)):
            if y[t] * (X[t] @ theta + theta_0) <= 0:
                theta, theta_0, mistakes = theta + y[t] * X[t], theta_0 + y[t], mistakes + 1
        history.append(mistakes)
        epoch += 1
        if mistakes == 0:
            break
    if not offset:
        theta_0 = 0.0
    return theta, theta_0, np.array(history)
"""),
    "the logistic slope whatever the loss": ("logistic", "risk_grad", """
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    z = np.einsum("t,td,d->t", y, X, theta) + y * theta_0
    slope = -np.exp(-np.logaddexp(0.0, z))
    return np.einsum("t,t,td->d", slope, y, X) / len(y) + lam * theta, np.einsum("t,t->", slope, y) / len(y)
"""),
    "one after the other": ("descent", "sgd_step", """
def _gradient(theta, theta_0, X, y, loss, lam):
    s = loss.slope(y * (X @ theta + theta_0)) * y
    return X.T @ s / np.size(X, 0) + lam * theta, np.sum(s) / np.size(X, 0)

def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    [g, _] = _gradient(theta, theta_0, X, y, loss, lam)
    theta = theta - eta * g
    [_, g0] = _gradient(theta, theta_0, X, y, loss, lam)
    return theta, theta_0 - eta * g0
"""),
    "a column of -1 for the offset": ("svm", "quadratic_program", """
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.concatenate([np.ones(d), np.zeros(1 + n)]))
    f = np.concatenate([np.zeros(d + 1), C * np.ones(n)])
    A = np.block([[-np.diag(y) @ X, -np.ones((n, 1)), -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, f, A, np.concatenate([-np.ones(n), np.zeros(n)])
"""),
    "one triangle of the double sum": ("svm", "dual_objective", """
def dual_objective(dual, K, y):
    quad = 0.0
    for s in range(len(dual)):
        for t in range(s + 1):
            quad += dual[s] * dual[t] * y[s] * y[t] * K[s][t]
    return sum(dual) - 0.5 * quad
"""),
    "whole columns of the one-hot table": ("softmax", "softmax_risk_grad", """
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    S = X @ Theta.T + theta_0
    top = np.amax(S, axis=1, keepdims=True)
    grad_logits = np.exp(S - top - np.log(np.exp(S - top).sum(axis=1, keepdims=True)))
    grad_logits[:, y] -= 1.0
    grad_logits /= len(y)
    return grad_logits.T @ X + lam * Theta, grad_logits.sum(0)
"""),
    "the label before the curvature": ("newton", "risk_hess", """
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    Z = np.column_stack([X, np.ones(n)])
    w = loss.curvature(y * (X @ theta + theta_0)) * y
    H = np.einsum("t,ti,tj->ij", w, Z, Z) / n
    H[np.arange(d), np.arange(d)] += lam
    return H
"""),
    "a step that stays halved": ("newton", "newton", """
from linclass.fit import Minimum

def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x, size = np.array(start, dtype=float), 1.0
    f = value(x)
    for k in range(max_steps):
        g = grad(x)
        s = np.linalg.lstsq(hess(x), -g, rcond=None)[0]
        slope = float(np.dot(g, s))
        if -slope / 2 <= tol * (1 + abs(f)):
            return Minimum(x, f, True, k, [], "decrement small")
        while not value(x + size * s) <= f + 0.25 * size * slope:
            size *= 0.5
        x, f = x + size * s, value(x + size * s)
    return Minimum(x, f, False, max_steps, [], "max_steps reached")
"""),
    "a distance whose offset is not divided": ("margins", "signed_distances", """
def signed_distances(theta, theta_0, X):
    return X @ theta / np.linalg.norm(theta) + theta_0
"""),
    "mistakes counted after the epoch": ("perceptron", "perceptron_walk", """
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    history = []
    for epoch in range(max_epochs):
        mistakes = 0
        for xt, yt in zip(X, y):
            if yt * (theta @ xt + theta_0) <= 0:
                mistakes += 1
                theta = theta + yt * xt
                if offset:
                    theta_0 += yt
        mistakes = np.sum(y * (X @ theta + theta_0) <= 0)
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)
"""),
    "a threshold between -1 and +1": ("perceptron", "threshold_step", """
def threshold_step(theta, theta_0, x, y):
    h = 1 if theta @ x + theta_0 >= 0 else -1
    return theta + (y - h) * x, theta_0 + (y - h)
"""),
    "Python's max for an array": ("losses", "hinge_loss", """
def hinge_loss(z):
    return max(0, 1 - z)
"""),
    "the likelihood of labels 0 and 1": ("logistic", "log_likelihood", """
def log_likelihood(theta, theta_0, X, y):
    s = X @ theta + theta_0
    return np.sum(y * s - np.logaddexp(0, s))
"""),
    "slopes at the scores": ("logistic", "risk_grad", """
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    z = X @ theta + theta_0
    g = loss.slope(z) * y
    return X.T @ g / len(y) + lam * theta, g.mean()
"""),
    "a best theta without a copy": ("descent", "fit_sgd", """
from linclass.fit import Fit
from linclass.margins import LinearClassifier

def sgd_step(theta, theta_0, X, y, loss, lam, eta):
    z = y * (X @ theta + theta_0)
    g = loss.slope(z) * y
    new_theta = theta - eta * (X.T @ g / len(y) + lam * theta)
    new_theta_0 = theta_0 - eta * g.mean()
    return new_theta, new_theta_0

def fit_sgd(X, y, loss, *, lam=0.0, eta, epochs, batch=1, sampling='shuffle', keep='best', rng, offset=True, **rest):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0

    def risk(w, b):
        return np.mean(loss.value(y * (X @ w + b))) + lam / 2 * w @ w

    best = None
    best_risk = np.inf
    avg, avg_0 = np.zeros(d), 0.0
    history = []
    t = 0
    for epoch in range(epochs):
        order = rng.permutation(n) if sampling == 'shuffle' else np.arange(n)
        for start in range(0, n, batch):
            t += 1
            rows = rng.integers(n, size=batch) if sampling == 'uniform' else order[start:start + batch]
            rate = eta(t) if callable(eta) else eta
            new, b = sgd_step(theta, theta_0, X[rows], y[rows], loss, lam, rate)
            theta[:] = new
            if offset:
                theta_0 = b
            avg = avg + (theta - avg) / t
            avg_0 = avg_0 + (theta_0 - avg_0) / t
        if keep == 'average':
            r = risk(avg, avg_0)
        else:
            r = risk(theta, theta_0)
        history.append(r)
        if r < best_risk:
            best_risk = r
            best = (theta, theta_0)
    if keep == 'average':
        answer = (avg, avg_0)
    elif keep == 'best':
        answer = best
    else:
        answer = (theta, theta_0)
    return Fit(LinearClassifier(answer[0], answer[1]), False, t, np.array(history), 'done')
"""),
    "a product entry by entry": ("svm", "dual_objective", """
def dual_objective(dual, K, y):
    a = dual * y
    return np.sum(dual) - 0.5 * np.sum(a * K * a)
"""),
    "a bandwidth that multiplies": ("kernels", "rbf_kernel", """
def rbf_kernel(X, Z, tau):
    sq = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-sq / 2 * tau ** 2)
"""),
    "the whole alpha in the penalty": ("kernels", "kernel_sgd_step", """
def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    m = len(y)
    Ki = K[:, i]
    return alpha - eta * (loss.slope(Ki @ alpha, y[i]) * Ki + m * lam * alpha * Ki)
"""),
    "one step size for all steps": ("kernels", "kernel_sgd", """
from linclass.representer import KernelDescent

def kernel_risk(alpha, K, y, loss, lam, theta_0=0.0):
    s = K @ alpha + theta_0
    return np.mean(loss.value(s, y)) + lam / 2 * alpha @ K @ alpha

def kernel_sgd_step(alpha, i, K, y, loss, lam, eta):
    m = len(y)
    Ki = K[:, i]
    return alpha - eta * (loss.slope(Ki @ alpha, y[i]) * Ki + m * lam * alpha[i] * Ki)

def kernel_sgd(K, y, loss, *, lam, eta, steps, rng, step=None):
    m = len(y)
    if step is None:
        step = kernel_sgd_step
    alpha = np.zeros(m)
    history = []
    rate = eta(1) if callable(eta) else eta
    for t in range(1, steps + 1):
        i = rng.integers(m)
        alpha = step(alpha, i, K, y, loss, lam, rate)
        if t % m == 0 or t == steps:
            history.append(kernel_risk(alpha, K, y, loss, lam))
    return KernelDescent(alpha, steps, np.array(history), 'done')
"""),
    "as many columns as labels occur": ("softmax", "one_hot", """
def one_hot(y, n_classes):
    return np.eye(y.max() + 1)[y]
"""),
    "a penalty divided by n": ("softmax", "softmax_risk_grad", """
def softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)

def one_hot(y, n_classes):
    return np.eye(n_classes)[y]

def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    n = len(y)
    P = softmax(X @ Theta.T + theta_0)
    R = P - one_hot(y, len(theta_0))
    return (R.T @ X + lam * Theta) / n, R.mean(axis=0)
"""),
    "curvature at the scores": ("newton", "risk_hess", """
def risk_hess(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    z = X @ theta + theta_0
    c = loss.curvature(z)
    X1 = np.hstack([X, np.ones((n, 1))])
    H = (X1 * c[:, None]).T @ X1 / n
    H[:d, :d] += lam * np.eye(d)
    return H
"""),
    "any fall is good enough": ("newton", "newton", """
from linclass.fit import Minimum

def newton_step(gradient, hessian):
    try:
        return np.linalg.solve(hessian, -gradient)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(hessian, -gradient, rcond=None)[0]

def newton(value, grad, hess, start, *, tol=1e-12, max_steps=100):
    x = np.array(start, dtype=float)
    v = value(x)
    history = [v]
    for k in range(max_steps):
        g = grad(x)
        s = newton_step(g, hess(x))
        promise = -g @ s
        if promise / 2 <= tol * (1 + abs(v)):
            return Minimum(x, v, True, k, history, 'converged')
        t = 1.0
        while value(x + t * s) >= v and t > 1e-20:
            t = t / 2
        x = x + t * s
        v = value(x)
        history.append(v)
    return Minimum(x, v, False, max_steps, history, 'not converged')
"""),
    "a small value for a root": ("newton", "newton_root", """
from linclass.fit import Root

def newton_root(f, slope, start, *, tol=1e-12, max_steps=50):
    x = start
    history = [x]
    for k in range(1, max_steps + 1):
        m = slope(x)
        if m == 0:
            return Root(x, False, k - 1, history)
        new = x - f(x) / m
        if not np.isfinite(new):
            return Root(x, False, k - 1, history)
        history.append(new)
        if abs(f(new)) <= tol:
            return Root(new, True, k, history)
        x = new
    return Root(x, False, max_steps, history)
"""),
}  # fmt: skip
