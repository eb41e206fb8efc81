"""The search, as people search: what must be among the first three, where a result leads, and what it costs."""

import gzip
import json
import re
from functools import cache
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")) if SITE.exists() else []
# What one types, and the anchor that must be among the first three results. The page is the one that has the anchor, so
# that chapters may be renumbered, split or renamed.
QUERIES = {
    # what people call things elsewhere
    "overfitting": "term-overfitting",
    "learning rate": "term-step-size",
    "bias": "the-offset-is-a-feature",
    "intercept": "term-offset",
    "weight decay": "term-ridge",
    "log loss": "term-logistic-loss",
    "binary cross entropy": "term-logistic-loss",
    "IRLS": "thm-newton-is-irls",
    "tikhonov regularization": "term-ridge",
    "data larger than memory": "when-the-data-outgrow-the-machine",
    # numbers that the book gives to these: see resolved()
    "eq-margin": "eq-margin",
    "thm-novikoff": "thm-novikoff",
    "exercise": "exercise",
    # Greek letters and names of code
    "λ": "mean-or-sum-lambda-or-c",
    "θ₀": "eq-perceptron-step",
    "theta_0": "eq-perceptron-step",
    "η": "eq-gradient-step",
    "τ": "choosing-tau-and-lambda",
    "signed_distances": "linclass.margins.signed_distances",
    "fit_sgd": "linclass.descent.fit_sgd",
    "lam_from_C": "linclass.conventions.lam_from_C",
    "linclass.svm.fit_svm": "linclass.svm.fit_svm",
    # a slip of the finger, another spelling
    "percptron": "thm-hinge-is-shifted-perceptron",
    "logisitc loss": "term-logistic-loss",
    "regularization": "term-regularisation",
    "novikov": "thm-novikoff",
    "subgradient": "thm-risk-subgradient",
    "sofmax": "term-softmax",
    "Support Vectors": "term-support-vector",
    "newtons method": "newton-s-method",
    # ideas
    "geometric margin": "two-meanings-of-margin",
    "decision boundary": "term-decision-boundary",
    "naive bayes": "thm-naive-bayes-linear",
    "nearest mean": "linear-classifiers-in-disguise",
    "zero-one loss": "term-zero-one-loss",
    "hinge": "eq-hinge-loss",
    "convex": "thm-risk-convex",
    "sigmoid": "from-odds-to-the-sigmoid",
    "maximum likelihood": "logistic-regression-by-maximum-likelihood",
    "standard errors": "eq-standard-errors",
    "cross-validation": "choosing-lambda-tumours-again",
    "stochastic gradient descent": "term-sgd",
    "minibatch": "eq-minibatch",
    "condition number": "term-condition-number",
    "slack": "slack",
    "SVM dual": "the-other-side-the-dual",
    "duality gap": "thm-strong-duality",
    "what is a support vector": "term-support-vector",
    "representer theorem": "thm-representer",
    "gaussian kernel": "the-gaussian-kernel",
    "gram matrix": "term-gram-matrix",
    "random fourier features": "infinitely-many-features-and-a-few-random-ones",
    "softmax": "softmax-and-many-classes",
    "cross-entropy": "term-cross-entropy",
    "one versus rest": "against-one-versus-rest",
    "Fisher scoring": "thm-newton-is-fisher-scoring",
    "dask": "what-a-learner-takes",
    "why not minimise the number of mistakes": "bounds-on-the-number-of-mistakes",
}


@cache
def ids(page):
    return set(re.findall(r'\bid="([^"]+)"', (SITE / page).read_text(encoding="utf-8")))


