"""What an input must be. One place; every error names the argument, what it should be and what came."""

import functools
import inspect
import math
import numbers
import threading

import numpy as np

ASYMMETRY = 1e-10  # beside the entries, what rounding in a kernel of anyone's may leave between K and K'; chosen wide


def fail(name, should, came):
    """Raise the one kind of error this package raises on bad input."""
    raise ValueError(f"{name} must be {should}; got {came}")


def describe(value):
    """A few words on what arrived, short enough for an error message."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    text = " ".join(repr(value).split())
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"


def real(name, value, ndim=None, finite=False):
    """`value` as a float64 array: real numbers, of `ndim` dimensions and finite where asked, copied only if need be."""
    array = _as_array(name, value, "a rectangular array of numbers")
    if array.dtype.kind == "O" and _is_table_of_numbers(value):
        array = value.to_numpy(np.float64, na_value=np.nan)
    if array.dtype.kind not in "biuf":
        fail(name, "real numbers", describe(value))
    if ndim is not None and array.ndim != ndim:
        fail(name, f"{ndim}-dimensional", f"an array of shape {array.shape}")
    array = array.astype(np.float64, copy=False)
    if finite and not is_finite(array):
        fail(name, "finite", f"NaN or infinity at index {first_index(~np.isfinite(array))}")
    return array


def _as_array(name, value, should):
    """`value` as an array of what it holds."""
    refuse_strange(name, value)
    try:
        return np.asarray(value)
    except ValueError:
        fail(name, should, "rows of different lengths")


def refuse_strange(name, value):
    """Raise where NumPy would make an array of what is not one: sparse or masked entries, or data of Dask."""
    if type(value) is np.ndarray:  # as most often
        return
    if is_sparse(value):
        fail(name, "a dense array (sparse rows go to fit_logistic, fit_softmax, fit_svm and fit_sgd)", "a sparse one")
    if is_dask(value):
        instead = "fit_logistic, fit_softmax, fit_sgd and linear models read data of Dask chunk by chunk"
        fail(name, f"in memory (an array), since all of it is needed at once: {instead}", describe(type(value)))
    if isinstance(value, np.ma.MaskedArray):
        fail(name, "an array without a mask: fill it, or drop the rows with masked entries", "a masked array")


def is_dask(X):
    """Is X an array or a table of Dask? Told by its name: without Dask there is none to compare with."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr")


def _is_table_of_numbers(value):
    """Is it a table of pandas with numbers in every column? NumPy makes objects of flags beside lengths."""
    return hasattr(value, "columns") and all(getattr(dtype, "kind", "O") in "biuf" for dtype in value.dtypes)


