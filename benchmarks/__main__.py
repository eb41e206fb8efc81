"""python -m benchmarks [row …] [--quick] [--list] [--save FILE]: exits with 1 where a median falls under its must."""

import argparse
import importlib
import os
import pkgutil
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
    return 0 if harness.run_all(chosen, options.save) else 1


if __name__ == "__main__":
    sys.exit(main())
