"""What stands in the gradebook about a part, read in one go and changed by nobody here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from nbgrader.api import BaseCell, Grade, Gradebook
from sqlalchemy import select

from autograder.gradebook.late import Assignment, SubmittedAssignment, SubmittedNotebook


@dataclass
class Submitted:
    """One submission as nbgrader has it: when it came, what lateness costs, and per cell (grade_id) its points.

    `extra` holds what a marker gave beyond them, and `waits` the cells that need a person.
    """

    handed_in: datetime | None = None
    extension: timedelta | None = None
    penalty: float | None = None
    auto: dict[str, float | None] = field(default_factory=dict)
    manual: dict[str, float | None] = field(default_factory=dict)
    extra: dict[str, float] = field(default_factory=dict)
    waits: set[str] = field(default_factory=set)

    def score(self, cell: str) -> float | None:
        """What counts for a cell, without the extra points: a marker's points, or else the automatic ones."""
        manual = self.manual.get(cell)
        return self.auto.get(cell) if manual is None else manual


def read_submitted(gradebook: Gradebook, part_id: str) -> dict[str, Submitted]:
    """Every student who has a submission of the part in the gradebook, one without any score too."""
    statement = (
        select(
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
            SubmittedNotebook.late_submission_penalty,
            BaseCell.name,
            Grade.auto_score,
            Grade.manual_score,
            Grade.extra_credit,
            Grade.needs_manual_grade,
        )
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .outerjoin(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .outerjoin(BaseCell, BaseCell.id == Grade.cell_id)
        .where(Assignment.name == part_id)
    )
    found: dict[str, Submitted] = {}
    for student, handed_in, extension, penalty, cell, auto, manual, extra, waits in gradebook.db.execute(statement):
        one = found.setdefault(student, Submitted(handed_in, extension, penalty))
        if cell is None:
            continue
        one.auto[cell], one.manual[cell], one.extra[cell] = auto, manual, extra or 0.0
        if waits:
            one.waits.add(cell)
    return found
