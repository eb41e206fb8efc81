"""Wrong versions of a function, made from its own syntax tree by one small change each, and a sentence for each.

Where no catalogued mistake explains a wrong answer, one of these may: a term or a factor left out, a sign, a constant,
a power, an axis, a bracket, an inequality, old and new values confused. They are made on demand, in a fixed order, and
bounded by their number and by the steps of their loops, never by the clock: every machine says the same.
"""

import ast
import copy
import functools
import importlib
import inspect
import textwrap

from linclass import _plug, losses
from linclass.assignments import cases, otherwise, plain
from linclass.assignments.changes import FORM, changes
from linclass.assignments.repairs import ticking

MOST = 800  # wrong versions of one function
TICKS = 5000  # turns of all its loops in one call


class Endless(Exception):
    """A wrong version does not come to an end."""


def versions(task):
    """[(sentence, function)] of the wrong versions of a task's function, the likeliest sentences first."""
    return _versions(task.module, task.function, task.parts)


@functools.cache
def loose(task):
    """[(sentence, function)] of the right function with other inputs, or another form of its answer."""
    home = importlib.import_module(f"linclass.{task.module}")
    samples = [call for check in cases.CHECKS[task.key] for call in check.draw(task.key, "public")]
    return list(otherwise.versions(_formula(home, task.function), task.parts, samples))


@functools.cache
def _versions(module, name, parts):
    home = importlib.import_module(f"linclass.{module}")
    made, seen = [], set()
    for nearer, trees in enumerate(_bases(home, name)):
        seen |= {ast.dump(tree) for tree in trees.values()}
        for place, tree in trees.items():
            for rank, words, changed in changes(tree, parts if place == name else ()):
                if (text := ast.dump(changed)) not in seen:
                    seen.add(text)
                    made.append((rank + (place != name) - nearer / 2, words, trees | {place: changed}))
    made = [(rank, words, _Version(home, name, trees)) for rank, words, trees in made]
    made += [(FORM + 1, *one) for one in _siblings(home, name)]
    made.sort(key=lambda one: one[0])
    return [(words, version) for _, words, version in made[:MOST]]


def _siblings(home, name):
    """(words, function) of the module's other functions of the same arguments: one may be written for another."""
    taken = list(inspect.signature(_own(home, name)).parameters)
    for other in dir(home):
        if other != name and not other.startswith("_") and _is_ours(home, other):
            if list(inspect.signature(_own(home, other)).parameters) == taken:
                yield f"it is `{other}` that is computed", _own(home, other)


def _formula(home, name):
    """The right function, without guards where there is a plain text of it."""
    key = f"{home.__name__.rpartition('.')[2]}.{name}"
    if key not in plain.TEXTS:
        return _own(home, name)
    version = _Version(home, name, {name: ast.parse(plain.TEXTS[key]).body[0]})
    version.__signature__ = inspect.signature(version.compiled())
    return version


def _bases(home, name):
    """What is changed: the package's own text, and the formula as a student writes it where that is another."""
    key = f"{home.__name__.rpartition('.')[2]}.{name}"
    written = [{name: ast.parse(plain.TEXTS[key]).body[0]}] if key in plain.TEXTS else []
    return written if key in plain.ALONE else [_trees(home, name), *written]


class _Version:
    """A wrong version, compiled when it is first called."""

    def __init__(self, home, name, trees):
        self.home, self.name, self.trees, self.function, self.ticks = home, name, trees, None, [0]

    def __call__(self, *args, **kwargs):
        if self.function is None:
            self.function = self.compiled()
        self.ticks[0] = 0
        return self.function(*args, **kwargs)

    def compiled(self):
        """The function."""
        space = dict(vars(self.home))
        space |= {"_losses_": losses} | {kind.__name__: kind for kind in plain.RESULTS}
        space["_tick_"] = functools.partial(_tick, self.ticks)
        for tree in self.trees.values():
            exec(_code(tree), space)
        return space[self.name]


@functools.lru_cache(maxsize=256)
def _code(tree):
    """A function's tree as code; most trees of a version are those of all the others."""
    body = ast.fix_missing_locations(ast.Module([ticking(tree)], []))
    return compile(body, f"<a version of {tree.name}>", "exec")


