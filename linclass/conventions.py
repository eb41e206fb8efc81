"""One dictionary between the conventions in use: a tested pair of converters for each.

Ours: labels in {-1, +1}, the mean loss, lam/2 |theta|^2, the RBF bandwidth tau.
"""

import numpy as np

from linclass._checks import takes

__all__ = [
    "C_from_lam",
    "binary_from_signs",
    "gamma_from_tau",
    "lam_from_C",
    "lam_from_summed",
    "lam_from_unhalved",
    "mean_from_sum",
    "signs_from_binary",
    "sum_from_mean",
    "summed_from_lam",
    "tau_from_gamma",
    "unhalved_from_lam",
]


@takes(y="binary")
def signs_from_binary(y):
    """{0, 1} -> {-1, +1}, as y -> 2 y - 1."""
    return 2.0 * y - 1.0


@takes(y="n signs")
def binary_from_signs(y):
    """{-1, +1} -> {0, 1}, as y -> (1 + y) / 2."""
    return (1.0 + y) / 2.0


@takes(n="many", C="> 0")
def lam_from_C(C, n):
    """lam = 1 / (n C): our risk has the same minimiser as C times the summed
    loss plus |theta|^2 / 2.

    C is scikit-learn's in LogisticRegression, LinearSVC (hinge) and SVC. With
    weights, n is their sum.
    """
    return 1.0 / (n * C)


@takes(n="many", lam="> 0")
def C_from_lam(lam, n):
    """C = 1 / (n lam), the inverse of `lam_from_C`."""
    return 1.0 / (n * lam)


@takes(lam_summed=">= 0", n="many")
def lam_from_summed(lam_summed, n):
    """lam = lam_summed / n, where lam_summed/2 |theta|^2 stands beside the sum of the losses, not their mean."""
    return lam_summed / n


@takes(lam=">= 0", n="many")
def summed_from_lam(lam, n):
    """lam_summed = n lam, the inverse of `lam_from_summed`."""
    return n * lam


@takes(weight=">= 0")
def lam_from_unhalved(weight):
    """lam = 2 weight, where weight |theta|^2 is written without the half. (SGDClassifier's alpha is our lam.)"""
    return 2.0 * weight


@takes(lam=">= 0")
def unhalved_from_lam(lam):
    """weight = lam / 2, the inverse of `lam_from_unhalved`."""
    return lam / 2.0


@takes(mean="", n="many")
def sum_from_mean(mean, n):
    """n times the mean: the summed loss, and minus the log-likelihood for the logistic loss."""
    return n * mean


@takes(total="", n="many")
def mean_from_sum(total, n):
    """The sum over n, the inverse of `sum_from_mean`."""
    return total / n


@takes(tau="> 0")
def gamma_from_tau(tau):
    """gamma = 1 / (2 tau^2), scikit-learn's parameter of the RBF kernel exp(-gamma |x - z|^2)."""
    return 0.5 / tau / tau  # not 0.5 / tau**2, whose square can leave the range of a double


@takes(gamma="> 0")
def tau_from_gamma(gamma):
    """tau = 1 / sqrt(2 gamma), the inverse of `gamma_from_tau`."""
    return float(np.sqrt(0.5 / gamma))
