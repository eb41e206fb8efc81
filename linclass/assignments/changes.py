"""Small changes to a function's syntax tree, each with the words for it, as they follow "what one gets when …"."""

import ast
import copy

# How likely a kind of change is to be what a student did: lower comes first where several explain an answer.
LEFT_OUT, SIGN, FORM, INEQUALITY, CONSTANT, ORDER, STRANGE = 10, 12, 14, 16, 20, 24, 30
COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
PARTNER = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
UNWRAPPED = {
    "abs": "the absolute value is forgotten",
    "sqrt": "the square root is not taken",
    "exp": "the exponential is left out",
    "log": "the logarithm is left out",
}


def changes(tree, parts=()):
    """(rank, words, changed tree) of every change to a function's tree, in a fixed order."""
    places = list(_places(tree))
    texts = [ast.dump(node) if isinstance(node, ast.expr) else "" for _, node in places]
    for (path, node), text in zip(places, texts, strict=True):
        where = _where(tree, path, parts)
        twins = [p for (p, _), other in zip(places, texts, strict=True) if text and other == text]
        for rank, words, new in [*_of_expression(node, tree), *_of_statement(node, path)]:
            yield rank, words + where, _replaced(tree, path, new)
            if len(twins) > 1 and twins[0] == path:
                yield rank + 1, words, _replaced_all(tree, twins, new)
    yield from _of_defaults(tree)
    yield from _of_loops(tree)
    yield from _of_all_axes(tree)
    yield from _of_answer(tree, parts)


def _of_defaults(tree):
    """Another default than the starter's."""
    given = tree.args.args[len(tree.args.args) - len(tree.args.defaults) :]
    for place, (name, default) in enumerate(zip(given, tree.args.defaults, strict=True)):
        for _, _, new in _of_constant(default, tree) if isinstance(default, ast.Constant) else ():
            changed = copy.copy(tree)
            changed.args = copy.deepcopy(tree.args)
            changed.args.defaults[place] = new
            yield FORM, f"`{name.arg}` is {new.value:g} by default, and should be {default.value:g}", changed


def _of_all_axes(tree):
    """Everything summed and compared the wrong way at once, as somebody does who takes rows for columns."""
    for value, words in ((0, "down the columns"), (1, "along the rows"), (None, "over the whole table")):
        changed = copy.deepcopy(tree)
        axes = [k for n in ast.walk(changed) if isinstance(n, ast.Call) for k in n.keywords if k.arg == "axis"]
        for keyword in axes:
            keyword.value = ast.Constant(value)
        if len(axes) > 1:
            yield FORM - 1, f"everything runs {words}, which is the wrong way", changed


def _places(tree):
    """(path, node) of every node of the body, depth first; a path is made of (field, index)."""

    def walk(node, path):
        yield path, node
        for field, value in ast.iter_fields(node):
            if field in ("decorator_list", "args", "returns", "ctx") and isinstance(node, ast.FunctionDef):
                continue
            items = enumerate(value) if isinstance(value, list) else [(None, value)]
            for index, item in items:
                inside = isinstance(item, ast.AST) and not _is_negative(node)  # -1 is one constant, and not minus a 1
                inside = inside and not (isinstance(node, ast.keyword) and node.arg == "axis")  # the call's own matter
                if inside and not isinstance(item, (ast.expr_context, ast.operator, ast.cmpop)):
                    yield from walk(item, (*path, (field, index)))

    for place, statement in enumerate(tree.body):
        yield from walk(statement, (("body", place),))


def _is_negative(node):
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)


def _get(tree, path):
    for field, index in path:
        tree = getattr(tree, field) if index is None else getattr(tree, field)[index]
    return tree


def _replaced(tree, path, new):
    """The tree with another node, or list of statements, at a place; what lies beside the path is shared."""
    (field, index), *rest = path
    value = getattr(tree, field)
    changed = copy.copy(tree)
    if index is None:
        setattr(changed, field, _replaced(value, rest, new) if rest else new)
        return changed
    items = list(value)
    if rest:
        items[index] = _replaced(items[index], rest, new)
    else:
        items[index : index + 1] = (new or [ast.Pass()] * (len(items) == 1)) if isinstance(new, list) else [new]
    setattr(changed, field, items)
    return changed


def _replaced_all(tree, paths, new):
    """The same, at every place where the same expression stands; places inside one another are left alone."""
    for path in paths:
        tree = _replaced(tree, path, new)
    return tree


