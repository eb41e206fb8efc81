# --- zero_one_loss: margin 0 not counted as a mistake
# said: a margin of exactly 0 is not counted as a mistake
def zero_one_loss(z):
    return np.where(z < 0, 1, 0)


# --- perceptron_loss: sign wrong, max(0, z)
# said: z has the wrong sign
def perceptron_loss(z):
    return np.maximum(0, z)


# --- perceptron_slope: slope +1 instead of -1 on the wrong side
# said: the slope has the wrong sign: the loss falls
def perceptron_slope(z):
    return np.where(z <= 0, 1.0, 0.0)


# --- hinge_loss: writes 1 + z instead of 1 - z
# said: z has the wrong sign: 1 + z for 1 - z
def hinge_loss(z):
    return np.maximum(0.0, 1 + z)


# --- hinge_slope: kink put at 0 instead of 1
# said: the kink sits at 0, as the perceptron's does, and not at 1
def hinge_slope(z):
    slope = np.zeros_like(z)
    slope[z <= 0] = -1
    return slope


# --- logistic_loss: the formula taken literally, overflows for very negative margins
# said: exp(-z) overflows in log(1 + exp(-z))
def logistic_loss(z):
    return np.log(1 + np.exp(-z))


# --- logistic_loss: clips the exponent to avoid overflow, so the loss saturates for very negative margins
# said: z is clipped to keep the exponential finite: far out the loss goes on growing
def logistic_loss(z):
    zc = np.clip(z, -500, 500)
    return np.log1p(np.exp(-zc))


# --- logistic_slope: sigmoid of z instead of sigmoid of -z
# said: g(z) stands where g(-z) belongs
def logistic_slope(z):
    e = np.exp(-np.abs(z))
    sig = np.where(z >= 0, 1 / (1 + e), e / (1 + e))
    return -sig


# --- squared_slope: forgets the inner derivative, sign is wrong
# said: the inner derivative, -1, is forgotten
def squared_slope(z):
    diff = 1 - z
    return 2 * diff


# --- modified_squared_loss: squares before taking the maximum, so it is just the squared loss
# said: it is not clipped: that is the squared loss
def modified_squared_loss(z):
    return np.maximum(0, (1 - z) ** 2)


# --- modified_squared_slope: loses the factor 2
# said: -1 stands where -2 belongs
def modified_squared_slope(z):
    return np.where(z < 1, -(1 - z), 0.0)
