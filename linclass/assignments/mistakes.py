# ruff: noqa: E501 (a table reads better on long lines)
"""The catalogue of mistakes: each is a change to the package's own text, and the words for it.

One table, used twice. A wrong answer is compared with what each mistake of that function would have answered, to name
it; and the tests apply each to the reference, to see that it is caught and named.
"""

from linclass.assignments.mistake import WHOLE, Mistake, load, mutated_text
from linclass.assignments.more_mistakes import MORE

__all__ = ["CATALOGUE", "Mistake", "load", "mutated_text", "of"]


def of(task):
    """The mistakes of one function."""
    return [m for m in CATALOGUE if (m.module, m.function) == (task.module, task.function)]


def _rows(module, *rows):
    return [Mistake(name, module, *rest) for name, *rest in rows]


MARGINS = _rows(
    "margins",
    ("margin-1", "scores", " + theta_0", "", "the offset theta_0 is left out"),
    ("margin-2", "margins", "y * scores(theta, theta_0, X)", "scores(theta, theta_0, X)", "the label y is left out, so that it is the score"),
    ("margin-3", "signed_distances", "length = np.linalg.norm(theta)", "length = 1.0 / size", "the score is not divided by the length of theta"),
    ("margin-4", "predict", "s > 0", "s >= 0", "score 0 counts as positive: the rule is > 0, not >= 0"),
    ("margin-5", "margins", "y * scores(theta, theta_0, X)", "y * (X @ theta) + theta_0",
     "the bracket closes too early: y (theta . x) + theta_0 in place of y (theta . x + theta_0)"),
    ("margin-6", "signed_distances", "np.linalg.norm(theta)", "np.linalg.norm(np.append(theta, theta_0))",
     "the length includes the offset: divide by |theta| alone"),
    ("margin-7", "zero_one_error", "z <= 0", "z < 0", "a margin of exactly 0 is not counted: it is a mistake for either label"),
    ("margin-8", "zero_one_error", "np.mean(", "np.sum(", "mistakes are counted, not averaged"),
    ("margin-9", "affine_features", "[np.ones(len(X)), X]", "[X, np.ones(len(X))]", "the column of ones comes last and not first"),
    ("margin-11", "zero_one_error", "z = margins(theta, theta_0, X, y)", "z = y * np.where(scores(theta, theta_0, X) > 0, 1.0, -1.0)",
     "predicted labels are compared: a point on the line with label -1 is then no mistake, and must be one"),
    ("margin-12", "predict", "np.select([s > 0, s <= 0], [1.0, -1.0], np.nan)", "np.sign(s)", "score 0 gets the label 0, as np.sign has it: the label is -1 there"),
    ("margin-13", "quadratic_features", "np.triu_indices(X.shape[1])", "np.indices((X.shape[1],) * 2).reshape(2, -1)",
     "every product x_i x_j with i != j comes twice"),
    ("margin-15", "cosines", WHOLE, "    return X @ theta / (np.linalg.norm(X) * np.linalg.norm(theta))",
     "one length is taken of the whole table X: each row has its own, np.linalg.norm(X, axis=1)"),
    ("margin-14", "cosines", WHOLE, "    return X @ theta / np.linalg.norm(X, axis=1)", "the length of theta is not divided out"),
    ("margin-16", "signed_distances", WHOLE, "    return X @ theta / np.linalg.norm(theta) + theta_0",
     "only theta . x is divided by the length: the offset belongs in the bracket, (theta . x + theta_0) / |theta|"),
    ("margin-17", "signed_distances", "return scores(theta / length, theta_0 / length, X)",
     "return np.abs(scores(theta / length, theta_0 / length, X))", "the sign is dropped: it says which side the point is on"),
    ("margin-18", "quadratic_features", "i, j = np.triu_indices(X.shape[1])",
     "i, j = np.concatenate([np.diag_indices(X.shape[1]), np.triu_indices(X.shape[1], 1)], axis=1)",
     "the squares come first and the mixed products after them: x_1 x_1, x_1 x_2, …, then x_2 x_2, …"),
    ("margin-19", "predict", "[1.0, -1.0]", "[1.0, 0.0]", "the labels are 0 and 1: they are -1 and +1"),
    ("margin-20", "cosines", "return np.clip(X @ theta / lengths, -1.0, 1.0)", "return np.arccos(np.clip(X @ theta / lengths, -1.0, 1.0))",
     "the angle is returned: the cosine is asked for, without arccos"),
    ("margin-21", "quadratic_features", "np.triu_indices(X.shape[1])", "np.diag_indices(X.shape[1])",
     "only the squares are there: the products of two different inputs are missing"),
    ("margin-10", "quadratic_features", "i, j = np.triu_indices(X.shape[1])", "i, j = np.triu_indices(X.shape[1], 1)",
     "the squares x_i x_i are missing"),
)  # fmt: skip

