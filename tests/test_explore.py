"""The explorables' markup: still pictures, the same bytes each time, light, and clear about bad input."""

import gzip
import re
import xml.etree.ElementTree as ET
from urllib.parse import unquote

import numpy as np
import pytest
from explorables import CHAPTERS, FIGURES, X, apart, sides, y

from linclass import explore, losses
from linclass.explore.frame import script

each_figure = pytest.mark.parametrize("kind", FIGURES)


def pictures(markup):
    return [unquote(src.split(",", 1)[1]) for src in re.findall(r'src="(data:image/svg[^"]+)"', markup)]


@each_figure
def test_the_same_call_gives_the_same_bytes_and_no_ids(kind):
    first, second = FIGURES[kind]()._repr_html_(), FIGURES[kind]()._repr_html_()
    assert first == second
    assert not re.search(r"<[a-z]+[^>]*\bid=", re.sub(r"<script>.*?</script>", "", first, flags=re.S))


@each_figure
def test_each_panel_is_a_picture_with_words(kind):
    figure = FIGURES[kind]()
    markup = figure._repr_html_()
    drawn = pictures(markup)
    assert len(drawn) == len(figure.panels) == len(re.findall(r'<img alt="[^"]{20,}"', markup))
    for svg in drawn:
        ET.fromstring(svg)
        assert "nan" not in re.sub(r"<style>.*?</style>", "", svg)


@each_figure
def test_it_is_light_and_asks_no_other_host(kind):
    markup = FIGURES[kind]()._repr_html_()
    assert len(gzip.compress(markup.encode(), 9)) < 20_000
    assert set(re.findall(r"https?://[^\s'\"]+", unquote(markup))) <= {"http://www.w3.org/2000/svg"}
    assert "nan" not in re.search(r"<script type=.application/json.>(.*?)</script>", markup, re.S)[1].lower()


@each_figure
def test_its_script_is_javascript(kind):
    quickjs = pytest.importorskip("quickjs")
    quickjs.Context().eval(f"'use strict'; (() => {{ {script(kind)} }})")  # read, not run


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="X must be a matrix with two columns"):
        explore.margins(np.ones((4, 3)), [1, 1, -1, -1], [1.0, 1.0, 1.0], 0.0)
    with pytest.raises(ValueError, match="theta must be a vector that is not zero"):
        explore.margins(X, y, [0.0, 0.0], 1.0)
    with pytest.raises(ValueError, match="chosen must be one of"):
        explore.losses(0.0, ["huber"])
    with pytest.raises(ValueError, match="loss must be one of"):
        explore.sgd(X, y, losses.SQUARED)
    with pytest.raises(ValueError, match="C must be a finite number > 0"):
        explore.svm(X, y, 0.0)
    with pytest.raises(ValueError, match="function must be one of"):
        explore.newton(0.0, "cosine")
    with pytest.raises(ValueError, match="y must be one of"):
        explore.softmax((0.0, 0.0, 0.0), 3)
    with pytest.raises(ValueError, match="miss must be one of"):
        explore.probabilities(X, y, 0)
    with pytest.raises(ValueError, match="lam must be one of"):
        explore.kernel_sgd(X[:, 0], y, lam=0.5)
    with pytest.raises(ValueError, match="X must be examples whose classes overlap"):
        explore.probabilities(apart, sides)


def test_every_figure_is_tested():
    assert set(explore.__all__) - {"Explorable"} == set(FIGURES) == set(CHAPTERS)
