"""The perceptron's walk in leaps: between two mistakes w stands still, so one product with many rows finds the next."""

import math

import numpy as np

from linclass._fast import compiled_loops


@np.errstate(over="ignore", invalid="ignore")  # of numbers whose squares are beyond the doubles
def perceptron_walk(X, y, max_epochs, offset):
    """`perceptron.perceptron_walk`, mistake by mistake the same, on the rows y (x, 1).

    Blocks grow while there is no mistake and shrink to the usual distance between two. A product may round otherwise
    than `theta @ x` does, so margins as small as rounding are looked at again, one by one: the mistakes are the same.
    With Numba a compiled loop goes from one of those to the next.
    """
    n, d = X.shape
    A = np.empty((n, d + 1))
    np.multiply(X, y[:, None], out=A[:, :d])
    A[:, d] = y * offset
    longest = math.sqrt(np.max(np.einsum("ij,ij->i", A, A)))
    rounding = 4 * d * np.finfo(float).eps * longest**2  # for each mistake, since w grows by at most `longest`
    w, history, length, doubt = np.zeros(d + 1), [], 64, 0.0
    loop = compiled_loops.compiled(compiled_loops.perceptron) if compiled_loops.available(n) else None
    while len(history) < max_epochs and 0 not in history[-1:]:
        at = mistakes = 0
        while at < n:
            if loop:
                at, more, doubt = loop(A, w, at, doubt, rounding)
                mistakes, length = mistakes + more, 1  # the next is for the formula itself to decide
                if at == n:
                    break
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
