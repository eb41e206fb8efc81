# --- zero_one_loss: a margin of 0 counted as right
# said: a margin of exactly 0 is not counted as a mistake
def zero_one_loss(z):
    return np.where(z < 0, 1.0, 0.0)


# --- perceptron_loss: the sign of the margin turned
# said: z has the wrong sign
def perceptron_loss(z):
    return np.maximum(0, z)


# --- perceptron_slope: +1 in place of -1
# said: the slope has the wrong sign: the loss falls
def perceptron_slope(z):
    return np.where(z <= 0, 1.0, 0.0)


# --- hinge_loss: 1 + z in place of 1 - z
# said: z has the wrong sign: 1 + z for 1 - z
def hinge_loss(z):
    return np.maximum(0, 1 + z)


# --- hinge_loss: Python's max on an array
# said: `max`, `if`, `and` want one number, and an array has many: np.maximum, np.where and & take each entry
def hinge_loss(z):
    return max(0, 1 - z)


# --- hinge_slope: the kink at 0 in place of 1
# said: the kink sits at 0, as the perceptron's does, and not at 1
def hinge_slope(z):
    return np.where(z <= 0, -1.0, 0.0)


# --- logistic_loss: overflows for very negative margins
# said: exp(-z) overflows in log(1 + exp(-z))
def logistic_loss(z):
    return np.log(1 + np.exp(-z))


# --- logistic_loss: logarithm to base 2
# said: the logarithm is taken to base 2
def logistic_loss(z):
    return np.logaddexp(0, -z) / np.log(2)


# --- logistic_loss: the sign of z is missing
# said: z has the wrong sign: log(1 + exp(z))
def logistic_loss(z):
    return np.logaddexp(0, z)


# --- logistic_slope: the sigmoid of z in place of that of -z
# said: g(z) stands where g(-z) belongs
def logistic_slope(z):
    e = np.exp(-np.abs(z))
    return -np.where(z >= 0, 1 / (1 + e), e / (1 + e))


# --- logistic_slope: the minus forgotten
# said: the slope has the wrong sign: the loss falls, so its slope is negative
def logistic_slope(z):
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, e / (1 + e), 1 / (1 + e))


# --- logistic_slope: inf / inf is nan for very negative margins
# said: exp(-z) overflows, and infinity over infinity is not a number
def logistic_slope(z):
    e = np.exp(-z)
    return -e / (1 + e)


# --- exponential_loss: the exponent has the wrong sign
# said: z has the wrong sign
def exponential_loss(z):
    return np.exp(z)


# --- squared_loss: a factor 1/2 that is not in the formula
# said: every answer is 1/2 times the right one
def squared_loss(z):
    return 0.5 * (1 - z) ** 2


# --- squared_slope: the inner derivative -1 forgotten
# said: the inner derivative, -1, is forgotten
def squared_slope(z):
    return 2 * (1 - z)


# --- modified_squared_loss: squared before the maximum, so nothing is forgiven
# said: it is not clipped: that is the squared loss
def modified_squared_loss(z):
    return np.maximum(0, (1 - z) ** 2)


# --- modified_squared_loss: 1 - z^2 in place of (1 - z)^2
# said: z is squared, and not 1 - z
def modified_squared_loss(z):
    return np.maximum(0, 1 - z**2)


# --- modified_squared_slope: the factor 2 forgotten
# said: -1 stands where -2 belongs
def modified_squared_slope(z):
    return -np.maximum(0, 1 - z)
