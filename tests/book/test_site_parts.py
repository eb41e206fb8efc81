"""Parts of the site that depend on its addresses, which are empty by default."""

import subprocess
from pathlib import Path

import book_site
import hosted
import jinja2
import live
import nbformat
import pytest
import run_notebooks
import serve
import yaml

from linclass.assignments.topics import TOPICS

ROOT = Path(__file__).resolve().parents[2]


def test_no_address_is_set_by_default():
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert settings["html"]["baseurl"] == "" and settings["repository"]["url"] == ""


def test_a_sitemap_where_the_address_is_known(tmp_path):
    book_site.write_map(tmp_path, "", ["book/index"])
    assert not (tmp_path / "sitemap.txt").exists()
    book_site.write_map(tmp_path, "https://example.org/book", ["book/index"])
    assert "https://example.org/book/book/index.html\n" in (tmp_path / "sitemap.txt").read_text()
    assert "Sitemap: https://example.org/book/sitemap.txt" in (tmp_path / "robots.txt").read_text()


@pytest.mark.parametrize("address, root", [("", "/"), ("https://example.org/a", "https://example.org/a/")])
def test_a_page_that_is_not_there_leads_to_the_first(address, root):
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(ROOT / "book" / "_theme"))
    page = templates.get_template("404.html").render(site_root=address)
    assert f'href="{root}"' in page and f'action="{root}search.html"' in page


@pytest.mark.parametrize("address, expected", [("", False), ("https://example.org/someone/linclass", True)])
def test_hosted_services_are_offered_where_the_repository_is_known(address, expected):
    frame = jinja2.DictLoader({"layout.html": "{% block body %}{% endblock %}"})
    templates = jinja2.ChoiceLoader([frame, jinja2.FileSystemLoader(ROOT / "book" / "_theme")])
    page = (
        jinja2.Environment(loader=templates)
        .get_template("page.html")
        .render(
            body="<h1>Margins</h1><p>Text</p>",
            pathto=lambda name, resource=0: name,
            pagename="book/01-margins",
            page_source_suffix=".ipynb",
            assignment=live.assignments()["01-margins"],
            theme_repository_url=address,
        )
    )
    assert page.index("</h1>") < page.index("Download this notebook") < page.index("Text")
    assert 'href="book/assignments/margins"' in page and 'href="book/ledger#ledger-01-margins"' in page
    assert ("/someone/linclass/blob/hosted/01-margins.ipynb" in page) == ("Open in Binder" in page) == expected


def test_every_assignment_belongs_to_a_chapter():
    chapters = live.assignments()
    assert {topic.chapter: chapters[topic.chapter].split("/")[-1] for topic in TOPICS.values()} == {
        topic.chapter: topic.name for topic in TOPICS.values()
    }


def test_a_hosted_notebook_installs_the_package_first(tmp_path):
    hosted.write(tmp_path, "https://example.org/someone/linclass")
    first = nbformat.read(next(tmp_path.glob("01*.ipynb")), as_version=4).cells[0]
    assert first.source == '%pip install --quiet "linclass[run] @ git+https://example.org/someone/linclass"'


def test_the_first_page_works_from_the_root():
    moves = {"../search.html": "search.html", "01-margins.html": "book/01-margins.html", "#top": "#top"}
    for before, after in moves.items():
        assert book_site.root_page(f'<a href="{before}">') == f'<a href="{after}">'


def test_every_colour_of_the_theme_is_said_for_light_and_dark():
    css = (ROOT / "book" / "_theme" / "static" / "book.css.jinja").read_text(encoding="utf-8")
    colours = css[css.index(":root {") : css.index("--serif")]
    assert colours.count("--") == colours.count("light-dark(") > 15


def test_the_preview_has_a_command_that_builds():
    assert subprocess.run([*serve.COMMAND, "--help"], capture_output=True).returncode == 0


def test_a_figure_is_sent_without_what_nobody_sees():
    path = '<g transform="scale(0.015625)"><path id="m1" d="M 44.179297 -0.123456\nL 7.0 8.50001 \nz"/></g>'
    svg = f'<svg><metadata>\n<a/></metadata>\n  <g id="text_1"><!-- a -->{path}</g></svg>'
    expected = '<svg>\n<g><g transform="scale(0.015625)"><path id="m1" d="M44.2 -0.12L7 8.50z"/></g></g></svg>'
    assert run_notebooks.lighter(svg) == expected
