"""What proves an answer, computed from the parameters returned, on the data given, with rounding counted in.

**Smooth risks** (logistic, softmax). With gradient g and Hessian H at a point, nu^2 = g' H^-1 g, and rho the most by
which a margin (for classes: a difference of two scores) can change along a ray of length 1 in the norm of H, the risk h
on any ray has |h'''| <= rho h'', hence h'(s) >= -nu + (1 - e^(-rho s)) / rho (Bach 2010). If nu rho < 1, it rises in
the end on every ray, so there is a minimum, and it is nu^2 / 2 below or little more. Three things make that a proof in
double precision: what rounding may hide in g is added to nu; a smaller matrix than H may stand for it; and examples
with next to no loss may be left out, as they can only raise the minimum.
"""

import math

import numpy as np

from linclass import newton
from linclass._fast import kept_hessian, precise
from linclass._fast.block_sums import scores
from linclass._rows import in_memory
from linclass.newton import near_enough

RISING = 0.9  # nu rho up to which a ray is said to rise, as it does below 1: chosen
FADED = 100.0  # as far as curvature may fade, in powers of e, before the bound says nothing anyway
ROUNDINGS = 12  # of a pull in units of eps: of an exponential, two quotients, a product, and its weight; counted
FURTHER, ROUNDS = 0.3, 12  # of the decrement, where a certificate fell short, and how often: chosen
NEGLIGIBLE = 1e-12  # an example is left out if its loss is below this share of the mean, and its pull below this


def excess(g, noise, H, largest):
    """A bound on how far a smooth risk is above its minimum; inf where nothing proves that there is one.

    `noise` bounds what rounding may hide in each entry of g, `largest` the entries in each column of the features (for
    classes: once for each class), so that rho^2 = max a' H^-1 a <= largest' |H^-1| largest.
    """
    if len(g) == 0:
        return 0.0
    try:
        inverse = kept_hessian.inverse(H)
    except kept_hessian.NotRegular:
        return math.inf
    size = np.abs(inverse)
    nu = math.sqrt(max(g @ inverse @ g, 0.0)) + math.sqrt(noise @ size @ noise)
    return newton.excess_bound(nu, math.sqrt(largest @ size @ largest))


def faded(nu, rho, far):
    """The bound of nu and rho, which are of a point at a distance `far`.

    h' >= -nu + (1 - e^(-rho s)) / rho is 0 at the latest where e^(-rho s) = 1 - nu rho, if nu rho < 1. Up to there it
    sums up to -(x + (1 - x) log(1 - x)) / rho^2 with x = nu rho; while x <= 1/2, that is hardly more than -nu^2 / 2.
    """
    more = math.exp(min(rho * far, FADED))
    nu, rho, x = nu * more, rho * more, nu * rho * more**2
    return (x + (1 - x) * math.log1p(-x)) / rho**2 if 0.5 < x <= RISING else newton.excess_bound(nu, rho)


def excess_by_shape(look, metric, w, g, value):
    """`excess` at w where a risk is looked at: from the longest row if that does, else from the columns.

    The first is known already. In the norm of H a row is at most as long as that times |H^-1|^(1/2), of which the
    largest sum of sizes in a row of H^-1 is a bound; a difference of two classes is sqrt(2) times as long. H is of the
    point where the metric was made: along the way from there no curvature falls faster than e^(-rho s).
    """
    size, moved = np.abs(metric.base), w - metric.at
    nu, far = math.sqrt(max(g.dot(metric.base.dot(g)), 0.0)), math.sqrt(max(moved.dot(metric.H.dot(moved)), 0.0))
    if look.longest is not None:
        steep = math.sqrt(size.sum(axis=0).max())
        rho = look.longest * steep * (math.sqrt(2) if look.classes > 1 else 1.0)
        bound = faded(nu + hidden_by_rounding(look, w, value) * steep, rho, far)
        if bound <= near_enough(value):
            return bound
    rho = math.sqrt(look.largest.dot(size.dot(look.largest)))
    return faded(nu + _rounding(look, float(look.largest.dot(np.abs(w))), value) * rho, rho, far)


