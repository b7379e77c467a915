"""How far a long piece of work has come: a bar with count, rate and time left; one line per step when piped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

Step = Callable[[str], None]


@contextmanager
def progress(console: Console, title: str, total: int) -> Iterator[Step]:
    """Show the progress of `total` steps; call what this yields with what was just done, once per step."""
    if not console.is_terminal:
        done: list[str] = []

        def say(what: str) -> None:
            done.append(what)
            console.print(f"{title}: {len(done)} of {total} ({what})", markup=False, soft_wrap=True)

        yield say
        return
    # The names of students are as long as they like; the line is not.
    columns = (TextColumn("{task.description}", markup=False), BarColumn(20), MofNCompleteColumn(), _Rate())
    left = TimeRemainingColumn(elapsed_when_finished=True)
    with Progress(*columns, left, console=console) as bar:
        task = bar.add_task(title, total=total)
        yield lambda what: bar.update(task, advance=1, description=f"{title}: {what[:24]}")


class _Rate(ProgressColumn):
    """Steps per second, or per minute where they are slow."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("")
        return Text(f"{speed:.1f}/s" if speed >= 1 else f"{60 * speed:.0f}/min")
