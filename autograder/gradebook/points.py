"""What every cell counts, as course.toml says, put into nbgrader's database, where submissions may exist already.

nbgrader itself takes new points from a newly generated notebook only, and none of them away. Nothing a marker gave is
lost: points for a cell that was dropped are set aside in a table of ours beside nbgrader's, in the same database, and
come back with the cell.
"""

from __future__ import annotations

import math
from typing import Any

from nbformat import from_dict
from nbgrader import api, utils
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy import Column, Float, MetaData, String, Table, delete, insert, inspect, select, update

from autograder.course.manifest import Part, Question
from autograder.gradebook.late import Assignment, SubmittedAssignment, SubmittedNotebook
from autograder.gradebook.submitted import Submitted

# nbgrader's tables, whose attributes it annotates as what they are not.
BaseCell: Any = api.BaseCell
Grade: Any = api.Grade
SET_ASIDE = Table(
    "micrograder_set_aside",
    MetaData(),
    Column("grade_id", String(32), primary_key=True),
    Column("manual_score", Float()),
    Column("extra_credit", Float()),
)


def put_points(gradebook: Gradebook, part: Part, student: str | None = None) -> None:
    """Bring the maximum of every cell of `part` up to date, and drop or bring back what people got (or one student).

    A dropped cell counts 0 for everybody and waits for nobody. Where a maximum falls below a mark that was given, the
    mark stays and waits for its marker. The caller commits.
    """
    try:
        notebook = gradebook.find_notebook(part.notebook, part.id)
    except MissingEntry:
        return
    cells: dict[Any, Any] = {cell.name: cell for cell in notebook.grade_cells}
    sources: dict[Any, Any] = {cell.name: cell for cell in notebook.source_cells}
    for each in part.counted:
        cell = cells.get(each.grade_id)
        if cell is not None and not math.isclose(cell.max_score, each.points):
            cell.max_score = float(each.points)
            source = sources[each.grade_id]
            source.checksum = _checksum(source, cell.max_score, isinstance(each, Question))
            _ask_again(gradebook, part, each.grade_id, cell.max_score)
    gradebook.db.flush()
    dropped = [each.grade_id for each in part.counted if each.dropped]
    if dropped:
        SET_ASIDE.create(gradebook.db.connection(), checkfirst=True)
        _set_aside(gradebook, part, dropped, student)
    _bring_back(gradebook, part, dropped, student)
    gradebook.db.expire_all()


def read_set_aside(gradebook: Gradebook, part: Part) -> dict[tuple[str, str], float]:
    """The points that were set aside, by student and cell."""
    if not _has_table(gradebook):
        return {}
    rows: Any = gradebook.db.execute(
        _grades(part, SubmittedAssignment.student_id, BaseCell.name, SET_ASIDE.c.manual_score, SET_ASIDE.c.extra_credit)
        .join(SET_ASIDE, SET_ASIDE.c.grade_id == Grade.id)
        .where(SET_ASIDE.c.manual_score.is_not(None))
    )
    return {(student, cell): manual + (extra or 0.0) for student, cell, manual, extra in rows}


def worth(gradebook: Gradebook, part: Part) -> float | None:
    """What the part is worth in the gradebook; None when it is not there."""
    try:
        return float(sum(cell.max_score for cell in gradebook.find_notebook(part.notebook, part.id).grade_cells))
    except MissingEntry:
        return None


def marks_above(part: Part, submitted: dict[str, Submitted]) -> list[str]:
    """A sentence for every mark that is higher than what its cell is worth."""
    found = []
    for student, row in sorted(submitted.items()):
        for each in part.counted:
            mark = row.manual.get(each.grade_id)
            if mark is not None and mark > each.points and not each.dropped:
                now = f"{float(each.points):g} points"
                found.append(f"{student}: {each.id} is worth {now} and was marked {mark:g}; mark it again")
    return found


def _grades(part: Part, *columns: Any) -> Any:
    """A query for columns of the part's grades and of what they belong to."""
    return (
        select(*columns)
        .select_from(Grade)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == part.id)
    )


def _ids(part: Part, student: str | None) -> Any:
    wanted = _grades(part, Grade.id)
    return wanted if student is None else wanted.where(SubmittedAssignment.student_id == student)


def _ask_again(gradebook: Gradebook, part: Part, cell: str, most: float) -> None:
    too_high = _grades(part, Grade.id).where(BaseCell.name == cell, Grade.manual_score > most)
    gradebook.db.execute(
        update(Grade)
        .where(Grade.id.in_(too_high))
        .values(needs_manual_grade=True)
        .execution_options(synchronize_session=False)
    )


def _set_aside(gradebook: Gradebook, part: Part, dropped: list[str], student: str | None) -> None:
    own = _ids(part, student).where(BaseCell.name.in_(dropped))
    marked = select(Grade.id, Grade.manual_score, Grade.extra_credit).where(
        Grade.id.in_(own), Grade.manual_score.is_not(None) | Grade.extra_credit.is_not(None)
    )
    for grade_id, manual, extra in gradebook.db.execute(marked).all():
        gradebook.db.execute(delete(SET_ASIDE).where(SET_ASIDE.c.grade_id == grade_id))
        gradebook.db.execute(insert(SET_ASIDE).values(grade_id=grade_id, manual_score=manual, extra_credit=extra))
    nothing = {"auto_score": 0.0, "manual_score": None, "extra_credit": None, "needs_manual_grade": False}
    gradebook.db.execute(
        update(Grade).where(Grade.id.in_(own)).values(**nothing).execution_options(synchronize_session=False)
    )


def _bring_back(gradebook: Gradebook, part: Part, dropped: list[str], student: str | None) -> None:
    if not _has_table(gradebook):
        return
    own = _ids(part, student).where(BaseCell.name.not_in(dropped))
    for grade_id, manual, extra in gradebook.db.execute(select(SET_ASIDE).where(SET_ASIDE.c.grade_id.in_(own))).all():
        gradebook.db.execute(
            update(Grade)
            .where(Grade.id == grade_id)
            .values(manual_score=manual, extra_credit=extra)
            .execution_options(synchronize_session=False)
        )
        gradebook.db.execute(delete(SET_ASIDE).where(SET_ASIDE.c.grade_id == grade_id))


def _has_table(gradebook: Gradebook) -> bool:
    return inspect(gradebook.db.connection()).has_table(SET_ASIDE.name)


def _checksum(source: Any, points: float, written: bool) -> str:
    """nbgrader's own, of the cell with other points: it covers them, and tells an edited cell from an untouched one."""
    marks = {"grade": True, "solution": written, "locked": not written, "grade_id": source.name, "points": points}
    cell: Any = from_dict({"cell_type": source.cell_type, "source": source.source, "metadata": {"nbgrader": marks}})
    return utils.compute_checksum(cell)
