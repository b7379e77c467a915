"""Fixtures: a copy of the course in this repository that may be written to, and the tiny course."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.course import Course, load_course
from autograder.tests.build.conftest import course as tiny

__all__ = ["copy", "tiny"]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def copy(tmp_path: Path) -> Course:
    """What is written by hand of the real course: solutions/, the suites, the student's files, the banks."""
    for name in ("solutions", "autograder/suites", "autograder/student", "autograder/misconceptions"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return load_course(tmp_path)
