"""What Canvas and Moodle let a teacher download: whose is a file, by its name, and which attempt.

Nothing that was handed in disappears without a word: what is nobody's comes back with the reason. A group's file is
every member's; course.toml says who they are. Files are looked at by name only; zip_collect.py moves them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from nbgrader.api import Student

from autograder.course.manifest import Course, Group, Part, group_key
from autograder.gradebook.files import Refused
from autograder.gradebook.intake import check_student
from autograder.judge.safe_text import plain

# name_[LATE_]USER_SUBMISSION_file, as in doejane_LATE_4521_998877_value-1.py
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<user>\d+)_\d+_(?P<rest>.+)")
# Full Name_PARTICIPANT_assignsubmission_file_, a folder or the beginning of a file's name. For a group it is
# Group_NUMBER_..., of those in no group Default group_..., and before Moodle 4 Group-Full Name_PARTICIPANT_... .
MOODLE = re.compile(r"(?P<name>.+?)(?:_(?P<user>\d+))?_assignsubmission_file_?(?P<rest>.*)")
# ID_attempt_TIME, as nbgrader's manual and Blackboard have it
ATTEMPT = re.compile(
    r"(?:.*_)?(?P<user>[A-Za-z0-9][A-Za-z0-9.@-]*)_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)_?(?P<rest>.*)"
)
AGAIN = re.compile(r"(?P<stem>.+?)(?:-(?P<canvas>\d+)| \((?P<browser>\d+)\))?(?P<ending>\.[^.]+)")


@dataclass(frozen=True)
class Roster:
    """The students of the gradebook, by what an LMS calls them. Empty when nobody was imported."""

    by_lms_id: dict[str, str] = field(default_factory=dict)
    by_name: dict[str, list[str]] = field(default_factory=dict)
    ids: frozenset[str] = frozenset()

    def has_named(self, student: str, canvas_name: str) -> bool:
        """Whether Canvas may mean the student by that: doejane, or what somebody without a name here is called."""
        names = [name for name, students in self.by_name.items() if student in students]
        return not names or any(sorted(group_key(name)) == sorted(group_key(canvas_name)) for name in names)


@dataclass(frozen=True)
class Form:
    """A form that a name may have; `group`: the one whose name it begins with."""

    pattern: re.Pattern[str]
    group: Group | None = None


@dataclass(frozen=True)
class Found:
    """A file and what its name says: the student, the file it stands for, and the attempt, later ones being larger."""

    path: str
    student: str
    file: str
    attempt: tuple[str, int]
    time: str | None = None


class NotAssigned(Exception):
    """Why a file is not collected."""


def plan(
    part: Part,
    paths: Iterable[str],
    roster: Roster,
    handout: set[str],
    groups: Mapping[str, Group] | None = None,
) -> tuple[list[Found], dict[str, str]]:
    """Which of `paths` (relative, with /) is collected for whom, and why each of the others is not.

    handout  names of released files that are not graded; those are left where they are without a word
    groups   the part's groups by their keys; a group's file is there once for each member
    """
    taken: dict[tuple[str, str], Found] = {}
    left: dict[str, str] = {}
    groups = groups or {}
    forms = _forms(groups)
    for path in sorted(paths):
        name = PurePosixPath(path).name
        if "__MACOSX" in path or name in (".DS_Store", "Thumbs.db") or "__pycache__" in path:
            continue
        try:
            of_each = _read(part, path, roster, groups, forms)
        except NotAssigned as reason:
            if _own_name(path, forms) not in handout:
                left[path] = str(reason)
            continue
        for found in of_each:
            before = taken.get((found.student, found.file))
            if before is not None and before.attempt == found.attempt:
                left[path] = (
                    f"two files for {found.student}'s {found.file}, and no way to tell which is newer ({before.path})"
                )
                continue
            newer = found if before is None or found.attempt > before.attempt else before
            if before is not None:
                older = before if newer is found else found
                left[older.path] = f"an older attempt; {newer.path} is newer"
            taken[found.student, found.file] = newer
    return list(taken.values()), left


def _forms(groups: Mapping[str, Group]) -> list[Form]:
    """The forms of a name, in the order in which they are tried; first those that begin with a group as Canvas has it.

    In place of a student's name Canvas puts the group's, and then the number of one of its members.
    """
    named = sorted(((_canvas_name(group.name), group) for group in groups.values()), key=lambda pair: -len(pair[0]))
    rest = r"_(?:LATE_)?(?P<user>\d+)_\d+_(?P<rest>.+)"
    of_groups = [Form(re.compile(f"(?P<name>{re.escape(name)}){rest}"), group) for name, group in named]
    return [*of_groups, Form(MOODLE), Form(ATTEMPT), Form(CANVAS)]


def _canvas_name(name: str) -> str:
    """What Canvas makes of a name before it puts it at the beginning of a file's name."""
    return re.sub(r"\W", "", re.sub(r"_(\d+)_", r"\1", name).lower())


