# --- sigmoid: exp(z) in place of exp(-z)
def sigmoid(z):
    return 1 / (1 + np.exp(z))


# --- sigmoid: inf / inf is nan for large z
def sigmoid(z):
    return np.exp(z) / (1 + np.exp(z))


# --- log_odds: a bracket lost, log(p) / (1 - p)
def log_odds(p):
    return np.log(p) / (1 - p)


# --- log_odds: p is clipped, so the answer at 0 and 1 is finite
def log_odds(p):
    p = np.clip(p, 1e-9, 1 - 1e-9)
    return np.log(p / (1 - p))


# --- log_likelihood: a mean in place of a sum
def log_likelihood(theta, theta_0, X, y):
    return -np.mean(np.logaddexp(0, -y * (X @ theta + theta_0)))


# --- log_likelihood: the negative log-likelihood
def log_likelihood(theta, theta_0, X, y):
    return np.sum(np.logaddexp(0, -y * (X @ theta + theta_0)))


# --- log_likelihood: the formula for labels 0 and 1
def log_likelihood(theta, theta_0, X, y):
    s = X @ theta + theta_0
    log_p, log_q = -np.logaddexp(0, -s), -np.logaddexp(0, s)
    return np.sum(y * log_p + (1 - y) * log_q)


# --- log_likelihood: the logarithm of a probability that has underflowed to 0
def log_likelihood(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    p = np.where(z >= 0, 1 / (1 + np.exp(-np.abs(z))), np.exp(-np.abs(z)) / (1 + np.exp(-np.abs(z))))
    return np.sum(np.log(p))


# --- risk: the 1/2 of the penalty forgotten
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return np.mean(loss.value(z)) + lam * np.sum(theta**2)


# --- risk: the offset is penalised
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return np.mean(loss.value(z)) + lam / 2 * (np.sum(theta**2) + theta_0**2)


# --- risk: the penalty is divided by n too
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return (np.sum(loss.value(z)) + lam / 2 * theta @ theta) / len(y)


# --- risk: the length of theta is not squared
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return np.mean(loss.value(z)) + lam / 2 * np.linalg.norm(theta)


# --- risk_grad: the labels forgotten in the chain rule
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0))
    return X.T @ slope / len(y) + lam * theta, np.mean(slope)


# --- risk_grad: a sum over the examples in the derivative in theta_0
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0)) * y
    return X.T @ slope / len(y) + lam * theta, np.sum(slope)


# --- risk_grad: the offset is penalised
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0)) * y
    return X.T @ slope / len(y) + lam * theta, np.mean(slope) + lam * theta_0


# --- risk_grad: the slopes are taken at the scores and not at the margins
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(X @ theta + theta_0) * y
    return X.T @ slope / len(y) + lam * theta, np.mean(slope)


# --- risk_grad: the negative gradient
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0)) * y
    return -(X.T @ slope / len(y) + lam * theta), -np.mean(slope)


# --- risk_grad: one vector in place of a pair
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0)) * y
    return np.append(X.T @ slope / len(y) + lam * theta, np.mean(slope))
