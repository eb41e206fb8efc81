# ruff: noqa: E501 (a table reads better on long lines)
"""More of the catalogue: mistakes as changes to the plain texts, or as whole bodies, which stay when the package moves."""

from linclass.assignments.mistake import PLAIN, WHOLE, Mistake


def _whole(module, *rows):
    return [Mistake(name, module, function, WHOLE, "    " + body, words) for name, function, body, words in rows]


def _plain(module, *rows):
    return [Mistake(name, module, function, old, new, words, PLAIN) for name, function, old, new, words in rows]


def _walk(module, function, *rows):
    """Changes of one plain text, each of one or more places: (name, [(old, new), …], words)."""
    return [Mistake(name, module, function, tuple(old for old, _ in places), tuple(new for _, new in places), words, PLAIN)
            for name, places, words in rows]  # fmt: skip


MARGINS = _whole(
    "margins",
    ("margin-22", "scores", "return X @ theta + X.shape[1] * theta_0", "the offset is added once for every input: once is enough"),
    ("margin-23", "quadratic_features", "i, j = np.tril_indices(X.shape[1])\n    return np.column_stack([X, X[:, i] * X[:, j]])",
     "the products come in the order x_1 x_1, x_1 x_2, x_2 x_2, x_1 x_3, …: first come all with x_1"),
    ("margin-24", "quadratic_features", "i, j = np.triu_indices(X.shape[1])\n    return X[:, i] * X[:, j]", "the inputs themselves are missing: they come before the products"),
    ("margin-25", "zero_one_error", "return np.mean(np.abs(np.sign(scores(theta, theta_0, X)) - y)) / 2", "`np.sign` is compared, so that a score of 0 counts as half a mistake"),
    ("margin-26", "affine_features", "return np.vstack([np.ones(X.shape[1]), X])", "a row of ones is put on top: it is a column, before the others"),
)  # fmt: skip

LOSSES = _whole(
    "losses",
    ("loss-26", "zero_one_loss", "return (1.0 - np.sign(z)) / 2", "`np.sign` is taken, which makes a margin of 0 half a mistake"),
    ("loss-27", "hinge_loss", "return np.where(z <= 0, 1.0 - z, 0.0)", "only mistakes are charged: from margin 0 to 1 the loss is 1 - z, too"),
    ("loss-28", "logistic_loss", "return np.where(z < 0, -z, np.log1p(np.exp(-np.abs(z))))", "-z is taken for all negative margins: it is close only far out"),
    ("loss-29", "exponential_loss", "return np.where(z > 0, 0.0, np.exp(-z))", "margins above 0 are free: exp(-z) is charged there, too"),
    ("loss-30", "modified_squared_loss", "return np.where(z > 0, 0.0, (1.0 - z) ** 2)", "all that is right is forgiven: only margins above 1 are"),
    ("loss-31", "modified_squared_slope", "return np.where(z < 1, -2.0, 0.0)", "the slope is constant, as the hinge's is: it grows with 1 - z"),
    ("loss-32", "logistic_slope", "e = np.exp(-np.abs(z))\n    return -e / (1.0 + e) ** 2", "it is minus p (1 - p), the slope of the sigmoid: that of the loss is minus the sigmoid of -z"),
)  # fmt: skip

