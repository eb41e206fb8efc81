"""Data to learn from: three real sets that ship with the package, and seeded ones drawn to make a point.

Real sets come as a frozen `Dataset`. Drawn ones take the number of examples and a `numpy.random.Generator`, and
return (X, y) with the classes equally frequent, within one, in random order, unless the formula draws the labels.
"""

import glob
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from linclass import _checks, logistic, margins
from linclass._checks import takes

__all__ = [
    "SPAM_WORDS",
    "Dataset",
    "breast_cancer",
    "circle",
    "csv_blocks",
    "digits",
    "flip_labels",
    "gaussian_classes",
    "iris",
    "logistic_sample",
    "moons",
    "parquet_blocks",
    "separable",
    "sine",
    "spam",
    "two_gaussians",
    "xor",
]

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Dataset:
    """A real data set: examples, labels, what they are called, where they are from and under which licence."""

    X: np.ndarray  # (n, d)
    y: np.ndarray  # (n,): -1 and +1 for two classes, 0 .. n_classes-1 for more
    feature_names: tuple
    class_names: tuple  # in the order of the labels
    source: str
    licence: str


def _read(file, class_names, source):
    """A shipped file as a `Dataset`, its last column as class numbers."""
    table = np.loadtxt(FOLDER / file, delimiter=",", skiprows=1)
    header = np.loadtxt(FOLDER / file, delimiter=",", max_rows=1, dtype=str)
    names = tuple(str(name) for name in header[:-1])
    return Dataset(table[:, :-1].copy(), table[:, -1].astype(int), names, class_names, source, "CC BY 4.0")


def iris():
    """Fisher's 150 irises: four lengths in cm, three species. Only setosa is linearly separable from the others."""
    return _read(
        "iris.csv",
        ("setosa", "versicolor", "virginica"),
        "R. A. Fisher (1936), The use of multiple measurements in taxonomic problems; UCI, doi:10.24432/C56C76",
    )


def breast_cancer():
    """The Wisconsin diagnostic data: 569 tumours, 30 measurements of their cells; -1 is benign, +1 malignant."""
    data = _read(
        "breast_cancer.csv.gz",
        ("benign", "malignant"),
        "W. H. Wolberg, O. L. Mangasarian, W. N. Street (1993), Breast Cancer Wisconsin (Diagnostic); "
        "UCI, doi:10.24432/C5DW2B",
    )
    return replace(data, y=2.0 * data.y - 1.0)


def digits():
    """1797 handwritten digits, 8 x 8 grey levels from 0 to 16 each; `X[i].reshape(8, 8)` is the picture."""
    return _read(
        "digits.csv.gz",
        tuple("0123456789"),
        "E. Alpaydin, C. Kaynak (1998), Optical Recognition of Handwritten Digits; UCI, doi:10.24432/C50P49",
    )


def _balanced_labels(n, rng, n_classes=2):
    """Class numbers 0 .. n_classes-1, equally often within one, in random order."""
    return rng.permutation(np.arange(_checks.count("n", n, least=n_classes)) % n_classes)


def _balanced_signs(n, rng):
    """Labels -1 and +1, equally often within one, in random order."""
    return 2.0 * _balanced_labels(n, rng) - 1.0


@takes(rng="rng", means="k d finite", scale=">= 0")
def gaussian_classes(n, rng, *, means=((-2.0, -1.0), (2.0, -1.0), (0.0, 2.0)), scale=1.0):
    """One Gaussian cloud around each of the means, every coordinate with deviation `scale`; y in 0 .. n_classes-1."""
    y = _balanced_labels(n, rng, len(means))
    return means[y] + scale * rng.standard_normal(means[y].shape), y


@takes(rng="rng", means="k d finite", scale=">= 0")
def two_gaussians(n, rng, *, means=((-1.0, -1.0), (1.0, 1.0)), scale=1.0):
    """Two Gaussian clouds of equal shape, -1 around the first mean and +1 around the second: they overlap."""
    if len(means) != 2:
        _checks.fail("means", "two rows, one mean for each class", f"{len(means)} rows")
    X, y = gaussian_classes(n, rng, means=means, scale=scale)
    return X, 2.0 * y - 1.0