def excess_by_penalty(look, lam, w, g, value):
    """The same from the penalty alone, where a Hessian would cost too much: the duality gap, by two passes.

    An example with probabilities p pulls at the scores with r = p - e_y. For any probabilities p' whose pulls r' add up
    to 0, if there is an offset, the risk is above its minimum by at most (Fenchel's inequality)

        sum KL(p' | p) / n + |sum r' x' / n + lam Theta|^2 / (2 lam).

    Taken are r' = v r with a factor v <= 1 for each class, and what rounding may change is added: of a sum of n
    numbers, of factors that are known as well as such sums are, of probabilities by scores that are c off.
    """
    rows, k, W = look.rows, look.classes, w.reshape(look.classes, -1)
    size = look.longest * float(np.linalg.norm(W, axis=1).max())
    c, classes = (W.shape[1] + 4) * size * precise.EPS, max(k, 2)
    off = 4 * classes * (rows.n + classes) * precise.EPS
    G, share, spent, v = g, min(value, 1.0) if k == 1 else 1.0, 0.0, np.ones(classes)
    if W.shape[1] > rows.d:
        v = balancing(rows, W)
        if not v.min() > 0:  # a class without any pull left
            return math.inf
        spent, share, pull = rows.total(lambda X, *of: _spent(X, *of, W, v))
        G, spent, share = lam * W[:, : rows.d] + pull / rows.n, spent / rows.n, share / rows.n
    spent += 4 * c * (1 - v.min() + 6 * c) * share if c < 0.5 else math.inf
    hidden = off * math.sqrt(2) * look.longest * share + 2 * precise.EPS * lam * float(np.linalg.norm(W))
    return spent + (float(np.linalg.norm(G)) + hidden) ** 2 / (2 * lam)


def balancing(rows, W):
    """The factors, 1 for one class and less for the others, by which the pulls of all rows add up to 0.

    With T_cj the pull of the examples of class c towards class j they solve v T = 0: they are the shares of time that a
    chain with such rates spends in each state, here without any difference (Grassmann, Taksar and Heyman 1985).
    """
    T = rows.total(lambda X, y, w: (_between(X, y, w, W),))[0]
    v = np.ones(len(T))
    with np.errstate(divide="ignore", invalid="ignore"):
        for j in range(len(T) - 1, 0, -1):
            T[:j, j] /= T[j, :j].sum()
            T[:j, :j] += np.outer(T[:j, j], T[j, :j])
        for j in range(1, len(T)):
            v[j] = v[:j] @ T[:j, j]
    return v / v.max()


def _between(X, y, w, W):
    """Summed over the rows of each class, their pulls towards every class."""
    R = _times(w, residuals(scores(X, W), y)[1])
    R = R if len(W) > 1 else np.hstack([R, -R])
    return (numbers(y, W) == np.arange(R.shape[1])[:, None]) @ R


def numbers(y, W):
    """Classes as numbers; of two, +1 comes first."""
    return y if len(W) > 1 else (y < 0).astype(int)


@np.errstate(divide="ignore")
def _spent(X, y, w, W, v):
    """Summed over rows: (divergences of the scaled probabilities, those of a mistake, scaled pulls times rows)."""
    loss, R = residuals(scores(X, W), y)[:2]
    v, mistake = v[numbers(y, W)], -np.expm1(-loss)
    less, more = np.log(v), np.logaddexp(0.0, np.log((1 - v) * mistake) + loss)
    divergence = v * mistake * less + (1 - v * mistake) * more
    return float(np.sum(w * divergence)), float(np.sum(w * mistake)), (_times(w, R) * v[:, None]).T @ X


def _times(w, R):
    """Each row of R times its weight."""
    return R * w[:, None] if np.ndim(w) else R


def further(look, w, g, metric, history, bound):
    """(w, gradient, is it proved?), where gradients have led, or a little further if that is what a `bound` needs."""
    for _ in range(ROUNDS):
        if bound(w, g, history[-1]) <= near_enough(history[-1]):
            return w, g, True
        if not history[-1] > 0:
            break
        tol = FURTHER * float(g @ metric.direction(g)) / -2 / history.pop()
        w, g, metric, _ = kept_hessian.attempt(look, w, history, kept_hessian.Pace(tol, most=100), metric)
    return w, g, bound(w, g, history[-1]) <= near_enough(history[-1])


