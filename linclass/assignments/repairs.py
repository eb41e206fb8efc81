"""Small changes to a submission's own text, one of which may mend it.

Where no wrong version of the package's text gives a wrong answer, as in a program that is written quite otherwise, it
is the program itself that is changed, one place at a time, until the public checks hold. The changes are made in a
fixed order and bounded by their number. This file needs the standard library alone: the judge only reads with it, and
hands it as text to the cell in which the changed programs run (`mending`).
"""

import ast
import copy

MOST = 1500  # changes tried, and fewer of a long function:
NODES = 250_000  # of all the trees that are compiled
OPERATIONS = {ast.Add: [ast.Sub, ast.Mult], ast.Sub: [ast.Add], ast.Mult: [ast.Div, ast.Add, ast.MatMult, ast.Pow]}
OPERATIONS |= {ast.Div: [ast.Mult], ast.FloorDiv: [ast.Div], ast.Mod: [ast.FloorDiv], ast.Pow: [ast.Mult]}
OPERATIONS |= {ast.MatMult: [ast.Mult]}
ORDERED = (ast.LtE, ast.Lt, ast.Gt, ast.GtE)
COMPARISONS = {op: [other for other in ORDERED if other is not op] for op in ORDERED}
COMPARISONS |= {ast.Eq: [ast.NotEq, ast.LtE, ast.GtE], ast.NotEq: [ast.Eq, ast.Lt, ast.Gt]}
SWAPS = ("mean sum", "max min", "maximum minimum", "argmax argmin", "log log1p", "log log2", "zeros ones", "any all")
SWAPS += ("value slope", "slope curvature", "value curvature", "fmax fmin", "exp expm1", "triu tril", "outer dot")
SWAPS += ("triu_indices tril_indices", "hstack vstack", "tile repeat", "floor ceil", "permutation choice")
REDUCTIONS = ("sum", "mean", "max", "min", "norm", "argmax", "argmin", "any", "all")
WRAPS = ("-e", "e ** 2", "2 * e", "e / 2", "e + 1", "e - 1", "1 - e", "np.abs(e)", "np.sum(e)", "np.mean(e)")
WRAPS += ("np.maximum(e, 0)", "np.sqrt(e)", "e.T", "e[:, None]", "np.exp(e)", "np.log(e)", "e[0]", "np.asarray(e)")
WRAPS += ("np.copy(e)", "-np.log(e)", "1.0 * (e > 0)", "1.0 * (e >= 0)", "np.where(e > 0, 1, -1)", "np.sign(e)")
WRAPS += ("e[None, :]", "e.astype(float)", "1 + np.abs(e)", "np.log1p(e)", "1 / e", "np.ravel(e)", "e[1:]", "e[:-1]")
ATOMS = 12  # names and the like that are put in


