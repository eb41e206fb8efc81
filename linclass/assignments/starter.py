"""What a student gets: the functions to write, cut from the package without their bodies, and a way through them."""

import ast
import dataclasses
import importlib
import inspect
import json
import textwrap
from pathlib import Path

EMPTY = "..."
NOT_ASKED = {"sample_weight", "start"}  # arguments that the package's functions have and a student's need not


def cut(task):
    """A function's signature and docstring as in the package, without decorators, and an empty body."""
    node = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(task.reference)))).body[0]
    args = node.args
    asked = [k for k, arg in enumerate(args.kwonlyargs) if arg.arg not in NOT_ASKED]
    args.kwonlyargs, args.kw_defaults = ([part[k] for k in asked] for part in (args.kwonlyargs, args.kw_defaults))
    head = ast.unparse(ast.FunctionDef(node.name, node.args, [ast.Pass()], [], lineno=0)).partition(":\n")[0]
    text = docstring(task)
    quoted = textwrap.indent(f'"""{text}' + ('\n"""' if "\n" in text else '"""'), "    ")
    note = "".join(f"    # {line}\n" for line in textwrap.wrap(task.note, 112))
    return f"{head}:\n{quoted}\n{note}    {EMPTY}  # your code here\n"


def docstring(task):
    """The package's docstring without the lines that name equations of the book, and without what is about Dask."""
    text = inspect.getdoc(task.reference).partition("\nBook: ")[0]
    return "\n\n".join(part for part in text.split("\n\n") if "Dask" not in part).rstrip()


def objects(topic):
    """The result objects that are given, with their fields, as in "Root(point, converged, steps, history)"."""
    given = [getattr(importlib.import_module(module), name) for module, name in topic.given]
    return [f"{kind.__name__}({', '.join(field.name for field in dataclasses.fields(kind))})" for kind in given]


def shapes(topic):
    """What the package's modules say of the shapes of the arguments."""
    said = [_shapes(module) for module in dict.fromkeys(task.module for task in topic.tasks)]
    if not any(said) and any("X" in inspect.signature(task.reference).parameters for task in topic.tasks):
        said = [_shapes("margins")]
    return " ".join(dict.fromkeys(filter(None, said)))


def _shapes(module):
    text = importlib.import_module(f"linclass.{module}").__doc__.partition("Shapes: ")[2]
    return " ".join(text.split())


def module_text(topic):
    """The starter file: what is to be written, and the imports it may use."""
    names = ", ".join(task.function for task in topic.tasks)
    given = {}
    for module, name in topic.given:
        given.setdefault(module, []).append(name)
    imports = "".join(f"from {module} import {', '.join(parts)}\n" for module, parts in sorted(given.items()))
    several = "s" * (len(objects(topic)) > 1)
    results = f", and the result object{several} {', '.join(objects(topic))}" if given else " alone"
    head = [
        f'"""{topic.title}.\n',
        textwrap.fill(f"To write: {names}.", 115),
        textwrap.fill(f"Given: NumPy{results}. Nothing else may be imported but the standard library.", 115),
        *([textwrap.fill(f"Shapes: {shapes(topic)}", 115)] if shapes(topic) else []),
        f"\nCheck your work with: python -m linclass.assignments check {topic.name}.py",
        '"""\n',
        "import numpy as np\n",
        *([imports] if imports else []),
    ]
    return "\n".join(head) + "\n\n" + "\n\n".join(map(cut, topic.tasks))


def readme_text(topic):
    """The note that goes with it."""
    rows = "\n".join(f"| `{task.function}` | {task.points} |" for task in topic.tasks)
    given = ", ".join(f"`{shape}`" for shape in objects(topic))
    results = f"Given, as results to return: {given}.\n" if given else ""
    sizes = f"Shapes: {shapes(topic)}\n\n" if shapes(topic) else ""
    return f"""# {topic.title}

{topic.goal}

Write the functions in `{topic.name}.py`. Each has its formula in its docstring; `...` marks what is yours to write.
{results}Arrays come as NumPy arrays of floats (class numbers as integers), need no checking and must not be changed.

{sizes}| to write | points |
|---|---|
{rows}

Check as often as you like:

    python -m linclass.assignments check {topic.name}.py

or work through `{topic.name}.ipynb`, which has the same checks task by task. To see the book's figures computed by your
own functions, finished or half finished: `LINCLASS_IMPL=. jupyter lab`, or in a notebook `linclass.use(".")`.

An answer is right within {tolerance(topic)}. Where a tie decides, as at a score of 0, the checks
have numbers that are exact in binary, so that the order in which you add does not matter.

Hand in `{topic.name}.py` alone. It may import NumPy{", what is given" if given else ""} and the standard library;
it may not start processes, use the network, or write outside its own folder.
"""


def tolerance(topic):
    """How far an answer may be off, in words."""
    wider = [f"`{task.function}`" for task in topic.tasks if task.gap == 1e-4]
    return "1e-5 (1 + |expected|)" + (f", 1e-4 (1 + |expected|) for {' and '.join(wider)}" if wider else "")


def notebook(topic):
    """The notebook that leads through the tasks, as nbformat's dict."""
    how = f"Write in `{topic.name}.py`, beside this notebook; save it, and run the cell of the task again."
    cells = [
        ("markdown", f"# {topic.title}\n\n{topic.goal}\n\n{how}"),
        ("code", "from linclass.assignments import check"),
    ]
    for number, task in enumerate(topic.tasks, 1):
        signature = cut(task).splitlines()[0].removeprefix("def ").removesuffix(":")
        text = f"## {number}. `{signature}`, {task.points} point{'s' * (task.points > 1)}\n\n{docstring(task)}"
        text += f"\n\n{task.note[0].upper()}{task.note[1:]}." if task.note else ""
        cells += [("markdown", text), ("code", f'check("{topic.name}.py", "{task.function}")')]
    cells += [("markdown", "## All together"), ("code", f'check("{topic.name}.py")')]
    return as_notebook(cells)


def as_notebook(cells):
    """(kind, text) or (kind, text, metadata) as a notebook without outputs."""
    made = []
    for number, (kind, text, *metadata) in enumerate(cells, 1):
        cell = {"cell_type": kind, "id": f"cell-{number:02d}", "metadata": metadata[0] if metadata else {}}
        cell["source"] = text.splitlines(keepends=True)
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        made.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def notebook_text(made):
    """A notebook as it stands in a file."""
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def write_starter(topic, folder):
    """Write the three files and return their paths; none of them, with an error, if one is there already."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        f"{topic.name}.py": module_text(topic),
        f"{topic.name}.ipynb": notebook_text(notebook(topic)),
        f"{topic.name}-README.md": readme_text(topic),
    }
    taken = [name for name in texts if (folder / name).exists()]
    if taken:
        raise FileExistsError(f"{folder / taken[0]} exists already; nothing was written")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]
