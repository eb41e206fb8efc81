"""Fast minimisation of a smooth convex risk: Newton's method that looks at the data as seldom as it can.

A problem is a function look(w, hess) -> (value, gradient, Hessian or None), one pass over the data. The ideas:

- A Hessian costs as much as d gradients and changes slowly: it is kept while steps with it still shrink the decrement
  fivefold, and what the gradients teach about it on the way goes into BFGS updates of the kept one.
- A sample of the rows gives a start so near, and a Hessian so good, that all the data need only a few gradients
  (sub-sampled Newton: Roosta-Khorasani and Mahoney, 2019). The Hessian of all rows is at least m/n times that of the
  m sampled ones, so the decrement is at most n/m times the estimate from the sample.
- With very many columns there is no Hessian at all, only the updates (L-BFGS: Liu and Nocedal, 1989), and the
  certificate is |gradient|^2 / (2 lam), since the risk curves at least by lam.

Whatever looks irregular (a singular Hessian, a minimum that may be at infinity) raises `NotRegular`, and the plain
path, which takes more care, decides.
"""

import math

import numpy as np

KEEP_BELOW = 1e-5  # a decrement beside the value from which on the Hessian hardly changes any more


class NotRegular(ArithmeticError):
    """The problem has no regular minimum that this module can certify."""


class Metric:
    """An inverse Hessian, corrected by what the latest steps taught (BFGS).

    Its base is a matrix, or a smaller one that stands for each class alike, or a diagonal; if it is the inverse of the
    Hessian H of all the data `at` a point, it knows that too.
    """

    def __init__(self, base, memory=8, H=None, at=None):
        self.base, self.memory, self.pairs = base, memory, []
        self.H, self.at = H, at

    def update(self, step, change):
        """Learn that `step` changed the gradient by `change`."""
        product = float(step @ change)
        if product > 0:
            self.pairs.append((step, change, product))
            del self.pairs[: -self.memory]

    def full(self, g):
        """Is the base a whole inverse Hessian?"""
        return self.base.size == g.size**2

    def _apply(self, g):
        if self.base.ndim == 1:
            return self.base * g
        return (g.reshape(-1, len(self.base)) @ self.base).ravel()

    def direction(self, g):
        """-H^-1 g, by the two-loop recursion."""
        q, weights = -g, []
        for s, c, product in reversed(self.pairs):
            weights.append(float(s @ q) / product)
            q -= weights[-1] * c
        if self.pairs and not self.full(g):  # it knows little: the last step says how long the next should be
            _, c, product = self.pairs[-1]
            q *= product / float(c @ self._apply(c))
        q = self._apply(q)
        for s, c, product in self.pairs:
            q += (weights.pop() - float(c @ q) / product) * s
        return q


def inverse(H):
    """The inverse of a Hessian, taken with unit diagonal, so that units do not matter."""
    diagonal = H.diagonal()
    if not (np.isfinite(diagonal).all() and (diagonal > 0).all()):
        raise NotRegular
    scale = 1 / np.sqrt(diagonal)
    unit = H * scale * scale[:, None]
    check_regular(unit)
    return np.linalg.inv(unit) * scale * scale[:, None]


def check_regular(unit):
    """Is a matrix of unit diagonal safely positive definite? Its Cholesky pivots say how independent columns are."""
    try:
        pivots = np.linalg.cholesky(unit).diagonal()
    except np.linalg.LinAlgError:
        raise NotRegular from None
    if not pivots.min() > 1e-4:
        raise NotRegular


def descend(look, w, history, metric=None, **how):
    """(w, gradient, metric) where the decrement is at most tol times the value; see `_descend`."""
    *found, done = _descend(look, w, history, metric, **how)
    if not done:
        raise NotRegular
    return found


