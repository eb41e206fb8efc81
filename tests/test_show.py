"""A chapter quotes the code that runs."""

import ast
import inspect

import numpy as np
import pytest

from linclass import losses, margins, representer, show


def test_the_source_is_the_functions_own_without_its_docstring():
    shown = show.show(margins.scores)
    head, _, rest = inspect.getsource(margins.scores).rstrip().split('"""')
    assert shown.text == head.rstrip() + rest
    assert shown.name == "linclass.margins.scores"


def test_every_public_function_and_class_is_shown_as_python():
    for module in (losses, margins):
        for name in module.__all__:
            if callable(getattr(module, name)) and name not in ("Loss", "ScoreLoss") and not name.isupper():
                shown = show.show(getattr(module, name)).text
                assert ast.get_docstring(ast.parse(shown).body[0]) is None, name


def test_a_decorated_formula_shows_its_formula():
    shown = show.show(losses.hinge_loss)
    assert "def hinge_loss(z):" in shown.text
    assert "np.maximum(0.0, 1.0 - z)" in shown.text


def test_a_class_and_a_method():
    assert show.show(margins.LinearClassifier).text.splitlines()[1].startswith("class LinearClassifier")
    assert show.show(representer.KernelClassifier.predict).text.startswith("def predict(self, X):"), "not indented"


def test_what_a_notebook_renders():
    shown = show.show(margins.margins)
    assert shown._repr_markdown_() == f"```python\n{shown.text}\n```"
    assert repr(shown) == shown.text


def test_a_function_that_is_not_the_packages_is_shown_as_it_is(monkeypatch):
    def hinge_loss(z):
        return "mine"

    monkeypatch.setattr(losses, "hinge_loss", hinge_loss)
    assert 'return "mine"' in show.show(losses.hinge_loss).text


@pytest.mark.parametrize("what", [losses.HINGE, len, 3, "scores", None])
def test_what_has_no_source_is_refused(what):
    with pytest.raises(ValueError, match=r"^function must be a function or class written in Python; got "):
        show.show(what)


@pytest.mark.parametrize(
    "answer, says",
    [
        (lambda z: 2 * z, "right"),
        (lambda z: z + z + 1e-13, "right"),
        (lambda z: None, "write it in the cell above, then run both cells"),
        (lambda z: ..., "write it in the cell above, then run both cells"),
        (lambda z: 2 * z[:1], "shape (1,), expected (2,)"),
        (lambda z: -2 * z, "-4 where 4 was expected, at entry 1"),
        (lambda z: 2 * z * [np.nan, 1.0], "nan where 2 was expected, at entry 0"),
    ],
)
def test_an_answer_is_checked(capsys, answer, says):
    answer.__name__ = "twice"
    show.check_answer(answer, lambda z: 2 * z, np.array([1.0, 2.0]))
    assert capsys.readouterr().out == f"twice: {says}\n"
