"""A TA's word against the judge's: points of one task for one student, with the reason, kept in overrides/PART.toml.

Autograde honours it each time it grades, so it survives every regrade; the saved verdict stays the judge's own. The
file may be edited by hand; the last entry for a student and a task counts.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from autograder.course.manifest import Course, CourseError, Part, complaint
from autograder.judge.safe_text import plain
from autograder.judge.verdict import TaskVerdict


class Override(BaseModel):
    """One decision. `reason` and `by` are shown to the student."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    student: str = Field(min_length=1)
    task: str
    points: float
    reason: str = Field(min_length=1)
    by: str = ""


Decisions = Mapping[tuple[str, str], Override]  # by student and task


def overrides_path(course: Course, part: Part) -> Path:
    """The part's file, whether or not it exists."""
    return course.root / "overrides" / f"{part.id}.toml"


def read_overrides(course: Course, part: Part) -> dict[tuple[str, str], Override]:
    """The decisions that count, by student and task; none about a task that was dropped.

    Raises CourseError, naming the entry, when one is impossible.
    """
    path = overrides_path(course, part)
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        entries = [Override.model_validate(entry) for entry in raw.get("override", [])]
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: {error}") from None
    except ValidationError as error:
        raise CourseError(f"{path}: {complaint(error)}") from None
    for entry in entries:
        _check(part, entry, str(path))
    return {(entry.student, entry.task): entry for entry in entries if not part.task(entry.task).dropped}


def decided_for(student: str, decisions: Decisions) -> dict[str, Override]:
    """One student's decisions by task."""
    return {task: entry for (who, task), entry in decisions.items() if who == student}


def overrides_of(course: Course, part: Part, student: str) -> dict[str, Override]:
    """The same, read from the part's file."""
    return decided_for(student, read_overrides(course, part))


def add_override(course: Course, part: Part, entry: Override) -> Path:
    """Append a decision to the part's file and return it; CourseError for an impossible one, and nothing is written."""
    path = overrides_path(course, part)
    _check(part, entry, "override")
    read_overrides(course, part)  # a file that is broken already must be mended first
    lines = [f"{name} = {_toml(value)}" for name, value in entry.model_dump().items() if value != ""]
    text = path.read_text(encoding="utf-8").rstrip("\n") + "\n\n" if path.is_file() else ""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text + "[[override]]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def points_of(task: TaskVerdict, override: Override | None) -> float:
    """What a task is worth to a student: the judge's score, or what a TA has decided."""
    return float(min(task.score, task.max) if override is None else override.points)


def _check(part: Part, entry: Override, where: str) -> None:
    task = part.task(entry.task)
    if not (math.isfinite(entry.points) and 0 <= entry.points <= task.full_points):
        most = f"{float(task.full_points):g}"
        raise CourseError(
            f"{where}: {entry.student}, {entry.task}: {entry.points:g} is not between 0 and {most} points"
        )
    for text in (entry.student, entry.reason, entry.by):
        if plain(text, 1_000) != " ".join(text.split()):
            raise CourseError(f"{where}: {entry.task}: a text has invisible characters in it or is too long")


def _toml(value: str | float) -> str:
    # A JSON string of visible characters is a TOML string as well.
    return json.dumps(" ".join(value.split()), ensure_ascii=False) if isinstance(value, str) else repr(value)