def _of_loops(tree):
    """What is set anew in each turn, whatever the turn, set once before the loop instead."""
    for path, node in _places(tree):
        if not isinstance(node, (ast.For, ast.While)):
            continue
        changing = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for place, line in enumerate(node.body):
            if isinstance(line, ast.Assign) and not changing & {
                n.id for n in ast.walk(line.value) if isinstance(n, ast.Name)
            }:
                loop = copy.deepcopy(node)
                del loop.body[place]
                words = f"{_said(line.targets[0])} is not set back to {_said(line.value)}"
                if not isinstance(line.value, ast.Constant):
                    words = f"{_said(line.targets[0])} is set once, before the loop, and not anew in each turn"
                yield ORDER, words, _replaced(tree, path, [line, loop])


def _where(tree, path, parts):
    """In which part of the answer, or in which quantity, a change is: " in the derivative in theta_0"."""
    statement = _get(tree, path[:1])
    nodes = [_get(tree, path[:k]) for k in range(1, len(path) + 1)]
    statement = next((n for n in reversed(nodes) if isinstance(n, ast.stmt)), statement)
    if isinstance(statement, ast.Return):
        for node, (field, index) in zip(nodes, path[1:], strict=False):
            if isinstance(node, ast.Tuple) and field == "elts" and len(parts) == len(node.elts):
                return f", in the {parts[index]}"
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name) and len(tree.body) > 2:
        return f", in `{statement.targets[0].id}`"
    return ""


def _said(node):
    """An expression as a student would write it."""
    text = ast.unparse(node).replace("[:, None]", "")
    return f"`{text}`" if len(text) <= 40 else "a part of it"


def _name(node):
    """The name of a called function: "mean" for np.mean(x) and for x.mean()."""
    func = node.func
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _call(node, name):
    """The same call of another function."""
    new = copy.deepcopy(node)
    if isinstance(new.func, ast.Attribute):
        new.func.attr = name
    return new


# ---- expressions ----


def _of_expression(node, tree):
    kinds = {ast.BinOp: _of_operation, ast.UnaryOp: _of_minus, ast.Call: _of_call, ast.Compare: _of_comparison}
    kinds |= {ast.Constant: _of_constant, ast.IfExp: _of_choice, ast.Attribute: _of_attribute, ast.Name: _of_name}
    kinds[ast.BoolOp] = _of_condition
    return kinds[type(node)](node, tree) if type(node) in kinds else []


def _of_operation(node, tree):
    left, right, op = node.left, node.right, type(node.op)
    a, b = _said(left), _said(right)
    if op in (ast.Add, ast.Sub):
        yield from _of_sum(node)
    elif op is ast.Mult:
        yield LEFT_OUT, f"the factor {b} is left out", left
        yield LEFT_OUT, f"the factor {a} is left out", right
        yield FORM, f"it is divided by {b}, not multiplied", ast.BinOp(left, ast.Div(), right)
    elif op is ast.Div:
        yield from _of_fraction(node)
    elif op is ast.Pow:
        yield LEFT_OUT, f"the power of {a} is left out", left
        yield FORM, f"{a} has the power 3", ast.BinOp(left, op(), ast.Constant(3))
        yield FORM, f"the absolute value of {a} is taken, not its power", _np("abs", left)
        for path, leaf in _leaves(left):
            power = ast.BinOp(leaf, op(), right)
            yield FORM, f"the power is taken of {_said(leaf)} alone, not of {a}", _replaced(left, path, power)
    elif op is ast.MatMult:
        yield LEFT_OUT, f"the factor {a} is left out", right
        yield LEFT_OUT, f"the factor {b} is left out", left
        yield STRANGE, f"{a} is transposed", ast.BinOp(ast.Attribute(left, "T", ast.Load()), op(), right)
        yield from _of_square(node, tree)
    yield from _brackets(node)


def _leaves(node):
    """(path, name) of the variables in an expression that is not one itself."""
    for field, value in ast.iter_fields(node):
        for index, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(item, ast.Name) and item.id != "np":
                yield ((field, index),), item
            elif isinstance(item, ast.expr):
                yield from ((((field, index), *path), leaf) for path, leaf in _leaves(item))


