"""Versions that no check can tell from the right function, each under the reason why it is the same.

A line is a function and what was changed in it, as `synthesis` says it; "2 x" where two versions have the same words.
"""

SAME = {
    "a number, a vector and a symmetric matrix are their own transposes": """
representer.kernel_risk: `alpha @ K` is transposed
representer.kernel_risk: `K` is transposed
conventions.C_from_lam: the answer is transposed
conventions.lam_from_C: the answer is transposed
descent.fit_sgd: `lam / 2 * now` is transposed, in `value`
2 x logistic.log_likelihood: the answer is transposed
2 x margins.cosines: the answer is transposed
2 x margins.margins: the answer is transposed
2 x margins.predict: the answer is transposed
margins.scores: the answer is transposed
2 x margins.signed_distances: the answer is transposed
2 x margins.zero_one_error: the answer is transposed
newton.newton: `g` is transposed, in `promise`
newton.newton_step: `-np.linalg.pinv(hessian)` is transposed
newton.newton_step: the answer is transposed
2 x perceptron.perceptron_step: `theta` is transposed
perceptron.perceptron_walk: `X[t]` is transposed
perceptron.threshold_step: `theta` is transposed
perceptron.threshold_step: `theta` is transposed, in `h`
representer.kernel_risk: `K` is transposed, in `f`
2 x representer.kernel_risk: `alpha` is transposed
2 x representer.kernel_risk: the answer is transposed
6 x representer.kernel_risk_grad: `K` is transposed
2 x representer.kernel_risk_grad: the answer is transposed
representer.kernel_sgd: `K[i]` is transposed, in `slope`
2 x representer.kernel_sgd_step: `K[i]` is transposed
2 x representer.kernel_sgd_step: the answer is transposed
risk.risk: `lam / 2 * theta` is transposed
risk.risk: the answer is transposed
risk.risk_hess: the answer is transposed
2 x softmax.cross_entropy: the answer is transposed
2 x softmax.softmax_risk: the answer is transposed
svm.dual_objective: `alpha @ K` is transposed
svm.dual_objective: `alpha` is transposed
svm.dual_objective: `dual * y @ K` is transposed
svm.dual_objective: `dual * y` is transposed
2 x svm.dual_objective: the answer is transposed
svm.margin_width: the answer is transposed
svm.slacks: the answer is transposed
""",
    "|-x| is |x|": """
logistic.sigmoid: the argument of `abs` has the wrong sign
losses.logistic_curvature: the argument of `abs` has the wrong sign
losses.logistic_loss: the argument of `abs` has the wrong sign
losses.logistic_slope: the argument of `abs` has the wrong sign
margins.cosines: the argument of `abs` has the wrong sign, in `X`
margins.cosines: the argument of `abs` has the wrong sign, in `theta`
margins.signed_distances: the argument of `abs` has the wrong sign, in `size`
newton.newton: the argument of `abs` has the wrong sign
2 x newton.newton_root: the argument of `abs` has the wrong sign
""",
    "the two values do not depend on each other": """
descent.fit_sgd: the new value of `kept_0` is used where the old one belongs
descent.fit_sgd: the new value of `kept` is used where the old one belongs
descent.fit_sgd: the new value of `theta_0` is used where the old one belongs
descent.fit_sgd: the new value of `theta` is used where the old one belongs
2 x descent.fit_sgd: the new value of `total_0` is used where the old one belongs
2 x descent.fit_sgd: the new value of `total` is used where the old one belongs
descent.sgd_step: the new value of `grad_0` is used where the old one belongs
descent.sgd_step: the new value of `grad` is used where the old one belongs
margins.signed_distances: the new value of `theta_0` is used where the old one belongs
margins.signed_distances: the new value of `theta` is used where the old one belongs
newton.newton: the new value of `H` is used where the old one belongs
newton.newton: the new value of `g` is used where the old one belongs
newton.newton: the new value of `history` is used where the old one belongs
newton.newton: the new value of `x` is used where the old one belongs
newton.newton_root: the new value of `height` is used where the old one belongs
newton.newton_root: the new value of `history` is used where the old one belongs
newton.newton_root: the new value of `rise` is used where the old one belongs
newton.newton_root: the new value of `x` is used where the old one belongs
perceptron.perceptron_step: the new value of `theta_0` is used where the old one belongs
perceptron.perceptron_step: the new value of `theta` is used where the old one belongs
perceptron.perceptron_walk: the new value of `theta_0` is used where the old one belongs
perceptron.perceptron_walk: the new value of `theta` is used where the old one belongs
perceptron.threshold_step: the new value of `theta_0` is used where the old one belongs
perceptron.threshold_step: the new value of `theta` is used where the old one belongs
representer.kernel_sgd: the new value of `alpha` is used where the old one belongs
representer.kernel_sgd: the new value of `history` is used where the old one belongs
""",
    "of the two axes, -1 and 1 name the same": """
margins.quadratic_features: -1 stands where 1 belongs
perceptron.perceptron_walk: -1 stands where 1 belongs
softmax.cross_entropy: -1 stands where 0 belongs
softmax.cross_entropy: `argmax` runs along the rows, which is the wrong way
softmax.cross_entropy: `max` runs along the rows, which is the wrong way, in `largest`
softmax.cross_entropy: `put_along_axis` runs along the rows, which is the wrong way
softmax.cross_entropy: `sum` runs along the rows, which is the wrong way
softmax.cross_entropy: everything runs along the rows, which is the wrong way
softmax.softmax_risk: -1 stands where 0 belongs
softmax.softmax_risk: `argmax` runs along the rows, which is the wrong way
softmax.softmax_risk: `max` runs along the rows, which is the wrong way, in `largest`
softmax.softmax_risk: `put_along_axis` runs along the rows, which is the wrong way
softmax.softmax_risk: `sum` runs along the rows, which is the wrong way
softmax.softmax_risk: everything runs along the rows, which is the wrong way
softmax.softmax_risk_grad: -1 stands where 1 belongs
softmax.softmax_risk_grad: `max` runs along the rows, which is the wrong way
softmax.softmax_risk_grad: `sum` runs along the rows, which is the wrong way
""",
    "it is never negative": """
conventions.C_from_lam: the sign is dropped
conventions.lam_from_C: the sign is dropped
2 x logistic.sigmoid: the sign is dropped
losses.hinge_loss: `1.0 - z` is cut off at 0
losses.logistic_curvature: `1 - p` is cut off at 0
2 x losses.logistic_curvature: the sign is dropped
losses.logistic_loss: the sign is dropped
losses.modified_squared_loss: `1.0 - z` is cut off at 0
losses.modified_squared_loss: the sign is dropped
losses.modified_squared_slope: `1.0 - z` is cut off at 0
losses.squared_loss: the sign is dropped
softmax.cross_entropy: `total - logits[np.arange(len(y)), y]` is cut off at 0
representer.kernel_risk: the sign is dropped
2 x softmax.cross_entropy: the sign is dropped
softmax.one_hot: the sign is dropped
2 x softmax.softmax: the sign is dropped
softmax.softmax_risk: the sign is dropped
softmax.softmax_risk_grad: the sign is dropped
svm.margin_width: the sign is dropped
svm.slacks: `1.0 - y * (X @ theta + theta_0)` is cut off at 0
""",
    "1 / y is y for labels -1 and 1": """
descent.fit_sgd: it is divided by `y[rows]`, not multiplied, in `slope`
descent.sgd_step: it is divided by `y`, not multiplied
descent.sgd_step: it is divided by `y`, not multiplied, in `grad_0`
descent.sgd_step: it is divided by `y`, not multiplied, in `grad`
descent.sgd_step: it is divided by `y`, not multiplied, in `w`
risk.risk_grad: it is divided by `y`, not multiplied
risk.risk_grad: it is divided by `y`, not multiplied, in `w`
risk.risk_grad: it is divided by `y`, not multiplied, in the derivative in theta_0
risk.risk_grad: it is divided by `y`, not multiplied, in the gradient in theta
4 x svm.dual_objective: it is divided by `y`, not multiplied
""",
    "the factor is 1": """
svm.quadratic_program: it is divided by `np.ones((n, 1))`, not multiplied, in `margins`
svm.quadratic_program: it is divided by `np.ones(n)`, not multiplied, in `c`
svm.quadratic_program: the factor `np.ones((n, 1))` is left out, in `margins`
""",
    "steps is not compared: the page says so": """
newton.newton: `made` is counted one too high
newton.newton: `made` is counted one too low
newton.newton: `made` stays at 1
5 x newton.newton_root: `made` is counted one too high
5 x newton.newton_root: `made` is counted one too low
5 x newton.newton_root: `made` stays at 1
""",
    "of two conditions that hold the first one counts": """
margins.predict: 1 stands where 0 belongs
""",
    "it differs only where a score is not a number": """
margins.predict: `s <= 0` always counts as true
margins.zero_one_error: `z <= 0` stands in both cases
""",
    "the scale cancels": """
margins.cosines: it is divided by the square of `np.max(np.abs(X), axis=1)`, in `X`
margins.cosines: it is divided by the square of `np.max(np.abs(theta))`, in `theta`
margins.cosines: it is multiplied by `np.max(np.abs(X), axis=1)`, not divided, in `X`
margins.cosines: it is multiplied by `np.max(np.abs(theta))`, not divided, in `theta`
margins.cosines: it is not divided by `np.max(np.abs(X), axis=1)`, in `X`
margins.cosines: it is not divided by `np.max(np.abs(theta))`, in `theta`
""",
    "the clipping concerns rounding alone": """
margins.cosines: -2 stands where -1 belongs
margins.cosines: 2 stands where 1 belongs
""",
    "at the kink any sub-gradient is right, and at 0 both forms are": """
logistic.sigmoid: `>` stands where `>=` belongs
losses.hinge_slope: `<` stands where `<=` belongs
losses.logistic_slope: `>` stands where `>=` belongs
losses.perceptron_slope: `<` stands where `<=` belongs
""",
    "it is squared": """
kernels.rbf_kernel: `X[:, None, :]` and `Z[None, :, :]` have changed places
losses.squared_loss: `1.0` and `z` have changed places
""",
    "the loss is the logistic one": """
logistic.log_likelihood: the logistic loss stands in the formula whatever `loss` is
""",
    "it differs only where scores are infinite": """
softmax.cross_entropy: `S - largest` stands in both cases, in `D`
softmax.cross_entropy: `S == largest` never counts as true, in `D`
softmax.log_softmax: `S - largest` stands in both cases, in `D`
softmax.log_softmax: `S == largest` never counts as true, in `D`
softmax.softmax: `S - largest` stands in both cases
softmax.softmax: `S == largest` never counts as true
softmax.softmax_risk: `S - largest` stands in both cases, in `D`
softmax.softmax_risk: `S == largest` never counts as true, in `D`
softmax.softmax_risk_grad: `S - largest` stands in both cases
softmax.softmax_risk_grad: `S == largest` never counts as true
""",
    "only the shape of the scores is asked for there": """
softmax.softmax_risk_grad: `theta_0` has the wrong sign
softmax.softmax_risk_grad: `theta_0` is left out
softmax.softmax_risk_grad: the factor `X` is left out
""",
    "not finite is not finite, whatever the sign": """
newton.newton_root: `step` has the wrong sign
newton.newton_root: `x` and `step` have changed places
newton.newton_root: `x` is left out
""",
    "it differs only where both sides are equal to the last digit": """
newton.newton: `<` stands where `<=` belongs
newton.newton: `>=` stands where `>` belongs
""",
    "then the step is 0, and that ends it too": """
newton.newton_root: `height == 0` never counts as true
newton.newton_root: what is to be done if `height == 0` is left out
""",
    "it is the same for z and -z": """
losses.logistic_curvature: the argument of `exp` has the wrong sign
losses.logistic_curvature: the minus before `z` is missing
""",
    "value is not compared: the page says so": """
3 x newton.newton: `value` is asked at the start, and not at the point reached
""",
    "only the side of the line counts": """
2 x margins.predict: the predicted label stands where the score belongs
2 x margins.predict: the score is divided by the length of theta, as for a distance
2 x margins.predict: the sign of the score stands where the score belongs
2 x margins.zero_one_error: the score is divided by the length of theta, as for a distance
2 x margins.zero_one_error: the sign of the score stands where the score belongs
2 x perceptron.perceptron_step: the sign of the score stands where the score belongs
perceptron.perceptron_walk: the sign of the score stands where the score belongs
perceptron.threshold_step: the sign of the score stands where the score belongs
perceptron.threshold_step: the sign of the score stands where the score belongs, in `h`
""",
    "the exponent is never positive": """
2 x kernels.rbf_kernel: the exponent is made negative, by an absolute value
logistic.sigmoid: the exponent is made negative, by an absolute value
2 x losses.logistic_curvature: the exponent is made negative, by an absolute value
losses.logistic_loss: the exponent is made negative, by an absolute value
losses.logistic_slope: the exponent is made negative, by an absolute value
softmax.cross_entropy: the exponent is made negative, by an absolute value, in `E`
softmax.cross_entropy: the exponent is made negative, by an absolute value, in `total`
softmax.log_softmax: the exponent is made negative, by an absolute value
softmax.log_softmax: the exponent is made negative, by an absolute value, in `E`
2 x softmax.softmax: the exponent is made negative, by an absolute value
softmax.softmax_risk: the exponent is made negative, by an absolute value, in `E`
softmax.softmax_risk_grad: the exponent is made negative, by an absolute value
""",
    "the exponential is its own derivative, twice": """
losses.exponential_loss: it is `exponential_curvature` that is computed
""",
    "the changed helper is not what computes: its formula stands in the function": """
softmax.softmax_risk_grad: the absolute value of the score is taken
softmax.softmax_risk_grad: the predicted label stands where the score belongs
softmax.softmax_risk_grad: the sign of the score stands where the score belongs
""",
}
