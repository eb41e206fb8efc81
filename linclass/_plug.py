"""Whose code computes: the package's own, a faster twin's, or that of someone who replaced a function.

A learner stands in its module as the book explains it, and the line above it names its fast twin in `linclass._fast`.
The twin answers, unless `linclass.use` has replaced a function: then the plain way computes, since it is built from the
formulas, and so from whatever has replaced them.
"""

import contextlib
import functools
import importlib
import sys

from linclass import _checks

_imported = functools.cache(importlib.import_module)  # when a twin is first needed
replaced = {}  # ("losses", "hinge_loss") -> the package's own function


def own(function):
    """The package's own function behind one that replaces it, and any other function itself."""
    for (module, name), original in replaced.items():
        if getattr(sys.modules.get(f"linclass.{module}"), name, None) is function:
            return original
    return function


@contextlib.contextmanager
def plain_path():
    """Learners take their plain path inside, so that a changed formula is what computes."""
    before = dict(replaced)
    replaced.setdefault(("", "changed"), None)
    try:
        yield
    finally:
        replaced.clear()
        replaced.update(before)


def faster(twin):
    """The line above a function that names its twin, as in "smo.fit_kernel_svm": the same arguments, the same answer.

    The plain function itself is the attribute `plain`.
    """
    module, name = twin.split(".")

    def declared(plain):
        @functools.wraps(plain)
        def either(*args, **kwargs):
            if replaced:
                for arg in filter(_checks.is_sparse, (*args, *kwargs.values())):
                    _checks.fail("X", "dense while a function of yours is plugged in", _checks.describe(type(arg)))
                return plain(*args, **kwargs)
            return getattr(_imported(f"linclass._fast.{module}"), name)(*args, **kwargs)

        either.plain = plain
        return either

    return declared
