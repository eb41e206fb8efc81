"""The separator's linear program through its dual, which has as many constraints as columns, not as rows.

    maximise sum_t min(mu_t, 1)  over mu >= 0 with A' mu = 0,   mu = p + q, 0 <= p <= 1, q >= 0

The separator is what the constraints A' mu = 0 cost: the multipliers of the dual are the variables of the program.
"""

import numpy as np

from linclass.separability import HIGHS, solved


def separator_program(A):
    """(w, s, mu) of `separability.separator_program`."""
    from scipy.optimize import linprog

    n, d = A.shape
    gains, bounds = np.append(np.ones(n), np.zeros(n)), [(0, 1)] * n + [(0, None)] * n
    answer = solved(linprog(-gains, A_eq=np.hstack([A.T, A.T]), b_eq=np.zeros(d), bounds=bounds, **HIGHS))
    w = -answer.eqlin.marginals
    return w, np.clip(A @ w, 0.0, 1.0), answer.x[:n] + answer.x[n:]
