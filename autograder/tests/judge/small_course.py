"""The course that the tests of the judge use: five tasks in one file, untouched by any change of the real course."""

from __future__ import annotations

import shutil
from pathlib import Path

from autograder.course import Course, load_course

SMALL = Path(__file__).parent / "small"  # its suites as well


def make_small_course(root: Path) -> Course:
    """Write the course's solutions/ into `root`."""
    solutions = root / "solutions"
    solutions.mkdir()
    shutil.copy(SMALL / "course.toml", solutions)
    shutil.copy(SMALL / "value.py", solutions)
    return load_course(root)
