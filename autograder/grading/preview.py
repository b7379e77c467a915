"""`micrograder grade PART --preview`: what grading would change, and which tests did it. Writes nothing at all.

Reads the gradebook, the verdicts behind its scores and what was handed in, and judges; what is judged here is not kept
either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from autograder.course import Course, Part
from autograder.gradebook.files import Refused
from autograder.gradebook.intake import TIMESTAMP, read_in
from autograder.gradebook.late import penalty, utc
from autograder.gradebook.overrides import points_of, read_overrides
from autograder.gradebook.points import marks_above, read_set_aside, worth
from autograder.gradebook.session import has_gradebook, open_gradebook
from autograder.gradebook.submitted import Submitted, read_submitted
from autograder.gradebook.verdicts import load_verdict
from autograder.grading.asking import Asking, JudgeAll, NoVerdict
from autograder.grading.grade import Watcher, utc_of
from autograder.judge.pool import judge_all
from autograder.judge.verdict import TaskVerdict, Verdict

SAME = 1e-9


@dataclass(frozen=True)
class Move:
    """One student's score for one task or question. `before`: None when there is no score yet; `by_hand`: a marker's
    points count, and stay.

    `tests`: (name, outcome before or "" when not known, outcome now) of every test that ends in another way.
    """

    student: str
    task: str
    before: float | None
    after: float
    by_hand: bool
    tests: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class Late:
    """What lateness costs one student, before and after."""

    student: str
    before: float
    after: float


@dataclass(frozen=True)
class Preview:
    """All that would move, and how many submissions were looked at.

    unjudged  students without a verdict, and why
    late      late penalties that would change
    worth     what the part is worth in the gradebook (None: it is not there) and in course.toml
    remarks   what a person has to do afterwards
    """

    moves: tuple[Move, ...]
    total: int
    unjudged: dict[str, str]
    late: tuple[Late, ...] = ()
    worth: tuple[float | None, float] = (None, 0.0)
    remarks: tuple[str, ...] = ()


def preview(
    course: Course, part: Part, watcher: Watcher, *, processes: int | None = None, judge: JudgeAll = judge_all
) -> Preview:
    """What `grade` would change in the scores. Raises what grade raises before it writes."""
    look = _Look(course, part)
    asking = Asking(course, part, keep=False)
    unjudged: dict[str, str] = {}
    watcher.begin(len(asking.submissions))
    with closing(asking.answers(judge, processes)) as answers:
        for student, answer in answers:
            try:
                if isinstance(answer, NoVerdict):
                    raise Refused(answer.why)
                read = read_in(part, asking.submissions[student], look.decided)
            except Refused as refused:
                unjudged[student] = str(refused)
                watcher.settled(student, "ungraded")
                continue
            came = utc_of(read.files[TIMESTAMP]) if TIMESTAMP in read.files else None
            look.at(student, answer, came)
            watcher.settled(student, "looked at")
    for student in look.before.keys() - asking.submissions.keys():
        look.at(student, None, None)
    return Preview(
        moves=tuple(sorted(look.moves, key=lambda move: (move.student, move.task))),
        total=len(asking.submissions),
        unjudged=unjudged,
        late=tuple(sorted(look.late, key=lambda late: late.student)),
        worth=(look.worth, float(part.max_score)),
        remarks=tuple(marks_above(part, look.before)),
    )


@dataclass
class _Look:
    """What stands in the gradebook, and what each student's scores would be instead."""

    course: Course
    part: Part
    moves: list[Move] = field(default_factory=list)
    late: list[Late] = field(default_factory=list)
    before: dict[str, Submitted] = field(default_factory=dict)
    aside: dict[tuple[str, str], float] = field(default_factory=dict)
    worth: float | None = None

    def __post_init__(self) -> None:
        self.decided = read_overrides(self.course, self.part)
        if has_gradebook(self.course):
            with open_gradebook(self.course) as gradebook:
                self.before = read_submitted(gradebook, self.part.id)
                self.aside = read_set_aside(gradebook, self.part)
                self.worth = worth(gradebook, self.part)

    def at(self, student: str, verdict: Verdict | None, came: datetime | None) -> None:
        """One student: `verdict` is None for who has nothing handed in any more, `came` the time beside the files."""
        row = self.before.get(student, Submitted())
        moves = list(self._moves(student, verdict, row))
        after = {each.grade_id: _now(row, each.grade_id) or 0.0 for each in self.part.counted}
        for move in moves:
            if not move.by_hand:
                after[self._cell(move.task)] = move.after
        self.moves += moves
        came = came or row.handed_in
        if came is not None:
            extension = self.course.extensions_of(self.part).get(student, row.extension) or timedelta()
            seconds = (came - (utc(self.part.due) + extension)).total_seconds()
            cost = penalty(self.course, sum(after.values()), seconds) or 0.0
            if abs(cost - (row.penalty or 0.0)) > SAME:
                self.late.append(Late(student, row.penalty or 0.0, cost))

    def _moves(self, student: str, verdict: Verdict | None, row: Submitted) -> Iterator[Move]:
        for each in self.part.counted:
            before = _now(row, each.grade_id)
            aside = self.aside.get((student, each.grade_id))
            if each.dropped and before:
                yield Move(student, each.id, before, 0.0, False)
            elif aside is not None and not each.dropped:
                yield Move(student, each.id, before, aside, False)
        earlier = load_verdict(self.course, self.part.id, student)
        for task in verdict.tasks if verdict else []:
            cell = self._cell(task.id)
            if self.part.task(task.id).dropped or (student, cell) in self.aside:
                continue
            before = row.auto.get(cell)
            after = points_of(task, self.decided.get((student, task.id)))
            if before is None or abs(before - after) > SAME:
                old = next((one for one in earlier.tasks if one.id == task.id), None) if earlier else None
                by_hand = row.manual.get(cell) is not None
                # A marker's extra points stand beside the judge's.
                extra = 0.0 if by_hand else row.extra.get(cell, 0.0)
                shown = None if before is None else before + extra
                yield Move(student, task.id, shown, after + extra, by_hand, tuple(_changed(old, task)))

    def _cell(self, each_id: str) -> str:
        return next(each.grade_id for each in self.part.counted if each.id == each_id)


def _now(row: Submitted, cell: str) -> float | None:
    """What counts for a cell at present, extra points too."""
    score = row.score(cell)
    return None if score is None else score + row.extra.get(cell, 0.0)


def _changed(old: TaskVerdict | None, new: TaskVerdict) -> Iterator[tuple[str, str, str]]:
    """Tests that end in another way than before, new ones, and ones that are gone. Nothing without an old verdict."""
    if old is None:
        return
    before = {(test.visibility, test.name): test.outcome for test in old.tests}
    after = {(test.visibility, test.name): test.outcome for test in new.tests}
    for key in dict.fromkeys([*before, *after]):
        if before.get(key) != after.get(key):
            yield f"{key[0]} {key[1]}", before.get(key, "not there"), after.get(key, "not there")
