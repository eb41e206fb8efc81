"""What can be said of wrong answers where nobody knows why they are wrong: where they are, and what is odd about them.

Each sentence is a plain fact about the public calls and true whenever it is shown. The more telling ones come first.
"""

import inspect
import itertools

import numpy as np

from linclass import losses
from linclass.assignments.compare import close, parts_of

FEW = 2  # calls of either kind, below which nothing is said of what they share
FAR = 700.0  # beyond this the exponential of a double overflows
MOST = 2  # sentences
WITH_LOGARITHMS = ("losses", "logistic", "softmax")


def facts(task, runs):
    """Sentences about the public runs of a function, some of which are wrong."""
    answered = [run for run in runs if run.answer is not None and run.allowed is None]
    pairs = [pair for run in answered for pair in _pairs(task, run)]
    found = []
    for look in (
        _shapes,
        _columns,
        _rows,
        _ends,
        _along_z,
        _where,
        _moves,
        _parts,
        _zeros,
        _one_value,
        _cut_off,
        _entries,
    ):
        if look in (_where, _moves, _parts):
            found += look(task, [run for run in runs if run.answer is not None])
        elif look is _along_z:
            found += look(task, answered)
        elif look is _cut_off and (task.parts or task.module not in WITH_LOGARITHMS):
            continue
        else:
            found += look(pairs)
        if len(found) >= MOST:
            break
    return found[:MOST]


def _pairs(task, run):
    """(part, what came, what should have come, where it is wrong, the run) of each part that came as an array."""
    came = {} if run.answer.error else parts_of(run.answer.value, run.parts)
    for part, b in parts_of(run.expected, run.parts).items():
        a = came.get(part)
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and part != "converged":
            wrong = ~close(a, b, task.gap) if a.shape == b.shape else None
            yield part, a, b, wrong, run


def _of(part):
    return f"the {part}" if part else "the answer"


# ---- shapes, columns, entries ----


def _sizes(run):
    """{letter: number} of a call: n rows and d columns of the first array, m rows of a second table."""
    arrays = [a for a in run.call.args if isinstance(a, np.ndarray)]
    tables = [a for a in arrays if a.ndim == 2]
    if tables:
        return {"n": len(tables[0]), "d": tables[0].shape[1], "m": len(tables[-1]) if len(tables) > 1 else -9}
    return {letter: len(a) for letter, a in zip("nm", arrays, strict=False)}


SHIFTS = (("", 0), (" + 1", 1), (" - 1", -1))


def _shapes(pairs):
    """The shape that came, in the letters of the call, if one reading fits all calls."""
    wrong = [(part, a, b, run) for part, a, b, bad, run in pairs if bad is None]
    parts = {part for part, *_ in wrong}
    if len(wrong) <= FEW or len(parts) != 1 or len({a.ndim for _, a, _, _ in wrong}) != 1:
        return []

    def read(which):
        readings = []
        for axis in range(wrong[0][which].ndim):
            fits = [
                f"{letter}{words}"
                for letter in ("n", "m", "d")
                for words, shift in SHIFTS
                if all(_sizes(run).get(letter, -9) + shift == (a, b)[which - 1].shape[axis] for _, a, b, run in wrong)
            ]
            if all((a, b)[which - 1].shape[axis] == 1 for _, a, b, _ in wrong):
                fits.append("1")
            if not fits:
                return None
            readings.append(fits[0])
        return f"({', '.join(readings)}{',' * (len(readings) == 1)})"

    if not all((a if which == 1 else b).ndim == (wrong[0][which]).ndim for _, a, b, _ in wrong for which in (1, 2)):
        return []
    came, should = read(1), read(2)
    if not came or not should or came == should:
        return []
    part = wrong[0][0]
    return [f"{_of(part)} has the shape {came} and should have {should}."]