def is_finite(array):
    """Are all entries finite? One pass and no temporary: a sum is finite only if its terms are (or it overflowed)."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = array.sum()
    return bool(np.isfinite(total)) or bool(np.isfinite(array).all())


def first_index(mask):
    """The index of the first true entry, as a number or a tuple of numbers."""
    index = tuple(np.argwhere(mask)[0].tolist())
    return index[0] if len(index) == 1 else index


def each(name, array, good, should):
    """`array`, of which each entry must be good: the mask says which are."""
    if not good.all():
        where = f" at index {first_index(~good)}" if array.ndim else ""
        fail(name, should, f"{array[~good][0]:g}{where}")
    return array


def matrix(name, X, columns=None, finite=False):
    """`X` as an (n, d) array with at least one row and one column, and `columns` columns where given."""
    X = real(name, X, finite=finite)
    _look_at_shape(name, X, columns)
    return X


def _look_at_shape(name, X, columns):
    """Raise if X, dense or sparse, is no matrix, empty, or has not as many columns as asked for."""
    if X.ndim != 2:
        fail(name, "a matrix with one row per example", f"an array of shape {X.shape}")
    if 0 in X.shape:
        fail(name, "a matrix with at least one row and one column", f"an array of shape {X.shape}")
    if columns is not None and X.shape[1] != columns:
        fail(name, f"a matrix with {columns} columns, as many as the parameters", f"{X.shape[1]} columns")


def is_sparse(X):
    """Is X a sparse matrix or array of SciPy? Told by its name: without SciPy there is none to compare with."""
    return type(X).__module__.startswith("scipy.sparse") and hasattr(X, "tocsr")


def sparse_matrix(name, X, columns=None):
    """Sparse `X` as a CSR array of doubles, all finite, with sorted indices and no entry twice."""
    from scipy import sparse

    _look_at_shape(name, X, columns)
    if X.dtype.kind not in "biuf":
        fail(name, "real numbers", f"a sparse array of dtype {X.dtype}")
    csr = sparse.csr_array(X, dtype=np.float64)
    if not csr.has_canonical_format:
        csr = csr.copy() if np.shares_memory(csr.data, getattr(X, "data", None)) else csr
        csr.sum_duplicates()
    if not is_finite(csr.data):
        k = first_index(~np.isfinite(csr.data))
        where = int(np.searchsorted(csr.indptr, k, side="right")) - 1, int(csr.indices[k])
        fail(name, "finite", f"NaN or infinity at index {where}")
    return csr


def rows(name, X, columns=None):
    """`X` as finite rows, dense or sparse, with `columns` columns where given."""
    return sparse_matrix(name, X, columns) if is_sparse(X) else matrix(name, X, columns, finite=True)


def vector(name, value, length=None, finite=False):
    """`value` as a 1-dimensional array, of `length` entries where given."""
    array = real(name, value, ndim=1, finite=finite)
    if length is not None and len(array) != length:
        fail(name, f"of length {length}", f"length {len(array)}")
    return array


def scalar(name, value, finite=False):
    """`value` as a float."""
    if type(value) is float and not finite:  # as most often
        return value
    array = real(name, value)
    if array.ndim != 0:
        fail(name, "a single number", f"an array of shape {array.shape}")
    if finite and not np.isfinite(array):
        fail(name, "a finite number", describe(value))
    return float(array)


def positive(name, value, or_zero=False):
    """`value` as a finite float > 0, for `C`, `tau`, `eta` and their kind; with `or_zero` >= 0, for `lam`."""
    number = scalar(name, value)
    if not (0 < number < math.inf or (or_zero and number == 0)):
        fail(name, "a finite number >= 0" if or_zero else "a finite number > 0", describe(value))
    return number


def probabilities(name, value):
    """`value`, an array or a number, which must lie strictly between 0 and 1."""
    array = np.asarray(value)
    each(name, array, (array > 0) & (array < 1), "strictly between 0 and 1")
    return value


def count(name, value, least=1, below=math.inf, should=None):
    """`value` as an int >= `least`, and `below` a bound where there is one."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not least <= value < below:
        fail(name, should or f"a whole number >= {least}", describe(value))
    return int(value)


def many(name, value):
    """`value` as a number of examples: whole, or a sum of weights."""
    number = 0.0 if isinstance(value, bool) or not isinstance(value, numbers.Real) else float(value)
    if not 0 < number < math.inf:
        fail(name, "a number of examples, or a sum of weights, > 0", describe(value))
    return value


def index(name, value, length):
    """`value` as the number of an example, 0 .. length-1."""
    return count(name, value, 0, length, f"a whole number from 0 to {length - 1}, the number of an example")


def choice(name, value, allowed):
    """`value`, which must be one of a few words or whole numbers."""
    if not isinstance(value, str | numbers.Integral) or value not in allowed:
        fail(name, "one of " + ", ".join(map(repr, allowed)), describe(value))
    return value


def generator(name, value):
    """`value`, which must be a `numpy.random.Generator`."""
    if not isinstance(value, np.random.Generator):
        fail(name, "a numpy.random.Generator, for instance np.random.default_rng(0)", describe(value))
    return value


def loss(name, value):
    """`value`, which must have methods `.value`, `.slope` and `.curvature`, as the losses of the margin do."""
    if not all(callable(getattr(value, method, None)) for method in ("value", "slope", "curvature")):
        fail(name, "a loss of the margin, for instance losses.LOGISTIC", describe(value))
    return value


def label(name, value, pair):
    """`value`, which must be one of a pair of labels."""
    if scalar(name, value) not in pair:
        fail(name, f"a label, {pair[0]} or {pair[1]:+d}" if -1 in pair else "a label, 0 or 1", describe(value))
    return value


def _labels(name, y, should, length=None, of_any_shape=False):
    """`y` as a vector, of `length` labels where given, or an array `of_any_shape`; values are not looked at yet."""
    labels = _as_array(name, y, should)
    if labels.ndim != 1 and not of_any_shape:
        fail(name, should, f"an array of shape {labels.shape}")
    if length is not None and len(labels) != length:
        fail(name, f"of length {length}, one label per example", f"length {len(labels)}")
    return labels


