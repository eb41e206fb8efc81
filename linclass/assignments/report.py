"""A result as text for a terminal (in colour where it can) or a notebook, as HTML for a student, and as plain data."""

import builtins
import dataclasses
import html
import inspect
import os

import numpy as np

from linclass import losses
from linclass.assignments.compare import close
from linclass.assignments.wire import Other, Thing

WIDTH = 10  # characters of a bar


class Plain:
    """Text as it is."""

    def _same(self, text):
        return text

    strong = good = bad = dim = line = _same

    def bar(self, earned, points):
        """No bar."""
        return ""


class Colours(Plain):
    """Text with the terminal's colours: each says what the words beside it say too."""

    def strong(self, text):
        return f"\033[1m{text}\033[0m" if text else text

    def good(self, text):
        return f"\033[32m{text}\033[0m"

    def bad(self, text):
        return f"\033[31m{text}\033[0m"

    def dim(self, text):
        return f"\033[2m{text}\033[0m"

    def line(self, text):
        """A line about a function: what is wrong stands out, what is context steps back."""
        heading = text[:9].strip()
        shade = {"came": self.bad, "error": self.bad, "expected": self.good, "likely": self.strong}.get(heading)
        return shade(text) if shade else text

    def bar(self, earned, points):
        """Points as a bar."""
        filled = round(WIDTH * earned / points) if points else 0
        return f"{'█' * filled}{'░' * (WIDTH - filled)}  "


PLAIN = Plain()


def for_stream(stream):
    """Colours if the stream is a terminal that has them, and nobody has said NO_COLOR."""
    fit = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Colours() if fit else PLAIN


def smallest(task, run):
    """The call and the gap of a failure; of a function of one array, the first entry that is wrong."""
    gap, z = run.problems[0], run.call.args[0]
    elementwise = getattr(task.reference, "takes", None) is losses.elementwise
    entries = elementwise and gap.kind == "value" and gap.came.shape == np.shape(z)
    if not entries or run.allowed is not None:
        return run.call, gap, run.allowed
    at = tuple(np.argwhere(~close(gap.came, gap.expected, task.gap))[0])
    wrong = dataclasses.replace(gap, came=gap.came[at], expected=gap.expected[at])
    return dataclasses.replace(run.call, args=(float(z[at]),)), wrong, None


# Findings that hold no number and no word of the submission's: fit to be shown of a hidden check.
WITHOUT_NUMBERS = {"ended", "nothing", "changed", "transposed", "factor", "overflow", "range", "whole", "truth"}
WITHOUT_NUMBERS |= {"scalar", "loss", "uses", "finite"}
HEADINGS = dict.fromkeys(("error", "ended", "nothing", "missing", "type"), "error")
HEADINGS |= {"uses": "first", "hint": "hint", "fact": "seen"}
SHOWN_PRINTS = 3  # lines


def problem_lines(function):
    """What to tell about a function that lost points: the smallest input that shows it, and the findings.

    A failure of a hidden check alone shows no input, no number and no word of the submission's own.
    """
    if not function.written:
        return [_missing(function)]
    failed = [check for check in function.checks if not check.passed]
    if not failed:
        return _printed(function)
    lines = ["failed: " + ", ".join(f"{'hidden: ' if c.hidden else ''}{c.name}" for c in failed)]
    public = [run for check in failed if not check.hidden for run in check.runs if run.problems]
    if public:
        lines += _example(function.task, public[0])
        lines += [_line(label, sentence) for label, sentence in function.findings]
    else:
        named = [f for f in function.findings if f[0] in WITHOUT_NUMBERS or f[0] in function.mistakes]
        lines += [_line(label, sentence) for label, sentence in named]
        lines += [_line(f[0], _hidden_error(function, f[1])) for f in function.findings if f[0] == "error"]
    return lines + _printed(function)


def _missing(function):
    """Of a function that is not written: is it there under another name?"""
    if function.near:
        return f"not in the file; there is {function.near}: did you mean {function.task.function}?"
    return "not in the file" if function.absent else "not written yet"


def _line(label, sentence):
    return f"{HEADINGS.get(label, 'likely'):<9} {sentence}"


def _hidden_error(function, sentence):
    """An error on a hidden input: its kind, if it is one of Python's own, and nothing it says."""
    kind = sentence.removeprefix(f"{function.task.function} raised ").split(" ")[0].rstrip(":")
    known = isinstance(getattr(builtins, kind, None), type) and issubclass(getattr(builtins, kind), BaseException)
    return f"{function.task.function} raised {kind if known else 'an error of its own'} on a hidden input"


def _example(task, run):
    """The call that shows it, what came and what should have come."""
    call, gap, allowed = smallest(task, run)
    lines = [f"input     {show_call(task, call)}"]
    if gap.kind in ("value", "shape", "type"):
        what = f" ({gap.part})" if gap.part else ""
        right = show(gap.expected) + what if allowed is None else f"anything from {allowed[0]:g} to {allowed[1]:g}"
        lines += [f"came      {show(gap.came)}{what}", f"expected  {right}"]
    return lines


def _printed(function):
    """What a function printed while it was given public inputs."""
    lines = [line for line in function.printed.splitlines() if line.strip()]
    more = f"… and {len(lines) - SHOWN_PRINTS} more lines" if len(lines) > SHOWN_PRINTS else None
    return [f"printed   {line[:100]}" for line in [*lines[:SHOWN_PRINTS], *([more] if more else [])]]


def state(function):
    """How a function stands, in a few words."""
    passed = sum(check.passed for check in function.checks)
    if passed == len(function.checks):
        return "ok"
    if not function.written:
        return "not in the file" if function.absent else "not written"
    return f"{passed} of {len(function.checks)} checks"


