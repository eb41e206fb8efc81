"""The truth about a fit, in extended precision: is the objective at the returned parameters at its minimum?

The data are taken as the exact numbers that their doubles are. The risk of what a learner returned is compared with
points found by solvers of its own, in hundreds of bits and in columns of one size: Newton's method for the logistic
and softmax risks, an interior point method for the hinge loss. A point with a lower risk proves a certificate false;
for the hinge loss a dual point proves one true, and for the others a Newton decrement next to nothing does.
"""

import functools
import math
import time
import warnings
from dataclasses import dataclass, replace

import flint
import numpy as np
from flint import arb, arb_mat
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from linclass import estimators, kernels, logistic, perceptron, representer, softmax, svm
from linclass._rows import pieces

RELATIVE, ABSOLUTE = 1e-6, 1e-12  # how far above the minimum a certified risk may be
BITS = (400, 1000, 2500)  # tried in turn
NO_MINIMUM = "separable data have no minimum"
SECONDS = 30.0  # for one problem, then it is not judged
ESTIMATORS = {
    "logistic": estimators.LogisticEstimator,
    "softmax": estimators.SoftmaxEstimator,
    "svm": estimators.SVMEstimator,
    "kernel_svm": estimators.KernelSVMEstimator,
    "kernel_logistic": estimators.KernelLogisticEstimator,
    "perceptron": estimators.PerceptronEstimator,
}


@dataclass(frozen=True)
class Verdict:
    """What became of a problem: held, honest, refused, false, raised or not judged."""

    kind: str
    detail: str = ""
    warned: str = ""  # a warning that is not about convergence
    fit: object = None


class NotJudged(Exception):
    """The truth was not found."""


class Imprecise(Exception):
    """More bits are needed."""


