# --- scores: the offset is subtracted, as in the convention w . x - b
def scores(theta, theta_0, X):
    return X @ theta - theta_0


# --- scores: theta multiplies X from the left, columns taken for rows
def scores(theta, theta_0, X):
    return np.dot(theta, X) + theta_0


# --- margins: y multiplies theta . x but not the offset
def margins(theta, theta_0, X, y):
    return y * (X @ theta) + theta_0


# --- margins: the absolute value of the score, whatever the label
def margins(theta, theta_0, X, y):
    score = X @ theta + theta_0
    return np.abs(score)


# --- predict: np.sign gives 0 at score 0
def predict(theta, theta_0, X):
    return np.sign(X @ theta + theta_0)


# --- predict: labels 0 and 1 in place of -1 and +1
def predict(theta, theta_0, X):
    s = X @ theta + theta_0
    return (s > 0).astype(int)


# --- signed_distances: the offset counted in the length
def signed_distances(theta, theta_0, X):
    w = np.append(theta, theta_0)
    return (X @ theta + theta_0) / np.linalg.norm(w)


# --- signed_distances: distances without their sign
def signed_distances(theta, theta_0, X):
    return np.abs(X @ theta + theta_0) / np.sqrt(np.sum(theta**2))


# --- signed_distances: divided by the squared length of theta, the root forgotten
def signed_distances(theta, theta_0, X):
    length = theta @ theta
    return (X @ theta + theta_0) / length


# --- cosines: one length for the whole table X, the axis forgotten
def cosines(theta, X):
    return X @ theta / (np.linalg.norm(theta) * np.linalg.norm(X))


# --- cosines: the angle and not its cosine
def cosines(theta, X):
    c = X @ theta / (np.linalg.norm(theta) * np.linalg.norm(X, axis=1))
    return np.arccos(np.clip(c, -1, 1))


# --- zero_one_error: the number of mistakes, not divided by n
def zero_one_error(theta, theta_0, X, y):
    z = y * (X @ theta + theta_0)
    return np.sum(z <= 0)


# --- zero_one_error: the labels are compared, so a score of 0 is right for the label -1
def zero_one_error(theta, theta_0, X, y):
    labels = np.where(X @ theta + theta_0 > 0, 1, -1)
    return np.mean(labels != y)


# --- affine_features: the column of ones comes last
def affine_features(X):
    return np.hstack([X, np.ones((X.shape[0], 1))])


# --- quadratic_features: only the squares, no products of two inputs
def quadratic_features(X):
    return np.hstack([X, X**2])


# --- quadratic_features: each product of two inputs twice, x_i x_j and x_j x_i
def quadratic_features(X):
    n, d = X.shape
    columns = [X[:, i] * X[:, j] for i in range(d) for j in range(d)]
    return np.column_stack([X] + columns)