def _read(part: Part, path: str, roster: Roster, groups: Mapping[str, Group], forms: list[Form]) -> list[Found]:
    """The file for its student, or for each member of its group."""
    steps = PurePosixPath(path).parts
    for step in steps:
        for form in forms:
            match = form.pattern.fullmatch(step)
            if match is None:
                continue
            students = _students(form, match, roster, groups)
            # A file of its own, or one in a folder or an archive that the student sent.
            own = match["rest"] if step == steps[-1] else steps[-1]
            file, again = _file(part, own)
            time = match["time"] if form.pattern is ATTEMPT else None
            return [Found(path, student, file, (time or "", again), time) for student in students]
    raise NotAssigned("its name says no student (neither Canvas's, nor Moodle's, nor NAME_attempt_TIME)")


def _students(form: Form, match: re.Match[str], roster: Roster, groups: Mapping[str, Group]) -> tuple[str, ...]:
    """The gradebook's student, or a group's members. Raises NotAssigned when it is neither, or may be several."""
    if form.group is not None:
        students = _of_canvas_group(form.group, match["user"], roster)
    elif form.pattern is MOODLE:
        students = _of_moodle(match, roster, groups)
    elif form.pattern is CANVAS:
        students = (_of_canvas(match, roster, groups),)
    else:
        group = None if match["user"] in roster.ids else groups.get(group_key(match["user"]))
        students = _members(group, roster) if group else (match["user"],)
    for student in students:
        try:
            check_student(student)
        except Refused as refused:
            raise NotAssigned(f"the name of the student {refused}") from None
    return students


def _members(group: Group, roster: Roster) -> tuple[str, ...]:
    if roster.ids and (unknown := [student for student in group.students if student not in roster.ids]):
        raise NotAssigned(f"course.toml has {unknown[0]} in the group {group.name}, who is not in the gradebook")
    return group.students


def _of_canvas_group(group: Group, user: str, roster: Roster) -> tuple[str, ...]:
    if roster.by_lms_id and roster.by_lms_id.get(user) not in group.students:
        raise NotAssigned(f"the lms_user_id {user} is no student's of the group {group.name} in course.toml")
    return _members(group, roster)


def _of_canvas(match: re.Match[str], roster: Roster, groups: Mapping[str, Group]) -> str:
    """By the number. Without any import of students the number is the name."""
    name, user = plain(match["name"], 60), match["user"]
    student = roster.by_lms_id.get(user, "") if roster.by_lms_id else user
    if not student:
        raise NotAssigned(f"no student in the gradebook has the lms_user_id {user} ({name})")
    if groups and not roster.has_named(student, match["name"]):
        raise NotAssigned(f"{name} is no group in course.toml, and not the name of {student} ({user}); add a [[group]]")
    return student


def _of_moodle(match: re.Match[str], roster: Roster, groups: Mapping[str, Group]) -> tuple[str, ...]:
    """By the full name, or the group's. Without any import the number stands after the name, which others may have."""
    name = " ".join(match["name"].split())
    known = roster.by_name.get(name.casefold(), [])
    if not known and (group := groups.get(group_key(name))):
        return _members(group, roster)
    if not known and not roster.by_name and match["user"]:
        return (f"{name} {match['user']}",)
    if not known:
        # As Moodle called a member's copy before version 4: Group-Full Name, and either may have a - of its own.
        words = name.casefold().split("-")
        ends = ["-".join(words[start:]).strip() for start in range(1, len(words))]
        known = [student for end in ends for student in roster.by_name.get(end, [])]
    if not known:
        raise NotAssigned(f"no student in the gradebook is called {plain(name, 60)}, and no group in course.toml")
    if len(known) > 1:
        raise NotAssigned(f"{plain(name, 60)} may be any of {', '.join(known)}")
    return (known[0],)


def _file(part: Part, name: str) -> tuple[str, int]:
    """The part's file that `name` stands for, and how often it was sent before (value-1.py: once)."""
    wanted = part.handed_in
    if name in wanted:
        return name, 0
    match = AGAIN.fullmatch(name)
    if match is not None and f"{match['stem']}{match['ending']}" in wanted:
        return f"{match['stem']}{match['ending']}", int(match["canvas"] or match["browser"] or 0)
    if name.endswith(".ipynb"):
        return name, 0  # the intake decides whether it is the notebook under another name
    raise NotAssigned(f"{plain(name, 60)} is no file of {part.id} ({', '.join(sorted(wanted))})")


def _own_name(path: str, forms: list[Form]) -> str:
    """What the student called the file, when the LMS put something before it."""
    name = PurePosixPath(path).name
    for form in forms:
        match = form.pattern.fullmatch(name)
        if match is not None and match["rest"]:
            return match["rest"]
    return name


def read_roster(course: Course) -> Roster:
    """The students in the gradebook by the LMS's number and by full name."""
    # Not above: the configuration that names the collector is what the session reads.
    from autograder.gradebook.session import has_gradebook, open_gradebook

    if not has_gradebook(course):
        return Roster()
    with open_gradebook(course) as gradebook:
        columns = (Student.id, Student.first_name, Student.last_name, Student.lms_user_id)
        students = gradebook.db.query(*columns).all()
    roster = Roster(ids=frozenset(student for student, *_ in students))
    for student, first, last, lms_id in students:
        if lms_id:
            roster.by_lms_id[str(lms_id)] = student
        if first or last:
            name = " ".join(f"{first or ''} {last or ''}".split()).casefold()
            roster.by_name.setdefault(name, []).append(student)
    return roster