SIGMOID = "1.0 / (1.0 + np.exp(-(theta @ x + theta_0)))"
PERCEPTRON = [
    *_whole(
        "perceptron",
        ("perceptron-22", "perceptron_step", """if y * (theta @ x + theta_0) <= 0:
        theta = theta + y * x
    if y * (theta @ x + theta_0) <= 0:
        theta_0 = theta_0 + y
    return theta, theta_0""", "the margin is looked at again before theta_0 moves: both move, or neither"),
        ("perceptron-23", "perceptron_step", """while y * (theta @ x + theta_0) <= 0 and np.isfinite(theta).all():
        theta, theta_0 = theta + y * x, theta_0 + y
    return theta, theta_0""", "the step is repeated until the example is right: one step is asked for"),
        ("perceptron-24", "perceptron_step", "return (theta + 2 * y * x, theta_0 + 2 * y) if y * (theta @ x + theta_0) <= 0 else (theta, theta_0)",
         "the step is twice as long, as y - h makes it with labels -1 and +1"),
        ("perceptron-25", "threshold_step", "return perceptron_step(theta, theta_0, x, 2 * y - 1)",
         "it is `perceptron_step` with the label translated: at score 0 an example of class 1 counts as right here"),
        ("perceptron-26", "threshold_step", f"return theta + (y - {SIGMOID}) * x, theta_0 + y - {SIGMOID}",
         "h is the sigmoid of the score, as in logistic regression: with a threshold it is 1 or 0"),
        ("perceptron-27", "threshold_step", """if y * (theta @ x + theta_0) <= 0:
        return theta + (2 * y - 1) * x, theta_0 + 2 * y - 1
    return theta, theta_0""", "y is multiplied with the score, as if it were -1 or +1: an example of class 0 is then always a mistake"),
        ("perceptron-28", "threshold_step", """theta = theta + (y - (theta @ x + theta_0 >= 0)) * x
    return theta, theta_0 + (y - (theta @ x + theta_0 >= 0))""", "h is worked out again with the new theta: both moves take the old one"),
    ),
    *_walk(
        "perceptron", "perceptron_walk",
        ("perceptron-29", [("                mistakes += 1\n", "                mistakes += 1\n                break\n")],
         "an epoch ends at its first mistake: it goes on to the last example"),
        ("perceptron-30", [("if mistakes == 0:", "if mistakes == 0 or mistakes >= min(history[-2:-1], default=np.inf):")],
         "the walk stops when an epoch is no better than the one before: it stops at the first without a mistake"),
        ("perceptron-31", [("theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []", "theta, theta_0, history, fewest = np.zeros(X.shape[1]), 0.0, [], np.inf"),
                           ("        history.append(mistakes)\n", """        history.append(mistakes)
        if (left := np.sum(y * (X @ theta + theta_0) <= 0)) < fewest:
            pocket, fewest = (theta, theta_0), left
"""),
                           ("return theta, theta_0, np", "return *pocket, np")],
         "the best theta on the way is returned: the last one is asked for"),
        ("perceptron-32", [("                mistakes += 1\n", "                mistakes += bool(y[t] * (X[t] @ (theta - y[t] * X[t]) + theta_0 - y[t] * offset) < 0)\n")],
         "a margin of exactly 0 makes a step and is not counted as a mistake"),
        ("perceptron-33", [("if mistakes == 0:", "if mistakes <= 1:")], "the walk stops while one mistake is left: it goes on until an epoch has none"),
        ("perceptron-34", [("mistakes += 1", "mistakes += bool(np.any(X[t] != 0))")], "a mistake is counted only if theta moved: a row of zeros is a mistake, too"),
        ("perceptron-35", [("theta_0 = theta_0 + y[t] if offset else 0.0", "theta_0 = theta_0 + y[t]"),
                           ("        history.append(mistakes)\n", "        history.append(mistakes)\n        theta_0 = theta_0 if offset else 0.0\n")],
         "with offset False theta_0 goes back to 0 only at the end of an epoch: it is 0 at every step"),
        ("perceptron-36", [("np.array(history)", "np.array([sum(history)])")], "the mistakes of all epochs are added up: there is one number for each"),
    ),
]  # fmt: skip

LOGISTIC = _whole(
    "logistic",
    ("logistic-26", "sigmoid", "return (1.0 + np.tanh(z)) / 2", "tanh is taken of z: of z / 2 it gives the sigmoid"),
    ("logistic-27", "sigmoid", "return 1.0 / (1.0 + np.exp(-np.abs(z)))", "for a negative z the answer is that for -z: there it is exp(z) / (1 + exp(z))"),
    ("logistic-28", "sigmoid", "e = np.exp(z - np.max(z))\n    return e / e.sum()", "it is divided by the sum over the array, as a softmax is: each entry stands alone"),
    ("logistic-29", "log_odds", "return np.log(p / 1 - p)", "a bracket is missing: p / 1 - p is 0, and p / (1 - p) is meant"),
    ("logistic-30", "log_odds", "return p / (1.0 - p)", "the logarithm is forgotten: these are the odds"),
    ("logistic-31", "log_odds", "return np.where(p == 0, np.inf, np.log(p) - np.log1p(-p))", "it is +inf at 0: there it is -inf"),
) + _whole(
    "risk",
    ("logistic-32", "risk_grad", """w = loss.slope(margins.margins(theta, theta_0, X, y)) * y
    return np.mean(w) * X.mean(axis=0) + lam * theta, np.mean(w)""", "the mean of slope y is multiplied with the mean of x: it is the mean of the products"),
    ("logistic-33", "risk_grad", """w = loss.slope(margins.margins(theta, theta_0, X, y)) * y
    return np.mean(w[:, None] * X) + lam * theta, np.mean(w)""", "one mean is taken over the whole table: each input has its own, axis=0"),
)  # fmt: skip

