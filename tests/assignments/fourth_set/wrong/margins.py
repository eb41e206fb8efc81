# --- scores: adds the offset before summing, so it counts once per input
# said: the offset is added once for every input: once is enough
def scores(theta, theta_0, X):
    return np.sum(X * theta + theta_0, axis=1)


# --- scores: no axis, one number for the whole table
# said: with `np.sum(theta * X, axis=1) + theta_0` in place of `np.sum(theta * X) + theta_0`
def scores(theta, theta_0, X):
    return np.sum(theta * X) + theta_0


# --- scores: returns a column instead of one entry per row
# said: the answer is a column, (n, 1), where it should be (n,)
def scores(theta, theta_0, X):
    return X @ theta.reshape(-1, 1) + theta_0


# --- margins: only says right or wrong, the label times the predicted label
# said: the sign of the score stands where the score belongs
def margins(theta, theta_0, X, y):
    return y * np.sign(X @ theta + theta_0)


# --- margins: divides by the length, the geometric margin
# said: the score is divided by the length of theta, as for a distance
def margins(theta, theta_0, X, y):
    distance = (X @ theta + theta_0) / np.linalg.norm(theta)
    return y * distance


# --- signed_distances: 1-norm instead of the length
# said: absolute values are summed in place of the length
def signed_distances(theta, theta_0, X):
    length = sum(abs(a) for a in theta)
    return scores(theta, theta_0, X) / length


# --- zero_one_error: the accuracy
# said: the answer is 1 minus the right one
def zero_one_error(theta, theta_0, X, y):
    z = margins(theta, theta_0, X, y)
    right = 0
    for value in z:
        if value > 0:
            right += 1
    return right / len(z)


# --- affine_features: a row of ones on top instead of a column
# said: a row of ones is put on top: it is a column, before the others
def affine_features(X):
    return np.vstack([np.ones(X.shape[1]), X])


# --- quadratic_features: forgets the inputs themselves
# said: the inputs themselves are missing: they come before the products
def quadratic_features(X):
    d = X.shape[1]
    return np.array([[x[i] * x[j] for i in range(d) for j in range(i, d)] for x in X])


# --- quadratic_features: lower triangle, order x1x1, x1x2, x2x2, x1x3, ...
# said: the products come in the order x_1 x_1, x_1 x_2, x_2 x_2, x_1 x_3, …: first come all with x_1
def quadratic_features(X):
    d = X.shape[1]
    new = [X[:, i] * X[:, j] for j in range(d) for i in range(j + 1)]
    return np.column_stack([X] + new)


# --- zero_one_error: half the distance of np.sign and label, so a score of 0 is half a mistake
# said: `np.sign` is compared, so that a score of 0 counts as half a mistake
def zero_one_error(theta, theta_0, X, y):
    return np.mean(np.abs(np.sign(scores(theta, theta_0, X)) - y)) / 2