def _descend(
    look, w, history, metric, *, tol, eager=False, wait=0, enough=0.0, curved=0.0, price=math.inf, most=60, beyond=False
):
    """(w, gradient, metric, is the decrement at most tol times the value?) after at most `most` looks.

    Without a `metric` it starts with a Hessian of its own. `eager` takes a new one at every step but the last few,
    else not within `wait` looks. With `curved` > 0, a lower bound of the curvature, |gradient|^2 / (2 curved) must be
    below 100 tol times the value too. Stops where the value is below `enough`, or where the rate of the last twenty
    looks says that more than `price` are still to come. `beyond` takes one step more.
    """
    value, g, H = look(w, metric is None)
    if not np.isfinite(value + g.sum()):
        raise NotRegular
    metric = metric or Metric(inverse(H), H=H, at=w)
    history.append(value)
    lefts, age = [math.inf], 0
    for _ in range(most):
        step = metric.direction(g)
        left = float(-g @ step) / 2
        if not left >= 0:
            raise NotRegular
        small = lefts[-1] if beyond and left > 1e-26 * value else left
        if value <= enough > 0 or (small <= tol * value and (not curved or g @ g <= 200 * curved * tol * value)):
            return w, g, metric, True
        if not value > 0:  # of scores so large that rounding is all that is left
            raise NotRegular
        lefts.append(left)
        if len(lefts) % 20 == 0 and _still_to_come(lefts, tol * value) > price:
            break
        renew = metric.full(g) and left > KEEP_BELOW * value and (eager or (left > lefts[-2] / 5 and age >= wait))
        t, (near, g_near, H) = 1.0, look(w + step, renew)
        while not near <= value - 2e-4 * t * left + 1e-14 * (1 + value):
            t = shorter(t, 2 * left, float(g_near @ step))
            near, g_near, H = look(w + t * step, renew)
        w = w + t * step
        if renew:
            metric = Metric(inverse(H), H=H, at=w)
        else:
            metric.update(t * step, g_near - g)
        value, g, age = near, g_near, 0 if renew else age + 1
        history.append(value)
    return w, g, metric, False


def _still_to_come(lefts, goal):
    """How many looks, at the rate of the last ones, until the decrement is down to the goal."""
    rate = math.log(lefts[-19] / lefts[-1]) / 18
    return math.log(lefts[-1] / goal) / rate if rate > 0 else math.inf


def shorter(t, fall=1.0, rise=1.0):
    """A shorter step: where the slope, `-fall` at 0 and `rise` at t, would be 0 on a straight line between."""
    if t < 1e-8:
        raise NotRegular
    return t * min(max(fall / (fall + rise), 0.1), 0.5) if np.isfinite(rise) and rise > 0 else 0.3 * t


def from_sample(look, problem, fading, rows, count, size, history, enough):
    """(w, gradient, metric, a matrix that the Hessian is at least, or None): a sample of rows first, then all of them.

    `look` is at all rows, problem(rows) looks at some of them, and along a step no curvature of theirs falls by more
    than e^-fading(rows, step). So the Hessian of all rows is at least the sample's share of it, that much less; without
    such a function the sample's is taken anew. The sample is itself minimised with the Hessian of a quarter of it. A
    sample can mislead, for instance where a class is rare; then the Hessian of all the data takes its place.
    """
    few_numbers = rows.n * size <= 2**22  # passes over them cost little
    how = {"tol": 1e-13 if few_numbers else 1e-9, "enough": enough, "beyond": few_numbers}
    try:
        few = rows.sample(count)
        on_few, start = problem(few), np.zeros(size)
        first = Metric(inverse(problem(few.sample(count // 4))(start, True)[2]))
        near, *_ = descend(on_few, start, [], first, tol=0.01 * size / count, wait=10)
        H = on_few(near, True)[2]
        w, g, metric = descend(look, near, history, Metric(inverse(H)), **how)
        H = H * math.exp(-fading(few, w - near)) if fading else on_few(w, True)[2]
        return w, g, metric, H * (few.n / rows.n)
    except NotRegular:
        history.clear()
        return *descend(look, np.zeros(size), history, **how), None


def without_hessian(look, metric, w, history, n, lam, tol):
    """(w, gradient, metric): by gradients alone, from w and a guess of the metric, while that goes well.

    Where many more looks are to come than a Hessian costs, it is taken where they have led, and `descend` goes on.
    """
    price = len(w) / 8 + len(w) ** 2 / (4 * n)  # of a Hessian and its inverse, in looks
    *found, done = _descend(look, w, history, metric, tol=tol, curved=lam, price=price, most=1000)
    if done:
        return found
    history.pop()
    return descend(look, found[0], history, tol=1e-12, wait=25, most=200)

