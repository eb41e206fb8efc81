# --- scores: leaves out the offset
# said: the offset theta_0 is left out
def scores(theta, theta_0, X):
    return X.dot(theta)


# --- scores: multiplies elementwise and sums over the wrong axis (columns instead of rows)
# said: with `prod.sum(axis=1) + theta_0` in place of `prod.sum(axis=0) + theta_0`
def scores(theta, theta_0, X):
    prod = X * theta
    return prod.sum(axis=0) + theta_0


# --- margins: the label multiplies only theta . x, the offset is added afterwards
# said: the bracket closes too early: y (theta . x) + theta_0 in place of y (theta . x + theta_0)
def margins(theta, theta_0, X, y):
    result = []
    for xi, yi in zip(X, y):
        result.append(yi * np.dot(theta, xi) + theta_0)
    return np.array(result)


# --- predict: uses np.sign, so score 0 gives label 0
# said: score 0 gets the label 0, as np.sign has it: the label is -1 there
def predict(theta, theta_0, X):
    s = X @ theta + theta_0
    return np.sign(s)


# --- predict: counts score 0 as positive
# said: score 0 counts as positive: the rule is > 0, not >= 0
def predict(theta, theta_0, X):
    labels = []
    for row in X:
        if theta @ row + theta_0 >= 0:
            labels.append(1)
        else:
            labels.append(-1)
    return np.array(labels)


# --- signed_distances: takes the absolute value, distance without a sign
# said: the sign is dropped: it says which side the point is on
def signed_distances(theta, theta_0, X):
    norm = np.sqrt(np.sum(theta**2))
    return np.abs(X @ theta + theta_0) / norm


# --- signed_distances: only the dot product is divided by the length, the offset is added undivided
# said: only theta . x is divided by the length: the offset belongs in the bracket, (theta . x + theta_0) / |theta|
def signed_distances(theta, theta_0, X):
    return X @ theta / np.linalg.norm(theta) + theta_0


# --- cosines: norm of the whole matrix X instead of per row
# said: one length is taken of the whole table X: each row has its own, np.linalg.norm(X, axis=1)
def cosines(theta, X):
    dots = X @ theta
    return dots / (np.linalg.norm(theta) * np.linalg.norm(X))


# --- zero_one_error: margin 0 is not counted as a mistake
# said: a margin of exactly 0 is not counted: it is a mistake for either label
def zero_one_error(theta, theta_0, X, y):
    m = y * (X @ theta + theta_0)
    wrong = m < 0
    return np.mean(wrong)


# --- affine_features: puts the column of ones last
# said: the column of ones comes last and not first
def affine_features(X):
    n = X.shape[0]
    return np.hstack([X, np.ones((n, 1))])


# --- quadratic_features: only cross products i < j, squares forgotten
# said: the squares x_i x_i are missing
def quadratic_features(X):
    n, d = X.shape
    cols = [X[:, i] for i in range(d)]
    for i in range(d):
        for j in range(i + 1, d):
            cols.append(X[:, i] * X[:, j])
    return np.column_stack(cols)
