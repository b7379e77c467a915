"""The real course in a folder of its own, for tests that need more than a tiny one."""

from __future__ import annotations

import shutil
from pathlib import Path

from autograder.build.release import release
from autograder.course import Course, load_course

ROOT = Path(__file__).parents[2]


def released_course(root: Path) -> Course:
    """Make the course in `root`, as a fresh clone has it, and release part 4; `root` may be there already."""
    root.mkdir(parents=True, exist_ok=True)
    for name in ("solutions", "assignments"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    made = load_course(root)
    release(made, made.part("part4"), early=True)
    return made
