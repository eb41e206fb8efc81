# --- perceptron_step: a margin of 0 taken as right
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) < 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


# --- perceptron_step: theta_0 is never moved
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) <= 0:
        theta = theta + y * x
    return theta, theta_0


# --- perceptron_step: theta is changed in place
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) <= 0:
        theta += y * x
        theta_0 += y
    return theta, theta_0


# --- perceptron_step: the step is made when the example is right
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) > 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


# --- perceptron_step: the offset is left out of the margin
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x) <= 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


# --- perceptron_step: x is added without its label
def perceptron_step(theta, theta_0, x, y):
    margin = y * (theta @ x + theta_0)
    if margin <= 0:
        return theta + x, theta_0 + y
    return theta, theta_0


# --- threshold_step: at score 0 h is 0
def threshold_step(theta, theta_0, x, y):
    h = 1 if theta @ x + theta_0 > 0 else 0
    return theta + (y - h) * x, theta_0 + (y - h)


# --- threshold_step: h - y in place of y - h
def threshold_step(theta, theta_0, x, y):
    h = 1 if theta @ x + theta_0 >= 0 else 0
    return theta + (h - y) * x, theta_0 + (h - y)


# --- threshold_step: h is the score itself, without a threshold
def threshold_step(theta, theta_0, x, y):
    h = theta @ x + theta_0
    return theta + (y - h) * x, theta_0 + (y - h)


# --- threshold_step: h is -1 in place of 0 below the threshold
def threshold_step(theta, theta_0, x, y):
    h = 1 if theta @ x + theta_0 >= 0 else -1
    return theta + (y - h) * x, theta_0 + (y - h)


# --- perceptron_walk: never stops early
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        mistakes = 0
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                theta = theta + label * x
                if offset:
                    theta_0 += label
                mistakes += 1
        history.append(mistakes)
    return theta, theta_0, np.array(history)


# --- perceptron_walk: the count of mistakes is not set back to 0 at each epoch
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    mistakes = 0
    for _ in range(max_epochs):
        before = mistakes
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                theta = theta + label * x
                if offset:
                    theta_0 += label
                mistakes += 1
        history.append(mistakes)
        if mistakes == before:
            break
    return theta, theta_0, np.array(history)


# --- perceptron_walk: offset=False is ignored
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        mistakes = 0
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                theta = theta + label * x
                theta_0 += label
                mistakes += 1
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)


# --- perceptron_walk: the last epoch, the one without a mistake, is missing in the history
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        mistakes = 0
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                theta = theta + label * x
                theta_0 += label if offset else 0
                mistakes += 1
        if mistakes == 0:
            break
        history.append(mistakes)
    return theta, theta_0, np.array(history)


# --- perceptron_walk: all mistakes of an epoch are found first, with the theta of its start, then all steps made at once
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        wrong = y * (X @ theta + theta_0) <= 0
        history.append(np.sum(wrong))
        if not wrong.any():
            break
        theta = theta + y[wrong] @ X[wrong]
        if offset:
            theta_0 += np.sum(y[wrong])
    return theta, theta_0, np.array(history)


# --- perceptron_walk: theta goes back to 0 at the start of each epoch
def perceptron_walk(X, y, max_epochs, offset):
    history = []
    for _ in range(max_epochs):
        theta, theta_0 = np.zeros(X.shape[1]), 0.0
        mistakes = 0
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                theta = theta + label * x
                if offset:
                    theta_0 += label
                mistakes += 1
        history.append(mistakes)
        if mistakes == 0:
            break
    return theta, theta_0, np.array(history)


# --- perceptron_walk: the history counts the mistakes left at the end of an epoch, not those made during it
def perceptron_walk(X, y, max_epochs, offset):
    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    for _ in range(max_epochs):
        for x, label in zip(X, y):
            if label * (theta @ x + theta_0) <= 0:
                theta = theta + label * x
                if offset:
                    theta_0 += label
        history.append(np.sum(y * (X @ theta + theta_0) <= 0))
        if history[-1] == 0:
            break
    return theta, theta_0, np.array(history)
