"""A judge for the short term: it knows every submission of the plan, and ends each test as the bank has recorded it.

The scores are still the kit's own arithmetic over these tests. The whole term is judged by the real judge.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping

from autograder.course import load_course
from autograder.judge.judge import suite_digest
from autograder.judge.pool import Done, Job, Setting
from autograder.judge.verdict import TaskVerdict, TestVerdict, Verdict, task_points
from autograder.tests.term.arithmetic import passes, tests_by_task
from autograder.tests.term.plan import Term, Work

Wrong = tuple[str, str, str]  # a test, and a text that stands in its suite for as long as nobody can pass it


class BankJudge:
    """Stands where grade() and preview() take judge_all."""

    def __init__(self, term: Term, wrong: Mapping[str, Wrong]) -> None:
        self._work = {
            (part_id, _key(work.files)): work for part_id, works in term.work.items() for work in works.values()
        }
        self._wrong = wrong

    def __call__(self, how: Setting, jobs: Iterable[Job], processes: int | None) -> Generator[Done, None, None]:
        """A Done for every job."""
        for job in jobs:
            # What the plan does not know by its files is the stub, which is the release's.
            work = self._work.get((how.part, _key(job.submission.sources))) or self._work[how.part, _key({})]
            yield Done(job.name, self._verdict(how, job, work))

    def _verdict(self, how: Setting, job: Job, work: Work) -> Verdict:
        part = load_course(how.root).part(how.part)
        tasks = []
        for task in part.tasks:
            tests = [self._test(how, work, task.id, name) for name in tests_by_task(how.suites / part.id)[task.id]]
            score = float(task_points(task.points, part.public_share, tests))
            tasks.append(TaskVerdict(id=task.id, title=task.title, score=score, max=float(task.points), tests=tests))
        return Verdict(
            part=part.id,
            sandbox=how.level,
            suite=suite_digest(part),
            submission=job.submission.digest,
            seed=0,
            score=sum(task.score for task in tasks),
            max=float(part.points),
            tasks=tasks,
        )

    def _test(self, how: Setting, work: Work, task: str, name: str) -> TestVerdict:
        passed = passes(work, task, name)
        if how.part in self._wrong:
            file, test, text = self._wrong[how.part]
            passed = passed and not (test == name and text in (how.suites / how.part / file).read_text("utf-8"))
        visibility, _, plain = name.partition(" ")
        outcome = "passed" if passed else "failed"
        return TestVerdict.model_validate({"name": plain, "visibility": visibility, "outcome": outcome})


def _key(files: Mapping[str, bytes]) -> tuple[tuple[str, bytes], ...]:
    return tuple(sorted(files.items()))
