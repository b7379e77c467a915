"""What grading a whole class costs, beside stock nbgrader with a kernel per notebook.

    python -m autograder.bench.whole_class [PART] [SIZE ...] [--others N]

In one run, on a course of its own in a temporary folder: the floor (the same suites on the worked solution as pytest in
one warm process), judging on one and on two processes, `grade` with the gradebook for each SIZE, feedback, an unchanged
regrade, a regrade after one test has changed, and N submissions through stock nbgrader and through otter-grader
(others.py). The classes are the bank's wrong engines, the worked solution and the stub, each with a line of its own, so
that no two are equal. CPU and memory are those of all processes together (Linux only; memory is PSS). Ratios count,
not seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.bench.one_submission import cpu_of_tree
from autograder.bench.others import OTHERS, nbgrader
from autograder.build.assignment import part_files
from autograder.build.release import release
from autograder.course import Course, Part, find_root, load_course
from autograder.grading.grade import Outcome, grade
from autograder.judge import judge as judging
from autograder.judge.judge import collected
from autograder.judge.pool import judge_all
from autograder.judge.sandbox import at_least
from autograder.judge.students import InProcess
from autograder.judge.submission import Submission
from autograder.judge.warm import Job, setting
from autograder.misconceptions.bank import Workshop, load_bank, write_files
from autograder.misconceptions.matcher import explain

FLOOR_ROUNDS = 5
STEP = 0.2  # seconds between two looks at the processes
COPIED = ("solutions", "assignments", "nbgrader_config.py")


@dataclass
class Cost:
    """Seconds on the wall and on the processors, and the most memory at a time (MB)."""

    wall: float = 0.0
    cpu: float = 0.0
    memory: float = 0.0


class Silent:
    """A watcher that shows nothing."""

    def begin(self, total: int) -> None:
        """See grade.Watcher."""

    def settled(self, student: str, what: str) -> None:
        """See grade.Watcher."""

    def remark(self, text: str) -> None:
        """See grade.Watcher."""


def main() -> None:
    """Measure, and print a table as it grows."""
    parser = argparse.ArgumentParser(prog="python -m autograder.bench.whole_class")
    parser.add_argument("part", nargs="?", default="part4")
    parser.add_argument("sizes", nargs="*", type=int, default=[60, 300], metavar="SIZE")
    parser.add_argument("--others", type=int, default=6, metavar="N", help="submissions for the others (0: none)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        _measure(Path(temporary), arguments.part, arguments.sizes or [60, 300], arguments.others)


def _measure(folder: Path, part_id: str, sizes: list[int], compared: int) -> None:
    original = load_course(find_root(Path.cwd()))
    judging.SUITES = Path(shutil.copytree(judging.SUITES, folder / "suites"))  # one of its tests will change
    course = _course(original, folder / "course")
    part = course.part(part_id)
    with _quiet():
        release(course, part, early=True)
    codes = _codes(course, part)

    with _measured() as floor:
        _floor(course, part, folder / "reference")
    floor_cpu = floor.cpu / FLOOR_ROUNDS
    print(f"floor: {floor_cpu:.2f} s of CPU per submission (plain pytest in one warm process, worked solution)")

    count = min(sizes[0], 24)
    rates = {}
    for processes in (1, 2):
        with _measured() as cost:
            started = _judge(course, part, itertools.islice(codes, count), processes)
        rates[processes] = (count - processes) / (time.perf_counter() - started)
        print(
            f"judging {count} on {processes}: {rates[processes]:.2f}/s after start-up, {_text(cost, count, floor_cpu)}"
        )
    print(f"two processes are {rates[2] / rates[1]:.2f} times as fast as one")

    for size in sizes:
        shutil.rmtree(course.root / "submitted", ignore_errors=True)
        for number, files in enumerate(itertools.islice(codes, size)):
            _hand_in(course, part, f"s{number:04d}", files)
        for what in ("graded", "unchanged", "one test changed"):
            if what == "one test changed":
                _change_one_test(part)
            with _measured() as cost:
                outcome = grade(course, part, Silent())
            print(f"{size} {what}: {_told(outcome)}, {size / cost.wall:.2f}/s, {_text(cost, size, floor_cpu)}")
            if what == "graded":
                with _measured() as cost:
                    nbgrader(course.root, "generate_feedback", part.id)
                print(f"{size} feedback: {size / cost.wall:.2f}/s, {_text(cost, size, floor_cpu)}")

    for name, grade_by_other in OTHERS.items() if compared else ():
        grader = grade_by_other(course, part, folder / name, list(itertools.islice(codes, compared)))
        for what, step in grader:
            with _measured() as cost:
                step()
            print(f"{name}, {compared} {what}: {compared / cost.wall:.2f}/s, {_text(cost, compared, floor_cpu)}")


def _course(original: Course, root: Path) -> Course:
    root.mkdir()
    for name in COPIED:
        source = original.root / name
        if source.is_dir():
            shutil.copytree(source, root / name)
        else:
            shutil.copy(source, root / name)
    return load_course(root)


def _codes(course: Course, part: Part) -> Iterator[dict[str, bytes]]:
    """For ever: three right ones, then a stub, then a wrong one, no two of them equal."""
    bank, shop = load_bank(part), Workshop(course, part)
    wrong = [shop.wrong(entry, engine) for entry in bank.misconception for engine in entry.engine] or [shop.worked]
    released = part_files(course, part)
    stub = {name: released[name] for name in part.graded}
    for number in itertools.count():
        kind = number % 5
        files = shop.worked if kind < 3 else stub if kind == 3 else wrong[number // 5 % len(wrong)]
        yield {name: content + f"# {number}\n".encode() for name, content in files.items()}


def _floor(course: Course, part: Part, folder: Path) -> None:
    write_files(folder, Workshop(course, part).worked)

    def rounds(suites: judging.Suites) -> None:
        for _ in range(FLOOR_ROUNDS):
            suites.run(InProcess(folder))

    collected(part, rounds)


def _judge(course: Course, part: Part, codes: Iterator[dict[str, bytes]], processes: int) -> float:
    """Judge them; when the last process had given its first answer."""
    jobs = [Job(str(number), Submission(files, {})) for number, files in enumerate(codes)]
    started = 0.0
    how = setting(course, part, at_least(course.sandbox), explain)
    for number, done in enumerate(judge_all(how, jobs, processes), 1):
        if done.verdict is None:
            sys.exit(f"a submission was not judged: {done.problem}")
        if number == processes:
            started = time.perf_counter()
    return started


def _hand_in(course: Course, part: Part, student: str, files: dict[str, bytes]) -> None:
    folder = course.root / "submitted" / student / part.id
    shutil.copytree(course.release / part.id, folder)
    write_files(folder, files)


def _change_one_test(part: Part) -> None:
    """Another line in the body of the first hidden test."""
    path = judging.SUITES / part.id / "test_hidden.py"
    lines = path.read_text().splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("def test_") and line.endswith(":\n"))
    lines.insert(first + 1, f"    _ = {time.time()}\n")
    path.write_text("".join(lines))


@contextlib.contextmanager
def _measured() -> Iterator[Cost]:
    """Fills in what the block costs."""
    cost, over, root = Cost(), threading.Event(), os.getpid()
    before = cpu_of_tree(root)

    def look() -> None:
        # What a sandbox has used is lost to its parents when it ends (bubblewrap does not wait for its own child), so
        # the steps are added up while it lives; a step down is no work undone.
        nonlocal before
        now = cpu_of_tree(root)
        cost.cpu += max(0.0, now - before)
        before = now

    def watch() -> None:
        while not over.wait(STEP):
            look()
            cost.memory = max(cost.memory, _memory_of_tree(root))

    watcher, wall = threading.Thread(target=watch), time.perf_counter()
    watcher.start()
    try:
        yield cost
    finally:
        cost.wall = time.perf_counter() - wall
        over.set()
        watcher.join()
        look()


def _memory_of_tree(root: int) -> float:
    """PSS of a process and all below it, in MB: what they share is counted once."""
    parents, sizes = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                rollup = (entry / "smaps_rollup").read_text()
            except OSError:
                continue
            sizes[int(entry.name)] = next(
                int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")
            )
    below = {root}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return sum(sizes.get(pid, 0) for pid in below) / 1024


def _told(outcome: Outcome) -> str:
    return f"{outcome.graded} written, {outcome.unchanged} unchanged, {outcome.judged} judged"


def _text(cost: Cost, count: int, floor: float) -> str:
    each = cost.cpu / count
    return f"{cost.wall:.1f} s, CPU {each:.2f} s each = {each / floor:.2f} x floor, {cost.memory:.0f} MB"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """nbgrader's remarks go nowhere."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        yield


if __name__ == "__main__":
    main()
