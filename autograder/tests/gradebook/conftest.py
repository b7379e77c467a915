"""A released tiny course with a fake judge, and short ways to grade it and to read its gradebook."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.api import Gradebook
from traitlets.config import Config

from autograder.course.manifest import load_course
from autograder.gradebook import preprocessors
from autograder.gradebook.config import configure
from autograder.gradebook.session import open_nbgrader
from autograder.tests.gradebook import fake_judge
from autograder.tests.gradebook.tiny import make_course


@dataclass
class TinyCourse:
    root: Path

    def __post_init__(self) -> None:
        self.course = load_course(self.root)
        self.api = open_nbgrader(self.course)

    def grade(self, student: str = "*", *, force: bool = False) -> dict:
        """What `nbgrader autograde part4 --student STUDENT` does."""
        return self.api.autograde("part4", student, force=force)

    def feedback(self, student: str) -> str:
        """The feedback page of one student, made anew."""
        result = self.api.generate_feedback("part4", student)
        assert result["success"], result
        return (self.root / "feedback" / student / "part4" / "part4.html").read_text()

    def formgrader_page(self, student: str) -> str:
        """The page on which this student is marked, made as nbgrader's server makes it: the name of its template is
        the server's, the folders are the course's."""
        config = Config()
        configure(config, self.root)
        config.HTMLExporter.template_name = "formgrade"
        path = self.autograded(student) / "part4.ipynb"
        names = {"student": student, "last_name": None, "first_name": None, "notebook_path": str(path)}
        place = {"base_url": "", "index": 0, "total": 1, "notebook_id": "part4", "assignment_id": "part4"}
        resources = {"submission_id": "x", **names, **place}
        return HTMLExporter(config=config).from_filename(str(path), resources=resources)[0]

    def row(self, student: str) -> dict[str, tuple[float | None, bool]]:
        """Per cell: nbgrader's automatic score and whether the cell waits for a person."""
        with Gradebook(self.api.coursedir.db_url, "micrograder") as gradebook:
            submission = gradebook.find_submission("part4", student)
            return {g.name: (g.auto_score, g.needs_manual_grade) for nb in submission.notebooks for g in nb.grades}

    def comment(self, student: str) -> str | None:
        with Gradebook(self.api.coursedir.db_url, "micrograder") as gradebook:
            return gradebook.find_comment("question-second", "part4", "part4", student).comment

    def autograded(self, student: str) -> Path:
        return self.root / "autograded" / student / "part4"


@pytest.fixture(scope="session")
def released(tmp_path_factory) -> Path:
    """The tiny course after `nbgrader generate_assignment part4`, made once: a new database costs seconds."""
    course = TinyCourse(make_course(tmp_path_factory.mktemp("released") / "course"))
    result = course.api.generate_assignment("part4")
    assert result["success"], result
    return course.root


@pytest.fixture
def tiny(released, tmp_path, monkeypatch) -> TinyCourse:
    """A copy of the released tiny course with the fake judge."""
    monkeypatch.setattr(preprocessors, "ask_judge", fake_judge.ask)
    fake_judge.asked.clear()
    shutil.copytree(released, tmp_path / "course")
    return TinyCourse(tmp_path / "course")
