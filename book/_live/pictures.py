"""Matplotlib's place in a page, which has none: the numbers of a cell run, and what it draws is passed over.

`Nothing` takes every call and has every attribute. Axes know their limits, since drawing functions ask for them.
"""

import sys
import types


class Nothing:
    """Takes whatever is asked of it."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()

    def __call__(self, *args, **kwargs):
        return Nothing()

    def __getitem__(self, key):
        return Nothing()

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter((Nothing(),))


class Axes(Nothing):
    """Axes that nobody sees."""

    def get_xlim(self):
        return 0.0, 1.0

    get_ylim = get_zlim = get_xlim


def subplots(rows=1, columns=1, **kwargs):
    """(figure, axes) as `pyplot.subplots` gives them."""
    import numpy as np

    columns = kwargs.get("ncols", columns)
    axes = np.array([[Axes() for _ in range(columns)] for _ in range(kwargs.get("nrows", rows))], dtype=object)
    return Nothing(), axes[0, 0] if axes.size == 1 else axes.squeeze()


def stand_in():
    """Put stand-ins where Matplotlib would be imported from."""
    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.colors", "mpl_toolkits.mplot3d.art3d"):
        module = types.ModuleType(name)
        module.__getattr__ = lambda attribute: Nothing()
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], last, module)
    pyplot = sys.modules["matplotlib.pyplot"]
    pyplot.subplots, pyplot.rcParams = subplots, {}
    sys.modules["matplotlib.colors"].to_rgb = lambda colour: (0.0, 0.0, 0.0)
