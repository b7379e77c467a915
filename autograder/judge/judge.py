"""One submission in, one verdict out: reads the files, tries to load them, runs the part's suites, adds up the points.

Student code runs in workers only. Whatever a submission does, the answer is a verdict; JudgeError means that the
judge itself could not work, and then nothing is said about the submission.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from autograder.course import Course, CourseError, Part, suites
from autograder.course.code import given_files
from autograder.judge.flags import flags
from autograder.judge.grafts import grafts
from autograder.judge.outcomes import import_sentence
from autograder.judge.plugin import Noted, Watch
from autograder.judge.proxy import Proxy
from autograder.judge.remote import Failure, RemoteWorker, WorkerStopped
from autograder.judge.safe_text import plain
from autograder.judge.sandbox import SandboxError, available, demand
from autograder.judge.session import Results, StandIns, Suites, SuitesError, with_suites
from autograder.judge.students import Remote
from autograder.judge.submission import Submission, read_submission
from autograder.judge.verdict import Level, Misconception, TaskVerdict, Verdict, task_points
from autograder.judge.zygote import Budget, ZygoteError

T = TypeVar("T")
SUITES = Path(__file__).parent.parent / "suites"
SEED = 0  # of every official verdict
# Given the part, the run's seed and its tests as they ended: for tasks whose mistake is known, what it is.
Explain = Callable[[Part, int, Sequence[Noted]], Mapping[str, Misconception]]
_one_at_a_time = threading.Lock()  # pytest and hypothesis keep state of their own in the process


class JudgeError(Exception):
    """The judge could not do its work (its own sandbox or suites failed); the submission stays unjudged."""


def judge_submission(
    course: Course,
    part: Part,
    path: Path,
    *,
    sandbox: Level | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    explain: Explain | None = None,
) -> Verdict:
    """Judge what lies at `path` (a folder or one file) by both suites of `part`, within `budget`.

    `explain` names the mistakes behind failed tasks; without it none is named.

    May be called from any thread; one process judges one submission at a time. Raises CourseError for a wrong call (no
    such path, a level this machine does not have) and JudgeError when the judge itself failed; never anything because
    of what the submission does.
    """
    submission = read_submission(part, path)
    level = sandbox_level(sandbox)

    def work(suites: Suites) -> Verdict:
        return judge_with(suites, course, part, submission, level, seed=seed, budget=budget, explain=explain)

    return collected(part, work)


def sandbox_level(wanted: Level | None) -> Level:
    """The level to judge at: the one wanted, or the best one here. CourseError when this machine does not have it."""
    try:
        level = wanted or available()
        demand(level)
    except SandboxError as error:
        raise CourseError(str(error)) from None
    return level


def collected(part: Part, work: Callable[[Suites], T], watch: Watch | None = None) -> T:
    """What `work` makes of the collected suites of `part`; `watch`: see with_suites().

    Raises JudgeError when they can't be collected.
    """
    with _one_at_a_time:
        try:
            return with_suites(part, SUITES, work, watch)
        except SuitesError as error:
            raise JudgeError(str(error)) from None


def judge_with(
    suites: Suites,
    course: Course,
    part: Part,
    submission: Submission,
    level: Level,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    explain: Explain | None = None,
    results: Results | None = None,
) -> Verdict:
    """Judge one submission by suites that are collected already; inside the `work` that collected() calls.

    `results`: tests whose end is known are not run again, and what the verdict was made of is noted there.
    Raises JudgeError when the judge itself failed.
    """
    student = Remote(level, {**given_files(course, part), **submission.sources}, seed)
    limits, kept = budget or Budget(), results or Results()

    def judged() -> list[Noted]:
        return _judge(suites, course, part, submission, student, limits, kept)

    try:
        noted = judged()
    except (ZygoteError, SandboxError):
        try:
            # Something outside has ended the zygote, as an administrator or a full memory can: once more, from the top.
            noted = judged()
        except (ZygoteError, SandboxError) as error:
            raise JudgeError(f"the sandbox (level {level}) failed: {error}") from error
    verdict = _verdict(part, submission, level, seed, student, noted)
    verdict.flags = flags(submission.sources, noted)
    if explain is not None and len(student.broken) < len(part.graded):
        named = explain(part, seed, noted)
        for task in verdict.tasks:
            task.misconception = named.get(task.id)
    return verdict


def _judge(
    suites: Suites,
    course: Course,
    part: Part,
    submission: Submission,
    student: Remote,
    budget: Budget,
    results: Results,
) -> list[Noted]:
    results.used.clear()
    student.broken = {}
    student.broken = _broken(part, submission, student, budget)
    noted = suites.run(student, seed=student.seed, budget=budget, results=results)
    if len(student.broken) == len(part.graded):
        return noted

    def again(blamed: Mapping[str, StandIns], sources: Mapping[StandIns, Mapping[str, str]]) -> list[Noted]:
        return suites.run(student, blamed, sources, seed=student.seed, budget=budget, results=results)

    return on_their_own(course, part, noted, again)


def on_their_own(
    course: Course,
    part: Part,
    noted: list[Noted],
    again: Callable[[Mapping[str, StandIns], Mapping[StandIns, Mapping[str, str]]], list[Noted]],
) -> list[Noted]:
    """Have the failed tests of tasks that stand on other failed tasks run again, with the reference in place of those.

    `again` is given the tests to run by node id with the tasks that are stood in for, and for these the module sources
    to run over the student's, as Suites.run() takes them. A task costs its own points only: what passes now has passed.
    What is seen of the others is what they show now.
    """
    failed = {entry.task for entry in noted if entry.verdict.outcome != "passed"}
    blamed: dict[str, tuple[str, ...]] = {}
    for entry in noted:
        if others := entry.may_blame(failed):
            blamed[entry.nodeid] = others
    if not blamed:
        return noted
    sources = {others: grafts(course, part, others) for others in set(blamed.values())}
    second = again(blamed, sources)
    passed = {entry.nodeid: entry for entry in second if entry.verdict.outcome == "passed"}
    seen_again = {entry.nodeid: entry.seen for entry in second}
    for entry in noted:
        # What it shows with the other tasks right is the mistake of its own task alone.
        entry.seen = seen_again.get(entry.nodeid, entry.seen)
    after = [passed.get(entry.nodeid, entry) for entry in noted]
    still_failed = {entry.task for entry in after if entry.verdict.outcome != "passed"}
    for nodeid, entry in passed.items():
        others = [task for task in blamed[nodeid] if task in still_failed]
        entry.verdict.message = f"judged with the kit's own {' and '.join(others)} in place of yours"
    return after


def _broken(part: Part, submission: Submission, student: Remote, budget: Budget) -> dict[str, WorkerStopped]:
    """For every graded module that can't be used at all: what to say to each test that needs it."""
    broken: dict[str, WorkerStopped] = {}
    for name, sentence in submission.missing.items():
        broken[name.removesuffix(".py")] = WorkerStopped("error", sentence)
    for name in submission.sources:
        stop = _try_loading(part, name, student, budget)
        if stop is not None:
            broken[name.removesuffix(".py")] = stop
    return broken