def _columns(pairs):
    """Columns that are right, but not in their places, or not all there, or there more than once."""
    wrong = [(part, a, b) for part, a, b, bad, _ in pairs if a.ndim == b.ndim == 2 and (bad is None or bad.any())]
    if not wrong or len({part for part, *_ in wrong}) != 1 or any(len(a) != len(b) for _, a, b in wrong):
        return []
    part, a, b = max(wrong, key=lambda one: one[2].size)
    places = [_places(one, other) for _, one, other in wrong]
    if any(None in place for place in places) or len(a) < FEW or len(np.unique(b, axis=1).T) < b.shape[1]:
        return []
    order = _places(a, b)
    what = f"the columns of {_of(part)} are right ones"
    if missing := [k for k in range(b.shape[1]) if k not in order]:
        return [f"{what}, but {_listed(missing)} of the {b.shape[1]} (counted from 0) {_are(missing)} missing."]
    if twice := sorted({k for k in order if order.count(k) > 1}):
        return [f"{what}, but more than once there {_are(twice)} {_listed(twice)}, counted from 0."]
    return [f"{what}, in another order: {_listed(order)}, counted from 0."]


def _are(things):
    return "are" if len(things) > 1 else "is"


def _listed(numbers):
    *rest, last = map(str, numbers)
    return f"{', '.join(rest)} and {last}" if rest else last


def _places(a, b):
    """For each column of a the first of b that is the same, or None."""
    found = []
    for column in a.T:
        same = [k for k, other in enumerate(b.T) if np.allclose(column, other, rtol=1e-6, atol=1e-6)]
        found.append(same[0] if same else None)
    return found


def _entries(pairs):
    """Entries of a table that are wrong: the diagonal, all others, the last row or column, one row."""
    tables = [(part, bad) for part, _, b, bad, _ in pairs if b.ndim == 2 and bad is not None and min(b.shape) > 1]
    wrong = [(part, bad) for part, bad in tables if bad.any()]
    if len(wrong) < FEW or len({part for part, _ in wrong}) != 1:
        return []
    part = wrong[0][0]

    def only(words, mask):
        return words if all(not (bad & ~mask(bad)).any() for _, bad in wrong) else None

    def marked(bad, *where):
        mask = np.zeros_like(bad)
        for at in where:
            mask[at] = True
        return mask

    square = all(bad.shape[0] == bad.shape[1] for _, bad in wrong)
    words = (square and only("on the diagonal", lambda bad: np.eye(*bad.shape, dtype=bool))) or (
        square and only("off the diagonal", lambda bad: ~np.eye(*bad.shape, dtype=bool))
    )
    words = words or only("in the corner, the last row and column", lambda bad: marked(bad, (-1, -1)))
    words = words or only("in the last column", lambda bad: marked(bad, (slice(None), -1)))
    words = words or only("in the first column", lambda bad: marked(bad, (slice(None), 0)))
    words = words or only("in the last row", lambda bad: marked(bad, -1))
    words = words or only("in the first row", lambda bad: marked(bad, 0))
    words = words or only("in the last row and the last column", lambda bad: marked(bad, -1, (slice(None), -1)))
    return [f"{_of(part)} is wrong only {words}."] if words else []


# ---- values ----


def _shared(pairs):
    """(part, came, expected) where entries are wrong, if it is always the same part and all shapes are right."""
    wrong = [(part, a[bad], b[bad], bad) for part, a, b, bad, _ in pairs if bad is not None and bad.any()]
    same_part = len({part for part, *_ in wrong}) == 1 and all(bad is not None for *_, bad, _ in pairs)
    return wrong if same_part and len(wrong) >= FEW else []


def _zeros(pairs):
    wrong = _shared(pairs)
    if not wrong or not all((a == 0).all() for _, a, _, _ in wrong):
        return []
    if all(bad.all() for *_, bad in wrong):
        return [f"{_of(wrong[0][0])} is 0 where it should not be."]
    return [f"{_of(wrong[0][0])} is 0 in places where it should not be, and right elsewhere."]


def _one_value(pairs):
    """The same number wherever it is wrong, though different ones are due."""
    wrong = _shared(pairs)
    if not wrong:
        return []
    came, due = (np.concatenate([one[k] for one in wrong]) for k in (1, 2))
    if not np.isfinite(came).all() or np.ptp(came) > 1e-9 or np.ptp(due) < 1e-3 or came[0] == 0:
        return []
    return [f"{_of(wrong[0][0])} is {came[0]:.6g} wherever it is wrong, whatever the input."]