NOW = 'now, now_0 = (total / t, total_0 / t) if keep == "average" else (theta, theta_0)'
VALUE = "value = np.mean(loss.value(y * (X @ now + now_0))) + lam / 2 * now @ now"
DRAWN = 'rows = rng.integers(n, size=batch) if sampling == "uniform" else order[start : start + batch]'
ORDER = 'order = rng.permutation(n) if sampling == "shuffle" else np.arange(n)'
DESCENT = [
    *_plain(
        "descent",
        ("descent-29", "sgd_step", "theta_new = theta - eta * grad\n", "theta_new = (1 - eta * lam) * (theta - eta * (grad - lam * theta))\n",
         "theta is shrunk after the step, and the step with it: lambda theta is that of the old theta"),
        ("descent-30", "sgd_step", "    z = y *", "    X, y = X[:1], y[:1]\n    z = y *", "only the first example of the batch is looked at"),
        ("descent-52", "inverse_sqrt_step", "scale / np.sqrt(t)", "1 / np.sqrt(scale * t)", "the scale is under the root, below"),
        ("descent-53", "inverse_step", "(t + shift)", "(t + scale * shift)", "the scale multiplies the shift too"),
        ("descent-54", "inverse_step", "(t + shift)", "(t + 1 + shift)", "t is counted one too high: t = 1, 2, 3, …"),
    ),
    *_whole(
        "descent",
        ("descent-31", "sgd_step", """for x, label in zip(X, y):
        w = loss.slope(label * (theta @ x + theta_0)) * label
        theta, theta_0 = theta - eta * (w * x + lam * theta), theta_0 - eta * w
    return theta, theta_0""", "a step is made on each example of the batch, one after the other: it is one step, on their mean"),
    ),
    *_walk(
        "descent", "fit_sgd",
        ("descent-32", [(DRAWN, DRAWN.replace("order[start : start + batch]", "np.resize(order, n + batch)[start : start + batch]"))],
         "the last batch of an epoch is filled up from its beginning: it may be shorter"),
        ("descent-33", [("rng.integers(n, size=batch)", "rng.choice(n, batch, replace=False)")], "\"uniform\" draws without replacement: it is rng.integers(n, size=batch)"),
        ("descent-34", [("size=batch)", "size=min(batch, n - start))")], "the last step of an epoch draws fewer rows, as when n are drawn for all of it: with \"uniform\" each step draws `batch`"),
        ("descent-36", [(ORDER, ORDER + "\n        total, total_0 = np.zeros(d), 0.0"), ("(total / t, total_0 / t)", "(total / -(-n // batch), total_0 / -(-n // batch))")],
         "the average is over the last epoch alone: it is over all steps"),
        ("descent-37", [(VALUE, VALUE.replace("now_0", "theta_0").replace("now", "theta"))], "with \"average\" the history is of the current iterate: it is the risk of the average"),
        ("descent-38", [("kept, kept_0 = now, now_0", "kept, kept_0 = (now, now_0) if keep == \"best\" else (theta, theta_0)")], "the last iterate is returned where the average is asked for"),
        ("descent-39", [(VALUE, VALUE.replace("y * (X @", "y[rows] * (X[rows] @"))], "the history is the risk on the last batch: it is over all examples"),
        ("descent-40", [("history.append(value)", "history.append(best if keep != \"average\" else min([value, *history]))")], "the history has the best risk so far: it is that of each epoch's end"),
        ("descent-41", [("            if offset:\n                theta_0 =", "            if True:\n                theta_0 ="), ("float(kept_0)", "float(kept_0 * offset)")],
         "with offset False theta_0 moves all the same, and is set to 0 only in the answer: it is 0 at every step"),
        ("descent-42", [("False, t,", "False, n * epochs,")], "`steps` counts examples: it counts steps, one to a batch"),
        ("descent-43", [("False, t,", "False, epochs,")], "`steps` counts epochs: it counts steps"),
        ("descent-44", [("best = np.inf", "best, kept, kept_0 = np.mean(loss.value(np.zeros(n))), theta, theta_0")], "the start counts among the best: only the ends of epochs do"),
        ("descent-45", [("            total, total_0 =", """            seen = np.mean(loss.value(y * (X @ theta + theta_0))) + lam / 2 * theta @ theta
            if keep == "best" and seen < best:
                kept, kept_0, best = theta, theta_0, seen
            total, total_0 ="""), ("if keep != \"best\" or value < best:", "if keep != \"best\":")], "the best is looked for after every step: only the ends of epochs count"),
        ("descent-46", [("kept, kept_0 = now, now_0", "kept = now\n        kept_0 = now_0")], "the best theta comes with the last theta_0: keep both of the best"),
        ("descent-47", [("value < best:", "value > best:"), ("best = np.inf", "best = -np.inf"), ("min(best, value)", "max(best, value)")], "the iterate of largest risk is kept for the best"),
        ("descent-48", [("best = np.inf\n", "best = np.inf\n    history.append(np.mean(loss.value(np.zeros(n))))\n")], "the risk of the start is in the history: it has one entry for each epoch"),
        ("descent-49", [("            t += 1\n", "            t += 1\n            rows = np.arange((t - 1) * batch, t * batch) % n if sampling == \"cycle\" else rows\n")],
         "\"cycle\" does not begin again with row 0 in each epoch"),
        ("descent-50", [(ORDER, "order = rng.permutation(n)\n        order = order if sampling == \"shuffle\" else np.arange(n)")],
         "a permutation is drawn where none is asked for, and all later draws are others"),
        ("descent-51", [(ORDER, "order = order if epoch else np.arange(n)\n        if sampling == \"shuffle\":\n            rng.shuffle(order)")],
         "the order of the last epoch is shuffled again: each epoch has a new rng.permutation(n)"),
        ("descent-35", [("            total, total_0 = total + theta, total_0 + theta_0\n", """            total = total + theta
            total_0 = total_0 + (theta_0 if offset else theta_0 - rate * np.sum(slope) / len(rows))
""")], "with offset False the average takes a theta_0 that has moved: it is 0 at every step"),
    ),
]  # fmt: skip

