"""A live preview: `python tools/serve.py` builds the book, serves it on this machine and rebuilds what changes."""

import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from watchfiles import watch

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
COMMAND = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(ROOT), "-n", "--keep-going", "-q"]
WATCHED = [ROOT / name for name in ("book", "linclass", "_config.yml", "_toc.yml")]


def build():
    """Build what changed; say so if it failed, and go on serving."""
    failed = subprocess.run(COMMAND).returncode
    print("The build has problems, see above." if failed else "The book is up to date.")


def main(port=8000):
    build()
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(SimpleHTTPRequestHandler, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"The book is at http://127.0.0.1:{port}/ and is built anew when a file changes; reload the page to see it.")
    for _ in watch(*WATCHED):
        build()


if __name__ == "__main__":
    try:
        main(*map(int, sys.argv[1:]))
    except KeyboardInterrupt:
        print()
