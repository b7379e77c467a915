"""Adds a task to the text of course.toml. All that stands there stays as it is, comments and spaces too.

What comes out is read again and compared with what was meant; a manifest that is laid out in a way that this module
does not know is refused and not guessed at.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from autograder.course import CourseError, Part

_HEADER = re.compile(r"\s*\[\[?\s*(?P<name>[\w.]+)\s*\]\]?")


def with_task(text: str, part: Part, task: dict[str, Any], graded: dict[str, list[str]]) -> str:
    """The manifest's text with one more task at the end of the part's tasks.

    task    its id, title and points
    graded  what the part's `graded` says afterwards
    Raises CourseError, with the lines to add by hand, when the text can't be edited safely.
    """
    lines = text.splitlines()
    entry = [
        "    [[part.task]]",
        f"    id = {_toml(task['id'])}",
        f"    title = {_toml(task['title'])}",
        f"    points = {task['points']:g}",
    ]
    graded_line = f"graded = {_table(graded)}"
    try:
        start, end = _part_lines(lines, part)
        place = _after_tasks(lines, start, end)
        lines[place:place] = ["", *entry]
        _grade(lines, start, end, graded, graded_line)
        changed = "\n".join(lines) + "\n"
        if tomllib.loads(changed) == _meant(tomllib.loads(text), part, task, graded):
            return changed
    except (LookupError, tomllib.TOMLDecodeError):
        pass
    raise CourseError(
        f"solutions/course.toml is laid out in a way that can't be edited safely; add to {part.id} by hand:\n"
        + "\n".join([f"    {graded_line}", *entry])
        + "\nand run this again"
    )


def _meant(raw: dict[str, Any], part: Part, task: dict[str, Any], graded: dict[str, list[str]]) -> dict[str, Any]:
    entry = next(each for each in raw["part"] if each["id"] == part.id)
    entry.setdefault("task", []).append(task)
    entry["graded"] = graded
    return raw


def _part_lines(lines: list[str], part: Part) -> tuple[int, int]:
    """The first line of the part's table and the line after its last."""
    headers = [(number, found["name"]) for number, line in enumerate(lines) if (found := _HEADER.match(line))]
    wanted = f"id = {_toml(part.id)}"
    for position, (number, name) in enumerate(headers):
        following = headers[position + 1 :]
        first = following[0][0] if following else len(lines)
        if name == "part" and any(line.split("#")[0].strip() == wanted for line in lines[number:first]):
            return number, next((at for at, other in following if not other.startswith("part.")), len(lines))
    raise LookupError(part.id)


def _after_tasks(lines: list[str], start: int, end: int) -> int:
    """Where a task is added: after the last one, or after the part's own keys."""
    headers = [(n, found["name"]) for n in range(start, end) if (found := _HEADER.match(lines[n]))]
    last = max((n for n, name in headers if name == "part.task"), default=start)
    place = next((n for n, _ in headers if n > last), end)
    # Blank lines and comments above the next table belong to it.
    while not lines[place - 1].strip() or lines[place - 1].lstrip().startswith("#"):
        place -= 1
    return place


def _grade(lines: list[str], start: int, end: int, graded: dict[str, list[str]], new_line: str) -> None:
    """Let the part's `graded` say what it has to; nothing is touched where it does."""
    for number in range(start, end):
        if not re.match(r"\s*graded\s*=", lines[number]):
            continue
        stands = tomllib.loads(lines[number])["graded"]
        for name, wanted in graded.items():
            for missing in [one for one in wanted if one not in stands.get(name, [])]:
                lines[number] = _one_more(lines[number], name, missing, new=name not in stands)
                stands.setdefault(name, []).append(missing)
        return
    lines.insert(start + 2, new_line)


def _one_more(line: str, file: str, name: str, *, new: bool) -> str:
    """The line `graded = {...}` with one more name for the file."""
    if new:
        return re.sub(r"\s*\}", f", {_table({file: [name]})[2:]}", line, count=1)
    return re.sub(rf"({re.escape(_toml(file))}\s*=\s*\[[^\]]*?),?\s*\]", rf"\1, {_toml(name)}]", line, count=1)


def _table(graded: dict[str, list[str]]) -> str:
    entries = (f"{_toml(file)} = [{', '.join(map(_toml, names))}]" for file, names in graded.items())
    return f"{{ {', '.join(entries)} }}"


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a TOML string of this kind is written as JSON writes it
