"""As many warm judges as this machine has cores, and a class of submissions handed out to them.

Neither a cache nor a gradebook is known here.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import wait

from autograder.judge.judge import JudgeError
from autograder.judge.warm import ATTEMPTS, Done, Job, Setting, WarmJudge

AHEAD = 2  # jobs that a process is handed before it has answered: one under way, one waiting


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
        self._judges: list[WarmJudge] = []
        self._again: deque[Job] = deque()
        self._tries: dict[str, int] = {}

    def run(self, first: Job, jobs: Iterator[Job]) -> Iterator[Done]:
        self._again.append(first)
        while True:
            self._hand_out(jobs)
            busy = {judge.connection: judge for judge in self._judges if judge.jobs}
            if not busy:
                return
            for connection in wait(list(busy)):
                judge = busy[connection]  # pyright: ignore[reportArgumentType]
                try:
                    answer = judge.receive()
                except (EOFError, OSError):
                    yield from self._lost(judge)
                    continue
                if answer is None:
                    continue
                if isinstance(answer, str):
                    raise JudgeError(answer)
                judge.jobs.popleft()
                self._tries.pop(answer.name, None)
                yield answer

    def close(self) -> None:
        for judge in self._judges:
            judge.close()

    def _hand_out(self, jobs: Iterator[Job]) -> None:
        for ahead in range(AHEAD):
            for number in range(self._most):
                if number < len(self._judges) and len(self._judges[number].jobs) > ahead:
                    continue
                job = self._again.popleft() if self._again else next(jobs, None)
                if job is None:
                    return
                if number == len(self._judges):
                    self._judges.append(WarmJudge(self._how))
                self._judges[number].send(job)

    def _lost(self, judge: WarmJudge) -> Iterator[Done]:
        """The process has ended: what it was judging is tried once more, what waited behind it as usual."""
        status = judge.close()
        self._judges.remove(judge)
        current = judge.jobs.popleft()
        self._again.extend(judge.jobs)
        tries = self._tries[current.name] = self._tries.get(current.name, 0) + 1
        if tries < ATTEMPTS:
            self._again.append(current)
        else:
            yield Done(current.name, None, problem=f"the judge's process was ended from outside (status {status})")
