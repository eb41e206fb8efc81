# --- lam_from_C: n forgotten
# said: lambda is taken for 1/C: the mean over n examples is forgotten
def lam_from_C(C, n):
    return 1 / C


# --- lam_from_C: a bracket lost, n / C
# said: n multiplies where it divides: 1 / C * n, without brackets, is n / C
def lam_from_C(C, n):
    return 1 / C * n


# --- C_from_lam: the product n lam, not its inverse
# said: C is taken for n lambda: it is 1/(n lambda)
def C_from_lam(lam, n):
    return n * lam


# --- C_from_lam: a factor 1/2 too much
# said: every answer is 1/2 times the right one
def C_from_lam(lam, n):
    return 1 / (2 * n * lam)


# --- slacks: z - 1 in place of 1 - z
# said: `1.0` and `y * (X @ theta + theta_0)` have changed places
def slacks(theta, theta_0, X, y):
    return np.maximum(0, y * (X @ theta + theta_0) - 1)


# --- slacks: no maximum with 0, safe examples have negative slack
# said: the slack of a well classified point is not 0 but negative
def slacks(theta, theta_0, X, y):
    return 1 - y * (X @ theta + theta_0)


# --- slacks: the score in place of the margin, y forgotten
# said: the factor `y` is left out
def slacks(theta, theta_0, X, y):
    return np.maximum(0, 1 - (X @ theta + theta_0))


# --- margin_width: half the width, 1 / |theta|
# said: it is half the width, the distance of one line from the boundary
def margin_width(theta):
    return 1 / np.linalg.norm(theta)


# --- margin_width: |theta|^2 in place of |theta|
# said: the length is squared
def margin_width(theta):
    return 2 / np.dot(theta, theta)


# --- dual_objective: the labels forgotten in the quadratic term
# said: the labels y_i y_j are left out
def dual_objective(dual, K, y):
    return np.sum(dual) - 0.5 * dual @ K @ dual


# --- dual_objective: the 1/2 forgotten
# said: the 1/2 of the dual objective is left out
def dual_objective(dual, K, y):
    v = dual * y
    return np.sum(dual) - v @ K @ v


# --- dual_objective: the form to be minimised, with its sign turned
# said: the objective is negated, as for a solver that minimises: here it is to be maximised
def dual_objective(dual, K, y):
    v = dual * y
    return 0.5 * v @ K @ v - np.sum(dual)


# --- dual_objective: the first sum is over dual y
# said: the first sum is one of dual y: it is one of dual alone
def dual_objective(dual, K, y):
    v = dual * y
    return np.sum(v) - 0.5 * v @ K @ v


# --- quadratic_program: the offset is penalised in H
# said: the offset is penalised in H
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d + 1), np.zeros(n)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    A = np.block([[-y[:, None] * X, -y[:, None], -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, c, A, np.r_[-np.ones(n), np.zeros(n)]


# --- quadratic_program: C is divided by n
# said: C multiplies the mean of the slacks: it multiplies their sum
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), np.full(n, C / n)]
    A = np.block([[-y[:, None] * X, -y[:, None], -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, c, A, np.r_[-np.ones(n), np.zeros(n)]


# --- quadratic_program: the margin constraints are written as >=
# said: the rows of the margins say A v >= b: multiply them and their b by -1
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    A = np.block([[y[:, None] * X, y[:, None], np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, c, A, np.r_[np.ones(n), np.zeros(n)]


# --- quadratic_program: the column of the offset has ones in place of labels
# said: the offset's column of A is -1 in every row: y_t multiplies the whole score, so it is -y_t
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    A = np.block([[-y[:, None] * X, -np.ones((n, 1)), -np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    return H, c, A, np.r_[-np.ones(n), np.zeros(n)]


# --- quadratic_program: the rows xi >= 0 come first
# said: the rows xi >= 0 come first: those of the margins do
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.diag(np.r_[np.ones(d), np.zeros(n + 1)])
    c = np.r_[np.zeros(d + 1), np.full(n, C)]
    A = np.block([[np.zeros((n, d + 1)), -np.eye(n)], [-y[:, None] * X, -y[:, None], -np.eye(n)]])
    return H, c, A, np.r_[np.zeros(n), -np.ones(n)]
