# --- sigmoid: tanh without halving its argument
# said: tanh is taken of z: of z / 2 it gives the sigmoid
def sigmoid(z):
    return (1 + np.tanh(z)) / 2


# --- sigmoid: the branch for negative z has the wrong sign
# said: for a negative z the answer is that for -z: there it is exp(z) / (1 + exp(z))
def sigmoid(z):
    out = np.empty(np.shape(z))
    pos = z >= 0
    out[pos] = 1 / (1 + np.exp(-z[pos]))
    out[~pos] = 1 / (1 + np.exp(z[~pos]))
    return out


# --- sigmoid: divides by the sum over the array, a softmax
# said: it is divided by the sum over the array, as a softmax is: each entry stands alone
def sigmoid(z):
    e = np.exp(z - np.max(z))
    return e / e.sum()


# --- log_odds: the odds without the logarithm
# said: the logarithm is forgotten: these are the odds
def log_odds(p):
    with np.errstate(divide="ignore"):
        return p / (1 - p)


# --- log_odds: +inf at both ends
# said: it is +inf at 0: there it is -inf
def log_odds(p):
    p = np.asarray(p, dtype=float)
    out = np.full(p.shape, np.inf)
    inside = (p > 0) & (p < 1)
    out[inside] = np.log(p[inside] / (1 - p[inside]))
    return out


# --- log_likelihood: a small number added in the logarithm against log 0
# said: a small number is added to keep a logarithm finite
def log_likelihood(theta, theta_0, X, y):
    return np.sum(np.log(sigmoid(y * (X @ theta + theta_0)) + 1e-12))


# --- risk: loss of the mean margin instead of the mean loss
# said: the loss of the mean is taken, and not the mean of the losses
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = np.mean(y * (X @ theta + theta_0))
    return loss.value(z) + lam / 2 * theta @ theta


# --- risk: mean of the squares of theta
# said: the squares of `theta` are averaged, not summed
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return np.mean(loss.value(z)) + lam / 2 * np.mean(theta**2)


# --- risk_grad: y is forgotten in the derivative by the offset only
# said: the factor `y` is left out, in the derivative in theta_0
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0))
    grad = np.zeros(len(theta))
    for t in range(len(y)):
        grad += slope[t] * y[t] * X[t]
    return grad / len(y) + lam * theta, sum(slope) / len(y)


# --- risk_grad: product of the means for the mean of the products
# said: the mean of slope y is multiplied with the mean of x: it is the mean of the products
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    g = np.mean(y * loss.slope(y * (X @ theta + theta_0)))
    return g * X.mean(axis=0) + lam * theta, g


# --- risk_grad: no axis, one mean over the whole table
# said: one mean is taken over the whole table: each input has its own, axis=0
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    g = y * loss.slope(y * (X @ theta + theta_0))
    return np.mean(g[:, None] * X) + lam * theta, np.mean(g)
