"""A part's README says the points and the public share that course.toml gives, and states neither itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.build.assignment import part_files
from autograder.build.readme import POINTS, SHARE
from autograder.course.manifest import find_root, load_course
from autograder.tests.build.tiny import edit

COURSE = load_course(find_root(Path(__file__).parent))


def built_readme(course, part_id: str) -> str:
    return part_files(course, course.part(part_id))["README.md"].decode()


@pytest.mark.parametrize("part", COURSE.written_parts, ids=lambda part: part.id)
def test_the_written_readme_leaves_points_and_share_to_the_manifest(part) -> None:
    text = (COURSE.solutions / part.id / "README.md").read_text(encoding="utf-8")
    assert text.count(f"\n{POINTS}\n") == 1
    assert text.count(SHARE) == 1
    assert "40 %" in built_readme(COURSE, part.id)


def test_a_change_of_points_in_the_manifest_shows_in_the_built_readme(course) -> None:
    edit(
        course,
        "solutions/part2/README.md",
        "Step, then",
        f"{SHARE} public\n\n| a | b |\n|---|---|\n{POINTS}\n\nStep, then",
    )
    edit(course, "solutions/course.toml", "points = 2.5", "points = 6.25")
    edit(course, "solutions/course.toml", "one step", "a | step")
    edit(course, "solutions/course.toml", "late_window_days = 2", "public_share = 0.35")
    assert built_readme(load_course(course.root), "part2") == (
        "# Stepping\n\n35 % public\n\n| a | b |\n|---|---|\n"
        "| 2.1 a \\| step | 2 |\n| 2.2 many steps | 6.25 |\n| Why a counter never forgets | 3 |\n\n"
        "Step, then walk.\n"
    )