def _of_sum(node):
    """a + b and a - b."""
    left, right, op = node.left, node.right, type(node.op)
    a, b = _said(left), _said(right)
    other = ast.Sub() if op is ast.Add else ast.Add()
    yield SIGN, f"{b} has the wrong sign", ast.BinOp(left, other, right)
    yield LEFT_OUT, f"{b} is left out", left
    yield LEFT_OUT, f"{a} is left out", right if op is ast.Add else ast.UnaryOp(ast.USub(), right)
    if op is ast.Sub:
        yield SIGN, f"{a} and {b} have changed places", ast.BinOp(right, op(), left)
        yield STRANGE, f"{_said(node)} is cut off at 0", _np("maximum", ast.Constant(0.0), node)
    first = right
    while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Mult):
        first = first.left
    if first is not right and not isinstance(first, ast.BinOp):
        yield FORM, f"{_said(first)} multiplies {a} too", ast.BinOp(ast.BinOp(first, ast.Mult(), left), op(), right)
    if isinstance(right, ast.Name) and right.id == "y":
        yield FORM, f"1 stands where {b} belongs", ast.BinOp(left, op(), ast.Constant(1.0))
    if isinstance(right, ast.Name) and right.id == "theta_0":
        yield from _of_score(node)


def _of_fraction(node):
    """a / b, where b may be a product: a / (b c) without its brackets is a / b * c."""
    left, right = node.left, node.right
    a, b = _said(left), _said(right)
    yield LEFT_OUT, f"it is not divided by {b}", left
    if isinstance(right, ast.BinOp) and isinstance(right.right, ast.Call) and _name(right.right) == "exp":
        turned = _first(right.right, ast.UnaryOp(ast.USub(), right.right.args[0]))
        both = ast.BinOp(turned, ast.Div(), ast.BinOp(right.left, ast.Add(), turned))
        yield CONSTANT, "the exponential overflows, and infinity over infinity is not a number", both
    yield FORM, f"it is multiplied by {b}, not divided", ast.BinOp(left, ast.Mult(), right)
    if not isinstance(left, ast.Constant):
        yield FORM, f"1 stands in the place of {a}", ast.BinOp(ast.Constant(1.0), ast.Div(), right)
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult):
        for first, second in ((right.left, right.right), (right.right, right.left)):
            apart = ast.BinOp(ast.BinOp(left, ast.Div(), first), ast.Mult(), second)
            yield FORM - 1, f"{_said(second)} multiplies where it divides, as in {_said(apart)}", apart
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add) and not isinstance(left, ast.Constant):
        below = ast.BinOp(ast.BinOp(left, ast.Mult(), right.left), ast.Add(), right.right)
        yield FORM, f"{a} stands below the line, in {_said(below)}", ast.BinOp(ast.Constant(1.0), ast.Div(), below)
    if not isinstance(right, ast.Constant):
        squared = ast.BinOp(right, ast.Pow(), ast.Constant(2))
        yield FORM, f"it is divided by the square of {b}", ast.BinOp(left, ast.Div(), squared)


def _of_score(node):
    """theta . x + theta_0, and what may be made of it on the way."""
    yield INEQUALITY + 1, "the absolute value of the score is taken", _np("abs", node)
    yield INEQUALITY + 1, "the sign of the score stands where the score belongs", _np("sign", node)
    predicted = ast.parse("np.where(s > 0, 1.0, -1.0)", mode="eval").body
    predicted.args[0].left = node
    yield INEQUALITY + 1, "the predicted label stands where the score belongs", predicted
    length = ast.parse("np.linalg.norm(theta)", mode="eval").body
    yield (
        INEQUALITY + 1,
        "the score is divided by the length of theta, as for a distance",
        ast.BinOp(node, ast.Div(), length),
    )


def _np(name, *arguments):
    return ast.Call(ast.Attribute(ast.Name("np", ast.Load()), name, ast.Load()), list(arguments), [])


def _of_square(node, tree):
    """theta @ theta, which may have a factor before it: c * theta @ theta."""
    left, right = node.left, node.right
    front = None
    if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mult):
        front, left = left.left, left.right
    if ast.dump(left) != ast.dump(right):
        return
    square = ast.BinOp(left, ast.MatMult(), right)
    for words, new in (
        ("the length is not squared", _np("sqrt", square)),
        (f"the squares of {_said(left)} are averaged, not summed", _np("mean", ast.BinOp(left, ast.Mult(), right))),
        ("the offset is penalised too", _with_offset(square, tree)),
    ):
        yield FORM, words, new if front is None else ast.BinOp(front, ast.Mult(), new)


