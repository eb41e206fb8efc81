"""From a wrong answer to the likely mistake, in words.

In this order: shape or axis, transposed, constant factor, finite differences, overflow, input changed in place, and
the catalogue of mistakes. Each finding is a sentence; several may hold, but a guess gives way to the catalogue.
"""

import inspect
import re

import numpy as np

from linclass import _plug
from linclass.assignments import cases, mistakes, synthesis
from linclass.assignments.compare import close, gaps, kind_of, parts_of, same

GUESSES = ("shape", "overflow", "loss")  # findings that look at the answer alone

FEW = 2  # wrong answers, or calls with a loss, from fewer of which nothing is told
WEAK = 6  # less than this from zeros and ones alone is said only if the submission's own text bears it out
LOOSE = 4  # what wrong answers must tell, each 1 or 2, before the right function of other inputs is made out
NAMES = ("uses", "nothing", "changed", "factor", "transposed", "whole", "change", "hint", "missing", "truth")

MATRIX_PRODUCT = (
    "in A @ B each row of A must be as long as each column of B. A row of X is an example: X @ theta, not theta @ X."
)

CALLED = "a number is called like a function: is a `*` missing before a bracket, or may `eta` be a number as well?"

# What Python or NumPy says, and what to do instead: (a part of the error's text, label, sentence).
HINTS = (
    (
        "truth value of an array",
        "truth",
        "`max`, `if`, `and` want one number, and an array has many: np.maximum, np.where and & take each entry.",
    ),
    (
        "can be converted to Python scalars",
        "scalar",
        "float() and the functions of `math` want one number, and an array has many: np.exp and the like take each.",
    ),
    ("for ^:", "hint", "`^` is no power in Python, but exclusive or: write `**`."),
    ("ufunc 'bitwise_xor'", "hint", "`^` is no power in Python, but exclusive or: write `**`."),
    ("'float' object is not callable", "hint", CALLED),
    ("'int' object is not callable", "hint", CALLED),
    ("'numpy.float64' object is not callable", "hint", CALLED),
    ("'numpy.ndarray' object is not callable", "hint", "an array is called: its entries are in square brackets."),
    ("not aligned", "hint", MATRIX_PRODUCT),
    ("matmul: Input operand", "hint", MATRIX_PRODUCT),
)


def diagnose(task, runs, guess=True):
    """Findings for a function that failed: [(label, sentence)]; with `guess`, small changes too, behind the catalogue.

    `runs` are (call, answer, expected, allowed) of every call made; the first wrong one is the smallest.
    """
    wrong = [run for run in runs if run.problems]
    if not wrong:
        return []
    first = wrong[0]
    if first.answer is None:
        return [("ended", f"{task.function} gave no answer: {first.ending}.")]
    if first.answer.error:
        found = [("error", _error(task, first.answer.error)), *_hints(wrong), *_overflow(task, wrong)]
        return _settled(found, _named(task, runs, guess))
    found = []
    gap = first.problems[0]
    if gap.kind == "changed":
        found += _changed(task, first)
    elif gap.kind == "nothing":
        found.append(("nothing", f"{task.function} returned None: is there a `return`?"))
    elif gap.kind == "missing":
        found.append(("missing", f"{task.function} should return {_wanted(task)}; {kind_of(gap.came)} came."))
    elif gap.kind == "type":
        found.append(("type", f"{_of(task, gap)} should be numbers; {kind_of(gap.came)} came."))
    elif gap.kind == "shape":
        found += _hints(wrong) or _shape(task, wrong)
    elif first.allowed is not None:
        low, high = first.allowed
        found.append(("range", f"{_of(task, gap)} should lie between {low:g} and {high:g}."))
    else:
        found += _transposed(task, gap) + _factor(task, runs) + _differences(task, first) + _overflow(task, wrong)
        found += _cut_off(task, runs) + _kept_finite(task, wrong) + _one_loss(runs)
    if gap.kind != "changed":
        found += [f for run in wrong for f in _changed(task, run)][:1]
    cut = any(label == "whole" for label, _ in found)  # then nothing else is to be guessed
    return _settled(found, _named(task, runs, guess and not cut))


def is_named(found):
    """Do the findings say what the mistake is, as far as can be told without the submission's text?"""
    return any(label in NAMES or "-" in label for label, _ in found)


def _settled(found, named):
    """The findings: where the mistake is named, guesses would only distract; an overflow is none."""
    small = any(label in ("change", "weak") for label, _ in named)
    return [f for f in found if not (named and f[0] in GUESSES) or (small and f[0] == "overflow")] + named


def _named(task, runs, guess):
    """The mistake in words: the catalogue's, or else of the likeliest small change that gives these very answers."""
    named = _catalogued(task, runs)
    wrong = [run for run in runs if run.problems]
    if named or not guess or any(run.answer is None or run.answer.error for run in wrong):
        return named
    if all(gap.kind == "changed" for run in wrong for gap in run.problems):
        return []  # the answers are right, and a version that gives them is no mistake
    answered = sorted((run for run in runs if run.answer is not None), key=lambda run: not run.problems)
    evidence = sum(map(_evidence, wrong))
    versions = synthesis.versions(task) if len(wrong) >= FEW else []
    versions = [*versions, *(synthesis.loose(task) if evidence >= LOOSE else [])]
    weak = 0 < evidence < WEAK and max(map(_evidence, wrong)) < 2
    for words, function in versions:
        if all(_gives(task, function, run) for run in answered):
            return [("weak" if weak else "change", f"what one gets when {words}.")]
    return []


