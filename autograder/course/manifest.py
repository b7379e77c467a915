"""The manifest: solutions/course.toml as typed, checked objects, and the folders of a course.

The only place that knows how course.toml is written. It must not look into submissions or suites.
"""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

PART_ID = re.compile(r"part[1-9][0-9]*")
TASK_ID = re.compile(r"([1-9][0-9]*)\.([1-9][0-9]*)")


class CourseError(Exception):
    """Something about the course (not a submission) is wrong; the message is one line for a person."""


def _exact(value: object) -> object:
    # Points and shares are exact fractions, so that a full score is the maximum and not 0.1 + 0.2 of it.
    return Fraction(str(value)) if isinstance(value, int | float) and not isinstance(value, bool) else value


Exact = Annotated[Fraction, BeforeValidator(_exact)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class _Counted(_Model):
    """What a task and a written question have in common: a title, points, and since when they count nothing.

    full_points  what course.toml gives for it (there: points)
    dropped      why it no longer counts, in the middle of a term; "" while it does. Students read the reason.
    """

    title: str
    full_points: Exact = Field(gt=0, alias="points")
    dropped: str = ""

    @property
    def points(self) -> Fraction:
        """What it counts: its points, or nothing once it is dropped."""
        return Fraction(0) if self.dropped else self.full_points

    @property
    def remark(self) -> str:
        """What stands behind its title once it is dropped; else ""."""
        return f" (no longer counts: {self.dropped})" if self.dropped else ""


class Task(_Counted):
    """One TODO of a part: its id ("4.1"), its title, its points."""

    id: str = Field(pattern=TASK_ID.pattern)

    @property
    def label(self) -> str:
        """What it is called in a list of a part's tasks and questions."""
        return f"{self.id} {self.title}"

    @property
    def grade_id(self) -> str:
        """The name of its check cell in the notebook and in nbgrader's gradebook: "task-4-1".

        nbgrader's schema allows letters, digits, "_" and "-" in it, so the point of the id becomes a "-".
        """
        return f"task-{self.id.replace('.', '-')}"


class Question(_Counted):
    """One written question of a part, marked by a person."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")

    @property
    def label(self) -> str:
        """What it is called in a list of a part's tasks and questions; its id is for us."""
        return self.title

    @property
    def grade_id(self) -> str:
        """The name of its answer cell in the notebook and in nbgrader's gradebook."""
        return f"question-{self.id}"


class Part(_Model):
    """One part of the lecture: what it hands out, what it grades, and by when.

    dropped  why the whole part no longer counts; its tasks and questions are then dropped, too
    """

    id: str = Field(pattern=PART_ID.pattern)
    title: str
    due: datetime
    graded: dict[str, tuple[str, ...]] = {}
    given: dict[str, tuple[str, ...]] = {}
    tasks: tuple[Task, ...] = Field(default=(), alias="task")
    questions: tuple[Question, ...] = Field(default=(), alias="question")
    public_share: Exact = Field(default=Fraction(2, 5), gt=0, lt=1)
    dropped: str = ""

    @property
    def counted(self) -> tuple[Task | Question, ...]:
        """Everything that has points, or had them: the tasks, then the questions; each is a cell of the gradebook."""
        return (*self.tasks, *self.questions)

    @property
    def number(self) -> int:
        """4 for "part4"."""
        return int(self.id.removeprefix("part"))

    @property
    def heading(self) -> str:
        """What the part is called where people read it, in an LMS too: "Part 4: Automating backward"."""
        return f"Part {self.number}: {self.title}"

    @property
    def notebook(self) -> str:
        """The notebook's name without its ending."""
        return self.id

    @property
    def points(self) -> Fraction:
        """What the judge can give: the sum of the tasks' points."""
        return sum((task.points for task in self.tasks), Fraction(0))

    @property
    def handed_in(self) -> frozenset[str]:
        """The names of the files that a student writes and hands in; nothing handed out later may replace them."""
        return frozenset({*self.graded, f"{self.notebook}.ipynb"})

    @property
    def max_score(self) -> Fraction:
        """What nbgrader's gradebook shows as the maximum: tasks and written questions."""
        return sum((each.points for each in self.counted), Fraction(0))

    def task(self, task_id: str) -> Task:
        """The task of that id, or a CourseError that lists those there are."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise CourseError(f"{self.id} has no task {task_id!r}; it has {', '.join(t.id for t in self.tasks)}")

    @model_validator(mode="before")
    @classmethod
    def _drop_all(cls, raw: Any) -> Any:
        if isinstance(raw, dict) and isinstance(why := raw.get("dropped"), str) and why:
            kinds = {kind: raw[kind] for kind in ("task", "question") if isinstance(raw.get(kind), list)}
            for kind, entries in kinds.items():
                kinds[kind] = [{**entry, "dropped": why} if isinstance(entry, dict) else entry for entry in entries]
            return {**raw, **kinds}
        return raw

    @model_validator(mode="after")
    def _is_consistent(self) -> Part:
        ids = [each.id for each in self.counted]
        for twice in {name for name in ids if ids.count(name) > 1}:
            raise ValueError(f"{self.id}: {twice} stands there twice")
        for task in self.tasks:
            if int(task.id.partition(".")[0]) != self.number:
                raise ValueError(f"task {task.id} does not belong to {self.id}")
        if self.tasks and not self.graded:
            raise ValueError(f"{self.id} has tasks but no graded file")
        return self


class Extension(_Model):
    """More time for one student and one part."""

    student: str
    part: str = Field(pattern=PART_ID.pattern)
    days: float = Field(gt=0)


class Group(_Model):
    """Students who hand in together, for all parts or for one; `name` is what the LMS calls them."""

    name: str = Field(min_length=1)
    students: tuple[str, ...] = Field(min_length=1)
    part: str | None = Field(default=None, pattern=PART_ID.pattern)

    @property
    def key(self) -> str:
        """The name as it can be told in a file's name, see group_key."""
        return group_key(self.name)


def group_key(name: str) -> str:
    """A group's name without capitals and without all that an LMS drops or replaces when it names a file by it."""
    return re.sub(r"[\W_]+", "", name).casefold()


class Course(_Model):
    """The whole course and where its folders are."""

    root: Path
    title: str
    public_share: Exact = Fraction(2, 5)
    late_window_days: int = Field(default=0, ge=0)
    late_percent_per_day: Exact = Field(default=Fraction(0), ge=0, le=100)
    extensions: tuple[Extension, ...] = Field(default=(), alias="extension")
    groups: tuple[Group, ...] = Field(default=(), alias="group")
    sandbox: Literal["strong", "good", "weak"] = "good"
    parts: tuple[Part, ...] = Field(alias="part")

    @property
    def solutions(self) -> Path:
        """Written by hand: the whole course."""
        return self.root / "solutions"

    @property
    def assignments(self) -> Path:
        """Built from solutions/: nbgrader's source folder."""
        return self.root / "assignments"

    @property
    def release(self) -> Path:
        """Built from assignments/: what students get."""
        return self.root / "release"

    @property
    def state(self) -> Path:
        """The kit's own working files; safe to delete."""
        return self.root / ".micrograder"

    def part(self, part_id: str) -> Part:
        """The part of that id ("part4", or just "4"), written and ready; else a CourseError."""
        wanted = f"part{part_id}" if part_id.isdigit() else part_id
        for part in self.parts:
            if part.id == wanted:
                if not part.tasks:
                    raise CourseError(f"{part.id} ({part.title}) is announced in course.toml but has no tasks yet")
                return part
        raise CourseError(f"there is no part {part_id!r}; course.toml has {', '.join(p.id for p in self.parts)}")

    def extensions_of(self, part: Part) -> dict[str, timedelta]:
        """The students who have more time for `part`, and how much."""
        return {each.student: timedelta(days=each.days) for each in self.extensions if each.part == part.id}

    def shown(self, path: Path) -> str:
        """The path as messages name it: under the course's root where it is."""
        return (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()

    def groups_of(self, part: Part) -> dict[str, Group]:
        """The groups that hand `part` in together, by their keys."""
        return {group.key: group for group in self.groups if group.part in (None, part.id)}

    @model_validator(mode="after")
    def _groups_are_clear(self) -> Course:
        known = {part.id for part in self.parts}
        for group in self.groups:
            if group.part not in (None, *known):
                raise ValueError(f"the group {group.name} is for {group.part}, which is no part")
            if not group.key:
                raise ValueError(f"the group's name {group.name!r} has no letter and no digit")
        for part in self.parts:
            mine = [group for group in self.groups if group.part in (None, part.id)]
            members = [student for group in mine for student in group.students]
            if twice := sorted({student for student in members if members.count(student) > 1}):
                raise ValueError(f"{twice[0]} stands in two groups of {part.id}")
            keys = [group.key for group in mine]
            if alike := [group.name for group in mine if keys.count(group.key) > 1]:
                raise ValueError(f"{part.id} has two groups whose names are the same to an LMS: {', '.join(alike)}")
        return self

    @model_validator(mode="after")
    def _extensions_are_clear(self) -> Course:
        known, seen = {part.id for part in self.parts}, set()
        for each in self.extensions:
            if each.part not in known:
                raise ValueError(f"the extension of {each.student} is for {each.part}, which is no part")
            if (each.student, each.part) in seen:
                raise ValueError(f"{each.student} has two extensions for {each.part}")
            seen.add((each.student, each.part))
        return self

    @property
    def written_parts(self) -> tuple[Part, ...]:
        """The parts that have tasks."""
        return tuple(part for part in self.parts if part.tasks)


def find_root(start: Path) -> Path:
    """The course's root: `start` or the nearest folder above it that has solutions/course.toml.

    Raises CourseError when there is none.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / "solutions" / "course.toml").is_file():
            return folder
    raise CourseError(f"no course here: neither {start} nor a folder above it has solutions/course.toml")


def load_course(root: Path) -> Course:
    """Read `root`/solutions/course.toml.

    Raises CourseError, in one line that names the entry, when it is missing or says something impossible.
    """
    path = root / "solutions" / "course.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CourseError(f"no course here: {path} does not exist") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: {error}") from None
    share = raw.get("public_share", 0.4)
    for part in raw.get("part", []):
        part.setdefault("public_share", share)
        due = part.get("due")
        if isinstance(due, datetime) and due.tzinfo is None:
            part["due"] = due.replace(tzinfo=UTC)
    try:
        course = Course(root=root.resolve(), **raw)
    except ValidationError as error:
        raise CourseError(f"{path}: {complaint(error)}") from None
    if len({part.id for part in course.parts}) != len(course.parts):
        raise CourseError(f"{path}: a part stands there twice")
    return course


def complaint(error: ValidationError) -> str:
    """The first thing that is wrong with a document, and where in it, in a line."""
    first = error.errors()[0]
    where = ".".join(str(step) for step in first["loc"])
    return f"{where + ': ' if where else ''}{first['msg']}"
