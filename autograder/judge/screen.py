"""A verdict as a person reads it in a terminal of 80 columns. Words carry the meaning; colour only helps."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.judge.verdict import TaskVerdict, TestVerdict, Verdict

SHOWN = 3  # failed tests per task that are spelled out


def print_verdict(verdict: Verdict, console: Console) -> None:
    """Print the verdict: a line per task, then what failed, then the total."""
    console.print(f"{verdict.part}: {verdict.score:g} of {verdict.max:g} points (sandbox level: {verdict.sandbox})")
    if verdict.problem:
        console.print(Text(verdict.problem, style="bold"))
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for task in verdict.tasks:
        passed = sum(test.outcome == "passed" for test in task.tests)
        state, style = _state(task)
        table.add_row(
            task.id,
            task.title,
            Text(state, style=style),
            f"{task.score:g} of {task.max:g}",
            f"{passed} of {len(task.tests)} tests",
        )
    console.print(table)
    if verdict.problem:
        return
    for task in verdict.tasks:
        _print_failures(task, console)


def _print_failures(task: TaskVerdict, console: Console) -> None:
    failed = [test for test in task.tests if test.outcome not in ("passed", "not_done")]
    notes = [test for test in task.tests if test.outcome == "passed" and test.message]
    if not failed and not notes:
        return
    console.print(Text(f"\n{task.id} {task.title}", style="bold"))
    if task.misconception:
        console.print(Padding(Text(f"{task.misconception.title}. {task.misconception.explanation}"), (0, 0, 0, 2)))
    for test in failed[:SHOWN]:
        console.print(Padding(Text(_line(test)), (0, 0, 0, 2)))
    if len(failed) > SHOWN:
        console.print(f"  and {len(failed) - SHOWN} more")
    for message in dict.fromkeys(test.message for test in notes):
        console.print(Padding(Text(message), (0, 0, 0, 2)))


def _line(test: TestVerdict) -> str:
    return f"{test.visibility} test {test.outcome}: {test.message}"


def _state(task: TaskVerdict) -> tuple[str, str]:
    outcomes = {test.outcome for test in task.tests}
    if outcomes == {"passed"}:
        return "right", "green"
    if outcomes <= {"not_done", "blocked"}:
        return "not done", ""
    return "wrong", "red"
