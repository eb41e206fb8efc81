# --- lam_from_C: forgets n
# said: lambda is taken for 1/C: the mean over n examples is forgotten
def lam_from_C(C, n):
    return 1 / C


# --- lam_from_C: n in the numerator
# said: n multiplies where it divides: 1 / C * n, without brackets, is n / C
def lam_from_C(C, n):
    lam = n / C
    return lam


# --- C_from_lam: operator precedence, 1 / n * lam
# said: `lam` multiplies where it divides, as in `1.0 / n * lam`
def C_from_lam(lam, n):
    return 1 / n * lam


# --- slacks: not cut off at 0
# said: the slack of a well classified point is not 0 but negative
def slacks(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    return 1 - z


# --- slacks: uses the score rather than the margin (no label)
# said: the factor `y` is left out
def slacks(theta, theta_0, X, y):
    xi = np.zeros(len(y))
    for t in range(len(y)):
        score = np.dot(theta, X[t]) + theta_0
        xi[t] = max(0, 1 - score)
    return xi


# --- margin_width: half of the width, 1 / |theta|
# said: it is half the width, the distance of one line from the boundary
def margin_width(theta):
    return 1.0 / np.linalg.norm(theta)


# --- margin_width: forgets the square root of the norm
# said: the length is squared
def margin_width(theta):
    return 2 / np.sum(theta**2)


# --- dual_objective: leaves out the labels in the quadratic term
# said: the labels y_i y_j are left out
def dual_objective(dual, K, y):
    return np.sum(dual) - 0.5 * dual @ K @ dual


# --- dual_objective: misses the factor 1/2
# said: the 1/2 of the dual objective is left out
def dual_objective(dual, K, y):
    n = len(dual)
    quad = 0.0
    for i in range(n):
        for j in range(n):
            quad += dual[i] * dual[j] * y[i] * y[j] * K[i, j]
    return dual.sum() - quad


# --- quadratic_program: penalises the offset too (1 on its diagonal entry in H)
# said: the offset is penalised in H
def quadratic_program(X, y, C):
    n, d = X.shape
    H = np.zeros((d + 1 + n, d + 1 + n))
    H[: d + 1, : d + 1] = np.eye(d + 1)
    c = np.concatenate([np.zeros(d + 1), C * np.ones(n)])
    top = np.hstack([-y[:, None] * X, -y[:, None], -np.eye(n)])
    bottom = np.hstack([np.zeros((n, d + 1)), -np.eye(n)])
    A = np.vstack([top, bottom])
    b = np.concatenate([-np.ones(n), np.zeros(n)])
    return H, c, A, b


# --- quadratic_program: the margin constraints are left in the >= direction (signs not turned)
# said: the rows of the margins say A v >= b: multiply them and their b by -1
def quadratic_program(X, y, C):
    n, d = X.shape
    N = d + 1 + n
    H = np.zeros((N, N))
    for i in range(d):
        H[i, i] = 1.0
    c = np.zeros(N)
    c[d + 1 :] = C
    A = np.zeros((2 * n, N))
    b = np.zeros(2 * n)
    for t in range(n):
        A[t, :d] = y[t] * X[t]
        A[t, d] = y[t]
        A[t, d + 1 + t] = 1
        b[t] = 1
        A[n + t, d + 1 + t] = -1
    return H, c, A, b
