"""The book's own modules, importable by its tests."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]
