"""A result as text for a terminal or a notebook, as HTML for a student, and as plain data."""

import html
from dataclasses import replace

import numpy as np

from linclass.assignments.compare import close
from linclass.assignments.diagnose import show, show_call


def smallest(task, run):
    """The call and the gap of a failure; of a function of one array, the first entry that is wrong."""
    gap, z = run.problems[0], run.call.args[0]
    entries = hasattr(task.reference, "__wrapped__") and gap.kind == "value" and gap.came.shape == np.shape(z)
    if not entries or run.allowed is not None:
        return run.call, gap, run.allowed
    at = tuple(np.argwhere(~close(gap.came, gap.expected, task.gap))[0])
    return replace(run.call, args=(float(z[at]),)), replace(gap, came=gap.came[at], expected=gap.expected[at]), None


def problem_lines(function):
    """What to tell about a function that lost points: the smallest input that shows it, and the findings.

    A failure of a hidden check alone shows no input and no number: only the findings that carry none.
    """
    if not function.written:
        return ["not in the file" if function.absent else "not written yet"]
    failed = [check for check in function.checks if not check.passed]
    if not failed:
        return []
    lines = ["failed: " + ", ".join(f"{'hidden: ' if c.hidden else ''}{c.name}" for c in failed)]
    public = [run for check in failed if not check.hidden for run in check.runs if run.problems]
    if public:
        call, gap, allowed = smallest(function.task, public[0])
        lines.append(f"input     {show_call(function.task, call)}")
        if gap.kind in ("value", "shape", "type"):
            what = f" ({gap.part})" if gap.part else ""
            lines.append(f"came      {show(gap.came)}{what}")
            if allowed is not None:
                lines.append(f"expected  anything from {allowed[0]:g} to {allowed[1]:g}")
            else:
                lines.append(f"expected  {show(gap.expected)}{what}")
    for label, sentence in function.findings:
        if public or label not in ("differences", "shape", "type", "error"):
            lines.append(f"likely    {sentence}")
        elif label == "error":
            lines.append(f"likely    {sentence.partition(':')[0]}")
    if function.printed and public:
        lines.append("printed   " + function.printed.strip().splitlines()[-1][:100])
    return lines


def as_text(result):
    """The table of scores, then what is wrong with each function."""
    width = max(len(f.task.function) for f in result.functions)
    rows = [f"{result.topic.title}: {result.earned:g} of {sum(f.task.points for f in result.functions)} points", ""]
    if result.trouble:
        return "\n".join([*rows, result.trouble])
    for f in result.functions:
        passed = sum(c.passed for c in f.checks)
        state = (
            "ok"
            if passed == len(f.checks)
            else "not in the file"
            if f.absent
            else "not written"
            if not f.written
            else f"{passed} of {len(f.checks)} checks"
        )
        rows.append(f"  {f.task.function:<{width}}  {f.earned:>5g} / {f.task.points:<3g} {state}")
    for f in result.functions:
        if f.written and (lines := problem_lines(f)):
            rows += ["", f.task.function, *(f"    {line}" for line in lines)]
    return "\n".join(rows)


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
