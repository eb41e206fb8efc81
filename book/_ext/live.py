"""Python in the pages: the files it needs beside the site, a script on pages with code, assignments to solve in place.

`live: false` under sphinx.config in `_config.yml` builds the site without any of it; `live_distribution` there
names a full Pyodide distribution, with which figures are drawn by Matplotlib.
"""

import json
from pathlib import Path

import live_assets
from book_site import assignments
from sphinx.util import logging

from linclass.assignments import starter
from linclass.assignments.topics import TOPICS

logger = logging.getLogger(__name__)


def solve(app, pagename, topic):
    """The place where an assignment is solved: what its editors begin with."""
    chapters = [f"book/{chapter}" for chapter, page in assignments().items() if page == pagename]
    head = starter.module_text(topic).partition(f"\n\ndef {topic.tasks[0].function}(")[0]
    given = {
        "topic": topic.name,
        "chapters": [
            (app.env.titles[name].astext(), app.builder.get_relative_uri(pagename, name)) for name in chapters
        ],
        "head": head.rstrip(),
        "functions": [
            {"name": task.function, "points": task.points, "text": starter.cut(task).rstrip()} for task in topic.tasks
        ],
    }
    data = json.dumps(given, ensure_ascii=False).replace("</", "<\\/")
    return (
        '<div class="solve" id="solve-it-here"><h2>Solve it here</h2>'
        "<p>Write in the page and check as often as you like. Python runs in your browser; the first check fetches it, "
        "some ten megabytes, once. What you write stays in this browser. Points here are for you: what is graded is "
        f'the file you hand in.</p><script type="application/json">{data}</script></div>'
    )


def page_context(app, pagename, templatename, context, doctree):
    """Tell the pages that have something to run."""
    topic = TOPICS.get(pagename.removeprefix("book/assignments/")) if "assignments/" in pagename else None
    notebook = doctree and str(app.env.doc2path(pagename)).endswith(".ipynb")
    context["live"] = bool(app.config.live and (topic or notebook))
    if context["live"] and topic:
        before, mark, after = context["body"].partition('<section id="check">')
        context["body"] = before + solve(app, pagename, topic) + mark + after


def finish(app, error):
    if not error and app.builder.name == "html" and app.config.live:
        total = live_assets.write(Path(app.outdir) / "_static" / "live", app.config.live_distribution)
        logger.info("Python for the pages: %.1f MB, fetched at the first click", total / 1e6)


def setup(app):
    app.add_config_value("live", True, "html")
    app.add_config_value("live_distribution", "", "html")
    app.connect("html-page-context", page_context, priority=500)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
