# --- softmax: the maximum is not subtracted and the exponential overflows
# said: the largest score is not subtracted, and exp overflows
def softmax(S):
    e = np.exp(S)
    return e / e.sum(axis=-1, keepdims=True)


# --- softmax: sums over the examples in place of the classes
# said: the sum runs over the examples: it runs over the classes, the last axis
def softmax(S):
    e = np.exp(S - S.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


# --- softmax: one maximum for the whole table
# said: one maximum is taken for the whole table: each row needs its own
def softmax(S):
    e = np.exp(S - np.max(S))
    return e / e.sum(axis=-1, keepdims=True)


# --- softmax: one sum for the whole table
# said: `sum` runs over the whole table, which is the wrong way
def softmax(S):
    e = np.exp(S - S.max(axis=-1, keepdims=True))
    return e / e.sum()


# --- softmax: the caller's table is changed
# said: the maximum is subtracted in place, from the caller's own array
def softmax(S):
    S -= S.max(axis=-1, keepdims=True)
    e = np.exp(S)
    return e / e.sum(axis=-1, keepdims=True)


# --- log_softmax: the maximum is subtracted inside the sum and not put back
# said: the maximum is taken out of the exponentials and not added back
def log_softmax(S):
    top = S.max(axis=-1, keepdims=True)
    return S - np.log(np.exp(S - top).sum(axis=-1, keepdims=True))


# --- log_softmax: the logarithm of a softmax that has underflowed to 0
# said: log(softmax) is taken in two steps: a probability that rounds to 0 has logarithm -inf
def log_softmax(S):
    e = np.exp(S - S.max(axis=-1, keepdims=True))
    return np.log(e / e.sum(axis=-1, keepdims=True))


# --- one_hot: classes counted from 1
# said: the classes are counted from 1: they are 0, 1, 2, …
def one_hot(y, n_classes):
    return (y[:, None] == np.arange(1, n_classes + 1)).astype(float)


# --- one_hot: n_classes is ignored, the columns end at the largest class seen
# said: the largest label decides how many columns there are: it is n_classes, whichever labels occur
def one_hot(y, n_classes):
    return np.eye(y.max() + 1)[y]


# --- cross_entropy: the minus forgotten
# said: the minus of -log p is missing
def cross_entropy(logits, y):
    S = logits - logits.max(axis=1, keepdims=True)
    logp = S - np.log(np.exp(S).sum(axis=1, keepdims=True))
    return logp[np.arange(len(y)), y]


# --- cross_entropy: the mean in place of one number per row
# said: the mean is taken: there is one number for each row
def cross_entropy(logits, y):
    S = logits - logits.max(axis=1, keepdims=True)
    logp = S - np.log(np.exp(S).sum(axis=1, keepdims=True))
    return -np.mean(logp[np.arange(len(y)), y])


# --- cross_entropy: the columns y of every row, a table in place of a vector
# said: [:, y] takes the columns y of every row, a table: each row has one class, [np.arange(n), y]
def cross_entropy(logits, y):
    S = logits - logits.max(axis=1, keepdims=True)
    logp = S - np.log(np.exp(S).sum(axis=1, keepdims=True))
    return -logp[:, y]


# --- cross_entropy: the probability, its logarithm forgotten
# said: the logarithm is forgotten: it is -log p, and not -p
def cross_entropy(logits, y):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return -p[np.arange(len(y)), y]


# --- softmax_risk: the 1/2 of the penalty forgotten
# said: the 1/2 in lambda/2 is left out
def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    return np.mean(cross_entropy(X @ Theta.T + theta_0, y)) + lam * np.sum(Theta**2)


# --- softmax_risk: the offsets are penalised
# said: the offsets are penalised too
def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    penalty = np.sum(Theta**2) + np.sum(theta_0**2)
    return np.mean(cross_entropy(X @ Theta.T + theta_0, y)) + lam / 2 * penalty


# --- softmax_risk: the sum of the losses in place of their mean
# said: the losses are summed, not averaged
def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    return np.sum(cross_entropy(X @ Theta.T + theta_0, y)) + lam / 2 * np.sum(Theta**2)


# --- softmax_risk_grad: [y = k] - p_k in place of p_k - [y = k]
# said: it is y - p: the gradient is p - y
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    S = X @ Theta.T + theta_0
    e = np.exp(S - S.max(axis=1, keepdims=True))
    R = np.eye(len(theta_0))[y] - e / e.sum(axis=1, keepdims=True)
    return R.T @ X / len(y) + lam * Theta, R.mean(axis=0)


# --- softmax_risk_grad: sums in place of means
# said: the 1/n of the mean is left out
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    S = X @ Theta.T + theta_0
    e = np.exp(S - S.max(axis=1, keepdims=True))
    R = e / e.sum(axis=1, keepdims=True) - np.eye(len(theta_0))[y]
    return R.T @ X + lam * Theta, R.sum(axis=0)


# --- softmax_risk_grad: a column for each class, the transpose of what is asked
# said: the gradient in Theta of softmax_risk_grad has shape (1, 2), and should have (2, 1): it looks transposed
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    S = X @ Theta.T + theta_0
    e = np.exp(S - S.max(axis=1, keepdims=True))
    R = e / e.sum(axis=1, keepdims=True) - np.eye(len(theta_0))[y]
    return X.T @ R / len(y) + lam * Theta.T, R.mean(axis=0)


# --- softmax_risk_grad: the penalty missing
# said: `lam * Theta` is left out, in the gradient in Theta
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    S = X @ Theta.T + theta_0
    e = np.exp(S - S.max(axis=1, keepdims=True))
    R = e / e.sum(axis=1, keepdims=True) - np.eye(len(theta_0))[y]
    return R.T @ X / len(y), R.mean(axis=0)


# --- softmax_risk_grad: the gradient in theta_0 averaged over the classes too
# said: `sum` runs over the whole table, which is the wrong way, in the derivative in theta_0
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    S = X @ Theta.T + theta_0
    e = np.exp(S - S.max(axis=1, keepdims=True))
    R = e / e.sum(axis=1, keepdims=True) - np.eye(len(theta_0))[y]
    return R.T @ X / len(y) + lam * Theta, np.mean(R)
