"""A warm judge: a process that has imported and collected a part's suites once and forks for each submission.

A fork starts from suites that no submission has been near, and uses the sandbox of the process it comes from. Neither
a cache nor a gradebook is known here, nor who else judges.
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any

from autograder.course import Course, CourseError, Part, load_course
from autograder.judge import judge as judging
from autograder.judge.judge import Explain, JudgeError, collected, judge_with
from autograder.judge.plugin import Noted
from autograder.judge.session import Key, Results, Suites
from autograder.judge.submission import Submission
from autograder.judge.verdict import Level, Verdict
from autograder.judge.zygote import Budget, borrow_zygotes, close_zygotes, get_zygote, give_back_zygotes

ATTEMPTS = 2  # a process that was killed from outside may have been killed for what another one did
Objection = Callable[[Course, Part, "Setting"], str | None]


@dataclass(frozen=True)
class Job:
    """One submission to judge; `name` is the caller's. Tests whose end is `known` are not run again."""

    name: str
    submission: Submission
    known: Mapping[Key, Noted] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Done:
    """What came of a job: a verdict and the tests' ends it was made of, or what kept the judge from giving one."""

    name: str
    verdict: Verdict | None
    used: Mapping[Key, Noted] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True)
class Setting:
    """How a part is judged: the same for every job. Travels to the processes.

    objection   asked in each process before it judges: a sentence that says why it must not, or None
    idle        the seconds without a job after which a process ends by itself; it waits for ever if None
    """

    root: Path
    part: str
    level: Level
    suites: Path
    explain: Explain | None = None
    budget: Budget = field(default_factory=Budget)
    objection: Objection | None = None
    idle: float | None = None


def setting(course: Course, part: Part, level: Level, explain: Explain | None = None) -> Setting:
    """The setting in which this process would judge."""
    return Setting(course.root, part.id, level, judging.SUITES, explain)


class WarmJudge:
    """The owner's end of one process. It answers None when it has collected the suites, or a sentence that says why it
    will never judge; then a Done for each job, in order. Closing it ends the process.
    """

    def __init__(self, how: Setting) -> None:
        self.connection, theirs = Pipe()
        lifeline, self._held = Pipe(duplex=False)
        with theirs, lifeline:
            given = (theirs.fileno(), lifeline.fileno())
            # Not a process of multiprocessing: a worker of Dask's may start none of these.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from autograder.judge.warm import serve; serve{given}"],
                pass_fds=given,
                stdin=subprocess.DEVNULL,
            )
        self.jobs: deque[Job] = deque()
        self._say(how)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """False when the process has ended."""
        return self._process.poll() is None

    def send(self, job: Job) -> None:
        """Hand it a job; `jobs` are those that it was handed and the owner has not taken off again."""
        self.jobs.append(job)
        self._say(job)

    def receive(self) -> Done | str | None:
        """The next answer; waits for it. Raises EOFError or OSError when the process has ended."""
        return self.connection.recv()

    def close(self) -> int | None:
        """End the process; its exit status."""
        self.connection.close()
        with self._held:
            if not self.jobs:
                self._ended(10)  # it has nothing to do and has heard it; it ends its sandbox first
            self._process.terminate()
            if not self._ended(5):
                self._process.kill()
        return self._process.wait()

    def _say(self, message: Setting | Job) -> None:
        with contextlib.suppress(OSError):  # it has ended, which shows when it is read from
            self.connection.send(message)

    def _ended(self, seconds: float) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return not self.running


def serve(channel: int, lifeline: int) -> None:
    """The whole life of one process, given its two descriptors: ends when its owner hangs up or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # control-C is the owner's to hear; it hangs up
    signal.signal(signal.SIGTERM, _end)
    connection = Connection(channel)
    _owner_s_end.append(Connection(lifeline, writable=False))
    try:
        _serve(connection, connection.recv())
    except (EOFError, OSError):
        return  # it has hung up already
    except (JudgeError, CourseError) as error:
        with contextlib.suppress(OSError):
            connection.send(str(error))


def _serve(connection: Connection, how: Setting) -> None:
    judging.SUITES = how.suites
    course = load_course(how.root)
    part = course.part(how.part)
    if how.objection is not None and (why := how.objection(course, part, how)) is not None:
        connection.send(why)
        return

    def answer_all(suites: Suites) -> None:
        gc.collect()
        gc.freeze()  # or each fork would copy all that the first collection of garbage touches
        connection.send(None)
        while connection.poll(how.idle):
            job = connection.recv()
            connection.send(_forked(job, lambda job=job: _judge(suites, course, part, how, job), how.level))

    collected(part, answer_all)


_owner_s_end: list[Connection] = []  # readable once the process that this one judges for is gone
_under_way: list[int] = []  # the fork that is judging just now


def _end(*_: object) -> None:
    """End this process at once, and with it what it has forked."""
    for pid in _under_way:
        os.kill(pid, signal.SIGKILL)
    os._exit(1)


def _judge(suites: Suites, course: Course, part: Part, how: Setting, job: Job) -> Done:
    """Judge one job in this process."""
    results = Results(job.known)
    try:
        verdict = judge_with(
            suites,
            course,
            part,
            job.submission,
            how.level,
            seed=job.seed,
            budget=how.budget,
            explain=how.explain,
            results=results,
        )
    except Exception as error:  # of ours: the submission stays unjudged, the others are judged
        return Done(job.name, None, problem=f"{type(error).__name__}: {error}")
    return Done(job.name, verdict, results.used)


def _forked(job: Job, work: Callable[[], Done], level: Level) -> Done:
    """What `work` returns in a fork of this process; a second fork when the first one came to an end too early."""
    status = None
    for _ in range(ATTEMPTS):
        get_zygote(level)  # before the fork, so that it is started once and not each time
        receiver, sender = Pipe(duplex=False)
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _in_the_fork(sender, work)
        _under_way[:] = [pid]
        sender.close()
        answer = _received(receiver)
        receiver.close()
        status = os.waitpid(pid, 0)[1]
        _under_way.clear()
        if answer is None or not answer[1]:
            close_zygotes()  # nobody knows what it was in the middle of
        if answer is not None:
            return answer[0]
    return Done(job.name, None, problem=f"the judge's process ended without an answer (status {status})")


def _in_the_fork(sender: Connection, work: Callable[[], Done]) -> None:
    """Never returns: what stands on the stack below belongs to the process before the fork."""
    try:
        borrow_zygotes()
        random.seed()  # the numbers of requests must not be those that an earlier submission has seen
        done = work()
        sender.send((done, give_back_zygotes()))
    finally:
        os._exit(0)


def _received(receiver: Connection) -> Any:
    """What the fork sends, or None when it ended without a word. When this process's owner is gone, so are both."""
    if receiver not in wait([receiver, *_owner_s_end]):
        _end()
    try:
        return receiver.recv()
    except EOFError:
        return None
