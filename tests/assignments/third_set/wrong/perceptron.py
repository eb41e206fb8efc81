# --- perceptron_step: a margin of 0 taken as right
# said: a margin of exactly 0 does not count as a mistake: starting from zero, nothing would ever move
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) < 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


# --- perceptron_step: theta_0 is never moved
# said: the offset is never updated
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) <= 0:
        theta = theta + y * x
    return theta, theta_0


# --- perceptron_step: theta is changed in place
# said: perceptron_step changes its input in place: work on a copy
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) <= 0:
        theta += y * x
        theta_0 += y
    return theta, theta_0


# --- perceptron_step: the step is made when the example is right
# said: a condition is turned around
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) > 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


# --- perceptron_step: the offset is left out of the margin
# said: the offset is missing in the margin
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x) <= 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


# --- perceptron_step: x is added without its label
# said: the factor `y` is left out
def perceptron_step(theta, theta_0, x, y):
    margin = y * (theta @ x + theta_0)
    if margin <= 0:
        return theta + x, theta_0 + y
    return theta, theta_0


# --- threshold_step: at score 0 h is 0
# said: a score of exactly 0 is taken for class 0: here it is class 1
def threshold_step(theta, theta_0, x, y):
    h = 1 if theta @ x + theta_0 > 0 else 0
    return theta + (y - h) * x, theta_0 + (y - h)


# --- threshold_step: h - y in place of y - h
# said: the step goes the wrong way: y - h, not h - y
def threshold_step(theta, theta_0, x, y):
    h = 1 if theta @ x + theta_0 >= 0 else 0
    return theta + (h - y) * x, theta_0 + (h - y)


# --- threshold_step: h is the score itself, without a threshold
# said: h is the score itself: with a threshold it is 1 or 0
def threshold_step(theta, theta_0, x, y):
    h = theta @ x + theta_0
    return theta + (y - h) * x, theta_0 + (y - h)


# --- threshold_step: h is -1 in place of 0 below the threshold
# said: h is -1 below the threshold: with labels 0 and 1 it is 0
def threshold_step(theta, theta_0, x, y):
    h = 1 if theta @ x + theta_0 >= 0 else -1
    return theta + (y - h) * x, theta_0 + (y - h)


# --- perceptron_walk: never stops early
# said: the walk does not stop when an epoch has no mistake
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
# said: the count of mistakes is not set back to 0 at the start of each epoch
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
# said: theta_0 moves although offset is False
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
# said: the last epoch, the one without a mistake, is not in the history: its 0 belongs there
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
# said: a whole epoch is judged by the theta of its start: after each mistake the next example is judged by the new theta
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
# said: theta goes back to 0 at the start of each epoch: an epoch goes on from the last one's end
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
# said: the mistakes are counted with the theta at the end of the epoch: count those met on the way
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
