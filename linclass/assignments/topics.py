"""The nine assignments: which functions of the package each asks for, and for how many points.

The package is the solution. A starter is cut from it with the same signatures and docstrings.
"""

import importlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """One function to write: where the package has it, its points, and what of its answer is compared."""

    module: str
    function: str
    points: int
    parts: tuple = ()  # names of the parts of a tuple, or fields of a result object
    note: str = ""  # what a student needs to know beyond the docstring
    gap: float = 1e-5  # how far from the reference, relative to 1 + its size; wide enough for float32

    @property
    def reference(self):
        """The package's own function, whoever's may be plugged in."""
        from linclass import _plug

        function = getattr(importlib.import_module(f"linclass.{self.module}"), self.function)
        return _plug.own(function)

    @property
    def key(self):
        """Module and function, as in "losses.hinge_loss"."""
        return f"{self.module}.{self.function}"


@dataclass(frozen=True)
class Topic:
    """An assignment."""

    name: str
    title: str
    chapter: str
    goal: str
    tasks: tuple
    given: tuple = ()  # (module, class) of the result objects that the starter imports

    @property
    def points(self):
        """The points of all its functions."""
        return sum(task.points for task in self.tasks)

    def task(self, function):
        """The task of that function, or None."""
        return next((task for task in self.tasks if task.function == function), None)


def _tasks(module, **points):
    return tuple(Task(module, function, value, note=NOTES.get(function, "")) for function, value in points.items())


PAIR = ("theta", "theta_0")
LOSS = "loss.value(z), loss.slope(z) and loss.curvature(z) are given, for an array of margins"
SCORE_LOSS = "loss.value(s, y) and loss.slope(s, y) are given, for arrays and for single numbers"
KINK = "at the kink any number from -1 to 0 is accepted"
ROOT = (
    "return Root(point, converged, steps, history): the last point reached, and as history all points, the start "
    "first. Of a point that is not finite the checks ask only that it is not converged"
)
MINIMUM = (
    "value, grad and hess are functions of x; return Minimum(point, value, converged, steps, history, message): "
    "history has the value at the start and after each step, message is any text. A minimum that the last of the steps "
    "reaches is not counted as converged"
)
DESCENT = (
    "return KernelDescent(alpha, steps, history, message): history is the kernel risk after every m steps and at the "
    "end, message any text; `step`, if given, is called as kernel_sgd_step is (the checks leave it None)"
)
FIT = (
    "return Fit(LinearClassifier(theta, theta_0), False, steps, history, message): steps counts all steps, history has "
    "an entry per epoch, penalty included, message is any text; among equals the best is the first, and the start is "
    "none of them. With offset False, theta_0 is 0 at every step. X and y are arrays; `progress` is not asked for"
)
RULE = "return a function of t = 1, 2, 3, … such as a lambda"
RETURN_PAIR = "return the pair (theta, theta_0)"
WALK = (
    "with `offset` False, theta_0 is 0 at every step, whatever `perceptron_step` makes of it, and a row of zeros is a "
    "mistake in every epoch"
)
STABLE = "scores of thousands must not overflow; S is a table or one row of it, and stays as it is"
NOTES = {
    "inverse_step": RULE,
    "inverse_sqrt_step": RULE,
    "cosines": "neither theta nor a row of X is zero",
    "signed_distances": "theta is not zero",
    "perceptron_slope": KINK,
    "hinge_slope": KINK,
    "dual_objective": "dual has an entry per example, K a row and a column per example",
    "kernel_risk": SCORE_LOSS,
    "kernel_risk_grad": SCORE_LOSS,
    "newton_step": "the checks have Hessians that are singular or far from it, none in between",
    "softmax": STABLE,
    "log_softmax": STABLE,
    "cross_entropy": "logits has a row per example and a column per class",
}