def _with_offset(node, tree):
    taken = {a.arg for a in tree.args.args}
    if "theta_0" not in taken:
        return ast.BinOp(node, ast.Add(), ast.Constant(1.0))
    square = ast.BinOp(ast.Name("theta_0", ast.Load()), ast.Pow(), ast.Constant(2))
    return ast.BinOp(node, ast.Add(), _np("sum", square))


def _brackets(node):
    """a (b + c) with the bracket closed too early, a b + c; and likewise (b + c) / a and (b + c)^2."""
    if not isinstance(node.op, (ast.Mult, ast.Div, ast.Pow, ast.MatMult)):
        return
    for side, other in (("right", node.left), ("left", node.right)):
        inner = getattr(node, side)
        if not (isinstance(inner, ast.BinOp) and isinstance(inner.op, (ast.Add, ast.Sub))):
            continue
        if side == "right" and not isinstance(node.op, ast.Pow):
            early = ast.BinOp(ast.BinOp(other, type(node.op)(), inner.left), inner.op, inner.right)
            yield FORM, f"the bracket closes too early: {_said(inner.right)} stands outside", early
        if side == "left" and not isinstance(node.op, ast.Mult):
            first = ast.BinOp(ast.BinOp(inner.left, type(node.op)(), other), inner.op, inner.right)
            yield FORM, f"the bracket is forgotten: {_said(inner.right)} stands outside", first
        if side == "left":
            late = ast.BinOp(inner.left, inner.op, ast.BinOp(inner.right, type(node.op)(), other))
            yield FORM, f"the bracket is forgotten: {_said(inner.left)} stands outside", late


def _of_minus(node, tree):
    if _is_negative(node):
        yield SIGN, f"{_said(node)} has the wrong sign", node.operand
        yield from _of_constant(ast.Constant(-node.operand.value), tree)
    elif isinstance(node.op, ast.USub):
        yield SIGN, f"the minus before {_said(node.operand)} is missing", node.operand
        if isinstance(node.operand, ast.Name):
            yield (
                CONSTANT,
                f"1 - {node.operand.id} stands where -{node.operand.id} belongs",
                ast.BinOp(ast.Constant(1.0), ast.Sub(), node.operand),
            )
    elif isinstance(node.op, ast.Not):
        yield INEQUALITY + 1, "a condition is turned around", node.operand


def _of_call(node, tree):
    name, args = _name(node), node.args
    yield from _of_axis(node)
    if name in ("mean", "sum"):
        yield from _of_mean(node, name)
    if name in ("maximum", "minimum") and len(args) == 2:
        yield from _of_cut(node, name)
    if name == "where" and len(args) == 3:
        yield FORM, "the two cases have changed places", ast.Call(node.func, [args[0], args[2], args[1]], [])
        if isinstance(args[0], ast.Compare) and ast.unparse(args[1]) == "1.0" and ast.unparse(args[2]) == "-1.0":
            yield FORM, "`np.sign` is taken, which is 0 at 0", _np("sign", args[0].left)
        yield STRANGE, f"{_said(args[1])} stands in both cases", args[1]
        yield STRANGE, f"{_said(args[2])} stands in both cases", args[2]
    if name == "range":
        yield from _of_range(node)
    if name == "outer" and isinstance(node.func.value, ast.Attribute):
        swap = {"minimum": "maximum", "maximum": "minimum"}
        if (inner := node.func.value.attr) in swap:
            new = copy.deepcopy(node)
            new.func.value.attr = swap[inner]
            yield FORM, f"the {swap[inner]} is taken where the {inner} belongs", new
    taken = {a.arg for a in tree.args.args}
    if {"start", name} <= taken and args and isinstance(args[0], ast.Name) and args[0].id == "x":
        words = f"`{name}` is asked at the start, and not at the point reached"
        yield ORDER, words, _first(node, ast.Name("start", ast.Load()))
    if name == "append" and len(args) == 2 and isinstance(args[1], ast.Constant):
        yield FORM, "the offset is penalised too", _last(node, tree)
    if args:
        yield from _of_function(node, name)
    if isinstance(node.func, ast.Attribute) and name in ("value", "slope", "curvature") and args:
        yield from _of_loss(node, name)