def _evidence(run):
    """How much a wrong answer tells: what is not finite nothing, 0, 1 and -1 little, other numbers more."""
    came = [gap.came[np.isfinite(gap.came)] for gap in run.problems if isinstance(gap.came, np.ndarray)]
    return max((2 if np.setdiff1d(a, (-1.0, 0.0, 1.0)).size else 1 for a in came if a.size), default=0)


def _of(task, gap):
    """Which part of the answer is meant."""
    return f"the {gap.part} of {task.function}" if gap.part else f"the answer of {task.function}"


def _wanted(task):
    """What is to be returned, as the starter says it."""
    said = re.search(r"return ([^:;]+)", task.note)
    return said[1] if said else "(" + ", ".join(task.parts) + ")"


def _error(task, error):
    return f"{task.function} raised {_raised(error)}"


def _raised(error):
    line = f" (line {error['line']})" if error.get("line") else ""
    return f"{error['kind']}{line}: {error['text']}"


def file_error(error):
    """Why the file could not be run at all."""
    return f"before any function was called, the file raised {_raised(error)}"


def _hints(wrong):
    """What to do about errors that say little: `max` or `math.exp` of an array, `^` for a power, a number called."""
    errors = [run.answer.error["text"] for run in wrong if run.answer is not None and run.answer.error]
    found = {label: sentence for part, label, sentence in HINTS if any(part in text for text in errors)}
    return list(found.items())


def _shape(task, wrong):
    gap = wrong[0].problems[0]
    a, b = gap.came.shape, gap.expected.shape
    text = f"{_of(task, gap)} has shape {a}, and should have {b}"
    if all(g.came.shape == g.expected.shape[::-1] for run in wrong for g in run.problems if g.kind == "shape"):
        return [("transposed", text + ": it looks transposed.")]
    if gap.part == "history":
        return [("shape", text + ": one entry for each epoch walked.")]
    if len(a) == len(b) == 1 or len(a) != len(b):
        text += ": is a sum, a mean or a product along the wrong axis?"
        return [("shape", text)]
    return [("shape", text + ".")]


def _transposed(task, gap):
    a, b = gap.came, gap.expected
    if b.ndim == 2 and b.shape[0] == b.shape[1] and close(a.T, b, task.gap).all() and not close(a, a.T, task.gap).all():
        return [("transposed", f"{_of(task, gap)} is the transpose of the right one.")]
    return []


def _size(task, call):
    """The number of examples in a call: the length of y, or else of X."""
    given = dict(zip(inspect.signature(task.reference).parameters, call.args, strict=False))
    return next((len(given[name]) for name in ("y", "X") if isinstance(given.get(name), np.ndarray)), 1)


def _factor(task, runs):
    """One constant that explains every answer, or all of a part; of counts in a history it would say nothing."""
    parts = dict.fromkeys(gap.part for run in runs for gap in run.problems if gap.part != "history")
    found = {part: factor for part in parts if (factor := _factor_of(part, task, runs))}
    if not found:
        return []
    name = next(iter(found.values()))
    what = " and ".join(f"the {part}" if part else "every answer" for part, factor in found.items() if factor == name)
    several = " and " in what
    words = f"{'are' if several else 'is'} {name} times the right one"
    if name == "-1":
        words = f"{'have' if several else 'has'} the wrong sign"
    return [("factor", f"{what} {words}{', where n is the number of examples' if 'n' in name else ''}.")]


FACTORS = {"-1": lambda n: -1.0, "2": lambda n: 2.0, "1/2": lambda n: 0.5, "n": lambda n: n, "1/n": lambda n: 1 / n}


def _factor_of(part, task, runs):
    """The name of the factor that explains every answer of a part, the right ones too, if there is one."""
    answers = []
    for run in runs:
        came = parts_of(run.answer.value, run.parts) if run.answer is not None and not run.answer.error else {}
        expected = parts_of(run.expected, run.parts).get(part)
        if run.allowed is None and isinstance(expected, np.ndarray) and np.any(expected):
            answers.append((came.get(part), expected, _size(task, run.call)))
    for name, factor in FACTORS.items():
        hits = [
            isinstance(a, np.ndarray) and a.shape == b.shape and close(a, factor(n) * b, task.gap).all()
            for a, b, n in answers
        ]
        if hits and all(hits) and (name not in ("n", "1/n") or any(n > 2 for _, _, n in answers)):
            return name
    return None


