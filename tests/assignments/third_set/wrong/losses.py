# --- zero_one_loss: a margin of 0 counted as right
def zero_one_loss(z):
    return np.where(z < 0, 1.0, 0.0)


# --- perceptron_loss: the sign of the margin turned
def perceptron_loss(z):
    return np.maximum(0, z)


# --- perceptron_slope: +1 in place of -1
def perceptron_slope(z):
    return np.where(z <= 0, 1.0, 0.0)


# --- hinge_loss: 1 + z in place of 1 - z
def hinge_loss(z):
    return np.maximum(0, 1 + z)


# --- hinge_loss: Python's max on an array
def hinge_loss(z):
    return max(0, 1 - z)


# --- hinge_slope: the kink at 0 in place of 1
def hinge_slope(z):
    return np.where(z <= 0, -1.0, 0.0)


# --- logistic_loss: overflows for very negative margins
def logistic_loss(z):
    return np.log(1 + np.exp(-z))


# --- logistic_loss: logarithm to base 2
def logistic_loss(z):
    return np.logaddexp(0, -z) / np.log(2)


# --- logistic_loss: the sign of z is missing
def logistic_loss(z):
    return np.logaddexp(0, z)


# --- logistic_slope: the sigmoid of z in place of that of -z
def logistic_slope(z):
    e = np.exp(-np.abs(z))
    return -np.where(z >= 0, 1 / (1 + e), e / (1 + e))


# --- logistic_slope: the minus forgotten
def logistic_slope(z):
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, e / (1 + e), 1 / (1 + e))


# --- logistic_slope: inf / inf is nan for very negative margins
def logistic_slope(z):
    e = np.exp(-z)
    return -e / (1 + e)


# --- exponential_loss: the exponent has the wrong sign
def exponential_loss(z):
    return np.exp(z)


# --- squared_loss: a factor 1/2 that is not in the formula
def squared_loss(z):
    return 0.5 * (1 - z) ** 2


# --- squared_slope: the inner derivative -1 forgotten
def squared_slope(z):
    return 2 * (1 - z)


# --- modified_squared_loss: squared before the maximum, so nothing is forgiven
def modified_squared_loss(z):
    return np.maximum(0, (1 - z) ** 2)


# --- modified_squared_loss: 1 - z^2 in place of (1 - z)^2
def modified_squared_loss(z):
    return np.maximum(0, 1 - z**2)


# --- modified_squared_slope: the factor 2 forgotten
def modified_squared_slope(z):
    return -np.maximum(0, 1 - z)