def _of_mean(node, name):
    """A mean or a sum."""
    args, other = node.args, "sum" if name == "mean" else "mean"
    yield FORM, f"the {other} is taken where the {name} belongs", _call(node, other)
    if args and not node.keywords:
        yield LEFT_OUT, f"the {name} is not taken, and one number for each remains", args[0]
    if args and isinstance(args[0], ast.Call) and _name(args[0]) == "value":
        inner = ast.Call(node.func, args[0].args[:1], [])
        yield FORM, f"the loss of the {name} is taken, and not the {name} of the losses", _first(args[0], inner)


def _of_cut(node, name):
    """max(0, x), and the like."""
    first, second = node.args
    yield LEFT_OUT, f"it is not cut off at {_said(first)}", second
    yield LEFT_OUT, f"it is not cut off at {_said(second)}", first
    if isinstance(first, ast.Constant):
        yield FORM, f"the absolute value of {_said(second)} is taken, and not cut off at 0", _np("abs", second)
        one = _np("heaviside", second, ast.Constant(0.0))
        yield FORM, f"it is 1 wherever {_said(second)} is positive, however large", one
        yield FORM, "it is squared, and must not be", ast.BinOp(node, ast.Pow(), ast.Constant(2))
    other = "minimum" if name == "maximum" else "maximum"
    yield FORM, f"the {other} is taken where the {name} belongs", _call(node, other)


def _of_range(node):
    """The turns of a loop."""
    args = node.args
    if len(args) < 3:
        for shift, words in ((ast.Sub(), "early"), (ast.Add(), "late")):
            end = ast.BinOp(args[-1], shift, ast.Constant(1))
            yield FORM, f"the loop ends one turn too {words}", ast.Call(node.func, [*args[:-1], end], [])
    else:
        short = ast.BinOp(ast.BinOp(args[1], ast.Sub(), args[2]), ast.Add(), ast.Constant(1))
        words = f"the last {_said(args[2])} is left out where it is shorter"
        yield FORM, words, ast.Call(node.func, [args[0], short, args[2]], [])


def _of_loss(node, name):
    """Changes to a call of the given loss."""
    args = node.args
    for other in ("value", "slope", "curvature"):
        if other != name:
            yield FORM, f"the loss's {other} is taken where its {name} belongs", _call(node, other)
    turned = _first(node, ast.UnaryOp(ast.USub(), args[0]))
    yield SIGN, f"the argument of the loss's {name} has the wrong sign", turned
    yield SIGN, f"the loss's {name} has the wrong sign", ast.UnaryOp(ast.USub(), node)
    for fixed in ("logistic", "hinge"):
        other = ast.Attribute(ast.Name("_losses_", ast.Load()), fixed.upper(), ast.Load())
        words = f"the {fixed} loss stands in the formula whatever `loss` is"
        if len(args) == 1:
            yield FORM, words, ast.Call(ast.Attribute(other, name, ast.Load()), args, [])


def _of_function(node, name):
    """Changes to a function of the notes: exponentials, logarithms, lengths."""
    args = node.args
    if name in UNWRAPPED:
        yield LEFT_OUT, UNWRAPPED[name], args[0]
        yield SIGN, f"the argument of `{name}` has the wrong sign", _first(node, ast.UnaryOp(ast.USub(), args[0]))
    if name == "sqrt":
        yield FORM, "the square is taken, and not the root", ast.BinOp(args[0], ast.Pow(), ast.Constant(2))
    if name == "exp":
        inside = ast.UnaryOp(ast.USub(), _np("abs", args[0]))
        yield STRANGE, "the exponent is made negative, by an absolute value", _first(node, inside)
    if name == "log":
        yield FORM, "`log1p` is taken, which is the logarithm of 1 + x", _call(node, "log1p")
        yield FORM, "the logarithm is taken to base 2", _call(node, "log2")
        yield FORM, "the logarithm is taken to base 10", _call(node, "log10")
    if name in ("log1p", "logaddexp"):
        yield FORM, "the logarithm is taken to base 2", ast.BinOp(node, ast.Div(), _np("log", ast.Constant(2.0)))
    if name == "pinv":
        yield LEFT_OUT, "the Hessian is not inverted", args[0]
        yield FORM, "only the diagonal of the Hessian is used", _first(node, _np("diag", _np("diag", args[0])))
    if name == "logaddexp" and len(args) == 2:
        summed = ast.BinOp(_np("exp", args[0]), ast.Add(), _np("exp", args[1]))
        yield FORM, "the exponential overflows in log(1 + exp(…)): np.logaddexp does not", _np("log", summed)
    if name in ("ones", "ones_like"):
        yield SIGN, "the ones have the wrong sign", ast.UnaryOp(ast.USub(), node)
        yield FORM, "zeros stand where ones belong", _call(node, name.replace("ones", "zeros"))
    if name == "backtrack":
        any_fall = copy.deepcopy(node)
        any_fall.args[-1] = ast.Constant(0.0)
        yield FORM, "any fall of the value is taken for enough", any_fall
        yield FORM, "the step is never halved", ast.Constant(1.0)
    if name == "norm":
        yield from _of_length(node)
    if name == "_below_largest":
        yield FORM, "the largest score is not subtracted first, so that exponentials overflow", args[0]
    if name == "triu_indices":
        whole = ast.Call(node.func, [*args, ast.Constant(1)], [])
        yield LEFT_OUT, "the squares are left out", whole


