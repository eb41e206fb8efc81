"""The built site on a local server, under a sub-path, and one browser to read it with."""

import os
import shutil
import sys
import threading
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))
SITE = ROOT / "_build" / "html"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --process-per-site"
).split()


def missing(what):
    """What a test needs is not there: a failure where everything must run, elsewhere a skip that says so."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(what)


@pytest.fixture(scope="session")
def site():
    if not (SITE / "book" / "index.html").exists():
        missing("the book is not built: run make book")
    return SITE


@pytest.fixture(scope="session")
def chapters():
    """The names of the chapters' pages, in the book's order."""
    from contents import notebooks

    return [path.stem for path in notebooks(ROOT) if path.stem[:1].isdigit()]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments): ...


@contextmanager
def served(site):
    """The address of a folder, not at the root of its host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{site.name}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture
def serve():
    """Serves another folder while a test runs."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(served(folder))


@pytest.fixture(scope="session")
def program():
    """Where a program is, by the first of its names that is found."""

    def find(*names):
        return next(filter(None, map(shutil.which, names)), None) or missing(f"no {names[0]} found")

    return find


@pytest.fixture(scope="session")
def chromium(program):
    return program("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser(chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def free_windows():
    """Pages that no test uses now, by the options of their context."""
    return {}


@pytest.fixture
def window(browser, free_windows):
    """Opens an empty page. As a new one costs more than most tests, it may be one that an earlier test has used: what
    that routed and stored is gone, what was fetched is still at hand."""
    taken = []

    def opened(**options):
        key = repr(sorted(options.items()))
        page = free_windows[key].pop() if free_windows.get(key) else browser.new_context(**options).new_page()
        taken.append((key, page))
        return page

    yield opened
    for key, page in taken:
        page.evaluate("() => { try { localStorage.clear(); } catch { /* none here */ } }")
        page.unroute_all()
        page.goto("about:blank")
        free_windows.setdefault(key, []).append(page)