LOSSES = _rows(
    "losses",
    ("loss-1", "zero_one_loss", "z <= 0", "z < 0", "a margin of exactly 0 is not counted as a mistake"),
    ("loss-2", "zero_one_loss", "z <= 0", "z >= 0", "the inequality points the other way: right answers are counted"),
    ("loss-3", "hinge_loss", "1.0 - z", "-z", "the 1 is missing, which is the perceptron loss"),
    ("loss-4", "hinge_loss", "1.0 - z", "1.0 + z", "z has the wrong sign: 1 + z for 1 - z"),
    ("loss-5", "logistic_loss", "np.logaddexp(0.0, -z)", "np.log(1.0 + np.exp(-z))", "exp(-z) overflows in log(1 + exp(-z))"),
    ("loss-6", "logistic_loss", "np.logaddexp(0.0, -z)", "np.logaddexp(0.0, z)", "z has the wrong sign: log(1 + exp(z))"),
    ("loss-7", "logistic_loss", "np.logaddexp(0.0, -z)", "np.logaddexp(0.0, -z) / np.log(2.0)", "the logarithm is taken to base 2"),
    ("loss-8", "logistic_slope", "-np.where", "np.where", "the slope has the wrong sign: the loss falls, so its slope is negative"),
    ("loss-9", "logistic_slope", "-np.where(z >= 0, e, 1.0) / (1.0 + e)", "-np.exp(-z) / (1.0 + np.exp(-z))",
     "exp(-z) overflows, and infinity over infinity is not a number"),
    ("loss-10", "logistic_slope", "np.where(z >= 0, e, 1.0)", "np.where(z >= 0, 1.0, e)", "g(z) stands where g(-z) belongs"),
    ("loss-11", "squared_loss", "(1.0 - z) ** 2", "np.maximum(0.0, 1.0 - z) ** 2",
     "it is clipped on the right: that is the modified squared loss, which forgives z > 1"),
    ("loss-12", "hinge_slope", "np.where(z <= 1, -1.0, 0.0)", "np.where(z < 1, -1.0, np.where(z > 1, 0.0, 1.0))",
     "the value at the kink is no sub-gradient: it must lie in [-1, 0]"),
    ("loss-13", "hinge_slope", "np.where(z <= 1, -1.0, 0.0)", "np.where(z <= 1, 1.0, 0.0)", "the slope has the wrong sign: the loss falls"),
    ("loss-14", "hinge_slope", "z <= 1", "z <= 0", "the kink sits at 0, as the perceptron's does, and not at 1"),
    ("loss-15", "perceptron_slope", "-1.0, 0.0", "1.0, 0.0", "the slope has the wrong sign: the loss falls"),
    ("loss-16", "perceptron_loss", "np.maximum(0.0, -z)", "np.maximum(0.0, z)", "z has the wrong sign"),
    ("loss-17", "exponential_loss", "np.exp(-z)", "np.exp(z)", "z has the wrong sign"),
    ("loss-18", "squared_slope", "-2.0 * (1.0 - z)", "2.0 * (1.0 - z)", "the inner derivative, -1, is forgotten"),
    ("loss-19", "modified_squared_slope", "-2.0 * np.maximum", "2.0 * np.maximum", "the inner derivative, -1, is forgotten"),
    ("loss-21", "hinge_loss", "1.0 - z", "z - 1.0", "z and 1 have changed places: z - 1 for 1 - z"),
    ("loss-22", "modified_squared_slope", "np.maximum(0.0, 1.0 - z)", "(1.0 - z)", "it is not clipped: the slope is 0 for z > 1"),
    ("loss-23", "logistic_loss", "np.logaddexp(0.0, -z)", "np.log(1.0 + np.exp(np.clip(-z, -500.0, 500.0)))",
     "z is clipped to keep the exponential finite: far out the loss goes on growing"),
    ("loss-24", "squared_slope", "-2.0 * (1.0 - z)", "-(1.0 - z)", "the 2 of the square's derivative is missing"),
    ("loss-25", "modified_squared_loss", "np.maximum(0.0, 1.0 - z) ** 2", "np.maximum(0.0, 1.0 - z**2)", "z is squared, and not 1 - z"),
    ("loss-20", "modified_squared_loss", "np.maximum(0.0, 1.0 - z) ** 2", "(1.0 - z) ** 2", "it is not clipped: that is the squared loss"),
)  # fmt: skip

