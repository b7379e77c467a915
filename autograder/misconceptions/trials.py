"""Runs a part's suites against many engines of our own in this process, each in a forked child with limits.

Much faster than the judge: the suites are imported and collected once, and no pipe stands between a test and the
engine. Nothing that somebody else wrote may ever be tried here. For the gate's mutants and constant bodies, and for
holding what happens in one process against what the judge says.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import pytest

from autograder.course import Course, Part, load_course
from autograder.course.code import given_files
from autograder.judge.judge import JudgeError, collected, on_their_own
from autograder.judge.plugin import Noted, note
from autograder.judge.session import StandIns, Suites
from autograder.judge.students import InProcess
from autograder.judge.verdict import Outcome
from autograder.misconceptions.bank import Workshop, write_files

MEMORY = 1 << 29  # bytes that a child may take beyond what this process has already
LEAST_SECONDS = 2.0  # of computing, for each test


@dataclass(frozen=True)
class Trial:
    """An engine to try. `tasks`: whose tests run first, or alone with `only`.

    to_the_first   stop at the first test that does not pass
    grafted        run what stands on a failed task again with the reference in its place, as the judge does
    """

    files: dict[str, bytes]
    tasks: tuple[str, ...] = ()
    only: bool = False
    to_the_first: bool = False
    grafted: bool = False


def tried(root: Path, part_id: str, trials: Sequence[Trial]) -> list[list[Noted]]:
    """How the tests of each trial ended, in the order in which they ran: public ones before hidden ones.

    Raises JudgeError when the reference itself does not pass or the suites can't be collected.
    """
    course = load_course(root)
    part = course.part(part_id)
    return collected(part, lambda suites: _Bench(course, part, suites).tried(trials))


@dataclass(eq=False)
class _Bench:
    """The collected tests of a part, and what each took the reference."""

    course: Course
    part: Part
    suites: Suites
    _seconds: dict[str, float] = field(default_factory=dict)  # by node id

    def tried(self, trials: Sequence[Trial]) -> list[list[Noted]]:
        gc.collect()
        gc.freeze()  # what the children share with this process is not copied by their collections
        try:
            reference = self._run(Trial(Workshop(self.course, self.part).worked))
            for entry in reference:
                if entry.verdict.outcome != "passed":
                    raise JudgeError(f"{self.part.id}: in one process the reference fails {entry.verdict.name}")
            self._seconds = {entry.nodeid: entry.verdict.seconds for entry in reference}
            return [self._run(trial) for trial in trials]
        finally:
            gc.unfreeze()

    def _run(self, trial: Trial) -> list[Noted]:
        items = self.suites.items
        with tempfile.TemporaryDirectory() as folder:
            write_files(Path(folder), {**given_files(self.course, self.part), **trial.files})
            student = InProcess(Path(folder))
            self.suites.begin(student, {})
            noted = self._until_all_ran(_in_order(items, trial), trial.to_the_first)
            if not trial.grafted:
                return noted

            def again(blamed: Mapping[str, StandIns], sources: Mapping[StandIns, Mapping[str, str]]) -> list[Noted]:
                self.suites.begin(student, {nodeid: sources[others] for nodeid, others in blamed.items()})
                return self._until_all_ran([item for item in items if item.nodeid in blamed], False)

            return on_their_own(self.course, self.part, noted, again)

    def _until_all_ran(self, items: list[pytest.Item], to_the_first: bool) -> list[Noted]:
        """A child runs the tests; where it dies in the middle of one, another child goes on with the next."""
        noted: list[Noted] = []
        while len(noted) < len(items):
            ended = self._in_a_child(items[len(noted) :], to_the_first, noted)
            if ended is None:
                break
            noted.append(note(items[len(noted)], ended, "it ended the process"))
            if to_the_first:
                break
        return noted

    def _in_a_child(self, items: list[pytest.Item], to_the_first: bool, noted: list[Noted]) -> Outcome | None:
        """Append what a child reports to `noted`; how it died, or None when it came to its end."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _as_a_child(lambda report: self._work(items, to_the_first, report), writing)
        os.close(writing)
        with open(reading, "rb") as pipe:
            noted += _reports(pipe)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            return None
        return "timeout" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF else "crashed"

    def _work(self, items: list[pytest.Item], to_the_first: bool, report: Callable[[Noted], None]) -> None:
        for item, following in zip(items, [*items[1:], None], strict=True):
            # The child dies of the signal when the test has used up its time; no code of an engine can catch that.
            signal.setitimer(signal.ITIMER_PROF, LEAST_SECONDS + 5 * self._seconds.get(item.nodeid, 5.0))
            entry = self.suites.run_one(item, following)
            report(entry)
            if to_the_first and entry.verdict.outcome != "passed":
                return


def _in_order(items: list[pytest.Item], trial: Trial) -> list[pytest.Item]:
    """Public tests first, and in each suite those of the trial's own tasks."""

    def key(item: pytest.Item) -> tuple[bool, bool]:
        return item.path.name != "test_public.py", note(item, "passed").task not in trial.tasks

    wanted = [item for item in items if not trial.only or note(item, "passed").task in trial.tasks]
    return sorted(wanted, key=key)


def _as_a_child(work: Callable[[Callable[[Noted], None]], None], writing: int) -> None:
    """In the fork: do the work and end, whatever happens."""
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if _is_linux() else MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
        with open(writing, "wb") as pipe:

            def report(entry: Noted) -> None:
                pickle.dump(entry, pipe)
                pipe.flush()

            work(report)
        code = 0
    finally:
        os._exit(code)


def _is_linux() -> bool:
    return Path("/proc/self/statm").exists()


def _reports(pipe: BinaryIO) -> Iterator[Noted]:
    while True:
        try:
            yield pickle.load(pipe)
        except (EOFError, pickle.UnpicklingError):  # the child has ended, perhaps in the middle of a report
            return
