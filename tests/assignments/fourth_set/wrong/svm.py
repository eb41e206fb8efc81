# --- lam_from_C: missing parentheses, 1 / n * C is C / n
# said: `C` multiplies where it divides, as in `1.0 / n * C`
def lam_from_C(C, n):
    return 1 / n * C


# --- lam_from_C: multiplies by n because the mean was "divided by n"
# said: n multiplies where it divides: 1 / C * n, without brackets, is n / C
def lam_from_C(C, n):
    lam = 1.0 / C
    return lam * n


# --- lam_from_C: integer division
# said: the answer of lam_from_C is cut off to whole numbers: `//` does that, and an array of integers, which np.vectorize makes where the first answer is one
def lam_from_C(C, n):
    return 1 // (n * C)


# --- C_from_lam: inverts the formula as if lam = C n
# said: `lam` multiplies where it divides, as in `1.0 / n * lam`
def C_from_lam(lam, n):
    return lam / n


# --- C_from_lam: n in the numerator
# said: n multiplies where it divides: 1 / lam * n, without brackets, is n / lam
def C_from_lam(lam, n):
    C = n / lam
    return C


# --- slacks: distance from 1 on both sides
# said: the absolute value of `1.0 - y * (X @ theta + theta_0)` is taken, and not cut off at 0
def slacks(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    return np.abs(1 - z)


# --- slacks: "up to 1" taken as a cap
# said: the slack is cut off at 1: on the wrong side it is larger
def slacks(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    return np.clip(1 - z, 0, 1)


# --- slacks: no slack for examples that are classified correctly
# said: a right answer has no slack: inside the margin, from 0 to 1, it has 1 - z
def slacks(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    xi = 1 - z
    xi[z > 0] = 0
    return xi


# --- margin_width: sum of absolute values as the length
# said: absolute values are summed in place of the length
def margin_width(theta):
    return 2 / np.linalg.norm(theta, 1)


# --- margin_width: written for the plane only
# said: it is wrong whenever theta has not 2 entries
def margin_width(theta):
    a, b = theta[0], theta[-1]
    return 2 / np.sqrt(a**2 + b**2)


# --- dual_objective: label on one side only
# said: the factor `y` is left out
def dual_objective(dual, K, y):
    return dual.sum() - 0.5 * (dual * y) @ K @ dual
