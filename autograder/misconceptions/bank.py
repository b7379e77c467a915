"""Reads the bank: one partN.toml per part with the mistakes, and right/partN/ with engines in other styles.

Nothing is judged here, and nothing of the bank but its sentences may ever reach a student.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from autograder.build.placeholders import is_unwritten
from autograder.course import Course, CourseError, Part
from autograder.course.code import worked_solution
from autograder.course.manifest import complaint

FOLDER = Path(__file__).parent
SEEN = (FOLDER.parent / "judge" / "seen.py", FOLDER.parent / "student" / "kitlib" / "seen.py")


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Engine(_Entry):
    """A wrong engine: the worked solution's `file` with each first text of `change` replaced by the second.

    fails   the tasks that it must fail; it must pass all others
    named   how surely it must be named: "likely" where no test can see a number of it
    """

    fails: tuple[str, ...] = Field(min_length=1)
    file: str = "value.py"
    change: tuple[tuple[str, str], ...] = Field(min_length=1)
    named: Literal["exact", "likely"] = "exact"

    @property
    def name(self) -> str:
        """Tells the engines of one misconception apart."""
        return "+".join(self.fails)


class Entry(_Entry):
    """A misconception: what the student reads when it is found, and the engines that have it."""

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    title: str = Field(min_length=1)
    belief: str = Field(min_length=1)
    explanation: str = Field(min_length=1)
    reread: str = Field(min_length=1)
    engine: tuple[Engine, ...] = Field(min_length=1)


class Bank(_Entry):
    """Everything about one part.

    unwritten  entries with a placeholder in them: named by the gate, and otherwise as if they were not there
    right      for each right engine its files, those that it has
    """

    part: str
    misconception: tuple[Entry, ...] = ()
    unwritten: tuple[Entry, ...] = ()
    right: dict[str, dict[str, bytes]] = {}

    def entry(self, misconception: str) -> Entry:
        """The entry of that id, which must be there."""
        return next(entry for entry in self.misconception if entry.id == misconception)


def has_bank(part: Part, folder: Path = FOLDER) -> bool:
    """Whether a bank has been written for the part."""
    return (folder / f"{part.id}.toml").is_file()


def load_bank(part: Part, folder: Path = FOLDER) -> Bank:
    """The bank of a part; an empty one when none was written. Raises CourseError, naming file and entry."""
    path = folder / f"{part.id}.toml"
    if not path.is_file():
        return Bank(part=part.id)
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        bank = Bank.model_validate({"part": part.id, **raw, "right": _right(folder / "right" / part.id)})
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path.name}: {error}") from None
    except ValidationError as error:
        raise CourseError(f"{path.name}: {complaint(error)}") from None
    _check(bank, part, path.name)
    unwritten = tuple(entry for entry in bank.misconception if is_unwritten(entry.model_dump_json()))
    written = tuple(entry for entry in bank.misconception if entry not in unwritten)
    return bank.model_copy(update={"misconception": written, "unwritten": unwritten})


def _check(bank: Bank, part: Part, name: str) -> None:
    ids = [entry.id for entry in bank.misconception]
    if twice := sorted({each for each in ids if ids.count(each) > 1}):
        raise CourseError(f"{name}: the id {twice[0]!r} is there twice")
    tasks = {task.id for task in part.tasks}
    for entry in bank.misconception:
        for engine in entry.engine:
            if unknown := sorted(set(engine.fails) - tasks):
                raise CourseError(f"{name}: {entry.id}: {part.id} has no task {unknown[0]!r}")
            if engine.file not in part.graded:
                raise CourseError(f"{name}: {entry.id}: {engine.file} is no graded file of {part.id}")


def _right(folder: Path) -> dict[str, dict[str, bytes]]:
    if not folder.is_dir():
        return {}
    return {
        style.name: {file.name: file.read_bytes() for file in sorted(style.glob("*.py"))}
        for style in sorted(folder.iterdir())
        if style.is_dir() and not style.name.startswith("_")
    }


@dataclass
class Workshop:
    """Makes whole submissions of one part out of the worked solution."""

    course: Course
    part: Part
    worked: dict[str, bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.worked = worked_solution(self.course, self.part)

    def wrong(self, entry: Entry, engine: Engine) -> dict[str, bytes]:
        """A wrong engine's files. Raises CourseError when a text to be changed does not stand there exactly once."""
        try:
            return {**self.worked, engine.file: patched(self.worked[engine.file], engine.change)}
        except ValueError as error:
            raise CourseError(
                f"{self.part.id}.toml: {entry.id} ({engine.name}): {error} in {engine.file}; "
                "the solution has changed, so the entry has to follow"
            ) from None

    def right(self, files: dict[str, bytes]) -> dict[str, bytes]:
        """A right engine's files; what it does not have is the worked solution's."""
        return {**self.worked, **files}


def patched(source: bytes, change: tuple[tuple[str, str], ...]) -> bytes:
    """The source with each change made. Raises ValueError for a text that does not stand there exactly once."""
    text = source.decode()
    for old, new in change:
        if (count := text.count(old)) != 1:
            raise ValueError(f"{old.strip().splitlines()[0]!r} stands {count} times")
        text = text.replace(old, new)
    return text.encode()


def write_files(folder: Path, files: dict[str, bytes]) -> Path:
    """Put a submission into a folder of its own; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def digest_of(bank: Bank, workshop: Workshop, suites: Path) -> str:
    """Identifies everything that the recorded fingerprints depend on: suites, wrong engines, worked solution."""
    total = hashlib.sha256()
    for path in [*SEEN, *sorted([*(suites / workshop.part.id).glob("*.py"), *suites.glob("*.py")])]:
        total.update(f"{path.name}\0".encode() + path.read_bytes())
    for name, content in sorted(workshop.worked.items()):
        total.update(f"{name}\0".encode() + content)
    for entry in bank.misconception:
        for engine in entry.engine:
            total.update(repr((entry.id, engine.file, engine.change)).encode())
    return total.hexdigest()[:16]