def binary(name, y, length=None):
    """`y` as a float array of 0 and 1, of any shape; a vector of `length` entries where given."""
    labels = _labels(name, y, "labels 0 and 1", length, of_any_shape=length is None)
    if labels.dtype.kind not in "biuf" or not ((labels == 0) | (labels == 1)).all():
        fail(name, "labels 0 and 1", _values(labels))
    return labels.astype(np.float64, copy=False)


def square(name, H, should="a square matrix"):
    """`H` as a matrix with as many rows as columns."""
    H = matrix(name, H)
    if H.shape[0] != H.shape[1]:
        fail(name, should, f"an array of shape {H.shape}")
    return H


def gram(name, K):
    """`K` as a Gram matrix: square, finite and, up to rounding, symmetric."""
    K = square(name, K, "a square matrix, one row and one column per example")
    # K u = K' u for one fixed u without pattern: two products show what a copy of K' would.
    u = np.random.default_rng(0).uniform(0.5, 1.0, len(K))
    with np.errstate(over="ignore", invalid="ignore"):
        down, across = K @ u, u @ K
    if not np.isfinite(down).all():
        matrix(name, K, finite=True)
    if np.abs(down - across).max() > ASYMMETRY * (np.abs(across).max() + np.abs(np.diag(K)).max()):
        fail(name, "symmetric, as inner products are", "a matrix that differs from its transpose")
    return K


FIRST_LOOK, GROUP = 100, 300  # examples on which a kernel is looked at, at first and later in a group: chosen for speed
INDEFINITE = 1e-10  # of the trace: an eigenvalue below minus that is no rounding; chosen


def kernel_matrix(kernel, X):
    """kernel(X, X), checked to be a Gram matrix, and positive semidefinite on up to 100 of the examples.

    The learners look further, in groups of up to 300: `fit_kernel_svm` at its support vectors, which proves up to
    300 of them to have no better combination, whatever K is elsewhere; `fit_kernel_logistic` at all examples, and it
    refuses a negative eigenvalue that its conjugate gradients come across. Beyond 300, what hides between groups can
    escape.
    """
    if not callable(kernel):
        fail("kernel", "a function of (X, Z), for instance kernels.linear_kernel", describe(kernel))
    with afresh():
        K = gram("kernel(X, X)", kernel(X, X))
    if len(K) != len(X):
        fail("kernel(X, X)", f"of shape {(len(X), len(X))}", f"an array of shape {K.shape}")
    if (np.diag(K) < 0).any():
        fail("kernel", "positive semidefinite", f"a squared length of {np.diag(K).min():.3g}")
    refuse_indefinite(K, np.unique(np.linspace(0, len(K) - 1, FIRST_LOOK).astype(int)))
    return K


