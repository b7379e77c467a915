"""The judge's small course with suites of its own that a test may change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.regions import render, solution_file
from autograder.judge import judge as judging
from autograder.judge.submission import Submission
from autograder.tests.judge.small_course import SMALL, make_small_course


@pytest.fixture
def course(tmp_path: Path) -> Course:
    (tmp_path / "course").mkdir()
    return make_small_course(tmp_path / "course")


@pytest.fixture
def suites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small suites, by which everything here is judged."""
    folder = tmp_path / "suites"
    folder.mkdir()
    shutil.copytree(SMALL / "part4", folder / "part4", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(SMALL / "pytest.ini", folder)
    monkeypatch.setattr(judging, "SUITES", folder)
    return folder


@pytest.fixture
def reference(course: Course) -> Submission:
    text = render(solution_file(course, "value.py"), 4, worked=True)
    return Submission({"value.py": text.encode()}, {})