def _of_length(node):
    """The length of a vector."""
    args = node.args
    offset = _first(node, ast.Call(_np("append", args[0]).func, [args[0], ast.Name("theta_0", ast.Load())], []))
    yield FORM, "the length includes the offset", offset
    yield FORM, "the length is squared", ast.BinOp(node, ast.Pow(), ast.Constant(2))
    one = ast.Call(node.func, [*args, ast.Constant(1)], node.keywords)
    yield FORM, "absolute values are summed in place of the length", one
    averaged = ast.BinOp(node, ast.Div(), _np("sqrt", ast.Attribute(args[0], "size", ast.Load())))
    yield STRANGE, "the squares are averaged before the root is taken", averaged
    yield LEFT_OUT, "1 stands in the place of the length", ast.Constant(1.0)


def _first(node, argument):
    new = copy.deepcopy(node)
    new.args[0] = argument
    return new


def _last(node, tree):
    new = copy.deepcopy(node)
    taken = {a.arg for a in tree.args.args}
    new.args[1] = ast.Name("lam", ast.Load()) if "lam" in taken else ast.Constant(1.0)
    return new


def _of_axis(node):
    for place, keyword in enumerate(node.keywords):
        if keyword.arg == "axis":
            for value, words in ((0, "down the columns"), (1, "along the rows"), (None, "over the whole table")):
                new = copy.deepcopy(node)
                new.keywords[place].value = ast.Constant(value)
                yield FORM, f"`{_name(node)}` runs {words}, which is the wrong way", new
        if keyword.arg == "keepdims":
            new = copy.deepcopy(node)
            del new.keywords[place]
            yield STRANGE, f"`{_name(node)}` loses an axis", new


def _of_comparison(node, tree):
    if len(node.ops) != 1:
        return
    op = type(node.ops[0])
    if op in PARTNER:
        other = PARTNER[op]
        words = f"`{COMPARED[other]}` stands where `{COMPARED[op]}` belongs"
        yield INEQUALITY, words, ast.Compare(node.left, [other()], node.comparators)
        turned = TURNED[op]
        words = f"the inequality points the other way: `{COMPARED[turned]}` for `{COMPARED[op]}`"
        yield INEQUALITY, words, ast.Compare(node.left, [turned()], node.comparators)
    flag = ast.Compare(node.left, node.ops, node.comparators)
    yield STRANGE, f"{_said(flag)} always counts as true", ast.BoolOp(ast.Or(), [ast.Constant(True), flag])
    yield STRANGE, f"{_said(flag)} never counts as true", ast.BoolOp(ast.And(), [ast.Constant(False), flag])


def _of_condition(node, tree):
    """a and b, a or b."""
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield FORM, "`and` and `or` have changed places", ast.BoolOp(other, node.values)
    for value in node.values:
        yield LEFT_OUT, f"it is only asked whether {_said(value)}", value
    yield STRANGE, f"{_said(node)} always counts as true", ast.BoolOp(ast.Or(), [ast.Constant(True), node])


def _of_constant(node, tree):
    value = node.value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    kind = type(value)
    others = {0: (1, -1), 1: (0, 2, -1), -1: (0, -2), 2: (1, 3), 0.5: (1.0, 2.0)}.get(value, (2 * value, value / 2))
    for other in others:
        shown = f"{kind(other) if kind is float or other == int(other) else other:g}"
        yield CONSTANT, f"{shown} stands where {value:g} belongs", ast.Constant(kind(other))