def _cut_off(pairs):
    """Right while the answer is small; too small in size where it is large."""
    wrong = _shared(pairs)
    right = [np.abs(b[~bad]) for _, _, b, bad, _ in pairs if bad is not None]
    right = np.concatenate(right) if right else np.zeros(0)
    if not wrong or not right.size:
        return []
    came, due = (np.concatenate([np.abs(one[k]) for one in wrong]) for k in (1, 2))
    if np.isfinite([*came, *due]).all() and (came < due).all() and due.min() > max(10.0, right.max()):
        text = f"{_of(wrong[0][0])} is right up to a size of {right.max():.4g}, and too small from {due.min():.4g} on"
        return [f"{text}: something is cut off, or a small number is added to keep a logarithm finite."]
    return []


def _rows(pairs):
    """Rows that add up to 1 and should not, or the other way round; rows that are all alike; no symmetry."""
    whole = [(part, a, b) for part, a, b, bad, _ in pairs if bad is not None and a.ndim and a.size > 1]
    wrong = [one for one in whole if not np.allclose(one[1], one[2], rtol=1e-5, atol=1e-5, equal_nan=True)]
    if len(wrong) < FEW:
        return []
    part = wrong[0][0]

    def ones(array):
        return np.allclose(array.sum(axis=-1), 1.0, atol=1e-6)

    if all(ones(b) for _, _, b in whole) and not any(ones(a) for _, a, _ in wrong):
        return [f"each row of {_of(part)} should add up to 1, and does not."]
    if all(ones(a) for _, a, _ in whole) and not any(ones(b) for _, _, b in wrong):
        return [f"the entries of {_of(part)} always add up to 1, and should not."]
    tables = [(a, b) for _, a, b in wrong if a.ndim == 2 and min(a.shape) > 1]
    if len(tables) < FEW:
        return []
    if all(np.allclose(a, a[:1]) for a, _ in tables) and not any(np.allclose(b, b[:1]) for _, b in tables):
        return [f"all rows of {_of(part)} are alike, and should not be."]
    square = [(a, b) for a, b in tables if a.shape[0] == a.shape[1]]
    if len(square) >= FEW and all(np.allclose(b, b.T) for _, b in square):
        if not any(np.allclose(a, a.T) for a, _ in square):
            return [f"{_of(part)} should be symmetric, and is not."]
    return []


def _along_z(task, runs):
    """For functions of one array, number by number: from where to where they are wrong."""
    if getattr(task.reference, "takes", None) is not losses.elementwise and task.key != "logistic.log_odds":
        return []
    right, wrong = [], []
    for run in runs:
        for *_, bad, _ in _pairs(task, run):
            z = np.asarray(run.call.args[0], dtype=float)
            if bad is None or z.shape != bad.shape:
                return []
            wrong, right = [*wrong, *z[bad]], [*right, *z[~bad]]
    if not wrong or len(right) < FEW:
        return []
    low, high, name = min(wrong), max(wrong), next(iter(inspect.signature(task.reference).parameters))
    if low == high:
        return [f"it is right everywhere but at {name} = {low:g}."] if low in (0.0, 1.0) else []
    below, above = [z for z in right if z < low], [z for z in right if z > high]
    if any(low <= z <= high for z in right):
        near, far = max(map(abs, right)), min(map(abs, wrong))
        return [f"it is right up to |{name}| = {near:g} and wrong from {far:g} on."] if near < far else []
    if below and above:
        return [f"it is right for {name} up to {max(below):g} and from {min(above):g} on, and wrong in between."]
    edge = min(above) if above else max(below)
    inner, outer = sorted((edge, high if above else low))
    corner = next((c for c in (0.0, 1.0) if inner <= c <= outer), None)
    if corner is not None:
        right, wrong = "><" if above else "<>"
        return [f"it is right for {name} {right} {corner:g} and wrong for {name} {wrong} {corner:g}."]
    right, wrong = (">=", "<=") if above else ("<=", ">=")
    return [f"it is right for {name} {right} {edge:g} and wrong for {name} {wrong} {high if above else low:g}."]


# ---- calls ----


