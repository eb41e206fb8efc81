"""Figures follow the page's theme, whatever the system's is: paper is the page's paper, ink can be read on it."""

import io

import numpy as np
import pytest
from PIL import Image


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_figure_has_the_paper_of_its_page_and_ink_to_be_read_on_it(browser, address, theme, system):
    context = browser.new_context(viewport={"width": 1000, "height": 900}, color_scheme=system)
    page = context.new_page()
    page.add_init_script(f"localStorage.theme = '{theme}'")
    page.goto(address + "book/01-margins.html")
    picture = page.locator("article .cell_output img").first
    picture.scroll_into_view_if_needed()
    page.wait_for_function("image => image.complete && image.naturalWidth", arg=picture.element_handle())
    pixels = np.asarray(Image.open(io.BytesIO(picture.screenshot())).convert("RGB")).astype(float)
    paper = [
        int(part) for part in page.evaluate("getComputedStyle(document.body).backgroundColor").strip("rgb()").split(",")
    ]
    assert np.abs(pixels[2, 2] - paper).max() <= 2
    ink = pixels.mean(axis=2)
    assert (ink.min() < 60) if theme == "light" else (ink.max() > 200)
    assert picture.evaluate("image => getComputedStyle(image).filter") == "none"
    context.close()
