# --- zero_one_loss: by np.sign, which gives a half at 0
# said: `np.sign` is taken, which makes a margin of 0 half a mistake
def zero_one_loss(z):
    return (1 - np.sign(z)) / 2


# --- perceptron_loss: copied from hinge_loss
# said: it is `hinge_loss` that is computed
def perceptron_loss(z):
    return np.maximum(0, 1 - z)


# --- perceptron_slope: returns -z on the wrong side, the loss and not its slope
# said: it is `perceptron_loss` that is computed
def perceptron_slope(z):
    slope = np.zeros_like(z)
    wrong = z <= 0
    slope[wrong] = -z[wrong]
    return slope


# --- hinge_loss: max of the array instead of elementwise
# said: the largest entry of the answer is returned, and not one number for each
def hinge_loss(z):
    return max(0, np.max(1 - z))


# --- hinge_slope: derivative of the squared hinge
# said: it is `modified_squared_slope` that is computed
def hinge_slope(z):
    return -2 * np.maximum(0, 1 - z)


# --- logistic_slope: loops over the entries and forgets the shape of z
# said: the answer is one long row, and has lost its shape
def logistic_slope(z):
    slope = []
    for v in z.flatten():
        slope.append(-np.exp(-v) / (1 + np.exp(-v)) if v > 0 else -1 / (1 + np.exp(v)))
    return np.array(slope)


# --- exponential_loss: clips so that it never overflows
# said: with `np.exp(-z)` in place of `np.exp(np.minimum(-z, 50))`
def exponential_loss(z):
    return np.exp(np.minimum(-z, 50))


# --- modified_squared_loss: forgives all that is right, already from 0 on
# said: all that is right is forgiven: only margins above 1 are
def modified_squared_loss(z):
    out = (1 - z) ** 2
    out[z > 0] = 0
    return out


# --- modified_squared_slope: constant slope, as of the hinge
# said: the slope is constant, as the hinge's is: it grows with 1 - z
def modified_squared_slope(z):
    return np.where(z < 1, -2.0, 0.0)


# --- logistic_loss: takes -z for the loss already from -5 on
# said: it is right for z up to -41.2 and from -3.8 on, and wrong in between
def logistic_loss(z):
    safe = np.maximum(z, -5)
    return np.where(z < -5, -z, np.log1p(np.exp(-safe)))


# --- logistic_loss: counts a margin above 5 as free
# said: with `z > 5` in line 58 never true
def logistic_loss(z):
    return np.where(z > 5, 0.0, np.logaddexp(0, -z))
