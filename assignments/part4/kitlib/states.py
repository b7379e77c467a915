"""From single tests to the state of each task: done, wrong, not started, waits for another task, cannot run.

Pure bookkeeping: it runs no test, reads no file and prints nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from .files import Part, Place, Task
from .observe import Observation

DONE, WRONG, NOT_STARTED, CANNOT_RUN, STOPPED, NOT_RUN = (
    "done",
    "wrong",
    "not started",
    "cannot run",
    "stopped",
    "not run",
)


@dataclass(frozen=True)
class Seen:
    """What one test came to. outcome: passed, failed, not_done, blocked, error (nothing could run) or stopped."""

    outcome: str
    needs: tuple[str, ...] = ()
    waits_for: str = ""
    observation: Observation | None = None
    place: Place | None = None
    example: str = ""
    printed: str = ""
    problem: str = ""


@dataclass
class TaskRun:
    """One task with everything that its tests came to; `tests` counts all of them, whether they ran or not.

    blame is the test to explain when the task is wrong.
    """

    task: Task
    tests: int = 0
    seen: list[Seen] = field(default_factory=list)
    state: str = NOT_RUN
    waits_for: str = ""
    blame: Seen | None = None

    @property
    def earned(self) -> Fraction:
        """The public points that the passed tests give: every test has an even share."""
        return self.task.public_points * Fraction(self.count("passed"), self.tests or 1)

    @property
    def partly(self) -> bool:
        """Whether only some of the task's tests ran."""
        return 0 < len(self.seen) < self.tests

    def count(self, outcome: str) -> int:
        return sum(seen.outcome == outcome for seen in self.seen)

    def first(self, outcome: str) -> Seen | None:
        return next((seen for seen in self.seen if seen.outcome == outcome), None)


def judge_states(part: Part, runs: dict[str, TaskRun]) -> None:
    """Fill in the state of every task, in the part's order, from what its tests came to.

    A task that fails only where it stands on an earlier task that is not right yet "waits for" that one: its own
    code may well be right. Only earlier ones, so that two tasks can never wait for each other.
    """
    unfinished: list[str] = []
    for task in part.tasks:
        run = runs[task.id]
        failures = [seen for seen in run.seen if seen.outcome == "failed"]
        waits = [next((need for need in seen.needs if need in unfinished), "") for seen in failures]
        if not run.seen:
            continue
        if run.count("error"):
            run.state = CANNOT_RUN
        elif run.count("stopped"):
            run.state = STOPPED
        elif failures and all(waits):
            run.state, run.waits_for = f"waits for {waits[0]}", waits[0]
        elif failures:
            run.state = WRONG
            run.blame = failures[waits.index("")]
        elif run.count("not_done"):
            run.state = NOT_STARTED
        elif blocked := run.first("blocked"):
            run.state, run.waits_for = f"waits for {blocked.waits_for}", blocked.waits_for
        else:
            run.state = DONE
        if run.state != DONE:
            unfinished.append(task.id)
