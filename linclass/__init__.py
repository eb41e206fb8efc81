"""linclass: linear classification, formula by formula.

The modules are the public surface: `from linclass import margins, losses, logistic` and so on.
"""

__version__ = "0.1.0"
