"""What has changed in a part since its first release: solutions/partN/changes.toml, as the CHANGELOG.md students read.

Also the rule that goes with it: files that differ from those that were released go out under a new number only. It
reads what was released and changes nothing.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from autograder.course.manifest import Course, CourseError, Part, complaint

CHANGELOG = "CHANGELOG.md"
CHANGES = "changes.toml"
MARKS = ("handout", "tests", "code")
_NUMBER = re.compile(rb"^## Release ([1-9][0-9]*)\b", re.MULTILINE)


class Change(BaseModel):
    """One release after the first: its number, its date, and what is new in it, a sentence or two per entry.

    handout   texts, notebook, stubs, hints
    tests     the public or the hidden tests, points
    code      pytest's screens, kit.py
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = Field(ge=2)
    date: datetime.date
    handout: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    code: tuple[str, ...] = ()

    def entries(self) -> list[tuple[str, str]]:
        """(mark, text) of every entry, each on one line."""
        return [(mark, " ".join(text.split())) for mark in MARKS for text in getattr(self, mark)]


def read_changes(course: Course, part: Part) -> list[Change]:
    """The releases of `part` after its first, oldest first; none when there is no changes.toml.

    Raises CourseError, naming file and entry, when one is impossible, empty or out of order.
    """
    path = course.solutions / part.id / CHANGES
    name = path.relative_to(course.root).as_posix()
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        changes = [Change.model_validate(entry) for entry in raw.pop("release", [])]
    except FileNotFoundError:
        return []
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{name}: {error}") from None
    except ValidationError as error:
        raise CourseError(f"{name}: {complaint(error)}") from None
    if raw:
        raise CourseError(f"{name}: {next(iter(raw))} is unknown; there are [[release]] tables only")
    for number, change in enumerate(changes, 2):
        if change.number != number:
            raise CourseError(f"{name}: release {change.number} stands where release {number} belongs")
        if not any(text for _, text in change.entries()):
            raise CourseError(f"{name}: release {number} says nothing; it needs a text in {', '.join(MARKS)}")
    return changes


def changelog(course: Course, part: Part) -> str:
    """The part's CHANGELOG.md, newest release first. Raises CourseError as read_changes() does."""
    own = ", ".join(sorted(part.handed_in))
    lines = [
        f"# {part.heading}: what has changed",
        "",
        f"To take over a newer release, save `{part.id}-update.zip` in this folder and run, in this folder:",
        "",
        f"    python -m zipfile -e {part.id}-update.zip .",
        "",
        f"It replaces texts and tests and holds none of the files that you write ({own}).",
    ]
    for change in reversed(read_changes(course, part)):
        lines += ["", f"## Release {change.number}, {change.date.isoformat()}", ""]
        lines += [f"- `{mark}:` {text}" for mark, text in change.entries()]
    return "\n".join([*lines, "", "## Release 1", "", "The part as it was handed out first.", ""])


def number_of(files: Mapping[str, bytes]) -> int:
    """The number of the release that these files are; 1 where they say nothing."""
    found = _NUMBER.search(files.get(CHANGELOG, b""))
    return int(found[1]) if found else 1


def changed_since(part: Part, before: Mapping[str, bytes], now: Mapping[str, bytes]) -> list[str]:
    """The names of the files that differ, sorted; `before` are those that were released, none for a first release.

    Raises CourseError when there are any and the release has no new number.
    """
    changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name)) if before else []
    old, new = number_of(before), number_of(now)
    file = f"solutions/{part.id}/{CHANGES}"
    if new < old:
        raise CourseError(f"release {old} of {part.id} is out already, and {file} ends with release {new}")
    others = [name for name in changed if name != CHANGELOG]
    if others and new == old:
        verb = "differs" if len(others) == 1 else "differ"
        raise CourseError(
            f"{', '.join(others)} {verb} from release {old} of {part.id}, and nothing tells students what has changed; "
            f"write a [[release]] with number = {old + 1} into {file}, then run: micrograder build"
        )
    return changed