QP = """    n, d = X.shape
    H, c = np.diag(np.repeat([1.0, 0.0], [d, 1 + n])), np.repeat([0.0, C], [d + 1, n])
    A = -np.block([[y[:, None] * X, y[:, None], np.eye(n)], [np.zeros((n, d + 1)), np.eye(n)]])
    b = -np.repeat([1.0, 0.0], n)
"""
SVM = [
    *_plain(
        "svm",
        ("svm-23", "dual_objective", "(dual * y) @ K @ (dual * y)", "(dual * y) ** 2 @ np.diag(K)", "only the diagonal of K is used: the sum is over all pairs"),
        ("svm-24", "dual_objective", "(dual * y) @ K @ (dual * y)", "(dual * y) @ np.triu(K, 1) @ (dual * y) * 2", "the pairs of an example with itself are left out: the diagonal of K counts, too"),
        ("svm-36", "dual_objective", "(dual * y) @ K @ (dual * y) / 2", "(dual * y) @ np.triu(K, 1) @ (dual * y) / 2", "each pair is counted once, and those of an example with itself are left out"),
        ("svm-25", "dual_objective", "(dual * y) @ K @ (dual * y)", "np.sqrt((dual * y) @ K @ (dual * y))", "the length of theta is not squared"),
        ("svm-26", "dual_objective", "(dual * y) @ K @ (dual * y)", "np.sum((K @ (dual * y)) ** 2)", "K is taken for the table of inputs: it is the Gram matrix already, (dual y)' K (dual y)"),
    ),
    *_whole(
        "svm",
        ("svm-27", "quadratic_program", QP.lstrip() + """    order = np.r_[d, :d, d + 1 : d + 1 + n]
    return H[np.ix_(order, order)], c, A[:, order], b""", "the offset comes first: v is (theta, theta_0, xi)"),
        ("svm-37", "quadratic_program", QP.lstrip() + "    return H, c, A[:, np.r_[d, :d, d + 1 : d + 1 + n]], b", "the offset's column comes first in A: v is (theta, theta_0, xi)"),
        ("svm-28", "quadratic_program", QP.lstrip() + "    return H, np.repeat([0.0, C], [d, n + 1]), A, b", "C stands at the offset, too: in c only the slacks have it"),
        ("svm-29", "quadratic_program", QP.lstrip() + "    order = np.arange(2 * n).reshape(2, n).T.ravel()\n    return H, c, A[order], b[order]",
         "the rows of A go example by example: first all margins, then all xi >= 0"),
        ("svm-30", "quadratic_program", "y = np.ones(len(y))\n" + QP + "    return H, c, A, b", "the labels are forgotten in A: a margin is y times the score"),
        ("svm-31", "quadratic_program", QP.lstrip() + "    return H, c, A, b[::-1]", "b has its -1 in the wrong half: the rows of the margins come first"),
        ("svm-32", "quadratic_program", QP.lstrip() + "    return np.diag(np.repeat([1.0, 0.0, 1.0], [d, 1, n])), c, A, b", "the slacks are squared in H: they stand in c alone"),
        ("svm-35", "slacks", "return np.minimum(1.0, losses.hinge_loss(margins.margins(theta, theta_0, X, y)))", "the slack is cut off at 1: on the wrong side it is larger"),
        ("svm-38", "slacks", "z = margins.margins(theta, theta_0, X, y)\n    return np.where(z > 0, 0.0, 1.0 - z)", "a right answer has no slack: inside the margin, from 0 to 1, it has 1 - z"),
        ("svm-33", "quadratic_program", QP.lstrip() + "    return H, c, A[:n], b[:n]", "the rows for xi >= 0 are missing"),
        ("svm-34", "quadratic_program", QP.lstrip() + "    return H, A, b, c", "the answer is in another order: it is H, c, A, b"),
    ),
]  # fmt: skip