def refuse_indefinite(K, examples):
    """Raise if K, on the examples in groups of up to 300, has an eigenvalue below -1e-10 times its trace there."""
    groups = -(-len(examples) // GROUP)
    for start in range(groups):
        some = examples[start::groups]
        M = K[np.ix_(some, some)]
        noise = INDEFINITE * np.trace(M) + np.finfo(float).tiny
        M.flat[:: len(M) + 1] += noise
        try:
            np.linalg.cholesky(M)
        except np.linalg.LinAlgError:
            least = np.linalg.eigvalsh(M)[0] - noise
            fail("kernel", "positive semidefinite", f"a Gram matrix with the eigenvalue {least:.3g}")


def signs(name, y, length=None, both=False):
    """`y` as a float vector of -1 and +1; with `both`, each of them at least once."""
    labels = _labels(name, y, "a vector of labels -1 and +1", length)
    numbers = labels.dtype.kind in "iuf"
    negative, positive = numbers and np.count_nonzero(labels == -1), numbers and np.count_nonzero(labels == 1)
    if negative + positive < len(labels):
        mend = " (linclass.conventions.signs_from_binary turns 0 and 1 into -1 and +1)"
        binary = labels.dtype.kind in "biuf" and len(labels) and np.isin(labels, (0, 1)).all()
        fail(name, "a vector of labels -1 and +1", _values(labels) + (mend if binary else ""))
    if both and not (negative and positive):
        fail(name, "labels of both classes, -1 and +1", f"only {labels[0]:+.0f}")
    return labels.astype(np.float64, copy=False)


def classes(name, y, length=None, n_classes=None):
    """`y` as class numbers 0 .. n_classes-1; if n_classes is not given, every class up to the last must occur."""
    labels = _labels(name, y, "a vector of class numbers", length)
    kind = labels.dtype.kind
    whole = kind in "iu" or (kind == "f" and bool((np.isfinite(labels) & (labels == np.floor(labels))).all()))
    if len(labels) == 0 or not whole:
        fail(name, "a vector of class numbers 0, 1, 2, …", _values(labels))
    top = int(labels.max()) + 1 if n_classes is None else n_classes
    if labels.min() < 0 or labels.max() >= top:
        fail(name, f"class numbers from 0 to {top - 1}", _values(labels))
    if n_classes is None:
        if top < 2:
            fail(name, "labels of at least two classes, 0 .. n_classes-1", "only class 0")
        present = np.unique(labels)
        if len(present) < top:
            absent = np.argmin(np.append(present, -1) == np.arange(len(present) + 1))
            fail(name, f"class numbers 0 .. {top - 1}, each at least once", f"no example of class {absent}")
    return labels.astype(np.intp, copy=False)


def _values(labels):
    """The distinct values that came, at most five of them."""
    try:
        distinct = sorted(set(labels.ravel()[:10_000].tolist()), key=repr)
    except TypeError:
        return describe(labels)
    shown = ", ".join(map(repr, distinct[:5])) + (", …" if len(distinct) > 5 else "")
    return f"the values {{{shown}}}"


def weights(name, value, length=None):
    """`value` as the weights of examples: finite numbers >= 0; none of them need be above 0 yet."""
    array = vector(name, value, length)
    return each(name, array, (array >= 0) & (array < np.inf), "finite weights >= 0")


def no_weights(why):
    """The check of a `sample_weight` that a function has no use for; the words say why."""

    def look(value):
        if value is not None:
            fail("sample_weight", f"None, since {why}", describe(value))

    return look


def of_mean_one(name, w):
    """(the weights above 0, scaled to a mean of 1, and the sum they had): a loss then counts by its share of that."""
    largest = w.max(initial=0.0)
    if not largest > 0:
        fail(name, "weights that are not all zero", f"{len(w)} weights of 0")
    w = w[w > 0] / largest
    mean = float(w.mean(dtype=np.longdouble))
    return w / mean, len(w) * mean * float(largest)


# What a function takes, in one line above it.

_chain = threading.local()  # .checked: were the arguments looked at where this thread's chain of calls began?
_KINDS = {
    "": scalar,
    "finite": functools.partial(scalar, finite=True),
    "> 0": positive,
    ">= 0": functools.partial(positive, or_zero=True),
    "count": count,
    "many": many,
    "probability": lambda name, value: probabilities(name, scalar(name, value)),
    "binary": binary,
    "function": lambda name, value: callers(name, value, functools.partial(real, f"{name}(…)")),
    "sign": functools.partial(label, pair=(-1, 1)),
    "bit": functools.partial(label, pair=(0, 1)),
    "loss": loss,
    "rng": generator,
}


def takes(*together, **arguments):
    """The line above a function that says what it takes, and is the check:

        @takes(theta="d", theta_0="", X="n d", y="n signs", loss="loss", lam=">= 0")

    A letter is a length, and the same letter the same length: "d" is a vector, "n d" a matrix, "n 2" one with two
    columns, "m m" a Gram matrix, "d d square" any square one, "k count" the length itself, "m index" the number of one
    of them, "m indices" several, "" a number. Words say more: finite, rows (finite, and perhaps sparse), nonzero,
    positive, probabilities, signs, signs both, binary, classes (of which there are k). A function in place of words is
    the check itself, a tuple the choices there are, and a function that comes first looks at all arguments together.
    Inside, arguments are arrays of doubles, and numbers that leave the doubles do so without a warning. What is called
    from there does not look again, unless it is called by a function of the caller's own.
    """

    def declared(function):
        signature = inspect.signature(function)
        parameters = signature.parameters
        # What replaces a function need not take all that it takes.
        readers = {name: _reader(spec) for name, spec in arguments.items() if name in parameters}
        places = [name for name, p in parameters.items() if p.kind is not p.KEYWORD_ONLY]
        defaults = {name: p.default for name, p in parameters.items() if p.default is not p.empty}

        @functools.wraps(function)
        def checked(*args, **kwargs):
            if getattr(_chain, "checked", False):
                return function(*args, **kwargs)
            named = dict(zip(places, args, strict=False)) | kwargs
            given, lengths = defaults | named, {}
            if len(named) < len(args) + len(kwargs) or given.keys() != parameters.keys():
                signature.bind(*args, **kwargs)  # raises what Python says of such a call
            for name, reader in readers.items():
                given[name] = reader(name, given[name], lengths)
            for look in together:
                look(**given)
            with _checked(True), np.errstate(all="ignore"):
                return function(**given)

        checked.takes = declared  # what replaces this function is checked in the same way
        return checked

    return declared


def gives(look):
    """The line above a function whose result is looked at: by `look`, which refuses it or gives it back."""

    def declared(function):
        @functools.wraps(function)
        def looked_at(*args, **kwargs):
            return look(function(*args, **kwargs))

        looked_at.takes = lambda other: gives(look)(function.takes(other))
        return looked_at

    return declared


def gives_finite(name):
    """The line above a function whose result must be finite; where it is not, `name` is the argument to blame."""

    def finite(result):
        if not is_finite(result):
            fail(name, "finite and small enough for a finite result", "numbers too large for that")
        return result

    return gives(finite)


class _checked:
    """A context in which functions do not look at their arguments, or do again. A class: it is entered very often."""

    def __init__(self, state):
        self.state = state

    def __enter__(self):
        self.before, _chain.checked = getattr(_chain, "checked", False), self.state

    def __exit__(self, *error):
        _chain.checked = self.before


as_checked = functools.partial(_checked, True)  # around what has been looked at
afresh = functools.partial(_checked, False)  # around someone else's code, which is about to call functions


def callers(name, function, answer):
    """A caller's own function: what it calls looks at its arguments again, and `answer` at what it returns."""
    if not callable(function):
        fail(name, "a function", describe(function))

    @functools.wraps(function)
    def called(*args):
        with afresh():
            return answer(function(*args))

    return called


def _reader(spec):
    """A function of (name, value, lengths so far) that gives the checked value."""
    if callable(spec):
        return lambda name, value, lengths: spec(value)
    if isinstance(spec, tuple):
        return lambda name, value, lengths: choice(name, value, spec)
    if spec in _KINDS:
        return lambda name, value, lengths: _KINDS[spec](name, value)
    letters, words = [w for w in spec.split() if len(w) == 1], {w for w in spec.split() if len(w) > 1}

    def read(name, value, lengths):
        if "indices" in words:
            return np.array([index(name, i, lengths[letters[0]]) for i in np.atleast_1d(value).tolist()], dtype=int)
        if "index" in words:
            return index(name, value, lengths[letters[0]])
        if "count" in words:
            lengths[letters[0]] = count(name, value)
            return lengths[letters[0]]
        array = _array(letters, words, name, value, lengths)
        if "nonzero" in words and not array.any(axis=-1).all():
            zero = f"row {first_index(~array.any(axis=-1))}" if array.ndim == 2 else "the zero vector"
            fail(name, "without zero rows" if array.ndim == 2 else "a vector that is not zero", zero)
        if "positive" in words:
            each(name, array, array > 0, "positive")
        if "probabilities" in words:
            probabilities(name, array)
        lengths.update(zip(letters, array.shape, strict=True))
        return array

    return read


def _array(letters, words, name, value, lengths):
    """The array that letters and words ask for, as long as others of these letters have been so far."""
    if len(letters) == 2:
        n, m = letters
        width = int(m) if m.isdigit() else lengths.get(m)
        whole = square if "square" in words else gram
        plain = functools.partial(matrix, finite="finite" in words)
        return whole(name, value) if n == m else (rows if "rows" in words else plain)(name, value, width)
    length = lengths.get(letters[0])
    if "signs" in words:
        return signs(name, value, length, "both" in words)
    if "classes" in words:
        return classes(name, value, length, lengths["k"])
    if "binary" in words:
        return binary(name, value, length)
    return vector(name, value, length, "finite" in words)
