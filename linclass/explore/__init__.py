"""Figures that answer to the hand, without a kernel.

Each function here returns a figure for a notebook's last line. Its markup holds a still picture of the first state,
so it reads in print, without scripts and in a notebook that is not trusted; where scripts run, the picture can be
dragged, slid and stepped. What is heavy is computed here by the package and travels with the figure; what is light
the script computes by the same formulas, and a test holds it to the package's numbers.

The markup has no ids, so figures never clash and the same call always gives the same bytes.
"""

from linclass.explore.figures.kernel_sgd import kernel_sgd
from linclass.explore.figures.kernels import kernels
from linclass.explore.figures.logistic import logistic
from linclass.explore.figures.losses import losses
from linclass.explore.figures.margins import margins
from linclass.explore.figures.newton import newton
from linclass.explore.figures.perceptron import perceptron
from linclass.explore.figures.probabilities import probabilities
from linclass.explore.figures.sgd import sgd
from linclass.explore.figures.softmax import softmax
from linclass.explore.figures.svm import svm
from linclass.explore.frame import Explorable

__all__ = ["Explorable", "kernel_sgd", "kernels", "logistic", "losses", "margins", "newton", "perceptron"]
__all__ += ["probabilities", "sgd", "softmax", "svm"]
