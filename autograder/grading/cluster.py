"""`micrograder grade PART --scheduler ADDRESS`: judging on the workers of a Dask cluster in place of this machine.

The grader's end. Workers that would not give this machine's verdicts get nothing to judge; what they have and do is
on_worker.py's. The gradebook is written here and known to no worker.
"""

from __future__ import annotations

import logging
import pickle
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from autograder.cache.keys import PACKAGE, keys_of
from autograder.course import CourseError, load_course
from autograder.grading.asking import JudgeAll
from autograder.grading.stopped import ClusterError
from autograder.judge.judge import SEED
from autograder.judge.warm import Done, Job, Setting

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 2  # jobs that are on their way for each thread of the workers: one under way, one waiting
CONNECT = 20  # seconds
LOOK = 2.0  # seconds between two looks at which workers there are
PATIENCE = 300.0  # seconds without any worker that may judge; one that has died may be started again
WORKERS_ENDED = "each worker of the cluster that judged it ended before it was done"


def judge_on(address: str, remark: Callable[[str], None]) -> JudgeAll:
    """What judges on the cluster whose scheduler has that address; `remark` is told about workers that get no work.

    Equal to pool.judge_all in what it yields. It raises CourseError when Dask is not installed, and ClusterError when
    the scheduler can't be reached or is gone, or no worker is left that may judge.
    """

    def judge(how: Setting, jobs: Iterable[Job], processes: int | None = None) -> Generator[Done, None, None]:
        waiting = iter(jobs)
        first = next(waiting, None)
        if first is None:
            return
        with _connected(address) as client:
            run = _Run(client, address, how, remark)
            try:
                run.begin()
                yield from run.answers(chain([first], waiting))
            finally:
                run.end()

    return judge


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        from distributed import Client
    except ImportError:
        raise CourseError(
            'judging on a cluster takes Dask; run: pip install -c constraints.txt -e ".[cluster]"'
        ) from None
    # What goes wrong is raised, and said in a sentence.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address} ({_line(error)}); start it, or leave --scheduler out"
        ) from None
    try:
        yield client
    finally:
        client.close(timeout=CONNECT)


class _Run:
    """The judging of many jobs on the workers of one cluster."""

    def __init__(self, client: Client, address: str, how: Setting, remark: Callable[[str], None]) -> None:
        self._client, self._address, self._how, self._remark = client, address, how, remark
        self._name = f"micrograder-{how.part}-{uuid.uuid4().hex}"
        self._under_way: dict[Future, Job] = {}
        self._suspects: list[Job] = []  # were on workers that died, again and again; perhaps not the cause
        self._alone: str | None = None  # the suspect that is judged alone
        self._refused: set[str] = set()
        self._slots = 0
        self._looked = self._had_slots = time.monotonic()

    def begin(self) -> None:
        """Prepare all workers. Raises ClusterError when none of them may judge."""
        from autograder.grading.on_worker import RunOnWorker, expected

        course = load_course(self._how.root)
        part = course.part(self._how.part)
        if not self._how.suites.is_relative_to(PACKAGE):
            raise CourseError(f"a cluster judges by the kit's own suites, not by those in {self._how.suites}")
        wanted = expected(course, part, keys_of(course, part, self._how.level, seed=SEED))
        how = replace(self._how, objection=wanted)
        plugin = RunOnWorker(self._name, course, part, how)
        with self._talking():
            try:
                self._client.register_plugin(plugin, name=self._name)
            except (CancelledError, OSError):
                raise
            except Exception as error:  # a machine without the kit, for one, can't even read what it is sent
                raise ClusterError(
                    f"a worker of {self._address} can't judge ({_line(error)}); each takes the same micrograder as "
                    'this machine, installed with pip install -c constraints.txt -e ".[cluster]"'
                ) from None
        self._look()
        if not self._slots:
            raise ClusterError(
                f"none of the {len(self._refused)} workers of {self._address} may judge"
                if self._refused
                else f"the scheduler at {self._address} has no workers; start some"
            )

    def answers(self, jobs: Iterator[Job]) -> Iterator[Done]:
        """A Done for every job. Raises ClusterError."""
        while True:
            if time.monotonic() > self._looked + LOOK:
                self._look()
            self._hand_out(jobs)
            if not self._under_way:
                return
            for future in self._finished():
                done = self._answer(future)
                if done is not None:
                    yield done

    def end(self) -> None:
        """Take back what is not judged yet, and let the workers forget the run."""
        if self._client.status != "running":
            return
        with suppress(OSError, CancelledError, ValueError):  # it goes away just now; there is nothing left to end then
            self._client.cancel(list(self._under_way))
            self._client.unregister_worker_plugin(self._name)

    def _hand_out(self, jobs: Iterator[Job]) -> None:
        """Keep the workers busy, and no more than that on its way, so that a large class needs no more memory."""
        while len(self._under_way) < AHEAD * max(self._slots, 1):
            job = next(jobs, None)
            if job is None:
                break
            self._submit(job)
        if not self._under_way and self._suspects:
            suspect = self._suspects.pop()
            self._alone = suspect.name
            self._submit(suspect)

    def _submit(self, job: Job) -> None:
        from autograder.grading.on_worker import judge_there

        with self._talking():
            future = self._client.submit(
                judge_there,
                self._name,
                pickle.dumps(job),
                key=f"{self._name}-{uuid.uuid4().hex}",
                resources={self._name: 1},
                pure=False,
            )
        self._under_way[future] = job

    def _finished(self) -> set[Future]:
        from distributed import wait

        with self._talking(), self._client.as_current():
            try:
                return wait(list(self._under_way), timeout=LOOK, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                return set()

    def _answer(self, future: Future) -> Done | None:
        from distributed import KilledWorker

        from autograder.grading.on_worker import NotFit

        job = self._under_way.pop(future)
        with self._talking():
            try:
                return future.result()
            except NotFit as error:
                raise ClusterError(f"a worker of {self._address} may judge no more: {error}") from None
            except KilledWorker:
                if self._alone != job.name:
                    self._suspects.append(job)
                    return None
                return Done(job.name, None, problem=WORKERS_ENDED)
            except (CancelledError, OSError):
                raise
            except Exception as error:  # of ours or of Dask's: the submission stays unjudged, the others are judged
                return Done(job.name, None, problem=f"{type(error).__name__}: {_line(error)}")

    def _look(self) -> None:
        """See which workers there are, and tell of those that get nothing to judge."""
        from autograder.grading.on_worker import fitness

        with self._talking():
            threads: Any = self._client.nthreads()
            said: Any = self._client.run(fitness, self._name, on_error="ignore") if threads else {}
        self._slots = sum(threads.get(worker, 0) for worker, (fit, _) in said.items() if fit)
        for worker, (fit, why) in said.items():
            if fit is False and worker not in self._refused:
                self._refused.add(worker)
                self._remark(f"{worker} gets nothing to judge: {why}")
        self._looked = time.monotonic()
        if self._slots:
            self._had_slots = self._looked
        elif self._looked > self._had_slots + PATIENCE:
            raise ClusterError(f"no worker of {self._address} that may judge is left")

    @contextmanager
    def _talking(self) -> Iterator[None]:
        """A scheduler that is gone shows in many ways; they become one sentence."""
        try:
            yield
        except (OSError, CancelledError) as error:
            raise ClusterError(f"the scheduler at {self._address} is gone ({_line(error)})") from None


def _line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
