"""nbgrader as this course configures it: its config, its folders, its gradebook. Changes nothing by itself."""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import Config, PyFileConfigLoader

from autograder.course.manifest import Course, CourseError

CONFIG_FILE = "nbgrader_config.py"


def nbgrader_config(course: Course) -> Config:
    """The course's nbgrader_config.py, or what has to hold without one; with the course's root filled in.

    Raises CourseError when the file cannot be loaded.
    """
    config = Config()
    config.CourseDirectory.source_directory = course.assignments.name
    if (course.root / CONFIG_FILE).is_file():
        try:
            config.merge(PyFileConfigLoader(CONFIG_FILE, path=str(course.root)).load_config())
        except (Exception, SystemExit) as error:  # It is a program, and it may end with a message.
            raise CourseError(f"{CONFIG_FILE}: {error}") from None
    config.CourseDirectory.root = str(course.root)
    return config


@contextmanager
def open_gradebook(course: Course) -> Iterator[Gradebook]:
    """The course's gradebook, open; it is made when there is none yet."""
    put_tools_on_path()
    with Gradebook(_db_url(course)) as gradebook:
        yield gradebook


def has_gradebook(course: Course) -> bool:
    """False when opening the gradebook would make an empty SQLite file."""
    kind, found, path = _db_url(course).partition("sqlite:///")
    return bool(kind or not found) or Path(path.partition("?")[0]).exists()


def put_tools_on_path() -> None:
    """Let nbgrader find `alembic`, which it runs by name to make a database.

    In an environment that is used without being activated, the folder of its programs is not on PATH.
    """
    if shutil.which("alembic") is None:
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")])


def _db_url(course: Course) -> str:
    return CourseDirectory(config=nbgrader_config(course)).db_url