def _try_loading(part: Part, name: str, student: Remote, budget: Budget) -> WorkerStopped | None:
    student.start_test(budget.loading, {})
    try:
        worker = student.worker()
        found = _names_in(worker, worker.load(name.removesuffix(".py")))
        if found is None:
            return WorkerStopped("error", f"{name} could not be loaded: it put something else in the module's place")
        absent = [wanted for wanted in part.graded[name] if wanted not in found]
        if absent:
            others = ", ".join(plain(other, 40) for other in sorted(found)[:6])
            instead = f"it defines {others}" if others else "it defines nothing"
            return WorkerStopped("error", f"{name} defines no {' and no '.join(absent)} ({instead}; was it renamed?)")
    except WorkerStopped as stop:
        return stop
    except Exception as error:
        failure = getattr(error, "failure", None)
        if isinstance(failure, Failure):
            return WorkerStopped("error", import_sentence(name, failure))
        raise
    finally:
        student.end_test()
    return None


def _names_in(worker: RemoteWorker, module: object) -> list[str] | None:
    """The names that a module defines, or None when it is no module (anything can stand in sys.modules)."""
    if type(module) is not Proxy:
        return None
    try:
        found = worker.ask("names", module)
    except WorkerStopped:
        raise
    except Exception:
        return None
    return [str(name) for name in found] if type(found) is list else None


def _verdict(
    part: Part, submission: Submission, level: Level, seed: int, student: Remote, noted: list[Noted]
) -> Verdict:
    tasks = []
    total = Fraction(0)
    for task in part.tasks:
        tests = [entry.verdict for entry in noted if entry.task == task.id]
        if not tests:
            raise JudgeError(f"task {task.id} has no test in the suites of {part.id}")
        points = task_points(task.points, part.public_share, tests)
        total += points
        tasks.append(
            TaskVerdict(id=task.id, title=task.title, score=_number(points), max=_number(task.points), tests=tests)
        )
    problems = [stop.sentence for stop in student.broken.values()]
    return Verdict(
        part=part.id,
        sandbox=level,
        suite=suite_digest(part),
        submission=submission.digest,
        seed=seed,
        score=_number(total),
        max=_number(part.points),
        problem="; ".join(problems) if len(problems) == len(part.graded) else None,
        tasks=tasks,
    )


def _number(points: Fraction) -> float:
    return round(float(points), 4)


def suite_digest(part: Part) -> str:
    """Identifies the suites of a part: any change of a test changes it."""
    return suites.suite_digest(SUITES / part.id)
