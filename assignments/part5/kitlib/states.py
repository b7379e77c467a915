"""From single tests to the state of each task: done, wrong, not started, waits for another task, cannot run.

Pure bookkeeping: it runs no test, reads no file and prints nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from .files import Part, Place, Task
from .mistakes import Mistake, Table
from .seen import PASSED, Seen

if TYPE_CHECKING:  # observe.py needs pytest, and kit.py works without it
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
class Result:
    """What one test came to. outcome: passed, failed, not_done, blocked, error (nothing could run) or stopped.

    evidence is what known mistakes are told by; it is there when the test has passed or failed.
    """

    outcome: str
    test: str = ""
    evidence: Seen = PASSED
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

    blame is the test to explain when the task is wrong, like the known mistakes that look the same.
    """

    task: Task
    tests: int = 0
    seen: list[Result] = field(default_factory=list)
    state: str = NOT_RUN
    waits_for: str = ""
    blame: Result | None = None
    like: tuple[Mistake, ...] = ()

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

    def first(self, outcome: str) -> Result | None:
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


def find_likeness(table: Table, runs: dict[str, TaskRun]) -> None:
    """Fill in the known mistakes that look like those of the wrong tasks.

    Only where every test of the task ran and stands on nothing but tasks that are done: anything else would be
    evidence about other code too. After judge_states().
    """
    for run in runs.values():
        needed = {need for seen in run.seen if seen.outcome == "failed" for need in seen.needs if need in runs}
        told = all(seen.outcome in ("passed", "failed") for seen in run.seen) and not run.partly
        if run.state == WRONG and told and all(runs[need].state == DONE for need in needed - {run.task.id}):
            run.like = table.like(run.task.id, {seen.test: seen.evidence for seen in run.seen})
