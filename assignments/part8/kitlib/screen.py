"""The text that a student reads after a run: a line per task, one explanation, the progress.

Only text, at most 80 columns wide: it runs nothing and knows no pytest. Colour is named beside a line and never says
more than a word in the line does.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from fractions import Fraction

from .files import IN_BROWSER, Part, Place, Task, todo_place
from .mistakes import Mistake
from .states import CANNOT_RUN, DONE, NOT_STARTED, STOPPED, WRONG, Result, TaskRun

WIDTH = 80
MOST_PRINTED = 5  # lines of the student's own prints that are repeated
COLOURS = {DONE: "green", WRONG: "red", CANNOT_RUN: "red", STOPPED: "red"}


@dataclass(frozen=True)
class Line:
    """One line of the screen and the colour it may have on a terminal ("" for none)."""

    text: str
    colour: str = ""


def screen(part: Part, runs: dict[str, TaskRun], *, whole: bool, others: tuple[int, int] = (0, 0)) -> list[Line]:
    """The whole screen. whole: every test of the part was asked for. others: the student's own tests, (all, failed)."""
    shown = [run for run in runs.values() if whole or run.seen]
    lines = [Line(f"Part {part.number}: {part.title}"), Line("")]
    lines += [_task_line(run, shown) for run in shown]
    lines += _next_step(shown, [run.task.id for run in runs.values() if not run.seen])
    if whole:
        lines += [Line(""), *_progress(part, runs)]
    elif not IN_BROWSER:
        lines += [Line(""), Line("Only a selection ran. Plain pytest runs the whole part.")]
    if others[0]:
        failed = f"{others[1]} failed (pytest -v shows them)" if others[1] else "all passed"
        lines.append(Line(f"Tests of your own: {others[0]}, {failed}."))
    return lines


def hint_lines(task: Task, number: int) -> list[Line]:
    """The task's hint with this number, counted from 1, and how to get the one after it."""
    lines = [Line(f"Hint {number} of {len(task.hints)} for {task.id}, {task.title}:")]
    lines += [Line(text) for text in _wrapped(task.hints[number - 1], "  ")]
    after = f"The same command again gives hint {number + 1}." if number < len(task.hints) else "This is the last hint."
    return [*lines, Line(after)]


def waiting_line(task_id: str, place: Place | None) -> str:
    """What is said while a test does not come to an end."""
    where = f" at {place}" if place else ""
    return f"{task_id} is still running{where}. If that is a loop without an end, stop it with Ctrl+C."


def paragraph(text: str) -> str:
    """A sentence wrapped to the width of the screen; lines of code in it stay as they are."""
    return "\n".join(_wrapped(text, ""))


def points(amount: Fraction) -> str:
    """2 for 2, 0.8 for 4/5, 0.67 for 2/3."""
    return f"{float(round(amount, 2)):g}"


def _task_line(run: TaskRun, shown: list[TaskRun]) -> Line:
    state = "passed so far" if run.partly and run.state == DONE else run.state
    titles = min(max(len(other.task.title) for other in shown), 32)
    title = textwrap.shorten(run.task.title, titles, placeholder="...")
    states = max(13, *(len(other.state) for other in shown))
    share = f"{points(run.earned)} of {points(run.task.public_points)} points"
    return Line(f"  {run.task.id:<4} {title:<{titles}}  {state:<{states}}  {share}", COLOURS.get(run.state, ""))


def _next_step(shown: list[TaskRun], not_run: list[str]) -> list[Line]:
    """The one thing to look at now."""
    by_state = {state: next((run for run in shown if run.state == state), None) for state in (*COLOURS, NOT_STARTED)}
    if broken := by_state[CANNOT_RUN]:
        seen = broken.first("error")
        return [Line(""), *(Line(text) for text in _wrapped(seen.problem if seen else "", ""))]
    if stopped := by_state[STOPPED]:
        return _stopped(stopped)
    if wrong := by_state[WRONG]:
        return _wrong(wrong, not_run)
    if fresh := by_state[NOT_STARTED]:
        return [Line(""), *_start_with(fresh.task, "First" if fresh is shown[0] else "Next")]
    if waiting := next((run for run in shown if run.waits_for), None):
        return [Line(""), Line(f"{waiting.task.id} needs {waiting.waits_for}: do that one first.")]
    if shown and all(run.state == DONE and not run.partly for run in shown):
        which = "Every task" if len(shown) > 1 else f"Task {shown[0].task.id}"
        return [Line(""), Line(f"{which} is right as far as these tests look.")]
    return []