PERCEPTRON = _rows(
    "perceptron",
    ("perceptron-1", "perceptron_step", "theta_0 + y\n", "theta_0\n", "the offset is never updated"),
    ("perceptron-2", "perceptron_step", "theta_0) <= 0", "theta_0) < 0",
     "a margin of exactly 0 does not count as a mistake: starting from zero, nothing would ever move"),
    ("perceptron-3", "perceptron_step", "(theta @ x + theta_0) <= 0", "(theta @ x) <= 0", "the offset is missing in the margin"),
    ("perceptron-4", "perceptron_step", "theta + y * x, theta_0 + y", "theta + x, theta_0 + 1", "the update adds x and not y x"),
    ("perceptron-5", "perceptron_walk", " and 0 not in history[-1:]", "", "the walk does not stop when an epoch has no mistake"),
    ("perceptron-6", "perceptron_walk", "0 not in history[-1:]", "[0, 0] != history[-2:]",
     "one epoch too many is run after the first without a mistake"),
    ("perceptron-7", "perceptron_step", "theta_0) <= 0", "theta_0) <= 1", "examples with a margin up to 1 are taken for mistakes"),
    ("perceptron-8", "threshold_step", "return theta + (y - h) * x, theta_0 + (y - h)",
     "return (theta + y * x, theta_0 + y) if y * (theta @ x + theta_0) <= 0 else (theta, theta_0)",
     "labels 0 and 1 are put into the update for -1 and +1: with y = 0 nothing moves"),
    ("perceptron-11", "perceptron_walk", WHOLE, """    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    while len(history) < max_epochs and 0 not in history[-1:]:
        history.append(0)
        for x, label in zip(X, y, strict=True):
            if label * (theta @ x + theta_0) < 0:
                theta, theta_0, history[-1] = theta + label * x, theta_0 + label * offset, history[-1] + 1
    return theta, theta_0, np.array(history)""", "a margin of exactly 0 does not count as a mistake: starting from zero, nothing ever moves"),
    ("perceptron-12", "perceptron_step", "y * (theta @ x + theta_0) <= 0", "(1 if theta @ x + theta_0 > 0 else -1) != y",
     "predicted labels are compared: at score 0 an example with y = -1 then passes for right"),
    ("perceptron-13", "perceptron_walk", "theta_0 if offset else 0.0", "theta_0", "theta_0 moves although offset is False"),
    ("perceptron-14", "perceptron_walk", WHOLE, """    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    while len(history) < max_epochs and 0 not in history[-1:]:
        wrong = y * (X @ theta + theta_0) <= 0
        theta, theta_0 = theta + (wrong * y) @ X, theta_0 + (wrong @ y) * offset
        history.append(int(wrong.sum()))
    return theta, theta_0, np.array(history)""",
     "a whole epoch is judged by the theta of its start: after each mistake the next example is judged by the new theta"),
    ("perceptron-15", "perceptron_walk", WHOLE, """    theta, theta_0, history = np.zeros(X.shape[1]), 0.0, []
    while len(history) < max_epochs and 0 not in history[-1:]:
        history.append(0)
        for x, label in zip(X, y, strict=True):
            if label * (theta @ x + theta_0) <= 0:
                theta, theta_0, history[-1] = theta + label * x, theta_0 + label, history[-1] + 1
    return theta, theta_0 if offset else 0.0, np.array(history)""",
     "with offset False theta_0 is learnt and used all the same, and set to 0 only in the answer: it is 0 at every step"),
    ("perceptron-16", "perceptron_walk", "        history.append(mistakes)", "        history.append(int(np.sum(y * (X @ theta + theta_0) <= 0)))",
     "the mistakes are counted with the theta at the end of the epoch: count those met on the way"),
    ("perceptron-17", "perceptron_walk", "np.array(history)", "np.array([count for count in history if count])",
     "the last epoch, the one without a mistake, is not in the history: its 0 belongs there"),
    ("perceptron-18", "threshold_step", "else 0.0", "else -1.0", "h is -1 below the threshold: with labels 0 and 1 it is 0"),
    ("perceptron-19", "threshold_step", "1.0 if theta @ x + theta_0 >= 0 else 0.0", "theta @ x + theta_0",
     "h is the score itself: with a threshold it is 1 or 0"),
    ("perceptron-20", "perceptron_walk", "np.array(history)", "np.cumsum(history)", "the count of mistakes is not set back to 0 at the start of each epoch"),
    ("perceptron-21", "perceptron_walk", "        mistakes = 0\n", "        mistakes, theta, theta_0 = 0, np.zeros(X.shape[1]), 0.0\n",
     "theta goes back to 0 at the start of each epoch: an epoch goes on from the last one's end"),
    ("perceptron-9", "threshold_step", "(y - h) * x, theta_0 + (y - h)", "(h - y) * x, theta_0 + (h - y)", "the step goes the wrong way: y - h, not h - y"),
    ("perceptron-10", "threshold_step", "theta_0 >= 0", "theta_0 > 0", "a score of exactly 0 is taken for class 0: here it is class 1"),
)  # fmt: skip

LOGISTIC = [
    *_rows(
        "risk",
        ("logistic-1", "risk", "lam / 2 * theta", "lam * theta", "the 1/2 in lambda/2 is left out"),
        ("logistic-2", "risk", "lam / 2 * theta @ theta", "lam / 2 * (np.dot(theta, theta) + theta_0**2)", "the offset is penalised too"),
        ("logistic-17", "risk", "lam / 2 * theta @ theta", "lam / 2 * np.linalg.norm(theta)", "the norm in the penalty is not squared"),
        ("logistic-18", "risk_grad", "+ lam * theta", "+ lam * theta / len(z)", "the penalty is divided by n too: it stands beside the mean"),
        ("logistic-3", "risk", "np.mean(", "np.sum(", "the losses are summed, not averaged"),
        ("logistic-4", "risk", "margins.margins(theta, theta_0, X, y)", "margins.margins(theta, 0.0, X, y)", "the offset is missing in the margin"),
        ("logistic-5", "risk_grad", "+ lam * theta", "+ 2 * lam * theta",
         "the penalty's gradient is 2 lambda theta: the 1/2 in lambda/2 is forgotten"),
        ("logistic-6", "risk_grad", " * y / len(z)", " / len(z)", "the y of the chain rule is forgotten: z = y times the score"),
        ("logistic-7", "risk_grad", " / len(z)", "", "the 1/n of the mean is left out"),
        ("logistic-8", "risk_grad", " / len(z)", " / -len(z)", "the loss's part has the wrong sign"),
        ("logistic-9", "risk_grad", "float(w.sum())", "float(w.sum() + lam * theta_0)", "lambda theta_0 is in the offset's gradient: the offset is not penalised"),
        ("logistic-19", "risk", "loss.value(z)", "np.logaddexp(0.0, -z)",
         "the logistic loss stands in the formula whatever `loss` is: take loss.value(z)"),
        ("logistic-20", "risk_grad", "loss.slope(z)", "-1.0 / (1.0 + np.exp(z))",
         "the slope of the logistic loss stands in the formula whatever `loss` is: take loss.slope(z)"),
        ("logistic-22", "risk_grad", ".slope(z)", ".slope(margins.scores(theta, theta_0, X))",
         "the slope is taken at the score: it is taken at the margin, y times the score"),
        ("logistic-23", "risk", ".value(z)", ".value(margins.scores(theta, theta_0, X))", "the loss is taken of the score: it is a loss of the margin, y times the score"),
        ("logistic-10", "risk_grad", "float(w.sum())", "float(w.sum() * len(z))", "the offset's gradient is a sum, not a mean"),
    ),
    *_rows(
        "logistic",
        ("logistic-11", "sigmoid", "np.where(z >= 0, 1.0, e) / (1.0 + e)", "np.exp(z) / (1.0 + np.exp(z))",
         "exp(z) overflows, and infinity over infinity is not a number"),
        ("logistic-12", "sigmoid", "np.where(z >= 0, 1.0, e)", "np.where(z >= 0, e, 1.0)", "z has the wrong sign"),
        ("logistic-13", "log_likelihood", "np.sum", "np.mean", "the log-likelihood is averaged: it is a sum"),
        ("logistic-14", "log_likelihood", "-float", "float", "the sign is missing: a log-likelihood is at most 0"),
        ("logistic-16", "log_likelihood", WHOLE, "    return float(np.sum(np.log(1.0 / (1.0 + np.exp(-margins.margins(theta, theta_0, X, y))))))",
         "the logarithm is taken of a probability that rounds to 0: use the loss log(1 + exp(-z))"),
        ("logistic-21", "log_likelihood", WHOLE, """    s = margins.scores(theta, theta_0, X)
    return float(np.sum(y * s - np.logaddexp(0.0, s)))""", "the formula for labels 0 and 1, y s - log(1 + exp(s)), gets labels -1 and +1"),
        ("logistic-24", "log_likelihood", "margins.margins(theta, theta_0, X, y)", "margins.scores(theta, theta_0, X)", "the label y is left out: that is the likelihood of all labels being +1"),
        ("logistic-25", "log_odds", "np.log(p) - np.log1p(-p)", "np.log(p) / (1 - p)", "a bracket is lost: log(p) / (1 - p) for log(p / (1 - p))"),
        ("logistic-15", "log_odds", "np.log(p) - np.log1p(-p)", "np.log1p(-p) - np.log(p)", "the odds are upside down"),
    ),
]  # fmt: skip

