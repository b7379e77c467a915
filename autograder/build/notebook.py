"""A part's notebook: solutions/partN/partN.py (py:percent text) -> the .ipynb that nbgrader reads.

Points come from course.toml and nowhere else, cell ids are fixed, there are no outputs: the same text gives the same
bytes on every machine. Model answers never reach a notebook.
"""

from __future__ import annotations

import json
from typing import Any

import nbformat

from autograder.course.manifest import Course, CourseError, Part
from autograder.course.notebook_text import NotebookText

_KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


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


class _Source(NotebookText):
    """The text with what a built notebook needs: nbgrader's metadata, and that nothing is missing."""

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
