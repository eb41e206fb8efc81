# --- scores: the offset is subtracted, as in the convention w . x - b
# said: `theta_0` has the wrong sign
def scores(theta, theta_0, X):
    return X @ theta - theta_0


# --- scores: theta multiplies X from the left, columns taken for rows
# said: X @ theta, not theta @ X
def scores(theta, theta_0, X):
    return np.dot(theta, X) + theta_0


# --- margins: y multiplies theta . x but not the offset
# said: the bracket closes too early: y (theta . x) + theta_0 in place of y (theta . x + theta_0)
def margins(theta, theta_0, X, y):
    return y * (X @ theta) + theta_0


# --- margins: the absolute value of the score, whatever the label
# said: the sign is dropped
def margins(theta, theta_0, X, y):
    score = X @ theta + theta_0
    return np.abs(score)


# --- predict: np.sign gives 0 at score 0
# said: score 0 gets the label 0, as np.sign has it: the label is -1 there
def predict(theta, theta_0, X):
    return np.sign(X @ theta + theta_0)


# --- predict: labels 0 and 1 in place of -1 and +1
# said: the labels are 0 and 1: they are -1 and +1
def predict(theta, theta_0, X):
    s = X @ theta + theta_0
    return (s > 0).astype(int)


# --- signed_distances: the offset counted in the length
# said: the length includes the offset: divide by |theta| alone
def signed_distances(theta, theta_0, X):
    w = np.append(theta, theta_0)
    return (X @ theta + theta_0) / np.linalg.norm(w)


# --- signed_distances: distances without their sign
# said: the sign is dropped: it says which side the point is on
def signed_distances(theta, theta_0, X):
    return np.abs(X @ theta + theta_0) / np.sqrt(np.sum(theta**2))


# --- signed_distances: divided by the squared length of theta, the root forgotten
# said: it is divided by the square of `np.linalg.norm(theta)`
def signed_distances(theta, theta_0, X):
    length = theta @ theta
    return (X @ theta + theta_0) / length


# --- cosines: one length for the whole table X, the axis forgotten
# said: one length is taken of the whole table X: each row has its own, np.linalg.norm(X, axis=1)
def cosines(theta, X):
    return X @ theta / (np.linalg.norm(theta) * np.linalg.norm(X))


# --- cosines: the angle and not its cosine
# said: the angle is returned: the cosine is asked for, without arccos
def cosines(theta, X):
    c = X @ theta / (np.linalg.norm(theta) * np.linalg.norm(X, axis=1))
    return np.arccos(np.clip(c, -1, 1))


# --- zero_one_error: the number of mistakes, not divided by n
# said: mistakes are counted, not averaged
def zero_one_error(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    return np.sum(z <= 0)


# --- zero_one_error: the labels are compared, so a score of 0 is right for the label -1
# said: predicted labels are compared: a point on the line with label -1 is then no mistake, and must be one
def zero_one_error(theta, theta_0, X, y):
    labels = np.where(X @ theta + theta_0 > 0, 1, -1)
    return np.mean(labels != y)


# --- affine_features: the column of ones comes last
# said: the column of ones comes last and not first
def affine_features(X):
    return np.hstack([X, np.ones((X.shape[0], 1))])


# --- quadratic_features: only the squares, no products of two inputs
# said: only the squares are there: the products of two different inputs are missing
def quadratic_features(X):
    return np.hstack([X, X**2])


# --- quadratic_features: each product of two inputs twice, x_i x_j and x_j x_i
# said: every product x_i x_j with i != j comes twice
def quadratic_features(X):
    n, d = X.shape
    columns = [X[:, i] * X[:, j] for i in range(d) for j in range(d)]
    return np.column_stack([X] + columns)