SGD_BODY = "    grad, grad_0 = risk.risk_grad(theta, theta_0, X, y, loss, lam)\n    return theta - eta * grad, theta_0 - eta * grad_0"


def _sgd(slope="loss.slope(z)", divide="/ len(z)", shrink="lam * theta", shrink_0=""):
    """The text of a stochastic step with one thing changed."""
    return f"""    z = y * (X @ theta + theta_0)
    w = {slope} * y {divide}
    return theta - eta * (X.T @ w + {shrink}), theta_0 - eta * (w.sum(){shrink_0})"""


KEEP = """now = walk.mean if keep == "average" else walk.state
        value = _risk(rows, *now, loss, lam)
        if value < (min(history, default=np.inf) if keep == "best" else np.inf):
            kept = now"""

DESCENT = _rows(
    "descent",
    ("descent-1", "fit_sgd", "steps.rule(t)", "steps.rule(t + 1)",
     "each step uses the step size of the next one", "sgd_epoch"),
    ("descent-2", "inverse_step", "scale / (t + shift)", "scale / t", "the shift is missing in the denominator"),
    ("descent-3", "fit_sgd", "steps.rule(t)", "steps.rule(t - 1)",
     "the first step is counted as t = 0: it is t = 1", "sgd_epoch"),
    ("descent-4", "sgd_step", SGD_BODY, _sgd(shrink="0.0"), "theta is not shrunk by lambda"),
    ("descent-5", "sgd_step", SGD_BODY, _sgd(shrink="lam * theta * np.mean(loss.slope(z) != 0)"),
     "theta is shrunk only when the margin is violated: lambda theta belongs to every step"),
    ("descent-6", "sgd_step", SGD_BODY, _sgd(slope="np.where(z < 0, loss.slope(z), 0.0)"),
     "only margins below 0 count: the hinge loss pushes until the margin is 1"),
    ("descent-7", "fit_sgd", "steps.lam, eta)", "steps.lam * len(y) / len(rows), eta * len(rows) / len(y))",
     "the gradient of one batch is divided by the number of all examples", "sgd_epoch"),
    ("descent-8", "fit_sgd", 'if keep == "best" else np.inf', "if False else np.inf",
     "the last iterate is returned where the best is asked for: keep a copy of the best one"),
    ("descent-9", "sgd_step", SGD_BODY, _sgd(divide=""), "the batch is summed, not averaged"),
    ("descent-10", "sgd_step", SGD_BODY, _sgd(shrink_0=" + lam * theta_0"), "the offset is shrunk by lambda, and must not be"),
    ("descent-14", "fit_sgd", "state if steps.offset else (state[0], 0.0)", "state", "theta_0 moves although offset is False", "sgd_epoch"),
    ("descent-15", "sgd_step", SGD_BODY, """    grad, _ = risk.risk_grad(theta, theta_0, X, y, loss, lam)
    theta = theta - eta * grad
    return theta, theta_0 - eta * risk.risk_grad(theta, theta_0, X, y, loss, lam)[1]""",
     "the derivative in theta_0 is taken after theta has moved: both belong to the old (theta, theta_0)"),
    ("descent-16", "sgd_step", SGD_BODY, _sgd(slope="-(z <= 1)"),
     "the slope of the hinge loss stands in the formula whatever `loss` is: take loss.slope(z)"),
    ("descent-17", "sgd_step", SGD_BODY, _sgd(slope="loss.slope(X @ theta + theta_0)"),
     "the slope is taken at the score: it is taken at the margin, y times the score"),
    ("descent-18", "fit_sgd", "LinearClassifier(kept[0],", "LinearClassifier(now[0],",
     "the best theta is kept without a copy, and later steps change it in place"),
    ("descent-19", "fit_sgd", "steps.rule(t)", "steps.rule(start // steps.batch + 1)",
     "t begins again at 1 in every epoch: it counts all steps", "sgd_epoch"),
    ("descent-20", "fit_sgd", "steps.rule(t)", "steps.rule((t - 1) // -(-len(order) // steps.batch) + 1)",
     "t counts the epochs: it counts the steps", "sgd_epoch"),
    ("descent-21", "fit_sgd", "range(0, len(order), steps.batch)", "range(0, len(order) - steps.batch + 1, steps.batch)",
     "the last batch of an epoch is dropped when it is shorter: it is a step too", "sgd_epoch"),
    ("descent-22", "fit_sgd", "(new - m) / t for", "(new - m) * (t % -(-len(order) // steps.batch) == 0) * -(-len(order) // steps.batch) / t for",
     "the average is one of the epochs' ends: it is the mean of the iterates after each step", "sgd_epoch"),
    ("descent-23", "fit_sgd", "now = walk.mean if", "now = tuple(m * walk.t / (walk.t + 1) for m in walk.mean) if",
     "the start, theta = 0, counts in the average: it is the mean of the iterates after each step"),
    ("descent-13", "inverse_step", "scale / (t + shift)", "scale / t + shift", "the shift is added to the step: it belongs in the denominator"),
    ("descent-24", "inverse_sqrt_step", "np.sqrt(t)", "(t ** 1 / 2)", "t ** 1 / 2 is read as (t ** 1) / 2: write t ** 0.5, or np.sqrt(t)"),
    ("descent-25", "inverse_sqrt_step", "scale / np.sqrt(t)", "np.sqrt(scale / t)", "the scale is under the root too"),
    ("descent-26", "sgd_step", SGD_BODY, _sgd(shrink="lam * theta * np.any(loss.slope(z))"),
     "theta is not shrunk where every slope is 0: lambda theta belongs to every step"),
    ("descent-27", "sgd_step", SGD_BODY, _sgd(shrink="lam * theta / eta"), "lambda theta is subtracted without the factor eta"),
    ("descent-28", "fit_sgd", KEEP, "kept = now = walk.state\n        value = _risk(rows, *now, loss, lam)", "the last iterate is returned whatever `keep` says"),
    ("descent-11", "inverse_sqrt_step", "scale / np.sqrt(t)", "scale / t", "the square root is missing"),
    ("descent-12", "sgd_step", SGD_BODY, SGD_BODY.replace("theta - eta * grad, theta_0 - eta", "theta + eta * grad, theta_0 + eta"),
     "the step goes uphill"),
)  # fmt: skip