def _ends(pairs):
    """A list that is right as far as it goes, and breaks off or goes on."""
    lists = [(part, a, b) for part, a, b, bad, _ in pairs if b.ndim == 1 and part and bad is None and a.ndim == 1]
    if not lists or len({part for part, *_ in lists}) != 1:
        return []
    part, longer = lists[0][0], [len(a) > len(b) for _, a, b in lists]
    agree = all(np.allclose(a[: len(b)], b[: len(a)], rtol=1e-5, atol=1e-5) for _, a, b in lists)
    if not agree or any(longer) != all(longer):
        return []
    return [
        f"the {part} is right as far as it goes, but {'goes on too long' if longer[0] else 'breaks off too early'}."
    ]


MOVES = {-1.0: "the wrong way", 2.0: "twice as far as it should", 0.5: "half as far as it should"}


def _moves(task, runs):
    """Of a step: how what comes out differs from what went in, and how it should."""
    signature, found = inspect.signature(task.reference), {}
    for run in runs:
        given = signature.bind(*run.call.args, **run.call.kwargs | run.call.rngs).arguments
        came = {} if run.answer.error else parts_of(run.answer.value, run.parts)
        for part, b in parts_of(run.expected, run.parts).items():
            old, a = given.get(part or "alpha"), came.get(part)
            if old is None or not isinstance(a, np.ndarray) or a.shape != np.shape(b) or np.shape(old) != b.shape:
                continue
            found.setdefault(part or "alpha", []).append(_move(a - old, b - old))
    sentences = []
    for part, moves in found.items():
        kinds = set(moves) - {None}
        if len(kinds) == 1 and moves.count(next(iter(kinds))) >= FEW:
            sentences.append(f"`{part}` {next(iter(kinds))}.")
    return sentences[:1]


def _move(came, due):
    """The words for a wrong move, or None for a right one."""
    if np.allclose(came, due, rtol=1e-5, atol=1e-5):
        return None
    if not np.any(due):
        return "moves where it should stay"
    if not np.any(came):
        return "stays where it should move"
    return next(
        (f"moves {words}" for k, words in MOVES.items() if np.allclose(came, k * due)), "moves otherwise than it should"
    )


def _parts(task, runs):
    """Parts that are right in every call, where others are not."""
    kinds = {gap.kind for run in runs for gap in run.problems}
    if len(task.parts) < 2 or not kinds <= {"value", "shape"} or any(run.parts != task.parts for run in runs):
        return []
    bad = {gap.part for run in runs for gap in run.problems}
    good = [part for part in task.parts if part not in bad]
    if not good or "" in bad or len(bad) > 2:
        return []
    wrong = [part for part in task.parts if part in bad]
    right, bad = (_listed([f"`{p}`" if p.isidentifier() else f"the {p}" for p in some]) for some in (good, wrong))
    return [f"{right} {_are(good)} right in every call: only {bad} {_are(wrong)} wrong."]


def _where(task, runs):
    """What all wrong calls share and no right one has."""
    signature = inspect.signature(task.reference)
    wrong = [bool(run.problems) for run in runs]
    if sum(wrong) < FEW or all(wrong):
        return []
    marks = [_marks(signature.bind(*run.call.args, **run.call.kwargs | run.call.rngs), run) for run in runs]
    every = [mark for mark in dict.fromkeys(mark for some in marks for mark in some)]
    many = min(sum(wrong), len(wrong) - sum(wrong)) > FEW
    for mark in every:
        if [mark in some for some in marks] == wrong and (many or not mark.startswith("there is")):
            return [f"it is wrong whenever {mark}, and right otherwise."]
    for one, two in itertools.combinations([m for m in every if not m.startswith("a ")], 2) if many else ():
        if [one in some and two in some for some in marks] == wrong:
            return [f"it is wrong whenever {one} and {two}, and right otherwise."]
    return []


def _marks(bound, run):
    """What may be said of a call, as it follows "whenever"."""
    given = bound.arguments
    marks = []
    for name, parameter in bound.signature.parameters.items():
        optional = parameter.default is not inspect.Parameter.empty
        marks += _if(f"`{name}` is {'given' if name in given else 'not given'}", optional)
        if name in given:
            marks += _marks_of(name, given[name])
    bound.apply_defaults()
    return [*_marks_of_scores(bound.arguments), *marks, *_marks_of_answer(run), *_marks_of_sizes(bound.arguments)]


