"""What a submission's text says before it is run: is it Python, which functions are written, which use which."""

import ast
import difflib
import warnings


def parse(source):
    """The syntax tree of a text; warnings about it are nobody's business here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def unreadable(source, topic):
    """Why the text cannot be checked, in words; empty if it can."""
    if source.lstrip().startswith("{") and '"cells"' in source:  # it would even parse, as one large dict
        return f"the file is a notebook: write the functions in {topic.name}.py, and hand that in"
    try:
        parse(source)
    except SyntaxError as error:
        where = f", in or before line {error.lineno}" if error.lineno else ""
        text = f": {error.text.strip()[:100]}" if error.text else ""
        return f"the file is not Python: {error.msg}{where}{text}"
    except ValueError as error:
        return f"the file is not Python: {error}"
    except (RecursionError, MemoryError):
        return "the file is not Python: an expression in it is nested too deeply"
    return ""


def written_functions(source):
    """The names of functions, classes and values with a body: more than a docstring, `...`, `pass` or a bare raise."""
    tree = parse(source)
    defined = {
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not _is_empty(node)
    }
    assigned = [node.targets for node in tree.body if isinstance(node, ast.Assign)]
    return defined | {target.id for targets in assigned for target in targets if isinstance(target, ast.Name)}


def uses(source):
    """A function of a name: the names that the function of that name uses, itself or through others of the file."""
    direct = {
        node.name: {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {node.name}
        for node in parse(source).body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }

    def reached(name):
        seen, waiting = set(), [name]
        while waiting:
            fresh = direct.get(waiting.pop(), set()) - seen
            seen |= fresh
            waiting += fresh
        return seen

    return reached


def near_misses(source, wanted):
    """{function that is not there: a name of the file that may have been meant}."""
    names = sorted(written_functions(source) - set(wanted))[:500]
    plain = {name.replace("_", "").lower(): name for name in names}
    found = {}
    for name in wanted:
        close = difflib.get_close_matches(name.replace("_", "").lower(), plain, 1, 0.85)
        if close:
            found[name] = plain[close[0]]
    return found


def _is_empty(node):
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return all(
        isinstance(s, ast.Pass)
        or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        or (isinstance(s, ast.Raise) and "NotImplemented" in ast.dump(s))
        for s in body
    )
