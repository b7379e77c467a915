"""Warm judges: processes that have imported and collected a part's suites once and fork for each submission.

A fork starts from suites that no submission has been near, and uses the sandbox of the process it comes from. Neither
a cache nor a gradebook is known here.
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any

from autograder.course import Course, Part, load_course
from autograder.judge import judge as judging
from autograder.judge.judge import Explain, JudgeError, collected, judge_with
from autograder.judge.plugin import Noted
from autograder.judge.session import Key, Results, Suites
from autograder.judge.submission import Submission
from autograder.judge.verdict import Level, Verdict
from autograder.judge.zygote import Budget, borrow_zygotes, close_zygotes, get_zygote, give_back_zygotes

AHEAD = 2  # jobs that a process is handed before it has answered: one under way, one waiting
ATTEMPTS = 2  # a process that was killed from outside may have been killed for what another one did


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
    """How a part is judged: the same for every job. Travels to the processes."""

    root: Path
    part: str
    level: Level
    suites: Path
    explain: Explain | None = None
    budget: Budget = field(default_factory=Budget)


def setting(course: Course, part: Part, level: Level, explain: Explain | None = None) -> Setting:
    """The setting in which this process would judge."""
    return Setting(course.root, part.id, level, judging.SUITES, explain)


def judge_all(how: Setting, jobs: Iterable[Job], processes: int | None = None) -> Generator[Done, None, None]:
    """Judge every job, and yield what comes of them in the order in which they are done.

    Jobs are taken from the iterable as processes become free, so that a large class needs no more memory than a small
    one. As many `processes` as there are cores if None; none is started without a job. Whatever happens to a process,
    there is a Done for every job. Raises JudgeError when the suites can't be collected.
    """
    waiting = iter(jobs)
    first = next(waiting, None)
    if first is None:
        return
    pool = _Pool(how, processes or os.cpu_count() or 1)
    try:
        yield from pool.run(first, waiting)
    finally:
        pool.close()


class _Pool:
    def __init__(self, how: Setting, most: int) -> None:
        self._how = how
        self._most = most
        self._workers: list[_Worker] = []
        self._again: deque[Job] = deque()
        self._tries: dict[str, int] = {}

    def run(self, first: Job, jobs: Iterator[Job]) -> Iterator[Done]:
        self._again.append(first)
        while True:
            self._hand_out(jobs)
            busy = {worker.connection: worker for worker in self._workers if worker.jobs}
            if not busy:
                return
            for connection in wait(list(busy)):
                worker = busy[connection]  # pyright: ignore[reportArgumentType]
                try:
                    answer = worker.connection.recv()
                except (EOFError, OSError):
                    yield from self._lost(worker)
                    continue
                if isinstance(answer, str):
                    raise JudgeError(answer)
                worker.jobs.popleft()
                self._tries.pop(answer.name, None)
                yield answer

    def close(self) -> None:
        for worker in self._workers:
            worker.close()

    def _hand_out(self, jobs: Iterator[Job]) -> None:
        for ahead in range(AHEAD):
            for number in range(self._most):
                if number < len(self._workers) and len(self._workers[number].jobs) > ahead:
                    continue
                job = self._again.popleft() if self._again else next(jobs, None)
                if job is None:
                    return
                if number == len(self._workers):
                    self._workers.append(_Worker(self._how))
                self._workers[number].send(job)

    def _lost(self, worker: _Worker) -> Iterator[Done]:
        """The process has ended: what it was judging is tried once more, what waited behind it as usual."""
        status = worker.close()
        self._workers.remove(worker)
        current = worker.jobs.popleft()
        self._again.extend(worker.jobs)
        tries = self._tries[current.name] = self._tries.get(current.name, 0) + 1
        if tries < ATTEMPTS:
            self._again.append(current)
        else:
            yield Done(current.name, None, problem=f"the judge's process was ended from outside (status {status})")


class _Worker:
    """The pool's end of one process."""

    def __init__(self, how: Setting) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.jobs: deque[Job] = deque()
        self._process = context.Process(target=_serve, args=(theirs, how), name="micrograder-judge")
        self._process.start()
        theirs.close()

    def send(self, job: Job) -> None:
        self.jobs.append(job)
        with contextlib.suppress(OSError):  # it has ended; run() sees that when it reads
            self.connection.send(job)

    def close(self) -> int | None:
        """End the process; its exit status."""
        self.connection.close()
        if not self.jobs:
            self._process.join(timeout=10)  # it has nothing to do and has heard it; it ends its sandbox first
        self._process.terminate()
        self._process.join(timeout=5)
        self._process.kill()
        self._process.join()
        return self._process.exitcode


def _serve(connection: Connection, how: Setting) -> None:
    """The whole life of one process: ends when the pool hangs up or its process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # control-C is the pool's to hear; it hangs up
    signal.signal(signal.SIGTERM, _end)
    judging.SUITES = how.suites
    course = load_course(how.root)
    part = course.part(how.part)

    def answer_all(suites: Suites) -> None:
        gc.collect()
        gc.freeze()  # or each fork would copy all that the first collection of garbage touches
        while True:
            try:
                job = connection.recv()
            except (EOFError, OSError):
                return
            connection.send(_forked(job, lambda job=job: _judge(suites, course, part, how, job), how.level))

    try:
        collected(part, answer_all)
    except (JudgeError, BrokenPipeError) as error:
        with contextlib.suppress(OSError):
            connection.send(str(error))


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
    """What the fork sends, or None when it ended without a word. When the pool's process is gone, so are both."""
    parent = parent_process()
    if parent is not None and receiver not in wait([receiver, parent.sentinel]):
        _end()
    try:
        return receiver.recv()
    except EOFError:
        return None
