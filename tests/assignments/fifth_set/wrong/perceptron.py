# --- perceptron_step: margin of exactly 0 is not treated as a mistake
# said: a margin of exactly 0 does not count as a mistake: starting from zero, nothing would ever move
def perceptron_step(theta, theta_0, x, y):
    margin = y * (np.dot(theta, x) + theta_0)
    if margin < 0:
        return theta + y * x, theta_0 + y
    return theta, theta_0


# --- perceptron_step: does not update the offset
# said: the offset is never updated
def perceptron_step(theta, theta_0, x, y):
    if y * (theta @ x + theta_0) <= 0:
        theta = theta + y * x
    return theta, theta_0


# --- perceptron_step: updates in place with += and changes the caller's theta
# said: perceptron_step changes its input in place: work on a copy
def perceptron_step(theta, theta_0, x, y):
    if y * (np.dot(theta, x) + theta_0) <= 0:
        theta += y * x
        theta_0 += y
    return theta, theta_0


# --- perceptron_step: tests the score instead of the margin (forgets y in the condition)
# said: the factor `y` is left out
def perceptron_step(theta, theta_0, x, y):
    score = np.dot(theta, x) + theta_0
    if score <= 0:
        new_theta = theta + y * x
        new_theta_0 = theta_0 + y
        return new_theta, new_theta_0
    else:
        return theta, theta_0


# --- threshold_step: threshold is strict, score 0 counts as class 0
# said: a score of exactly 0 is taken for class 0: here it is class 1
def threshold_step(theta, theta_0, x, y):
    s = theta @ x + theta_0
    h = 1 if s > 0 else 0
    return theta + (y - h) * x, theta_0 + (y - h)


# --- threshold_step: sign of the update reversed, h - y instead of y - h
# said: the step goes the wrong way: y - h, not h - y
def threshold_step(theta, theta_0, x, y):
    h = int(theta.dot(x) + theta_0 >= 0)
    err = h - y
    return theta + err * x, theta_0 + err


# --- threshold_step: uses labels -1/+1 for the prediction h
# said: h is -1 below the threshold: with labels 0 and 1 it is 0
def threshold_step(theta, theta_0, x, y):
    score = np.sum(theta * x) + theta_0
    if score >= 0:
        h = 1
    else:
        h = -1
    delta = y - h
    return theta + delta * x, theta_0 + delta


# --- perceptron_walk: stops before recording the clean epoch, so history lacks the final 0
# said: the last epoch, the one without a mistake, is not in the history: its 0 belongs there
def perceptron_walk(X, y, max_epochs, offset):
    n, d = X.shape
    theta, theta_0 = np.zeros(d), 0.0
    history = []
    for epoch in range(max_epochs):
        mistakes = 0
        for i in range(n):
            if y[i] * (theta @ X[i] + theta_0) <= 0:
                theta = theta + y[i] * X[i]
                if offset:
                    theta_0 = theta_0 + y[i]
                mistakes += 1
        if mistakes == 0:
            break
        history.append(mistakes)
    return theta, theta_0, np.array(history)


# --- perceptron_walk: ignores the offset flag, always moves theta_0
# said: theta_0 moves although offset is False
def perceptron_walk(X, y, max_epochs, offset):
    theta = np.zeros(X.shape[1])
    theta_0 = 0.0
    history = []
    for _ in range(max_epochs):
        errors = 0
        for xt, yt in zip(X, y):
            if yt * (np.dot(theta, xt) + theta_0) <= 0:
                theta = theta + yt * xt
                theta_0 = theta_0 + yt
                errors += 1
        history.append(errors)
        if errors == 0:
            break
    return theta, theta_0, np.array(history)


# --- perceptron_walk: mistake counter is not reset per epoch, so it accumulates and the walk never stops early
# said: `mistakes` is not set back to `0`
def perceptron_walk(X, y, max_epochs, offset):
    theta = np.zeros(X.shape[1])
    b = 0.0
    history = []
    count = 0
    for epoch in range(max_epochs):
        for t in range(len(y)):
            if y[t] * (X[t] @ theta + b) <= 0:
                theta = theta + y[t] * X[t]
                if offset:
                    b += y[t]
                count += 1
        history.append(count)
        if count == 0:
            break
    return theta, b, np.array(history)


# --- perceptron_walk: sets theta_0 to 0 only at the end when offset is False
# said: with offset False theta_0 is learnt and used all the same, and set to 0 only in the answer: it is 0 at every step
def perceptron_walk(X, y, max_epochs, offset):
    n, d = X.shape
    w = np.zeros(d)
    w0 = 0.0
    hist = []
    for e in range(max_epochs):
        k = 0
        for i in range(n):
            if y[i] * (np.dot(w, X[i]) + w0) <= 0:
                w = w + y[i] * X[i]
                w0 = w0 + y[i]
                k += 1
        hist.append(k)
        if k == 0:
            break
    if not offset:
        w0 = 0.0
    return w, w0, np.array(hist)
