"""Runs a page's cells. The page's worker loads this file into its Python; tests load it into any other.

Cells share one scope, as in a notebook. What a cell prints goes to `send` as it comes; `run` returns its last value and
what it drew, or what went wrong and in which line.
"""

import ast
import functools
import io
import linecache
import sys
import time

import numpy as np

try:
    import by_matplotlib as pictures
except ImportError:  # as on most sites: the interpreter comes with NumPy alone
    import pictures

LIMIT = 100_000  # characters that one cell may print: more would stop the page
PIECE, PAUSE = 4000, 0.1  # characters, seconds: what is printed is sent on in such pieces
BROWSERLESS = {"scipy": "SciPy", "sklearn": "scikit-learn", "dask": "Dask", "pandas": "pandas", "mpl_toolkits": "3-D"}

pictures.stand_in()
scope = {"__name__": "__main__"}


def raising(function, complaint):
    """The same function of np.linalg, raising where it makes NaN of numbers.

    NumPy learns of a singular matrix from the processor's floating-point flags, which WebAssembly does not have.
    """

    @functools.wraps(function)
    def watched(*arrays, **options):
        answer = function(*arrays, **options)
        if np.isnan(answer).any() and all(np.isfinite(array).all() for array in arrays):
            raise np.linalg.LinAlgError(complaint)
        return answer

    return watched


if sys.platform == "emscripten":
    for name, complaint in (
        ("solve", "Singular matrix"),
        ("inv", "Singular matrix"),
        ("cholesky", "Matrix is not positive definite"),
    ):
        setattr(np.linalg, name, raising(getattr(np.linalg, name), complaint))


class Screen(io.TextIOBase):
    """Where a cell prints to."""

    def __init__(self, send):
        self.send, self.waiting, self.count, self.sent = send, [], 0, time.monotonic()

    def write(self, text):
        shown = text[: max(LIMIT - self.count, 0)]
        if len(shown) < len(text) and self.count <= LIMIT:
            shown += f"\n… beyond {LIMIT:,} characters nothing more is shown.\n"
            self.count = LIMIT + 1
        self.count += len(text)
        self.waiting.append(shown)
        if sum(map(len, self.waiting)) > PIECE or time.monotonic() > self.sent + PAUSE:
            self.flush()
        return len(text)

    def flush(self):
        if any(self.waiting):
            self.send("".join(self.waiting))
        self.waiting, self.sent = [], time.monotonic()


def run(code, name, send):
    """{"value", "kind"} of a cell's last expression, {} if it has none, or {"error", "line"}.

    `name` is the cell's in error messages; `kind` is "code" for quoted source, "html" or "text".
    """
    before = sys.stdout
    sys.stdout = screen = Screen(send)
    try:
        return _shown(_value(code, name)) | {"pictures": _pictures()}
    except BaseException as error:
        return explained(error, name)
    finally:
        pictures.forget()
        screen.flush()
        sys.stdout = before


def _value(code, name):
    linecache.cache[name] = len(code), None, code.splitlines(keepends=True), name
    body, missing = ast.parse(code, name).body, None
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    for statement in body:
        try:
            exec(compile(ast.Module([statement], []), name, "exec"), scope)
        except ModuleNotFoundError as error:  # what needs it fails, and the rest of a chapter runs
            if not isinstance(statement, ast.Import | ast.ImportFrom) or package_of(error) is None:
                raise
            missing = missing or error
        except Exception as error:  # a picture that cannot be drawn; what the cell computes goes on
            if not pictures.at_fault(error):
                raise
    if missing:
        raise missing
    return eval(compile(ast.Expression(last.value), name, "eval"), scope) if last else None


def _pictures():
    try:
        return pictures.drawn()
    except Exception as error:
        if not pictures.at_fault(error):
            raise
        return []


def _shown(value):
    if value is None or isinstance(value, pictures.Nothing):
        return {}
    if hasattr(value, "_repr_markdown_"):  # quoted source
        return {"value": repr(value), "kind": "code"}
    return {"value": repr(value)[:LIMIT], "kind": "text"}


def explained(error, name):
    """What went wrong, in words, and the line of the cell that it began with."""
    line, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == name:
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == name:
        return {"error": f"{type(error).__name__}: {error.msg}", "line": error.lineno}
    return {"error": f"{type(error).__name__}: {error}"[:LIMIT] + _hint(error), "line": line}


def package_of(error):
    """Which of the packages that browsers do not run was to be imported, if it was one."""
    return BROWSERLESS.get((error.name or "").split(".")[0])


def _hint(error):
    if isinstance(error, ModuleNotFoundError):
        package = package_of(error)
        return f"\n{package} does not run in a browser: download this notebook to run the cell." if package else ""
    if isinstance(error, NameError) and error.name:
        return "\nPerhaps a cell above defines it: press “Run all above”."
    if isinstance(error, MemoryError):
        return "\nPython has a gigabyte in a page, no more: make the arrays smaller."
    return ""


def check(source, topic):
    """What `linclass check` says of a submission's text, as data."""
    from linclass.assignments.checking import check_source
    from linclass.assignments.report import as_data, next_step
    from linclass.assignments.topics import TOPICS

    result = check_source(source, TOPICS[topic], file=f"{topic}.py")
    return as_data(result) | {"next": next_step(result)}


def plug(files):
    """Let the functions in {"losses.py": text} compute in place of the package's, and say which do.

    A file that does not run is left out, with the reason.
    """
    import tempfile
    from pathlib import Path

    import linclass

    said = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.write_text(text, encoding="utf-8")
            try:
                linclass.use(path)
            except Exception as error:
                said.append(f"{name} is left out ({type(error).__name__}: {error})")
                path.unlink()
        used = linclass.use(folder) if any(Path(folder).iterdir()) else linclass.use(None)
    return "; ".join([", ".join(name.rpartition(".")[2] for name in used) or "none is written yet", *said])
