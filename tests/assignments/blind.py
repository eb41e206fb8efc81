"""Sets of solutions written from the pages and the starters alone, by people who had not seen the catalogue.

`right/` holds right solutions for each topic, in different styles. A file of `wrong/` holds wrong versions of
functions of its topic. A line `# --- function: mistake` begins each; `# said:` below it was added afterwards, and is
what the report says where it names that mistake.
"""

import re
from pathlib import Path
from typing import NamedTuple

HEADING = re.compile(r"^# --- (\w+): (.+)\n(?:# said: (.+)\n)?", re.MULTILINE)


class Wrong(NamedTuple):
    """A submission with one mistake."""

    topic: str
    function: str
    mistake: str
    said: str | None
    source: str


class Blind:
    """One such set."""

    def __init__(self, name):
        folder = Path(__file__).parent / name
        self.name, self.right = name, sorted((folder / "right").glob("*.py"))
        self.wrong = [wrong for path in sorted((folder / "wrong").glob("*.py")) for wrong in self._of(path)]

    def _of(self, path):
        """The wrong submissions of a topic: a right one, in each style in turn, with one function written again."""
        styles = [right.read_text() for right in self.right if right.stem.startswith(path.stem + "_")]
        _, *parts = HEADING.split(path.read_text())
        for count, (function, mistake, said, text) in enumerate(zip(*(parts[k::4] for k in range(4)), strict=True)):
            yield Wrong(path.stem, function, mistake, said, styles[count % len(styles)] + "\n\n" + text)


THIRD, FOURTH, FIFTH = SETS = (Blind("third_set"), Blind("fourth_set"), Blind("fifth_set"))
