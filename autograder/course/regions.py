"""The regions of a solution file: one text that holds every part's reference and every part's stub.

solutions/README.md explains the syntax to the people who write it. This module reads one file at a time and never
decides which files a part consists of. What it renders is a pure function of the text and the part's number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from autograder.course.manifest import TASK_ID, Course, CourseError

_MARKER = re.compile(r"^(?P<indent>[ \t]*)#:(?P<rest>.*)$")
_STUB_TEXT = re.compile(r"^\|(?: (?P<text>.*))?$")
_PARTS = re.compile(r"^part (?P<first>[1-9][0-9]*)(?P<range>-(?P<last>[1-9][0-9]*))?$")
_TASK = re.compile(rf"^task (?P<id>{TASK_ID.pattern})$")


@dataclass(frozen=True)
class Line:
    """One line of text and the number it has in the solution file."""

    number: int
    text: str


@dataclass
class Span:
    """Lines that are there from part `first` to part `last` (None: to the end of the course)."""

    first: int
    last: int | None
    start: int
    body: list[Item] = field(default_factory=list)


@dataclass
class TaskRegion:
    """A task's finished code and the lines that stand in its place while the task is open."""

    task: str
    start: int
    body: list[Item] = field(default_factory=list)
    stub: list[Line] | None = None

    @property
    def part(self) -> int:
        """The number of the part that the task belongs to."""
        return int(self.task.partition(".")[0])


Item = Line | Span | TaskRegion


@dataclass(frozen=True)
class SolutionFile:
    """A parsed solution file; `name` is what errors call it (a path under the course's root)."""

    name: str
    items: list[Item]

    def tasks(self) -> list[str]:
        """The ids of the tasks that have code here, in the order in which they first appear."""
        return list(dict.fromkeys(region.task for region in self._regions()))

    def stubbed_tasks(self) -> set[str]:
        """The ids of the tasks for which a stub is written here."""
        return {region.task for region in self._regions() if region.stub is not None}

    def solution_lines(self) -> Iterator[tuple[str, int, list[Line]]]:
        """Per task region: the task's id, its part's number and the lines of its finished code.

        A region inside another belongs to its own task alone.
        """
        for region in self._regions():
            yield region.task, region.part, [item for item in _without_spans(region.body) if isinstance(item, Line)]

    def _regions(self) -> Iterator[TaskRegion]:
        pending = list(reversed(self.items))
        while pending:
            item = pending.pop()
            if isinstance(item, TaskRegion):
                yield item
            if not isinstance(item, Line):
                pending.extend(reversed(item.body))


