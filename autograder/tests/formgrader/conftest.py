"""A course in which part 4 is released and a few students of the demo's class have sent their work."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from autograder.course import Course
from autograder.demo_class import hand_in, read_class
from autograder.tests.hostile import make_hostile
from autograder.tests.real_course import released_course

# Right; wrong, with an answer; wrong, without; no value.py; half a notebook; no notebook; and one who is no good guest.
STUDENTS = ("Amina", "Dario", "Edda", "Iris", "Milo", "Nora", "Eve")
SENT = "2026-10-20 09:30:00.000000 UTC"  # before the part is due


@pytest.fixture
def course(tmp_path) -> Course:
    """The folder is as a fresh clone's, plus release/part4; nothing is collected yet."""
    return released_course(tmp_path / "course")


def send(course: Course) -> None:
    """Put the students' work where `nbgrader submit` puts it; the part has to be in the exchange."""
    inbound = course.root / "exchange" / "micrograder" / "inbound"
    for student in read_class():
        if student.name in STUDENTS:
            hand_in(course, course.part("part4"), student)
    shutil.copytree(course.root / "submitted" / "Amina", course.root / "submitted" / "Eve")
    make_hostile(course.root / "submitted" / "Eve" / "part4")
    for student in STUDENTS:
        folder = course.root / "submitted" / student / "part4"
        (folder / "timestamp.txt").write_text(SENT)
        (folder / "submission_secret.txt").write_text(student.encode().hex())
        folder.rename(inbound / f"{student}+part4+{SENT}+0")
    shutil.rmtree(course.root / "submitted")


def micrograder(course: Course, *arguments: str) -> str:
    """Run the command in the course, as in a terminal beside the browser."""
    command = [sys.executable, "-m", "autograder.cli", *arguments]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