SVM = [
    *_rows(
        "conventions",
        ("svm-1", "lam_from_C", "(n * C)", "C", "lambda is taken for 1/C: the mean over n examples is forgotten"),
        ("svm-2", "lam_from_C", "1.0 / (", "1.0 * (", "lambda is taken for n C: it is 1/(n C)"),
        ("svm-3", "lam_from_C", "1.0 / (", "0.5 / (", "a 1/2 too many: 1/(2 n C) belongs to lambda |theta|^2 without the 1/2"),
        ("svm-10", "C_from_lam", "1.0 / (", "1.0 * (", "C is taken for n lambda: it is 1/(n lambda)"),
        ("svm-11", "C_from_lam", "(n * lam)", "lam", "C is taken for 1/lambda: the mean over n examples is forgotten"),
        ("svm-18", "lam_from_C", "(n * C)", "C * n", "n multiplies where it divides: 1 / C * n, without brackets, is n / C"),
        ("svm-22", "C_from_lam", "(n * lam)", "lam * n", "n multiplies where it divides: 1 / lam * n, without brackets, is n / lam"),
    ),
    *_rows(
        "svm",
        ("svm-4", "quadratic_program", "np.full(n, C)", "np.full(n, C / n)",
         "C multiplies the mean of the slacks: it multiplies their sum"),
        ("svm-5", "quadratic_program", "np.diag(np.concatenate([np.ones(d), np.zeros(1 + n)]))\n"
         "    c = np.concatenate([np.zeros(d + 1), np.full(n, C)])",
         "np.diag(np.concatenate([np.full(d, C), np.zeros(1 + n)]))\n    c = np.concatenate([np.zeros(d + 1), np.ones(n)])",
         "C stands at the norm: it belongs to the slacks"),
        ("svm-6", "dual_objective", "alpha @ K @ alpha / 2", "alpha @ K @ alpha", "the 1/2 of the dual objective is left out"),
        ("svm-7", "dual_objective", "dual * y", "dual", "the labels y_i y_j are left out"),
        ("svm-8", "dual_objective", "dual.sum() - alpha @ K @ alpha / 2", "alpha @ K @ alpha / 2 - dual.sum()",
         "the objective is negated, as for a solver that minimises: here it is to be maximised"),
        ("svm-9", "slacks", "losses.hinge_loss(margins.margins(theta, theta_0, X, y))", "1.0 - margins.margins(theta, theta_0, X, y)",
         "the slack of a well classified point is not 0 but negative"),
        ("svm-14", "margin_width", "2.0 / float(np.linalg.norm(theta))", "2.0 / float(theta @ theta)", "the length is squared"),
        ("svm-12", "margin_width", "2.0 /", "1.0 /", "it is half the width, the distance of one line from the boundary"),
        ("svm-15", "quadratic_program", "[-y[:, None] * X, -y, ", "[-y[:, None] * X, -np.ones(n), ",
         "the offset's column of A is -1 in every row: y_t multiplies the whole score, so it is -y_t"),
        ("svm-16", "dual_objective", "alpha @ K @ alpha / 2", "np.tril(K * np.outer(alpha, alpha)).sum() / 2",
         "each pair of examples is counted once: the double sum has both (s, t) and (t, s)"),
        ("svm-17", "dual_objective", "alpha @ K @ alpha / 2", "np.sum(alpha * K * alpha) / 2",
         "`*` multiplies entry by entry where a matrix product belongs: the sum over all pairs is alpha @ K @ alpha"),
        ("svm-19", "dual_objective", "dual.sum()", "alpha.sum()", "the first sum is one of dual y: it is one of dual alone"),
        ("svm-20", "quadratic_program", WHOLE, """    n, d = X.shape
    A = np.block([[y[:, None] * X, y[:, None], np.eye(n)], [np.zeros((n, d + 1)), -np.eye(n)]])
    H, c = np.diag(np.repeat([1.0, 0.0], [d, 1 + n])), np.repeat([0.0, C], [d + 1, n])
    return H, c, A, np.repeat([1.0, 0.0], n)""", "the rows of the margins say A v >= b: multiply them and their b by -1"),
        ("svm-21", "quadratic_program", "return H, c, np.vstack([margin_rows, slack_rows]), np.concatenate([-np.ones(n), np.zeros(n)])",
         "return H, c, np.vstack([slack_rows, margin_rows]), np.concatenate([np.zeros(n), -np.ones(n)])",
         "the rows xi >= 0 come first: those of the margins do"),
        ("svm-13", "quadratic_program", "np.concatenate([np.ones(d), np.zeros(1 + n)])", "np.concatenate([np.ones(d + 1), np.zeros(n)])",
         "the offset is penalised in H"),
    ),
]  # fmt: skip


