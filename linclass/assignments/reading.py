"""What a submission's text says before it is run: is it Python, which functions are written, which use which."""

import ast


def unreadable(source, topic):
    """Why the text cannot be checked, in words; empty if it can."""
    if source.lstrip().startswith("{") and '"cells"' in source:  # it would even parse, as one large dict
        return f"the file is a notebook: write the functions in {topic.name}.py, and hand that in"
    try:
        ast.parse(source)
    except SyntaxError as error:
        where = f", in or before line {error.lineno}" if error.lineno else ""
        return f"the file is not Python: {error.msg}{where}" + (f": {error.text.strip()}" if error.text else "")
    except ValueError as error:
        return f"the file is not Python: {error}"
    return ""


def written_functions(source):
    """The names of functions, classes and values with a body: more than a docstring, `...`, `pass` or a bare raise."""
    tree = ast.parse(source)
    defined = {
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not _is_empty(node)
    }
    assigned = [node.targets for node in tree.body if isinstance(node, ast.Assign)]
    return defined | {target.id for targets in assigned for target in targets if isinstance(target, ast.Name)}


def uses(source):
    """{function: the names it uses, itself or through other functions of the file}."""
    direct = {
        node.name: {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {node.name}
        for node in ast.parse(source).body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    reached = {name: set(names) for name, names in direct.items()}
    for _ in direct:
        reached = {name: names.union(*(direct.get(other, ()) for other in names)) for name, names in reached.items()}
    return reached


def _is_empty(node):
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return all(
        isinstance(s, ast.Pass)
        or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        or (isinstance(s, ast.Raise) and "NotImplemented" in ast.dump(s))
        for s in body
    )
