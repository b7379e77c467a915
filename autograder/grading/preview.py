"""`micrograder grade PART --preview`: what grading would change, and which tests did it. Writes nothing at all.

Reads the gradebook and the verdicts behind its scores, and judges; what is judged here is not kept either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from autograder.cache.keys import submission_key
from autograder.cache.store import VerdictCache
from autograder.course import Course, CourseError, Part
from autograder.gradebook.overrides import overrides_of
from autograder.gradebook.scores import points_of
from autograder.gradebook.session import has_gradebook, open_gradebook
from autograder.gradebook.state import Row, rows
from autograder.gradebook.verdicts import load_verdict
from autograder.grading.grade import JudgeAll, Watcher, keys_here, submissions
from autograder.judge.pool import Job, judge_all, setting
from autograder.judge.submission import read_submission
from autograder.judge.verdict import TaskVerdict, Verdict
from autograder.misconceptions.matcher import explain


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
    found = submissions(course, part)
    keys, cache = keys_here(course, part), VerdictCache(course)
    before: dict[str, Row] = {}
    if has_gradebook(course):
        with open_gradebook(course) as gradebook:
            before = rows(gradebook, part.id)
    moves: list[Move] = []
    unjudged: dict[str, str] = {}
    to_judge: dict[str, list[str]] = {}
    watcher.begin(len(found))

    def settle(student: str, verdict: Verdict) -> None:
        moves.extend(_moves(course, part, student, verdict, before.get(student, Row())))
        watcher.settled(student, "looked at")

    def give_up(student: str, why: str) -> None:
        unjudged[student] = why
        watcher.settled(student, "ungraded")

    for student, path in found.items():
        try:
            submission = read_submission(part, path)
        except CourseError as error:
            give_up(student, str(error))
            continue
        verdict = cache.find(keys, submission).verdict
        if verdict is None:
            to_judge.setdefault(submission_key(submission), []).append(student)
        else:
            settle(student, verdict)

    def jobs() -> Iterator[Job]:
        for key, students in to_judge.items():
            submission = read_submission(part, found[students[0]])
            yield Job(key, submission, cache.find(keys, submission).known, keys.seed)

    with closing(judge(setting(course, part, keys.level, explain), jobs(), processes)) as answers:
        for done in answers:
            for student in to_judge[done.name]:
                if done.verdict is None:
                    give_up(student, done.problem)
                else:
                    settle(student, done.verdict)
    return Preview(tuple(sorted(moves, key=lambda move: (move.student, move.task))), len(found), unjudged)


def _moves(course: Course, part: Part, student: str, verdict: Verdict, row: Row) -> Iterator[Move]:
    earlier = load_verdict(course, part.id, student)
    decided = overrides_of(course, part, student)
    for task in verdict.tasks:
        cell = part.task(task.id).grade_id
        before = row.auto.get(cell)
        after = points_of(task, decided.get(task.id))
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
