"""`nbgrader zip_collect` for what Canvas and Moodle let a teacher download: whose file is it, and which attempt.

Whatever is not collected is said in the log and in downloaded/PART/not_collected.txt, with the reason: nothing that
was handed in disappears without a word. Files are looked at by name only, never opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from nbgrader.api import Student
from nbgrader.plugins import FileNameCollectorPlugin
from traitlets import Unicode

from autograder.course.manifest import Course, Part, load_course
from autograder.gradebook.files import Refused
from autograder.gradebook.intake import check_student
from autograder.judge.safe_text import plain

LIST = "not_collected.txt"

# name_[LATE_]USER_SUBMISSION_file, as in doejane_LATE_4521_998877_value-1.py
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<user>\d+)_\d+_(?P<rest>.+)")
# Full Name_PARTICIPANT_assignsubmission_file_, a folder or the beginning of a file's name
MOODLE = re.compile(r"(?P<name>.+)_(?P<user>\d+)_assignsubmission_file_?(?P<rest>.*)")
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
    part: Part, paths: Iterable[str], roster: Roster, handout: set[str]
) -> tuple[dict[str, Found], dict[str, str]]:
    """Which of `paths` (relative, with /) is collected, and why each of the others is not.

    `handout`: names of released files that are not graded; those are left where they are without a word.
    """
    taken: dict[tuple[str, str], Found] = {}
    left: dict[str, str] = {}
    for path in sorted(paths):
        name = PurePosixPath(path).name
        if "__MACOSX" in path or name in (".DS_Store", "Thumbs.db") or "__pycache__" in path:
            continue
        try:
            found = _read(part, path, roster)
        except NotAssigned as reason:
            if _own_name(path) not in handout:
                left[path] = str(reason)
            continue
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
    return {found.path: found for found in taken.values()}, left


def _read(part: Part, path: str, roster: Roster) -> Found:
    steps = PurePosixPath(path).parts
    for step in steps:
        for pattern in (MOODLE, ATTEMPT, CANVAS):
            match = pattern.fullmatch(step)
            if match is None:
                continue
            student = _student(pattern, match, roster)
            # A file of its own, or one in a folder or an archive that the student sent.
            own = match["rest"] if step == steps[-1] else steps[-1]
            file, again = _file(part, own)
            time = match["time"] if pattern is ATTEMPT else None
            return Found(path, student, file, (time or "", again), time)
    raise NotAssigned("its name says no student (neither Canvas's, nor Moodle's, nor NAME_attempt_TIME)")


def _student(pattern: re.Pattern[str], match: re.Match[str], roster: Roster) -> str:
    """The gradebook's student; without any import the LMS's own number, after the name where only that is unique."""
    user = match["user"]
    if pattern is ATTEMPT:
        student = user
    elif pattern is CANVAS:
        student = roster.by_lms_id.get(user, "") if roster.by_lms_id else user
        if not student:
            raise NotAssigned(f"no student in the gradebook has the lms_user_id {user} ({plain(match['name'], 60)})")
    else:
        name = " ".join(match["name"].split())
        known = roster.by_name.get(name.casefold(), []) if roster.by_name else [f"{name} {user}"]
        if not known:
            raise NotAssigned(f"no student in the gradebook is called {plain(name, 60)}")
        if len(known) > 1:
            raise NotAssigned(f"{plain(name, 60)} may be any of {', '.join(known)}")
        student = known[0]
    try:
        check_student(student)
    except Refused as refused:
        raise NotAssigned(f"the name of the student {refused}") from None
    return student


def _file(part: Part, name: str) -> tuple[str, int]:
    """The part's file that `name` stands for, and how often it was sent before (value-1.py: once)."""
    wanted = {*part.graded, f"{part.notebook}.ipynb"}
    if name in wanted:
        return name, 0
    match = AGAIN.fullmatch(name)
    if match is not None and f"{match['stem']}{match['ending']}" in wanted:
        return f"{match['stem']}{match['ending']}", int(match["canvas"] or match["browser"] or 0)
    if name.endswith(".ipynb"):
        return name, 0  # the intake decides whether it is the notebook under another name
    raise NotAssigned(f"{plain(name, 60)} is no file of {part.id} ({', '.join(sorted(wanted))})")


def _own_name(path: str) -> str:
    """What the student called the file, when the LMS put something before it."""
    name = PurePosixPath(path).name
    for pattern in (MOODLE, ATTEMPT, CANVAS):
        match = pattern.fullmatch(name)
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
    roster = Roster()
    for student, first, last, lms_id in students:
        if lms_id:
            roster.by_lms_id[str(lms_id)] = student
        if first or last:
            name = " ".join(f"{first or ''} {last or ''}".split()).casefold()
            roster.by_name.setdefault(name, []).append(student)
    return roster


class LmsCollector(FileNameCollectorPlugin):
    """nbgrader asks it for one file after the other; the answers come from one plan for all of them."""

    course_root = Unicode(help="The folder that holds solutions/course.toml").tag(config=True)
    _planned: dict[str, Found] | None = None

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """The student and the file that `submitted_file` is for, or None when it is not collected."""
        if self._planned is None:
            self._planned = self._plan()
        found = self._planned.get(os.path.abspath(submitted_file))
        if found is None:
            return None
        info = {"student_id": found.student, "file_id": found.file}
        # An attempt's time is that of handing in; nbgrader writes it to timestamp.txt.
        return info | ({} if found.time is None else {"timestamp": _spaced(found.time)})

    def _plan(self) -> dict[str, Found]:
        app: Any = self.parent  # nbgrader's ZipCollectApp; traitlets' types know only that it may be None
        course = load_course(Path(self.course_root))
        part = course.part(app.coursedir.assignment_id)
        extracted = Path(app._format_collect_path(app.extracted_directory))
        files = [path for path in extracted.rglob("*") if path.is_symlink() or path.is_file()]
        links = {path.relative_to(extracted).as_posix() for path in files if path.is_symlink()}
        names = {path.relative_to(extracted).as_posix() for path in files} - links
        released = {path.name for path in (course.release / part.id).rglob("*") if path.is_file()}
        handout = released - {*part.graded, f"{part.notebook}.ipynb"}
        taken, left = plan(part, names, read_roster(course), handout)
        left |= dict.fromkeys(links, "a symbolic link, which could lead anywhere")
        for path, reason in sorted(left.items()):
            self.log.error("not collected: %s: %s", ascii(path), reason)
        note = extracted.parent / LIST
        note.write_text("".join(f"{plain(path, 400)}: {why}\n" for path, why in sorted(left.items())), encoding="utf-8")
        if left:
            self.log.error("%d files were not collected; the list is in %s", len(left), note)
        return {os.path.abspath(extracted / path): found for path, found in taken.items()}


def _spaced(time: str) -> str:
    """2026-10-26-21-59-30 as a date that nbgrader can read."""
    year, month, day, hour, minute, second = time.split("-")
    return f"{year}-{month}-{day} {hour}:{minute}:{second}"
