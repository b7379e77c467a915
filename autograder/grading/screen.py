"""What `micrograder grade` shows: progress while it runs, then a few lines. 80 columns; plain when piped."""

from __future__ import annotations

from contextlib import ExitStack

from rich.console import Console

from autograder.course import Part
from autograder.grading.grade import Outcome
from autograder.judge.safe_text import plain
from autograder.progress import Step, progress


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
            self._step(plain(student, 60) if what == "graded" else f"{plain(student, 60)}: {what}")

    def remark(self, text: str) -> None:
        """See grade.Watcher."""
        self._console.print(plain(text, 300), markup=False)


def print_outcome(part: Part, outcome: Outcome, console: Console) -> None:
    """Say how a run ended."""
    counts = f"{outcome.graded} graded, {outcome.unchanged} unchanged, {len(outcome.ungraded)} ungraded"
    console.print(f"{part.id}: {outcome.total} submissions: {counts}; the judge was asked about {outcome.judged}")
    if outcome.penalties:
        console.print(f"late penalties that changed: {outcome.penalties}")
    for student, why in outcome.ungraded.items():
        console.print(f"not graded: {plain(student, 60)}: {plain(why, 300)}", markup=False)