def _rbf(cross="-", clip="np.maximum(D, 0.0)", exponent="-D / (2 * tau**2)"):
    """The body of an RBF kernel with one thing changed: the reference's own is arranged for speed."""
    return f"""    D = (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) {cross} 2 * X @ Z.T
    D = {clip}
    return np.exp({exponent})"""


KERNELS = [
    *_rows(
        "kernels",
        ("kernel-1", "rbf_kernel", WHOLE, _rbf(exponent="-D / tau**2"), "the distance is divided by tau^2: it is 2 tau^2"),
        ("kernel-2", "rbf_kernel", WHOLE, _rbf(exponent="-D / (2 * tau)"), "the distance is divided by 2 tau: the tau is squared"),
        ("kernel-3", "rbf_kernel", WHOLE, _rbf(exponent="-np.sqrt(D) / (2 * tau**2)"), "the distance is not squared"),
        ("kernel-4", "rbf_kernel", WHOLE, _rbf(clip="D"),
         "the squared distance |x|^2 + |z|^2 - 2 x.z is not clipped at 0: rounding leaves it below, and the kernel above 1"),
        ("kernel-5", "rbf_kernel", WHOLE, _rbf(cross="+"), "the cross term has the wrong sign: |x|^2 + |z|^2 - 2 x.z"),
        ("kernel-6", "polynomial_kernel", " + constant)", ")", "the constant is left out"),
        ("kernel-7", "polynomial_kernel", "(X @ Z.T + constant) ** degree",
         "(X @ Z.T) ** degree + constant", "the constant is added after the power, not before"),
        ("kernel-8", "polynomial_kernel", "(X @ Z.T + ", "(Z @ X.T + ", "it is transposed: rows belong to X, columns to Z"),
        ("kernel-11", "linear_kernel", "X @ Z.T", "Z @ X.T", "it is transposed: rows belong to X, columns to Z"),
        ("kernel-19", "rbf_kernel", WHOLE, _rbf(exponent="-D / 2 * tau**2"), "tau^2 multiplies: in -d / 2 * tau**2 only the 2 divides, so put 2 * tau**2 in brackets"),
        ("kernel-23", "polynomial_kernel", " + constant)", " + 1.0)", "1 stands in the place of the constant"),
        ("kernel-24", "min_kernel", "np.minimum.outer(x, z)", "np.minimum(x, z)",
         "the entries are compared one by one: the answer has a row for each x and a column for each z"),
        ("kernel-12", "min_kernel", "np.minimum.outer(x, z)", "np.maximum.outer(x, z)", "the larger of the two is taken"),
    ),
    *_rows(
        "representer",
        ("kernel-9", "kernel_sgd_step", "len(y) * lam", "lam", "the factor m is left out of the penalty's term"),
        ("kernel-10", "kernel_sgd_step", WHOLE, "    return functional_step(alpha, i, K, y, loss, lam, eta)",
         "alpha changes at i alone: the functional gradient, a valid algorithm but another one than the task's"),
        ("kernel-18", "kernel_sgd_step", WHOLE, "    return alpha - eta * (loss.slope(K[i] @ alpha, y[i]) * K[i] + lam * alpha)",
         "the penalty's term is lambda alpha: it is m lambda alpha_i K_i"),
        ("kernel-13", "kernel_risk", " / 2 * (alpha @ f)", " * (alpha @ f)", "the 1/2 in lambda/2 is left out"),
        ("kernel-14", "kernel_risk", "(alpha @ f)", "(alpha @ alpha)", "the penalty is |alpha|^2: it is alpha' K alpha, the squared length of theta"),
        ("kernel-15", "kernel_risk_grad", "lam * alpha)", "lam * alpha / len(y))", "the penalty is divided by m too"),
        ("kernel-16", "kernel_risk_grad", "K @ (slopes / len(y) + lam * alpha)",
         "K @ slopes / len(y) + lam * alpha", "the penalty's gradient is lambda alpha: it is lambda K alpha"),
        ("kernel-20", "kernel_sgd_step", "alpha[i])", "alpha)", "the penalty's term has the whole vector alpha: it is the number alpha_i"),
        ("kernel-21", "kernel_sgd", "rule(t))", "rule(1))", "the step size is asked for once and stays eta(1): step t takes eta(t)"),
        ("kernel-22", "kernel_sgd", "rule(t))", "rule(t - 1))", "the first step is counted as t = 0: it is t = 1"),
        ("kernel-25", "kernel_risk_grad", "K @ (slopes / len(y) + lam * alpha)", "slopes / len(y) + lam * alpha", "the K in front is missing: the scores are K alpha, and the chain rule brings it"),
        ("kernel-26", "kernel_sgd", "rng.integers(len(y))", "(t - 1) % len(y)", "the examples come in order: each step draws one with rng.integers(m)"),
        ("kernel-27", "kernel_sgd", "range(1, steps + 1)", "range(1, steps * len(y) + 1)",
         "`steps` is taken for a number of passes over the data: it counts single steps"),
        ("kernel-17", "kernel_sgd", "rule(t))", "rule(t + 1))", "each step uses the step size of the next one"),
    ),
]  # fmt: skip

