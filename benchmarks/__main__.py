"""python -m benchmarks [row …] [--quick] [--list] [--seed N] [--save FILE]: ends with 1 where a must does not hold.

Without names of rows: the whole table, then `families` of shapes drawn by a seed, which is printed.
"""

import argparse
import importlib
import os
import pkgutil
import secrets
import sys

import benchmarks
from benchmarks import harness

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # read when the rows load NumPy


def main():
    """Read the command line, run the rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", help="names of rows, or beginnings of names; all if none is given")
    parser.add_argument("--quick", action="store_true", help="a third of the rows, in two minutes")
    parser.add_argument("--list", action="store_true", help="the names of the rows")
    parser.add_argument("--save", default="_build/bench.json", help="where the results go")
    parser.add_argument("--seed", type=int, help="of the families of shapes; a new one if it is not given")
    parser.add_argument("--family", help="only the families whose name begins so, and no table")
    options = parser.parse_args()
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name.startswith("rows_"):
            importlib.import_module(f"benchmarks.{module.name}")
    unknown = [name for name in options.rows if not any(row.startswith(name) for row in harness.ROWS)]
    if unknown:
        parser.error(f"no row begins with {', '.join(unknown)}; --list shows them")
    chosen = [row for name, row in harness.ROWS.items() if any(name.startswith(part) for part in options.rows or [""])]
    if options.quick:
        chosen = [row for row in chosen if row.quick]
    if options.list:
        print("\n".join(f"{row.name:32} {row.case}, against {row.peer}" for row in chosen))
        return 0
    results, holds = ([], True) if options.family else harness.run_all(chosen)
    drawn, seed = [], secrets.randbelow(10**6) if options.seed is None else options.seed
    if not options.rows and not options.quick:
        from benchmarks import families  # once the number of threads is set

        drawn = families.run_all(seed, [f for f in families.FAMILIES if f.name.startswith(options.family or "")])
    harness.save(options.save, rows=results, seed=seed, families=drawn)
    return 0 if holds and all(family["holds"] for family in drawn) else 1


if __name__ == "__main__":
    sys.exit(main())