def examine(problem):
    """Fit the problem and judge what came out."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            fit = learn(problem)
        except ValueError as error:  # a LinAlgError is one too, but no refusal
            return Verdict("refused" if type(error) is ValueError else "raised", f"{type(error).__name__}: {error}")
        except Exception as error:
            return Verdict("raised", f"{type(error).__name__}: {error}")
    warned = [str(w.message) for w in caught if not issubclass(w.category, ConvergenceWarning)]
    silent = problem.estimator and not fit.converged and len(warned) == len(caught)
    kind, detail = ("false", "no ConvergenceWarning") if silent else judge(problem, fit)
    return Verdict(kind, detail, warned[0] if warned else "", fit)


def learn(problem):
    """The fit of a problem, by the function or the estimator that it names."""
    if problem.estimator and not problem.blocks:
        weights = {} if problem.w is None else {"sample_weight": problem.w}
        return ESTIMATORS[problem.learner](**_options(problem)).fit(rows(problem), problem.y, **weights).fit_
    X, y, given = rows(problem), problem.y, {"offset": problem.offset}
    if problem.learner == "perceptron":
        return perceptron.fit_perceptron(X, y, max_epochs=300, **given)
    given["lam"] = problem.lam
    if not problem.blocks:
        given["sample_weight"] = problem.w
    if problem.kernel:
        learner = getattr(representer, f"fit_{problem.learner}")
        return learner(X, y, kernel_function(problem.kernel), **given)
    if problem.learner == "svm":
        return svm.fit_svm(X, y, **given)
    learner = {"logistic": logistic.fit_logistic, "softmax": softmax.fit_softmax}[problem.learner]
    return _in_blocks(learner, problem, given) if problem.blocks else learner(X, y, **given)


def rows(problem):
    """The rows as a learner gets them."""
    return sparse.csr_array(problem.X) if problem.sparse else problem.X


def _options(problem):
    """The parameters of the estimator."""
    options = {"offset": problem.offset}
    if problem.learner == "perceptron":
        return options | {"max_epochs": 300}
    if problem.kernel:
        options |= {"kernel": problem.kernel[0]} | problem.kernel[1]
    return options | {"lam": problem.lam}


def kernel_function(kernel):
    """The kernel of that name with its parameters."""
    return functools.partial(getattr(kernels, f"{kernel[0]}_kernel"), **kernel[1])


def _in_blocks(learner, problem, given):
    """The fit to a list of blocks that are not gathered, small as they are."""
    columns = [part for part in (problem.X, problem.y, problem.w) if part is not None]
    parts = zip(*(np.array_split(column, problem.blocks) for column in columns), strict=True)
    kept, pieces.PIECE = pieces.PIECE, 1
    try:
        return learner(list(parts), progress=False, **given)
    finally:
        pieces.PIECE = kept


def judge(problem, fit):
    """(kind, detail) of a fit: a certificate held, false or not judged, or none given."""
    if problem.w is not None and np.shape(getattr(fit, "dual", None)) == problem.w.shape:  # not of an estimator
        fit = replace(fit, dual=fit.dual[problem.w > 0])
    problem = without_absent_rows(problem)
    if not fit.converged:
        return "honest", fit.message
    if not all(np.isfinite(values).all() for values in parameters(problem, fit)):
        return "false", "parameters that are not finite"
    if problem.learner == "perceptron":
        return _judge_perceptron(problem, fit)
    end, detail = time.monotonic() + SECONDS, ""
    for bits in BITS:
        try:
            with flint.ctx.workprec(bits):
                task = Task.of(problem, fit)
                return (_judge_hinge if "svm" in problem.learner else _judge_smooth)(task, end)
        except (Imprecise, ZeroDivisionError) as error:
            detail = f"{bits} bits are too few: {error}"
        except NotJudged as error:
            return "not judged", str(error)
    return "not judged", detail


def without_absent_rows(problem):
    """The problem without rows of weight 0, which are not there."""
    if problem.w is None or problem.w.all():
        return problem
    kept = problem.w > 0
    return replace(problem, X=problem.X[kept], y=problem.y[kept], w=problem.w[kept])


def parameters(problem, fit):
    """(theta or alpha, theta_0) as arrays."""
    model = fit.model
    name = "alpha" if problem.kernel else "Theta" if problem.learner == "softmax" else "theta"
    return np.asarray(getattr(model, name), float), np.atleast_1d(np.asarray(model.theta_0, float))


def _judge_perceptron(problem, fit):
    """Are all margins above 0, exactly?"""
    theta, theta_0 = parameters(problem, fit)
    w = [_rational(value) for value in [*theta, *theta_0]]
    for x, label in zip(problem.X, problem.y, strict=True):
        if int(label) * sum((a * _rational(b) for a, b in zip(w, [*x, 1.0], strict=True)), flint.fmpq(0)) <= 0:
            return "false", "a margin that is not above 0"
    return "held", ""


def _rational(value):
    return flint.fmpq(*float(value).as_integer_ratio())


def column(values):
    """A column of exact numbers."""
    return arb_mat(len(values), 1, [v if isinstance(v, arb) else arb(float(v)) for v in values])


def exact(M):
    """A matrix of doubles as exact numbers."""
    return arb_mat(*M.shape, [arb(v) for v in M.ravel().tolist()])


@dataclass(frozen=True)
class Task:
    """The objective sum share loss(A U) + 1/2 sum penalty U^2, the point that was returned, and its value.

    A (n, m) has columns of one size, the offset last; U has a column per class, one in all for two classes. The value
    is that of the returned parameters themselves; U may be other parameters with the same scores where A is deficient.
    """

    A: arb_mat
    y: np.ndarray
    share: list  # of each row: 1/n, or its weight beside the sum of all
    penalty: list
    classes: int  # 0 for labels -1 and +1
    U: arb_mat
    value: arb
    dual: np.ndarray | None  # the fit's own multipliers, between 0 and 1
    note: str = ""  # on what it was judged

    @classmethod
    def of(cls, problem, fit):
        """The task of a fit."""
        X, U, scores, square, note = _kernel_points(problem, fit) if problem.kernel else _linear_points(problem, fit)
        lam, offset = arb(problem.lam), problem.offset
        classes = scores.ncols() if problem.learner == "softmax" else 0
        share = _shares(problem)
        value = _mean_loss(problem.learner, scores, problem.y, share) + lam / 2 * square
        A, U, scale = _scaled(X, U, lam, offset)
        if problem.lam == 0:
            A, U = _independent(A, scores)
            penalty = [arb(0)] * A.ncols()
        else:
            penalty = [lam / (s * s) for s in scale] + [arb(0)] * offset
        dual = getattr(fit, "dual", None)
        if dual is not None:
            dual = dual * problem.lam / np.array([float(s) for s in share])
        return cls(A, problem.y, share, penalty, classes, U, value, dual, note)


def _linear_points(problem, fit):
    """(X, parameters with the offset last, scores, squared length, no note) of a linear model."""
    theta, theta_0 = parameters(problem, fit)
    theta = np.atleast_2d(theta)
    if not problem.offset and theta_0.any():
        raise NotJudged("an offset where there should be none")
    X, T = exact(problem.X), exact(theta.T)
    scores = X * T + exact(np.tile(theta_0, (len(problem.X), 1)))
    U = exact(np.r_[theta.T, theta_0[None, :]] if problem.offset else theta.T)
    return X, U, scores, sum((t * t for t in T.entries()), arb(0)), ""


def _kernel_points(problem, fit):
    """(features F with K = F F', parameters, scores, squared length, note) of a kernel model.

    K is the Gram matrix in doubles, or where rounding has made that indefinite, the one that the kernel has exactly.
    """
    alpha, theta_0 = parameters(problem, fit)
    alpha, rounded = column(alpha), kernel_function(problem.kernel)(problem.X, problem.X)
    K = exact((rounded + rounded.T) / 2)
    F, note = _features(K), ""
    if F is None:
        K, note = _exact_gram(problem), " (on the exact Gram matrix: in doubles it is indefinite)"
        F = exact(problem.X) if problem.kernel[0] == "linear" else _features(K)
    if F is None:
        raise Imprecise("a Gram matrix that is not positive semidefinite")
    f = K * alpha
    scores = f + column(np.full(len(problem.y), theta_0[0]))
    theta = (F.transpose() * alpha).entries() + [arb(theta_0[0])] * problem.offset
    return F, column(theta), scores, (alpha.transpose() * f)[0, 0], note


def _exact_gram(problem):
    """The kernel's values to all bits."""
    X, (name, given) = exact(problem.X), problem.kernel
    G = X * X.transpose()
    if name == "linear":
        return G
    n = len(problem.X)
    if name == "polynomial":
        constant, degree = arb(given["constant"]), given["degree"]
        return arb_mat(n, n, [_power(g + constant, degree) for g in G.entries()])
    twice = 2 * arb(given["tau"]) ** 2
    return arb_mat(n, n, [((2 * G[i, j] - G[i, i] - G[j, j]) / twice).exp() for i in range(n) for j in range(n)])


def _power(v, exponent):
    """v to a whole power, as a product: of a ball around 0 `**` makes no number."""
    return math.prod([v] * exponent)


def _features(K):
    """F with K = F F' but for the last half of the bits, by Cholesky with pivots; None if K is indefinite."""
    n, tiny = K.nrows(), arb(2) ** (-flint.ctx.prec // 2)
    rest = [[v.mid() for v in row] for row in K.tolist()]
    size = [rest[i][i].sqrt() if rest[i][i] > 0 else arb(0) for i in range(n)]
    if any(size[i] == 0 and any(v != 0 for v in rest[i]) for i in range(n)):
        return None
    rest = [
        [(v / (a * b)).mid() if v != 0 else v for v, b in zip(row, size, strict=True)]
        for row, a in zip(rest, size, strict=True)
    ]
    columns, left = [], [i for i in range(n) if size[i] > 0]
    while left:
        pivot = max(left, key=lambda i: float(rest[i][i]))
        if not rest[pivot][pivot] > tiny:
            break
        left.remove(pivot)
        root = rest[pivot][pivot].sqrt()
        new = {i: (rest[i][pivot] / root).mid() for i in left}
        for i in left:
            for j in left:
                rest[i][j] = (rest[i][j] - new[i] * new[j]).mid()
        columns.append([root * size[i] if i == pivot else new.get(i, arb(0)) * size[i] for i in range(n)])
    if any(abs(rest[i][j]) > 4 * tiny for i in left for j in left):
        return None
    columns = columns or [[arb(0)] * n]
    return arb_mat(columns).transpose()


def _scaled(X, U, lam, offset):
    """(A, U, scales): the columns divided by what makes their curvature about 1, with ones for the offset."""
    d, rows, scale = X.ncols(), X.tolist(), []
    for j in range(d):
        size = _maximum([abs(row[j]) for row in rows] + [lam.sqrt()])
        scale.append(_power_of_two(size) if size > 0 else arb(1))
    A = [[row[j] / scale[j] for j in range(d)] + [arb(1)] * offset for row in rows]
    table = U.tolist()
    U = [[u * scale[j] for u in table[j]] for j in range(d)] + table[d:]
    return arb_mat(A).mid(), arb_mat(U), scale


def _power_of_two(size):
    """The next power of two: a division by it is exact, and so columns that are dependent stay so."""
    mantissa, exponent = size.mid().man_exp()
    return arb(2) ** (int(exponent) + int(mantissa).bit_length())


def _maximum(values):
    """The largest, up to the radius of the balls."""
    return functools.reduce(lambda a, b: a.max(b), values)


def _independent(A, scores):
    """(B, U): columns of A of full rank, told modulo a large prime, and parameters that give the scores with them."""
    prime, entries = 2**61 - 1, []
    for value in A.entries():
        mantissa, exponent = value.man_exp()
        entries.append(int(mantissa) * pow(2, int(exponent), prime) % prime)
    reduced, rank = flint.nmod_mat(A.nrows(), A.ncols(), entries, prime).rref()
    pivots = [next(j for j in range(A.ncols()) if reduced[i, j] != 0) for i in range(rank)]
    rows = A.tolist()
    B = arb_mat([[row[j] for j in pivots] for row in rows]) if pivots else arb_mat(A.nrows(), 1)
    if not pivots:
        return B, arb_mat(1, scores.ncols())
    transposed = B.transpose()
    return B, (transposed * B).solve(transposed * scores).mid()


def _shares(problem):
    """The share of each row in the mean."""
    w = [arb(float(v)) for v in (np.ones(len(problem.y)) if problem.w is None else problem.w)]
    total = sum(w, arb(0))
    return [v / total for v in w]


def _mean_loss(learner, scores, y, share):
    """The mean of the loss that the learner has, rows by their share."""
    rows = scores.tolist()
    if learner == "softmax":
        values = [_cross_entropy(row, int(k)) for row, k in zip(rows, y, strict=True)]
    else:
        loss = _hinge if "svm" in learner else _logistic
        values = [loss(row[0] if label > 0 else -row[0]) for row, label in zip(rows, y, strict=True)]
    return sum((s * v for s, v in zip(share, values, strict=True)), arb(0))


def _hinge(z):
    return (1 - z).max(arb(0))


def _logistic(z):
    return (-z).exp().log1p() if z > 0 else z.exp().log1p() - z


def _cross_entropy(row, k):
    """log sum exp(s_j - s_k)."""
    leads = [s - row[k] for s in row]
    top = max(leads, key=lambda v: v.mid())
    return top + sum(((v - top).exp() for v in leads), arb(0)).log()


def tolerance(minimum):
    """How far above the minimum a certified risk may be."""
    return (RELATIVE * minimum).max(arb(ABSOLUTE))


def _small(value, bound):
    """Is it below the bound beyond doubt? Raise if the bits do not tell."""
    if not value.is_finite() or not (value <= bound or value > bound):
        raise Imprecise("a difference within its own rounding")
    return bool(value <= bound)


def _excess(task, minimum):
    """A line that says how far above the minimum the returned parameters are."""
    above = task.value - minimum
    relative = f"relative excess at least {float(above / minimum):.2g}"
    return f"risk {float(task.value):.9g}, minimum at most {float(minimum):.9g}, {relative}{task.note}"


# The logistic and the softmax risk: Newton's method.


def _judge_smooth(task, end):
    """(kind, detail) for the logistic or the softmax risk: Newton's method from what was returned, or from 0."""
    U, attained, steps = task.U.mid(), any(p > 0 for p in task.penalty), 0
    U, zero = _centred(U) if task.classes else U, arb_mat(U.nrows(), U.ncols())
    value, U = min(((_smooth_value(task, start), start) for start in (U, zero)), key=lambda pair: pair[0].mid())
    while time.monotonic() < end:
        if not _small(task.value - value, tolerance(value)):
            return "false", _excess(task, value)
        if not attained and all(value < s * arb(2).log() for s in task.share):
            return "false", NO_MINIMUM
        if attained and task.value <= ABSOLUTE:
            return "held", ""
        step, decrement = _newton_step(task, U)
        moved = float(_maximum([abs(v) for v in (task.A * step).entries()]))
        if moved < 1e-8 and decrement < 1e-12 * value:
            held = _small(task.value - (value - decrement), tolerance(value - decrement))
            return ("held", "") if held else ("false", _excess(task, value))
        steps += 1
        if steps > 120 and not attained and decrement < 1e-20 * value:
            return "false", f"quasi-{NO_MINIMUM}"
        U, value = _downhill(task, U, step, value, decrement)
    raise NotJudged(f"no minimum after {steps} steps of Newton's method")


def _centred(U):
    """The parameters less their mean over the classes."""
    return arb_mat([[u - sum(row, arb(0)) / len(row) for u in row] for row in U.tolist()]).mid()


def _smooth_value(task, U):
    """The objective."""
    learner = "softmax" if task.classes else "logistic"
    penalty = sum((p * u * u for p, row in zip(task.penalty, U.tolist(), strict=True) for u in row), arb(0))
    return _mean_loss(learner, task.A * U, task.y, task.share) + penalty / 2


def _downhill(task, U, step, value, decrement):
    """(U, value) after the first of the steps 1, 1/2, 1/8, 1/64 … that lowers the value enough."""
    length = arb(1)
    for k in range(1, 60):
        new = (U - step * length).mid()
        lower = _smooth_value(task, new)
        if lower < value - length * decrement / 4:
            return new, lower
        length = length / 2**k
    raise Imprecise("no step of Newton's method goes down")


def _newton_step(task, U):
    """(step, decrement): H step = gradient, and gradient . step."""
    residuals, weights = (_softmax_slopes if task.classes else _logistic_slopes)(task, (task.A * U).tolist())
    n, m, k = task.A.nrows(), task.A.ncols(), len(residuals[0])
    transposed, rows = task.A.transpose(), task.A.tolist()
    residuals = [[s * r for r in row] for s, row in zip(task.share, residuals, strict=True)]
    gradient = (transposed * arb_mat(residuals)).tolist()
    gradient = [gradient[j][c] + task.penalty[j] * U[j, c] for c in range(k) for j in range(m)]
    H = arb_mat(k * m, k * m)
    for (a, b), w in weights.items():
        block = (transposed * arb_mat([[task.share[t] * w[t] * v for v in rows[t]] for t in range(n)])).tolist()
        for i in range(m):
            for j in range(m):
                # Where all classes move alike the risk is flat, and the gradient has no part: any curvature will do.
                extra = (task.penalty[i] if a == b else arb(0)) + (arb(1) / k if task.classes else arb(0))
                H[a * m + i, b * m + j] = H[b * m + j, a * m + i] = block[i][j] + (extra if i == j else arb(0))
    step = H.mid().solve(column(gradient))
    decrement = sum((g * s for g, s in zip(gradient, step.entries(), strict=True)), arb(0))
    blurred = decrement.rad() > 1e-6 * abs(decrement) and decrement.abs_upper() > arb(2) ** -200
    if blurred or not decrement.is_finite():
        raise Imprecise("a Hessian that is nearly singular")
    step = [s.mid() for s in step.entries()]
    return arb_mat([[step[c * m + j] for c in range(k)] for j in range(m)]), decrement.abs_upper()


def _logistic_slopes(task, rows):
    """(slopes of the losses in the scores, their curvatures)."""
    slopes, curvature = [], []
    for row, label in zip(rows, task.y, strict=True):
        e = (-abs(row[0])).exp()
        wrong = 1 / (1 + e) if (row[0] < 0) == (label > 0) else e / (1 + e)
        slopes.append([-wrong if label > 0 else wrong])
        curvature.append(e / (1 + e) ** 2)
    return slopes, {(0, 0): curvature}


def _softmax_slopes(task, rows):
    """The same for the cross-entropy, with a curvature for each pair of classes."""
    shares = []
    for row in rows:
        top = max(row, key=lambda v: v.mid())
        E = [(s - top).exp() for s in row]
        total = sum(E, arb(0))
        shares.append([e / total for e in E])
    k = len(rows[0])
    slopes = [[p - (c == label) for c, p in enumerate(row)] for row, label in zip(shares, task.y, strict=True)]
    others = [[sum(row[:c] + row[c + 1 :], arb(0)) for c in range(k)] for row in shares]  # 1 - p, to all digits
    for row, rest, label in zip(slopes, others, task.y, strict=True):
        row[int(label)] = -rest[int(label)]
    pairs = ((a, b) for a in range(k) for b in range(a, k))
    return slopes, {
        (a, b): [row[a] * (rest[a] if a == b else -row[b]) for row, rest in zip(shares, others, strict=True)]
        for a, b in pairs
    }


# The hinge loss: an interior point method, whose points bound the minimum from both sides.


def _judge_hinge(task, end):
    """(kind, detail) for the hinge loss: by the fit's own multipliers, or by a primal and a dual point found here."""
    signs = [1 if label > 0 else -1 for label in task.y]
    if task.value <= ABSOLUTE:
        return "held", ""
    if task.dual is not None and np.isfinite(task.dual).all():
        pulls = [arb(float(v)) for v in np.clip(task.dual, 0.0, 1.0)]
        lower = _dual_value(task, signs, pulls)
        if task.value - lower <= tolerance(lower):
            return "held", ""
    for upper, lower in _interior_points(task, signs, end):
        if task.value - lower <= tolerance(lower):
            return "held", ""
        if task.value - upper > tolerance(upper):
            return "false", _excess(task, upper)
    raise NotJudged("the bounds on the minimum stayed apart")


def _dual_value(task, signs, pulls):
    """A lower bound of the minimum: mean pull - 1/2 sum (A' y share pull)^2 / penalty, with pulls that balance."""
    m = task.A.ncols()
    if not task.penalty[-1] > 0:
        pulls = _balanced(task, signs, pulls)
    force = _force(task, signs, pulls)
    square = sum((_power(force[j], 2) / task.penalty[j] for j in range(m) if task.penalty[j] > 0), arb(0))
    return sum((s * a for s, a in zip(task.share, pulls, strict=True)), arb(0)) - square / 2


def _force(task, signs, pulls):
    """A' y share pull."""
    pulled = [y * s * a for y, s, a in zip(signs, task.share, pulls, strict=True)]
    return (task.A.transpose() * column(pulled)).entries()


def _balanced(task, signs, pulls):
    """The pulls of the class that pulls harder, shortened until both pull alike."""
    rows = list(zip(task.share, pulls, signs, strict=True))
    total = {y: sum((s * a for s, a, sign in rows if sign == y), arb(0)) for y in (1, -1)}
    least = total[1].min(total[-1])
    share = {y: (least / total[y]).min(arb(1)) if total[y] > 0 else arb(0) for y in (1, -1)}
    return [share[y] * a for y, a in zip(signs, pulls, strict=True)]


def _primal_value(task, signs, U):
    """The objective, with the best offset where there is one."""
    offset = not task.penalty[-1] > 0
    scores = (task.A * column(U)).entries()
    if offset:
        corners = [(y - s, y, share) for y, s, share in zip(signs, scores, task.share, strict=True)]
        left = sum((share for _, y, share in corners if y > 0), arb(0))
        for best, _, share in sorted(corners, key=lambda corner: corner[0].mid()):  # noqa: B007
            left -= share
            if not left > 0:
                break
        scores = [s + best for s in scores]
    rows = zip(signs, scores, task.share, strict=True)
    loss = sum((share * _hinge(y * s) for y, s, share in rows), arb(0))
    return loss + sum((p * u * u for p, u in zip(task.penalty, U, strict=True)), arb(0)) / 2


def _interior_points(task, signs, end):
    """(upper, lower) bounds of the minimum, closer and closer, by the predictor and corrector of Mehrotra.

    pull_t in (0, 1) goes with the excess s_t = z_t - 1 + slack_t > 0, and 1 - pull_t with slack_t > 0.
    """
    U, pull, slack = _start(task, signs)
    z = _margins(task, signs, U)
    s = [a - 1 + b for a, b in zip(z, slack, strict=True)]
    for _ in range(400):
        if time.monotonic() > end:
            return
        yield _primal_value(task, signs, U), _dual_value(task, signs, pull)
        now = _products(pull, slack, s)
        solve = _linear_system(task, signs, (U, pull, slack, s))
        guess = solve(*([-p for p in products] for products in now))
        after = _products(*_moved((pull, slack, s), guess[1:], _longest(guess, pull, slack, s, 1.0)))
        centre, ahead = (sum(first + second, arb(0)) / (2 * len(s)) for first, second in (now, after))
        aim = ahead**3 / centre**2
        found = solve(
            [aim - p - da * db for p, da, db in zip(now[0], guess[1], guess[3], strict=True)],
            [aim - p + da * db for p, da, db in zip(now[1], guess[1], guess[2], strict=True)],
        )
        length = _longest(found, pull, slack, s, 0.995)
        U, pull, slack, s = _moved((U, pull, slack, s), found, length)


def _products(pull, slack, s):
    """What is 0 at the minimum: pull s and (1 - pull) slack."""
    return [a * b for a, b in zip(pull, s, strict=True)], [(1 - a) * b for a, b in zip(pull, slack, strict=True)]


def _moved(point, change, length):
    """The parts of a point, each moved by its change."""
    return tuple(
        [(v + length * by).mid() for v, by in zip(part, step, strict=True)]
        for part, step in zip(point, change, strict=True)
    )


def _margins(task, signs, U):
    return [y * v for y, v in zip(signs, (task.A * column(U)).entries(), strict=True)]


def _start(task, signs):
    """(U, pull, slack): pulls so weak that no margin is beyond 1, and slacks that make up for it."""
    n, m = task.A.nrows(), task.A.ncols()
    pull = _balanced(task, signs, [arb(0.5)] * n) if not task.penalty[-1] > 0 else [arb(0.5)] * n
    force = _force(task, signs, pull)
    U = [force[j] / task.penalty[j] if task.penalty[j] > 0 else arb(0) for j in range(m)]
    largest = _maximum([abs(v) for v in _margins(task, signs, U)]).max(arb(1))
    return [(u / largest).mid() for u in U], [(a / largest).mid() for a in pull], [arb(3)] * n


def _linear_system(task, signs, point):
    """The solver of Newton's equations at a point, for any right sides of the two kinds of products."""
    U, pull, slack, s = point
    m, transposed = task.A.ncols(), task.A.transpose()
    weight = [1 / (e / a + x / (1 - a)) for a, x, e in zip(pull, slack, s, strict=True)]
    rows = zip(task.share, weight, task.A.tolist(), strict=True)
    H = transposed * arb_mat([[share * w * v for v in row] for share, w, row in rows])
    for j in range(m):
        H[j, j] = H[j, j] + task.penalty[j]
    inverse = H.mid().inv().mid()
    force = _force(task, signs, pull)
    left = [f - p * u for f, p, u in zip(force, task.penalty, U, strict=True)]
    short = [z - 1 + x - e for z, x, e in zip(_margins(task, signs, U), slack, s, strict=True)]

    def solve(first, second):
        g = [f / a - r / (1 - a) - t for f, r, t, a in zip(first, second, short, pull, strict=True)]
        pushed = _force(task, signs, [w * v for w, v in zip(weight, g, strict=True)])
        dU = (inverse * column([a + b for a, b in zip(left, pushed, strict=True)])).mid()
        dz = [y * v for y, v in zip(signs, (task.A * dU).entries(), strict=True)]
        dpull = [(w * (v - d)).mid() for w, v, d in zip(weight, g, dz, strict=True)]
        dslack = [((r + x * d) / (1 - a)).mid() for r, x, d, a in zip(second, slack, dpull, pull, strict=True)]
        ds = [((f - e * d) / a).mid() for f, e, d, a in zip(first, s, dpull, pull, strict=True)]
        return dU.entries(), dpull, dslack, ds

    return solve


def _longest(change, pull, slack, s, share):
    """The length of a step that keeps all that is positive so, at most 1."""
    _, dpull, dslack, ds = change
    length = arb(1)
    for value, by in (*zip(pull, dpull, strict=True), *zip(slack, dslack, strict=True), *zip(s, ds, strict=True)):
        if by < 0 and -by * length > share * value:
            length = (-share * value / by).mid()
    for value, by in zip(pull, dpull, strict=True):
        if by > 0 and by * length > share * (1 - value):
            length = (share * (1 - value) / by).mid()
    return length