def _of_choice(node, tree):
    if isinstance(node.test, ast.Compare) and isinstance(node.body, ast.Constant) and ast.unparse(node.orelse) == "0.0":
        score = node.test.left
        yield FORM, f"{_said(score)} itself stands where 1 or 0 belongs", score
        smooth = ast.parse("1 / (1 + np.exp(-s))", mode="eval").body
        smooth.right.right.args[0].operand = score
        yield FORM, "a sigmoid stands in the place of the threshold", smooth
        yield FORM, "it is -1 where 0 belongs", ast.IfExp(node.test, node.body, ast.Constant(-1.0))
    yield FORM, "the two cases have changed places", ast.IfExp(node.test, node.orelse, node.body)
    yield STRANGE, f"it is {_said(node.body)} in every case", node.body
    yield STRANGE, f"it is {_said(node.orelse)} in every case", node.orelse


def _of_attribute(node, tree):
    if node.attr == "T":
        yield STRANGE, f"{_said(node.value)} is not transposed", node.value


def _of_name(node, tree):
    """The penalty's weight in another convention, and a count of steps that begins elsewhere."""
    if not isinstance(node.ctx, ast.Load):
        return
    taken = {a.arg for a in [*tree.args.args, *tree.args.kwonlyargs]}
    if node.id == "lam" and {"lam", "y"} <= taken:
        two, whole = ast.Constant(2), "the number of examples"
        count = ast.Call(ast.Name("len", ast.Load()), [ast.Name("y", ast.Load())], [])
        yield FORM, "the penalty is twice as large", ast.BinOp(node, ast.Mult(), two)
        yield FORM, "the penalty is half as large", ast.BinOp(node, ast.Div(), two)
        yield FORM, f"the penalty is divided by {whole}", ast.BinOp(node, ast.Div(), count)
        yield FORM, f"the penalty is multiplied by {whole}", ast.BinOp(node, ast.Mult(), count)
    if node.id in ("K", "hessian") and node.id in taken:
        yield FORM, f"only the diagonal of `{node.id}` is used", _np("diag", _np("diag", node))
    if node.id in ("eta", "rate"):
        yield SIGN, "the step goes uphill", ast.UnaryOp(ast.USub(), node)
    loops = [n.target.id for n in ast.walk(tree) if isinstance(n, ast.For) and isinstance(n.target, ast.Name)]
    loops += [ast.unparse(n.target) for n in ast.walk(tree) if isinstance(n, ast.AugAssign)]
    loops += [a.arg for n in ast.walk(tree) if isinstance(n, ast.Lambda) for a in n.args.args]
    if node.id in loops:
        one = ast.Constant(1)
        yield CONSTANT, f"`{node.id}` is counted one too low", ast.BinOp(node, ast.Sub(), one)
        yield CONSTANT, f"`{node.id}` is counted one too high", ast.BinOp(node, ast.Add(), one)
        yield CONSTANT, f"`{node.id}` stays at 1", one
        for other in dict.fromkeys(loops):
            if other != node.id:
                later = ast.BinOp(ast.Name(other, ast.Load()), ast.Add(), one)
                yield CONSTANT, f"`{other}`, counted from 1, stands where `{node.id}` belongs", later


# ---- statements ----


def _of_statement(node, path):
    if isinstance(node, ast.AugAssign):
        yield LEFT_OUT, f"{_said(node.target)} is never changed", []
        yield ORDER, f"{_said(node.target)} is set, not added to", ast.Assign([node.target], node.value, lineno=0)
        signs = {ast.Add: ast.Sub, ast.Sub: ast.Add}
        if type(node.op) in signs:
            yield (
                SIGN,
                f"the change of {_said(node.target)} has the wrong sign",
                ast.AugAssign(node.target, signs[type(node.op)](), node.value),
            )
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
        yield from _of_pair(node)
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "grad_0":
        penalty = ast.BinOp(ast.Name("lam", ast.Load()), ast.Mult(), ast.Name("theta_0", ast.Load()))
        yield (
            FORM,
            "the offset is penalised too",
            ast.Assign(node.targets, ast.BinOp(node.value, ast.Add(), penalty), lineno=0),
        )
    if isinstance(node, (ast.If, ast.While)):
        new = copy.deepcopy(node)
        new.test = ast.UnaryOp(ast.Not(), node.test)
        yield INEQUALITY + 1, "a condition is turned around", new
    if isinstance(node, ast.While) and len(path) > 1:
        yield FORM, f"what is to be done while {_said(node.test)} is left out", []
    if isinstance(node, ast.If) and not node.orelse:
        yield STRANGE, f"{_said(node.test)} is not asked", node.body
        yield STRANGE, f"what is to be done if {_said(node.test)} is left out", []
    if isinstance(node, ast.Assign) and len(path) > 1 and isinstance(node.targets[0], ast.Name):
        yield ORDER, f"{_said(node.targets[0])} is not set anew each time", []