def repairs(tree, function, names):
    """[(place in the module's body, path in the function there, what is new)], the likeliest first, at most MOST.

    Changed are `function` and those of `names`, which it uses.
    """
    found = []
    last = {node.name: place for place, node in enumerate(tree.body) if isinstance(node, ast.FunctionDef)}
    for name, place in last.items():
        if name in {function, *names}:
            for rank, path, new in changes_of(tree.body[place]):
                found.append((rank + 0.5 * (name != function), place, path, new))
    found.sort(key=lambda change: change[0])
    size = max((sum(1 for _ in ast.walk(tree.body[place])) for place in {change[1] for change in found}), default=1)
    return [(place, path, located(new)) for _, place, path, new in found[: min(MOST, NODES // size)]]


def located(new):
    """New nodes, or a change of statements with such, with a place in the text, as the compiler wants one."""
    if isinstance(new, tuple):
        return (new[0], [located(statement) for statement in new[1]], *new[2:])
    if "lineno" in new._attributes and not hasattr(new, "col_offset"):  # what has one has it all the way down
        new.lineno, new.col_offset = 1, 0
        for child in ast.iter_child_nodes(new):
            located(child)
    return new


def changed(tree, place, path, new):
    """A function of a module's tree with another node, or list of statements, at a path."""
    return put(tree.body[place], path, new)


def put(tree, path, new):
    """A tree with something else at a path of (field, index); what lies beside the path is shared."""
    (field, index), *rest = path
    value, result = getattr(tree, field), copy.copy(tree)
    if index is None:
        setattr(result, field, put(value, rest, new) if rest else new)
        return result
    items = list(value)
    if rest:
        items[index] = put(items[index], rest, new)
    elif isinstance(new, tuple):  # (how many statements go, the statements that come, the words for it)
        items[index : index + new[0]] = new[1]
        items = items or [ast.Pass()]
    else:
        items[index] = new
    setattr(result, field, items)
    return result


def changes_of(function):
    """(rank, path, new node or statements) of every change to a function."""
    atoms = atoms_of(function)
    for path, node, parent in places(function):
        if isinstance(node, ast.expr):
            yield from ((rank, path, new) for rank, new in of_expression(node, parent, atoms))
    for path, block in blocks(function):
        for index, statement in enumerate(block):
            for rank, *new in of_statement(block, index, statement):
                yield rank, (*path[:-1], (path[-1], index)), tuple(new)


def places(function):
    """(path, node, parent) of every expression that is read, in order."""

    def walk(node, path, parent):
        if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            yield path, node, parent
        for field, value in ast.iter_fields(node):
            if isinstance(node, ast.Call) and field == "func":  # no place itself; what a method is called on may be
                if isinstance(value, ast.Attribute) and not isinstance(value.value, ast.Name):
                    yield from walk(value.value, (*path, ("func", None), ("value", None)), node)
                continue
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("np", "math"):
                continue
            if field in ("decorator_list", "args", "returns", "annotation") and isinstance(node, ast.FunctionDef):
                continue
            for index, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(item, ast.AST) and not isinstance(item, (ast.expr_context, ast.arguments)):
                    yield from walk(item, (*path, (field, index)), node)

    for index, statement in enumerate(function.body):
        yield from walk(statement, (("body", index),), function)


def blocks(function):
    """(path, statements) of every block; the path's last part is the field's name alone."""

    def walk(node, path):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                yield (*path, field), block
                for index, statement in enumerate(block):
                    yield from walk(statement, (*path, (field, index)))

    yield from walk(function, ())


def atoms_of(function):
    """What may be put in: the function's arguments, its own names, entries such as y[i], and the number of examples."""
    called = {n.func.id for n in ast.walk(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    bases = {n.value.id for n in ast.walk(function) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    taken = [a.arg for a in [*function.args.args, *function.args.kwonlyargs]]
    texts = [name for name in taken if name not in ("loss", "rng", "step", "f", "value", "grad", "hess", "sampling")]
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id not in called and node.id not in ("np", "math", "loss", "rng"):
            texts.append(node.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            texts += [] if isinstance(node.slice, ast.Slice) else [ast.unparse(node)]
    texts += ["len(y)"] * ("y" in taken) + ["len(X)"] * ("y" not in taken and "X" in taken)
    unique = [text for text in dict.fromkeys(texts) if len(text) <= 12 and text not in bases - set(taken)]
    return [ast.parse(text, mode="eval").body for text in unique[:ATOMS]]


TICK = ast.parse("_tick_()").body[0]


def ticking(node):
    """A statement whose loops call `_tick_` in each turn."""
    blocks = [field for field in ("body", "orelse") if isinstance(getattr(node, field, None), list)]
    node = with_parts(node, **{field: [ticking(statement) for statement in getattr(node, field)] for field in blocks})
    if isinstance(node, (ast.For, ast.While)):
        node.body = [TICK, *node.body]
    return node


# ---- expressions ----


def of_expression(node, parent, atoms):
    """(rank, new expression) of every change to an expression: what is there first, then what may be put in."""
    kinds = {ast.BinOp: of_operation, ast.Compare: of_comparison, ast.Constant: of_constant, ast.Call: of_call}
    kinds |= {ast.UnaryOp: of_unary, ast.IfExp: of_choice, ast.BoolOp: of_condition, ast.Subscript: of_entry}
    kinds |= {ast.Attribute: of_attribute, ast.Slice: of_slice}
    yield from kinds[type(node)](node) if type(node) in kinds else ()
    if isinstance(node, (ast.Slice, ast.Tuple, ast.List, ast.Lambda, ast.Starred, ast.ListComp, ast.GeneratorExp)):
        return
    is_atom = isinstance(node, (ast.Name, ast.Subscript)) and len(ast.unparse(node)) <= 12
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(parent, ast.keyword):
        yield from ((3, atom) for atom in atoms)
    if isinstance(node, (ast.Constant, ast.Compare, ast.BoolOp)):
        return
    text = ast.unparse(node)
    inside = isinstance(parent, (ast.Subscript, ast.Attribute))
    for atom in atoms:
        if is_atom and ast.unparse(atom) != text:
            yield 3, atom
        if not inside:
            for rank, op in ((4, ast.Add), (4, ast.Mult), (4.2, ast.Sub), (4.2, ast.Div)):
                yield rank, ast.BinOp(node, op(), atom)
            if isinstance(atom, ast.Name) and atom.id[0].isupper():
                yield 4.2, ast.BinOp(node, ast.MatMult(), atom)
            if isinstance(atom, ast.Name) and atom.id in ("i", "j", "k", "t", "idx") and isinstance(node, ast.Name):
                yield 3, ast.Subscript(node, atom, ast.Load())
    for place, template in enumerate(WRAPS):
        if not inside or place < 10:
            yield 3.5 if place < 10 else 5, filled(template, node)


def _parsed(text):
    """A text as a tree, and the path to its `e`."""
    tree = ast.parse(text, mode="eval").body

    def path_to(node):
        if isinstance(node, ast.Name) and node.id == "e":
            return ()
        for field, value in ast.iter_fields(node):
            for index, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
                rest = path_to(item) if isinstance(item, ast.AST) else None
                if rest is not None:
                    return ((field, index), *rest)
        return None

    return tree, path_to(tree)


PARSED = {text: _parsed(text) for text in WRAPS}


def filled(text, node):
    """A text with an expression in the place of its `e`."""
    tree, path = PARSED[text]
    return put(tree, path, node)


def of_operation(node):
    left, right, op = node.left, node.right, type(node.op)
    label = any(isinstance(side, ast.Name) and side.id.startswith("y") for side in (left, right))  # 1 / y is y
    for other in OPERATIONS.get(op, []) if not label or op is not ast.Mult else ():
        yield 2.5 if op is ast.Mult and other is not ast.Div else 1, ast.BinOp(left, other(), right)
    yield 2, left
    yield 2, right
    if op in (ast.Sub, ast.Div, ast.MatMult, ast.Pow):
        yield 1, ast.BinOp(right, op(), left)
    if op is ast.Sub:
        yield 2, ast.UnaryOp(ast.USub(), right)
    if op is ast.Div and isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult):  # 1 / (a b): a / b
        for up, down in ((right.left, right.right), (right.right, right.left)):
            yield 1, ast.BinOp(ast.BinOp(left, ast.Mult(), up), ast.Div(), down)
    yield from brackets(node, op)
    yield from called_around(node, op)


def called_around(node, op):
    """f(a) / b for f(a / b), and the other way round."""
    left, right = node.left, node.right
    if isinstance(left, ast.Call) and len(left.args) == 1:
        yield 1, ast.Call(left.func, [ast.BinOp(left.args[0], node.op, right)], left.keywords)
    if isinstance(right, ast.Call) and len(right.args) == 1:
        yield 1, ast.Call(right.func, [ast.BinOp(left, node.op, right.args[0])], right.keywords)


def brackets(node, op):
    """a (b + c) for a b + c, and the like: brackets set otherwise."""
    left, right = node.left, node.right
    for inner, outer, first in ((left, right, True), (right, left, False)):
        if not isinstance(inner, ast.BinOp) or type(inner.op) is op is not ast.Div:
            continue
        if first:  # (a . b) o c becomes a . (b o c)
            yield 1, ast.BinOp(inner.left, inner.op, ast.BinOp(inner.right, node.op, outer))
            if isinstance(inner.op, ast.Div) and op is ast.Mult:
                yield 1, ast.BinOp(inner.left, ast.Div(), ast.BinOp(inner.right, ast.Mult(), outer))
            if op in (ast.Add, ast.Sub) and isinstance(inner.op, (ast.Div, ast.Pow)):  # a / b + c: (a + c) / b
                yield 1, ast.BinOp(ast.BinOp(inner.left, node.op, outer), inner.op, inner.right)
            if isinstance(inner.op, (ast.Add, ast.Sub)) and op in (ast.Div, ast.Mult, ast.Pow):  # a / c + b
                yield 1, ast.BinOp(ast.BinOp(inner.left, node.op, outer), inner.op, inner.right)
        else:  # c o (a . b) becomes (c o a) . b
            yield 1, ast.BinOp(ast.BinOp(outer, node.op, inner.left), inner.op, inner.right)


def of_comparison(node):
    for place, op in enumerate(node.ops):
        for other in COMPARISONS.get(type(op), ()):
            yield 0, ast.Compare(node.left, [*node.ops[:place], other(), *node.ops[place + 1 :]], node.comparators)
    said = f"`{shortened(ast.unparse(node))}` in line {node.lineno}"
    yield 0.9, worded(ast.BinOp(node, ast.BitAnd(), ast.Constant(False)), f"with {said} never true")
    yield 0.9, worded(ast.BinOp(node, ast.BitOr(), ast.Constant(True)), f"with {said} always true")


def worded(node, words):
    """A node that brings the words for it."""
    node.words = words
    return node


def shortened(text):
    first = text.split("\n")[0]
    return first if len(first) <= 40 else first[:39] + "…"


def of_constant(node):
    value = node.value
    if isinstance(value, bool):
        yield 1, ast.Constant(not value)
    elif isinstance(value, (int, float)):
        near = (0, 1, -value, 2, -1, value + 1, value - 1, 2 * value, value / 2, 4, 0.5)
        usual = abs(value) in (0, 1, 2, 0.5)
        for other in dict.fromkeys(type(value)(x) if x == int(x) else x for x in near if abs(x) < 1e9):
            if other != value:
                size = ast.Constant(abs(other))
                yield 1 if usual else 3, size if other >= 0 else ast.UnaryOp(ast.USub(), size)
        if not usual:
            for other in (1e-12, 1e-9, 1e-6, value / 10, 10 * value):
                yield 3, ast.Constant(other)


def name_of(call):
    """The name of a called function: "mean" for np.mean(x) and for x.mean()."""
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def of_call(node):
    name, args, keywords = name_of(node), node.args, node.keywords
    is_method = isinstance(node.func, ast.Attribute)
    for pair in SWAPS:
        if name in (two := pair.split()) and is_method:
            other = two[1 - two.index(name)]
            yield 1, ast.Call(ast.Attribute(node.func.value, other, ast.Load()), args, keywords)
    yield from _other_axes(node, name)
    if args and not isinstance(args[0], ast.Starred) and name not in ("range", "len", "zeros", "ones"):
        cut = 0.5 if name in ("clip", "minimum", "maximum", "min", "max") else 2
        yield cut, args[0]
        if len(args) > 1:
            yield cut, args[1]
    yield from _other_arguments(node, name)
    if is_method and not isinstance(node.func.value, ast.Name):
        yield 2, node.func.value
    if name == "range" and len(args) <= 2:
        start, stop = (ast.Constant(0), args[0]) if len(args) == 1 else args
        more, less = (ast.BinOp(stop, op(), ast.Constant(1)) for op in (ast.Add, ast.Sub))
        zero, one = ast.Constant(0), ast.Constant(1)
        for first, last in ((start, more), (start, less), (one, stop), (one, more), (zero, stop)):
            yield 1, ast.Call(node.func, [first, last], [])


def _other_axes(node, name):
    """Sums, means and their like along another axis, keeping it, or along none."""
    axes = [k for k in node.keywords if k.arg == "axis"]
    rest = [k for k in node.keywords if k.arg != "axis"]
    if not axes and name not in REDUCTIONS:
        return
    for axis in (0, 1, -1):
        yield 1, ast.Call(node.func, node.args, [*rest, ast.keyword("axis", ast.Constant(axis))])
        if name in REDUCTIONS:
            both = [*(k for k in rest if k.arg != "keepdims"), ast.keyword("axis", ast.Constant(axis))]
            both.append(ast.keyword("keepdims", ast.Constant(True)))
            yield 2, ast.Call(node.func, node.args, both)
    if node.keywords:
        yield 1, ast.Call(node.func, node.args, rest)


def _other_arguments(node, name):
    """A bracket that closes sooner or opens later, arguments in another order, a sum for a maximum."""
    args, keywords = node.args, node.keywords
    if len(args) == 1 and isinstance(args[0], ast.BinOp):
        inner = args[0]
        yield 1, ast.BinOp(ast.Call(node.func, [inner.left], keywords), inner.op, inner.right)
        yield 1, ast.BinOp(inner.left, inner.op, ast.Call(node.func, [inner.right], keywords))
    if len(args) == 2:
        yield 1, ast.Call(node.func, args[::-1], keywords)
        if name in ("max", "maximum"):
            yield 1, ast.BinOp(args[0], ast.Add(), args[1])
    if len(args) == 3:
        yield 1, ast.Call(node.func, [args[0], args[2], args[1]], keywords)
        if name != "where":
            yield 1, ast.Call(node.func, [args[1], args[0], args[2]], keywords)


def of_unary(node):
    yield 1, node.operand


def of_choice(node):
    yield 1, ast.IfExp(node.test, node.orelse, node.body)
    yield 2, node.body
    yield 2, node.orelse


def of_condition(node):
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield 1, ast.BoolOp(other, node.values)
    for place in range(len(node.values)):
        rest = node.values[:place] + node.values[place + 1 :]
        yield 1, rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def of_entry(node):
    yield 2, node.value
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
        yield 1, ast.Subscript(node.value, ast.Tuple(node.slice.elts[::-1], ast.Load()), ast.Load())


def of_slice(node):
    yield 2, ast.Slice(None, node.upper, node.step)
    yield 2, ast.Slice(node.lower, None, node.step)


def of_attribute(node):
    if node.attr == "T":
        yield 1, node.value
    if node.attr in ("value", "slope", "curvature"):
        for other in ("value", "slope", "curvature"):
            yield 1, ast.Attribute(node.value, other, ast.Load())


# ---- statements ----


def of_statement(block, index, node):
    """(rank, how many statements go, what comes in their place, the words for it)."""
    following = block[index + 1] if index + 1 < len(block) else None
    line = named(node)
    if not isinstance(node, (ast.Return, ast.FunctionDef, ast.Import, ast.ImportFrom)):
        what = "what begins in " * isinstance(node, (ast.If, ast.For, ast.While))
        yield 2, 1, [], f"without {what}{line}"
    if following is not None and not isinstance(following, ast.Return) and not isinstance(node, ast.FunctionDef):
        yield 1, 2, [following, node], f"with {line} behind {named(following)}, not before it"
    if isinstance(node, ast.AugAssign):
        yield 1, 1, [assigned(node.target, node.value)], f"with `=` in {line}"
        for other in OPERATIONS.get(type(node.op), [])[:1]:
            sign = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Div: "/="}.get(other, "another operation")
            yield 1, 1, [ast.AugAssign(node.target, other(), node.value)], f"with `{sign}` in {line}"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        for op, sign in ((ast.Add, "+="), (ast.Sub, "-=")):
            yield 2, 1, [ast.AugAssign(node.targets[0], op(), node.value)], f"with `{sign}` in {line}"
    if isinstance(node, (ast.If, ast.While)):
        turned = with_parts(node, test=ast.UnaryOp(ast.Not(), node.test))
        yield 1, 1, [turned], f"with the condition of {line} turned around"
    if isinstance(node, ast.If):
        yield from of_if(node, line)
    if isinstance(node, ast.While) and not node.orelse:
        yield 2, 1, [ast.If(node.test, node.body, [])], f"with `if` for `while` in {line}"
    if isinstance(node, (ast.If, ast.For, ast.While)):
        yield from of_edges(block, index, node)
    if isinstance(node, ast.Break):
        yield 1, 1, [ast.Continue()], f"with `continue` for `break` in {line}"
    if isinstance(node, ast.Continue):
        yield 1, 1, [ast.Break()], f"with `break` for `continue` in {line}"
    yield from of_pairs(node, following)


def named(node):
    """A statement's line and how it begins."""
    return f"line {getattr(node, 'lineno', 0)} (`{shortened(ast.unparse(node))}`)"


def of_if(node, line):
    yield 2, 1, node.body, f"with the condition of {line} always true"
    if node.orelse:
        yield 2, 1, node.orelse, f"with the condition of {line} never true"
        apart = [with_parts(node, orelse=[]), *node.orelse]
        yield 1, 1, apart, f"with what stands in the `else` of {line} done in either case"


def of_edges(block, index, node):
    """A statement that stands in a loop or a condition and belongs before or behind it, or the other way round."""
    what = f"the {'condition' if isinstance(node, ast.If) else 'loop'} of line {getattr(node, 'lineno', 0)}"
    line = named
    if len(node.body) > 1:
        first, last = node.body[0], node.body[-1]
        yield 1, 1, [with_parts(node, body=node.body[:-1]), last], f"with {line(last)} behind {what}, not in it"
        yield 1, 1, [first, with_parts(node, body=node.body[1:])], f"with {line(first)} before {what}, not in it"
    if index + 1 < len(block):
        behind = block[index + 1]
        yield 1, 2, [with_parts(node, body=[*node.body, behind])], f"with {line(behind)} in {what}, at its end"
    if index and not isinstance(node, ast.If):
        before = block[index - 1]
        words = f"with {line(before)} done anew in each turn of {what}"
        yield 1, 1, [with_parts(node, body=[before, *node.body])], words
    if isinstance(node, ast.For):
        for place, inner in enumerate(node.body):
            if isinstance(inner, (ast.If, ast.For, ast.While)) and len(inner.body) > 1:
                last, less = inner.body[-1], with_parts(inner, body=inner.body[:-1])
                out = [*node.body[:place], less, *node.body[place + 1 :], last]
                yield 2, 1, [with_parts(node, body=out)], f"with {line(last)} at the end of {what}"


def of_pairs(node, following):
    """Two values set at once, or one after the other."""
    line = f"line {getattr(node, 'lineno', 0)}"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
        one_by_one = [assigned(t, v) for t, v in zip(node.targets[0].elts, node.value.elts, strict=False)]
        yield 1, 1, one_by_one, f"with the values of {line} set one after the other"
        yield 1, 1, one_by_one[::-1], f"with the values of {line} set one after the other, the last first"
    if isinstance(node, ast.Assign) and isinstance(following, ast.Assign):
        targets = ast.Tuple([node.targets[0], following.targets[0]], ast.Store())
        both = assigned(targets, ast.Tuple([node.value, following.value], ast.Load()))
        yield 1, 2, [both], f"with the values of {line} and the next set at once, both from the old ones"


def assigned(target, value):
    return ast.Assign([target], value)


def with_parts(node, **parts):
    """A statement with other parts."""
    new = copy.copy(node)
    for name, value in parts.items():
        setattr(new, name, value)
    return new


# ---- the sentence ----

LONG = 60  # characters of a text that is shown


def words(tree, place, path, new):
    """What is done, as it stands before "every public check passes"."""
    if isinstance(new, tuple) or hasattr(new, "words"):
        return new[2] if isinstance(new, tuple) else new.words
    function = tree.body[place]
    nodes = [function]
    for field, index in path:
        nodes.append(getattr(nodes[-1], field) if index is None else getattr(nodes[-1], field)[index])
    line = next(node.lineno for node in reversed(nodes) if hasattr(node, "lineno"))
    after = put(function, path, new)
    for depth in range(1, len(nodes)):  # the largest expression around the change that is short enough
        if isinstance(nodes[depth], ast.expr) and not isinstance(nodes[depth], ast.Slice):
            old = ast.unparse(nodes[depth])
            now = ast.unparse(at(after, path[:depth]))
            if max(len(old), len(now)) <= LONG or depth == len(nodes) - 1:
                return f"with `{now}` in place of `{old}` in line {line}"
    return f"with another value in line {line}"


def at(tree, path):
    """The node at a path."""
    for field, index in path:
        tree = getattr(tree, field) if index is None else getattr(tree, field)[index]
    return tree
