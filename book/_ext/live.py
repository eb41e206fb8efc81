"""Python in the pages: the files it needs beside the site, a script on pages with code, assignments to solve in place.

`live: false` under sphinx.config in `_config.yml` builds the site without any of it; `live_distribution` there
names a full Pyodide distribution, with which figures are drawn by Matplotlib.
"""

import re
from pathlib import Path

from contents import ROOT

from linclass.assignments import starter
from linclass.assignments.topics import TOPICS


def assignments():
    """The assignment of each chapter, as the table of assignments pairs them."""
    rows = (ROOT / "book" / "assignments" / "index.md").read_text(encoding="utf-8").splitlines()
    pairs = [(re.findall(r"\.\./([\w-]+)\.ipynb", row), re.search(r"\((\w+)\.md\)", row)) for row in rows]
    return {chapter: f"book/assignments/{name[1]}" for chapters, name in pairs if name for chapter in chapters}


def solve(app, pagename, topic):
    """What the editors on an assignment's page begin with."""
    names = [f"book/{chapter}" for chapter, page in assignments().items() if page == pagename]
    return {
        "topic": topic.name,
        "chapters": [(app.env.titles[name].astext(), app.builder.get_relative_uri(pagename, name)) for name in names],
        "head": starter.module_text(topic).partition(f"\n\ndef {topic.tasks[0].function}(")[0].rstrip(),
        "functions": [
            {"name": task.function, "points": task.points, "text": starter.cut(task).rstrip()} for task in topic.tasks
        ],
    }


def page_context(app, pagename, templatename, context, doctree):
    """Tell the templates of a chapter's assignment, and of what can run on the page."""
    context["assignment"] = assignments().get(Path(pagename).name)
    topic = app.config.live and pagename in assignments().values() and TOPICS[Path(pagename).name]
    context["solve"] = solve(app, pagename, topic) if topic else None
    context["live"] = topic or (app.config.live and context.get("page_source_suffix") == ".ipynb")


def setup(app):
    app.add_config_value("live", True, "html")
    app.add_config_value("live_distribution", "", "html")
    app.connect("html-page-context", page_context)
