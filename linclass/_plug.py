"""Which of the package's functions someone else's code has replaced: empty unless `linclass.use` was called.

Learners look here: while anything is replaced they take their plain path, the one built from the formulas.
"""

replaced = {}  # ("losses", "hinge_loss") -> the package's own function