SOFTMAX = _rows(
    "softmax",
    ("softmax-1", "softmax", "_below_largest(S)", "np.asarray(S)", "the largest score is not subtracted, and exp overflows"),
    ("softmax-2", "softmax", "    E = np.exp(_below_largest(S))\n    return E / E.sum(axis=-1, keepdims=True)",
     "    E = np.exp(S - S.max(axis=0, keepdims=True))\n    return E / E.sum(axis=0, keepdims=True)", "the sum runs over the examples: it runs over the classes, the last axis"),
    ("softmax-3", "softmax", "    E = np.exp(_below_largest(S))\n",
     "    S -= S.max(axis=-1, keepdims=True)\n    E = np.exp(S)\n", "the maximum is subtracted in place, from the caller's own array"),
    ("softmax-4", "softmax", "_below_largest(S)", "np.asarray(S) - np.max(S)", "one maximum is taken for the whole table: each row needs its own"),
    ("softmax-5", "log_softmax", "    D = _below_largest(S)\n", "    return S - np.log(np.sum(np.exp(S), axis=-1, keepdims=True))\n    D = None\n",
     "the logarithm of the sum of exponentials overflows: take out the largest term first"),
    ("softmax-6", "log_softmax", "D - np.log1p(E.sum(axis=-1, keepdims=True))",
     "S - np.log1p(E.sum(axis=-1, keepdims=True))", "the maximum is taken out of the exponentials and not added back"),
    ("softmax-7", "softmax_risk", "np.mean(", "np.sum(", "the losses are summed, not averaged"),
    ("softmax-8", "softmax_risk_grad", " / len(X)", "", "the 1/n of the mean is left out"),
    ("softmax-9", "softmax_risk_grad", "cross_entropy_grad(class_scores(Theta, theta_0, X), y)",
     "(softmax(class_scores(Theta, theta_0, X)) + one_hot(y, len(Theta)))", "the one-hot labels are added: it is p - one_hot(y)"),
    ("softmax-10", "softmax_risk_grad", "cross_entropy_grad(", "-cross_entropy_grad(", "it is y - p: the gradient is p - y"),
    ("softmax-11", "cross_entropy", "-np.take", "np.take", "the minus of -log p is missing"),
    ("softmax-14", "cross_entropy", WHOLE, """    E = np.exp(logits)
    return -np.log((E / E.sum(axis=1, keepdims=True))[np.arange(len(y)), y])""", "the exponentials of the scores overflow: take out the largest first"),
    ("softmax-12", "cross_entropy", "log_softmax(logits)", "np.log(softmax(logits))",
     "log(softmax) is taken in two steps: a probability that rounds to 0 has logarithm -inf"),
    ("softmax-15", "softmax_risk_grad", "cross_entropy_grad(class_scores(Theta, theta_0, X), y)",
     "(softmax(class_scores(Theta, theta_0, X)) - np.isin(np.arange(len(Theta)), y))",
     "1 is subtracted in every row for each class that occurs, as P[:, y] does: in row t only at its own class, P[np.arange(n), y]"),
    ("softmax-16", "softmax_risk", WHOLE, """    E = np.exp(class_scores(Theta, theta_0, X))
    p = (E / E.sum(axis=1, keepdims=True))[np.arange(len(y)), y]
    return -np.log(p).mean() + lam / 2 * np.sum(Theta**2)""", "the exponentials of the scores overflow: take out the largest first"),
    ("softmax-17", "softmax_risk_grad", WHOLE, """    E = np.exp(class_scores(Theta, theta_0, X))
    W = (E / E.sum(axis=1, keepdims=True) - one_hot(y, len(Theta))) / len(X)
    return W.T @ X + lam * Theta, W.sum(axis=0)""", "the exponentials of the scores overflow: take out the largest first"),
    ("softmax-18", "softmax_risk_grad", " + lam * Theta", " + lam / len(X) * Theta", "the penalty is divided by n too: it stands beside the mean"),
    ("softmax-19", "one_hot", "np.eye(n_classes)[y]", "np.eye(y.max() + 1)[y]",
     "the largest label decides how many columns there are: it is n_classes, whichever labels occur"),
    ("softmax-20", "softmax_risk_grad", "W.sum(axis=0)", "W.sum(axis=0) * len(X)", "the gradient in theta_0 is a sum, not a mean"),
    ("softmax-21", "log_softmax", WHOLE, """    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return np.log(E / E.sum(axis=-1, keepdims=True))""", "log(softmax) is taken in two steps: a probability that rounds to 0 has logarithm -inf"),
    ("softmax-22", "one_hot", "np.eye(n_classes)[y]", "1.0 * (y[:, None] == np.arange(1, n_classes + 1))", "the classes are counted from 1: they are 0, 1, 2, …"),
    ("softmax-23", "one_hot", "np.eye(n_classes)[y]", "np.eye(n_classes)[y - 1]", "the classes are counted from 1: they are 0, 1, 2, …"),
    ("softmax-24", "cross_entropy", "[:, 0]", "[:, 0].mean()", "the mean is taken: there is one number for each row"),
    ("softmax-25", "cross_entropy", "np.take_along_axis(log_softmax(logits), y[:, None], axis=1)[:, 0]", "log_softmax(logits)[:, y]",
     "[:, y] takes the columns y of every row, a table: each row has one class, [np.arange(n), y]"),
    ("softmax-26", "cross_entropy", "log_softmax(logits)", "softmax(logits)", "the logarithm is forgotten: it is -log p, and not -p"),
    ("softmax-27", "softmax_risk", "np.sum(Theta**2)", "(np.sum(Theta**2) + np.sum(theta_0**2))", "the offsets are penalised too"),
    ("softmax-13", "softmax_risk", " / 2 * np.sum", " * np.sum", "the 1/2 in lambda/2 is left out"),
)  # fmt: skip

