"""Smooth risks of sparse rows, from products with them alone: L-BFGS, and a Hessian only where there are few columns.

Coordinates in which columns are of one size would make the rows dense, so `careful_newton` has no place here: where the
certificate does not hold, the answer says so.
"""

import math

import numpy as np

from linclass._fast import certificates, kept_hessian
from linclass._fast.kept_hessian import Metric, NotRegular, Pace
from linclass.fit import SEPARABLE, UNPROVED
from linclass.newton import near_enough

FEW = 1000  # unknowns of which a Hessian is made: 8 MB; chosen
LOOKS = 2000  # at most: chosen
TOL, FINE = 1e-10, 1e-13  # decrements beside the value, before and after a first certificate falls short: chosen
OPEN = "the certificate does not hold: rescale the columns, or take a larger lam"


def fit(rows, lam, offset, k, look):
    """(W, history, trouble or None, Hessian or None): a row (theta, theta_0) for each of k classes, or one for two."""
    m, residuals = rows.d + offset, certificates.logistic_residuals if k == 1 else certificates.softmax_residuals
    w, history, metric = np.zeros(k * m), [], Metric(_diagonal(rows, lam, offset, k), memory=20)
    enough = rows.no_mistake if lam == 0 else 0.0
    for tol in (TOL, FINE):
        w, more = descended(look, w, Pace(tol, enough, curved=lam, most=LOOKS), metric)
        history = [*history[:-1], *more]
        if lam == 0 and history[-1] <= enough:
            return w.reshape(k, m), history, SEPARABLE.format("completely"), None
        if k * m <= FEW:
            try:
                w, history, H = certificates.settle(look, w, history)
                return w.reshape(k, m), history, None, H
            except NotRegular:
                continue
        if lam > 0:
            bound = certificates.excess_by_penalty(look, lam, residuals, w, look(w, False)[1], history[-1])
            if bound <= near_enough(history[-1]):
                return w.reshape(k, m), history, None, None
    return w.reshape(k, m), history, UNPROVED if lam == 0 else OPEN, None


def descended(look, w, pace, metric):
    """(the lowest point met, the values on the way): `kept_hessian.attempt`, which may end where it likes."""
    best, history = [math.inf, w], []

    def noted(u, hess):
        answer = look(u, hess)
        if answer[0] < best[0]:
            best[:] = answer[0], u
        return answer

    try:
        w, *_ = kept_hessian.attempt(noted, w, history, pace, metric)
        return w, history
    except NotRegular:
        return best[1], [*history, best[0]]


def _diagonal(rows, lam, offset, k):
    """1 over the diagonal of the Hessian at 0."""
    (squares,) = rows.total(lambda X, y, w: (np.broadcast_to(w, len(y)) @ (X * X),))
    share = 0.25 if k == 1 else (1 - 1 / k) / k
    curvature = np.append(share * squares / rows.n + lam, share)[: rows.d + offset]
    return np.tile(1 / np.maximum(curvature, np.finfo(float).tiny), k)
