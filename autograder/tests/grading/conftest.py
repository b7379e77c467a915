"""The tiny course of the gradebook's tests, graded by a pool that believes what a submission claims (fake_judge)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from autograder.cache.keys import Keys
from autograder.course import load_course
from autograder.grading import asking
from autograder.grading.grade import Outcome, grade
from autograder.grading.preview import Preview, preview
from autograder.judge.warm import Done, Job
from autograder.tests.gradebook import fake_judge
from autograder.tests.gradebook.conftest import TinyCourse, released, tiny

__all__ = ["released", "tiny"]
KEYS = Keys("part4", "good", 0, "the judge", {}, "the judge and the suites")


@dataclass
class Seen:
    """What a watcher was told."""

    total: int = 0
    settled_as: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def begin(self, total: int) -> None:
        self.total = total

    def settled(self, student: str, what: str) -> None:
        self.settled_as[student] = what

    def remark(self, text: str) -> None:
        self.remarks.append(text)


@dataclass
class Class:
    """The tiny course, and a short way to grade it; `judged` are the codes that the pool was handed."""

    tiny: TinyCourse
    seen: Seen = field(default_factory=Seen)
    judged: list[bytes] = field(default_factory=list)
    before_each: Callable[[bytes], None] = lambda _: None

    @property
    def root(self) -> Path:
        return self.tiny.root

    def grade(self, **more) -> Outcome:
        """What `micrograder grade part4` does."""
        self.seen = Seen()
        course = load_course(self.root)
        return grade(course, course.part("part4"), self.seen, judge=self._pool, **more)

    def preview(self) -> Preview:
        """What `micrograder grade part4 --preview` does."""
        self.seen = Seen()
        course = load_course(self.root)
        return preview(course, course.part("part4"), self.seen, judge=self._pool)

    def database(self) -> dict[str, list[tuple]]:
        """Every table of gradebook.db, without the random ids."""
        return database(self.root / "gradebook.db")

    def _pool(self, how, jobs: Iterable[Job], processes) -> Iterator[Done]:
        course = load_course(how.root)
        for job in jobs:
            code = job.submission.sources.get("value.py", b"")
            self.judged.append(code)
            self.before_each(code)
            folder = self.root.parent / "judged" / "x" / "part4"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "value.py").unlink(missing_ok=True)
            for name, content in job.submission.sources.items():
                (folder / name).write_bytes(content)
            try:
                yield Done(job.name, fake_judge.ask(course, course.part("part4"), folder))
            except RuntimeError as error:
                yield Done(job.name, None, problem=str(error))


@pytest.fixture
def classroom(tiny: TinyCourse, monkeypatch: pytest.MonkeyPatch) -> Class:
    monkeypatch.setattr(asking, "official_keys", lambda course, part: KEYS)
    return Class(tiny)


def database(path: Path) -> dict[str, list[tuple]]:
    """The rows of a gradebook by table, ids replaced by what they stand for."""
    with sqlite3.connect(path) as connection:
        names = {
            "grades": """select student_id, base_cell.name, auto_score, manual_score, extra_credit, needs_manual_grade
                from grade join submitted_notebook n on grade.notebook_id = n.id
                join submitted_assignment a on n.assignment_id = a.id join base_cell on base_cell.id = cell_id""",
            "comments": """select student_id, base_cell.name, auto_comment, manual_comment
                from comment join submitted_notebook n on comment.notebook_id = n.id
                join submitted_assignment a on n.assignment_id = a.id join base_cell on base_cell.id = cell_id""",
            "submissions": "select student_id, timestamp, extension, name from submitted_assignment a join assignment b"
            " on a.assignment_id = b.id",
            "notebooks": "select student_id, late_submission_penalty, flagged from submitted_notebook n"
            " join submitted_assignment a on n.assignment_id = a.id",
            "students": "select * from student",
            "courses": "select * from course",
            "assignments": "select name, duedate, course_id from assignment",
        }
        return {name: sorted(connection.execute(query).fetchall(), key=repr) for name, query in names.items()}
