"""Pairs of tasks of which the later one stands on the earlier one: neither may cost or earn the other's points.

The pairs are those that the suites' markers name (needs=, forward=), so a new pair is covered without an edit here.
A wrong task is one whose body is `pass`. This module says which submissions to judge and what they must show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from autograder.course import Course, Part
from autograder.judge.verdict import TaskVerdict, Verdict
from autograder.misconceptions.constants import constant_bodies
from autograder.misconceptions.rows import Row

Pair = tuple[str, str]  # the later task, the earlier one
BODY = "pass"


def wrong_tasks(pairs: Iterable[Pair]) -> list[tuple[str, ...]]:
    """The sets of tasks that have to be wrong together: each task alone, and each later one with all it stands on."""
    found: dict[tuple[str, ...], None] = {}
    below: dict[str, list[str]] = {}
    for later, earlier in sorted(pairs):
        found[(later,)] = found[(earlier,)] = None
        below.setdefault(later, []).append(earlier)
    return [*found, *((later, *earlier) for later, earlier in below.items())]


def wrong_files(course: Course, part: Part, tasks: tuple[str, ...]) -> dict[str, bytes]:
    """The worked solution with these tasks wrong."""
    return constant_bodies(course, part, tasks, BODY)


def pairs_row(pairs: Iterable[Pair], verdicts: Mapping[tuple[str, ...], Verdict]) -> Row:
    """Hold the verdicts of `wrong_tasks` against the rule, for every pair both ways."""
    row = Row("pairs of tasks: own points only, both ways")
    together = {tasks[0]: verdict for tasks, verdict in verdicts.items() if len(tasks) > 1}
    for later, earlier in sorted(pairs):
        row.held += 1
        row.breaches += _breaches(later, earlier, verdicts[(earlier,)], verdicts[(later,)], together[later])
    return row


def _breaches(
    later: str, earlier: str, earlier_wrong: Verdict, later_wrong: Verdict, both_wrong: Verdict
) -> Iterator[str]:
    if _full(earlier_wrong, earlier):
        yield f"{earlier} with a body of {BODY} earns all its points; write a test that it fails"
    if not _full(earlier_wrong, later):
        first = next(test for test in _task(earlier_wrong, later).tests if test.outcome != "passed")
        yield f"{later} is right and {earlier} wrong, and {first.name} fails; name {earlier} in its needs="
    if _full(later_wrong, later):
        yield f"{later} with a body of {BODY} earns all its points; write a test that it fails"
    if not _full(later_wrong, earlier):
        yield f"{earlier} is right and {later} wrong, and {earlier} loses points; its tests may not use {later}"
    if _task(both_wrong, later).score > _task(later_wrong, later).score:
        yield f"{later} is wrong and earns more when {earlier} is wrong too; see judge/grafts.py"


def _task(verdict: Verdict, task: str) -> TaskVerdict:
    return next(each for each in verdict.tasks if each.id == task)


def _full(verdict: Verdict, task: str) -> bool:
    found = _task(verdict, task)
    return found.score == found.max
