"""What a class's verdicts on one part say: counts, shares, how well a test tells students apart, alarms.

Arithmetic on verdicts only; it reads no file and writes none.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from autograder.course.manifest import Part
from autograder.judge.verdict import Outcome, TaskVerdict, Verdict, Visibility

FEWEST = 10  # students, for how well a test tells them apart to be worth a number
GAP = 0.10  # how much less often the best quarter must pass than the others for an alarm
NEARLY = 1e-6  # points; a verdict's scores are rounded to four digits


@dataclass(frozen=True)
class TestFacts:
    """One test over the class. `tells_apart`: correlation of passing with the points in the other tasks, or None."""

    __test__ = False

    name: str
    visibility: Visibility
    outcomes: Mapping[Outcome, int]
    tells_apart: float | None
    alarm: str = ""

    @property
    def passed(self) -> int:
        """How many pass."""
        return self.outcomes.get("passed", 0)


@dataclass(frozen=True)
class TaskFacts:
    """One task over the class: how many have all its points, some, none, or have not started it."""

    id: str
    title: str
    max: float
    mean: float
    full: int
    some: int
    none: int
    not_started: int
    tells_apart: float | None
    tests: tuple[TestFacts, ...]
    alarm: str = ""


@dataclass(frozen=True)
class Belief:
    """A misconception in this class: who has it, in which tasks, and who only likely."""

    id: str
    title: str
    explanation: str
    reread: str
    tasks: tuple[str, ...]
    students: tuple[str, ...]
    likely: int


@dataclass(frozen=True)
class Together:
    """Two tasks: how many failed both, and how many would if one had nothing to do with the other."""

    one: str
    other: str
    both: int
    expected: float


@dataclass(frozen=True)
class Facts:
    """Everything the verdicts on one part say about the class. Scores are points of the tasks, without questions."""

    part: Part
    verdicts: Mapping[str, Verdict]
    tasks: tuple[TaskFacts, ...]
    beliefs: tuple[Belief, ...]
    together: tuple[Together, ...]
    partly_right: int  # submissions that have at least one task right; `together` counts only these
    scores: tuple[float, ...] = field(default=())

    @property
    def judged(self) -> int:
        """How many submissions have a verdict."""
        return len(self.verdicts)

    @property
    def alarms(self) -> list[tuple[str, str]]:
        """(what, which alarm) for tasks and tests that may be wrong themselves."""
        found = []
        for task in self.tasks:
            if task.alarm:
                found.append((f"task {task.id}, {task.title}", task.alarm))
            found += [(f"{task.id} {test.name}", test.alarm) for test in task.tests if test.alarm]
        return found


def facts(part: Part, verdicts: Mapping[str, Verdict]) -> Facts:
    """The facts of a class; `verdicts` by student, those on other parts are left out, and so are dropped tasks."""
    counted = {task.id: float(task.points) for task in part.tasks if not task.dropped}
    mine = {student: verdict for student, verdict in verdicts.items() if verdict.part == part.id}
    scores = tuple(verdict.score for verdict in mine.values())
    partly_right = [
        verdict for verdict in mine.values() if any(not failed(task) for task in verdict.tasks if task.id in counted)
    ]
    return Facts(
        part=part,
        verdicts=mine,
        tasks=tuple(_task(task.id, task.title, counted[task.id], mine) for task in part.tasks if task.id in counted),
        beliefs=_beliefs(mine),
        together=_together(list(counted), partly_right),
        partly_right=len(partly_right),
        scores=scores,
    )


def failed(task: TaskVerdict) -> bool:
    """Whether a task lacks points."""
    return task.score < task.max - NEARLY


def _task(task_id: str, title: str, points: float, verdicts: Mapping[str, Verdict]) -> TaskFacts:
    seen: list[tuple[TaskVerdict, float]] = []  # the task, and the points in all other tasks
    for verdict in verdicts.values():
        found = next((task for task in verdict.tasks if task.id == task_id), None)
        if found is not None:
            seen.append((found, verdict.score - found.score))
    others = [points for _, points in seen]
    tests = _tests(seen)
    not_started = sum(any(test.outcome == "not_done" for test in task.tests) for task, _ in seen)
    full = sum(not failed(task) for task, _ in seen)
    none = sum(task.score <= NEARLY and not any(t.outcome == "not_done" for t in task.tests) for task, _ in seen)
    return TaskFacts(
        id=task_id,
        title=title,
        max=points,
        mean=statistics.fmean([task.score for task, _ in seen]) if seen else 0.0,
        full=full,
        some=len(seen) - full - none - not_started,
        none=none,
        not_started=not_started,
        tells_apart=tells_apart([task.score for task, _ in seen], others),
        tests=tests,
        alarm=alarm([not failed(task) for task, _ in seen], others, "has all its points"),
    )


def _tests(seen: Sequence[tuple[TaskVerdict, float]]) -> tuple[TestFacts, ...]:
    outcomes: dict[tuple[str, Visibility], list[tuple[Outcome, float]]] = {}
    for task, others in seen:
        for test in task.tests:
            outcomes.setdefault((test.name, test.visibility), []).append((test.outcome, others))
    found = []
    for (name, visibility), ended in outcomes.items():
        passed = [outcome == "passed" for outcome, _ in ended]
        others = [points for _, points in ended]
        found.append(
            TestFacts(
                name=name,
                visibility=visibility,
                outcomes=Counter(outcome for outcome, _ in ended),
                tells_apart=tells_apart(passed, others),
                alarm=alarm(passed, others, "passes"),
            )
        )
    return tuple(found)


def tells_apart(got: Sequence[float], others: Sequence[float]) -> float | None:
    """The correlation of what students got here with their points in the other tasks, from -1 to 1.

    None for fewer than ten students, and where all got the same, so that there is nothing to tell.
    """
    if len(got) < FEWEST:
        return None
    try:
        return statistics.correlation([float(value) for value in got], others)
    except statistics.StatisticsError:  # one side is constant
        return None


def alarm(passed: Sequence[bool], others: Sequence[float], verb: str) -> str:
    """Why a test or a task may be wrong itself; "" when nothing points to it. `others`: points in the other tasks."""
    if len(passed) >= 3 and not any(passed):
        return f"nobody {verb}"
    if len(passed) < FEWEST:
        return ""
    # Whoever ties with the last of the best quarter belongs to it; when that is nearly everybody, nobody is the best.
    border = sorted(others, reverse=True)[(len(others) + 3) // 4 - 1]
    best = [ok for ok, points in zip(passed, others, strict=True) if points >= border - NEARLY]
    rest = [ok for ok, points in zip(passed, others, strict=True) if points < border - NEARLY]
    if len(rest) < len(passed) // 4:
        return ""
    if best.count(False) >= 2 and statistics.fmean(rest) - statistics.fmean(best) >= GAP:
        return (
            f"the best fail: {best.count(False)} of the {len(best)} best in the other tasks, "
            f"{rest.count(False)} of the {len(rest)} others"
        )
    return ""


def _beliefs(verdicts: Mapping[str, Verdict]) -> tuple[Belief, ...]:
    found: dict[str, list[tuple[str, TaskVerdict]]] = {}
    for student, verdict in verdicts.items():
        for task in verdict.tasks:
            if task.misconception is not None:
                found.setdefault(task.misconception.id, []).append((student, task))
    beliefs = []
    for belief_id, places in found.items():
        first = places[-1][1].misconception
        assert first is not None
        exact = {s for s, task in places if task.misconception and task.misconception.certainty == "exact"}
        students = tuple(dict.fromkeys(student for student, _ in places))
        beliefs.append(
            Belief(
                id=belief_id,
                title=first.title,
                explanation=first.explanation,
                reread=first.reread,
                tasks=tuple(sorted({task.id for _, task in places}, key=_in_order)),
                students=students,
                likely=len(set(students) - exact),
            )
        )
    return tuple(sorted(beliefs, key=lambda belief: (-len(belief.students), belief.id)))


def _together(tasks: Sequence[str], verdicts: Sequence[Verdict]) -> tuple[Together, ...]:
    lacking = [{task.id for task in verdict.tasks if failed(task)} for verdict in verdicts]
    count = Counter(task for each in lacking for task in each)
    pairs = [
        Together(
            one,
            other,
            sum(one in each and other in each for each in lacking),
            count[one] * count[other] / len(lacking) if lacking else 0.0,
        )
        for one, other in combinations(tasks, 2)
    ]
    return tuple(pairs)


def _in_order(task_id: str) -> list[int]:
    return [int(number) for number in task_id.split(".")]
