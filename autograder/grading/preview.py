"""`micrograder grade PART --preview`: what grading would change, and which tests did it. Writes nothing at all.

Reads the gradebook and the verdicts behind its scores, and judges; what is judged here is not kept either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from autograder.course import Course, Part
from autograder.gradebook.overrides import Decisions, points_of, read_overrides
from autograder.gradebook.session import has_gradebook, open_gradebook
from autograder.gradebook.submitted import Submitted, read_submitted
from autograder.gradebook.verdicts import load_verdict
from autograder.grading.asking import Asking, JudgeAll, NoVerdict
from autograder.grading.grade import Watcher
from autograder.judge.pool import judge_all
from autograder.judge.verdict import TaskVerdict, Verdict


@dataclass(frozen=True)
class Move:
    """One student's score for one task. `before`: None when there is no score yet; `by_hand`: a marker's points count.

    `tests`: (name, outcome before or "" when not known, outcome now) of every test that ends in another way.
    """

    student: str
    task: str
    before: float | None
    after: float
    by_hand: bool
    tests: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Preview:
    """All that would move, and how many submissions were looked at; `unjudged`: students without a verdict, and why."""

    moves: tuple[Move, ...]
    total: int
    unjudged: dict[str, str]


def preview(
    course: Course, part: Part, watcher: Watcher, *, processes: int | None = None, judge: JudgeAll = judge_all
) -> Preview:
    """What `grade` would change in the scores. Raises what grade raises before it writes."""
    asking, decided = Asking(course, part, keep=False), read_overrides(course, part)
    before: dict[str, Submitted] = {}
    if has_gradebook(course):
        with open_gradebook(course) as gradebook:
            before = read_submitted(gradebook, part.id)
    moves: list[Move] = []
    unjudged: dict[str, str] = {}
    watcher.begin(len(asking.submissions))
    with closing(asking.answers(judge, processes)) as answers:
        for student, answer in answers:
            if isinstance(answer, NoVerdict):
                unjudged[student] = answer.why
                watcher.settled(student, "ungraded")
            else:
                moves += _moves(course, part, student, answer, before.get(student, Submitted()), decided)
                watcher.settled(student, "looked at")
    return Preview(tuple(sorted(moves, key=lambda move: (move.student, move.task))), len(asking.submissions), unjudged)


def _moves(
    course: Course, part: Part, student: str, verdict: Verdict, row: Submitted, decided: Decisions
) -> Iterator[Move]:
    earlier = load_verdict(course, part.id, student)
    for task in verdict.tasks:
        cell = part.task(task.id).grade_id
        before = row.auto.get(cell)
        after = points_of(task, decided.get((student, task.id)))
        if before is None or abs(before - after) > 1e-9:
            old = next((each for each in earlier.tasks if each.id == task.id), None) if earlier else None
            by_hand = row.manual.get(cell) is not None
            yield Move(student, task.id, before, after, by_hand, tuple(_changed(old, task)))


def _changed(old: TaskVerdict | None, new: TaskVerdict) -> Iterator[tuple[str, str, str]]:
    """Tests that end in another way than before, new ones, and ones that are gone. Nothing without an old verdict."""
    if old is None:
        return
    before = {(test.visibility, test.name): test.outcome for test in old.tests}
    after = {(test.visibility, test.name): test.outcome for test in new.tests}
    for key in dict.fromkeys([*before, *after]):
        if before.get(key) != after.get(key):
            yield f"{key[0]} {key[1]}", before.get(key, "not there"), after.get(key, "not there")
