"""Scores as nbgrader reads them: the one output of a check cell.

nbgrader gives FULL points for a missing output, for True, NaN or anything that is not a number, so nothing is left
to it here: each check cell gets exactly one output with a number between 0 and the cell's points, or grading stops.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils

from autograder.course.manifest import CourseError, Part
from autograder.gradebook.message import task_html
from autograder.gradebook.overrides import Override, points_of
from autograder.judge.verdict import Verdict


def score_cells(nb: NotebookNode, part: Part, verdict: Verdict, decided: Mapping[str, Override] | None = None) -> None:
    """Write the verdict into the notebook's check cells; `decided`: a TA's points per task, in place of the judge's.

    Raises CourseError when the notebook, course.toml and the verdict do not speak of the same tasks and points, and
    ValueError for a score that is no score. The notebook is not to be used then.
    """
    if verdict.part != part.id:
        raise ValueError(f"the verdict is about {verdict.part}, not {part.id}")
    cells = {cell.metadata.nbgrader["grade_id"]: cell for cell in nb.cells if _is_check(cell)}
    tasks = {part.task(task.id).grade_id: task for task in verdict.tasks}
    if set(cells) != {task.grade_id for task in part.tasks}:
        raise CourseError(
            f"{part.id}'s notebook has check cells for {', '.join(sorted(cells)) or 'nothing'}, course.toml has tasks "
            f"{', '.join(task.id for task in part.tasks)}; run `micrograder build` and `nbgrader generate_assignment "
            f"{part.id} --force`"
        )
    for grade_id, cell in cells.items():
        if grade_id not in tasks:
            raise ValueError(f"the verdict says nothing about {grade_id}")
        task, points = tasks[grade_id], float(cell.metadata.nbgrader["points"])
        if not math.isclose(task.max, points):
            raise CourseError(
                f"{grade_id} is worth {points:g} points in course.toml and {task.max:g} in the verdict; course.toml "
                "has changed in between, so grade again"
            )
        if not (math.isfinite(task.score) and 0 <= task.score <= points * (1 + 1e-9)):
            raise ValueError(f"{grade_id}: {task.score!r} is not a score between 0 and {points:g}")
        override = (decided or {}).get(task.id)
        score = min(points_of(task, override), points)
        data = {"text/plain": repr(score), "text/html": task_html(verdict, task, override)}
        cell.outputs, cell.execution_count = [new_output("execute_result", data, execution_count=1)], 1


def _is_check(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell)
