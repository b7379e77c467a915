"""The gradebook of one part as plain rows, one per student, for reports and exports. It only reads.

A submission without a score is told apart from one with 0 points, which nbgrader's own export does not do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from nbgrader.api import Assignment, BaseCell, Grade, Student, SubmittedAssignment, SubmittedNotebook

from autograder.course.manifest import Course, Part
from autograder.gradebook.session import has_gradebook, open_gradebook


@dataclass(frozen=True)
class Row:
    """One student in the gradebook.

    handed_in   whether nbgrader has taken in a submission
    cells       points per cell (grade_id) that has any; a cell that waits for a mark or for grading is not in it
    waits       cells that wait for a person, or for grading
    penalty     points taken off for lateness
    late        how long after the due date and the student's extension; None when the time is not known
    """

    student: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""
    handed_in: bool = True
    cells: tuple[tuple[str, float], ...] = ()
    waits: tuple[str, ...] = ()
    penalty: float = 0.0
    late: timedelta | None = None

    @property
    def score(self) -> float:
        """Points so far, after the penalty, never below 0."""
        return max(0.0, round(sum(points for _, points in self.cells) - self.penalty, 10))


def read_rows(course: Course, part: Part) -> list[Row]:
    """Everybody in the gradebook, by name; an empty list when there is no gradebook yet."""
    if not has_gradebook(course):
        return []
    with open_gradebook(course) as gradebook:
        db = gradebook.db
        students = db.query(Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id).all()
        taken = (
            db.query(SubmittedAssignment.student_id, SubmittedAssignment.timestamp, SubmittedAssignment.extension)
            .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
            .filter(Assignment.name == part.id)  # pyright: ignore[reportGeneralTypeIssues]
            .all()
        )
        own = (
            db.query(SubmittedNotebook.id, SubmittedAssignment.student_id, SubmittedNotebook.late_submission_penalty)
            .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
            .filter(Assignment.name == part.id)  # pyright: ignore[reportGeneralTypeIssues]
        )
        penalties: dict[str, float] = {}
        for _, student, penalty in own.all():
            penalties[student] = penalties.get(student, 0.0) + (penalty or 0.0)
        notebooks = own.subquery()
        grades = (
            db.query(
                notebooks.c.student_id,
                BaseCell.name,
                Grade.auto_score,
                Grade.manual_score,
                Grade.extra_credit,
                Grade.needs_manual_grade,
            )
            .join(notebooks, Grade.notebook_id == notebooks.c.id)
            .join(BaseCell, Grade.cell_id == BaseCell.id)
            .all()
        )
    cells, waits = _sorted(grades)
    times = {student: (timestamp, extension) for student, timestamp, extension in taken}
    rows = [
        Row(
            student=student,
            first_name=first or "",
            last_name=last or "",
            email=email or "",
            lms_id=lms_id or "",
            handed_in=student in times,
            cells=tuple(sorted(cells.get(student, {}).items())),
            waits=tuple(sorted(waits.get(student, []))),
            penalty=penalties.get(student, 0.0),
            late=_late(part, *times.get(student, (None, None))),
        )
        for student, first, last, email, lms_id in students
    ]
    return sorted(rows, key=lambda row: (row.student.casefold(), row.student))


def _sorted(grades: Iterable[Any]) -> tuple[dict[str, dict[str, float]], dict[str, list[str]]]:
    """Points per student and cell, and the cells that have none yet."""
    cells: dict[str, dict[str, float]] = {}
    waits: dict[str, list[str]] = {}
    for student, name, auto, manual, extra, needs in grades:
        points = manual if manual is not None else auto
        if needs or points is None:
            waits.setdefault(student, []).append(name)
        if points is not None:
            cells.setdefault(student, {})[name] = points + (extra or 0.0)
    return cells, waits


def _late(part: Part, timestamp: datetime | None, extension: timedelta | None) -> timedelta | None:
    if timestamp is None:
        return None
    handed_in = timestamp.replace(tzinfo=UTC) if timestamp.tzinfo is None else timestamp  # nbgrader stores UTC
    return max(timedelta(), handed_in - (part.due + (extension or timedelta())))