def _start_with(task: Task, word: str) -> list[Line]:
    place = todo_place(task)
    where = f" Its TODO is at {place}." if place else ""
    return [Line(f"{word}: {task.id}, {task.title}.{where}"), _help_line(task, False)]


def _wrong(run: TaskRun, not_run: list[str]) -> list[Line]:
    seen = run.blame
    lines = [Line(""), Line(f"Wrong: {run.task.id}, {run.task.title}", "red")]
    if seen is None or seen.observation is None:
        return [*lines, _help_line(run.task, True)]
    unknown = [need for need in seen.needs if need in not_run]
    named = " and ".join([*filter(None, [", ".join(unknown[:-1])]), *unknown[-1:]])
    also = [("mind", f"this test also uses {named}, not tested in this run")] if unknown else []
    for name, text in _facts(seen) + also:
        lines += [Line(line) for line in _wrapped(text, f"  {name:<10}", " " * 12)]
    return [*lines, *(Line(text) for text in _likely(run.like)), _help_line(run.task, True)]


def _likely(mistakes: tuple[Mistake, ...]) -> list[str]:
    """What is said of the known mistakes that look like this one; of several only where to read."""
    if len(mistakes) > 1:
        told = [f"{one.title} ({one.reread})" for one in mistakes]
        return ["Likely one of these:", *(line for text in told for line in _wrapped(text, "  - ", "    "))]
    lines: list[str] = []
    for one in mistakes:
        lines += [*_wrapped(one.title, "Likely: ", "  "), *_wrapped(one.explanation, "  ")]
        lines += _wrapped(one.reread, "  Read again: ", "  ")
    return lines


def _facts(seen: Result) -> list[tuple[str, str]]:
    """What the failed test saw, as pairs of a word and a text."""
    saw = seen.observation
    assert saw is not None
    numbers, remark = (saw.note, "") if re.match(r"\w+ = ", saw.note) else (seen.example, saw.note)
    facts = [("computed", saw.setting), ("with", numbers)]
    if seen.problem:
        facts += [("got", seen.problem)]
    elif saw.expected is not None:
        facts += [("expected", f"{saw.subject} {saw.relation} {saw.expected}"), ("got", saw.got or "")]
    elif saw.subject:
        facts += [("expected", saw.subject), ("got", "this does not hold")]
    facts.append(("note", remark if not seen.problem else ""))
    if seen.place:
        facts += [("where", str(seen.place)), ("", seen.place.source)]
    if printed := seen.printed.strip().splitlines():
        kept = printed[-MOST_PRINTED:]
        facts += [("printed", kept[0]), *(("", text) for text in kept[1:])]
    return [(name, text) for name, text in facts if text]


def _stopped(run: TaskRun) -> list[Line]:
    seen = run.first("stopped")
    place = seen.place if seen else None
    where = f", at {place}:" if place else ", outside your own files."
    lines = [Line(""), Line(f"Stopped with Ctrl+C during {run.task.id}{where}", "red")]
    if place:
        lines += [
            Line(f"    {place.source}"),
            Line("If it had run for seconds, the loop around that line may never end."),
        ]
    return lines


def _help_line(task: Task, traceback: bool) -> Line:
    if IN_BROWSER:
        return Line(f'A hint: from kit import hint; hint("{task.id}")')
    more = f"    The whole traceback: pytest -v --task {task.id}" if traceback else ""
    return Line(f"A hint: pytest --hint {task.id}{more}")


def _progress(part: Part, runs: dict[str, TaskRun]) -> list[Line]:
    done = sum(run.state == DONE for run in runs.values())
    earned = sum((run.earned for run in runs.values()), Fraction(0))
    public = sum((task.public_points for task in part.tasks), Fraction(0))
    total = sum((task.points for task in part.tasks), Fraction(0))
    percent = points(100 * public / total) if total else "0"
    first = f"Part {part.number}: {done} of {len(runs)} tasks done, {points(earned)} of {points(public)} points."
    second = (
        f"These are the public tests: they decide {percent} % of the part's {points(total)} points. "
        f"Hidden tests decide the other {points(total - public)}: they check other numbers and edge cases."
    )
    return [Line(first), *(Line(text) for text in _wrapped(second, ""))]


def _wrapped(text: str, first: str, rest: str | None = None) -> list[str]:
    """The text at 80 columns. Lines that begin with a space are code and stay on one line, cut if need be."""
    rest = first if rest is None else rest
    lines: list[str] = []
    for piece in text.splitlines():
        if piece.startswith(" "):
            lines.append(piece[:WIDTH])
            continue
        lines += textwrap.wrap(
            piece, WIDTH, initial_indent=first if not lines else rest, subsequent_indent=rest, break_on_hyphens=False
        )
    return lines
