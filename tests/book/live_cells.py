"""Run the cells of a notebook as a page does, without what a page has not: `python live_cells.py NOTEBOOK`.

Prints a line of JSON for each cell: what was printed, what went wrong, how many pictures were drawn.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ABSENT = {
    "matplotlib",
    "matplotlib_inline",
    "scipy",
    "sklearn",
    "pandas",
    "dask",
    "distributed",
    "tqdm",
    "mpl_toolkits",
}


class Absent:
    """Finds none of the modules that browsers do not run."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


if __name__ == "__main__":
    sys.meta_path.insert(0, Absent())
    sys.path[:0] = [str(ROOT), str(ROOT / "book" / "_live")]
    import interpreter

    notebook = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for number, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), 1):
        printed = []
        answer = interpreter.run("".join(cell["source"]), f"cell {number}", printed.append)
        found = {"printed": "".join(printed), "error": answer.get("error"), "pictures": answer.get("pictures", [])}
        print(json.dumps({"id": cell["id"], "value": answer.get("value")} | found))