def _without_spans(items: list[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Span):
            yield from _without_spans(item.body)
        else:
            yield item


def parse(text: str, name: str, course: Course) -> SolutionFile:
    """Read a solution file's text.

    name    the file's path for messages
    course  decides which task ids there are; a part that is only announced in course.toml may have any
    Raises CourseError, with file and line, for a marker that is unknown, unclosed or in the wrong place.
    """
    return _Parser(name, course).parse(text)


def solution_file(course: Course, name: str) -> SolutionFile:
    """Parse solutions/`name`. Raises CourseError when it is missing, no text, or its markers are wrong."""
    path = course.solutions / name
    shown = path.relative_to(course.root).as_posix()
    try:
        return parse(path.read_text(encoding="utf-8"), shown, course)
    except FileNotFoundError:
        raise CourseError(f"{shown} does not exist, and the course needs it") from None
    except UnicodeDecodeError:
        raise CourseError(f"{shown} is not UTF-8 text") from None


class _Parser:
    def __init__(self, name: str, course: Course) -> None:
        self.name = name
        self.course = course
        self.open: list[Span | TaskRegion] = []
        self.items: list[Item] = []

    def parse(self, text: str) -> SolutionFile:
        for number, line in enumerate(text.splitlines(), 1):
            marker = _MARKER.match(line)
            if marker:
                self._marker(number, marker["indent"], marker["rest"])
            elif self._stub() is not None:
                if line.strip():
                    raise self._error(number, "only '#:| ' lines may stand between '#: stub' and its '#: end'")
            else:
                self._body().append(Line(number, line))
        if self.open:
            raise self._error(self.open[-1].start, "this region is never closed; it needs an '#: end'")
        return SolutionFile(self.name, self.items)

    def _marker(self, number: int, indent: str, rest: str) -> None:
        stub = self._stub()
        if text := _STUB_TEXT.match(rest):
            if stub is None:
                raise self._error(number, "stub text outside a task's '#: stub'")
            stub.append(Line(number, (indent + (text["text"] or "")).rstrip()))
            return
        word = rest.strip()
        if word == "end":
            if not self.open:
                raise self._error(number, "this '#: end' closes nothing")
            self.open.pop()
        elif stub is not None:
            raise self._error(number, f"'#: {word}' inside a stub; close the task with '#: end' first")
        elif word == "stub":
            region = self.open[-1] if self.open else None
            if not isinstance(region, TaskRegion):
                raise self._error(number, "'#: stub' outside a task")
            region.stub = []
        else:
            self._open(number, word)

    def _open(self, number: int, word: str) -> None:
        region: Span | TaskRegion
        if parts := _PARTS.match(word):
            first, last = int(parts["first"]), int(parts["last"] or 0)
            if parts["range"] and last < first:
                raise self._error(number, f"'#: {word}' runs backwards")
            region = Span(first, last or None, number)
        elif task := _TASK.match(word):
            region = TaskRegion(task["id"], number)
            self._check_task(number, region)
        else:
            raise self._error(number, f"unknown marker '#: {word}'; there are part N, part N-M, task N.M, stub and end")
        self._body().append(region)
        self.open.append(region)

    def _check_task(self, number: int, region: TaskRegion) -> None:
        for part in self.course.parts:
            if part.number == region.part:
                if part.tasks and region.task not in {task.id for task in part.tasks}:
                    raise self._error(number, f"course.toml gives {part.id} no task {region.task}")
                return
        raise self._error(number, f"task {region.task}: course.toml has no part{region.part}")

    def _stub(self) -> list[Line] | None:
        innermost = self.open[-1] if self.open else None
        return innermost.stub if isinstance(innermost, TaskRegion) else None

    def _body(self) -> list[Item]:
        return self.open[-1].body if self.open else self.items

    def _error(self, number: int, what: str) -> CourseError:
        return CourseError(f"{self.name}:{number}: {what}")


def render(source: SolutionFile, part: int, *, worked: bool = False, but: str | None = None) -> str:
    """The file as part `part` hands it out; with `worked`, as the worked solution of that part.

    Tasks of earlier parts are finished, the part's own are stubs (finished when `worked`, all but the task `but`),
    later ones are not there.
    Raises CourseError, with file and line, when the result is not Python.
    """
    text = _tidy(_lines(source.items, part, finished=part if worked else part - 1, but=but))
    try:
        compile(text, source.name, "exec", dont_inherit=True)
    except SyntaxError as error:
        line = (error.text or "").strip()
        raise CourseError(f"{source.name}: what it gives for part {part} is not Python: {error.msg}: {line}") from None
    return text


def common_code(source: SolutionFile, part: int, *, worked: bool = False) -> str:
    """The code that students of part `part` may read: what it hands out, without its own tasks and their stubs.

    worked  they may read the worked solution of the part, too
    Not always Python: a method whose body is one open task has no body here.
    """
    return _tidy(_lines(source.items, part, finished=part if worked else part - 1, stubs=False))


def _lines(
    items: list[Item], part: int, *, finished: int, stubs: bool = True, but: str | None = None
) -> Iterator[str | None]:
    """The lines to keep; None where a marker stood, so that only blank lines around markers are tidied.

    Tasks up to part `finished`, all but `but`, give their code; others of part `part` give their stub if `stubs`.
    """
    for item in items:
        if isinstance(item, Line):
            yield item.text
            continue
        yield None
        if isinstance(item, Span):
            if item.first <= part and (item.last is None or part <= item.last):
                yield from _lines(item.body, part, finished=finished, stubs=stubs, but=but)
        elif item.part <= finished and item.task != but:
            yield from _lines(item.body, part, finished=finished, stubs=stubs, but=but)
        elif item.part == part and stubs:
            yield from (line.text for line in item.stub or [])
        yield None


def _tidy(lines: Iterator[str | None]) -> str:
    """Join the lines; where markers stood, leave as many blank lines as a formatter would."""
    out: list[str] = []
    blanks, seam = 0, True
    for line in lines:
        if line is None:
            seam = True
        elif not line.strip():
            blanks += 1
        else:
            out.extend([""] * (_allowed(out, line, blanks) if seam else blanks))
            out.append(line)
            blanks, seam = 0, False
    return "\n".join(out) + "\n" if out else ""


def _allowed(before: list[str], line: str, blanks: int) -> int:
    if not before or before[-1].rstrip().endswith(":"):
        return 0
    return min(blanks, 1 if line[0] in " \t" else 2)
