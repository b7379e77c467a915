"""Judges many submissions of our own, as many at a time as the machine has cores. For record.py and gate.py.

Each process has a sandbox of its own; what comes back is the verdict and what was seen of each test.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from autograder.course import Course, Part, load_course
from autograder.judge.judge import judge_submission
from autograder.judge.plugin import Noted
from autograder.judge.seen import Seen
from autograder.judge.verdict import Misconception, Verdict
from autograder.misconceptions.bank import write_files
from autograder.misconceptions.matcher import explain

SEED = 0  # the seed of every official verdict
SeenByTask = dict[str, dict[str, Seen]]


@dataclass(frozen=True)
class Run:
    """One judged submission: its verdict, and per task what was seen of each test."""

    verdict: Verdict
    seen: SeenByTask


def judged(
    course: Course, part: Part, submissions: Iterable[dict[str, bytes]], seeds: Sequence[int] = ()
) -> Iterator[Run]:
    """Judge each submission, in order; `seeds` are theirs, SEED where there is none.

    Raises what the judge raises: JudgeError when the sandbox or a suite failed.
    """
    files = list(submissions)
    calls = [(course.root, part.id, each, seeds[i] if i < len(seeds) else SEED) for i, each in enumerate(files)]
    workers = min(len(calls), os.cpu_count() or 1)
    if workers <= 1:
        yield from map(_judge, calls)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_judge, calls)


def _judge(call: tuple[Path, str, dict[str, bytes], int]) -> Run:
    root, part_id, files, seed = call
    course = load_course(root)
    part = course.part(part_id)
    seen: SeenByTask = {task.id: {} for task in part.tasks}

    def keep(part: Part, seed: int, noted: Sequence[Noted]) -> dict[str, Misconception]:
        for entry in noted:
            seen[entry.task][entry.key] = entry.seen
        return explain(part, seed, noted)

    with tempfile.TemporaryDirectory() as folder:
        verdict = judge_submission(course, part, write_files(Path(folder), files), seed=seed, explain=keep)
    return Run(verdict, seen)
