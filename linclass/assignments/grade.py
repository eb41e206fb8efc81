"""Grade a class: many files at a time, resumable, a page for each student and a summary for the teacher."""

import csv
import hashlib
import json
import multiprocessing
import re
import shlex
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from linclass.assignments import mistakes
from linclass.assignments.calls import Call
from linclass.assignments.report import as_data, as_html
from linclass.assignments.sandbox import Sandbox
from linclass.assignments.topics import TOPICS

LARGEST = 1 << 20  # bytes of a submission
_sandbox = None


def submissions(folder, topic=None):
    """[(student, topic, file)]: `folder/STUDENT/losses.py`, or `folder/STUDENT-losses.py`, or with a topic any name.

    A notebook stands for a student without a .py file, and the folder for one without either: everybody has a row.
    Two files of one student for one topic have a row each, under their paths.
    """
    found = []
    for path in sorted([*Path(folder).rglob("*.py"), *Path(folder).rglob("*.ipynb")]):
        parts = path.relative_to(folder).parts
        if any(part.startswith((".", "__")) for part in parts):
            continue
        named = topic or next(
            (name for name in TOPICS if re.search(rf"(^|[^a-z]){name}([^a-z]|$)", path.stem.lower())), None
        )
        if len(parts) > 1:
            student = parts[0]
        else:
            student = (
                re.sub(rf"[-_. ]*{named}[-_. ]*", "", path.stem, flags=re.IGNORECASE) or path.stem
                if named
                else path.stem
            )
        found.append((student, named, path))
    coders = {student for student, _, path in found if path.suffix == ".py"}
    found = [entry for entry in found if entry[2].suffix == ".py" or entry[0] not in coders]
    times = Counter((student, named) for student, named, _ in found)
    found = [
        (student if times[student, named] == 1 else path.relative_to(folder).as_posix(), named, path)
        for student, named, path in found
    ]
    seen = {path.relative_to(folder).parts[0] for _, _, path in found}
    seen |= {path.name for path in Path(folder).iterdir() if path.is_file() or path.name.startswith((".", "__"))}
    empty = [path for path in sorted(Path(folder).iterdir()) if found and path.name not in seen]
    return found + [(path.name, topic, path) for path in empty]


def _begin(runner):
    global _sandbox
    _sandbox = Sandbox(shlex.split(runner) if runner else None)


def _try(runner):
    """Refuse a runner that cannot run one line: nobody's work is to be graded 0 for it."""
    with Sandbox(shlex.split(runner) if runner else None) as sandbox:
        answers, _, _ = sandbox.run("def one():\n    return 1", "one", [Call(())])
    if [answer.value for answer in answers] != [1]:
        raise ValueError(f"runner must start a Python that has NumPy; nothing came back from {runner!r}")


def grade_one(topic, path, seed):
    """The result of one submission as plain data, whatever may be wrong with it."""
    from linclass.assignments.checking import check_source

    blank = {"topic": topic or "", "earned": 0, "points": TOPICS[topic].points if topic else 0, "functions": []}
    try:
        if Path(path).is_dir():
            return blank | {"trouble": "no .py file in the folder"}
        if topic is None:
            return blank | {"trouble": f"{Path(path).name} is not named after a topic"}
        raw = Path(path).read_bytes()
        if len(raw) > LARGEST:
            return blank | {"trouble": f"the file has {len(raw):,} bytes; the limit is {LARGEST:,}"}
        source = raw.decode("utf-8", errors="replace")
        return as_data(check_source(source, TOPICS[topic], seed=seed, file=Path(path).name, sandbox=_sandbox))
    except Exception as error:
        if _sandbox is not None:
            _sandbox.stop()
        return blank | {"trouble": f"could not be graded: {type(error).__name__}: {error}"}


def mark(path, seed, topic):
    """What a stored result is valid for: this text, this seed, this topic."""
    raw = Path(path).read_bytes() if Path(path).is_file() else b""
    return hashlib.sha256(raw + f"/{seed}/{topic}".encode()).hexdigest()