def next_step(result):
    """What to do now, in a line."""
    if result.complete:
        return "All done: hand it in."
    if result.trouble:
        return "Next: make the file run."
    failing = [f for f in result.functions if f.written and not all(c.passed for c in f.checks)]
    if failing:
        ready = [f for f in failing if not any(label == "uses" for label, _ in f.findings)] or failing
        return f"Next: fix {ready[0].task.function}."
    open_ones = [f for f in result.functions if not f.written]
    return f"Next: write {open_ones[0].task.function}." if open_ones else ""


def as_text(result, paint=PLAIN):
    """The table of scores, then what is wrong with each function, then what to do next."""
    width = max(len(f.task.function) for f in result.functions)
    points = sum(f.task.points for f in result.functions)
    rows = [paint.strong(f"{result.topic.title}: {result.earned:g} of {points} points"), ""]
    if result.trouble:
        return "\n".join([*rows, paint.bad(result.trouble), "", next_step(result)])
    for f in result.functions:
        said = state(f)
        shade = paint.good if said == "ok" else paint.bad if f.written else paint.dim
        bar = paint.bar(f.earned, f.task.points)
        rows.append(f"  {f.task.function:<{width}}  {f.earned:>5g} / {f.task.points:<3g} {bar}{shade(said)}")
    for f in result.functions:
        if (f.written or f.near) and (lines := problem_lines(f)):
            rows += ["", paint.strong(f.task.function), *(f"    {paint.line(line)}" for line in lines)]
    return "\n".join([*rows, "", paint.strong(next_step(result))])


def as_data(result):
    """The result in plain lists and dicts, for other programs."""
    return {
        "topic": result.topic.name,
        "earned": result.earned,
        "points": sum(f.task.points for f in result.functions),
        "trouble": result.trouble,
        "functions": [
            {
                "name": f.task.function,
                "earned": f.earned,
                "points": f.task.points,
                "written": f.written,
                "checks": [{"name": c.name, "hidden": c.hidden, "passed": c.passed} for c in f.checks],
                "mistakes": f.mistakes,
                "lines": problem_lines(f),
            }
            for f in result.functions
        ],
    }


def as_html(data, student):
    """One student's page: the table, then what is wrong, readable without any other file."""

    def cell(text):
        return html.escape(str(text))

    rows = "".join(
        f"<tr><td><code>{cell(f['name'])}</code></td><td>{f['earned']:g} / {f['points']:g}</td>"
        f"<td>{sum(c['passed'] for c in f['checks'])} of {len(f['checks'])}</td></tr>"
        for f in data["functions"]
    )
    notes = "".join(
        f"<h2><code>{cell(f['name'])}</code></h2><pre>{cell(chr(10).join(f['lines']))}</pre>"
        for f in data["functions"]
        if f["lines"] and not data["trouble"]
    )
    score = f"{data['earned']:g} of {data['points']:g} points" if data.get("graded", True) else "not graded"
    trouble = f"<p><strong>{cell(data['trouble'])}</strong></p>" if data["trouble"] else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{cell(data["topic"])}: {cell(student)}</title>'
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}"
        "td,th{padding:.2rem 1rem .2rem 0;text-align:left}"
        "pre{white-space:pre-wrap;background:#f4f4f4;padding:.6rem}</style>"
        f"<h1>{cell(data['topic'])}: {cell(student)}</h1>"
        f"<p>{score}</p>{trouble}"
        f"<table><tr><th>function</th><th>points</th><th>checks passed</th></tr>{rows}</table>{notes}"
        f"<p><small>The submission was run {cell(data.get('wall', ''))}.</small></p></html>"
    )


# Values and calls as a student writes them: arrays as lists, functions as formulas, results as in the starter.


def show_call(task, call):
    """A call as text: name = value, with arrays as lists. For a function of one array, the entry that is wrong."""
    names = list(inspect.signature(task.reference).parameters)
    values = dict(zip(names, call.args, strict=False)) | call.kwargs
    values |= {name: f"np.random.default_rng({seed})" for name, seed in call.rngs.items()}
    shown = [formula(name, value) if callable(value) else f"{name} = {show(value)}" for name, value in values.items()]
    constants = dict.fromkeys(c for value in values.values() for c in getattr(value, "constants", ()))
    then = [f"the function that comes back is called at t = {', '.join(map(str, call.then))}"] if call.then else []
    return ", ".join([*shown, *constants]) + (f"; {then[0]}" if then else "")


def formula(name, value):
    """A function as its formula, "f(x) = x^3 + x - 2"; one that has none only by its name."""
    said = getattr(value, "formula", None)
    return f"{name}{said}" if said else f"{name} = a function"


def show(value, limit=160):
    """A value in a few characters."""
    if isinstance(value, np.ndarray):
        text = np.array2string(np.asarray(value), separator=", ", precision=6, suppress_small=False, threshold=24)
        text = " ".join(text.split())
    elif isinstance(value, float):
        text = f"{value:.6g}"
    elif hasattr(value, "name") and hasattr(value, "slope"):
        text = f"losses.{value.name.upper()}"
    elif isinstance(value, Thing):
        text = _result(value.kind, value.fields)
    elif isinstance(value, Other):
        text = f"an object of type {value.kind}"
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        text = _result(type(value).__name__, {f.name: getattr(value, f.name) for f in dataclasses.fields(value)})
    elif isinstance(value, (list, tuple)):
        inner = ", ".join(show(item, 40) for item in value[:24])
        text = f"[{inner}]" if isinstance(value, list) else f"({inner})"
    else:
        text = "a function" if callable(value) else str(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _result(name, fields):
    return f"{name}({', '.join(f'{key}={show(value, 60)}' for key, value in fields.items())})"
