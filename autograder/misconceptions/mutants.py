"""Small systematic changes of the reference, one at a time: what the suites must notice.

A mutant is an edit of a file in solutions/, inside the finished code of one task; rendered, it is the worked solution
with that one change. Nothing is run here. cosmic-ray and mutmut were looked at and left: neither drops or doubles a
statement or swaps operands, neither knows regions, and each brings its own runner for a project's own tests.

Left out, because they are the same by arithmetic or never read: swapped operands of +, *, max and min, another sign
inside abs() or a square, zip's strict=, a plain assignment or a call that only sets made twice, texts of exceptions,
docstrings. A constant argument is changed and not left out besides.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.course.regions import SolutionFile

ARITHMETIC: tuple[type[ast.operator], ...] = (ast.Add, ast.Sub, ast.Mult, ast.Div)
OTHER_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq, ast.LtE),
    ast.NotEq: (ast.Eq, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OTHER_ATTRIBUTES = {"data": "grad", "grad": "data"}
WRAPPERS = frozenset({"abs", "list", "reversed", "set", "sum", "tuple"})  # f(x) becomes x
SETTING = frozenset({"add", "seed", "zero_grad"})  # twice is as good as once
DROPPABLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.If, ast.For, ast.While, ast.FunctionDef)


@dataclass(frozen=True)
class Mutant:
    """One change. `was` and `now` are the statement around it; `start` and `end` count bytes of the solution file."""

    task: str
    file: str
    line: int
    kind: str
    was: str
    now: str
    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """The solution file's text with the change made."""
        raw = text.encode()
        return (raw[: self.start] + self.new.encode() + raw[self.end :]).decode()

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.task}, {self.kind}) {self.was!r} -> {self.now!r}"


def mutants(text: str, source: SolutionFile, name: str) -> list[Mutant]:
    """Every mutant of a solution file, in the order of its lines. `text` is what `source` was parsed from."""
    owner = {line.number: task for task, _, lines in source.solution_lines() for line in lines}
    return list(_Mutator(text, owner, name).found())


class _Mutator:
    def __init__(self, text: str, owner: dict[int, str], name: str) -> None:
        self.tree = ast.parse(text)
        self.raw = text.encode()
        self.name = name
        self.owner = owner
        self.starts = [0]
        for line in self.raw.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def found(self) -> Iterator[Mutant]:
        seen: set[tuple[int, str]] = set()
        for node, parent, statement, names in sorted(self._nodes(), key=lambda each: _place(each[0])):
            task = self.owner.get(getattr(node, "lineno", 0))
            inside = range(getattr(node, "lineno", 0), (getattr(node, "end_lineno", 0) or 0) + 1)
            if task is None or any(self.owner.get(number) != task for number in inside):
                continue
            for kind, new in _changes(node, parent, names):
                mutant = self._mutant(task, kind, node, statement, new)
                try:
                    program = _shape(mutant.now)
                except SyntaxError:
                    continue  # as a sign before a name that is assigned to
                if program != _shape(mutant.was) and (self._span(statement)[0], program) not in seen:
                    seen.add((self._span(statement)[0], program))
                    yield mutant

    def _nodes(self) -> Iterator[tuple[ast.AST, ast.AST, ast.stmt, tuple[str, ...]]]:
        """Every node that may be changed: with its parent, its statement and the arguments that it can see."""
        todo: list[tuple[ast.AST, ast.AST, ast.stmt | None, tuple[str, ...]]] = [
            (item, self.tree, None, ()) for item in self.tree.body
        ]
        while todo:
            node, parent, statement, names = todo.pop()
            if _never_read(node):
                continue
            if isinstance(node, ast.stmt):
                statement = node
            if statement is not None:
                yield node, parent, statement, names
            if isinstance(node, ast.JoinedStr | ast.Raise):
                continue  # positions in an f-string are not to be trusted before 3.12; nobody demands a text
            if isinstance(node, ast.FunctionDef):
                names = tuple(dict.fromkeys([*names, *(argument.arg for argument in node.args.args)]))
            todo += [(child, node, statement, names) for child in ast.iter_child_nodes(node)]

    def _mutant(self, task: str, kind: str, node: ast.AST, statement: ast.stmt, new: str) -> Mutant:
        start, end = self._span(node)
        first, last = self._span(statement)
        body = getattr(statement, "body", None)
        if body:
            last = self._span(body[0])[0]  # of a statement with a body, its first line is shown
        was = _one_line(self.raw[first:last].decode())
        # A statement with a body can only be dropped as a whole.
        now = new if body and node is statement else _one_line(self._joined(first, start, new, end, last))
        line = node.lineno  # type: ignore[attr-defined]
        return Mutant(task, self.name, line, kind, was, now, start, end, new)

    def _joined(self, first: int, start: int, new: str, end: int, last: int) -> str:
        return (self.raw[first:start] + new.encode() + self.raw[end:last]).decode()

    def _span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self.starts[node.lineno - 1] + node.col_offset,  # type: ignore[attr-defined]
            self.starts[node.end_lineno - 1] + node.end_col_offset,  # type: ignore[attr-defined]
        )


