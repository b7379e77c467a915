"""Every submission of a part and its verdict: the kept one, or else the judge's. What `grade` and its preview share.

It reads what was handed in, and writes nothing but the verdicts that it is to keep.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from autograder.cache.ask import official_keys
from autograder.cache.keys import Keys, submission_key
from autograder.cache.store import VerdictCache
from autograder.course import Course, CourseError, Part
from autograder.judge.sandbox import SandboxError
from autograder.judge.submission import Submission, read_submission
from autograder.judge.verdict import Verdict
from autograder.judge.warm import Done, Job, Setting, setting
from autograder.misconceptions.matcher import explain

JudgeAll = Callable[[Setting, Iterable[Job], int | None], Generator[Done, None, None]]


@dataclass(frozen=True)
class NoVerdict:
    """Why there is none. `gone`: the submission that was to be judged is no longer there, so nothing failed."""

    why: str
    gone: bool = False


class Asking:
    """The submissions of a part, by student. `judged` counts those that the judge was asked about.

    fresh   judge again what has a kept verdict
    keep    keep what is judged
    Raises CourseError when nothing is handed in, or this machine has no sandbox that is good enough.
    """

    def __init__(self, course: Course, part: Part, *, fresh: bool = False, keep: bool = True) -> None:
        self.submissions = submissions(course, part)
        self.keys = keys_here(course, part)
        self.judged = 0
        self._course, self._part = course, part
        self._fresh, self._keep = fresh, keep
        self._cache = VerdictCache(course)

    def answers(self, judge: JudgeAll, processes: int | None) -> Generator[tuple[str, Verdict | NoVerdict], None, None]:
        """Each student once, with a verdict or why there is none, as they become known; equal submissions are judged
        once. Raises JudgeError when the suites can't be run, and OSError when the disk does not take a verdict."""
        alike: dict[str, list[str]] = {}  # a submission's key: the students who handed in just that
        for student in self.submissions:
            submission = self._read(student)
            if isinstance(submission, NoVerdict):
                yield student, submission
                continue
            found = None if self._fresh else self._cache.find(self.keys, submission).verdict
            if found is None:
                alike.setdefault(submission_key(submission), []).append(student)
            else:
                yield student, found
        how = setting(self._course, self._part, self.keys.level, explain)
        waiting = dict(alike)
        with closing(judge(how, self._jobs(alike), processes)) as answers:
            for done in answers:
                self.judged += 1
                students = waiting.pop(done.name)
                if done.verdict is not None and self._keep:
                    self._keep_of(students, done)
                for student in students:
                    yield student, NoVerdict(done.problem) if done.verdict is None else done.verdict
        for student in (student for students in waiting.values() for student in students):
            now = self._read(student)
            again = NoVerdict("was handed in again while the class was graded; grade once more", gone=True)
            yield student, now if isinstance(now, NoVerdict) else again

    def _jobs(self, alike: dict[str, list[str]]) -> Iterator[Job]:
        """A job for every content that somebody's folder still holds; it is read again, so that memory stays small."""
        for key, students in alike.items():
            submission = self._still(students, key)
            if submission is not None:
                known = {} if self._fresh else self._cache.find(self.keys, submission).known
                yield Job(key, submission, known, self.keys.seed)

    def _keep_of(self, students: list[str], done: Done) -> None:
        submission = self._still(students, done.name)
        if submission is not None and done.verdict is not None:
            self._cache.keep(self.keys, submission, done.verdict, done.used)

    def _still(self, students: list[str], key: str) -> Submission | None:
        """The submission with that key, from the first of these students who has not handed in again since."""
        for student in students:
            submission = self._read(student)
            if isinstance(submission, Submission) and submission_key(submission) == key:
                return submission
        return None

    def _read(self, student: str) -> Submission | NoVerdict:
        """What the judge reads of a student."""
        try:
            return read_submission(self._part, self.submissions[student])
        except CourseError as error:
            return NoVerdict(f"{error} (it was there when grading began)", gone=True)


def submissions(course: Course, part: Part) -> dict[str, Path]:
    """Where each student's submission of `part` lies. Raises CourseError when there is none."""
    folder = course.root / "submitted"
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if not entry.name.startswith("."))
    except FileNotFoundError:
        names = []
    found = {name: folder / name / part.id for name in names if os.path.lexists(folder / name / part.id)}
    if not found:
        raise CourseError(f"nothing to grade: there is no submitted/STUDENT/{part.id}; collect the submissions first")
    return found


def keys_here(course: Course, part: Part) -> Keys:
    """How official verdicts are given here. CourseError when this machine has no sandbox that is good enough."""
    try:
        return official_keys(course, part)
    except SandboxError as error:
        raise CourseError(str(error)) from None
