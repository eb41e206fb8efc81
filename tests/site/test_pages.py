"""Every page in a real browser: desktop and phone, light and dark."""

import gzip
import re
import statistics
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")) if SITE.exists() else []
WIDTHS = (360, 390, 768, 1440)
# axe reads every node, so the page is cut down to what can differ: one token of each kind in code, the first formulas
# without their visible half, which is hidden from assistive technology and has the colour of the text around it.
ONE_OF_EACH = """() => {
  document.querySelectorAll('.katex-html').forEach(half => half.remove());
  [...document.querySelectorAll('.katex')].slice(10).forEach(formula => formula.replaceWith('x'));
  const seen = new Set();
  document.querySelectorAll('pre span').forEach(token => seen.has(token.className) ?
    token.replaceWith(...token.childNodes) : seen.add(token.className));
}"""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# What of it can differ in the other theme and on a phone.
BY_LOOK = {"runOnly": ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]}
WIDER = """() => document.documentElement.scrollWidth <= innerWidth + 1 ? [] :
  [...document.querySelectorAll('main *')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
    .filter(e => !e.closest('.math-scroll, .katex-mathml, .scroll, pre, svg'))
    .slice(0, 5).map(e => e.outerHTML.slice(0, 160))"""
weights = {}


def violations(page, rules):
    found = Axe().run(page, options=rules).response["violations"]
    return [f"{rule['id']}: {rule['help']}: {node['html'][:200]}" for rule in found for node in rule["nodes"][:3]]


def over_the_wire(name, responses):
    """Kilobytes of a page, compressed as a server would, with the figures that wait below the fold."""
    text = (SITE / name).read_text(encoding="utf-8")
    figures = {
        (SITE / name).parent.joinpath(source).resolve()
        for source in re.findall(r'<img[^>]+src="(?!data:)([^"]+)"', text)
    }
    files = figures | {SITE.joinpath(path).resolve() for path in responses}
    sizes = [
        len(path.read_bytes()) if path.suffix in (".woff2", ".png") else len(gzip.compress(path.read_bytes()))
        for path in files
        if path.is_file()
    ]
    return sum(sizes) / 1024


def visit(name, browser, address, planted=""):
    """What is wrong with a page, and what it asked for; `planted` stands at its end, for a test of this test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    page = context.new_page()
    said, asked, failed = [], [], []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    if planted:
        text = (SITE / name).read_text(encoding="utf-8").replace("</article>", planted + "</article>")
        page.route(address + name, lambda route: route.fulfill(body=text, content_type="text/html; charset=utf-8"))
    try:
        page.goto(address + name, wait_until="load")
        # All of the page is laid out, or what overflows below the fold would be cut off unseen.
        page.add_style_tag(content="* { content-visibility: visible !important }")
        found = []
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            found += [f"wider than {width} pixels: {line}" for line in page.evaluate(WIDER)]
            if page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
                found.append(f"scrolls sideways at {width} pixels")
        page.evaluate("dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }))")  # what scrolls can be reached
        page.evaluate(ONE_OF_EACH)
        found += [f"in light: {line}" for line in violations(page, RULES)]
        page.set_viewport_size({"width": 390, "height": 844})
        page.emulate_media(color_scheme="dark")
        page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
        )  # it has seen its size
        found += [f"in dark, on a phone: {line}" for line in violations(page, BY_LOOK)]
        found += [f"console: {line}" for line in said] + [f"failed request: {url}" for url in failed]
        found += [f"foreign request: {url}" for url in asked if not url.startswith((address, "data:", "blob:"))]
    finally:
        context.close()
    here = [url.removeprefix(address).split("?")[0].split("#")[0] for url in asked if url.startswith(address)]
    return list(dict.fromkeys(found)), here


@pytest.mark.parametrize("name", PAGES)
def test_page(name, browser, address):
    found, asked = visit(name, browser, address)
    assert not found, f"{name}:\n" + "\n".join(found)
    weights[name] = over_the_wire(name, asked)
    assert weights[name] < 500, f"{name} weighs {weights[name]:.0f} KB"


def test_planted_faults_are_found(browser, address):
    planted = """<table><tr><td><div style="width: 1500px">a table that overflows</div></td></tr></table>
        <script src="http://127.0.0.1:9/of-another-host.js"></script><img src="missing.png">
        <p style="color: #bbb; background: #ccc">pale</p><script>nothing.at.all()</script>"""
    found = "\n".join(visit("book/assignments/index.html", browser, address, planted)[0])
    for fault in (
        "scrolls sideways at 1440 pixels",
        "wider than 360 pixels: <table>",
        "foreign request: http://127.0.0.1:9/of-another-host.js",
        "missing.png",
        "console: nothing is not defined",
        "in light: image-alt",
        "in dark, on a phone: color-contrast",
    ):
        assert fault in found, f"{fault!r} is not among what was found:\n{found}"


def test_pages_are_light():
    if len(weights) < 5:
        pytest.skip("needs the visits above")
    print({name: round(weight) for name, weight in weights.items()})
    assert statistics.median(weight for name, weight in weights.items() if re.match(r"book/\d", name)) <= 239, weights