def _changes(node: ast.AST, parent: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The kind and the new text of every change of this one node."""
    if isinstance(node, ast.stmt):
        yield from _statement_changes(node)
        return
    for kind, new in _expression_changes(node, parent, names):
        text = ast.unparse(new)
        binds_loosely = isinstance(new, ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.UnaryOp)
        yield kind, f"({text})" if binds_loosely else text
    if isinstance(node, ast.Constant) and not (isinstance(parent, ast.keyword) and parent.arg == "strict"):
        yield from (("constant", text) for text in _other_constants(node.value, parent))
    elif isinstance(node, ast.JoinedStr):
        yield "constant", "''"


def _expression_changes(node: ast.AST, parent: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.BinOp():
            for other in _other_operators(node.op):
                yield "operator", _with(node, op=other())
            if not isinstance(node.op, ast.Add | ast.Mult) and not _below_abs(parent) and not _squared(parent):
                yield "swap", _with(node, left=node.right, right=node.left)
            yield "operand", node.left
            yield "operand", node.right
            if not isinstance(parent, ast.BinOp) and not _below_abs(parent):
                yield "sign", ast.UnaryOp(ast.USub(), node)
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield "sign", node.operand
        case ast.Compare():
            for other in OTHER_COMPARISONS.get(type(node.ops[0]), ()):
                yield "comparison", _with(node, ops=[other(), *node.ops[1:]])
        case ast.BoolOp():
            yield "operator", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
            yield from (("operand", value) for value in node.values)
        case ast.IfExp():
            yield "swap", _with(node, body=node.orelse, orelse=node.body)
        case ast.Subscript(slice=ast.Name()) if isinstance(node.ctx, ast.Load):
            yield "index", _with(node, slice=ast.BinOp(node.slice, ast.Sub(), ast.Constant(1)))
        case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()):
            if len(node.elts) > 1:
                yield "swap", _with(node, elts=[node.elts[1], node.elts[0], *node.elts[2:]])
            if node.elts:
                yield "operand", _with(node, elts=node.elts[:-1])
        case ast.Call():
            yield from _call_changes(node)
        case ast.Attribute(ctx=ast.Load()) if node.attr in OTHER_ATTRIBUTES:
            yield "name", _with(node, attr=OTHER_ATTRIBUTES[node.attr])
        case ast.Name(ctx=ast.Load()) if node.id in names and len(names) > 1:
            beside = names[(names.index(node.id) + 1) % len(names)]
            yield "name", ast.Name(beside, ast.Load())
    if isinstance(parent, ast.For | ast.comprehension) and node is parent.iter:
        everything = ast.Call(ast.Name("list"), [node], [])  # type: ignore[list-item]
        one = ast.Constant(1)
        yield "loop", ast.List([], ast.Load())
        for some in (ast.Slice(lower=one), ast.Slice(upper=ast.UnaryOp(ast.USub(), one))):
            yield "loop", ast.Subscript(everything, some, ast.Load())
    if isinstance(parent, ast.If | ast.IfExp | ast.While | ast.comprehension) and node in (
        parent.ifs if isinstance(parent, ast.comprehension) else [parent.test]
    ):
        yield "condition", ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]
        yield from (("condition", ast.Constant(always)) for always in (True, False))
    if isinstance(parent, ast.Return) and isinstance(node, ast.Name | ast.Attribute | ast.Call):
        yield "sign", ast.UnaryOp(ast.USub(), node)


def _call_changes(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if len(node.args) > 1:
        if name not in ("max", "min"):
            yield "swap", _with(node, args=[node.args[1], node.args[0], *node.args[2:]])
        if not isinstance(node.args[-1], ast.Constant | ast.JoinedStr):
            yield "operand", _with(node, args=node.args[:-1])
    for i, keyword in enumerate(node.keywords):
        if not isinstance(keyword.value, ast.Constant):
            yield "operand", _with(node, keywords=[*node.keywords[:i], *node.keywords[i + 1 :]])
    if len(node.args) != 1:
        return
    if name in WRAPPERS:
        yield "operand", node.args[0]
    if name == "range":
        for op in (ast.Add(), ast.Sub()):
            yield "index", _with(node, args=[ast.BinOp(node.args[0], op, ast.Constant(1))])


def _statement_changes(node: ast.stmt) -> Iterator[tuple[str, str]]:
    text = ast.unparse(node)
    if isinstance(node, DROPPABLE):
        yield "dropped", "pass"
    if isinstance(node, ast.AugAssign):
        for other in _other_operators(node.op):
            yield "augmented", ast.unparse(_with(node, op=other()))
        yield "augmented", ast.unparse(ast.Assign([node.target], node.value, lineno=0))
        yield "doubled", f"{text}; {text}"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _called(node.value) not in SETTING:
        yield "doubled", f"{text}; {text}"
    elif isinstance(node, ast.Assign):
        if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
            yield "augmented", ast.unparse(ast.AugAssign(node.targets[0], ast.Add(), node.value))
        if isinstance(node.value, ast.Call) and _called(node.value) == "pop":
            yield "doubled", f"{text}; {text}"


def _other_operators(op: ast.operator) -> list[type[ast.operator]]:
    return [other for other in ARITHMETIC if not isinstance(op, other)]


def _below_abs(parent: ast.AST) -> bool:
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "abs"


def _squared(parent: ast.AST) -> bool:
    match parent:
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=2)):
            return True
    return False


def _called(call: ast.Call) -> str:
    """The name of the called method, "" where a function is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _other_constants(value: object, parent: ast.AST) -> list[str]:
    if isinstance(value, bool):
        return [repr(not value)]
    if isinstance(value, int | float):
        signed = [] if isinstance(parent, ast.UnaryOp) else [-value]
        numbers = dict.fromkeys([value + 1, value - 1, *signed, value * 0])
        return [repr(number) if number >= 0 else f"({number!r})" for number in numbers if number != value]
    if isinstance(value, str):
        return ["''" if value else "'x'"]
    return []


def _shape(statement: str) -> str:
    """The program that a statement, or the first line of one with a body, is: the same for two ways to write it."""
    header = statement.removeprefix("el") if statement.startswith("elif ") else statement
    return ast.dump(ast.parse(f"{header} pass" if header.endswith(":") else header))


def _never_read(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _with(node: ast.AST, **fields: object) -> ast.expr:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed  # type: ignore[return-value]


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _one_line(text: str) -> str:
    return " ".join(text.split())
