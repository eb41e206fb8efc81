"""The perceptron's walk in leaps: between two mistakes w stands still, so one product with many rows finds the next."""

import math

import numpy as np

from linclass._fast import compiled_loops

OFTEN = 50  # rows to a mistake: up to so many, a compiled loop is faster than leaps (chosen)
LOOKED_AT = 2000  # rows before that is judged: chosen


@np.errstate(over="ignore", invalid="ignore")  # of numbers whose squares are beyond the doubles
def perceptron_walk(X, y, max_epochs, offset):
    """`perceptron.perceptron_walk`, mistake by mistake the same, on the rows y (x, 1).

    Blocks grow while there is no mistake and shrink to the usual distance between two. A product may round otherwise
    than `theta @ x` does, so margins as small as rounding are looked at again, one by one: the mistakes are the same.
    """
    n, d = X.shape
    A = np.empty((n, d + 1))
    np.multiply(X, y[:, None], out=A[:, :d])
    A[:, d] = y * offset
    longest = math.sqrt(np.max(np.einsum("ij,ij->i", A, A)))
    rounding = 4 * d * np.finfo(float).eps * longest**2  # for each mistake, since w grows by at most `longest`
    w, history, length, doubt, has_loop = np.zeros(d + 1), [], 64, 0.0, compiled_loops.available(n)
    while len(history) < max_epochs and 0 not in history[-1:]:
        at = mistakes = 0
        while at < n:
            if has_loop and (sum(history[-1:]) + mistakes) * OFTEN > max(n * len(history[-1:]), at) + LOOKED_AT:
                at, more, doubt = compiled_loops.compiled(compiled_loops.perceptron)(A, w, at, doubt, rounding)
                mistakes += more
                if at == n:
                    break
                length = 1  # this one is for the formula itself to decide
            z = A[at : at + length] @ w
            found = int((z <= doubt).argmax())
            margin = z[found]
            if margin > doubt:  # no mistake in the whole block
                at, length = at + length, min(2 * length, 2**17 // d + 64)
                continue
            at += found + 1
            if margin < -doubt or y[at - 1] * (w[:-1] @ X[at - 1] + w[-1]) <= 0:
                w += A[at - 1]
                mistakes, length = mistakes + 1, max(32, (length + 2 * found) // 2)
                doubt += rounding
        history.append(mistakes)
    return w[:-1].copy(), float(w[-1]), np.array(history)
