"""A long drawing: every learner on problems from every family, judged in extended precision.

    python tests/certificates --count 5000 [--seed N] [--family NAME] [--index I] [--peers]

Without a seed a new one is taken, and printed. Ends with 1 if a certificate was false or a learner raised what is not
a ValueError; each such problem is listed with the seed and the index that draw it again.
"""

import argparse
import collections
import secrets
import sys
import time
from pathlib import Path

sys.path[:0] = [str(folder) for folder in Path(__file__).resolve().parents[1:3]]

from certificates import families, judge, peers  # noqa: E402

KINDS = ("held", "honest", "refused", "false", "raised", "not judged")
HEADS = ("certified", "honest", "refused", "false", "exceptions", "not judged")


def main():
    """Draw, judge, print."""
    given = arguments()
    seed = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    started, table, wrong, warned = time.monotonic(), collections.defaultdict(collections.Counter), [], []
    met = collections.defaultdict(collections.Counter)
    for index in [given.index] if given.index is not None else range(given.count):
        problem = families.draw(seed, index, given.family)
        verdict = judge.examine(problem)
        table[problem.family][verdict.kind] += 1
        line = f"{problem}\n    {verdict.detail}\n    families.draw({seed}, {index}, {given.family!r})"
        if verdict.kind in ("false", "raised", "not judged"):
            wrong.append((verdict.kind, line))
            print(f"{verdict.kind}: {line}", flush=True)
        if verdict.warned:
            warned.append(f"{problem}: {verdict.warned}")
        if given.index is not None:
            print(f"{verdict.kind}: {line}\n{verdict.fit}")
        if given.peers and verdict.kind == "honest":
            names = peers.found(problem, verdict.fit)
            met[problem.family].update(names)
            if len(names) > 1 and "ours" not in names:
                print(f"missed, found by {', '.join(names[1:])}: {line}", flush=True)
    show(table, met)
    print(f"{len(warned)} fits warned of something else than convergence", *warned[:5], sep="\n    ")
    print(f"seed {seed}, {time.monotonic() - started:.0f} s")
    return any(kind in ("false", "raised") for kind, _ in wrong)


def arguments():
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5000, help="how many problems")
    parser.add_argument("--seed", type=int, help="of the drawing")
    parser.add_argument("--family", choices=families.FAMILIES, help="only this one")
    parser.add_argument("--index", type=int, help="only this problem of the drawing, with its fit")
    parser.add_argument("--peers", action="store_true", help="are honest ones at the minimum, and are others there?")
    return parser.parse_args()


def show(table, met):
    """The table by family, and who is at the minimum where a fit had no certificate."""
    width = max(map(len, table)) + 2
    print("family".ljust(width), "drawn", *(head.rjust(10) for head in HEADS))
    total = sum(table.values(), collections.Counter())
    for name, counts in [*table.items(), ("all", total)]:
        shares = (str(counts[kind]).rjust(10) for kind in KINDS)
        print(name.ljust(width), str(counts.total()).rjust(5), *shares)
    for name, counts in met.items():
        found = ", ".join(f"{peer} {count}" for peer, count in counts.items() if peer != "tried")
        print(f"{name}: of {counts['tried']} without a certificate, at the minimum: {found or 'none'}")


if __name__ == "__main__":
    sys.exit(main())
