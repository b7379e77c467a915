"""A student's own functions and methods, put into a later part's file in the place of the course's. Text to text.

What the later part still asks for stays as its file has it: a function that is one of its tasks as a whole, and the
lines of a TODO inside a function whose other lines are finished. It runs nothing and reads no file.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Merged:
    """The later part's file with what was taken, the names of that, and for each name that was not the reason.

    Of what was taken, `added` is what the later file did not have at all.
    """

    text: str
    taken: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)


class _Left(Exception):
    """This definition is not taken; the text says why."""


def merge(own: str, later: str, reasons: dict[str, str]) -> Merged:
    """Put the definitions of `own` into `later`. Raises SyntaxError when one of the two is not Python.

    reasons  names ("Value.tanh") that are not to be taken, and why
    """
    source, target = _File(own), _File(later)
    done = Merged(later)
    edits: list[tuple[int, int, list[str]]] = []  # first line, line after the last, what comes there
    for name, node in source.definitions.items():
        if isinstance(node, ast.ClassDef) and name in target.definitions:
            continue  # its methods are looked at one by one
        try:
            if name in target.definitions:
                edit = _replaced(source, node, target, target.definitions[name])
            elif "." in name and name.partition(".")[0] not in target.definitions:
                continue  # goes along with its class
            else:
                edit = _added(source, name, node, target)
            if edit is None:
                continue
            if name in reasons:
                raise _Left(reasons[name])
        except _Left as problem:
            done.left[name] = str(problem)
        else:
            edits.append(edit)
            done.taken.append(name)
            if name not in target.definitions:
                done.added.append(name)
    if done.taken and (imports := source.imports_beyond(target)):
        edits.insert(0, (target.after_imports, target.after_imports, imports))
    lines = later.splitlines()
    edits.sort(key=lambda edit: edit[:2])
    for first, after, new in reversed(edits):  # from below, so that the places of the others stay
        lines[first:after] = new
    done.text = "\n".join(lines) + "\n"
    ast.parse(done.text)
    return done


class _File:
    """One file: its lines, and its functions, classes, methods and plain assignments by name."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.tree = ast.parse(text)
        self.definitions = dict(_definitions(self.tree.body))
        for name, node in list(self.definitions.items()):
            if isinstance(node, ast.ClassDef):
                self.definitions.update(_definitions(node.body, f"{name}."))

    def span(self, node: Definition) -> tuple[int, int]:
        """The lines of a definition, decorators included: the first one, counted from 0, and the one after the last."""
        decorators = [other.lineno for other in getattr(node, "decorator_list", [])]
        return min([node.lineno, *decorators]) - 1, node.end_lineno or node.lineno

    def text_of(self, node: Definition, indent: int) -> list[str]:
        """The lines of a definition, at another indentation. Raises _Left when that would change what it does."""
        first, after = self.span(node)
        lines = self.lines[first:after]
        tabs = any("\t" in line[: len(line) - len(line.lstrip())] for line in lines)
        if node.col_offset != indent or tabs:
            moved = textwrap.indent(textwrap.dedent("\n".join(lines).expandtabs(4)), " " * indent).splitlines()
            if not _same(_alone(moved), node):
                raise _Left("its indentation does not fit the new file")
            lines = moved
        return lines

    @property
    def after_imports(self) -> int:
        imports = [node.end_lineno or 0 for node in self.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        docstring = [node.end_lineno or 0 for node in self.tree.body[:1] if isinstance(node, ast.Expr)]
        return max([*imports, *docstring, 0])

    def imports_beyond(self, other: _File) -> list[str]:
        known = {name for node in other.tree.body for name in _imported(node)}
        nodes = [node for node in self.tree.body if set(_imported(node)) - known]
        return [line for node in nodes for line in self.lines[node.lineno - 1 : node.end_lineno]]


def _definitions(body: list[ast.stmt], before: str = "") -> Iterator[tuple[str, Definition]]:
    for node in body:
        if isinstance(node, (*Function, ast.ClassDef)):
            yield before + node.name, node
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield before + node.targets[0].id, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield before + node.target.id, node


def _imported(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return []  # has to be the first line, and is nothing that a method stands on
    names = node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []
    return [f"{getattr(node, 'module', '')}:{alias.name}:{alias.asname}" for alias in names]


def _replaced(source: _File, node: Definition, target: _File, old: Definition) -> tuple[int, int, list[str]] | None:
    """The edit that puts `node` in the place of `old`; None when the two do the same."""
    first, after = target.span(old)
    stub = _stub(old)
    if not stub:
        return None if _same(node, old) else (first, after, source.text_of(node, old.col_offset))
    tasks = ", ".join(sorted({task for task, _ in stub}))
    statements = [statement for _, statement in stub]
    assert isinstance(old, Function)
    rest = [statement for statement in _body(old) if statement not in statements]
    if not rest:
        raise _Left(f"it is what {tasks} of the new part is about")
    if not isinstance(node, Function) or _body(node)[0].lineno == node.lineno:
        raise _Left(f"{tasks} of the new part puts lines into it, which yours has no place for")
    if [argument.arg for argument in node.args.args] != [argument.arg for argument in old.args.args]:
        raise _Left(f"{tasks} of the new part uses its parameters, and yours have other names")
    new = source.text_of(node, old.col_offset)
    lines = _with_comments(target, statements)
    if statements[0] is _body(old)[0]:
        at = _body(node)[0].lineno - 1 - source.span(node)[0]
        blanks = (0, 1)
    else:
        at = _before_return(node) - 1 - source.span(node)[0]
        blanks = (1, 0)
    inner = len(new[at]) - len(new[at].lstrip())
    moved = textwrap.indent(textwrap.dedent("\n".join(lines)), " " * inner).splitlines()
    both = [*new[:at], *[""] * blanks[0], *moved, *[""] * blanks[1], *new[at:]]
    return None if _same(_alone(both), old) else (first, after, both)


def _added(source: _File, name: str, node: Definition, target: _File) -> tuple[int, int, list[str]]:
    """The edit that adds what the new file does not have: a method at its class's end, anything else after imports."""
    owner = name.partition(".")[0]
    if "." in name:
        home = target.definitions[owner]
        indent = home.body[0].col_offset if isinstance(home, ast.ClassDef) else 0
        after = target.span(home)[1]
        return after, after, ["", *source.text_of(node, indent)]
    return target.after_imports, target.after_imports, ["", *source.text_of(node, 0)]


def _stub(node: Definition) -> list[tuple[str, ast.stmt]]:
    """A function's statements that are a TODO's, with its task: those that raise it, and a closure's attachment."""
    if not isinstance(node, Function):
        return []
    found: list[tuple[str, ast.stmt]] = []
    for statement in _body(node):
        if tasks := todos_in(statement):
            found.append((tasks[0], statement))
        elif found and _attaches(statement) and isinstance(found[-1][1], Function):
            found.append((found[-1][0], statement))
    return found


def names_by_task(text: str) -> dict[str, list[str]]:
    """For each task with a TODO in this file the functions and methods ("Value.tanh") that it is in."""
    names: dict[str, list[str]] = {}
    for name, node in _File(text).definitions.items():
        if isinstance(node, Function):
            for task in todos_in(node):
                names.setdefault(task, []).append(name)
    return names


def todos_in(tree: ast.AST) -> list[str]:
    """The tasks whose NotImplementedError("TODO 4.1 ...") is raised somewhere in `tree`, each once."""
    raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc is not None]
    texts = [str(part.value) for exc in raised for part in ast.walk(exc) if isinstance(part, ast.Constant)]
    return list(dict.fromkeys(found.group(1) for text in texts if (found := re.match(r"TODO (\d+\.\d+)\b", text))))


def _attaches(statement: ast.stmt) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(isinstance(target, ast.Attribute) and target.attr == "_backward" for target in targets)


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """The statements without the docstring; a docstring alone counts as one."""
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(node.body) > 1
    return node.body[1:] if documented else node.body


def _with_comments(file: _File, statements: list[ast.stmt]) -> list[str]:
    first, last = statements[0].lineno - 1, statements[-1].end_lineno or 0
    while file.lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return file.lines[first:last]


def _before_return(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The line of the one `return out` at a function's end, before which a closure can be attached."""
    returns = [part for part in ast.walk(node) if isinstance(part, ast.Return)]
    last = node.body[-1]
    named = isinstance(last, ast.Return) and isinstance(last.value, ast.Name) and last.value.id == "out"
    if not named or len(returns) != 1:
        raise _Left("the new part's closure needs one line `return out` at its end, and yours ends in another way")
    return last.lineno


def _alone(lines: list[str]) -> ast.stmt | None:
    try:
        return ast.parse(textwrap.dedent("\n".join(lines))).body[0]
    except (SyntaxError, IndexError):
        return None


def _same(one: ast.AST | None, other: ast.AST) -> bool:
    return one is not None and ast.dump(one) == ast.dump(other)
