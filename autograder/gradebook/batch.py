"""Writes many graded submissions into nbgrader: its own Autograde, step for step, with verdicts that are there already.

What is saved against `nbgrader autograde` is opening the database and committing over and over; what ends up in
gradebook.db and in autograded/ is the same. Judges nothing and decides nothing about who is graded.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nbconvert.writers.files import FilesWriter
from nbgrader.api import InvalidEntry
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

from autograder.course.manifest import Course, Part
from autograder.gradebook.connection import Transaction, one_gradebook
from autograder.gradebook.intake import FOLDER, Taken
from autograder.gradebook.session import nbgrader_config
from autograder.judge.verdict import Verdict

ATTEMPTS = 3  # another grader may have made the same student's row a moment before
NO_DATABASE = (OperationalError, InterfaceError)
CLASHES = ("40P01", "40001")  # what PostgreSQL calls a deadlock, and two transactions that can't both be
Ready = Callable[[], Verdict]


class GradebookError(Exception):
    """The database does not take what is written; the message says why, in a sentence for a person."""


class Batch:
    """An open gradebook that takes one submission after the other; see open_batch()."""

    def __init__(self, converter: _Converter, transaction: Transaction) -> None:
        self._converter = converter
        self._transaction = transaction

    def write(self, taken: Taken, verdict: Ready) -> str | None:
        """Write one submission; when this returns it is in the gradebook and in autograded/, or neither has a score.

        `verdict` gives the verdict or raises what kept the judge from giving one; the submission is then ungraded.
        Returns None, or why it stays ungraded. Raises GradebookError when the database fails, and OSError when the
        disk does: the database is then as it was before.
        """
        for attempt in range(1, ATTEMPTS + 1):
            problem = self._converter.convert(taken, verdict)
            if (isinstance(problem, InvalidEntry) or _is_clash(problem)) and attempt < ATTEMPTS:
                self._transaction.really_roll_back()
                continue
            if isinstance(problem, OSError):
                self._transaction.really_roll_back()
                raise problem
            if isinstance(problem, NO_DATABASE):
                self._transaction.really_roll_back()
                raise GradebookError(database_sentence(problem)) from None
            try:
                self._transaction.really_commit()
            except SQLAlchemyError as error:
                self._transaction.really_roll_back()
                if _is_clash(error) and attempt < ATTEMPTS:
                    continue
                raise GradebookError(database_sentence(error)) from error
            return None if problem is None else _sentence(problem)
        raise AssertionError("the last attempt returns or raises")


@contextmanager
def open_batch(course: Course, part: Part) -> Iterator[Batch]:
    """The course's gradebook, open for many submissions of `part`. Raises GradebookError when it can't be opened."""
    config = nbgrader_config(course)
    coursedir = CourseDirectory(config=config)
    coursedir.submitted_directory, coursedir.assignment_id, coursedir.student_id = FOLDER, part.id, "*"
    here = Path.cwd()
    try:
        with one_gradebook(coursedir.db_url, coursedir.course_id) as transaction:
            os.chdir(coursedir.root)  # as nbgrader does while it converts
            yield Batch(_Converter(coursedir=coursedir, config=config), transaction)
    except NO_DATABASE as error:
        raise GradebookError(database_sentence(error)) from None
    finally:
        os.chdir(here)


def database_sentence(error: SQLAlchemyError) -> str:
    """What a database that does not work says, and what to do about it."""
    said = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
    if "locked" in said:
        return "the gradebook is locked: another program has been writing to it for a minute; close it, or wait for it"
    if "full" in said or "No space left" in said:
        return "the disk that holds the gradebook is full; make room"
    if "readonly" in said or "read-only" in said:
        return "the gradebook can't be written: it, or its folder, is read-only for this user"
    return f"the gradebook does not work ({said})"


def _is_clash(problem: Exception | None) -> bool:
    """Whether another transaction was in the way, so that the same statements may pass a moment later."""
    return getattr(getattr(problem, "orig", None), "sqlstate", None) in CLASHES


class _Converter(Autograde):
    """nbgrader's converter, one submission at a time: `force` is on, since the caller has decided."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.force = True
        self.log = logging.getLogger("micrograder.autograde")
        self.log.propagate = False
        self.log.setLevel(logging.CRITICAL + 1)  # what fails is raised, and said by the caller
        self.writer = FilesWriter(parent=self, config=self.config)
        self.exporter = self.exporter_class(parent=self, config=self.config)
        self._verdict: Ready | None = None
        self._problem: Exception | None = None

    def convert(self, taken: Taken, verdict: Ready) -> Exception | None:
        """Convert one submission; what went wrong, or None."""
        self._verdict, self._problem = verdict, None
        folder = self._format_source(taken.folder.name, taken.student)
        self.assignments = {folder: [str(path) for path in sorted(Path(folder).glob("*.ipynb"))]}
        try:
            self.convert_notebooks()
        except NbGraderException as error:
            return self._problem or error
        return self._problem

    def init_single_notebook_resources(self, notebook_filename: str) -> dict[str, Any]:
        resources = super().init_single_notebook_resources(notebook_filename)
        resources["nbgrader"]["verdict"] = self._verdict
        return resources

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        with self._noting():
            return super().init_destination(assignment_id, student_id)

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        with self._noting():
            super().init_assignment(assignment_id, student_id)

    def convert_single_notebook(self, notebook_filename: str) -> None:
        with self._noting():
            super().convert_single_notebook(notebook_filename)

    def set_permissions(self, assignment_id: str, student_id: str) -> None:
        with self._noting():
            super().set_permissions(assignment_id, student_id)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """nbgrader writes into its log what was raised; here it is wanted as it is."""
        try:
            yield
        except Exception as error:
            self._problem = error
            raise


def _sentence(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
