"""What `micrograder grade` shows: progress while it runs, then a few lines. 80 columns; plain when piped."""

from __future__ import annotations

from contextlib import ExitStack

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from autograder.course import Part
from autograder.grading.grade import Outcome
from autograder.grading.preview import SAME, Preview
from autograder.grading.replay import Replayed
from autograder.judge.safe_text import plain
from autograder.progress import Step, progress

SHOWN = 8  # values beside a failed statement
LINE = 240  # three lines of a terminal


class Screen:
    """Shows a run; use it as a context manager around grade()."""

    def __init__(self, console: Console, title: str = "Grading") -> None:
        self._console, self._title = console, title
        self._open = ExitStack()
        self._step: Step | None = None

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def begin(self, total: int) -> None:
        """See grade.Watcher."""
        self._step = self._open.enter_context(progress(self._console, self._title, total))

    def settled(self, student: str, what: str) -> None:
        """See grade.Watcher."""
        if self._step is not None:
            self._step(plain(student, 60) if what in ("graded", "looked at") else f"{plain(student, 60)}: {what}")

    def remark(self, text: str) -> None:
        """See grade.Watcher."""
        self._console.print(plain(text, 300), markup=False)


def print_outcome(part: Part, outcome: Outcome, console: Console) -> None:
    """Say how a run ended."""
    counts = f"{outcome.graded} graded, {outcome.unchanged} unchanged, {len(outcome.ungraded)} ungraded"
    console.print(f"{part.id}: {outcome.total} submissions: {counts}; {outcome.judged} judged")
    if outcome.penalties:
        console.print(f"late penalties that changed: {outcome.penalties}")
    for student, why in outcome.ungraded.items():
        console.print(f"not graded: {plain(student, 60)}: {plain(why, 300)}", markup=False)


def print_preview(part: Part, found: Preview, console: Console) -> None:
    """Say whose score would move, by how much, and which tests did it."""
    late = {each.student: each for each in found.late}
    students = sorted({*late, *(move.student for move in found.moves)})
    for student in students:
        moves = [move for move in found.moves if move.student == student]
        counted = [move for move in moves if not move.by_hand]
        change = sum(move.after - (move.before or 0.0) for move in counted)
        if student in late:
            change -= late[student].after - late[student].before
        console.print(f"{plain(student, 60)}: {change:+.4g} points", markup=False)
        for move in moves:
            before = "no score" if move.before is None else f"{move.before:.4g}"
            hand = " (a marker's points stay)" if move.by_hand else ""
            console.print(f"  {move.task}: {before} -> {move.after:.4g}{hand}", markup=False)
            for name, old, new in move.tests:
                console.print(f"    {old} -> {new}: {plain(name, 100)}", markup=False)
        if student in late:
            console.print(f"  taken off for lateness: {late[student].before:.4g} -> {late[student].after:.4g}")
    for student, why in found.unjudged.items():
        console.print(f"no verdict: {plain(student, 60)}: {plain(why, 300)}", markup=False)
    for remark in found.remarks:
        console.print(plain(remark, 300), markup=False)
    before, after = found.worth
    if before is not None and abs(before - after) > SAME:
        console.print(f"{part.id} would be worth {after:g} points; it is worth {before:g} now")
    console.print(f"{part.id}: {len(students)} of {found.total} submissions would move; nothing was written")


def print_replay(found: Replayed, console: Console) -> None:
    """One screen about one test: what was recorded, what it does now, and what it fails on."""
    test, verdict = found.recorded, found.verdict
    lines = [
        f"{found.student}, {found.part}, task {found.task}: {test.visibility} {test.name}",
        f"recorded: {test.outcome}; now: {found.now.outcome} ({'the same' if found.same else 'NOT the same'})",
        f"seed {verdict.seed}, sandbox {verdict.sandbox}, submission {verdict.submission}, suites {verdict.suite}",
        *found.changed,
    ]
    if found.stand_ins:
        lines.append(f"run with the kit's own {' and '.join(found.stand_ins)} in place of the student's")
    if found.now.message:
        lines += ["", f"told to the student: {found.now.message}"]
    if found.failing is not None:
        failing = found.failing
        lines += ["", failing.where, f"    {failing.statement}", failing.observation]
        lines += [f"    {name} = {value}" for name, value in list(failing.values.items())[:SHOWN]]
    lines += ["", "by hand, from the course's root:"]
    submission = f"submitted/{found.student}/{found.part}"
    lines.append(f"  pytest autograder/suites/{found.part} --submission {submission} -k {test.name}")
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        console.print(Padding(Text(plain(line, LINE)), (0, 0, 0, len(indent))) if line else "")