TOPICS = {
    topic.name: topic
    for topic in (
        Topic(
            "margins",
            "What a straight line knows",
            "01-margins",
            "Turn a pair (theta, theta_0) into scores, labels, distances and a rate of mistakes.",
            _tasks(
                "margins",
                scores=2,
                margins=2,
                predict=2,
                signed_distances=3,
                cosines=2,
                zero_one_error=2,
                affine_features=1,
                quadratic_features=2,
            ),
        ),
        Topic(
            "losses",
            "Losses of the margin",
            "04-surrogate-losses",
            "Write the losses that stand in for counting mistakes, and their slopes, so that no input breaks them.",
            _tasks(
                "losses",
                zero_one_loss=1,
                perceptron_loss=1,
                perceptron_slope=1,
                hinge_loss=2,
                hinge_slope=2,
                logistic_loss=3,
                logistic_slope=3,
                exponential_loss=1,
                squared_loss=1,
                squared_slope=1,
                modified_squared_loss=1,
                modified_squared_slope=1,
            ),
        ),
        Topic(
            "perceptron",
            "Learning from mistakes",
            "02-perceptron",
            "Write one step of the perceptron, for both kinds of labels, and the walk that ends when it has learnt.",
            (
                Task("perceptron", "perceptron_step", 4, PAIR, RETURN_PAIR),
                Task("perceptron", "threshold_step", 3, PAIR, f"y is 0 or 1; {RETURN_PAIR}"),
                Task("perceptron", "perceptron_walk", 8, (*PAIR, "history"), WALK),
            ),
        ),
        Topic(
            "logistic",
            "Logistic regression",
            "05-logistic-regression",
            "Write the sigmoid, the likelihood, and the penalised risk with its gradient.",
            (
                *_tasks("logistic", sigmoid=2, log_odds=1, log_likelihood=3),
                Task("risk", "risk", 4, (), LOSS),
                Task("risk", "risk_grad", 6, ("gradient in theta", "derivative in theta_0"), LOSS),
            ),
        ),
        Topic(
            "descent",
            "Descent, one example at a time",
            "08-sgd",
            "Write step rules and stochastic gradient descent, with its penalty, its minibatches and its best iterate.",
            (
                *_tasks("descent", inverse_step=2, inverse_sqrt_step=2),
                Task("descent", "sgd_step", 5, PAIR, LOSS),
                Task("descent", "fit_sgd", 8, (*PAIR, "history", "steps", "converged"), FIT, gap=1e-4),
            ),
            (("linclass.fit", "Fit"), ("linclass.margins", "LinearClassifier")),
        ),
        Topic(
            "svm",
            "Support vector machines",
            "09-support-vector-machines",
            "Write the slacks, the quadratic program and the dual, and translate between C and lambda.",
            (
                *_tasks("conventions", lam_from_C=2, C_from_lam=2),
                *_tasks("svm", slacks=2, margin_width=1, dual_objective=4),
                Task("svm", "quadratic_program", 6, ("H", "c", "A", "b")),
            ),
        ),
        Topic(
            "kernels",
            "Kernels",
            "11-kernels",
            "Write kernels as matrices over all pairs, the kernelised risk, and stochastic descent on it.",
            (
                *_tasks("kernels", linear_kernel=1, polynomial_kernel=3, rbf_kernel=4, min_kernel=1),
                *_tasks("representer", kernel_risk=3, kernel_risk_grad=3),
                Task("representer", "kernel_sgd_step", 4, (), SCORE_LOSS),
                Task("representer", "kernel_sgd", 4, ("alpha",), DESCENT, gap=1e-4),
            ),
            (("linclass.representer", "KernelDescent"),),
        ),
        Topic(
            "softmax",
            "Many classes",
            "13-softmax",
            "Write softmax and cross-entropy so that they neither overflow nor change their input, and their risk.",
            (
                *_tasks("softmax", softmax=3, log_softmax=3, one_hot=1, cross_entropy=3, softmax_risk=3),
                Task("softmax", "softmax_risk_grad", 5, ("gradient in Theta", "derivative in theta_0")),
            ),
        ),
        Topic(
            "newton",
            "Newton's method",
            "14-newton",
            "Write the tangent iteration, the curvature and Hessian of logistic regression, and damped Newton steps.",
            (
                Task("newton", "newton_root", 3, ("point", "converged"), ROOT),
                *_tasks("newton", newton_step=3),
                *_tasks("losses", logistic_curvature=3),
                Task("risk", "risk_hess", 5, (), LOSS),
                Task("newton", "newton", 6, ("point", "converged"), MINIMUM, gap=1e-4),
            ),
            (("linclass.fit", "Minimum"), ("linclass.fit", "Root")),
        ),
    )
}
