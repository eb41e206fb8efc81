"""What the book consists of, read from `_toc.yml`: `python tools/contents.py` prints the notebooks' paths, in order.

Everything that goes through the notebooks asks here: the build, the tests, make, and the scripts in this folder.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def notebooks(root=ROOT):
    """The book's notebooks, in its order."""
    names = re.findall(r"(?:root|file): (\S+)", (Path(root) / "_toc.yml").read_text(encoding="utf-8"))
    return [path for name in names if (path := Path(root) / f"{name}.ipynb").exists()]


def prose(path):
    """The text of a page, of a notebook its Markdown cells in order."""
    text = Path(path).read_text(encoding="utf-8")
    if Path(path).suffix != ".ipynb":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


if __name__ == "__main__":
    print(*(path.relative_to(ROOT).as_posix() for path in notebooks()), sep="\n")
