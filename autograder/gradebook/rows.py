"""The gradebook of one part as plain rows, one per student, for reports and exports. It only reads.

A submission without a score is told apart from one with 0 points, which nbgrader's own export does not do.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nbgrader.api import Student

from autograder.course.manifest import Course, Part
from autograder.gradebook.session import has_gradebook, open_gradebook
from autograder.gradebook.submitted import Submitted, read_submitted


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
        columns = (Student.id, Student.first_name, Student.last_name, Student.email, Student.lms_user_id)
        students = gradebook.db.query(*columns).all()
        taken = read_submitted(gradebook, part.id)
    rows = []
    for student, first, last, email, lms_id in students:
        own = taken.get(student, Submitted())
        points = {cell: own.score(cell) for cell in own.auto}
        rows.append(
            Row(
                student=student,
                first_name=first or "",
                last_name=last or "",
                email=email or "",
                lms_id=lms_id or "",
                handed_in=student in taken,
                cells=tuple(
                    sorted((cell, score + own.extra[cell]) for cell, score in points.items() if score is not None)
                ),
                waits=tuple(sorted(own.waits | {cell for cell, score in points.items() if score is None})),
                penalty=own.penalty or 0.0,
                late=_late(part, own.handed_in, own.extension),
            )
        )
    return sorted(rows, key=lambda row: (row.student.casefold(), row.student))


def _late(part: Part, timestamp: datetime | None, extension: timedelta | None) -> timedelta | None:
    if timestamp is None:
        return None
    handed_in = timestamp.replace(tzinfo=UTC) if timestamp.tzinfo is None else timestamp  # nbgrader stores UTC
    return max(timedelta(), handed_in - (part.due + (extension or timedelta())))