def _marks_of(name, value):
    if isinstance(value, (bool, str)):
        return [f"`{name}` is {value!r}"]
    if isinstance(value, (losses.Loss, losses.ScoreLoss)):
        return [f"the loss is {value.name}"]
    if callable(value):
        return [f"`{name}` is a function"] if name == "eta" else []
    if name == "y" and np.ndim(value) == 0:
        return [f"y is {value:g}"]
    if isinstance(value, int):
        parity = _if(f"`{name}` is {'odd' if value % 2 else 'even'}", name == "degree")
        return [f"`{name}` is 1" if value == 1 else f"`{name}` is more than 1", *parity]
    if isinstance(value, float):
        if name == "eta":
            return ["`eta` is a number"]
        sign = "positive" if value > 0 else "negative"
        return [f"`{name}` is not 0", f"`{name}` is {sign}"] if value else [f"`{name}` is 0"]
    if name in ("hessian", "K") and np.ndim(value) == 2:
        return _if(f"`{name}` is singular", np.linalg.matrix_rank(value) < len(value))
    return []


def _if(mark, holds):
    return [mark] if holds else []


def _marks_of_sizes(given):
    marks = []
    table = next((given[name] for name in ("X", "S", "logits") if np.ndim(given.get(name)) == 2), None)
    n = next((len(given[name]) for name in ("y", "X", "K", "S", "logits") if np.ndim(given.get(name))), None)
    if n is not None:
        marks.append("there is one example" if n == 1 else "there is more than one example")
    if table is not None:
        marks.append("there is one column" if table.shape[1] == 1 else "there is more than one column")
        marks += _if("a row is all zeros", (table == 0).all(axis=1).any())
        marks += _if(f"scores are beyond {FAR:g}", (np.abs(table).max() > FAR))
    theta = given.get("theta")
    if np.ndim(theta) == 1:
        marks += [f"theta has {'one entry' if len(theta) == 1 else f'{len(theta)} entries'}"]
        marks += _if("theta has more than one entry", len(theta) > 1)
        marks += _if("theta has not 2 entries", len(theta) != 2)
        marks += _if("theta is 0", (not theta.any()))
    if isinstance(given.get("batch"), int) and n is not None:
        marks += _if("the last batch is shorter", n % given["batch"])
    if np.ndim(given.get("y")) == 1 and set(np.unique(given["y"])) <= {-1.0, 1.0}:
        marks += _if(f"every label is {given['y'][0]:g}", len(np.unique(given["y"])) == 1)
        marks += _if("there is a label -1", (given["y"] < 0).any())
    return marks


def _marks_of_scores(given):
    """What may be said of scores and margins; of many at once only that one is 0, or far out."""
    if "theta" not in given or "theta_0" not in given or not {"X", "x"} & set(given):
        return []
    scores = np.atleast_1d(np.dot(given.get("X", given.get("x")), given["theta"]) + given["theta_0"])
    one = "the score" if "x" in given else "a score"
    marks = _if(f"{one} is exactly 0", (scores == 0).any()) + _if(f"scores are beyond {FAR:g}", scores.max() > FAR)
    if "x" in given:
        marks += _if("the score is negative", scores[0] < 0) + _if("the score is positive", scores[0] > 0)
        marks += _if("the score is not 0", scores[0] != 0)
        margin = scores[0] * given["y"]
        signed = given["y"] in (-1.0, 1.0)
        marks += _if("the margin is negative", signed and margin < 0) + _if(
            "the margin is positive", signed and margin > 0
        )
    return marks


def _marks_of_answer(run):
    """What may be said of the right answer."""
    parts = parts_of(run.expected, run.parts)
    marks = []
    if isinstance(parts.get("converged"), np.ndarray):
        marks.append("it should converge" if parts["converged"] else "it should not converge")
    if isinstance(parts.get("history"), np.ndarray):
        marks.append("the walk ends before its time" if parts["history"][-1:] == 0 else "the walk takes all its epochs")
    return marks
