"""The command line: starter, check, grade, gradebook, export."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from linclass.assignments import check as check_file
from linclass.assignments.checking import check_reference
from linclass.assignments.report import as_data, as_text, for_stream
from linclass.assignments.starter import write_starter
from linclass.assignments.topics import TOPICS


def starter(options):
    """Write what a student gets."""
    names = TOPICS if options.topic == "all" else [options.topic]
    for name in names:
        try:
            paths = write_starter(TOPICS[name], options.output)
        except FileExistsError as error:
            if options.topic != "all":
                raise
            print(f"skipped {name}: {error}")
            continue
        print(*paths, sep="\n")
    return 0


def check(options):
    """Check a file, or the package itself; the code is 0 only if all points were earned."""
    if options.watch:
        return watch(options)
    return _check(options)


def _check(options):
    if options.reference:
        result = check_reference(TOPICS[options.reference], seed=options.seed, only=options.only)
    else:
        result = check_file(options.file, *(options.only or ()), topic=options.topic, seed=options.seed)
    print(json.dumps(as_data(result)) if options.json else as_text(result, for_stream(sys.stdout)))
    return 0 if result.complete else 1


def watch(options, pause=0.3, rounds=None):
    """Check now, and again whenever the file is saved, until Ctrl-C; `rounds` ends it sooner."""
    seen, code = None, 1
    try:
        while rounds is None or rounds > 0:
            now = _stamp(options.file)
            if now != seen:
                seen = now
                print("\033[2J\033[H" if sys.stdout.isatty() else "", end="")
                code = _check(options)
                print(f"\nWatching {options.file}: save it to check again, Ctrl-C to stop.", flush=True)
                rounds = None if rounds is None else rounds - 1
            time.sleep(pause)
    except KeyboardInterrupt:
        print()
    return code


def _stamp(path):
    """What changes when a file is saved; a file that an editor is just replacing has none yet."""
    try:
        about = os.stat(path)
        return about.st_mtime_ns, about.st_size
    except FileNotFoundError:
        return None


def grade(options):
    """Grade a folder of submissions."""
    from linclass.assignments.grade import grade_folder

    settings = {name: getattr(options, name) for name in ("topic", "seed", "jobs", "runner", "require_wall")}
    return grade_folder(options.folder, options.output, **settings)


def export(options):
    """Write an assignment in the form another grader reads."""
    from linclass.assignments.export import EXPORTS

    for path in EXPORTS[options.form](TOPICS[options.topic], Path(options.output), options.seed):
        print(path)
    return 0


def _words(file):
    """The seed in a file: on a command line every process of the machine could read it."""
    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    if not text.strip():
        raise ValueError("the seed's file must hold some words; it is empty")
    return text.strip()


def gradebook(options):
    """Put grades into a table that Canvas or Moodle imports; the code is 1 if somebody has no place in it."""
    from linclass.assignments.gradebook import fill

    text, without = fill(options.form, options.grades, options.roster, options.topic, options.column)
    Path(options.output).write_text(text, encoding="utf-8", newline="")
    print(options.output)
    for student in without:
        print(f"not in the roster: {student}", file=sys.stderr)
    return 1 if without else 0


def _called():
    """The words that started this: the installed command, or the module."""
    return "linclass" if Path(sys.argv[0]).stem == "linclass" else "python -m linclass.assignments"


def parser():
    """The commands and their options."""
    main = argparse.ArgumentParser(prog=_called(), description=__doc__)
    verbs = main.add_subparsers(required=True, metavar="starter | check | grade | gradebook | export")

    one = verbs.add_parser("starter", help="write a topic's starter file, notebook and README")
    one.add_argument("topic", choices=[*TOPICS, "all"])
    one.add_argument("-o", "--output", default=".", help="the folder to write to")
    one.set_defaults(run=starter)

    one = verbs.add_parser("check", help="check a file and say what is wrong")
    one.add_argument("file", nargs="?", help="the file, named after its topic")
    one.add_argument("--topic", choices=TOPICS, help="if the file has another name")
    one.add_argument("--reference", choices=TOPICS, help="check the package itself")
    one.add_argument("--only", nargs="+", metavar="FUNCTION", help="these functions alone")
    one.add_argument("--seed", help="run the hidden checks too, drawn with this seed")
    one.add_argument("--seed-file", metavar="FILE", help="the same, read from a file, or with - from standard input")
    one.add_argument("--json", action="store_true", help="print the result as JSON")
    one.add_argument("--watch", action="store_true", help="check again whenever the file is saved")
    one.set_defaults(run=check)

    one = verbs.add_parser("grade", help="grade a folder of submissions")
    one.add_argument("folder", help="one file per student, or one folder per student with the file in it")
    one.add_argument("-o", "--output", default="grades.csv", help="the table to write; reports go beside it")
    one.add_argument("--topic", choices=TOPICS, help="if the files are not named after it")
    one.add_argument("--seed", help="the secret seed of the hidden checks")
    one.add_argument("--seed-file", metavar="FILE", help="the same, read from a file, or with - from standard input")
    one.add_argument("--jobs", type=int, default=2, help="how many at a time")
    one.add_argument("--runner", help="the command that starts Python elsewhere, as in a container")
    one.add_argument("--require-wall", action="store_true", help="refuse to grade where no wall is to be had")
    one.set_defaults(run=grade)

    one = verbs.add_parser("export", help="write an assignment for another grader")
    one.add_argument("form", choices=["nbgrader", "otter", "gradescope", "classroom50"])
    one.add_argument("topic", choices=TOPICS)
    one.add_argument("-o", "--output", default="dist", help="the folder to write to")
    one.add_argument("--seed", help="the secret seed of the hidden checks")
    one.set_defaults(run=export)
    _gradebook_options(verbs)
    return main


def _gradebook_options(verbs):
    one = verbs.add_parser("gradebook", help="put grades into a table that Canvas or Moodle imports")
    one.add_argument("form", choices=["canvas", "moodle"])
    one.add_argument("grades", help="the table that `grade` wrote")
    one.add_argument("roster", help="the gradebook as Canvas exports it, or the participants as Moodle does")
    one.add_argument("--topic", choices=TOPICS, help="which topic's points, if the table has several")
    one.add_argument("--column", help="the exact heading of the assignment's column")
    one.add_argument("-o", "--output", default="gradebook.csv", help="the file to write")
    one.set_defaults(run=gradebook)


def main(arguments=None):
    """Run a command; what it cannot do is said in one line."""
    options = parser().parse_args(arguments)
    if options.run is check and not options.file and (options.watch or not options.reference):
        parser().error("check needs a file" + ("" if options.watch else ", or --reference TOPIC"))
    try:
        if getattr(options, "seed_file", None):
            options.seed = _words(options.seed_file)
        return options.run(options)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
