"""What is still to be written of a part: the PLACEHOLDERs that `micrograder new` leaves, and where they stand.

A placeholder is the text `PLACEHOLDER 4.8: what belongs here`, in any file that is written by hand. The gate names
each, the bank leaves out misconceptions that hold one, and a part with one is not released. Nothing is written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.course.manifest import TASK_ID, Course, Part

_MARK = re.compile(rf"PLACEHOLDER (?P<task>{TASK_ID.pattern}): (?P<what>[^\"'\]\n]*)")


def placeholder(task: str, what: str) -> str:
    """The text that stands for `what` (no quotes, no brackets) until somebody writes it."""
    return f"PLACEHOLDER {task}: {what}"


def is_unwritten(text: str) -> bool:
    """Whether a placeholder is in the text."""
    return _MARK.search(text) is not None


def placeholders(course: Course, part: Part, kit: Path) -> list[str]:
    """A sentence for each placeholder of the part's tasks, with file and line; `kit`: the folder of its suites."""
    return [
        f"{course.shown(path)}:{number}: {found['task']} still lacks {found['what'].strip()}"
        for path in _written_by_hand(course, part, kit)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for found in _MARK.finditer(line)
        if found["task"].partition(".")[0] == str(part.number)
    ]


def _written_by_hand(course: Course, part: Part, kit: Path) -> Iterator[Path]:
    own = course.solutions / part.id
    paths = [course.solutions / "course.toml", *(course.solutions / name for name in part.graded)]
    paths += [own / f"{part.notebook}.py", own / "hints.toml", own / "README.md"]
    paths += [*sorted((kit / "suites" / part.id).glob("*.py")), kit / "misconceptions" / f"{part.id}.toml"]
    return (path for path in paths if path.is_file())
