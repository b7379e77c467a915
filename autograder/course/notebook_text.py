"""A part's notebook as it is written by hand: solutions/partN/partN.py, py:percent text with marks on its cells.

Reads and checks the marks; what becomes of the cells is the build's business. The model answers stand here too, and
whoever reads them must not let them out: the build leaves them out, the leak scan looks for them, the formgrader shows
them to whoever marks.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jupytext

from autograder.course.manifest import Course, CourseError, Part

ROLES = ("task", "question", "answer")
# What jupytext remembers about the text's blank lines; it would make the notebook depend on them.
_JUPYTEXT_MARKS = ("lines_to_next_cell", "lines_to_end_of_cell_marker")


def source_path(course: Course, part: Part) -> Path:
    """Where the text of the part's notebook is written by hand."""
    return course.solutions / part.id / f"{part.notebook}.py"


def model_answers(course: Course, part: Part) -> list[tuple[str, str, str]]:
    """The model answers: (question's id, "file:line" of its cell, text). Empty when the part has no notebook yet.

    Raises CourseError as NotebookText does.
    """
    if not source_path(course, part).is_file():
        return []
    text = NotebookText(course, part)
    return [
        (cell["metadata"]["answer"], f"{text.name}:{line}", cell["source"])
        for cell, line in zip(text.cells, text.lines, strict=True)
        if "answer" in cell["metadata"]
    ]


class NotebookText:
    """The cells of one py:percent file, the line of each, and which tasks and questions were met in them.

    Raises CourseError, naming the line, for an unknown mark on a cell and for a cell that its mark does not fit.
    """

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
        self.seen: dict[str, list[str]] = {role: [] for role in ROLES}
        before: dict[str, Any] = {}
        for cell, line in zip(self.cells, self.lines, strict=True):
            for mark in _JUPYTEXT_MARKS:
                cell["metadata"].pop(mark, None)
            self._check(cell, before, f"{self.name}:{line}")
            before = cell

    def _check(self, cell: dict[str, Any], before: dict[str, Any], where: str) -> None:
        marks = cell["metadata"]
        if unknown := sorted(set(marks) - {*ROLES, "tags"}):
            raise CourseError(f"{where}: a cell is marked {unknown[0]!r}; there are task, question, answer and tags")
        roles = [role for role in ROLES if role in marks]
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


def _kind(role: str) -> str:
    return "code" if role == "task" else "markdown"
