"""The demo's class: who hands in what (class.toml and the files beside it), laid into a course's submitted/.

The files here are sample submissions, never imported: they are copied as text.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from autograder.course.manifest import Course, CourseError, Part

HERE = Path(__file__).parent
QUESTION = "second-backward"  # the one that the class has answered


class Student(BaseModel):
    """One row of class.toml; see its head for what the fields mean."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    story: str
    file: str
    change: tuple[tuple[str, str], ...] = ()
    notebook: Literal["as released", "duplicated check", "cut off", "none"] = "as released"
    answer: str = ""


def read_class() -> list[Student]:
    """The students in the order of class.toml."""
    raw = tomllib.loads((HERE / "class.toml").read_text(encoding="utf-8"))
    return [Student.model_validate(row) for row in raw["student"]]


def hand_in(course: Course, part: Part, student: Student) -> Path:
    """Write the student's submission into submitted/ and return its folder; release/ must hold the part."""
    folder = course.root / "submitted" / student.name / part.id
    folder.mkdir(parents=True)
    code = _code(course, part, student)
    if code is not None:
        (folder / "value.py").write_text(code, encoding="utf-8")
    checks = course.release / part.id / "checks.py" if student.file == "released" else HERE / "checks.py"
    (folder / "checks.py").write_text(checks.read_text(encoding="utf-8"), encoding="utf-8")
    if student.notebook != "none":
        name = f"{part.notebook}.ipynb"
        released = (course.release / part.id / name).read_text(encoding="utf-8")
        (folder / name).write_text(_notebook(json.loads(released), student), encoding="utf-8")
    return folder


def _code(course: Course, part: Part, student: Student) -> str | None:
    if not student.file:
        return None
    path = course.release / part.id / "value.py" if student.file == "released" else HERE / student.file
    code = path.read_text(encoding="utf-8")
    for old, new in student.change:
        if old not in code:
            raise CourseError(f"the demo's class.toml, {student.name}: {student.file} has no {old.strip()[:40]!r}")
        code = code.replace(old, new)
    return code


def _notebook(document: dict, student: Student) -> str:
    cells = document["cells"]
    marked = [cell for cell in cells if "nbgrader" in cell["metadata"]]
    if student.answer:
        for cell in marked:
            if cell["metadata"]["nbgrader"]["grade_id"] == f"question-{QUESTION}":
                cell["source"] = student.answer
    if student.notebook == "duplicated check":
        cells.insert(cells.index(marked[0]), marked[0])
    text = json.dumps(document)
    return text[: len(text) // 2] if student.notebook == "cut off" else text
