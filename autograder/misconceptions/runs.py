"""Judges and tries many engines of our own, as many at a time as the machine has cores. For record.py and gate.py.

Each process has a sandbox of its own; what comes back is the verdict and what was seen of each test.
"""

from __future__ import annotations

import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType

from autograder.course import Course, Part, load_course
from autograder.judge.judge import SEED, JudgeError, collected, judge_with
from autograder.judge.plugin import Noted
from autograder.judge.pool import judge_all
from autograder.judge.sandbox import available
from autograder.judge.seen import Seen
from autograder.judge.session import Key, Results, Suites
from autograder.judge.submission import Submission, read_submission
from autograder.judge.verdict import Level, Verdict
from autograder.judge.warm import Job, setting
from autograder.misconceptions.agreement import disagreement
from autograder.misconceptions.bank import Workshop, write_files
from autograder.misconceptions.matcher import explain
from autograder.misconceptions.trials import Trial, tried

CHUNK = 40  # trials that are made with one collection of the suites
SeenByTask = dict[str, dict[str, Seen]]


@dataclass(frozen=True)
class Run:
    """One judged submission: its verdict, per task what was seen of each test, and which task stands on which."""

    verdict: Verdict
    seen: SeenByTask
    pairs: frozenset[tuple[str, str]] = frozenset()


class Pool:
    """Processes that stay warm for as long as it is open, one per core, and try engines of our own. No sandbox."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._executor = ProcessPoolExecutor(cores(), mp_context=get_context("spawn"))

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._executor.shutdown(cancel_futures=True)

    def tried(self, part: Part, trials: Sequence[Trial]) -> Callable[[], list[list[Noted]]]:
        """Begin the trials; what is returned waits for them and gives their results in order. Raises as tried does."""
        chunks = [trials[i : i + CHUNK] for i in range(0, len(trials), CHUNK)]
        begun = [self._executor.submit(tried, self.course.root, part.id, chunk) for chunk in chunks]
        return lambda: [result for future in begun for result in future.result()]

    def disagreements(self, engines: Sequence[tuple[bytes, bytes]], graphs: int) -> Callable[[], list[str | None]]:
        """Begin to compare each pair of value.py on random graphs; see agreement.disagreement."""
        begun = [self._executor.submit(disagreement, ours, theirs, graphs) for ours, theirs in engines]
        return lambda: [future.result() for future in begun]


def judged(course: Course, part: Part, submissions: Iterable[dict[str, bytes]]) -> Iterator[Run]:
    """Judge each submission, in order, by warm judges. Raises JudgeError when the sandbox or a suite failed."""
    jobs = (Job(str(number), _submission(part, files), seed=SEED) for number, files in enumerate(submissions))
    early: dict[int, Run] = {}
    following = 0
    for done in judge_all(setting(course, part, available(), explain), jobs):
        if done.verdict is None:
            raise JudgeError(done.problem)
        early[int(done.name)] = _run(part, done.verdict, done.used)
        while following in early:
            yield early.pop(following)
            following += 1


def references(course: Course, parts: Sequence[Part], seeds: Sequence[int]) -> dict[str, list[Run]]:
    """By part, the worked solution judged once for each of `seeds`.

    Each time in a process of its own, with another hash seed (the number of the run). The seed of a worker's hashes is
    fixed by the sandbox; the addresses of its objects, by which sets of nodes are ordered, are others every time.
    """
    found: dict[str, list[Run]] = {part.id: [] for part in parts}
    level = available()
    waiting = deque(enumerate(seeds))
    running: dict[Future[dict[str, Run]], ProcessPoolExecutor] = {}
    while waiting or running:
        while waiting and len(running) < cores():
            number, seed = waiting.popleft()
            executor = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
            with _hash_seed(number):
                running[executor.submit(_references, course.root, [part.id for part in parts], level, seed)] = executor
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            for part_id, run in future.result().items():
                found[part_id].append(run)
            running.pop(future).shutdown()
    return found


def cores() -> int:
    """How many processes work at a time."""
    return os.cpu_count() or 1


@contextmanager
def _hash_seed(number: int) -> Iterator[None]:
    """Processes that are started inside hash with that seed."""
    before = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = str(number)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = before


def _references(root: Path, part_ids: Sequence[str], level: Level, seed: int) -> dict[str, Run]:
    course = load_course(root)
    return {part_id: _reference(course, course.part(part_id), level, seed) for part_id in part_ids}


def _reference(course: Course, part: Part, level: Level, seed: int) -> Run:
    submission, results = _submission(part, Workshop(course, part).worked), Results()

    def work(suites: Suites) -> Verdict:
        return judge_with(suites, course, part, submission, level, seed=seed, explain=explain, results=results)

    return _run(part, collected(part, work), results.used)


def _submission(part: Part, files: dict[str, bytes]) -> Submission:
    with tempfile.TemporaryDirectory() as folder:
        return read_submission(part, write_files(Path(folder), files))


def _run(part: Part, verdict: Verdict, used: Mapping[Key, Noted]) -> Run:
    """A run out of what its verdict was made of; what a test showed with others stood in for is what counts."""
    seen: SeenByTask = {task.id: {} for task in part.tasks}
    pairs: set[tuple[str, str]] = set()
    for (_, stand_ins), entry in sorted(used.items(), key=lambda item: bool(item[0][1])):
        seen[entry.task][entry.key] = entry.seen
        if not stand_ins:
            pairs.update((entry.task, other) for other in entry.stands_on)
    return Run(verdict, seen, frozenset(pairs))
