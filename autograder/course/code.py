"""A part's Python files as they stand in other hands than a student's: handed out finished, or worked out.

Rendering only, and light to import: judges need it. What else a part is handed out with is build's business.
"""

from __future__ import annotations

from autograder.course.manifest import Course, Part
from autograder.course.regions import render, solution_file


def given_files(course: Course, part: Part) -> dict[str, bytes]:
    """The files that students get finished, as they were handed out: what a submission has of them does not count.

    Raises CourseError, naming the file and where possible the line, when one of them cannot be made.
    """
    return {name: render(solution_file(course, name), part.number).encode() for name in part.given}


def worked_solution(course: Course, part: Part, *, but: str | None = None) -> dict[str, bytes]:
    """The graded files of `part`, finished: what is handed out after the due date.

    but  the id of a task of the part that stays a stub
    Raises CourseError as given_files does.
    """
    return {
        name: render(solution_file(course, name), part.number, worked=True, but=but).encode()
        for name in sorted(part.graded)
    }
