"""Late work: course.toml's due dates, extensions and late rule, put into nbgrader's database and applied there.

The only place that computes a penalty. nbgrader computes one when it autogrades and never again; points that a marker
gives later are counted in here, at the moment they are saved.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nbgrader import api
from nbgrader.api import Grade, Gradebook
from nbgrader.plugins import BasePlugin
from sqlalchemy import event, select, update
from sqlalchemy.orm import Session
from traitlets import Unicode

from autograder.course.manifest import Course, CourseError, Part, load_course

DAY = 86_400
# nbgrader's tables, whose attributes it annotates as what they are not.
Assignment: Any = api.Assignment
SubmittedAssignment: Any = api.SubmittedAssignment
SubmittedNotebook: Any = api.SubmittedNotebook


def penalty(course: Course, score: float, seconds_late: float) -> float | None:
    """What work that is so late loses of `score` points; None when it loses nothing.

    Each day that has begun costs late_percent_per_day of the points; after late_window_days nothing is left.
    """
    if seconds_late <= 0:
        return None
    if seconds_late > course.late_window_days * DAY:
        return score
    percent = min(100, math.ceil(seconds_late / DAY) * course.late_percent_per_day)
    return round(float(score * percent / 100), 4) or None


class LateRule(BasePlugin):
    """The rule as nbgrader's AssignLatePenalties asks for it."""

    course_root = Unicode(help="The folder that holds solutions/course.toml").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        """The points to take off, or None."""
        return penalty(load_course(Path(self.course_root)), score, total_seconds_late)


def put_dates(gradebook: Gradebook, course: Course, part: Part, student: str | None = None) -> None:
    """Put the part's due date and course.toml's extensions (all, or one student's) into the gradebook.

    Extensions that were granted through nbgrader stay, where course.toml names none. The caller commits.
    """
    assignment: Any = gradebook.find_assignment(part.id)
    due = utc(part.due)
    if assignment.duedate != due:
        assignment.duedate = due
    given = course.extensions_of(part)
    for submission in gradebook.db.query(SubmittedAssignment).filter(
        SubmittedAssignment.assignment_id == assignment.id,
        SubmittedAssignment.student_id.in_([name for name in given if student in (None, name)]),
    ):
        if submission.extension != given[submission.student_id]:
            submission.extension = given[submission.student_id]


def refresh_penalties(gradebook: Gradebook, course: Course, part_id: str, student: str | None = None) -> int:
    """Compute every late penalty of a part again (or one student's), and commit; how many have changed."""
    wanted = select(SubmittedNotebook.id).join(SubmittedAssignment).join(Assignment).where(Assignment.name == part_id)
    if student is not None:
        wanted = wanted.where(SubmittedAssignment.student_id == student)
    gradebook.db.flush()
    changed = _refresh(gradebook.db, course, list(gradebook.db.scalars(wanted)))
    gradebook.db.commit()
    return changed


def watch_marks(root: Path) -> None:
    """From now on, points that this process saves for late work of the course at `root` change the penalty too.

    The formgrader's server is such a process; it serves one course. The last call counts.
    """
    _watched[:] = [root]
    if not event.contains(Session, "after_flush", _marks_saved):
        event.listen(Session, "after_flush", _marks_saved)


def utc(moment: datetime) -> datetime:
    """As nbgrader keeps it: in UTC, without saying so."""
    return moment.astimezone(UTC).replace(tzinfo=None)


_watched: list[Path] = []


def _marks_saved(session: Session, _: object) -> None:
    notebooks = {each.notebook_id for each in (*session.dirty, *session.new) if isinstance(each, Grade)}
    if not notebooks or not _watched:
        return
    try:
        course = load_course(_watched[-1])
    except CourseError:
        return  # said by every command of the kit; a marker's points are saved all the same
    _refresh(session, course, sorted(str(each) for each in notebooks))


def _refresh(session: Any, course: Course, notebooks: list[str]) -> int:
    """Bring the penalties of these submitted notebooks up to date; statements only, so that a flush may call it."""
    if not notebooks:
        return 0
    rows = session.connection().execute(
        select(
            SubmittedNotebook.id,
            SubmittedNotebook.late_submission_penalty,
            SubmittedNotebook.score.label("score"),
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
            Assignment.duedate,
        )
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(SubmittedNotebook.id.in_(notebooks), SubmittedAssignment.timestamp.is_not(None))
    )
    changed = 0
    for each in rows.all():
        if each.duedate is None:
            continue
        late = each.timestamp - (each.duedate + (each.extension or timedelta()))
        now = penalty(course, float(each.score), late.total_seconds())
        before = each.late_submission_penalty
        if (now is None) == (before is None) and math.isclose(now or 0.0, before or 0.0, abs_tol=1e-9):
            continue
        session.connection().execute(
            update(SubmittedNotebook).where(SubmittedNotebook.id == each.id).values(late_submission_penalty=now)
        )
        changed += 1
    return changed
