"""Scores as CSV: for people, for Canvas's gradebook import and for Moodle's.

For an LMS only final scores leave: whoever waits for a mark or has no verdict is named and left out, so that the LMS
keeps what it has. A score that stands for "not known yet" must never arrive there as a 0.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from autograder.course.manifest import Part
from autograder.gradebook.rows import Row

Format = Literal["csv", "canvas", "moodle"]


@dataclass(frozen=True)
class Grades:
    """A file's text, and who is not in it with a score: (student, why)."""

    text: str
    left_out: tuple[tuple[str, str], ...]


def grades(part: Part, rows: Sequence[Row], form: Format, *, missing_as_zero: bool = False) -> Grades:
    """The scores of `part`. With `missing_as_zero`, who handed nothing in has 0 points, and else no score."""
    final: dict[str, float] = {}
    left_out: list[tuple[str, str]] = []
    for row in rows:
        state = state_of(part, row)
        if state == "final" or (state == "nothing handed in" and missing_as_zero):
            final[row.student] = row.score
        else:
            left_out.append((row.student, state))
    tables = {"csv": _plain, "canvas": _canvas, "moodle": _moodle}
    return Grades(_as_csv(tables[form](part, rows, final)), tuple(left_out))


def state_of(part: Part, row: Row) -> str:
    """Whether a score is final, and else what it waits for."""
    if not row.handed_in:
        return "nothing handed in"
    tasks = {task.grade_id for task in part.tasks}
    known = {name for name, _ in row.cells}
    if not tasks <= known or tasks & set(row.waits):
        return "not graded"
    questions = {question.grade_id for question in part.questions}
    return "waits for a mark" if row.waits or not questions <= known else "final"


Table = Iterable[Sequence[str]]


def _plain(part: Part, rows: Sequence[Row], final: dict[str, float]) -> Table:
    """Everything, for a spreadsheet or a script; the score is empty until it is final."""
    cells = [task.grade_id for task in part.tasks] + [question.grade_id for question in part.questions]
    head = ["student", "last_name", "first_name", "email", "part", "state", "hours_late"]
    yield [*head, *cells, "penalty", "score", "max_score"]
    for row in rows:
        points = dict(row.cells)
        late = "" if row.late is None else _number(round(row.late / timedelta(hours=1), 2))
        yield [
            *(_inert(text) for text in (row.student, row.last_name, row.first_name, row.email)),
            part.id,
            state_of(part, row),
            late,
            *(_number(points[cell]) if cell in points and cell not in row.waits else "" for cell in cells),
            _number(row.penalty),
            _number(final[row.student]) if row.student in final else "",
            _number(float(part.max_score)),
        ]


def _canvas(part: Part, rows: Sequence[Row], final: dict[str, float]) -> Table:
    """Canvas: its five leading columns, the points possible in the second row, one column per assignment."""
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", part.heading]
    yield ["    Points Possible", "", "", "", "", _number(float(part.max_score))]
    for row in rows:
        if row.student in final:
            name = _inert(", ".join(filter(None, (row.last_name, row.first_name)))) or row.student
            yield [name, row.lms_id, "", row.student, "", _number(final[row.student])]


def _moodle(part: Part, rows: Sequence[Row], final: dict[str, float]) -> Table:
    """Moodle: columns named as in its own export; email or ID number tells it who is who."""
    yield ["First name", "Last name", "ID number", "Email address", f"{part.heading} (Real)"]
    for row in rows:
        if row.student in final:
            names = (_inert(row.first_name), _inert(row.last_name))
            yield [*names, row.lms_id or row.student, row.email, _number(final[row.student])]


def _number(value: float) -> str:
    return f"{round(value, 4):.10g}"


def _inert(text: str) -> str:
    """Text that no spreadsheet takes for a formula: names come from outside."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _as_csv(table: Table) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows(table)
    return out.getvalue()
