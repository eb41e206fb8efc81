"""Measure how high the sections of the built chapters are: `python tools/heights.py` (needs Chromium).

Sections are laid out when they come near (see `--late` in the style sheet); until then a page takes their heights from
`book/_theme/heights.html`, which this writes: for a narrow and for a wide window, in rem. A section that is not listed
is laid out at once.
"""

import json
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from contents import ROOT, notebooks

SITE = ROOT / "_build" / "html"
KEPT = ROOT / "book" / "_theme" / "heights.html"
WINDOWS = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
MEASURE = """() => {
  dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));  // which brings explorables to life
  return Object.fromEntries([...document.querySelectorAll('article > section > section[id]')].map((section) =>
    [section.id, Math.round(section.getBoundingClientRect().height / 1.6) / 10]));
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments): ...


def measured(page, window, address):
    page.set_viewport_size(window)
    page.goto(address)
    page.add_style_tag(content="* { content-visibility: visible !important }")
    page.evaluate("() => document.fonts.ready.then(() => 0)")
    return page.evaluate(MEASURE)


def main():
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    heights = {}
    with sync_playwright() as playwright:
        browser = shutil.which("chromium") or shutil.which("google-chrome")
        page = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"]).new_page()
        # A page does not wait for a font that is late; a measurement does.
        css = (SITE / "_static" / "book.css").read_text(encoding="utf-8").replace(": optional", ": block")
        page.route("**/book.css*", lambda route: route.fulfill(body=css, content_type="text/css"))
        for name in (f"book/{path.stem}" for path in notebooks()):
            address = f"http://127.0.0.1:{server.server_port}/{name}.html"
            narrow, wide = (measured(page, window, address) for window in WINDOWS)
            heights[name] = {section: [narrow[section], wide[section]] for section in narrow}
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(sections)}" for name, sections in heights.items())
    head = "{# How high sections are, in rem, narrow and wide: measured by `make heights`. #}\n"
    KEPT.write_text(f"{head}{{%- set heights = {{\n{rows}\n}} %}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
