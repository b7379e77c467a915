"""A task whose body is a constant: what whoever types something in instead of thinking would hand in.

Every function that holds code of the task gets the one body; in a function that other tasks share, as an operation with
its closure, the closure does, and everything around it is finished. A piece without a function of its own, as the line
that takes a plain number, makes it the whole function around it.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable

from autograder.course import Course, Part
from autograder.course.regions import SolutionFile, render, solution_file

CONSTANTS = ("pass", "None", "0", "0.0", "[]", "True", "False")


def constant_bodies(course: Course, part: Part, tasks: tuple[str, ...], constant: str) -> dict[str, bytes]:
    """The part's worked solution, with `constant` as the body of every function of those tasks."""
    return {
        name: with_constant(solution_file(course, name), part, tasks, constant).encode() for name in sorted(part.graded)
    }


def with_constant(source: SolutionFile, part: Part, tasks: tuple[str, ...], constant: str) -> str:
    """The worked solution of one file, with `constant` as the body of every function of those tasks."""
    worked = render(source, part.number, worked=True)
    found = {(each.lineno, each.end_lineno or 0): each for task in tasks for each in _places(source, task, worked)}
    outer = [
        function
        for (start, end), function in found.items()
        if not any(first <= start and end <= last and (first, last) != (start, end) for first, last in found)
    ]
    lines = worked.splitlines()
    for function in sorted(outer, key=lambda each: -each.lineno):
        body = "pass" if constant == "pass" else f"return {constant}"
        indent = " " * (function.col_offset + 4)
        first = function.body[0]
        lines[first.lineno - 1 : function.end_lineno] = [textwrap.indent(body, indent)]
    return "\n".join(lines) + "\n"


def _places(source: SolutionFile, task: str, worked: str) -> list[ast.FunctionDef]:
    """The functions of the worked solution whose code is the task's: the innermost that are wholly its own.

    For a piece of the task in the middle of a function, as a forward line is, it is that whole function.
    """
    pieces = [_stripped(line.text for line in lines) for owner, _, lines in source.solution_lines() if owner == task]
    wanted = set[str]().union(*pieces)
    others = {
        line.text.strip()
        for owner, _, lines in source.solution_lines()
        if owner != task and int(owner.partition(".")[0]) <= part_of(task)
        for line in lines
    }
    own = wanted - others
    lines = worked.splitlines()
    found: list[ast.FunctionDef] = []

    def inside(node: ast.FunctionDef) -> set[str]:
        return _stripped(lines[node.lineno - 1 : node.end_lineno])

    def look(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                body = _stripped(lines[child.body[0].lineno - 1 : child.end_lineno])
                if body & own and body <= wanted | _docstring(child, lines):
                    found.append(child)
                    continue
            look(child)

    tree = ast.parse(worked)
    look(tree)
    covered = set[str]().union(*map(inside, found))
    loose = set[str]().union(*(piece & own for piece in pieces if not piece & covered))
    return found + [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and inside(node) & loose]


def _stripped(lines: Iterable[str]) -> set[str]:
    return {line.strip() for line in lines} - {""}


def part_of(task: str) -> int:
    """The number of a task's part."""
    return int(task.partition(".")[0])


def _docstring(function: ast.FunctionDef, lines: list[str]) -> set[str]:
    first = function.body[0]
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
        return set()
    return {line.strip() for line in lines[first.lineno - 1 : first.end_lineno]}
