# --- lam_from_C: n forgotten
def lam_from_C(C, n):
    return 1 / C


# --- lam_from_C: a bracket lost, n / C
def lam_from_C(C, n):
    return 1 / C * n


# --- C_from_lam: the product n lam, not its inverse
def C_from_lam(lam, n):
    return n * lam


# --- C_from_lam: a factor 1/2 too much
def C_from_lam(lam, n):
    return 1 / (2 * n * lam)


# --- slacks: z - 1 in place of 1 - z
def slacks(theta, theta_0, X, y):
    return np.maximum(0, y * (X @ theta + theta_0) - 1)


# --- slacks: no maximum with 0, safe examples have negative slack
def slacks(theta, theta_0, X, y):
    return 1 - y * (X @ theta + theta_0)


# --- slacks: the score in place of the margin, y forgotten
def slacks(theta, theta_0, X, y):
    return np.maximum(0, 1 - (X @ theta + theta_0))


# --- margin_width: half the width, 1 / |theta|
def margin_width(theta):
    return 1 / np.linalg.norm(theta)


# --- margin_width: |theta|^2 in place of |theta|
def margin_width(theta):
    return 2 / np.dot(theta, theta)


# --- dual_objective: the labels forgotten in the quadratic term
def dual_objective(dual, K, y):
    return np.sum(dual) - 0.5 * dual @ K @ dual


# --- dual_objective: the 1/2 forgotten
def dual_objective(dual, K, y):
    v = dual * y
    return np.sum(dual) - v @ K @ v


# --- dual_objective: the form to be minimised, with its sign turned
def dual_objective(dual, K, y):
    v = dual * y
    return 0.5 * v @ K @ v - np.sum(dual)


# --- dual_objective: the first sum is over dual y
def dual_objective(dual, K, y):
    v = dual * y
    return np.sum(v) - 0.5 * v @ K @ v


# --- quadratic_program: the offset is penalised in H
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d + 1), np.zeros(n)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    A = np.block([[-y[:, None] * X, -y[:, None], -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, c, A, np.r_[-np.ones(n), np.zeros(n)]


# --- quadratic_program: C is divided by n
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), np.full(n, C / n)]
    A = np.block([[-y[:, None] * X, -y[:, None], -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, c, A, np.r_[-np.ones(n), np.zeros(n)]


# --- quadratic_program: the margin constraints are written as >=
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    A = np.block([[y[:, None] * X, y[:, None], np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, c, A, np.r_[np.ones(n), np.zeros(n)]


# --- quadratic_program: the column of the offset has ones in place of labels
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    A = np.block([[-y[:, None] * X, -np.ones((n, 1)), -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, c, A, np.r_[-np.ones(n), np.zeros(n)]


# --- quadratic_program: the rows xi >= 0 come first
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    A = np.block([[np.zeros((n, d + 1)), -np.eye(n)], [-y[:, None] * X, -y[:, None], -np.eye(n)]])
    return H, c, A, np.r_[np.zeros(n), -np.ones(n)]