SQUARES = "np.sum((X[:, None, :] - Z[None, :, :]) ** 2, axis=2)"
POWER = "(X @ Z.T + constant) ** degree"
KERNELS = [
    *_plain(
        "kernels",
        ("kernel-31", "polynomial_kernel", POWER, "(X**degree) @ (Z**degree).T + constant", "the inputs are raised to the power one by one: it is a power of x . z + constant"),
        ("kernel-32", "polynomial_kernel", POWER, "(X @ Z.T + degree) ** constant", "`degree` and `constant` have changed places"),
        ("kernel-33", "polynomial_kernel", POWER, "np.exp(degree * np.log(X @ Z.T + constant))", "the power is taken by way of a logarithm, and a negative number has none"),
        ("kernel-34", "polynomial_kernel", POWER, "(X @ Z.T / X.shape[1] + constant) ** degree", "x . z is divided by the number of inputs"),
        ("kernel-35", "polynomial_kernel", POWER, "sum((X @ Z.T) ** k for k in range(1, degree + 1)) + constant", "all powers of x . z up to the degree are added up: it is the power of x . z + constant"),
        ("kernel-36", "polynomial_kernel", POWER, "(X @ Z.T + constant) ** (degree + 1)", "the power is one too high"),
        ("kernel-37", "polynomial_kernel", POWER, "(X @ Z.T + constant) ** 2", "the power is 2 whatever the degree"),
        ("kernel-62", "polynomial_kernel", POWER, "(X**degree) @ (Z**degree).T + constant**degree", "the inputs and the constant are raised to the power one by one: it is a power of x . z + constant"),
    ),
    *_whole(
        "kernels",
        ("kernel-28", "linear_kernel", "return X @ X.T", "Z is not used: rows belong to X, columns to Z"),
        ("kernel-29", "linear_kernel", "return X @ Z.T + 1.0", "a 1 is added, as for an offset: it is x . z alone"),
        ("kernel-30", "linear_kernel", "return X @ Z.T / np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Z, axis=1))", "the rows are divided by their lengths, which gives the cosines"),
        ("kernel-38", "rbf_kernel", f"return np.exp(-{SQUARES} / (2 * tau**2)) / (np.sqrt(2 * np.pi) * tau)", "it is divided by sqrt(2 pi) tau, as a normal density is: a kernel of a point with itself is 1"),
        ("kernel-39", "rbf_kernel", f"return np.exp(-{SQUARES.replace(') ** 2, axis=2)', '), axis=2) ** 2')} / (2 * tau**2))", "the sum of the differences is squared: it is the sum of their squares"),
        ("kernel-40", "rbf_kernel", f"return np.exp(-tau * {SQUARES})", "tau is taken for gamma in exp(-gamma |x - z|^2): gamma is 1 / (2 tau^2)"),
        ("kernel-65", "rbf_kernel", f"D = {SQUARES}\n    return np.where(D > 9 * tau**2, 0.0, np.exp(-D / (2 * tau**2)))", "it is 0 beyond three bandwidths: it falls, and is never 0"),
        ("kernel-41", "min_kernel", "return np.less_equal.outer(x, z) * 1.0", "it says which is smaller: the smaller one itself is asked for"),
        ("kernel-66", "min_kernel", "return np.minimum(np.minimum.outer(x, z), 1.0)", "it is cut off at 1"),
        ("kernel-42", "min_kernel", "return np.minimum.outer(x, x)", "z is not used: rows belong to x, columns to z"),
    ),
    *_whole(
        "representer",
        ("kernel-43", "kernel_risk", "s = K @ alpha + theta_0\n    return np.mean(loss.value(s, y)) + lam / 2 * alpha @ s", "the offset gets into the penalty, by way of the scores: it is alpha' K alpha"),
        ("kernel-44", "kernel_risk", "f = K @ alpha\n    return np.mean(loss.value(f + theta_0, y)) + lam / 2 * f @ f", "the penalty is the squared length of the scores: it is alpha' K alpha"),
        ("kernel-45", "kernel_risk", "f = K @ alpha\n    return np.mean(loss.value(y * (f + theta_0), y)) + lam / 2 * alpha @ f", "the label counts twice: the loss takes the score and the label"),
        ("kernel-46", "kernel_risk", "return np.mean(loss.value(K @ (alpha + theta_0), y)) + lam / 2 * alpha @ K @ alpha", "the offset is added to the coefficients: it is added to the scores"),
        ("kernel-47", "kernel_risk", "f = K @ alpha\n    return np.mean(loss.value(f + theta_0, y)) + lam / 2 * np.sum(alpha**2 * np.diag(K))", "the penalty takes the diagonal of K alone: it is alpha' K alpha"),
        ("kernel-48", "kernel_risk_grad", "return K @ (loss.slope(K @ alpha + theta_0, y) * y / len(y) + lam * alpha)", "the label multiplies the slope once more: this slope is already that in the score"),
        ("kernel-49", "kernel_risk_grad", "return K @ (loss.slope(y, K @ alpha + theta_0) / len(y) + lam * alpha)", "score and label have changed places in loss.slope(s, y)"),
        ("kernel-50", "kernel_sgd_step", "return alpha - eta * len(y) * (loss.slope(K[i] @ alpha, y[i]) + lam * alpha[i]) * K[i]", "both terms have the factor m: only the penalty's has it"),
        ("kernel-51", "kernel_sgd_step", """new = alpha.copy()
    new[i] -= eta * (loss.slope(K[i] @ alpha, y[i]) + len(y) * lam * alpha[i]) * K[i, i]
    return new""", "alpha changes at i alone: the whole column K_i is subtracted"),
        ("kernel-52", "kernel_sgd_step", "return alpha - eta * (loss.slope(K[i] @ alpha, y[i]) * K[i] + lam * K @ alpha)", "the penalty's term is that of all examples, lambda K alpha: here it is m lambda alpha_i K_i"),
        ("kernel-53", "kernel_sgd_step", "return alpha - eta * (loss.slope(K[i] @ alpha, y[i]) * K[i] + len(y) * lam * alpha[i])", "the penalty's term lacks K_i"),
    ),
    *_walk(
        "representer", "kernel_sgd",
        ("kernel-63", [("    return", """        if t % len(y) == 0 or t == steps:
            risks = [*risks, kernel_risk(alpha, K, y, loss, lam)] if t > len(y) else [kernel_risk(alpha, K, y, loss, lam)]
            best = alpha if risks[-1] == min(risks) else best
    return"""), ("KernelDescent(alpha", "KernelDescent(best")], "the best alpha on the way is returned: the last one is asked for"),
        ("kernel-64", [("    return", """        if t % len(y) == 0:
            history.append(kernel_risk(alpha, K, y, loss, lam))
            if len(history) > 1 and history[-1] >= history[-2]:
                break
    return""")], "the walk stops when the risk has not fallen: it makes all `steps`"),
        ("kernel-54", [("eta(t) if callable(eta) else eta", "eta(t) if callable(eta) else eta / np.sqrt(t)")], "a step size that is a number falls with t: it stays what it is"),
        ("kernel-55", [("alpha, history = np.zeros(len(y)), []", "alpha, total, history = np.zeros(len(y)), 0.0, []"), ("    return", "        total = total + alpha\n    return"), ("KernelDescent(alpha", "KernelDescent(total / steps")],
         "the mean of the iterates is returned: the last one is asked for"),
        ("kernel-56", [("np.zeros(len(y))", "np.ones(len(y)) / len(y)")], "the walk starts at 1/m: it starts at 0"),
        ("kernel-57", [("    for t in", "    rng.integers(len(y))\n    for t in")], "an example is drawn before the loop, and all later draws are others"),
        ("kernel-58", [("eta(t) if callable(eta)", "eta((t - 1) // len(y) + 1) if callable(eta)")], "the step size changes once in m steps: step t takes eta(t)"),
        ("kernel-59", [("range(1, steps + 1)", "range(1, steps // len(y) * len(y) + 1)")], "only whole rounds of m steps are made: all `steps` are"),
        ("kernel-60", [("        i = rng.integers(len(y))\n", "        if t % len(y) == 1 or len(y) == 1:\n            order = rng.permutation(len(y))\n        i = order[(t - 1) % len(y)]\n")],
         "the examples are shuffled: each step draws one with rng.integers(m)"),
        ("kernel-61", [("eta(t) if callable(eta)", "eta(i + 1) if callable(eta)")], "the step size is asked for the example's number: it is eta(t)"),
    ),
]  # fmt: skip

