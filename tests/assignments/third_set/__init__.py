"""A third set of solutions, written from the pages and the starters alone, before the catalogue was read.

`right/` holds three right solutions for each topic, each in another style. A file of `wrong/` holds wrong versions of
functions of its topic. A line `# --- function: mistake` begins each; `# said:` below it was added afterwards, and is
what the report says where it names that mistake.
"""

import re
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
RIGHT = sorted((HERE / "right").glob("*.py"))
HEADING = re.compile(r"^# --- (\w+): (.+)\n(?:# said: (.+)\n)?", re.MULTILINE)


class Wrong(NamedTuple):
    """A submission with one mistake."""

    topic: str
    function: str
    mistake: str
    said: str | None
    source: str


def wrong_of(path):
    """The wrong submissions of a topic: a right one, in each style in turn, with one function written again."""
    styles = [right.read_text() for right in RIGHT if right.stem.startswith(path.stem + "_")]
    _, *parts = HEADING.split(path.read_text())
    for count, (function, mistake, said, text) in enumerate(zip(*(parts[k::4] for k in range(4)), strict=True)):
        yield Wrong(path.stem, function, mistake, said, styles[count % len(styles)] + "\n\n" + text)


WRONG = [wrong for path in sorted((HERE / "wrong").glob("*.py")) for wrong in wrong_of(path)]
