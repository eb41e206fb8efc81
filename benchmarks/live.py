"""From the first click on Run to what it prints: `python -m benchmarks.live`, on the built site.

Cold fetches everything, warm finds it in the browser's store; a phone is a browser four times slower, on a network of
10 megabits a second. Needs Chromium and a quiet machine.
"""

import functools
import shutil
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SITE = Path(__file__).resolve().parents[1] / "_build" / "html"
FLAGS = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync".split()
PHONE = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}


class Quiet(SimpleHTTPRequestHandler):
    """A server that says nothing."""

    def log_message(self, *arguments): ...


def seconds_to_output(context, address, phone):
    """From the click to the first line printed, by a chapter's first cell that prints."""
    page = context.new_page()
    page.set_default_timeout(300_000)
    if phone:
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", PHONE)
    page.goto(f"{address}book/01-margins.html", wait_until="load")
    cell = page.locator(".cell:has(.stream):not(.tag_hide-cell)").first
    cell.locator(".live-run").scroll_into_view_if_needed()
    start = time.perf_counter()
    cell.locator(".live-run").click()
    cell.locator(".live-output pre").first.wait_for()
    took = time.perf_counter() - start
    page.close()
    return took


def main():
    """Print the four times."""
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/{SITE.name}/"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, options in (
            ("desktop", {}),
            ("phone", {"viewport": {"width": 390, "height": 788}, "has_touch": True}),
        ):
            context = browser.new_context(**options)
            for state in ("cold", "warm"):
                print(f"{name:8} {state}  {seconds_to_output(context, address, name == 'phone'):5.1f} s")
            context.close()
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
