"""`micrograder grade PART`: every submission judged, on all cores, and written into nbgrader as the verdicts come.

What is graded already, from the same files with the same verdict, is left alone: a second run does nothing, and a run
that was killed is finished by the next one. Judging is judge/pool.py's, writing is gradebook/batch.py's.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.utils import parse_utc

from autograder.course import Course, CourseError, Part
from autograder.gradebook.batch import NO_DATABASE, Batch, GradebookError, database_sentence, open_batch
from autograder.gradebook.files import Refused
from autograder.gradebook.intake import TIMESTAMP, Read, put_in, read_in
from autograder.gradebook.late import put_dates, refresh_penalties
from autograder.gradebook.overrides import points_of, read_overrides
from autograder.gradebook.points import marks_above, put_points
from autograder.gradebook.session import has_gradebook, open_gradebook
from autograder.gradebook.stamp import graded_stamp
from autograder.gradebook.submitted import Submitted, read_submitted
from autograder.gradebook.verdicts import load_verdict, save_verdict, verdict_digest
from autograder.grading.asking import Asking, JudgeAll, NoVerdict
from autograder.grading.journal import UNGRADED, WRITING, WRITTEN, Journal
from autograder.grading.stopped import ClusterError, GradingStopped
from autograder.judge.pool import judge_all
from autograder.judge.verdict import Verdict


class Watcher(Protocol):
    """Whoever shows how the run goes."""

    def begin(self, total: int) -> None:
        """So many submissions there are."""
        ...

    def settled(self, student: str, what: str) -> None:
        """One of them is done: "graded", "unchanged" or "ungraded"."""
        ...

    def remark(self, text: str) -> None:
        """Something that a person should know."""
        ...


@dataclass
class Outcome:
    """How a run ended. `judged`: submissions that the judge was asked about; `ungraded`: students, and why."""

    total: int = 0
    graded: int = 0
    unchanged: int = 0
    judged: int = 0
    penalties: int = 0
    ungraded: dict[str, str] = field(default_factory=dict)


def grade(
    course: Course,
    part: Part,
    watcher: Watcher,
    *,
    processes: int | None = None,
    fresh: bool = False,
    judge: JudgeAll = judge_all,
) -> Outcome:
    """Grade every submission of `part`.

    processes   how many judge at a time; as many as there are cores if None
    fresh       judge again what has a kept verdict
    judge       what judges many submissions: pool.judge_all on this machine, or a cluster's (cluster.py)
    Raises CourseError when there is nothing to grade or no way to, GradingStopped when the disk, the database or the
    cluster failed on the way, and JudgeError when the suites can't be run.
    """
    if not has_gradebook(course):
        raise CourseError(f"there is no gradebook yet; run: micrograder release {part.id}")
    run = _Run(course, part, watcher, fresh)
    with _stopping(run), _alone(course, part, watcher):
        with open_gradebook(course) as gradebook:
            _check_released(gradebook, part)
            put_dates(gradebook, course, part)
            put_points(gradebook, part)
            gradebook.db.commit()
            run.before = read_submitted(gradebook, part.id)
        for sentence in marks_above(part, run.before):
            watcher.remark(sentence)
        with open_batch(course, part) as batch:
            run.batch = batch
            run.settle_all(judge, processes)
        with open_gradebook(course) as gradebook:
            run.outcome.penalties = refresh_penalties(gradebook, course, part.id)
    return run.outcome


class _Run:
    def __init__(self, course: Course, part: Part, watcher: Watcher, fresh: bool) -> None:
        self.course, self.part, self.watcher = course, part, watcher
        self.asking = Asking(course, part, fresh=fresh)
        self.decided = read_overrides(course, part)
        self.journal = Journal(course, part.id)
        self.unfinished: set[str] = set()
        self.before: dict[str, Submitted] = {}
        self.batch: Batch | None = None
        self.outcome = Outcome(total=len(self.asking.submissions))

    def settle_all(self, judge: JudgeAll, processes: int | None) -> None:
        self.unfinished = self.journal.unfinished()
        self.watcher.begin(self.outcome.total)
        with closing(self.asking.answers(judge, processes)) as answers:
            for student, answer in answers:
                self.outcome.judged = self.asking.judged
                if isinstance(answer, NoVerdict) and answer.gone:
                    self._ungraded(student, answer.why)
                else:
                    self._settle(student, answer)

    def _settle(self, student: str, verdict: Verdict | NoVerdict) -> None:
        """Write what is to be written for one student."""
        path = self.asking.submissions[student]
        if not os.path.lexists(path):
            self._ungraded(student, f"{path} is gone (it was there when grading began)")
            return
        try:
            read = read_in(self.part, path, self.decided)
        except Refused as refused:
            self._ungraded(student, f"its folder {refused}")
            return
        self._settle_read(read, verdict)

    def _settle_read(self, read: Read, verdict: Verdict | NoVerdict) -> None:
        student = read.student
        if isinstance(verdict, Verdict) and self._is_written(read, verdict):
            kept = load_verdict(self.course, self.part.id, student)
            if kept is None or kept.suite != verdict.suite:
                save_verdict(self.course, student, verdict)
            self.outcome.unchanged += 1
            self.watcher.settled(student, "unchanged")
            return
        for remark in read.remarks:
            self.watcher.remark(f"{student}: {remark}")
        facts = {"content": read.stamp.content}
        if isinstance(verdict, Verdict):
            facts |= {"submission": verdict.submission, "suite": verdict.suite, "verdict": verdict_digest(verdict)}
        self.journal.note(WRITING, student, **facts)
        taken = put_in(self.course, self.part, read)
        assert self.batch is not None
        problem = self.batch.write(taken, lambda: _verdict_or_raise(verdict))
        if problem is not None:
            self.journal.note(UNGRADED, student, why=problem)
            self._ungraded(student, problem)
            return
        assert isinstance(verdict, Verdict)
        self.journal.note(
            WRITTEN,
            student,
            **facts,
            key=self.asking.keys.whole,
            seed=verdict.seed,
            sandbox=verdict.sandbox,
            score=verdict.score,
            max=verdict.max,
        )
        self.outcome.graded += 1
        self.watcher.settled(student, "graded")

    def _is_written(self, read: Read, verdict: Verdict) -> bool:
        """Whether the gradebook and autograded/ say already what this verdict on these files would make them say."""
        row = self.before.get(read.student)
        if row is None or read.student in self.unfinished:
            return False
        stamp = graded_stamp(
            self.course.root / "autograded" / read.student / self.part.id / f"{self.part.notebook}.ipynb"
        )
        if stamp is None or (stamp.content, stamp.verdict) != (read.stamp.content, verdict_digest(verdict)):
            return False
        if TIMESTAMP in read.files and row.handed_in != utc_of(read.files[TIMESTAMP]):
            return False
        return all(
            row.auto.get(self.part.task(task.id).grade_id) == points_of(task, self.decided.get((read.student, task.id)))
            for task in verdict.tasks
        )

    def _ungraded(self, student: str, why: str) -> None:
        self.outcome.ungraded[student] = why
        self.watcher.settled(student, "ungraded")


def utc_of(timestamp: bytes) -> datetime:
    """A timestamp.txt that the intake let pass, as nbgrader keeps it."""
    return parse_utc(timestamp.decode())


def _verdict_or_raise(verdict: Verdict | NoVerdict) -> Verdict:
    if isinstance(verdict, NoVerdict):
        raise RuntimeError(f"the judge failed: {verdict.why}")
    return verdict


def _check_released(gradebook: Gradebook, part: Part) -> None:
    try:
        gradebook.find_notebook(part.notebook, part.id)
    except MissingEntry:
        raise CourseError(
            f"the gradebook does not know {part.id}; run: micrograder release {part.id} (or nbgrader "
            f"generate_assignment {part.id})"
        ) from None


@contextmanager
def _alone(course: Course, part: Part, watcher: Watcher) -> Iterator[None]:
    """Waits while another run grades the same part of this course; the lock goes with the process that holds it."""
    course.state.mkdir(exist_ok=True)
    with (course.state / f"grading-{part.id}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            watcher.remark(f"{part.id} is being graded by another run; waiting for it to end")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _stopping(run: _Run) -> Iterator[None]:
    """What ends a run from outside becomes a sentence that says how far it came."""
    try:
        yield
        return
    except KeyboardInterrupt:
        why = "interrupted"
    except (GradebookError, ClusterError) as error:
        why = str(error)
    except NO_DATABASE as error:
        why = database_sentence(error)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            why = "the disk is full; make room"
        else:
            why = f"{error.filename or 'a file'}: {os.strerror(error.errno) if error.errno else error}"
    done = run.outcome.graded + run.outcome.unchanged
    raise GradingStopped(
        f"grading {run.part.id} stopped: {why}. {done} of {run.outcome.total} submissions are graded and stay so; "
        "run the same command again for the others"
    )
