"""Killed at any moment, the judge, its zygote and its workers leave no process behind, and the next run is as any."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.judge.verdict import Level

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
PATIENCE = 30.0  # seconds; only a machine in trouble needs them


def parents() -> dict[int, int]:
    """Every living process and its parent."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                if state not in "ZX":
                    found[int(entry.name)] = int(parent)
    return found


def below(root: int) -> set[int]:
    """The living descendants of a process."""
    family, tree = {root}, parents()
    while more := {child for child, parent in tree.items() if parent in family} - family:
        family |= more
    return family - {root}


def gone(processes: set[int]) -> bool:
    end = time.monotonic() + PATIENCE
    while processes & parents().keys():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Judging:
    """A process that judges for ever."""

    def __init__(self, course: Course, submission: Path, level: Level) -> None:
        script = Path(__file__).parent / "judge_for_ever.py"
        self.process = subprocess.Popen(
            [sys.executable, str(script), str(course.root), str(submission), level],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.seen: set[int] = set()

    def score(self) -> float:
        """The next score that it prints."""
        assert self.process.stdout is not None
        return float(self.process.stdout.readline() or "nan")

    def family(self) -> set[int]:
        found = below(self.process.pid)
        self.seen |= found
        return found


@pytest.fixture
def running(course: Course, level: Level, reference: str, tmp_path: Path) -> Iterator[Judging]:
    (tmp_path / "value.py").write_text(reference)
    judging = Judging(course, tmp_path, level)
    assert judging.score() == 16.0
    yield judging
    judging.process.kill()
    judging.process.communicate()


def kill_one(running: Judging, chance: random.Random) -> None:
    family = sorted(running.family())
    if family:
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(family), signal.SIGKILL)


def test_killed_zygotes_and_workers_are_replaced(running: Judging) -> None:
    chance = random.Random(17)
    for _ in range(3):
        time.sleep(chance.uniform(0, 0.4))
        kill_one(running, chance)
        assert 0 <= running.score() <= 16.0  # a worker that was killed has cost its test
    assert [running.score() for _ in range(3)][1:] == [16.0, 16.0]


def test_a_killed_judge_takes_everything_along(running: Judging) -> None:
    for _ in range(20):
        running.family()
        time.sleep(0.01)
    running.process.kill()
    running.process.wait()
    assert len(running.seen) > 1
    assert gone(running.seen)


@pytest.mark.slow
def test_killed_at_fifty_random_points(course: Course, level: Level, reference: str, tmp_path: Path) -> None:
    chance = random.Random(19)
    (tmp_path / "value.py").write_text(reference)
    for _ in range(10):
        judging = Judging(course, tmp_path, level)
        for _ in range(chance.randrange(5)):
            time.sleep(chance.uniform(0, 1.5))
            kill_one(judging, chance)
        judging.family()
        judging.process.kill()
        judging.process.communicate()
        assert gone(judging.seen)