CE = "-np.take_along_axis(log_softmax(logits), y[:, None], axis=1)[:, 0]"
SOFTMAX = _whole(
    "softmax",
    ("softmax-28", "softmax", "e = np.exp(-np.abs(S))\n    return np.where(S >= 0, 1.0, e) / (1.0 + e)", "each score has a sigmoid of its own: the classes of a row share one sum"),
    ("softmax-29", "softmax", "return np.eye(S.shape[-1])[np.argmax(S, axis=-1)]", "all the weight is on the largest score: softmax gives each class a share"),
    ("softmax-30", "softmax", "E = np.exp(S.min(axis=-1, keepdims=True) - S)\n    return E / E.sum(axis=-1, keepdims=True)", "the scores have the wrong sign, exp(-s)"),
    ("softmax-31", "one_hot", "Y = np.zeros((len(y), n_classes))\n    Y[:, y] = 1.0\n    return Y", "[:, y] sets the columns y in every row: each row has one 1, at [np.arange(n), y]"),
    ("softmax-32", "one_hot", "return 2.0 * np.eye(n_classes)[y] - 1.0", "the other classes have -1: they have 0"),
    ("softmax-40", "one_hot", "return 1.0 * (y[:, None] == np.unique(y))", "there is a column for each class that occurs: there are n_classes, whichever labels occur"),
    ("softmax-46", "one_hot", "return np.eye(n_classes)[np.unique(y, return_inverse=True)[1]]", "the classes that occur are numbered anew: class k has column k, whichever labels occur"),
    ("softmax-33", "cross_entropy", "return -np.max(log_softmax(logits), axis=1)", "the most likely class is taken: it is the right one's, y"),
    ("softmax-34", "cross_entropy", "L = log_softmax(logits)\n    return -np.sum(np.exp(L) * L, axis=1)", "it is the entropy of the prediction: the label decides which logarithm counts"),
    ("softmax-35", "cross_entropy", "return -np.log(logits[np.arange(len(y)), y])", "the scores are taken for probabilities: softmax comes first"),
    ("softmax-36", "cross_entropy", f"return {CE} / np.log(2.0)", "the logarithm is taken to base 2"),
    ("softmax-37", "cross_entropy", f"return {CE} / logits.shape[1]", "it is divided by the number of classes: one class is right, and the others add nothing"),
    ("softmax-41", "cross_entropy", "return -np.log(np.maximum(softmax(logits)[np.arange(len(y)), y], 1e-15))", "the probability is clipped at 1e-15: far out the loss goes on growing"),
    ("softmax-42", "cross_entropy", "return np.log(np.sum(np.exp(logits), axis=1)) - logits[np.arange(len(y)), y]", "the logarithm of the sum of exponentials overflows: take out the largest term first"),
    ("softmax-43", "cross_entropy", """P, Y = softmax(logits), one_hot(y, logits.shape[1])
    return -np.sum(Y * log_softmax(logits) + (1 - Y) * np.log(1 - P + 1e-300), axis=1)""", "every class is charged, as if each were a question of its own: it is -log p of the right class alone"),
    ("softmax-38", "softmax_risk", "return np.mean(cross_entropy(class_scores(Theta, theta_0, X), y)) + lam / 2 * np.linalg.norm(Theta)", "the norm in the penalty is not squared"),
    ("softmax-44", "softmax_risk", "return np.mean(cross_entropy(class_scores(Theta, theta_0, X), y)) + lam / 2 * np.linalg.norm(Theta, 2) ** 2", "np.linalg.norm(Theta, 2) is squared, the largest singular value: it is the sum of the squares of all entries"),
    ("softmax-45", "softmax_risk", "S = class_scores(Theta, theta_0, X)\n    return np.mean(np.log(np.sum(np.exp(S), axis=1)) - S[np.arange(len(y)), y]) + lam / 2 * np.sum(Theta**2)",
     "the logarithm of the sum of exponentials overflows: take out the largest term first"),
    ("softmax-39", "softmax_risk_grad", """Y = one_hot(y, len(Theta))
    W = Y * (softmax(class_scores(Theta, theta_0, X)) - 1.0) / len(X)
    return W.T @ X + lam * Theta, W.sum(axis=0)""", "only the right class has a gradient: the others have p_k x"),
)  # fmt: skip

