"""Everything to take along, in one file: `python tools/dist.py` writes dist/linclass-book.zip.

The site (open index.html), the notebooks as they stand, and the package as a wheel, for a machine without network.
"""

import sys
import zipfile
from pathlib import Path

import take_along
from contents import ROOT, notebooks

SITE = ROOT / "_build" / "html"
README = """Linear classification, to read, run and solve without a network.

Read: open site/index.html in a browser.
Run:  pip install "{wheel}[run]" jupyterlab, then jupyter lab notebooks
"""


def main():
    if not (SITE / "index.html").exists():
        sys.exit("the book is not built: run make book")
    target = ROOT / "dist" / "linclass-book.zip"
    target.parent.mkdir(exist_ok=True)
    wheel = take_along.wheel(SITE.parent / ".wheel")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(wheel, wheel.name)
        archive.writestr("README.txt", README.format(wheel=wheel.name))
        for path in sorted(SITE.rglob("*")):
            if path.is_file():
                archive.write(path, Path("site") / path.relative_to(SITE))
        for path in notebooks():
            archive.write(path, Path("notebooks") / path.relative_to(ROOT / "book"))
        live = sum(info.compress_size for info in archive.infolist() if info.filename.startswith("site/_static/live/"))
    print(f"{target}, {target.stat().st_size / 2**20:.1f} MB, of which Python for the pages {live / 2**20:.1f} MB")


if __name__ == "__main__":
    main()
