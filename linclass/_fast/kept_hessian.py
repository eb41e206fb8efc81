"""Fast minimisation of a smooth convex risk: Newton's method that looks at the data as seldom as it can.

A problem is a function look(w, hess) -> (value, gradient, Hessian or None), one pass over the data. The ideas:

- A Hessian costs as much as d gradients and changes slowly: it is kept while steps with it still shrink the decrement
  fivefold, and what the gradients teach about it on the way goes into BFGS updates of the kept one.
- A sample of the rows gives a start so near, and a Hessian so good, that all the data need only a few gradients
  (sub-sampled Newton: Roosta-Khorasani and Mahoney, 2019). The Hessian of all rows is at least m/n times that of the
  m sampled ones, so the decrement is at most n/m times the estimate from the sample.
- With very many columns there is no Hessian at all, only the updates (L-BFGS: Liu and Nocedal, 1989), and what they
  find is certified by a duality gap, since the risk curves at least by lam.

Whatever looks irregular (a singular Hessian, a minimum that may be at infinity) raises `NotRegular`, and
`careful_newton` decides.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np

from linclass._fast import block_sums
from linclass._rows import in_memory

KEEP_BELOW = 1e-5  # a decrement beside the value from which on the Hessian hardly changes any more (measured)
SHRINK = 5  # times that a step with a kept Hessian must shrink the decrement (measured)
UNITS = 1e8  # curvatures further apart than this are scaled before they are inverted: half of the digits
DEPENDENT = 1e8  # the others explain all but this part of a column's curvature: half of the digits
ARMIJO = 1e-4  # the share of the promised fall that a step must keep (Nocedal and Wright 2006, section 3.1)
ROUNDING = 1e-14  # of a value: some fifty times the machine's (measured)
CUT = 0.1, 0.3, 0.5  # a shorter step is at least, by default and at most so much of the last (chosen)
SQUARED_ROUNDING = 1e-26  # a decrement beside the value below which a further step moves nothing
FEW = 2**22  # numbers: passes over them cost little, so they go further, and a step beyond (measured)
FAR, FARTHER = 1e-9, 1e-13  # decrements beside the value: the certificate holds; rounding is near
PART = 8  # one row in so many of a sample makes its first Hessian (measured)
ON_A_SAMPLE = 0.1  # of what the sample itself is off by: closer is not worth a look (measured)
LOOKS = 1000  # by gradients alone: chosen
LATEST = 5  # steps that say how long the next should be; the last alone misleads (measured)
SHORTEST = 1e-8  # a step, in full ones: no shorter one has ever led on


class NotRegular(ArithmeticError):
    """The problem has no regular minimum that this module can certify."""


class Look:
    """A risk of rows as a problem: 1/n of the sums over the rows, minus a linear term, plus penalty/2 w^2.

    sums(X, y, weights, w, hess) is one of `block_sums`. A `gauge` is added to the Hessian where the risk is flat by its
    nature. What is `known`, the point of the last look, its value and its gradient, is not looked at again.
    """

    def __init__(self, rows, penalty, sums, linear=0.0, classes=1, gauge=None):
        self.rows, self.penalty, self.sums, self.linear = rows, penalty, sums, linear
        self.classes, self.gauge, self.known, self._longest = classes, gauge, None, None

    def __call__(self, w, hess):
        """(value, gradient, Hessian or None) at w, by one pass over the rows."""
        if not hess and self.known and np.array_equal(w, self.known[0]):
            return *self.known[1:], None
        total, g, H = self._sums(w, hess)
        n, shrink = self.rows.n, self.penalty * w
        value = total / n + float((shrink / 2 - self.linear) @ w)
        if hess:
            H = H / n
            H.flat[:: len(w) + 1] += self.penalty
            if self.gauge:
                self.gauge(H)
        self.known = w, value, g.ravel() / n + (shrink - self.linear)
        return *self.known[1:], H

    def _sums(self, w, hess):
        def sums(X, y, weights):
            return self.sums(X, y, weights, w, hess=hess)

        if self._longest is not None:
            return self.rows.total(sums)
        *found, self._longest = self.rows.fold(
            lambda X, *of: (*sums(X, *of), in_memory.longest_row(X)), _join_with_length
        )
        return found

    @property
    def longest(self):
        """What no row (x, 1) is longer than: seen on the first pass."""
        if self._longest is None:
            (self._longest,) = self.rows.largest(lambda X, *of: (in_memory.longest_row(X),))
        return math.hypot(self._longest, len(self.penalty) > self.classes * self.rows.d)

    def change(self, step):
        """The most by which a score, or a difference of two, changes along a step: log curvature falls by no more."""
        W = step.reshape(self.classes, -1)

        def spread(X, y, w):
            S = block_sums.scores(X, W)
            return (np.max(np.ptp(S, axis=1) if self.classes > 1 else np.abs(S)),)

        return float(self.rows.largest(spread)[0])

    @functools.cached_property
    def largest(self):
        """The largest entry of the column that belongs to each parameter, of which each class has its own: one pass."""
        (columns,) = self.rows.largest(lambda X, *of: (in_memory.column_maxima(X),))
        return np.tile(np.append(columns, 1.0)[: len(self.penalty) // self.classes], self.classes)


def _join_with_length(one, other):
    return *in_memory.add(one[:-1], other[:-1]), max(one[-1], other[-1])


class Metric:
    """An inverse Hessian, corrected by what the latest steps taught (BFGS).

    Its base is a matrix, or a smaller one that stands for each class alike, or a diagonal; if it is the inverse of a
    matrix H that the Hessian of all the data is at least `at` a point, it knows that too.
    """

    def __init__(self, base, memory=8, H=None, at=None):
        self.base, self.memory, self.pairs = base, memory, []
        self.H, self.at = H, at

    def update(self, step, change):
        """Learn that `step` changed the gradient by `change`."""
        product = float(step.dot(change))
        if product > 0:
            over = 1.0 if self.full(change) else float(change @ self._apply(change)) / product
            self.pairs.append((step, change, product, over))
            del self.pairs[: -self.memory]

    def full(self, g):
        """Is the base a whole inverse Hessian?"""
        return self.base.shape == (g.size, g.size)

    def _apply(self, g):
        if self.full(g):
            return self.base.dot(g)
        return self.base * g if self.base.ndim == 1 else (g.reshape(-1, len(self.base)) @ self.base).ravel()

    def direction(self, g):
        """-H^-1 g, by the two-loop recursion."""
        if not self.pairs:
            return -self._apply(g)
        q, weights = -g, []
        for s, c, product, _ in reversed(self.pairs):
            weights.append(s.dot(q) / product)  # dot: @ takes longer on few numbers
            q -= weights[-1] * c
        if not self.full(g):  # it knows little: the latest steps say how long the next should be
            latest = [over for *_, over in self.pairs[-LATEST:]]
            q *= len(latest) / sum(latest)
        q = self._apply(q)
        for s, c, product, _ in self.pairs:
            q += (weights.pop() - c.dot(q) / product) * s
        return q


def inverse(H):
    """The inverse of a Hessian, whatever its units; raises NotRegular if some column nearly depends on others."""
    diagonal = H.diagonal()
    curvatures = diagonal.tolist()
    least, most = min(curvatures), max(curvatures)
    if not 0 < least <= most < math.inf:
        raise NotRegular
    try:
        if most < UNITS * least:
            inverted = np.linalg.inv(H)
        else:
            scale = 1 / np.sqrt(diagonal)
            inverted = np.linalg.inv(H * scale * scale[:, None]) * scale * scale[:, None]
    except np.linalg.LinAlgError:
        raise NotRegular from None
    # 1 over what the other columns leave of a column's curvature: the variance inflation factor.
    inflation = (inverted.diagonal() * diagonal).tolist()
    if not 0 < min(inflation) <= max(inflation) < DEPENDENT:
        raise NotRegular
    return inverted


@dataclass
class Pace:
    """How `descend` goes about it, and when it has arrived."""

    tol: float  # the decrement, beside the value, at which it has arrived
    enough: float = 0.0  # or the value: nothing is to be gained below
    curved: float = 0.0  # a lower bound of the curvature: with it |gradient|^2 / (2 curved) must be below 100 tol, too
    beyond: bool = False  # one step more than needed
    eager: bool = False  # a new Hessian at every step but the last few
    wait: int = 0  # else at least so many looks with one
    most: int = 60  # looks
    price: float = math.inf  # gives up where more looks than this are still to come, at the rate of the last twenty

    def arrived(self, value, g, left, before):
        """Are the value, its gradient and the decrement there and before it what was asked for?"""
        left = before if self.beyond and left > SQUARED_ROUNDING * value else left
        steep = self.curved and g @ g > 200 * self.curved * self.tol * value
        return value <= self.enough > 0 or (left <= self.tol * value and not steep)


def descend(look, w, history, pace, metric=None):
    """(w, gradient, metric) where the pace says that it has arrived; without a `metric` it begins with a Hessian."""
    *found, arrived = attempt(look, w, history, pace, metric)
    if not arrived:
        raise NotRegular
    return found


def attempt(look, w, history, pace, metric=None):
    """(w, gradient, metric, has it arrived?): `descend`, which may also end on the way."""
    value, g, H = look(w, metric is None)
    if not math.isfinite(value):
        raise NotRegular
    metric = metric or Metric(inverse(H), H=H, at=w)
    history.append(value)
    lefts, age = [math.inf], 0
    for _ in range(pace.most):
        step = metric.direction(g)
        left = float(g.dot(step)) / -2
        if left >= 0 and pace.arrived(value, g, left, lefts[-1]):
            return w, g, metric, True
        if not (left >= 0 and value > 0):  # of scores so large that rounding is all that is left
            break
        lefts.append(left)
        if len(lefts) % 20 == 0 and _still_to_come(lefts, pace.tol * value) > pace.price:
            break
        old = left > lefts[-2] / SHRINK and age >= pace.wait
        renew = left > KEEP_BELOW * value and (pace.eager or old) and metric.full(g)
        there, near, g_near, H = line_search(look, w, step, value, left, renew)
        if there is None:
            break
        if renew:
            metric = Metric(inverse(H), H=H, at=there)
        elif not pace.eager:  # these have few steps left, and their Hessian is new
            metric.update(there - w, g_near - g)
        w, value, g, age = there, near, g_near, 0 if renew else age + 1
        history.append(value)
    return w, g, metric, False


def line_search(look, w, step, value, left, hess):
    """(point, value, gradient, Hessian or None): the full step, or a shorter one that lowers the value, if any."""
    t, there = 1.0, w + step
    near, g, H = look(there, hess)
    while not near <= value - 2 * ARMIJO * t * left + ROUNDING * (1 + value):
        if t < SHORTEST:
            return None, near, g, H
        t *= _shorter(2 * left, float(g @ step))
        there = w + t * step
        near, g, H = look(there, hess)
    return there, near, g, H


def _shorter(fall, rise):
    """How much shorter: where the slope, `-fall` at 0 and `rise` at 1, would be 0 on a straight line between."""
    return min(max(fall / (fall + rise), CUT[0]), CUT[2]) if math.isfinite(rise) and rise > 0 else CUT[1]


def _still_to_come(lefts, goal):
    """How many looks, at the rate of the last ones, until the decrement is down to the goal."""
    rate = math.log(lefts[-19] / lefts[-1]) / 18 if lefts[-1] > 0 else 0.0
    return math.log(lefts[-1] / goal) / rate if rate > 0 else math.inf


def from_sample(look, problem, count, history, enough):
    """(w, gradient, metric): a sample of rows first, then all of them.

    `look` is at all rows, problem(rows) looks at some of them. The Hessian of all rows is at least the sample's share
    of it, less what that may have faded since. The sample is itself minimised with the Hessian of a part of it. A
    sample can mislead, for instance where a class is rare; then the Hessian of all the data takes its place.
    """
    rows, size = look.rows, len(look.penalty)
    few_numbers = rows.n * size <= FEW
    pace = Pace(FARTHER if few_numbers else FAR, enough, beyond=few_numbers)
    try:
        few = rows.sample(count)
        on_few, on_fewer, start = problem(few), problem(few.every(PART)), np.zeros(size)
        on_few._longest = on_fewer._longest = math.inf  # nobody asks
        first = Metric(inverse(on_fewer(start, True)[2]))
        near, *_ = descend(on_few, start, [], Pace(ON_A_SAMPLE * size / count, wait=10), first)
        H = on_few(near, True)[2]
        w, g, metric = descend(look, near, history, pace, Metric(inverse(H)))
        if metric.H is None:
            share = few.n / rows.n * math.exp(-on_few.change(w - near))
            metric = Metric(metric.base / share, H=share * H, at=w)
        return w, g, metric
    except NotRegular:
        history.clear()
        return descend(look, np.zeros(size), history, pace)


def without_hessian(look, metric, history, tol, enough, most=math.inf):
    """(w, gradient, metric): by gradients alone, from 0 and a guess of the metric, while that goes well.

    Where many more looks are to come than a Hessian costs, it is taken where they have led, and `descend` goes on; but
    not with more than `most` unknowns, nor of sparse rows.
    """
    size = len(look.penalty)
    # What the inverse and half of a Hessian cost, in looks (measured): the rate of the last looks may yet fall.
    never = size > most or look.rows.sparse
    of_hessian = math.inf if never else size / 16 + size**2 / (3 * look.rows.n)
    pace = Pace(tol, enough, curved=look.penalty[0], price=of_hessian, most=LOOKS)
    *found, arrived = attempt(look, np.zeros(size), history, pace, metric)
    if arrived or never:
        return found
    history.pop()
    return descend(look, found[0], history, Pace(FARTHER, enough, wait=25, most=200))