NEWTON = [
    *_walk(
        "newton", "newton_root",
        ("newton-28", [("Root(x, False, max_steps", "Root(x, True, max_steps"), ("        if rise == 0:\n            return Root(x, False", "        if rise == 0:\n            return Root(x, True")],
         "it always says converged: not when the slope was 0, or the steps ran out"),
        ("newton-29", [("Root(x, False, max_steps", "Root(start, False, max_steps")], "the start is returned when the steps run out: it is the last point reached"),
        ("newton-30", [("(1 + abs(x))", "max(1, abs(x))")], "max(1, |x|) stands where 1 + |x| belongs"),
        ("newton-46", [("        x = x - step\n", "        last, x = x, x - step\n"), ("(1 + abs(x)):\n            return Root(x,", "(1 + abs(x)):\n            return Root(last,")],
         "the point before the last step is returned: it is the last point reached"),
        ("newton-47", [("        if not np.isfinite(x - step):\n            return Root(x, False, made, history)\n", "")], "an infinite point counts as converged: stop at a point that is not finite, and say no"),
    ),
    *_plain(
        "losses",
        ("newton-34", "logistic_curvature", "    p = 1 / (1 + np.exp(-z))\n    return p * (1 - p)\n", "    return 1 / (4 * np.cosh(z) ** 2)\n", "cosh is taken of z: it is 1 / (4 cosh(z/2)^2)"),
        ("newton-35", "logistic_curvature", "return p * (1 - p)", "return 4 * p * (1 - p)", "a factor 1/4 is missing: at 0 the curvature is 1/4"),
        ("newton-48", "logistic_curvature", "return p * (1 - p)", "return p**2", "the numerator exp(-z) is forgotten"),
    ),
    *_whole(
        "newton",
        ("newton-31", "newton_step", "step = np.linalg.lstsq(hessian, -gradient, rcond=None)[0]\n    return step if np.linalg.matrix_rank(hessian) == len(gradient) else -gradient",
         "the step is -g where H is singular: it is the shortest that minimises the parabola, np.linalg.lstsq"),
        ("newton-32", "newton_step", "step = np.linalg.lstsq(hessian, -gradient, rcond=None)[0]\n    return step if np.linalg.matrix_rank(hessian) == len(gradient) else 0 * gradient",
         "no step is made where H is singular: it is the shortest that minimises the parabola, np.linalg.lstsq"),
        ("newton-33", "newton_step", "step = np.linalg.lstsq(hessian, -gradient, rcond=None)[0]\n    return step / np.linalg.norm(step)", "the step is made as long as 1: its length is part of it"),
    ),
    *_whole(
        "risk",
        ("newton-36", "risk_hess", """A = np.column_stack([X, np.ones(len(y))])
    w = loss.slope(margins.margins(theta, theta_0, X, y)) ** 2 / len(y)
    return A.T @ (w[:, None] * A) + np.diag(np.append(np.full(len(theta), lam), 0.0))""", "the squared slope stands where the curvature belongs"),
        ("newton-37", "risk_hess", """A = np.column_stack([X, np.ones(len(y))])
    w = loss.curvature(margins.margins(theta, theta_0, X, y)) / len(y)
    H = A.T @ (w[:, None] * A) + np.diag(np.append(np.full(len(theta), lam), 0.0))
    H[-1, :-1] = 0.0
    return H""", "the offset's row is empty: a Hessian is symmetric, and its row is its column"),
        ("newton-38", "risk_hess", """A = np.column_stack([X, np.ones(len(y))])
    w = loss.curvature(margins.margins(theta, theta_0, X, y)) / len(y)
    H = A.T @ (w[:, None] * A) + np.diag(np.append(np.full(len(theta), lam), 0.0))
    H[-1, -1] = 1.0
    return H""", "the corner is 1: it is the mean of the curvatures"),
        ("newton-39", "risk_hess", """A = np.column_stack([X, np.ones(len(y))])
    w = loss.curvature(margins.margins(theta, theta_0, X, y))
    return A.T @ (w[:, None] * A) / w.sum() + np.diag(np.append(np.full(len(theta), lam), 0.0))""", "it is divided by the sum of the curvatures: the mean is over the n examples"),
    ),
    *_walk(
        "newton", "newton",
        ("newton-40", [("value(x) - size * promise / 4:", "value(x) - promise / 4 and size > 1e-12:")], "a shortened step must earn a quarter of the full promise: it is a quarter of t (-g . s)"),
        ("newton-41", [("        if promise / 2 <= tol * (1 + abs(value(x))):\n            return Minimum(x, value(x), True, made, history, \"\")\n", ""),
                       ("        history.append(value(x))\n", "        history.append(value(x))\n        if promise / 2 <= tol * (1 + abs(value(x))):\n            return Minimum(x, value(x), True, made, history, \"\")\n")],
         "the decrement is looked at after the step: before it, so that no step is made where none is due"),
        ("newton-42", [("        while value", "        if value")], "the step is halved at most once: it is halved until the value has fallen enough"),
        ("newton-43", [("            size = size / 2\n", "            size, step, promise = size / 2, size / 2 * step, size / 2 * promise\n")], "the step is shortened twice over: both t and s are halved"),
        ("newton-44", [("size = 1.0", "size = 0.5")], "the first try is half the step: it is the full one"),
        ("newton-45", [("        step = newton_step(g, H)\n        promise = -(g @ step)\n", "        step, promise = newton_step(g, H), -(g @ newton_step(g, H))\n"),
                       ("        size = 1.0\n", "        size, step, promise = 1.0, -g, g @ g\n")], "the steps follow the gradient: the Hessian belongs in them, and not only in the test"),
        ("newton-49", [("return Minimum(x, value(x), False, max_steps", "g = grad(x)\n    done = -(g @ newton_step(g, hess(x))) / 2 <= tol * (1 + abs(value(x)))\n    return Minimum(x, value(x), bool(done), max_steps")],
         "the decrement is looked at once more after the last step: it is asked only before each of them"),
        ("newton-50", [("(1 + abs(value(x)))", "max(1, abs(value(x)))")], "max(1, |value|) stands where 1 + |value| belongs"),
        ("newton-51", [("tol * (1 + abs(value(x)))", "tol")], "the tolerance stands alone: it is tol (1 + |value|)"),
        ("newton-27", [("promise / 4", "promise / 2")], "half of what the gradient promises is asked for: a quarter is"),
    ),
]  # fmt: skip

MORE = (*MARGINS, *LOSSES, *PERCEPTRON, *LOGISTIC, *DESCENT, *SVM, *KERNELS, *SOFTMAX, *NEWTON)
