import numpy as np


def sigmoid(z):
    z = np.clip(z, -500, 500)
    return np.reciprocal(1 + np.exp(-z))


def log_odds(p):
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log1p(-p)


def log_likelihood(theta, theta_0, X, y):
    z = np.einsum("n,nd,d->n", y, X, theta) + y * theta_0
    return -np.logaddexp(0, -z).sum()


def risk(theta, theta_0, X, y, loss, lam=0.0):
    z = np.einsum("n,nd,d->n", y, X, theta) + y * theta_0
    return loss.value(z).mean() + lam / 2 * np.einsum("d,d->", theta, theta)


def risk_grad(theta, theta_0, X, y, loss, lam=0.0):
    z = np.einsum("n,nd,d->n", y, X, theta) + y * theta_0
    g = loss.slope(z) * y / y.size
    return np.einsum("n,nd->d", g, X) + lam * theta, np.einsum("n->", g)