@takes(theta="d finite", theta_0="", n="count", rng="rng")
def logistic_sample(theta, theta_0, n, rng):
    """Standard Gaussian X, and each label +1 with probability sigmoid(theta . x + theta_0), else -1."""
    X = rng.standard_normal((n, len(theta)))
    p = logistic.sigmoid(margins.scores(theta, theta_0, X))
    return X, np.where(rng.random(n) < p, 1.0, -1.0)


@takes(rng="rng", margin=">= 0", theta="d finite nonzero", theta_0="")
def separable(n, rng, margin=0.1, *, theta=(1.0, 1.0), theta_0=0.0):
    """Two classes that the given (theta, theta_0) separates, no example closer to the boundary than `margin`.

    A Gaussian cloud, whose distance t to the boundary becomes margin + |t|, on the side that the label says.
    """
    y, size = _balanced_signs(n, rng), float(np.linalg.norm(theta))
    X = rng.standard_normal((len(y), len(theta)))
    t = X @ theta / size
    distance = y * (margin + np.abs(t)) - theta_0 / size
    return X + np.outer(distance - t, theta / size), y


@takes(rng="rng", radius="> 0", gap=">= 0")
def circle(n, rng, *, radius=1.0, gap=0.1):
    """+1 inside a circle, -1 in the ring around it out to twice the radius, with a gap of `gap` radii between them."""
    if gap >= 2:
        _checks.fail("gap", "below 2, where it would fill the circle", f"{gap:g}")
    y = _balanced_signs(n, rng)
    # The square of the distance is uniform, so the points are evenly spread over the area.
    low, high = np.where(y > 0, 0.0, (1 + gap / 2) ** 2), np.where(y > 0, (1 - gap / 2) ** 2, 4.0)
    distance, angle = radius * np.sqrt(rng.uniform(low, high)), rng.uniform(0, 2 * np.pi, len(y))
    return np.column_stack([distance * np.cos(angle), distance * np.sin(angle)]), y


@takes(rng="rng", noise=">= 0")
def xor(n, rng, *, noise=0.25):
    """Four clouds at (±1, ±1), labelled by the sign of the product of the coordinates: no line tells them apart."""
    y = _balanced_signs(n, rng)
    first = np.where(rng.random(len(y)) < 0.5, 1.0, -1.0)
    corners = np.column_stack([first, y * first])
    return corners + noise * rng.standard_normal(corners.shape), y


@takes(rng="rng", noise=">= 0")
def moons(n, rng, *, noise=0.1):
    """Two half circles, one hooked into the other, blurred by Gaussian noise."""
    y = _balanced_signs(n, rng)
    angle = rng.uniform(0, np.pi, len(y))
    arcs = np.column_stack([np.where(y > 0, 1 - np.cos(angle), np.cos(angle)), y * (0.25 - np.sin(angle)) + 0.25])
    return arcs + noise * rng.standard_normal(arcs.shape), y


SPAM_WORDS = ("free", "winner", "click", "offer", "meeting", "thanks", "project", "tomorrow")
_SPAM_RATES = np.array([0.6, 0.4, 0.5, 0.5, 0.05, 0.15, 0.1, 0.1])
_MAIL_RATES = np.array([0.1, 0.02, 0.1, 0.15, 0.4, 0.5, 0.4, 0.3])


@takes(rng="rng")
def spam(n, rng):
    """Letters as 0/1 columns, one per word of SPAM_WORDS; +1 is spam. Given the class, words come independently."""
    y = _balanced_signs(n, rng)
    rates = np.where(y[:, None] > 0, _SPAM_RATES, _MAIL_RATES)
    return (rng.random(rates.shape) < rates).astype(float), y


@takes(n="count", rng="rng", noise=">= 0")
def sine(n, rng, *, noise=0.2):
    """Regression in one dimension: x uniform on [0, 1], y = sin(2 pi x) plus Gaussian noise; X is (n, 1)."""
    x = rng.uniform(0, 1, n)
    return x[:, None], np.sin(2 * np.pi * x) + noise * rng.standard_normal(n)


