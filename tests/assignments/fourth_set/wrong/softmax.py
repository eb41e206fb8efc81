# --- softmax: divides scores by their largest size, which is another function
def softmax(S):
    scaled = S / np.max(np.abs(S), axis=-1, keepdims=True)
    E = np.exp(scaled)
    return E / E.sum(axis=-1, keepdims=True)


# --- softmax: a sigmoid for each class
# said: each score has a sigmoid of its own: the classes of a row share one sum
def softmax(S):
    return 1 / (1 + np.exp(-S))


# --- log_softmax: log1p in place of log
# said: `log1p` is taken, which is the logarithm of 1 + x
def log_softmax(S):
    T = S - S.max(axis=-1, keepdims=True)
    return T - np.log1p(np.exp(T).sum(axis=-1, keepdims=True))


# --- one_hot: columns for the classes that occur
# said: the classes that occur are numbered anew: class k has column k, whichever labels occur
def one_hot(y, n_classes):
    classes, where = np.unique(y, return_inverse=True)
    H = np.zeros((len(y), n_classes))
    H[np.arange(len(y)), where] = 1
    return H


# --- one_hot: slice in place of paired indices, every row gets every class
# said: [:, y] sets the columns y in every row: each row has one 1, at [np.arange(n), y]
def one_hot(y, n_classes):
    H = np.zeros((len(y), n_classes))
    H[:, y] = 1
    return H


# --- cross_entropy: probability clipped at 1e-15 before the logarithm
# said: the probability is clipped at 1e-15: far out the loss goes on growing
def cross_entropy(logits, y):
    P = np.clip(softmax(logits), 1e-15, 1)
    return np.array([-np.log(p[k]) for p, k in zip(P, y)])


# --- cross_entropy: row index and class exchanged
# said: everything runs down the columns, which is the wrong way
def cross_entropy(logits, y):
    L = log_softmax(logits.T)
    return -L[y, np.arange(len(y))]


# --- softmax_risk: norm not squared
# said: the norm in the penalty is not squared
def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    return np.mean(cross_entropy(X @ Theta.T + theta_0, y)) + lam / 2 * np.linalg.norm(Theta)


# --- softmax_risk: spectral norm of the matrix, np.linalg.norm(Theta, 2)
# said: np.linalg.norm(Theta, 2) is squared, the largest singular value
def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    fit = np.mean(cross_entropy(X @ Theta.T + theta_0, y))
    return fit + 0.5 * lam * np.linalg.norm(Theta, 2) ** 2


# --- softmax_risk_grad: only the row of the right class gets a gradient
# said: only the right class has a gradient: the others have p_k x
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    G = np.zeros(Theta.shape)
    g = np.zeros(len(theta_0))
    P = softmax(X @ Theta.T + theta_0)
    for t, k in enumerate(y):
        G[k] += (P[t, k] - 1) * X[t]
        g[k] += P[t, k] - 1
    return G / len(y) + lam * Theta, g / len(y)


# --- softmax_risk_grad: mean over all entries, n times the number of classes, and lam twice
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    R = softmax(X @ Theta.T + theta_0) - one_hot(y, len(theta_0))
    return R.T @ X / R.size + 2 * lam * Theta, R.sum(axis=0) / R.size
