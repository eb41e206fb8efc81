"""Logistic regression on a file that is mapped into memory, beside the same fit to an array: time and peak memory.

    python benchmarks/beyond_memory.py                 1e6 and 5e6 x 20, both ways, and 2e7 x 20 (3.2 GB) mapped
    python benchmarks/beyond_memory.py --rows 1000000  one size, both ways

Each fit runs in a process of its own, so that its peak memory is its own; the two ways alternate, and the shortest of
the times counts. Reading the array into memory is not part of its time. The files lie in a temporary folder (--folder
to choose) and are removed at the end. They are as fast as the system's file cache makes them.
Linux only, for the peak of memory.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

COLUMNS = 20
FIT = """
import json, sys, time
from pathlib import Path
import numpy as np
from linclass import logistic
folder, rows, way = sys.argv[1], int(sys.argv[2]), sys.argv[3]
X = np.memmap(folder + "/X", dtype=np.float64, mode="r", shape=(rows, 20))
y = np.memmap(folder + "/y", dtype=np.int8, mode="r", shape=(rows,))
if way == "memory":
    X, y = np.fromfile(folder + "/X").reshape(rows, 20), np.array(y, dtype=float)
start = time.perf_counter()
fit = logistic.fit_logistic(X, y, lam=1 / rows, progress=False)
seconds = time.perf_counter() - start
# Of this process alone: what getrusage says begins with the peak of the process that started it.
peak = next(int(line.split()[1]) for line in Path("/proc/self/status").open() if line.startswith("VmHWM")) / 1024
print(json.dumps([seconds, peak, fit.converged, fit.steps, fit.model.theta.tolist()]))
"""


def write(folder, rows):
    """X and y in two files, made a piece at a time: labels drawn from a logistic model."""
    rng = np.random.default_rng(0)
    theta = rng.normal(size=COLUMNS) / 2
    with open(folder / "X", "wb") as features, open(folder / "y", "wb") as labels:
        for start in range(0, rows, 500_000):
            X = rng.normal(size=(min(500_000, rows - start), COLUMNS))
            X.tofile(features)
            np.where(X @ theta + rng.logistic(size=len(X)) > 0, 1, -1).astype(np.int8).tofile(labels)


def fit(folder, rows, way):
    """(seconds, MiB at the peak, converged, steps, theta) of one fit in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", FIT, str(folder), str(rows), way], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def compare(rows, ways, repeats, folder):
    """Print a line for each way, and the ratio."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        write(Path(name), rows)
        runs = {way: [] for way in ways}
        for _ in range(repeats):
            for way in ways:
                runs[way].append(fit(name, rows, way))
    best = {way: min(results) for way, results in runs.items()}
    for way, (seconds, peak, converged, steps, _) in best.items():
        print(
            f"{rows:>10,} x {COLUMNS}  {way:>6}  {seconds:7.2f} s  {1e9 * seconds / rows / COLUMNS:5.2f} ns a number"
            f"  peak {peak:7.0f} MiB  {steps} steps  converged {converged}",
            flush=True,
        )
    if len(ways) == 2:
        apart = np.abs(np.subtract(best["mapped"][4], best["memory"][4])).max()
        ratio = best["mapped"][0] / best["memory"][0]
        print(f"{'':>16}mapped / in memory: {ratio:.2f}, thetas apart by {apart:.0e}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder")
    chosen = parser.parse_args()
    print("float64 files, written just before and so in the file cache as far as it goes; lam = 1/n, with an offset")
    if chosen.rows:
        return compare(chosen.rows, ("mapped", "memory"), chosen.repeats, chosen.folder)
    compare(1_000_000, ("mapped", "memory"), chosen.repeats, chosen.folder)
    compare(5_000_000, ("mapped", "memory"), chosen.repeats, chosen.folder)
    compare(20_000_000, ("mapped",), 1, chosen.folder)


if __name__ == "__main__":
    main()
