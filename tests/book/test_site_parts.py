"""Parts of the site that depend on its addresses, which are empty by default."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import book_site
import hosted
import nbformat
import pytest
import serve
import yaml

ROOT = Path(__file__).resolve().parents[2]


def test_no_address_is_set_by_default():
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert settings["html"]["baseurl"] == "" and settings["repository"]["url"] == ""


def test_a_sitemap_where_the_address_is_known(tmp_path):
    book_site.write_map(tmp_path, "", ["book/index"])
    assert not (tmp_path / "sitemap.xml").exists()
    book_site.write_map(tmp_path, "https://example.org/book/", ["book/index"])
    assert "<loc>https://example.org/book/book/index.html</loc>" in (tmp_path / "sitemap.xml").read_text()
    assert "Sitemap: https://example.org/book/sitemap.xml" in (tmp_path / "robots.txt").read_text()


@pytest.mark.parametrize("address, expected", [("", False), ("https://example.org/someone/linclass", True)])
def test_hosted_services_are_offered_where_the_repository_is_known(address, expected):
    env = SimpleNamespace(
        doc2path=lambda name: str(ROOT / f"{name}.ipynb"),
        found_docs={"book/01-margins", "book/assignments/margins"},
        get_domain=lambda name: SimpleNamespace(anonlabels={"ledger-01-margins": ()}),
    )
    app = SimpleNamespace(env=env, config=SimpleNamespace(html_theme_options={"repository_url": address}))
    links = dict((text, link) for text, link, _ in book_site.tools(app, "book/01-margins", lambda name, _=0: name))
    assert {"Download this notebook", "Its assignment", "Its place in the ledger"} <= set(links)
    assert ("Open in Colab" in links) == ("Open in Binder" in links) == expected
    if expected:
        assert links["Open in Colab"].endswith("/someone/linclass/blob/hosted/01-margins.ipynb")


def test_a_hosted_notebook_installs_the_package_first():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title")])
    first = hosted.with_installation(notebook, "https://example.org/someone/linclass").cells[0]
    assert first.source == '%pip install --quiet "linclass[run] @ git+https://example.org/someone/linclass"'


def test_the_first_page_works_from_the_root():
    moves = {"../search.html": "search.html", "01-margins.html": "book/01-margins.html", "#top": "#top"}
    for before, after in moves.items():
        assert book_site.root_page(f'<a href="{before}">') == f'<a href="{after}">'


def test_the_style_sheet_is_whole():
    css = book_site.style_sheet()
    assert css.count("{") == css.count("}")
    assert "prefers-color-scheme:dark" in css.replace(" ", "") and ".woff)" not in css


def test_every_theme_colour_has_its_dark_twin():
    css = (ROOT / "book" / "_theme" / "static" / "book.css.jinja").read_text(encoding="utf-8")
    light, dark = css.split(':root[data-theme="dark"]')[0], book_site.DARK.search(css)[1]
    names = [line.split(":")[0] for line in light.split("{", 1)[1].replace("\n", " ").split(";") if "--" in line]
    fonts = {"--serif", "--sans", "--mono"}
    missing = [name.strip() for name in names if name.strip() not in fonts and f"{name.strip()}:" not in dark]
    assert not missing


def test_the_preview_has_a_command_that_builds():
    assert subprocess.run([*serve.COMMAND, "--help"], capture_output=True).returncode == 0
