"""Fixtures: the tiny course in a temporary folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.build.assignment import build
from autograder.course.manifest import Course, load_course
from autograder.tests.build.tiny import FILES


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """The tiny course, not built yet."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load_course(tmp_path)


@pytest.fixture
def built(course: Course) -> Course:
    """The tiny course, built."""
    build(course)
    return course