NEWTON = [
    *_rows(
        "newton",
        ("newton-1", "newton_step", "np.linalg.solve(hessian, -gradient)", "np.linalg.solve(hessian, gradient)", "the step leads uphill: it is -H^-1 g"),
        ("newton-2", "newton_step", "np.linalg.solve(hessian, -gradient)", "-hessian @ gradient", "the gradient is multiplied by H: the step solves H step = -g"),
        ("newton-3", "newton_step", "np.linalg.solve(hessian, -gradient)", "-gradient / np.diag(hessian)", "only the diagonal of H is used"),
        ("newton-9", "newton", "fit.backtrack(value, x, step, promise / 4) * step", "step",
         "every step is taken in full: where it overshoots, halve it until the value falls"),
        ("newton-12", "newton", WHOLE, """    x, t = start, 1.0
    for _ in range(max_steps):
        now, g = value(x), grad(x)
        step = newton_step(g, hess(x))
        promise = -g @ step
        if promise / 2 <= tol * (1 + abs(now)):
            return True
        while t > 1e-30 and value(x + t * step) > now - t * promise / 4:
            t /= 2
        x = x + t * step
        yield x""",
         "the size of the step stays halved: each step begins again with the full Newton step"),
        ("newton-14", "newton_step", WHOLE, "    return np.linalg.solve(hessian, -gradient)",
         "a singular Hessian is left to np.linalg.solve, which refuses it: np.linalg.lstsq gives the shortest step"),
        ("newton-15", "newton", "step, promise / 4)", "step, 0.0)",
         "any fall of the value is enough: it must be at least a quarter of t (-g . s)"),
        ("newton-17", "newton_root", "abs(step) <= tol * (1 + abs(x))", "abs(f(x)) <= tol",
         "it stops when |f(x)| is small: how small that is depends on the scale of f, so the size of the step decides"),
        ("newton-18", "newton_root", "range(max_steps)", "range(max_steps + 1)", "one step more than max_steps is made"),
        ("newton-19", "newton", "hess(x)", "hess(start)", "the Hessian of the start is used at every step: it belongs to the current point"),
        ("newton-21", "newton", "promise / 2 <= tol * (1 + abs(value(x)))", "np.linalg.norm(g) <= tol",
         "it stops by the size of the gradient: the decrement -g . s / 2 decides"),
        ("newton-22", "newton_root", WHOLE, """    x = start
    for _ in range(max_steps):
        if abs(f(x)) <= tol:
            return True
        x = x - f(x) / slope(x)
        yield x""", "it stops when |f(x)| is small: how small that is depends on the scale of f, so the size of the step decides"),
        ("newton-25", "newton_root", "slope(x)", "slope(start)", "the slope of the start is used at every step: it belongs to the current point"),
        ("newton-26", "newton", WHOLE, """    x = start
    for _ in range(max_steps):
        g, H = grad(x), hess(x)
        step = np.linalg.lstsq(H, -g, rcond=None)[0]
        if -g @ step / 2 <= tol * (1 + abs(value(x))):
            return True
        x = x + step
        yield x""", "every step is taken in full: where it overshoots, halve it until the value falls"),
        ("newton-10", "newton_root", "height / slope(x)", "height * slope(x)", "f is multiplied by the slope: the tangent's root is at x - f/f'"),
    ),
    *_rows(
        "losses",
        ("newton-23", "logistic_curvature", "e / (1.0 + e) ** 2", "np.exp(-z) / (1.0 + np.exp(-z)) ** 2",
         "exp(-z) overflows, and infinity over infinity is not a number: the curvature is the same for z and -z, so take exp(-|z|)"),
        ("newton-4", "logistic_curvature", "e / (1.0 + e) ** 2", "np.where(z >= 0, 1.0, e) / (1.0 + e)", "it is p: the curvature is p (1 - p)"),
    ),
    *_rows(
        "risk",
        ("newton-5", "risk_hess", " + penalty", "", "lambda on the diagonal is left out"),
        ("newton-6", "risk_hess", "np.diag(np.append(np.full(len(theta), lam), 0.0))", "np.full((A.shape[1], A.shape[1]), lam)",
         "lambda is added to every entry: it belongs on the diagonal"),
        ("newton-7", "risk_hess", " / len(z)", "", "the 1/n of the mean is left out"),
        ("newton-11", "risk_hess", " / len(z)", " * y / len(z)",
         "the label stands in front of the curvature: the chain rule gives it twice, y^2 = 1"),
        ("newton-13", "risk_hess", "loss.curvature(z)", "np.exp(-z) / (1.0 + np.exp(-z)) ** 2",
         "the curvature of the logistic loss stands in the formula whatever `loss` is: take loss.curvature(z)"),
        ("newton-16", "risk_hess", ".curvature(z)", ".curvature(margins.scores(theta, theta_0, X))",
         "the curvature is taken at the score: it is taken at the margin, y times the score, and only some losses have the same at both"),
        ("newton-20", "risk_hess", "A.T @ (w[:, None] * A) + penalty", "np.roll(A.T @ (w[:, None] * A) + penalty, 1, axis=(0, 1))",
         "the offset comes first: its row and column are the last"),
        ("newton-24", "risk_hess", "np.diag(np.append(np.full(len(theta), lam), 0.0))", "np.pad(np.full((len(theta), len(theta)), lam), (0, 1))",
         "lambda is added to every entry of theta's part: it belongs on the diagonal"),
        ("newton-8", "risk_hess", "np.append(np.full(len(theta), lam), 0.0)", "np.full(A.shape[1], lam)", "the offset is penalised in the Hessian"),
    ),
]  # fmt: skip

CATALOGUE = (*MARGINS, *LOSSES, *PERCEPTRON, *LOGISTIC, *DESCENT, *SVM, *KERNELS, *SOFTMAX, *NEWTON, *MORE)
