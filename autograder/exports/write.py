"""Writes one export to its place and says what a person has to know about it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from autograder.course.manifest import Course, CourseError, Part
from autograder.exports import classroom, gradescope
from autograder.exports.grades import grades
from autograder.gradebook.rows import read_rows
from autograder.judge.safe_text import plain

Target = Literal["csv", "canvas", "moodle", "gradescope", "github"]
SECRET = "It holds the hidden tests and the worked solution: upload it to Gradescope, and give it to nobody."


def write_export(
    course: Course, part: Part, to: Target, *, out: Path | None = None, missing_as_zero: bool = False
) -> tuple[Path, list[str]]:
    """Write the export to `out` or below exports/, and return where it is, with sentences for the screen.

    Raises CourseError when there is nothing to export.
    """
    folder = course.root / "exports"
    if to == "gradescope":
        return gradescope.write_zip(course, part, out or folder / f"{part.id}-gradescope.zip"), [SECRET]
    if to == "github":
        path = out or folder / f"{part.id}-github" / classroom.PATH
        return _write(path, classroom.workflow(part)), [f"Commit it as {classroom.PATH} beside the released files."]
    rows = read_rows(course, part)
    if not rows:
        raise CourseError(f"nobody is in the gradebook yet; run: nbgrader autograde {part.id}")
    made = grades(part, rows, to, missing_as_zero=missing_as_zero)
    remarks = [f"no score yet: {plain(student, 100)}: {why}" for student, why in made.left_out]
    return _write(out or folder / f"{part.id}-{to}.csv", made.text), remarks


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path
