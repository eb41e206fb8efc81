"""The fast twin of `softmax.fit_softmax`: the same minimum, by the way that suits the data's shape."""

import functools
import math

import numpy as np

from linclass import _rows, softmax
from linclass._fast import block_sums, certificates, kept_hessian, smooth_by_shape
from linclass._fast.kept_hessian import Pace
from linclass._fast.precise import EPS

WIDE = 30  # unknowns from which on a Hessian costs more than the gradients it saves (measured)
SOME, LARGE = 150, 300  # unknowns up to which gradients go close, and from which on a last Hessian is spared: chosen
# Decrements beside the value: how far it pays to go (measured)
EXACT, CLOSE, BY_GRADIENTS, ROUGH = 1e-12, 1e-13, 1e-11, 1e-9
SAMPLE = 2**19  # numbers in a sample (measured)
MOST = 1500  # unknowns up to which a Hessian is taken where all else fails: chosen, 18 MB and some seconds
IN_A_BOUND = 4  # rows to a column, those that curve most, of which a bound is made: few cost little (measured)


def fit_softmax(X, y=None, *, lam=0.0, offset=True, sample_weight=None, progress=True):
    """See `softmax.fit_softmax`."""
    rows = _rows.of(X, y, "classes", progress, sample_weight=sample_weight)
    look = functools.partial(softmax_look, n_classes=len(rows.labels))
    W, history, trouble, *_ = smooth_by_shape.fit(rows, lam, offset, minimise, look)
    return softmax.SoftmaxFit.of(W - W.mean(axis=0), history, trouble, rows, lam)


@np.errstate(over="ignore", invalid="ignore")
def minimise(rows, lam, offset):
    """(w, history, trouble or None, Hessian or None): w has (theta_k, theta_0k) for each class.

    Raises NotRegular where `careful_newton` should decide; with too many unknowns for that, the trouble says so.
    """
    problem = functools.partial(softmax_look, lam=lam, offset=offset, n_classes=len(rows.labels))
    look, history, bound = problem(rows), [], None
    size, enough = len(look.penalty), rows.no_mistake if lam == 0 else 0.0
    count = min(rows.n // 16, max(SAMPLE // size, 10 * size))
    sampled = count >= 10 * size and not rows.sparse
    if sampled:
        found = kept_hessian.from_sample(look, problem, count, history, enough)
    elif size > WIDE or rows.sparse:
        many = MOST if lam > 0 else LARGE  # beyond, a bound says whether less will do
        tol = CLOSE if size <= SOME or rows.d > rows.n else BY_GRADIENTS if size <= many else ROUGH
        metric = smooth_by_shape.metric_at_0(look, lam, offset)
        found = kept_hessian.without_hessian(look, metric, history, tol, enough, MOST)
    else:
        found = kept_hessian.descend(look, np.zeros(size), history, Pace(EXACT, enough, eager=True, beyond=lam > 0))
    if lam > 0 and not sampled and (size > WIDE or rows.sparse):
        bound = functools.partial(certificates.excess_by_penalty, look, lam)
    elif size > LARGE and found[2].H is None and not rows.sparse:
        bound = by_least_probability(look, found[0])
    return smooth_by_shape.proved(look, found, history, lam, bound, MOST)


def by_least_probability(look, at):
    """A bound for too many unknowns for a Hessian, as a function of a point near `at`, its gradient and its value.

    With p the least of an example's probabilities, diag(p) - p p' >= p (1 - 1 1' / k), so H is at least B = sum p x x'
    / n for each class, but for the gauge; and so it is with the sum over some of the rows alone: those of largest p.
    """
    rows, shape = look.rows, (look.classes, len(at) // look.classes)
    size = look.longest * float(np.linalg.norm(at.reshape(shape), axis=1).max())
    sure = max(1 - 4 * (sum(shape) + 4) * (1 + size) * EPS, 0.0)  # less what rounding may have added, here and below

    def least(X, w):
        S = block_sums.scores(X, at.reshape(shape))
        P = np.exp(S - S.max(axis=1, keepdims=True))
        return w * (sure * P.min(axis=1) / P.sum(axis=1))

    (p,) = rows.fold(lambda X, y, w: (least(X, w),), lambda one, other: (np.append(one[0], other[0]),))
    few = rows.chosen(np.sort(np.argsort(p)[-IN_A_BOUND * shape[1] :]))
    B = few.total(lambda X, y, w: (block_sums.gram(X, least(X, w), shape[1] > rows.d),))[0] / rows.n
    lives = B.diagonal() > 0
    if not lives.all():  # only a column that is 0 in all rows has no part in a score
        lives = look.largest[: shape[1]] > 0
        B = B[np.ix_(lives, lives)]
    B.flat[:: len(B) + 1] -= 2 * len(B) * EPS * B.trace()
    curved = np.linalg.eigvalsh(B).min(initial=math.inf)
    if not curved > 0:
        return lambda *point: math.inf
    steep = 1 / math.sqrt(curved)

    def bound(w, g, value):
        G, moved = g.reshape(shape)[:, lives], (w - at).reshape(shape)[:, lives]
        nu = math.sqrt(np.vdot(G.T, np.linalg.solve(B, G.T))) + certificates.hidden_by_rounding(look, w, value) * steep
        rho = math.sqrt(2) * look.longest * steep
        return certificates.faded(nu, rho, math.sqrt(np.vdot(moved @ B, moved)))

    return bound


def softmax_look(rows, lam, offset, n_classes):
    """The softmax risk of the rows as a problem."""
    d, m = rows.d, rows.d + offset
    counts, own = rows.total(lambda X, y, w: block_sums.class_sums(X, y, w, n_classes))
    right = np.column_stack([own, counts])[:, :m] / rows.n
    penalty = np.tile(np.append(np.full(d, lam), 0.0)[:m], n_classes)

    def sums(X, y, w, u, hess):
        return block_sums.softmax_sums(X, w, u.reshape(n_classes, m), offset, hess)

    gauge = functools.partial(_fix_gauge, n_classes=n_classes)
    look = kept_hessian.Look(rows, penalty, sums, right.ravel(), n_classes, gauge)
    at_0 = (right.sum(axis=0) / n_classes - right).ravel()  # where all classes are equally likely
    look.known = np.zeros(len(penalty)), math.log(n_classes) * counts.sum() / rows.n, at_0
    return look


def _fix_gauge(H, n_classes):
    """Add curvature where all classes move alike: the risk is flat there, and the gradient has no part in it."""
    m = len(H) // n_classes
    average = H.diagonal().reshape(n_classes, m).mean(axis=0)
    for j in range(n_classes):
        for k in range(n_classes):
            H[j * m : (j + 1) * m, k * m : (k + 1) * m].flat[:: m + 1] += average
