"""A part's notebook: solutions/partN/partN.py (py:percent text) -> the .ipynb that nbgrader reads.

Points come from course.toml and nowhere else, cell ids are fixed, there are no outputs: the same text gives the same
bytes on every machine. Model answers are read here for the leak scan and never reach a notebook.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from autograder.course.manifest import Course, CourseError, Part

_ROLES = ("task", "question", "answer")
# What jupytext remembers about the text's blank lines; it would make the notebook depend on them.
_JUPYTEXT_MARKS = ("lines_to_next_cell", "lines_to_end_of_cell_marker")
_KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def source_path(course: Course, part: Part) -> Path:
    """Where the text of the part's notebook is written by hand."""
    return course.solutions / part.id / f"{part.notebook}.py"


def build_notebook(course: Course, part: Part) -> str:
    """The part's notebook as the text of an .ipynb file.

    Raises CourseError, naming it, for a task without exactly one check cell, a question without exactly one answer
    cell or without a model answer, a cell for something that course.toml does not have, or an unknown mark on a cell.
    """
    source = _Source(course, part)
    cells = [_plain_cell(cell, i) for i, cell in enumerate(c for c in source.cells if "answer" not in c["metadata"])]
    notebook = {"cells": cells, "metadata": _KERNEL, "nbformat": 4, "nbformat_minor": 5}
    for cell in cells:
        source.grade(cell)
    source.check_complete()
    nbformat.validate(nbformat.from_dict(notebook))
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def model_answers(course: Course, part: Part) -> list[tuple[str, str, str]]:
    """The model answers: (question's id, "file:line" of its cell, text). Empty when the part has no notebook yet."""
    if not source_path(course, part).is_file():
        return []
    source = _Source(course, part)
    return [
        (cell["metadata"]["answer"], f"{source.name}:{line}", cell["source"])
        for cell, line in zip(source.cells, source.lines, strict=True)
        if "answer" in cell["metadata"]
    ]


class _Source:
    """The cells of one py:percent file, and which tasks and questions were met in them."""

    def __init__(self, course: Course, part: Part) -> None:
        self.part = part
        path = source_path(course, part)
        self.name = path.relative_to(course.root).as_posix()
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise CourseError(f"{self.name}: {part.id} has no notebook text; write it there") from None
        except UnicodeDecodeError:
            raise CourseError(f"{self.name}: not UTF-8 text") from None
        self.cells: list[dict[str, Any]] = [dict(cell) for cell in jupytext.reads(text, fmt="py:percent").cells]
        # Counted from the end, because text above the first "# %%" is a cell (or a header) without a line of its own.
        starts = [number for number, line in enumerate(text.splitlines(), 1) if re.match(r"# ?%%", line)]
        self.lines = [1] * (len(self.cells) - len(starts)) + starts[-len(self.cells) :]
        self.seen: dict[str, list[str]] = {role: [] for role in _ROLES}
        before: dict[str, Any] = {}
        for cell, line in zip(self.cells, self.lines, strict=True):
            for mark in _JUPYTEXT_MARKS:
                cell["metadata"].pop(mark, None)
            self._check(cell, before, f"{self.name}:{line}")
            before = cell

    def _check(self, cell: dict[str, Any], before: dict[str, Any], where: str) -> None:
        marks = cell["metadata"]
        if unknown := sorted(set(marks) - {*_ROLES, "tags"}):
            raise CourseError(f"{where}: a cell is marked {unknown[0]!r}; there are task, question, answer and tags")
        roles = [role for role in _ROLES if role in marks]
        if len(roles) > 1:
            raise CourseError(f"{where}: a cell marked as {' and '.join(roles)}; it can be only one of them")
        for role in roles:
            name = marks[role]
            known = [task.id for task in self.part.tasks] if role == "task" else [q.id for q in self.part.questions]
            if name not in known:
                raise CourseError(f"{where}: {self.part.id} has no {role} {name!r} in course.toml")
            if cell["cell_type"] != ("code" if role == "task" else "markdown"):
                raise CourseError(f"{where}: the cell of {role} {name} has to be a {_kind(role)} cell")
            if role == "task" and cell["source"].strip() != f'check("{name}")':
                raise CourseError(f'{where}: the check cell of task {name} has to say check("{name}") and no more')
            if role == "question" and (before.get("cell_type") != "markdown" or before["metadata"]):
                raise CourseError(f"{where}: an ordinary markdown cell has to ask the question {name} right before")
            self.seen[role].append(name)

    def grade(self, cell: dict[str, Any]) -> None:
        """Turn the marks of a check cell or an answer cell into nbgrader's metadata and a fixed id."""
        marks = cell["metadata"]
        if "task" in marks:
            task = self.part.task(marks.pop("task"))
            grade_id, points, written = task.grade_id, task.points, False
        elif "question" in marks:
            question = next(q for q in self.part.questions if q.id == marks["question"])
            grade_id, points, written = question.grade_id, question.points, True
            del marks["question"]
        else:
            return
        cell["id"] = grade_id
        marks["nbgrader"] = {
            "cell_type": cell["cell_type"],
            "grade": True,
            "grade_id": grade_id,
            "locked": not written,
            "points": float(points),
            "schema_version": 3,
            "solution": written,
            "task": False,
        }

    def check_complete(self) -> None:
        """Raise CourseError unless every task has one check cell and every question one answer cell and a model."""
        self._each_once("task", [task.id for task in self.part.tasks], "check cell", '# %% task="{}"')
        questions = [question.id for question in self.part.questions]
        self._each_once("question", questions, "answer cell", '# %% [markdown] question="{}"')
        for name in questions:
            if name not in self.seen["answer"]:
                raise CourseError(f'{self.name}: question {name} has no model answer (# %% [markdown] answer="{name}")')

    def _each_once(self, role: str, names: list[str], what: str, how: str) -> None:
        for name in names:
            count = self.seen[role].count(name)
            if count == 0:
                raise CourseError(f"{self.name}: {role} {name} has no {what} ({how.format(name)})")
            if count > 1:
                raise CourseError(f"{self.name}: {role} {name} has {count} {what}s, not one")


def _kind(role: str) -> str:
    return "code" if role == "task" else "markdown"


def _plain_cell(cell: dict[str, Any], index: int) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "cell_type": cell["cell_type"],
        "id": f"cell-{index:03d}",
        "metadata": dict(cell["metadata"]),
        "source": cell["source"].strip("\n").splitlines(keepends=True),
    }
    if plain["cell_type"] == "code":
        plain |= {"execution_count": None, "outputs": []}
    return plain
