"""Judges one submission again and again by the small suites and prints each score; for the tests that kill it.

Arguments: the course's root, the submission, the level.
"""

import sys
from pathlib import Path

from autograder.course import load_course
from autograder.judge import judge as judging

judging.SUITES = Path(__file__).parent / "small"
course = load_course(Path(sys.argv[1]))
while True:
    verdict = judging.judge_submission(course, course.part("part4"), Path(sys.argv[2]), sandbox=sys.argv[3])  # type: ignore[arg-type]
    print(verdict.score, flush=True)
