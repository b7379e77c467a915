"""What stands in the gradebook about a part, read in one go and changed by nobody here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from nbgrader.api import BaseCell, Grade, Gradebook
from sqlalchemy import select

from autograder.gradebook.late import Assignment, SubmittedAssignment, SubmittedNotebook


@dataclass
class Row:
    """One student's submission: per cell the automatic and the manual score; when it was handed in; its penalty."""

    handed_in: datetime | None = None
    penalty: float | None = None
    auto: dict[str, float | None] = field(default_factory=dict)
    manual: dict[str, float | None] = field(default_factory=dict)

    def score(self, cell: str) -> float | None:
        """What counts for a cell: a marker's points, or else the automatic ones."""
        manual = self.manual.get(cell)
        return self.auto.get(cell) if manual is None else manual


def rows(gradebook: Gradebook, part_id: str) -> dict[str, Row]:
    """Every student who has a submission of the part in the gradebook."""
    statement = (
        select(
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedNotebook.late_submission_penalty,
            BaseCell.name,
            Grade.auto_score,
            Grade.manual_score,
        )
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .where(Assignment.name == part_id)
    )
    found: dict[str, Row] = {}
    for student, handed_in, penalty, cell, auto, manual in gradebook.db.execute(statement):
        row = found.setdefault(student, Row(handed_in, penalty))
        row.auto[cell], row.manual[cell] = auto, manual
    return found