def holds(look, metric, w, g, value):
    """Does the Hessian that the metric knows of certify a point?"""
    return excess_by_shape(look, metric, w, g, value) <= near_enough(value)


def settle(look, w, history):
    """One full Newton step from w, certified with the Hessian before it: (w after it, that Hessian).

    At a minimum the step all but removes what is left of the decrement. Raises NotRegular without a certificate.
    """
    _, g, H = look(w, True)
    metric = kept_hessian.Metric(kept_hessian.inverse(H), H=H, at=w)
    w = w + metric.direction(g)
    value, g, _ = look(w, False)
    if not holds(look, metric, w, g, value):
        raise kept_hessian.NotRegular
    history.append(value)
    return w, H


def hidden_by_rounding(look, w, value):
    """The length of what rounding may hide in the gradient, from the longest row alone."""
    W = w.reshape(look.classes, -1)
    size = look.longest * float(np.linalg.norm(W, axis=1).max())
    return math.sqrt(look.classes) * look.longest * _rounding(look, size, value)


def _rounding(look, size, value):
    """What rounding, of parameters too, may change a derivative in a score by, whose terms add up to `size` at most.

    Of two classes the mean over the rows will do: a pull is at most 1, and at most the loss, and where scores change by
    c up to 1/2, it changes by less than 4c of itself.
    """
    change = ((len(look.penalty) // look.classes + 4) * size + ROUNDINGS) * precise.EPS
    return change * min(1.0, 4 * value) if look.classes == 1 and change < 0.5 else change


class Evidence:
    """Gradient, its noise, Hessian and reach of a smooth risk in the coordinates of a frame, at given parameters.

    W has a row (theta_k, theta_0k) for each class, centred, or one row for two classes; `product` is one of `precise`.
    The risk does not change if all classes move alike, so they are measured from one of them, that of most curvature.
    """

    def __init__(self, rows, W, frame, lam, value, product):
        self.W, self.frame, (k, r) = W, frame, (len(W), frame.M.shape[1])
        (loss, self.left_out, g, noise, H), (reach, worst, self.sizes) = rows.fold(
            lambda X, y, w: _seen(X, y, w, W, frame, NEGLIGIBLE * value, product), _join
        )
        n, d, M = rows.n, rows.d, frame.on_theta()
        Theta = W[:, :d]
        self.value = loss / n + lam / 2 * float(np.vdot(Theta, Theta))
        self.left_out /= n
        g, noise = g / n + lam * Theta @ M, noise / n + (d + 2) * precise.EPS * lam * np.abs(Theta) @ np.abs(M)
        others = np.arange(k) != H.diagonal().reshape(k, r).sum(axis=1).argmax() if k > 1 else np.ones(1, bool)
        self.T = (np.eye(k) - 1 / k)[:, others] if k > 1 else np.ones((1, 1))
        own = np.repeat(others, r)
        self.g = (self.T.T @ g).ravel()
        self.noise = (np.abs(self.T.T) @ noise).ravel() if worst < 1 else np.full(len(self.g), math.inf)
        self.H = H[np.ix_(own, own)] / n + np.kron(self.T.T @ self.T, lam * M.T @ M)
        self.reach = np.tile(reach, others.sum())

    def excess(self):
        """A bound on how far the risk is above its minimum."""
        return self.left_out + excess(self.g, self.noise, self.H, self.reach)

    def step(self):
        """The Newton step from here, in the parameters."""
        du = -kept_hessian.inverse(self.H) @ self.g
        theta, theta_0 = self.frame.parameters(self.T @ du.reshape(self.T.shape[1], -1))
        return np.column_stack([theta, theta_0])[:, : self.W.shape[1]]


def _join(one, other):
    """Sums and maxima of two blocks."""
    return in_memory.add(one[0], other[0]), in_memory.larger(one[1], other[1])


def _seen(X, y, w, W, frame, negligible, product):
    """(sums, maxima) over the rows of one block that `Evidence` is made of."""
    (n, d), k = X.shape, len(W)
    A = np.column_stack([X, np.ones(n)]) if W.shape[1] > d else X
    S, hidden = (np.column_stack(part) for part in zip(*(product(A, row) for row in W), strict=True))
    hidden = hidden.max(axis=1)
    loss, R, P, Q = residuals(S, y)
    loss, R = w * loss, _times(w, R)
    Z, blur = _features(X, A, frame, product)
    # A huge row may hold the parameters in place with next to no loss.
    kept = (loss > negligible) | (np.abs(R).max(axis=1) * np.abs(Z).max(axis=1, initial=0.0) > NEGLIGIBLE)
    R, P = R * kept[:, None], P * kept[:, None]
    noise = np.abs(R).T @ (blur + (np.expm1(3 * hidden) + ROUNDINGS * precise.EPS)[:, None] * np.abs(Z))
    V = _times(np.sqrt(w), Z)
    ZP = (P[:, :, None] * V[:, None, :]).reshape(n, -1)
    H = -ZP.T @ ZP
    for j in range(k):
        own = slice(j * Z.shape[1], (j + 1) * Z.shape[1])
        H[own, own] = ZP[:, own].T @ (Q[:, j : j + 1] * V)  # not Z'PZ - Z'P^2 Z, which cancels where p is nearly 1
    reach = np.abs(Z[kept]).max(axis=0, initial=0.0)
    worst = hidden[kept].max(initial=0.0)
    return (loss.sum(), loss[~kept].sum(), R.T @ Z, noise, H), (reach, worst, in_memory.column_maxima(X))


def _features(X, A, frame, product):
    """(the features in the frame, a bound on their rounding)."""
    if product is precise.long_product:
        return (np.column_stack(part) for part in zip(*(product(A, m) for m in frame.parameter_map().T), strict=True))
    B = frame.rows_of(X)
    return B @ frame.M, (X.shape[1] + 2) * precise.EPS * (np.abs(B) @ np.abs(frame.M))


def proved(rows, W, frame, lam, value):
    """(bound, W, evidence): the parameters and what proves them.

    They are mended by Newton steps taken from their own gradient. Where a penalty makes sure that there is a minimum,
    it is at least 0, so the risk itself is a bound too.
    """
    best = (math.inf,)
    for product in (precise.product, precise.long_product):
        for _ in range(3):
            W = W - W.mean(axis=0) if len(W) > 1 else W  # classes are returned centred
            here = Evidence(rows, W, frame, lam, value, product)
            bound = min(here.excess(), here.value if lam > 0 else math.inf)
            if not bound >= best[0] or len(best) == 1:
                best = bound, W, here
            if bound <= near_enough(here.value):
                return best
            try:
                step = here.step()
            except kept_hessian.NotRegular:
                break
            if not np.isfinite(step).all():
                break
            W = W + step
        W = best[1]
        if not (np.abs(here.g) <= 10 * here.noise).any():  # it is not rounding that hides the minimum
            break
    return best


def curvatures(W, X, y):
    """The curvatures of the losses at W: p (1 - p), summed over classes."""
    _, _, P, Q = residuals(scores(X, W), y)
    return np.sum(P * Q, axis=1)


def residuals(S, y):
    """(losses, derivatives R in the scores, probabilities P, 1 - P), of class numbers.

    Of labels -1 and +1, which have one score, the probabilities are those of a mistake.
    """
    return _softmax_residuals(S, y) if S.shape[1] > 1 else _logistic_residuals(S, y)


def _logistic_residuals(S, y):
    z = y * S[:, 0]
    e = np.exp(-np.abs(z))
    p, q = np.where(z >= 0, [e, 1.0 + 0 * e], [1.0 + 0 * e, e]) / (1.0 + e)
    return np.log1p(e) + np.maximum(-z, 0.0), (-y * p)[:, None], p[:, None], q[:, None]


def _softmax_residuals(S, y):
    at = np.arange(len(y))
    P = np.exp(S - S.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    R, Q, others = P.copy(), 1 - P, S - S[at, y][:, None]
    R[at, y] = 0.0
    Q[at, y] = R.sum(axis=1)  # not 1 - p, which loses the digits of a small one
    R[at, y] = -Q[at, y]
    others[at, y] = -np.inf
    top = others.max(axis=1)
    return np.logaddexp(0.0, top + np.log(np.exp(others - top[:, None]).sum(axis=1))), R, P, Q
