# --- perceptron_step: the offset grows by 1 whatever the label
# said: 1 stands where `y` belongs
def perceptron_step(theta, theta_0, x, y):
    margin = y * (theta @ x + theta_0)
    if margin <= 0:
        return theta + y * x, theta_0 + 1
    return theta, theta_0


# --- perceptron_step: tests again between the two updates
# said: the margin is looked at again before theta_0 moves: both move, or neither
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) <= 0:
        theta = theta + y * x
    if y * (theta @ x + theta_0) <= 0:
        theta_0 = theta_0 + y
    return theta, theta_0


# --- perceptron_step: repeats the step until the example is right
# said: the step is repeated until the example is right: one step is asked for
def perceptron_step(theta, theta_0, x, y):
    while y * (theta @ x + theta_0) <= 0:
        theta = theta + y * x
        theta_0 = theta_0 + y
    return theta, theta_0


# --- threshold_step: translates the label and calls perceptron_step, which differs at score 0
# said: it is `perceptron_step` with the label translated: at score 0 an example of class 1 counts as right here
def threshold_step(theta, theta_0, x, y):
    return perceptron_step(theta, theta_0, x, 2 * y - 1)


# --- threshold_step: the sigmoid instead of the threshold, logistic regression
# said: h is the sigmoid of the score, as in logistic regression: with a threshold it is 1 or 0
def threshold_step(theta, theta_0, x, y):
    s = np.dot(theta, x) + theta_0
    h = 0.5 * (1 + np.tanh(s / 2))
    return theta + (y - h) * x, theta_0 + (y - h)


# --- threshold_step: y times the score as if y were a sign, class 0 always counts as a mistake
# said: y is multiplied with the score, as if it were -1 or +1: an example of class 0 is then always a mistake
def threshold_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) <= 0:
        sign = 1 if y == 1 else -1
        return theta + sign * x, theta_0 + sign
    return theta, theta_0


# --- perceptron_walk: off by one, an epoch too few
# said: the loop ends one turn too early
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(1, max_epochs):
        mistakes = 0
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                mistakes += 1
                theta = theta + label * x
                theta_0 = theta_0 + label if offset else 0.0
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)


# --- perceptron_walk: a mistake is a step that changed theta, so a mistake at x = 0 is not counted
# said: a mistake is counted only if theta moved: a row of zeros is a mistake, too
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        mistakes = 0
        for x, label in zip(X, y):
            new, new_0 = perceptron_step(theta, theta_0, x, label)
            if not np.array_equal(new, theta):
                mistakes += 1
            theta = new
            if offset:
                theta_0 = new_0
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)


# --- perceptron_walk: returns the pocket, the best theta at the end of an epoch
# said: the best theta on the way is returned: the last one is asked for
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    pocket, fewest = (theta, theta_0), len(y) + 1
    for _ in range(max_epochs):
        mistakes = 0
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                mistakes += 1
                theta = theta + label * x
                theta_0 = theta_0 + label if offset else 0.0
        history.append(mistakes)
        left = np.sum(y * (X @ theta + theta_0) <= 0)
        if left < fewest:
            pocket, fewest = (theta, theta_0), left
        if mistakes == 0:
            break
    return pocket[0], pocket[1], np.array(history)


# --- perceptron_walk: starts at ones, and looks only at the first max_epochs examples
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0 = np.ones(X.shape[1]), 0.0
    history = []
    for _ in range(max_epochs):
        mistakes = 0
        for t in range(min(len(y), max_epochs)):
            if y[t] * (theta @ X[t] + theta_0) <= 0:
                mistakes += 1
                theta = theta + y[t] * X[t]
                theta_0 = theta_0 + y[t] if offset else 0.0
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)


# --- perceptron_walk: without offset, theta_0 is set back to 0 only at the end of each epoch
# said: with offset False theta_0 goes back to 0 only at the end of an epoch: it is 0 at every step
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        mistakes = 0
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                mistakes += 1
                theta, theta_0 = perceptron_step(theta, theta_0, x, label)
        if not offset:
            theta_0 = 0.0
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)