def _differences(task, run):
    """The first coordinate at which a derivative disagrees with finite differences of the value."""
    derivative = cases.DIFFERENCES.get(task.key)
    if derivative is None or run.allowed is not None:
        return []
    numeric = parts_of(derivative(*run.call.args, **run.call.kwargs), task.parts)
    theirs = parts_of(run.answer.value, task.parts)
    for part, b in numeric.items():
        bad = np.argwhere(~close(np.atleast_1d(theirs[part]), np.atleast_1d(b), 1e-3))
        if len(bad):
            where = tuple(int(i) for i in bad[0])
            at = where[0] if len(where) == 1 else where
            a, b = np.atleast_1d(theirs[part])[where], np.atleast_1d(b)[where]
            what = f"coordinate {at} of {('the ' + part) if part else 'the answer'}"
            return [("differences", f"finite differences give {b:.4g} at {what}, and yours is {a:.4g}.")]
    return []


def _overflow(task, wrong):
    for run in wrong:
        for gap in run.problems:
            if gap.kind == "value" and np.isfinite(gap.expected).all() and not np.isfinite(gap.came).all():
                text = f"{_of(task, gap)} is {_first_bad(gap)} where it should be finite"
                return [("overflow", f"{text}: {_why(task, gap)}.")]
    return []


def _why(task, gap):
    """What may have made an answer infinite or not a number."""
    if gap.part == "point":
        return "stop before such a point, and return the last one"
    if task.function == "polynomial_kernel" or task.module in ("margins", "svm"):  # nothing with an exponential
        return "0 / 0, or a root, a logarithm or a broken power of a negative number"
    if np.isnan(gap.came).any():
        return "an exponential overflows, or all that are summed round to 0"
    if (gap.came == -np.inf).any():
        return "a logarithm is taken of what rounds to 0, or an exponential overflows"
    return "an exponential overflows"


def _first_bad(gap):
    return f"{gap.came[~np.isfinite(gap.came)].flat[0]}"


def _cut_off(task, runs):
    """Whole numbers where fractions belong."""
    values = [gap for run in runs for gap in run.problems if gap.kind == "value"]
    telling = any(np.any(gap.came) for gap in values) or all(run.problems for run in runs)  # a 0 may be anything
    if values and telling and all(np.array_equal(gap.came, np.trunc(gap.expected)) for gap in values):
        text = f"{_of(task, values[0])} is cut off to whole numbers: `//` does that, and an array of integers, which"
        return [("whole", text + " np.vectorize makes where the first answer is one.")]
    return []


def _kept_finite(task, wrong):
    """A number where the answer is infinite, and no other mistake."""
    values = [gap for run in wrong for gap in run.problems if gap.kind == "value"]
    if not all(np.isinf(gap.expected[~close(gap.came, gap.expected, task.gap)]).all() for gap in values):
        return []
    for gap in values:
        if (at := np.isinf(gap.expected) & np.isfinite(gap.came)).any():
            text = f"{_of(task, gap)} is finite where it should be {gap.expected[at].flat[0]}"
            return [("finite", f"{text}: is something clipped to keep it so?")]
    return []


def _one_loss(runs):
    """Right with one loss and wrong with another."""
    used = [(arg.name, bool(run.problems)) for run in runs for arg in run.call.args if hasattr(arg, "slope")]
    right, wrong = {name for name, bad in used if not bad}, {name for name, bad in used if bad}
    if len(used) > FEW and right and wrong and not right & wrong and all(used.count((r, False)) > FEW for r in right):
        text = f"right with the loss {', '.join(sorted(right))} and wrong with {', '.join(sorted(wrong))}"
        return [("loss", f"{text}: is it the given `loss` that is used, everywhere?")]
    return []


def _changed(task, run):
    if any(gap.kind == "changed" for gap in run.problems):
        return [("changed", f"{task.function} changes its input in place: work on a copy.")]
    return []


def _catalogued(task, runs):
    """Mistakes of the catalogue that would have given these very answers."""
    answered = sorted((run for run in runs if run.answer is not None), key=lambda run: not run.problems)
    found = []
    for mistake in mistakes.of(task):
        try:
            function = mistakes.load(mistake)
        except LookupError:  # the package's text has changed: a test says so, a student need not know
            continue
        if answered and all(_gives(task, function, run) for run in answered):
            found.append((mistake.name, f"what one gets when {mistake.words}."))
    return found


def _gives(task, function, run):
    """Would that function have given the same answer or error? One that changes its input may do more wrong."""
    before = [a.copy() for a in run.call.args if isinstance(a, np.ndarray)]
    arrays = [a.copy() if isinstance(a, np.ndarray) else a for a in run.call.args]
    try:
        with _plug.plain_path():
            answer = run.call.make_on(function, arrays)
    except Exception as error:
        return bool(run.answer.error) and type(error).__name__ == run.answer.error["kind"]
    if run.answer.error:
        return False
    after = [a for a in arrays if isinstance(a, np.ndarray)]
    moved = any(not np.array_equal(a, b, equal_nan=True) for a, b in zip(after, before, strict=True))
    if moved and not any(gap.kind == "changed" for gap in run.problems):
        return False
    if run.allowed is not None:  # any of many answers is right, and which one it is does not matter
        return bool(gaps(answer, run.expected, run.parts, task.gap, run.allowed)) == bool(run.problems)
    return same(run.answer.value, answer, run.parts, task.gap)
