# --- sigmoid: exp(z) instead of exp(-z), decreasing curve
# said: z has the wrong sign
def sigmoid(z):
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, e / (1 + e), 1 / (1 + e))


# --- sigmoid: uses exp(z)/(1+exp(z)) everywhere, nan for large z
# said: exp(z) overflows, and infinity over infinity is not a number
def sigmoid(z):
    ez = np.exp(z)
    return ez / (1.0 + ez)


# --- log_odds: forgets the logarithm, returns the odds
# said: the logarithm is forgotten: these are the odds
def log_odds(p):
    with np.errstate(divide="ignore"):
        return p / (1 - p)


# --- log_odds: clips p away from 0 and 1, so no infinity at the ends
# said: with `p` in place of `np.clip(p, eps, 1 - eps)`
def log_odds(p):
    eps = 1e-12
    q = np.clip(p, eps, 1 - eps)
    return np.log(q) - np.log(1 - q)


# --- log_likelihood: returns the mean instead of the sum
# said: the log-likelihood is averaged: it is a sum
def log_likelihood(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    return -np.mean(np.logaddexp(0, -z))


# --- log_likelihood: forgets the minus sign, gives the negative log-likelihood
# said: the sign is missing: a log-likelihood is at most 0
def log_likelihood(theta, theta_0, X, y):
    total = 0.0
    for i in range(len(y)):
        m = y[i] * (np.dot(theta, X[i]) + theta_0)
        total += np.logaddexp(0.0, -m)
    return total


# --- risk: penalises with the norm and not the squared norm
# said: the norm in the penalty is not squared
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return loss.value(z).mean() + lam / 2 * np.linalg.norm(theta)


# --- risk: the offset is penalised too
# said: the offset is penalised too
def risk(theta, theta_0, X, y, loss, lam=0.0):
    margins = y * (X.dot(theta) + theta_0)
    data_term = np.mean(loss.value(margins))
    reg = 0.5 * lam * (np.sum(theta**2) + theta_0**2)
    return data_term + reg


# --- risk_grad: forgets the factor y from the chain rule
# said: the y of the chain rule is forgotten: z = y times the score
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    s = loss.slope(z)
    g = X.T @ s / len(y) + lam * theta
    g0 = np.mean(s)
    return g, g0


# --- risk_grad: divides the penalty by n as well
# said: the penalty is divided by n too: it stands beside the mean
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    n, d = X.shape
    grad = np.zeros(d)
    grad0 = 0.0
    z = y * (X @ theta + theta_0)
    slopes = loss.slope(z)
    for i in range(n):
        grad = grad + slopes[i] * y[i] * X[i]
        grad0 = grad0 + slopes[i] * y[i]
    grad = (grad + lam * theta) / n
    return grad, grad0 / n


# --- risk_grad: offset derivative is a sum, not a mean
# said: the offset's gradient is a sum, not a mean
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    n = X.shape[0]
    w = loss.slope(y * (X @ theta + theta_0)) * y
    return (w @ X) / n + lam * theta, w.sum()