@cache
def index():
    text = (SITE / "_static" / "search-index.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("linclassSearch.take(").rstrip().removesuffix(")"))


def resolved(query, anchor):
    """The query as typed, with the number that stands in the book now, and the pages that have the anchor."""
    if anchor == "exercise":
        anchor = next(one[1] for one in index()["entries"] if one[1].startswith("exercise-"))
        query = anchor.replace("-", " ", 1).replace("-", ".")
    elif query.startswith(("eq-", "thm-")):
        title = next(one[3] for one in index()["entries"] if one[1] == anchor)
        query = re.search(r"\(\d+\.\d+\)|\w+ \d+\.\d+", title)[0].strip("()")
    return query, anchor, [name for name in PAGES if anchor in ids(name)]


@pytest.fixture(scope="module")
def finder(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address + "search.html")
    yield page
    context.close()


def typed(page, query):
    """The addresses of the results, after typing a query on a page whose search is open."""
    page.get_by_role("searchbox").fill(query)
    page.wait_for_function("query => document.querySelector('.find-list').dataset.query === query", arg=query)
    return [link.get_attribute("href") for link in page.locator(".find-list a").all()]


def place(href):
    path, _, anchor = href.partition("#")
    return re.sub(r"^(\.\.?/)*", "", path.split("?")[0]), anchor


@pytest.mark.parametrize("query", QUERIES)
def test_query(finder, query):
    words, anchor, pages = resolved(query, QUERIES[query])
    assert pages, f"no page has the anchor {anchor}"
    first = [place(href) for href in typed(finder, words)[:3]]
    assert any((page, anchor) in first for page in pages), f"{words!r} should lead to {anchor}, leads to {first}"


def test_everything_has_an_entry(site):
    """Each section, statement, numbered equation, exercise, glossary term and function of the pages is an entry."""
    given = index()
    known = {(given["pages"][page][0], anchor) for page, anchor, *_ in given["entries"]}
    marks = (
        r'<section[^>]*\bid="([^"]+)"',
        r'<div class="box box-(?:theorem|exercise)\b[^>]*\bid="([^"]+)"',
        r'<div class="math math-numbered\b[^>]*\bid="([^"]+)"',
        r'<dt class="sig\b[^>]*\bid="([^"]+)"',
        r'<dt id="(term-[^"]+)"',
    )
    texts = {name: (SITE / name).read_text(encoding="utf-8") for name in PAGES if name.startswith("book/")}
    found = [{(name, label) for name, text in texts.items() for label in re.findall(mark, text)} for mark in marks]
    assert all(len(of_a_kind) > 50 for of_a_kind in found), [len(of_a_kind) for of_a_kind in found]
    wanted = set().union(*found)
    assert wanted <= known, sorted(wanted - known)[:10]


def test_every_entry_leads_somewhere(site):
    given = index()
    lost = [(given["pages"][page][0], a) for page, a, *_ in given["entries"] if a not in ids(given["pages"][page][0])]
    assert not lost, lost


def test_the_first_query_is_light(browser, address):
    """From a chapter: what is asked for between / and the first results, compressed as a server would."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address + "book/index.html", wait_until="networkidle")
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(address)))
    page.keyboard.press("/")
    typed(page, "margin")
    page.wait_for_load_state("networkidle")
    size = sum(len(gzip.compress((SITE / name).read_bytes())) for name in asked) / 1000
    context.close()
    assert len(asked) >= 3 and size <= 150, f"{asked} weigh {size:.0f} KB"


@pytest.mark.parametrize("width", [390, 1280])
def test_search_from_a_chapter(browser, address, width):
    """Opened by its button or by /, results while typing, by arrow and Enter to the place, the words marked."""
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(address + "book/glossary.html")
    page.mouse.wheel(0, 700)
    page.wait_for_function("scrollY > 500")
    before = page.evaluate("scrollY")
    page.get_by_role("link", name="Search").evaluate("link => link.click()")  # without scrolling to it
    page.get_by_role("searchbox").press("Escape")
    page.wait_for_function("!document.querySelector('dialog[open]')")
    assert page.evaluate("scrollY") == before
    page.keyboard.press("/")
    page.keyboard.type("geometric margins")
    page.wait_for_function("document.querySelector('.find-list').dataset.query === 'geometric margins'")
    links = [link.get_attribute("href") for link in page.locator(".find-list a").all()]
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('href')") == links[0]
    page.keyboard.press("Enter")
    page.wait_for_function("window.CSS.highlights.get('found')?.size")
    path, anchor = place(links[0])
    assert path in page.url and page.url.endswith("#" + anchor)
    assert 0 <= page.locator(f"[id='{anchor}']").bounding_box()["y"] < 400
    marked = set(page.evaluate("[...CSS.highlights.get('found')].map(range => String(range).toLowerCase())"))
    assert marked and marked <= {"geometric", "margin", "margins", "margin’s", "geometric-margin"}
    context.close()


def test_only_whole_words_are_marked(finder):
    typed(finder, "hinge")
    marked = {text.lower() for text in finder.locator(".find-list mark").all_inner_texts()}
    assert "hinge" in marked and all(re.match(r"hinge", word) for word in marked), marked


def test_formulas_read_as_formulas(finder):
    typed(finder, resolved("eq-margin", "eq-margin")[0])
    texts = " ".join(finder.locator(".find-list").all_inner_texts())
    assert "z = y (θ ⋅ x + θ₀)" in texts and "\\" not in texts and "$" not in texts


def test_nothing_found_says_so(finder):
    typed(finder, "xyzzyplugh")
    assert "Nothing found" in finder.locator(".find-status").inner_text()


def test_a_query_in_the_address(browser, address):
    page = browser.new_page()
    page.goto(address + "search.html?q=kernel")
    page.wait_for_selector(".find-list a")
    assert page.get_by_role("searchbox").input_value() == "kernel"
    page.close()


def test_the_page_that_is_not_there_searches(browser, address):
    page = browser.new_page()
    text = (SITE / "404.html").read_text(encoding="utf-8").replace('action="/', f'action="{address}')
    page.route("**/nowhere", lambda route: route.fulfill(body=text, content_type="text/html", status=404))
    page.goto(address + "nowhere")
    page.get_by_role("searchbox").fill("hinge loss")
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector(".find-list a")
    page.close()
