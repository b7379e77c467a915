"""No part takes more than 90 minutes by the count of reading_time.py, and each README says how long it takes."""

import re
from pathlib import Path

import pytest

from autograder.build.assignment import part_files
from autograder.course.manifest import Part, find_root, load_course
from autograder.tests.build.reading_time import reading

COURSE = load_course(find_root(Path(__file__).parent))
LONGEST = 90
PLAN = re.compile(r"Plan\s+(?P<least>\d+)\s+to\s+(?P<most>\d+)\s+minutes")


@pytest.mark.parametrize("part", COURSE.written_parts, ids=lambda part: part.id)
def test_a_part_is_done_in_ninety_minutes_and_the_readme_says_how_long(part: Part) -> None:
    minutes = reading(COURSE, part).minutes
    plan = PLAN.search(part_files(COURSE, part)["README.md"].decode())
    assert plan, "the README has no 'Plan 45 to 75 minutes'"
    assert int(plan["least"]) <= round(minutes) <= int(plan["most"]) <= LONGEST, reading(COURSE, part)