@takes(y="n signs", fraction="", rng="rng")
def flip_labels(y, fraction, rng):
    """`y` with the given fraction of its labels, rounded down to a whole number, turned into their opposite."""
    if not 0 <= fraction <= 1:
        _checks.fail("fraction", "between 0 and 1", f"{fraction:g}")
    count = int(round(fraction * len(y), 9))  # 0.29 of 100 is 29, though the product is a little less
    flipped = y.copy()
    flipped[rng.choice(len(y), count, replace=False)] *= -1
    return flipped


def parquet_blocks(path, target, *, rows=100_000, columns=None, labels=None):
    """Parquet files as blocks (X, y) for a learner: `rows` rows at a time, y the column `target`, X all others.

    `path` is a file, a folder, a pattern such as "day-*.parquet", or a list of these; files come in the order of their
    names. `columns` chooses the inputs and their order, `labels` is a table from what stands in the target to a label,
    such as {"spam": 1, "ham": -1}. The answer is a function that makes a fresh iterator, so that the files can be read
    again. Needs pyarrow.
    """
    rows = _checks.count("rows", rows)

    def read():
        from pyarrow.parquet import ParquetFile

        for name in _files(path, "*.parquet"):
            with ParquetFile(name) as file:
                chosen = None if columns is None else _known([*columns, target], file.schema_arrow.names, name)
                batches = file.iter_batches(batch_size=rows, columns=chosen)
                yield from _numbers((batch.to_pandas() for batch in batches), name, target, columns, labels)

    return read


def csv_blocks(path, target, *, rows=100_000, columns=None, labels=None):
    """CSV files with a header as blocks (X, y), as `parquet_blocks` gives them. Needs pandas."""
    rows = _checks.count("rows", rows)

    def read():
        import pandas

        for name in _files(path, "*.csv*"):
            with pandas.read_csv(name, chunksize=rows) as chunks:
                yield from _numbers(chunks, name, target, columns, labels)

    return read


def _files(path, pattern):
    """The files that a path, a folder, a pattern or a list of them stands for."""
    if isinstance(path, list | tuple):
        return [file for part in path for file in _files(part, pattern)]
    place = Path(path)
    found = place.glob(pattern) if place.is_dir() else map(Path, [path] if place.exists() else glob.glob(str(path)))
    files = sorted(file for file in found if file.is_file())
    if not files:
        should = "a file, a folder with files, a pattern that fits some, or a list of them"
        _checks.fail("path", should, repr(str(path)))
    return files


def _known(wanted, present, file):
    """The wanted columns, all of them in the file."""
    for column in wanted:
        if column not in present:
            name = "target" if column == wanted[-1] else "columns"
            among = ", ".join(map(str, present))
            _checks.fail(name, f"a column of the file, {Path(file).name}", f"{column!r}, which is not among {among}")
    return list(wanted)


def _numbers(frames, file, target, columns, labels):
    """(X, y) of each frame; what is not a finite number, or not a known label, is named by its column and row."""
    first = 0  # rows count from 0 at the first one below the header

    def refuse(bad, column, should):
        if bad.any():
            row = _checks.first_index(bad)
            came = f"{frame[column].iloc[row]!r} in row {first + row} of {Path(file).name}"
            _checks.fail(f"column {column!r}", should, came)

    for frame in frames:
        inputs = [name for name in frame.columns if name != target] if columns is None else list(columns)
        frame = frame[_known([*inputs, target], list(frame.columns), file)]
        X = np.column_stack([_doubles(frame[name]) for name in inputs])
        for name, column in zip(inputs, X.T, strict=True):
            refuse(~np.isfinite(column), name, "finite numbers")
        y = frame[target]
        if labels is not None:
            refuse(~y.isin(list(labels)).to_numpy(), target, "one of the labels " + ", ".join(map(repr, labels)))
            y = y.map(labels)
        yield X, y.to_numpy()
        first += len(frame)


def _doubles(column):
    """A column of a table as doubles; NaN for what is not a number."""
    from pandas import to_numeric

    return to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
