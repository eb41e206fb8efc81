"""Fast minimisation of a smooth convex risk: Newton's method that looks at the data as seldom as it can.

A problem is a function look(w, hess) -> (value, gradient, Hessian or None), one pass over the data. The ideas:

- A Hessian costs as much as d gradients and changes slowly: it is kept while steps with it still shrink the decrement
  fivefold, and what the gradients teach about it on the way goes into BFGS updates of the kept one.
- A sample of the rows gives a start so near, and a Hessian so good, that all the data need only a few gradients
  (sub-sampled Newton: Roosta-Khorasani and Mahoney, 2019). The Hessian of all rows is at least m/n times that of the
  m sampled ones, so the decrement is at most n/m times the estimate from the sample.
- With very many columns there is no Hessian at all, only the updates (L-BFGS: Liu and Nocedal, 1989), and the
  certificate is |gradient|^2 / (2 lam), since the risk curves at least by lam.

Whatever looks irregular (a singular Hessian, steps that do not settle) raises `NotRegular`, and the plain path, which
takes more care, decides.
"""

import numpy as np

KEEP_BELOW = 1e-5  # a decrement beside the value from which on the Hessian hardly changes any more


class NotRegular(ArithmeticError):
    """The problem has no regular minimum that this module can certify."""


class Metric:
    """An inverse Hessian: of a matrix, or of a diagonal, corrected by what the latest steps taught (BFGS)."""

    def __init__(self, base, memory=8):
        self.base, self.memory, self.pairs = base, memory, []

    def update(self, step, change):
        """Learn that `step` changed the gradient by `change`."""
        product = float(step @ change)
        if product > 0:
            self.pairs.append((step, change, product))
            del self.pairs[: -self.memory]

    def direction(self, g):
        """-H^-1 g, by the two-loop recursion."""
        q, weights = -g, []
        for s, c, product in reversed(self.pairs):
            weights.append(float(s @ q) / product)
            q -= weights[-1] * c
        if self.base.ndim == 2:
            q = self.base @ q
        else:
            q *= self.base
            if self.pairs:  # a diagonal knows little: the last step says how long the next should be
                _, c, product = self.pairs[-1]
                q *= product / float(c @ (self.base * c))
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


def descend(look, w, history, metric=None, *, eager=False, tol, enough=0.0, curved=0.0, max_looks=60):
    """(w, gradient) where the decrement is at most tol times the value.

    Without a `metric` it starts with a Hessian of its own; `eager` takes a new one at every step but the last few.
    With `curved` > 0, a lower bound of the curvature, |gradient|^2 / (2 curved) must be below 100 tol times the value
    too. Stops where the value is below `enough`.
    """
    value, g, H = look(w, metric is None)
    if not np.isfinite(value + g.sum()):
        raise NotRegular
    metric = metric or Metric(inverse(H))
    history.append(value)
    last = np.inf
    for _ in range(max_looks):
        step = metric.direction(g)
        left = float(-g @ step) / 2
        if value <= enough or (left <= tol * value and (not curved or g @ g <= 200 * curved * tol * value)):
            return w, g
        renew = metric.base.ndim == 2 and left > KEEP_BELOW * value and (eager or left > last / 5)
        t, (near, g_near, H) = 1.0, look(w + step, renew)
        while not near <= value - 2e-4 * t * left + 1e-14 * value:
            t = shorter(t, 2 * left, float(g_near @ step))
            near, g_near, H = look(w + t * step, renew)
        w = w + t * step
        if renew:
            metric = Metric(inverse(H))
        else:
            metric.update(t * step, g_near - g)
        value, g, last = near, g_near, left
        history.append(value)
    raise NotRegular


def shorter(t, fall=1.0, rise=1.0):
    """A shorter step: where the slope, `-fall` at 0 and `rise` at t, would be 0 on a straight line between."""
    if t < 1e-8:
        raise NotRegular
    return t * min(max(fall / (fall + rise), 0.1), 0.5) if np.isfinite(rise) and rise > 0 else 0.3 * t


def from_sample(look, look_at_few, size, count, history, numbers, enough):
    """Minimise over a sample of `count` rows first, then over all of them with the sample's Hessian.

    A sample can mislead, for instance where a class is rare; then the Hessian of all the data takes its place.
    """
    tol = 1e-13 if numbers <= 2**22 else 1e-10  # many passes over few numbers cost little
    try:
        w, _ = descend(look_at_few, np.zeros(size), [], tol=0.01 * size / count)
        return descend(look, w, history, Metric(inverse(look_at_few(w, True)[2])), tol=tol, enough=enough)
    except NotRegular:
        history.clear()
        return descend(look, np.zeros(size), history, tol=tol, enough=enough)


def without_hessian(look, diagonal, curvature_along, history, lam, tol):
    """Minimise by gradients alone, from the diagonal of a Hessian, scaled so that the first step has the right length."""
    w = np.zeros(len(diagonal))
    step = -look(w, False)[1] / diagonal
    length = float(step @ (diagonal * step)) / max(curvature_along(step), 1e-300)
    return descend(look, w, history, Metric(length / diagonal), tol=tol, curved=lam, max_looks=200)


def settle(look, w, g, history):
    """One full Newton step from w with the Hessian there: (w after it, Hessian before it).

    At a minimum it all but removes what is left of the decrement. If not, the minimum may be at infinity.
    """
    _, _, H = look(w, True)
    metric = Metric(inverse(H))
    step = metric.direction(g)
    near, g_near, _ = look(w + step, False)
    before, after = float(-g @ step), float(-g_near @ metric.direction(g_near))
    if not (after <= 0.1 * before or after <= 1e-20):
        raise NotRegular
    history.append(near)
    return w + step, H
