"""nbgrader in this process, set up as its stock commands are: its configuration, its API, its database.

The one place that reads nbgrader_config.py. Changes nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import Config, PyFileConfigLoader

from autograder.course.manifest import Course, CourseError
from autograder.gradebook.config import configure

CONFIG_FILE = "nbgrader_config.py"


def nbgrader_config(course: Course) -> Config:
    """The course's nbgrader_config.py, or what it would say where there is none.

    Raises CourseError when the file cannot be loaded.
    """
    config = Config()
    config.CourseDirectory.source_directory = course.assignments.name
    if (course.root / CONFIG_FILE).is_file():
        try:
            config.merge(PyFileConfigLoader(CONFIG_FILE, path=str(course.root)).load_config())
        except (Exception, SystemExit) as error:  # It is a program, and it may end with a message.
            said = str(error).removeprefix(f"{CONFIG_FILE}: ")
            raise CourseError(f"{CONFIG_FILE}: {said}") from None
    else:
        configure(config, course.root)
    config.CourseDirectory.root = str(course.root)
    return config


def open_nbgrader(course: Course) -> NbGraderAPI:
    """nbgrader's API on this course. Raises CourseError as nbgrader_config() does."""
    return NbGraderAPI(config=nbgrader_config(course))


@contextmanager
def open_gradebook(course: Course) -> Iterator[Gradebook]:
    """The course's gradebook, open; it is made when there is none yet."""
    directory = _directory(course)
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        yield gradebook


def has_gradebook(course: Course) -> bool:
    """False when opening the gradebook would make an empty SQLite file."""
    kind, found, path = _directory(course).db_url.partition("sqlite:///")
    return bool(kind or not found) or Path(path.partition("?")[0]).exists()


def problem_of(result: Mapping[str, object]) -> str | None:
    """What went wrong in a call of NbGraderAPI, as one line; None when nothing did."""
    if result.get("success"):
        return None
    errors = [line for line in str(result.get("log", "")).splitlines() if line.startswith("[ERROR]")]
    last = str(result.get("error", "")).strip().splitlines()
    return errors[0].removeprefix("[ERROR]").strip() if errors else last[-1] if last else "nbgrader gave no reason"


def _directory(course: Course) -> CourseDirectory:
    return CourseDirectory(config=nbgrader_config(course))
