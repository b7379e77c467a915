"""The reference's code in place of a failed task, so that a later task that stands on it is judged on its own.

A graft is source text that the worker runs among the names of the student's module: it replaces whole functions or
methods, by name, with those of the worked solution. It only ever runs in workers of tests that failed before, and all
that a student learns of it is one fixed sentence, so nothing of the reference can come back out.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator

from autograder.course import Course, Part
from autograder.course.regions import render, solution_file

NAME = "_graft_of_the_reference"


def grafts(course: Course, part: Part, tasks: Iterable[str]) -> dict[str, str]:
    """For each module (without .py) that holds code of one of `tasks`: the source that puts the reference's there.

    Raises CourseError when solutions/ can't be read.
    """
    wanted = set(tasks)
    found: dict[str, str] = {}
    for name in part.graded:
        source = solution_file(course, name)
        numbers = {
            line.number
            for task, _, lines in source.solution_lines()
            if task in wanted
            for line in lines
            if line.text.strip()
        }
        places = {
            place
            for place, function in _functions((course.solutions / name).read_text(encoding="utf-8"))
            if numbers.intersection(_span(function))
        }
        if places:
            found[name.removesuffix(".py")] = _graft(render(source, part.number, worked=True), places)
    return found


def _functions(text: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function of a module and every method of its classes, by dotted name; without inner functions."""
    for item in ast.parse(text).body:
        if isinstance(item, ast.FunctionDef):
            yield item.name, item
        elif isinstance(item, ast.ClassDef):
            yield from ((f"{item.name}.{part.name}", part) for part in item.body if isinstance(part, ast.FunctionDef))


def _span(function: ast.FunctionDef) -> range:
    return range(function.lineno, (function.end_lineno or function.lineno) + 1)


def _graft(worked: str, places: set[str]) -> str:
    """One function that defines the wanted ones and puts each in its place, so that no other name is touched."""
    lines = worked.splitlines()
    imports = [ast.unparse(item) for item in ast.parse(worked).body if isinstance(item, ast.Import | ast.ImportFrom)]
    body = list(imports)
    for place, function in _functions(worked):
        if place in places:
            body.append(textwrap.dedent("\n".join(lines[_span(function).start - 1 : _span(function).stop - 1])))
            owner, _, method = place.rpartition(".")
            body.append(f"{owner}.{method} = {method}" if owner else f"globals()[{method!r}] = {method}")
    return f"def {NAME}():\n{textwrap.indent(chr(10).join(body), '    ')}\n{NAME}()\ndel {NAME}\n"
