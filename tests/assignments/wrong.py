"""Twenty wrong solutions in other styles than the package's, as students write them: (topic, function, text)."""

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
}  # fmt: skip