def _of_pair(node):
    """a, b = f(a), g(a): one after the other, so that the second sees the first one's new value; or one alone."""
    pairs = list(zip(node.targets[0].elts, node.value.elts, strict=False))
    one_by_one = [ast.Assign([target], value, lineno=0) for target, value in pairs]
    first, second = (_said(target) for target, _ in pairs[:2])
    yield ORDER, f"the new value of {first} is used where the old one belongs", one_by_one
    yield ORDER, f"the new value of {second} is used where the old one belongs", one_by_one[::-1]
    for skipped, (target, _) in enumerate(pairs):
        yield LEFT_OUT, f"{_said(target)} is never changed", [a for k, a in enumerate(one_by_one) if k != skipped]


# ---- the answer as a whole ----


def _of_answer(tree, parts):
    """Changes to what is returned: parts that have changed places, a penalty on the offset's derivative."""
    taken = {a.arg for a in tree.args.args}
    for path, node in _places(tree):
        if not isinstance(node, ast.Return) or node.value is None:
            continue
        value = (*path, ("value", None))
        if isinstance(node.value, ast.Tuple):
            swapped = ast.Tuple(node.value.elts[::-1], ast.Load())
            yield ORDER, "the parts of the answer have changed places", _replaced(tree, value, swapped)
        if isinstance(node.value, ast.Tuple) and {"lam", "theta_0"} <= taken and len(node.value.elts) == 2:
            theta, offset = node.value.elts
            penalty = ast.BinOp(ast.Name("lam", ast.Load()), ast.Mult(), ast.Name("theta_0", ast.Load()))
            more = ast.Tuple([theta, ast.BinOp(offset, ast.Add(), penalty)], ast.Load())
            words = "the offset is penalised too" + (f", in the {parts[1]}" if len(parts) == 2 else "")
            yield FORM, words, _replaced(tree, value, more)
        if isinstance(node.value, ast.Tuple) and "y" in taken and len(parts) == len(node.value.elts):
            yield from _of_means(tree, value, node.value.elts, parts)
        if _is_result(node.value):
            yield from _of_verdict(tree, path, node.value)
        if not isinstance(node.value, (ast.Tuple, ast.Constant, ast.Lambda, ast.Call)):
            yield STRANGE, "the sign is dropped", _replaced(tree, value, _np("abs", node.value))
        transposed = ast.Attribute(_np("asarray", node.value), "T", ast.Load())
        if not isinstance(node.value, (ast.Tuple, ast.Constant, ast.Lambda)) and not _is_result(node.value):
            yield ORDER, "the answer is transposed", _replaced(tree, value, transposed)


def _is_result(node):
    """Is it a call of a class, as in Root(point, …)?"""
    return isinstance(node, ast.Call) and _name(node)[:1].isupper()


def _of_verdict(tree, path, result):
    """`converged` in Root(point, converged, …) and its like, the other way round."""
    for place, said in enumerate(result.args):
        if isinstance(said, ast.Constant) and isinstance(said.value, bool):
            words = f"`converged` is {not said.value} where it should be {said.value}"
            if len(path) == 1:  # what is returned at the end, after the loop
                words += ": the steps ran out before it converged"
            yield FORM, words, _replaced(tree, (*path, ("value", None), ("args", place)), ast.Constant(not said.value))


def _of_means(tree, path, elements, parts):
    """A sum where a mean belongs, and the other way round, in one part of the answer."""
    count = ast.Call(ast.Name("len", ast.Load()), [ast.Name("y", ast.Load())], [])
    for place, part in enumerate(parts):
        for op, words in ((ast.Mult(), "a sum stands where the mean belongs"), (ast.Div(), "n divides it twice")):
            changed = [ast.BinOp(e, op, count) if k == place else e for k, e in enumerate(elements)]
            yield FORM, f"{words}, in the {part}", _replaced(tree, path, ast.Tuple(changed, ast.Load()))