def _tick(ticks):
    ticks[0] += 1
    if ticks[0] > TICKS:
        raise Endless


def _trees(home, name):
    """{function: its tree}: the function itself, with one-line formulas put in, and the helpers of its module."""
    found, waiting = {}, [name]
    while waiting:
        this = waiting.pop()
        tree = _Inlined(home).visit(_spliced(_tree(_own(home, this)), home))
        found[this] = tree
        names = [part.id for line in tree.body for part in ast.walk(line) if isinstance(part, ast.Name)]
        waiting += [n for n in dict.fromkeys(names) if n not in found and n not in waiting and _is_ours(home, n)]
    return {this: found[this] for this in reversed(found)}  # helpers before what uses them


def _own(home, name):
    function = getattr(home, name)
    return _plug.own(function)


def _is_ours(home, name):
    value = getattr(home, name, None)
    return inspect.isfunction(value) and value.__module__ == home.__name__


def _tree(function):
    """A function's tree without its docstring."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body[0]
    if ast.get_docstring(tree, clean=False) is not None:
        tree.body = tree.body[1:] or [ast.Pass()]
    return tree


def _spliced(tree, home):
    """A function with the lines of a formula of several lines in the place of its call, where all names agree."""
    body = []
    for statement in tree.body:
        call = statement.value if isinstance(statement, (ast.Assign, ast.Return)) else None
        function = _Inlined(home).callee(call.func) if isinstance(call, ast.Call) and not call.keywords else None
        lines = _lines(function, call, home) if function is not None else None
        if lines is None:
            body.append(statement)
            continue
        *first, last = lines
        statement.value = last.value
        body += [*first, statement]
    tree.body = body
    return ast.fix_missing_locations(tree)


def _lines(function, call, home):
    """The lines of a function, if they mean the same where it is called."""
    formula = _tree(function)
    names = [a.id if isinstance(a, ast.Name) else None for a in call.args]
    plain = all(isinstance(line, ast.Assign) for line in formula.body[:-1]) and isinstance(formula.body[-1], ast.Return)
    if len(formula.body) < 2 or not plain or names != [a.arg for a in formula.args.args]:
        return None
    formula = _Inlined(importlib.import_module(function.__module__)).visit(formula)
    local = {part.id for line in formula.body for part in ast.walk(line) if isinstance(part, ast.Name)}
    return None if any(_means_else(name, function, home) for name in local - set(names)) else formula.body


class _Inlined(ast.NodeTransformer):
    """Puts one-line formulas of the package in the place of their calls: a student has written them out, too."""

    def __init__(self, home, depth=3):
        self.home, self.depth = home, depth

    def visit_Call(self, node):
        self.generic_visit(node)
        function = self.callee(node.func)
        if function is None or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            return node
        formula = _tree(function)
        taken = [a.arg for a in formula.args.args]
        if len(formula.body) != 1 or not isinstance(formula.body[0], ast.Return) or len(taken) != len(node.args):
            return node
        value = copy.deepcopy(formula.body[0].value)
        if self.depth:
            value = _Inlined(importlib.import_module(function.__module__), self.depth - 1).visit(value)
        if _foreign(value, taken, function, self.home):
            return node
        return _Filled(dict(zip(taken, node.args, strict=True))).visit(value)

    def callee(self, func):
        """The package's own formula that is called, if it is one."""
        if isinstance(func, ast.Name):
            value = getattr(self.home, func.id, None)
        elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            value = getattr(getattr(self.home, func.value.id, None), func.attr, None)
        else:
            return None
        ours = inspect.isfunction(value) and value.__module__.startswith("linclass.") and "._" not in value.__module__
        return value if ours else None


def _foreign(value, taken, function, home):
    """Does a formula use names that mean nothing, or something else, where it would be put?"""
    names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)} - set(taken)
    return any(_means_else(name, function, home) for name in names)


def _means_else(name, function, home):
    there = importlib.import_module(function.__module__)
    return hasattr(there, name) and getattr(home, name, None) is not getattr(there, name)


class _Filled(ast.NodeTransformer):
    """Puts arguments in the place of parameters."""

    def __init__(self, values):
        self.values = values

    def visit_Name(self, node):
        return copy.deepcopy(self.values[node.id]) if node.id in self.values else node
