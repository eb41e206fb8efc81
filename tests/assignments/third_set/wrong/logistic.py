# --- sigmoid: exp(z) in place of exp(-z)
# said: z has the wrong sign
def sigmoid(z):
    return 1 / (1 + np.exp(z))


# --- sigmoid: inf / inf is nan for large z
# said: exp(z) overflows, and infinity over infinity is not a number
def sigmoid(z):
    return np.exp(z) / (1 + np.exp(z))


# --- log_odds: a bracket lost, log(p) / (1 - p)
# said: a bracket is lost: log(p) / (1 - p) for log(p / (1 - p))
def log_odds(p):
    return np.log(p) / (1 - p)


# --- log_odds: p is clipped, so the answer at 0 and 1 is finite
# said: the answer of log_odds is finite where it should be -inf: is something clipped to keep it so?
def log_odds(p):
    p = np.clip(p, 1e-9, 1 - 1e-9)
    return np.log(p / (1 - p))


# --- log_likelihood: a mean in place of a sum
# said: the log-likelihood is averaged: it is a sum
def log_likelihood(theta, theta_0, X, y):
    return -np.mean(np.logaddexp(0, -y * (X @ theta + theta_0)))


# --- log_likelihood: the negative log-likelihood
# said: the sign is missing: a log-likelihood is at most 0
def log_likelihood(theta, theta_0, X, y):
    return np.sum(np.logaddexp(0, -y * (X @ theta + theta_0)))


# --- log_likelihood: the formula for labels 0 and 1
# said: the formula for labels 0 and 1, y s - log(1 + exp(s)), gets labels -1 and +1
def log_likelihood(theta, theta_0, X, y):
    s = X @ theta + theta_0
    log_p, log_q = -np.logaddexp(0, -s), -np.logaddexp(0, s)
    return np.sum(y * log_p + (1 - y) * log_q)


# --- log_likelihood: the logarithm of a probability that has underflowed to 0
# said: the logarithm is taken of a probability that rounds to 0: use the loss log(1 + exp(-z))
def log_likelihood(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    p = np.where(z >= 0, 1 / (1 + np.exp(-np.abs(z))), np.exp(-np.abs(z)) / (1 + np.exp(-np.abs(z))))
    return np.sum(np.log(p))


# --- risk: the 1/2 of the penalty forgotten
# said: the 1/2 in lambda/2 is left out
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return np.mean(loss.value(z)) + lam * np.sum(theta**2)


# --- risk: the offset is penalised
# said: the offset is penalised too
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return np.mean(loss.value(z)) + lam / 2 * (np.sum(theta**2) + theta_0**2)


# --- risk: the penalty is divided by n too
# said: the penalty is divided by the number of examples
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return (np.sum(loss.value(z)) + lam / 2 * theta @ theta) / len(y)


# --- risk: the length of theta is not squared
# said: the norm in the penalty is not squared
def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = y * (X @ theta + theta_0)
    return np.mean(loss.value(z)) + lam / 2 * np.linalg.norm(theta)


# --- risk_grad: the labels forgotten in the chain rule
# said: the y of the chain rule is forgotten: z = y times the score
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0))
    return X.T @ slope / len(y) + lam * theta, np.mean(slope)


# --- risk_grad: a sum over the examples in the derivative in theta_0
# said: the offset's gradient is a sum, not a mean
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0)) * y
    return X.T @ slope / len(y) + lam * theta, np.sum(slope)


# --- risk_grad: the offset is penalised
# said: lambda theta_0 is in the offset's gradient: the offset is not penalised
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0)) * y
    return X.T @ slope / len(y) + lam * theta, np.mean(slope) + lam * theta_0


# --- risk_grad: the slopes are taken at the scores and not at the margins
# said: the slope is taken at the score: it is taken at the margin, y times the score
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(X @ theta + theta_0) * y
    return X.T @ slope / len(y) + lam * theta, np.mean(slope)


# --- risk_grad: the negative gradient
# said: the gradient in theta and the derivative in theta_0 have the wrong sign
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0)) * y
    return -(X.T @ slope / len(y) + lam * theta), -np.mean(slope)


# --- risk_grad: one vector in place of a pair
# said: risk_grad should return (gradient in theta, derivative in theta_0); a ndarray came
def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    slope = loss.slope(y * (X @ theta + theta_0)) * y
    return np.append(X.T @ slope / len(y) + lam * theta, np.mean(slope))