def bar(done, total, stream):
    """A progress bar on a terminal; a line every tenth elsewhere."""
    if stream.isatty():
        filled = 40 * done // max(total, 1)
        print(
            f"\r[{'#' * filled}{' ' * (40 - filled)}] {done}/{total}",
            end="" if done < total else "\n",
            file=stream,
            flush=True,
        )
    elif done == total or done % max(1, total // 10) == 0:
        print(f"{done}/{total}", file=stream, flush=True)


def grade_folder(folder, output, *, topic=None, seed=None, jobs=2, runner=None, stream=None):
    """Grade every submission in a folder; the table, the pages and the summary are written beside each other."""
    stream = stream or sys.stderr
    output = Path(output)
    reports = output.with_name(output.stem + "-reports")
    if not Path(folder).is_dir():
        raise ValueError(f"folder must be a folder of submissions; got {str(folder)!r}")
    todo = submissions(folder, topic)
    if not todo:
        raise ValueError(f"folder must hold .py files; got none in {str(folder)!r}")
    _try(runner)
    reports.mkdir(parents=True, exist_ok=True)
    results, waiting = {}, []
    for student, named, path in todo:
        store = reports / f"{_safe(student)}-{named or 'no-topic'}.json"
        kept = _stored(store, mark(path, seed, named))
        if kept is not None:
            results[student, named] = kept
        else:
            waiting.append((student, named, path, store))
    if results:
        print(f"{len(results)} of {len(todo)} were graded before and have not changed", file=stream)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(runner,)) as pool:
        futures = {pool.submit(grade_one, t, str(p), seed): (s, t, p, store) for s, t, p, store in waiting}
        for future in as_completed(futures):
            student, named, path, store = futures[future]
            try:
                data = future.result()
            except Exception as error:  # a worker that died takes down its pool, never the run
                data = {
                    "topic": named or "",
                    "earned": 0,
                    "points": 0,
                    "functions": [],
                    "trouble": f"not graded: {error}",
                }
            results[student, named] = data
            store.write_text(json.dumps({"mark": mark(path, seed, named), "result": data}), encoding="utf-8")
            store.with_suffix(".html").write_text(as_html(data, student), encoding="utf-8")
            bar(len(results), len(todo), stream)
    write_table(output, results)
    text = summary(results)
    (reports / "summary.txt").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


def _safe(name):
    """A student's name as part of a file's name; different names stay different."""
    plain = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _stored(path, expected):
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return stored["result"] if stored["mark"] == expected else None
    except (OSError, ValueError, KeyError):
        return None


def write_table(output, results):
    """One row a student: points in all, points by function, mistakes found, trouble."""
    names = list(dict.fromkeys(f["name"] for data in results.values() for f in data["functions"]))
    with open(output, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["student", "topic", "earned", "points", *names, "mistakes", "trouble"])
        for (student, _), data in sorted(results.items(), key=lambda item: (item[0][0], item[0][1] or "")):
            by_name = {f["name"]: f["earned"] for f in data["functions"]}
            found = " ".join(m for f in data["functions"] for m in f["mistakes"])
            cells = [by_name.get(name, "") for name in names]
            writer.writerow(
                [_plain(student), data["topic"], data["earned"], data["points"], *cells, found, _plain(data["trouble"])]
            )


def _plain(text):
    """Text that no spreadsheet takes for a formula."""
    return "'" + text if text[:1] in "=+-@\t" and text else text


def summary(results):
    """How many, how well, and the commonest mistakes in words."""
    words = {m.name: m.words for m in mistakes.CATALOGUE}
    shares = [data["earned"] / data["points"] if data["points"] else 0.0 for data in results.values()]
    full = sum(share >= 1 for share in shares)
    lines = [f"{len(shares)} submissions, {full} with full marks, mean {sum(shares) / len(shares):.0%} of the points"]
    lost = Counter(f["name"] for data in results.values() for f in data["functions"] if f["earned"] < f["points"])
    if lost:
        lines += ["", "functions that lost points:", *(f"{count:5}  {name}" for name, count in lost.most_common(10))]
    found = Counter(m for data in results.values() for f in data["functions"] for m in f["mistakes"])
    if found:
        lines += ["", "commonest mistakes:"]
        lines += [f"{count:5}  {name}: {words.get(name, '')}" for name, count in found.most_common(10)]
    troubled = [(student, data["trouble"]) for (student, _), data in results.items() if data["trouble"]]
    if troubled:
        more = [f"       and {len(troubled) - 10} more, in the table"] if len(troubled) > 10 else []
        lines += ["", "not run:", *(f"       {student}: {trouble[:100]}" for student, trouble in troubled[:10]), *more]
    return "\n".join(lines)
