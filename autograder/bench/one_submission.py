"""What judging one submission costs, beside the same suites as plain pytest in one process.

    python -m autograder.bench.one_submission [PART] [ROUNDS]

Each round runs every variant once, in turn, in a Python process of its own, on the part's worked solution. CPU is that
of all processes of a variant together, the jailed ones too, as /proc counts it when the verdict is there (Linux only).
Start-up is part of it: this is what somebody waits for who judges a single submission.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.course import find_root, load_course
from autograder.course.code import worked_solution

IN_PROCESS = "in-process"


def main(arguments: list[str]) -> None:
    """Print the table: per variant the median wall and CPU seconds, and their ratio to the in-process run."""
    from autograder.judge.sandbox import probe
    from autograder.judge.verdict import LEVELS

    part_id = arguments[0] if arguments else "part4"
    rounds = int(arguments[1]) if len(arguments) > 1 else 10
    course = load_course(find_root(Path.cwd()))
    variants = [IN_PROCESS, *(level for level in LEVELS if probe(level).works)]
    seen: dict[str, list[tuple[float, float]]] = {variant: [] for variant in variants}
    with tempfile.TemporaryDirectory() as temporary:
        for name, content in worked_solution(course, course.part(part_id)).items():
            (Path(temporary) / name).write_bytes(content)
        for turn in range(rounds + 1):
            for variant in variants:
                times = _run(variant, part_id, temporary)
                if turn:  # the first round only warms the caches
                    seen[variant].append(times)
    _print(seen, rounds)


def _run(variant: str, part_id: str, folder: str) -> tuple[float, float]:
    start = time.perf_counter()
    command = [sys.executable, "-m", __spec__.name, "--child", variant, part_id, folder]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - start, json.loads(done.stdout)


def child(variant: str, part_id: str, folder: str) -> None:
    """One run; prints the CPU seconds of this process and all below it."""
    from autograder.judge import judge_submission
    from autograder.judge.judge import collected
    from autograder.judge.students import InProcess

    course = load_course(find_root(Path.cwd()))
    part = course.part(part_id)
    if variant == IN_PROCESS:
        noted = collected(part, lambda suites: suites.run(InProcess(Path(folder))))
        right = all(entry.verdict.outcome == "passed" for entry in noted)
    else:
        verdict = judge_submission(course, part, Path(folder), sandbox=variant)  # pyright: ignore[reportArgumentType]
        right = verdict.score == verdict.max
    if not right:
        sys.exit("the worked solution did not pass; nothing to measure")
    print(cpu_of_tree(os.getpid()))


def cpu_of_tree(root: int) -> float:
    """CPU seconds of a process, its living descendants, and the ended ones that any of these has waited for."""
    parents, ticks = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it ended meanwhile
            parents[int(entry.name)] = int(fields[1])
            ticks[int(entry.name)] = sum(int(field) for field in fields[11:15])
    below, size = {root}, 0
    while len(below) > size:
        size = len(below)
        below |= {pid for pid, parent in parents.items() if parent in below}
    return sum(ticks[pid] for pid in below) / os.sysconf("SC_CLK_TCK")


def _print(seen: dict[str, list[tuple[float, float]]], rounds: int) -> None:
    medians = {name: [statistics.median(column) for column in zip(*times, strict=True)] for name, times in seen.items()}
    floor_wall, floor_cpu = medians[IN_PROCESS]
    print(f"medians of {rounds} rounds, seconds; ratios to the same suites in one process")
    print(f"{'':14}{'wall':>8}{'ratio':>8}{'CPU':>8}{'ratio':>8}")
    for name, (wall, cpu) in medians.items():
        print(f"{name:14}{wall:8.2f}{wall / floor_wall:8.2f}{cpu:8.2f}{cpu / floor_cpu:8.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    else:
        main(sys.argv[1:])
