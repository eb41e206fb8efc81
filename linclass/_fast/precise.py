"""Products of a matrix with a vector and the rounding they may hide: plain ones with a bound, and ones twice as long.

A sum of k products in double precision is off by at most k eps times the sum of the sizes of its terms (Higham 2002,
section 3.1). Where that is too much, each product and each sum is kept with the part that rounding cuts off (Ogita,
Rump and Oishi 2005): the result is as good as if it had been computed with twice the digits and rounded once.
"""

import numpy as np

EPS = np.finfo(float).eps
SPLIT = 2.0**27 + 1  # cuts the 53 digits of a double into two halves (Veltkamp 1968)
BLOCK = 2**20  # products at a time


def product(A, v):
    """(A @ v, a bound on the rounding of each entry)."""
    return A @ v, (A.shape[1] + 2) * EPS * (np.abs(A) @ np.abs(v))


def long_product(A, v):
    """(A @ v, a bound on the rounding of each entry) with twice the digits."""
    rows = max(1, BLOCK // max(1, A.shape[1]))
    parts = [_sums(*_products(A[k : k + rows].T, v[:, None])) for k in range(0, len(A), rows)]
    values = np.concatenate([high + low for high, low in parts])
    sizes = np.concatenate([np.abs(A[k : k + rows]) @ np.abs(v) for k in range(0, len(A), rows)])
    return values, EPS * np.abs(values) + (A.shape[1] * EPS) ** 2 * sizes


def _products(a, b):
    """(a b rounded, what rounding cut off)."""
    p = a * b
    a_high, b_high = _upper_half(a), _upper_half(b)
    a_low, b_low = a - a_high, b - b_high
    return p, a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)


def _upper_half(a):
    """The leading half of the digits of a."""
    scaled = SPLIT * a
    return scaled - (scaled - a)


def _sums(high, low):
    """(sum, correction) over the first axis: neighbours are added until one is left, and what is cut off is kept."""
    while len(high) > 1:
        if len(high) % 2:
            high, low = np.append(high, 0 * high[:1], axis=0), np.append(low, 0 * low[:1], axis=0)
        a, b = high[::2], high[1::2]
        total = a + b
        part = total - a
        high, low = total, low[::2] + low[1::2] + ((a - (total - part)) + (b - part))
    return high[0], low[0]
