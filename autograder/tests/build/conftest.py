"""Fixtures: the tiny course in a temporary folder."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import nbgrader.api
import pytest

from autograder.build.assignment import build
from autograder.course.manifest import Course, load_course
from autograder.tests.build.tiny import FILES


@pytest.fixture(scope="session", autouse=True)
def ask_alembic_once() -> Iterator[None]:
    """For every new gradebook nbgrader starts a process that says which version of its tables is the newest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nbgrader.api, "get_alembic_version", functools.cache(nbgrader.api.get_alembic_version))
        yield


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
