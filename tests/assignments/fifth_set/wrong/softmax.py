# --- softmax: subtracts nothing, overflows for large scores
# said: the largest score is not subtracted, and exp overflows
def softmax(S):
    e = np.exp(S)
    return e / e.sum(axis=-1, keepdims=True)


# --- softmax: sums over the first axis (over the examples), not over the classes
# said: `sum` runs down the columns, which is the wrong way
def softmax(S):
    shifted = S - np.max(S, axis=-1, keepdims=True)
    ex = np.exp(shifted)
    return ex / np.sum(ex, axis=0)


# --- softmax: subtracts the max in place and so changes the caller's array
# said: the maximum is subtracted in place, from the caller's own array
def softmax(S):
    S -= S.max(axis=-1, keepdims=True)
    num = np.exp(S)
    return num / num.sum(axis=-1, keepdims=True)


# --- log_softmax: log of softmax, -inf where the probability underflows to 0
# said: log(softmax) is taken in two steps: a probability that rounds to 0 has logarithm -inf
def log_softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    P = E / E.sum(axis=-1, keepdims=True)
    return np.log(P)


# --- log_softmax: subtracts the log-sum of the shifted scores from the unshifted ones, the maximum is not taken off again
# said: the maximum is taken out of the exponentials and not added back
def log_softmax(S):
    m = np.max(S, axis=-1, keepdims=True)
    lse = np.log(np.sum(np.exp(S - m), axis=-1, keepdims=True))
    return S - lse


# --- one_hot: classes numbered from 1
# said: the classes are counted from 1: they are 0, 1, 2, …
def one_hot(y, n_classes):
    Y = np.zeros((len(y), n_classes))
    for t, k in enumerate(y):
        Y[t, k - 1] = 1
    return Y


# --- cross_entropy: picks with logits[:, y], a whole matrix, not one number per row
# said: [:, y] takes the columns y of every row, a table: each row has one class, [np.arange(n), y]
def cross_entropy(logits, y):
    m = logits.max(axis=1, keepdims=True)
    logp = logits - m - np.log(np.exp(logits - m).sum(axis=1, keepdims=True))
    return -logp[:, y]


# --- cross_entropy: returns the mean rather than one number per row
# said: the mean is taken: there is one number for each row
def cross_entropy(logits, y):
    n = logits.shape[0]
    shifted = logits - logits.max(axis=1, keepdims=True)
    logp = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(logp[np.arange(n), y])


# --- softmax_risk: penalises the offsets too
# said: the offsets are penalised too
def softmax_risk(Theta, theta_0, X, y, lam=0.0):
    S = X @ Theta.T + theta_0
    S = S - S.max(axis=1, keepdims=True)
    ce = np.log(np.exp(S).sum(axis=1)) - S[np.arange(len(y)), y]
    return ce.mean() + lam / 2 * (np.sum(Theta**2) + np.sum(theta_0**2))


# --- softmax_risk_grad: sign of the error reversed, one-hot minus p
# said: it is y - p: the gradient is p - y
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    n, K = X.shape[0], Theta.shape[0]
    S = X @ Theta.T + theta_0
    P = np.exp(S - S.max(axis=1, keepdims=True))
    P = P / P.sum(axis=1, keepdims=True)
    Y = np.eye(K)[y]
    D = Y - P
    return D.T @ X / n + lam * Theta, D.mean(axis=0)


# --- softmax_risk_grad: forgets to divide the gradient in Theta by n
# said: with `np.dot(probs.T, X) / len(y) + lam * Theta` in place of `np.dot(probs.T, X) + lam * Theta`
def softmax_risk_grad(Theta, theta_0, X, y, lam=0.0):
    scores = X.dot(Theta.T) + theta_0
    scores = scores - np.max(scores, axis=1, keepdims=True)
    probs = np.exp(scores) / np.sum(np.exp(scores), axis=1, keepdims=True)
    probs[np.arange(len(y)), y] -= 1
    grad_Theta = np.dot(probs.T, X) + lam * Theta
    grad_0 = np.mean(probs, axis=0)
    return grad_Theta, grad_0
