"""The one place where nbgrader is patched: the intake runs before `Autograde.start`, for the CLI and the formgrader.

nbgrader looks for notebooks before any hook or preprocessor can run, and a submission without a readable one is lost
to it, or ends the batch. So start() is wrapped: clean copies first (intake.py), then nbgrader's own start on those.
Folders outside a course of ours are graded as nbgrader always does.
"""

from __future__ import annotations

import functools
import glob
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from autograder.course.manifest import Course, CourseError, Part, load_course
from autograder.gradebook.files import Refused
from autograder.gradebook.intake import FOLDER, Taken, clear, take_in
from autograder.gradebook.overrides import Decisions, read_overrides
from autograder.gradebook.resume import forget_unfinished


def install() -> None:
    """Wrap Autograde.start; calling it again changes nothing."""
    if not hasattr(Autograde.start, "__wrapped__"):
        Autograde.start = _with_intake(Autograde.start)


def _with_intake(stock_start: Callable[[Autograde], None]) -> Any:
    @functools.wraps(stock_start)
    def start(self: Autograde) -> None:
        coursedir = _coursedir(self)
        if not (Path(coursedir.root) / "solutions" / "course.toml").is_file():
            return stock_start(self)
        try:
            course = load_course(Path(coursedir.root))
            part = course.part(coursedir.assignment_id)
            decided = read_overrides(course, part)  # a broken file stops everybody now, in one line
        except CourseError as error:
            self.log.error("%s", error)
            raise NbGraderException(str(error)) from None
        submitted = sorted(Path(match) for match in glob.glob(_pattern(coursedir, coursedir.submitted_directory)))
        if not submitted:
            return stock_start(self)  # which says so, and what it looked for
        taken, lost = _take_in_all(self, course, part, submitted, decided)
        if taken and not self.force:
            autograded = Path(course.root) / coursedir.autograded_directory
            for sentence in forget_unfinished(coursedir.db_url, coursedir.course_id, autograded, part, taken):
                self.log.warning("%s", sentence)
        if taken:
            with _reading_from(coursedir, FOLDER):
                stock_start(self)
        if lost:
            raise NbGraderException(f"not graded: {', '.join(lost)}; the reasons are above")

    return start


def _coursedir(converter: Autograde) -> CourseDirectory:
    return cast(CourseDirectory, converter.coursedir)  # traitlets' types say it could be None; nbgrader always sets it


def _pattern(coursedir: CourseDirectory, folder: str) -> str:
    return coursedir.format_path(folder, coursedir.student_id, coursedir.assignment_id)


def _take_in_all(
    converter: Autograde, course: Course, part: Part, submitted: list[Path], decided: Decisions
) -> tuple[list[Taken], list[str]]:
    """Every submission's clean copy, and the names of the students who could not be taken in (already logged)."""
    taken: list[Taken] = []
    lost: list[str] = []
    for folder in submitted:
        student = folder.parent.name
        try:
            one = take_in(course, part, folder, decided)
        except Refused as refused:
            converter.log.error("submitted/%s/%s is not graded: its folder %s", ascii(student), part.id, refused)
            lost.append(ascii(student))
        except Exception as error:
            # A disk that is full or a bug of ours: this student waits, the others are graded.
            converter.log.exception("submitted/%s/%s is not graded: %s", student, part.id, error)
            clear(course.root / FOLDER / student / part.id)
            lost.append(ascii(student))
        else:
            taken.append(one)
            for remark in one.remarks:
                converter.log.warning("submitted/%s/%s: %s", student, part.id, remark)
    # Copies of an earlier run that no longer have a submission behind them must not be graded again.
    kept = {one.folder for one in taken}
    for copy in map(Path, glob.glob(_pattern(_coursedir(converter), FOLDER))):
        if copy not in kept:
            clear(copy)
    return taken, lost


@contextmanager
def _reading_from(coursedir: CourseDirectory, folder: str) -> Iterator[None]:
    """Let nbgrader find the submissions in `folder` for as long as the block runs.

    The formgrader's server keeps one coursedir for all its pages, so it is put back whatever happens.
    """
    before = coursedir.submitted_directory
    coursedir.submitted_directory = folder
    try:
        yield
    finally:
        coursedir.submitted_directory = before
